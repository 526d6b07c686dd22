"""Searches the claims of a repository, with their decisions, for the command `recall`."""
