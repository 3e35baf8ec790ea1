"""The AnyDice language: what programs mean, and what is said of wrong ones."""
