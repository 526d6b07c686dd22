"""Searches the decided claims of a repository for the command `recall`."""
