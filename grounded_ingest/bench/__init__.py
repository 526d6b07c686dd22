"""Measures the commit hook on past commits, and the judge model and `verify` on labelled data."""
