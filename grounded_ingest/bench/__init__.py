"""Measures which past commits the commit hook would have stopped."""
