"""Army lists that players have, read as weapons: every number literally, nothing guessed."""
