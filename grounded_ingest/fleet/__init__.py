"""Checks many repositories, each in its own process, and queries the results with SQL."""
