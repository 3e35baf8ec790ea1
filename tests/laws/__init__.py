"""Laws: properties that hold for all values, checked on random ones against slow models."""
