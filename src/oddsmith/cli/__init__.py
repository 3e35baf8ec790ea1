"""The command ``odds``: arguments to one call of the library, and the answer to the screen."""
