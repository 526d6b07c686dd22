"""Decisions: what is known about a claim goes through one table. Asks a model if configured."""
