"""``python -m oddsmith`` is the command ``odds``."""

from oddsmith.cli.main import main

main()
