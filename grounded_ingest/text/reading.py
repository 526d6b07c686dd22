"""Defines `Reading`, a text with its words. All stages of a check share the `Reading` of a claim,
so that the text is split only once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from grounded_ingest.text.code_spans import MASK
from grounded_ingest.text.lexicon import citation_forms as forms
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import has_verb
from grounded_ingest.text.words import is_negated

if TYPE_CHECKING:
    from grounded_ingest.model.claims import Claim

_OUTER = " \t.,:;!?*_~\"'“”‘’()[]{}<>|`–—-…/\\#"
_TOKEN = compiled(r"\0+|[^\W_][\w'’]*(?:-\w+)*|[:;,.!?()→—–|=]|-(?=\s)|[✅✔☑✓⏳🔄🚧☐⬜❌🚫⛔✗⚠]")
_LINK = compiled(forms.LINK, needs=("](",))
_CITED = compiled(forms.CITED)
_LINES = compiled(forms.LINES)
_LEFT_OUT = compiled(forms.LEFT_OUT)
_NUMBER = compiled(forms.NUMBER)
_CITING = compiled(r"(?i)[\d\[]|http|commit|\bsha\b")
"""A fast test before `_CITED`: matches every text in which `_CITED` finds a citation, and
others."""

_LETTERS = 4
"""Minimum number of letters in a citation that is searched for as text. `_CITED` finds shorter
citations."""

CACHED = 1 << 12
"""Maximum number of Readings in each cache. A larger cache needs more memory and saves hardly any
time."""


class Reading:
    """A text with its words and other properties, each computed at its first use. `masked` has
    blanks for code, links and quotations. `cited` has the texts of the citations."""

    def __init__(self, text: str, masked: str = "", cited: tuple[str, ...] = ()) -> None:
        self.text, self.masked, self.cited = text, masked, cited

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the text in lower case and in order, without outer punctuation."""
        return tuple(filter(None, map(_word, self.text.lower().split())))

    @cached_property
    def word_set(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def folded(self) -> tuple[str, list[int] | None]:
        """The masked text in lower case as a reader sees it, and offsets (see `fold`)."""
        return (self.masked.lower(), None) if self.masked.isascii() else fold(self.masked)

    @cached_property
    def cues(self) -> list[str]:
        """The words and punctuation of the masked text, in order, for `clause_form`."""
        return tokens_of(self.masked)

    @cached_property
    def has_verb(self) -> bool:
        return has_verb(self.text)

    @cached_property
    def negated(self) -> bool:
        return is_negated(self.text)

    @cached_property
    def uncited_words(self) -> tuple[str, ...]:
        """The words of the text as written, without the words of citations."""
        return tuple(filter(bare_word, self.uncited.text.split()))

    @cached_property
    def uncited(self) -> Reading:
        """The text, as a `Reading`, without citations and the words that introduce them ("see")."""
        return read_text(_uncited(self.text, self.cited))


@lru_cache(maxsize=CACHED)
def read_text(text: str) -> Reading:
    return Reading(text)


@lru_cache(maxsize=CACHED)
def read_claim(claim: Claim) -> Reading:
    """Returns the Reading of a claim. Claims with the same text and citations share one Reading."""
    return _of_claim(claim.text, claim.masked, tuple([c.raw for c in claim.citations]))


@lru_cache(maxsize=CACHED)
def _of_claim(text: str, masked: str, cited: tuple[str, ...]) -> Reading:
    return Reading(text, masked, cited)


@lru_cache(maxsize=1 << 15)
def _word(raw: str) -> str:
    """Returns a lower-case token without outer punctuation; empty if it has no letter or digit."""
    word = raw.strip(_OUTER)
    return word if word.isalnum() or any(c.isalnum() for c in word) else ""


@lru_cache(maxsize=1 << 15)
def bare_word(word: str) -> str:
    """Returns a word without outer punctuation."""
    return word.strip(_OUTER)


def tokens_of(text: str) -> list[str]:
    """Returns the words and punctuation of a masked text, in lower case."""
    return _TOKEN.findall(text.lower().replace("’", "'"))


def _uncited(text: str, cited: tuple[str, ...]) -> str:
    """Returns a text without its citations, their punctuation and words such as "see" before them,
    its words joined with single spaces."""
    text = text.replace(MASK, " ")
    if not cited and not _CITING.search(text):
        return " ".join(text.split())
    text = _LINK.sub(_label, text)
    text = " ".join(_CITED.sub(MASK, _without(text, cited)).split())
    return " ".join(_LEFT_OUT.sub("", text).split()) if MASK in text else text


def _label(match: re.Match[str]) -> str:
    """Returns the text of a Markdown link. Returns MASK if that text is only a path."""
    label = match[1].strip("`*_ ")
    path = " " not in label and ("/" in label or "." in label.rstrip("."))
    return MASK if path or not label else match[1]


def _without(text: str, cited: Iterable[str]) -> str:
    """Returns a text in which a placeholder replaces each citation and its line numbers."""
    kept: list[str] = []
    behind = 0
    for start, end in _places(text, cited):
        if start >= behind:
            lines = _LINES.match(text, end)
            kept += text[behind:start], MASK
            behind = lines.end() if lines else end
    return "".join((*kept, text[behind:])) if kept else text


def _places(text: str, cited: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yields the start and end of the citations in a text. Looks them up by their first letters,
    because a claim may have thousands of citations."""
    of: dict[str, dict[int, set[str]]] = {}
    for raw in cited:
        if len(raw) >= _LETTERS and not _NUMBER.fullmatch(raw):
            of.setdefault(raw[:_LETTERS], {}).setdefault(len(raw), set()).add(raw)
    for at in range(len(text) - _LETTERS + 1) if of else ():
        sizes = of.get(text[at : at + _LETTERS], {})
        for size in sorted(sizes, reverse=True):
            if text[at : at + size] in sizes[size] and _is_whole(text, at, at + size):
                yield at, at + size
                break


def _is_whole(text: str, start: int, end: int) -> bool:
    """Returns whether the text between two offsets is a whole word, not a part of a longer word."""
    inside = (
        text[at - 1].isalnum() and text[at].isalnum() for at in (start, end) if 0 < at < len(text)
    )
    return not any(inside)


_LOOKALIKES = {
    "a": "аαАΑɑ", "b": "ВΒЬ", "c": "сСϲ", "d": "ԁ", "e": "еЕΕєε", "g": "ɡ", "h": "һНΗ",
    "i": "іІΙıİι", "j": "јЈ", "k": "кКΚκ", "l": "ӏⅼ", "m": "мМΜ", "n": "ոΝп", "o": "оОΟοօσ",
    "p": "рРΡρ", "q": "ԛ", "r": "г", "s": "ѕЅ", "t": "тТΤτ", "u": "υս", "v": "ѵν", "w": "ѡԝ",
    "x": "хХΧχ", "y": "уУΥү", "'": "’‘ʼ′`´＇", '"': "“”„‟″＂",
}  # fmt: skip


class _Folding(dict[int, str | None]):
    """A table from code points to plain characters. An entry is computed at its first use."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        if code < 128:
            folded: str | None = char
        elif unicodedata.category(char) in ("Cf", "Mn", "Me"):
            folded = None
        elif char.isspace():
            folded = " "
        elif char.isalpha():
            folded = unicodedata.normalize("NFKD", char)[0]
        else:
            folded = char
        self[code] = folded
        return folded


_FOLDING = _Folding((ord(c), plain) for plain, row in _LOOKALIKES.items() for c in row)
_FOLDING[0x115F] = _FOLDING[0x1160] = _FOLDING[0x3164] = None  # fillers: letters that are invisible


def fold(text: str) -> tuple[str, list[int] | None]:
    """Returns a text in lower case as a reader sees it, and a list of offsets.

    Replaces letters that look like Latin letters, and removes invisible characters. The list has
    the offset in `text` for each character of the result. The list is None if each character is at
    the same offset in both texts.
    """
    folded = text.translate(_FOLDING).lower()
    if len(folded) == len(text):
        return folded, None
    kept = [i for i, char in enumerate(text) if _FOLDING[ord(char)] is not None]
    return folded, kept
