"""Makes the modules beside this one importable."""
