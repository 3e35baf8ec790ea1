"""Distributions to answers: exact, frozen, plain data."""
