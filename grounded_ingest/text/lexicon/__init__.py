"""Word lists and patterns as data, without functions."""
