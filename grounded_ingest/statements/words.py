"""Reads a text into words with their places, and finds the technologies among them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from grounded_ingest.text.lexicon.technologies import AMBIGUOUS, KINDS
from grounded_ingest.text.names import word_stem
from grounded_ingest.text.patterns import compiled

_WORD = compiled(
    r"""(?P<url>https?://[^\s<>)\]"'`|]*[^\s<>)\]"'`|.,;:!?])"""
    r"|(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<path>(?:~|\.{1,2})?/[\w.@{}*$-]*[\w@{}*$](?:/[\w.@{}*$-]*[\w@{}*$])*/?|(?:\.?[\w-][\w.@-]*/)+(?:[\w.@{}*-]*[\w@{}*])?)"
    r"|(?P<num>v?\d+(?:[.,:_]\d+)*(?:[-–]\d+(?:[.:]\d+)*)*(?:\.[x*])?(?:%|(?:st|nd|rd|th)\b|[A-Za-zµ]+(?!\w))?\+?)"
    r"|(?P<word>\.?[^\W\d][\w]*(?:\.[\w+#]+)*(?:\+\+|\#)?(?:-[\w.+#]*[\w+#])*(?:['’](?!(?:s|m|re|ve|ll|d)\b)\w+)*)"
    r"|(?P<clitic>['’](?:s|m|re|ve|ll|d)\b)"
    r"|(?P<line>\n+)"
    r"|(?P<punct>->|[^\w\s])"
)
_QUIET = frozenset('`*"“”')


class Token(NamedTuple):
    """A word, number or mark at `start` to `end`. `kind`: word, num, path, url, email, line or
    punct."""

    text: str
    low: str
    stem: str
    start: int
    end: int
    kind: str


def words_of(text: str) -> list[Token]:
    """Returns the words and marks of a text; quotation and code marks are left out."""
    found: list[Token] = []
    for match in _WORD.finditer(text):
        kind, written = match.lastgroup or "punct", match[0]
        low = written.lower().replace("’", "'")
        if kind == "clitic":
            kind = "word"
        if written not in _QUIET:
            end = low if kind != "word" else word_stem(low)
            found.append(Token(written, low, end, match.start(), match.end(), kind))
    return found


class PhraseTable:
    """Phrases by their words, with what they stand for; the longest at a place wins."""

    def __init__(self) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}

    def add(self, phrase: Sequence[str], value: str) -> None:
        listed = self._by_first.setdefault(phrase[0], [])
        listed.append((tuple(phrase), value))
        listed.sort(key=lambda entry: -len(entry[0]))

    def at(self, words: Sequence[str], at: int) -> list[tuple[int, str]]:
        """Returns length and value of every phrase that begins at a place, the longest first."""
        return [
            (len(phrase), value)
            for phrase, value in self._by_first.get(words[at], ())
            if tuple(words[at : at + len(phrase)]) == phrase
        ]


class Technology(NamedTuple):
    """A technology in a text: the words it takes, and its kinds."""

    first: int
    end: int
    kinds: tuple[str, ...]


@cache
def _technologies() -> tuple[PhraseTable, frozenset[str]]:
    kinds: dict[str, dict[str, None]] = {}
    names: dict[str, str] = {}
    for kind, listed in KINDS.items():
        for entry in listed.split(", "):
            first, *others = entry.lower().split("=")
            for spelling in (first, *others):
                names.setdefault(spelling, first)
                kinds.setdefault(names[spelling], {})[kind] = None
    table = PhraseTable()
    for spelling, name in names.items():
        table.add([w.low for w in words_of(spelling)], " ".join(kinds[name]))
    return table, frozenset(name.lower() for name in AMBIGUOUS)


def technologies_in(words: Sequence[Token]) -> list[Technology]:
    """Returns the technologies that words name. Names that are English words too count only with a
    capital."""
    table, ambiguous = _technologies()
    lows = [w.low for w in words]
    found: list[Technology] = []
    for at, word in enumerate(words):
        if found and at < found[-1].end:
            continue
        for length, kinds in table.at(lows, at)[:1]:
            if length > 1 or word.low not in ambiguous or _is_name(words, at):
                found.append(Technology(at, at + length, tuple(kinds.split())))
    return found


def _is_name(words: Sequence[Token], at: int) -> bool:
    """Whether a word that is English too is meant as a name."""
    if not words[at].text[:1].isupper():
        return False
    behind = words[at + 1].low if at + 1 < len(words) else ""
    return at > 0 or len(words[at].low) > 4 or behind in ("is", ",", "and", "everywhere", "for")


@lru_cache(maxsize=4096)
def stems_of(phrase: str) -> tuple[str, ...]:
    """Returns the stems of the words of a phrase."""
    return tuple(w.stem for w in words_of(phrase))
