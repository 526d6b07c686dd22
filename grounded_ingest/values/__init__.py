"""Normal forms of values: numbers with units, dates, versions and names. Pure and shared."""

from grounded_ingest.values.normal import Normal, entails, normal, same

__all__ = ["Normal", "entails", "normal", "same"]
