"""Finds words, names, values, dates and sentences in a text. Reads YAML and TOML."""
