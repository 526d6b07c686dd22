"""A file for every rule: what it is, when it applies, what finds it, examples that run."""
