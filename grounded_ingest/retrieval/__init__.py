"""Judged claims, found again for a question."""
