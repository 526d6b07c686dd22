"""Claim + source text -> support. Pure: who calls it brings the text (sources.py)."""
