"""Word lists and patterns as data. Every list exists only once. The modules have no functions."""
