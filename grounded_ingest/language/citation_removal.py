"""A text without what it cites: the one definition, which its words and its text follow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from grounded_ingest.language.lexicon import citation_forms as forms
from grounded_ingest.language.mask import MASK
from grounded_ingest.language.patterns import compiled

_LINK = compiled(forms.LINK)
_CITED = compiled(forms.CITED)
_LINES = compiled(forms.LINES)
_LEFT_OUT = compiled(forms.LEFT_OUT)
_NUMBER = compiled(forms.NUMBER)
_HINT = compiled(r"(?i)[\d\[]|http|commit|\bsha\b")
"""One of these stands in whatever cites by its form: a look at them is cheaper."""

_LETTERS = 4
"""Letters of the shortest citation that is looked for as it is written: shorter ones are known by
their form."""


def uncited(text: str, cited: Iterable[str] = ()) -> str:
    """A text without its citations, what leads to them and their marks, in single spaces; `cited`
    are its citations as written."""
    text = text.replace(MASK, " ")
    cited = tuple(cited)
    if not cited and not _HINT.search(text):
        return " ".join(text.split())
    text = _LINK.sub(_label, text)
    text = " ".join(_CITED.sub(MASK, _without(text, cited)).split())
    return " ".join(_LEFT_OUT.sub("", text).split()) if MASK in text else text


def _label(match: re.Match[str]) -> str:
    """The text of a link, unless it is the citation again."""
    label = match[1].strip("`*_ ")
    path = " " not in label and ("/" in label or "." in label.rstrip("."))
    return MASK if path or not label else match[1]


def _without(text: str, cited: Iterable[str]) -> str:
    """A text with its citations and their lines, several of them too, as marks."""
    kept: list[str] = []
    behind = 0
    for start, end in _places(text, cited):
        if start >= behind:
            lines = _LINES.match(text, end)
            kept += text[behind:start], MASK
            behind = lines.end() if lines else end
    return "".join((*kept, text[behind:])) if kept else text


def _places(text: str, cited: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where citations stand, found by their first letters: a claim may cite thousands."""
    of: dict[str, dict[int, set[str]]] = {}
    for raw in cited:
        if len(raw) >= _LETTERS and not _NUMBER.fullmatch(raw):
            of.setdefault(raw[:_LETTERS], {}).setdefault(len(raw), set()).add(raw)
    for at in range(len(text) - _LETTERS + 1) if of else ():
        sizes = of.get(text[at : at + _LETTERS], {})
        for size in sorted(sizes, reverse=True):
            if text[at : at + size] in sizes[size] and _apart(text, at, at + size):
                yield at, at + size
                break


def _apart(text: str, start: int, end: int) -> bool:
    """Whether what stands here is not a part of a longer word."""
    inside = (
        text[at - 1].isalnum() and text[at].isalnum() for at in (start, end) if 0 < at < len(text)
    )
    return not any(inside)
