"""Finds hedges, which are words that express doubt about the claim itself.

`lexicon/hedges.py` explains the notation of the phrases."""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from grounded_ingest.extract.frames import CONDITION, QUOTED
from grounded_ingest.model.claims import Claim, Finding
from grounded_ingest.text.lexicon import hedges, speculation, technical_hedges
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    _Hit = tuple[re.Match[str], str]

_MASK = "\0"
_SINGLE = compiled(r"(?<!\w)'(?=\S)(?:[^'\0]|(?<=\w)'(?=\w)){1,80}(?<=\S)'(?!\w)")
_SENTENCE = ". "  # put before the text, so that patterns match its first sentence like all others
_JUNK = " \t-–—*_>#~:.,;!()[]{}|/\\•→✅❌✓✗☑⚠" + "'" + '"'


def _expand(phrase: str) -> str:
    for name, words in reversed(hedges.SLOTS.items()):
        phrase = phrase.replace("{" + name + "}", words)
    return phrase


class _Phrase(Struct, frozen=True):
    """A regular expression for hedges. If `group` is empty, it matches text that only looks like a
    hedge, such as a name, and hedges inside this text do not count."""

    group: str
    source: str
    alone: re.Pattern[str]


def _rows(table: str) -> list[tuple[str, str]]:
    """Returns the words and the phrase in each row of a table."""
    rows = (row for row in table.replace("\n    ", "").splitlines() if row and row[0] != "#")
    parts = (row.partition(" | ") for row in rows)
    hedge = hedges.HEDGE_WORDS
    return [(words.replace("{hedge}", hedge).strip("*"), phrase) for words, _, phrase in parts]


class _Phrases:
    """The phrases for a rule, indexed by the words that a matching text must have."""

    def __init__(self, lexicon: ModuleType) -> None:
        groups: dict[str, str] = {"": lexicon.PASSES, **lexicon.PHRASES}
        listed = [(g, *row) for g, table in groups.items() for row in _rows(table)]
        self.listed = [_Phrase(g, s, compiled(partial(_bounded, s))) for g, _, s in listed]
        self._passes = len(_rows(lexicon.PASSES))
        self._by_word: dict[str, list[int]] = {}
        self._also: dict[int, frozenset[str]] = {}
        for number, (_, words, _) in enumerate(listed):
            also, plus, words = words.rpartition(" + ")
            if plus:
                self._also[number] = frozenset(also.split())
            for word in words.split() or [""]:
                self._by_word.setdefault(word, []).append(number)

    def possible(self, words: frozenset[str]) -> set[int]:
        """Returns the numbers of the phrases that a text with these words can match."""
        known = self._by_word
        found = {n for word in words & known.keys() for n in known[word]}
        found -= {n for n in found & self._also.keys() if words.isdisjoint(self._also[n])}
        return found.union(known.get("", ()))

    def due(self, words: frozenset[str]) -> list[int]:
        """Returns the numbers of the phrases that a text with these words can match, hedges before
        phrases that only look like one. Empty if no hedge can match."""
        found = sorted(self.possible(words), reverse=True)
        return found if found and found[0] >= self._passes else []

    def hits(self, due: list[int], text: str) -> Iterator[re.Match[str]]:
        """Yields the matches of the phrases with the numbers `due`. Searches for each phrase alone,
        then compiles only the found phrases into one pattern. Compiling all takes longer than most
        runs."""
        found: list[int] = []
        for number in due:
            if number < self._passes and not found:
                return
            if self.listed[number].alone.search(text):
                found.append(number)
        if found:
            together = ((p.group, p.source) for p in map(self.listed.__getitem__, sorted(found)))
            yield from _together(tuple(together)).finditer(text)


