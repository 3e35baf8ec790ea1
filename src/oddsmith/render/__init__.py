"""Exact answers to text and pictures: one file per medium; the only room that rounds."""
