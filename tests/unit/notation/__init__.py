"""Tests of ``oddsmith.notation``."""