@lru_cache(maxsize=1024)
def _together(phrases: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Returns one regular expression for phrases, in which every hedge is a regex group with the
    name of its group and a number, because a regex may have a name only once."""
    alternatives = (
        f"(?P<{group.replace('-', '_')}_{number}>{source})" if group else source
        for number, (group, source) in enumerate(phrases)
    )
    return re.compile(_bounded("|".join(alternatives)))


def _bounded(phrase: str) -> str:
    return _expand(rf"(?<![\w~])(?=[\w~≈])(?:{phrase})(?!\w)")


@cache
def _rules() -> dict[str, _Phrases]:
    return {"speculation": _Phrases(speculation), "technical-hedge": _Phrases(technical_hedges)}


_REPORTED = {
    name: compiled(partial(_expand, source)) for name, source in speculation.REPORTED.items()
}
_DOUBLE, _POINTED = compiled(r'"[^"]*"'), compiled(r"«[^«»]{0,300}»")
_QUESTION = compiled(r"(?<=[.!?] )[^.!?]*(?:[.!](?! )[^.!?]*)*\?(?! *[(\[`\0a-z])")
_WORD = compiled(r"[a-z]+|[~≈]")


def _blank(match: re.Match[str]) -> str:
    return _MASK * len(match[0])


def _readable(text: str) -> str:
    """Returns the text with quotations, questions and leading marks blanked, and with `_SENTENCE`
    before the text."""
    for sign, quotation in (('"', _DOUBLE), ("'", _SINGLE), ("«", _POINTED)):
        if sign in text:
            text = quotation.sub(_blank, text)
    lead = len(text) - len(text.lstrip(_JUNK))
    text = "." * lead + _SENTENCE + text[lead:]
    return _QUESTION.sub(_blank, text) if "?" in text else text


def _is_name(words: str, match: re.Match[str], claim: Claim) -> bool:
    """Returns whether the words of a match are a name: one capitalised word inside a sentence
    ("Theresa May"), or words in capitals in a claim that is otherwise not in capitals."""
    inside = _SENTENCE not in match.string[max(0, match.start() - 3) : match.start() + 1]
    if inside and words.isalpha() and words.istitle():
        return True
    name = words.isalpha() and words.isupper() and words not in technical_hedges.ACRONYMS
    return name and not claim.text.isupper()


def _hits(
    rule: str, found: Iterable[re.Match[str]], places: list[int] | None, claim: Claim
) -> Iterator[_Hit]:
    """Yields the hedges among the matches, each with its words as the claim writes them."""
    for match in found:
        if match.lastgroup:
            first, last = match.start() - len(_SENTENCE), match.end() - 1 - len(_SENTENCE)
            if places:
                first, last = places[first], places[last]
            words = claim.text[first : last + 1].strip()
            if rule == "speculation" or not _is_name(words, match, claim):
                yield match, words


def _why_not_own(match: re.Match[str], text: str, claim: Claim) -> str:
    """Returns why a doubt is not the author's present guess: the text labels it as not settled,
    denies it, quotes it, or puts it in the past. Empty for a guess."""
    if claim.doubt == QUOTED:
        return "The text quotes somebody."
    if claim.doubt and CONDITION.search(claim.doubt):
        return f"The text is only a condition (“{claim.doubt}”)."
    if claim.doubt:
        return f"The text is labelled as not settled (“{claim.doubt}”)."
    before, after = text[max(0, match.start() - 60) : match.start()], text[match.end() :]
    if _REPORTED["past"].search(match[0]) or (
        _REPORTED["attempt"].search(match[0])
        and (_REPORTED["settled"].search(after) or _REPORTED["at first"].search(before))
    ):
        return "The sentence tells of an earlier doubt."
    if _REPORTED["denied"].search(match[0]) or _REPORTED["denying"].search(before):
        return "The sentence denies the doubt."
    if _REPORTED["telling"].search(before):
        return "The sentence reports what somebody else doubts."
    return ""


def find_hedges(claim: Claim) -> tuple[Finding, ...]:
    """Returns at most one finding of each rule, `speculation` before `technical-hedge`. A guess is
    only a technical hedge if it is denied, reported, past or labelled as not settled."""
    folded, places = read_claim(claim).folded
    words = frozenset(_WORD.findall(folded))
    due = [(r, phrases, due) for r, phrases in _rules().items() if (due := phrases.due(words))]
    if not due:
        return ()
    text = _readable(folded)
    found = []
    for rule, phrases, numbers in due:
        hits = _hits(rule, phrases.hits(numbers, text), places, claim)
        finding, match = _finding(rule, hits, text, claim)
        if finding and match:
            found.append(finding)
            text = text[: match.start()] + _blank(match) + text[match.end() :]
            if finding.rule != rule:
                break
    return tuple(found)


def _finding(
    rule: str, hits: Iterable[_Hit], text: str, claim: Claim
) -> tuple[Finding | None, re.Match[str] | None]:
    """Returns a finding and its match: the first guess that is the author's own, or else the first
    hit, as a technical hedge."""
    honest: tuple[Finding | None, re.Match[str] | None] = (None, None)
    for match, words in hits:
        group = str(match.lastgroup).rpartition("_")[0].replace("_", "-")
        message = hedges.MESSAGES[group]
        why = _why_not_own(match, text, claim) if rule == "speculation" else ""
        if not why:
            return Finding(rule, message, words), match
        if honest[0] is None:
            honest = Finding("technical-hedge", f"{message} {why}", words), match
    return honest
