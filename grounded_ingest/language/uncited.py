"""A text without what it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable

from grounded_ingest.language.lexicon import support_patterns
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.word_keys import bare_word

_LINK = compiled(r"!?\[([^\]]*)\]\(([^)]*)\)")
_CITED = compiled(support_patterns.CITED)
_EMPTY = compiled(support_patterns.EMPTY)
_LINES = compiled(support_patterns.LINES)


def uncited(text: str, cited: Iterable[str] = ()) -> str:
    """A claim's text without what it cites; `cited` are its citations as written."""
    text = _LINK.sub(_label, text)
    text = _CITED.sub(" ", text)
    for raw in sorted(cited, key=len, reverse=True):
        if len(raw) > 3:
            text = _without(text, raw)
    for _ in range(2):
        text = _EMPTY.sub("", text)
    return " ".join(text.split())


def _without(text: str, raw: str) -> str:
    """A text without a citation, its code marks and its lines, several of them too."""
    at = text.find(raw)
    while at >= 0:
        tail = _LINES.match(text, at + len(raw))
        start = at - 1 if text[at - 1 : at] == "`" else at
        text = f"{text[:start]} {text[tail.end() if tail else at + len(raw) :]}"
        at = text.find(raw, start)
    return text


def _label(match: re.Match[str]) -> str:
    """The text of a link, unless it is the citation again."""
    label = str(match[1]).strip("`*_ ")
    return (
        " " if "/" in label or ("." in label.rstrip(".") and " " not in label) else f" {match[1]} "
    )


_ADR = compiled(r"\b(?:(?:per|see|cf\.?)\s+)?ADRs?[-\s_#]{0,2}\d{1,4}\b", re.IGNORECASE)
_CITING = compiled(r"^[(\[]?(?:see|per|cf)[.,:]?$", re.IGNORECASE)
_LETTERS = 3
"""Letters of the shortest citation that is left out of a text."""


def uncited_words(text: str, raws: Iterable[str]) -> list[str]:
    """The words of a text as written, its citations (`raws`, as cited) left out."""
    if "adr" in text.lower():
        text = _ADR.sub(" ", text)
    cited = _Cited(r.lower() for r in raws if len(r) >= _LETTERS)
    if not cited:
        return [raw for raw in text.split() if bare_word(raw)]
    kept: list[str] = []
    for raw in text.split():
        if cited.within(raw.lower()):
            if kept and _CITING.match(kept[-1]):
                kept.pop()
            continue
        if bare_word(raw):
            kept.append(raw)
    return kept


class _Cited:
    """Texts that are looked for in words, by their first letters: a claim may cite thousands."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._of: dict[str, dict[int, set[str]]] = {}
        for text in texts:
            self._of.setdefault(text[:_LETTERS], {}).setdefault(len(text), set()).add(text)

    def __bool__(self) -> bool:
        return bool(self._of)

    def within(self, word: str) -> bool:
        """Whether one of the texts stands in a word."""
        return any(
            word[at : at + size] in texts
            for at in range(len(word) - _LETTERS + 1)
            for size, texts in self._of.get(word[at : at + _LETTERS], {}).items()
        )
