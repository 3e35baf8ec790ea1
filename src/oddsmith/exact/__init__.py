"""Whole numbers, polynomials and their ratios; the only room that imports flint."""
