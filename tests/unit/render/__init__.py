"""Tests of ``oddsmith.render``."""
