"""Rule systems, one module each; :mod:`oddsmith.games.catalogue` lists them."""
