"""Typed memory: kinds of claims, relations between them, what is served of them (DESIGN 10)."""
