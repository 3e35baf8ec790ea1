"""Tests of ``oddsmith.exact``."""
