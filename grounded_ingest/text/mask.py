"""What stands for text that is not read as words."""

from __future__ import annotations

from grounded_ingest.text.patterns import compiled

MASK = "\0"
_CODE = compiled(r"`[^`]*`")


def masked_code(text: str) -> str:
    """A text with its code masked, at the same length."""
    return _CODE.sub(lambda m: MASK * len(m[0]), text)
