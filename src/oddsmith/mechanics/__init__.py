"""The verbs that games share, as short functions over dice and pools."""
