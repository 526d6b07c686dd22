"""What a word is written like that code is named by."""

from __future__ import annotations

from grounded_ingest.language.patterns import compiled

_JOINED = compiled(r"[^\W_]_+[^\W_]|::|->|\(\)")
_DOTTED = compiled(r"\w\.\w")
_HUMP = compiled(r"[a-z][A-Z]")


def is_joined(word: str) -> bool:
    """Whether a word can only be code: `max_size`, `std::io`, `run()`."""
    return bool(_JOINED.search(word))


def is_identifier(word: str) -> bool:
    """Whether a word is the name of code: joined, `os.path`, `maxSize`. Versions are dotted too."""
    return bool(_HUMP.search(word) or _DOTTED.search(word)) or is_joined(word)
