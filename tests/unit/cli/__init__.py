"""Tests of ``oddsmith.cli``."""
