"""Slow, obvious enumeration that the fast engine must agree with."""
