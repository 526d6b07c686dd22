"""A claim beside a source: how far it is borne out, and where not."""
