"""Small tests of each module, with values derived by hand or printed elsewhere."""
