"""The git edge."""
