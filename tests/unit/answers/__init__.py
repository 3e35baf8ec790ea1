"""Tests of ``oddsmith.answers``."""
