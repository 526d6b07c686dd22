"""Statements of claims: hedges, duplicates, conflicts, facts, and relations between claims."""
