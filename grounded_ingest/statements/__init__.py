"""Finds hedges, duplicates, conflicts and facts in claims, and relations between claims."""
