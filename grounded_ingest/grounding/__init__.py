"""Contradiction-aware grounding: what a text states, and whether memories say it (DESIGN 9)."""
