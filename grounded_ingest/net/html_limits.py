"""Bounds of a text, for those who must not import the parser."""

from __future__ import annotations

LIMIT = 262_144
"""Characters of the longest text that is kept."""
