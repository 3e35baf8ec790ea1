"""Whole numbers, polynomials and their ratios: plain functions, the only room that imports flint."""
