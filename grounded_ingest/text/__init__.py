"""Words, names, values, dates and sentences of a text; YAML and TOML; printable text."""
