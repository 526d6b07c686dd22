"""What stands for text that is not read as words."""

from __future__ import annotations

MASK = "\0"
