"""Tests of ``oddsmith.mechanics``."""
