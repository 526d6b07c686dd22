"""Checks the references in documents against the repository, web pages and issue trackers."""
