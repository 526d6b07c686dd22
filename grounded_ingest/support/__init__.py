"""A claim beside a source: how far it is borne out, contradicted, or not spoken of."""
