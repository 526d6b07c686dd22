"""Tables of phrases, looked up at a place in a text; the longest one wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from grounded_ingest.language.lexicon.function_words import ADVERBS
from grounded_ingest.language.stemming import stem

_SKIPPED = frozenset(ADVERBS.split()) - frozenset(
    ["over", "under", "around", "up", "more", "most", "less", "least", "else", "then", "once"]
)


class PhraseWord(Protocol):
    @property
    def low(self) -> str: ...
    @property
    def stem(self) -> str: ...


def _words(entry: tuple[tuple[str, ...], str]) -> int:
    return len(entry[0])


class Phrases:
    """Phrases with what they stand for, several joined by `|`. `stems`: endings do not count."""

    def __init__(self, entries: dict[str, str] | None = None, *, stems: bool = True) -> None:
        self._stems = stems
        self._by_first: dict[str, dict[tuple[str, ...], str]] = {}
        self._longest_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for phrase, payload in (entries or {}).items():
            self.add(phrase, payload)

    def add(self, phrase: str, payload: str) -> None:
        words = phrase.lower().replace("'s", " 's").split()
        key = tuple(map(stem, words)) if self._stems else tuple(words)
        if not key:
            return
        known = self._by_first.setdefault(key[0], {})
        names = known.get(key)
        if names is None:
            known[key] = payload
        elif payload not in names.split("|"):
            known[key] = f"{names}|{payload}"
        self._longest_first.pop(key[0], None)

    def at(
        self, tokens: Sequence[PhraseWord], index: int, end: int | None = None
    ) -> tuple[int, str] | None:
        """Length in tokens and payload of the longest phrase that begins here."""
        token = tokens[index]
        first = token.stem if self._stems else token.low
        known = self._by_first.get(first)
        if known is None:
            return None
        listed = self._longest_first.get(first)
        if listed is None:
            listed = sorted(known.items(), key=_words, reverse=True)
            self._longest_first[first] = listed
        stop = len(tokens) if end is None else end
        for key, payload in listed:
            length = self._length(key, tokens, index, stop)
            if length:
                return length, payload
        return None

    def _length(
        self, key: tuple[str, ...], tokens: Sequence[PhraseWord], index: int, stop: int
    ) -> int:
        at = index + 1
        for word in key[1:]:
            if self._stems:
                while at < stop and tokens[at].low in _SKIPPED and tokens[at].stem != word:
                    at += 1
            if at >= stop or (tokens[at].stem if self._stems else tokens[at].low) != word:
                return 0
            at += 1
        return at - index

    def words(self) -> frozenset[str]:
        """Every word, or its stem, that stands in a phrase."""
        return frozenset(w for known in self._by_first.values() for key in known for w in key)

    def whole(self, tokens: Sequence[PhraseWord]) -> str | None:
        """The payload of the phrase that all tokens make up."""
        hit = self.at(tokens, 0) if tokens else None
        return hit[1] if hit and hit[0] == len(tokens) else None
