"""Checks many repositories, with one process for each repository, and queries the results with
SQL."""
