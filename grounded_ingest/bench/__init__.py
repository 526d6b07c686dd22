"""The promise as figures, on a repository of its user."""
