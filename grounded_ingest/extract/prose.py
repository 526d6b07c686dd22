"""Whether a text found where none was expected speaks to its reader: a value of an unknown key, a
comment of a record file, an attribute, a key."""

from __future__ import annotations

import re

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text

# Commands, patterns and templates: options, pipes, variables, calls, braces.
_CODE = compiled(
    r"(?:^|\s)--?\w|&&|\|\||\s\|\s|\$[\w({]|[{}<>\\^]|\w=\S|\(\)|::|\*[./]|/\*|^\s*[@/#!.]|\[\["
)
_CLOSED = compiled(r"[\"'(`*_]*[A-ZÀ-ÞА-Я`].*[.!][\"')`*_]*", re.DOTALL)
_UNSPACED = compiled(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_WORD = compiled(r"[^\W\d_][^\W_]+")
_WORDS, _SENTENCE, _SIGNS = 4, 3, 8


def reads_as_prose(text: str) -> bool:
    """A sentence from its capital to its full stop, or words with a verb that are no command."""
    text = text.strip()
    words = len(_WORD.findall(text))
    if words >= _SENTENCE and " " in text and _CLOSED.fullmatch(text):
        return True
    if len(_UNSPACED.findall(text)) >= _SIGNS:
        return True
    spaced = len(text.split()) >= _WORDS <= words
    return spaced and read_text(text).has_verb and not _CODE.search(text)
