"""Hedges: words with which a claim doubts itself. The words stand in `lexicon/hedges.py`."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from grounded_ingest.detect.folding import fold
from grounded_ingest.lexicon import hedges
from grounded_ingest.model import Claim, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

_MASK = "\0"
_SENTENCE = ". "  # stands before the text: its beginning looks like any sentence's
_JUNK = " \t-–—*_>#~:.,;!()[]{}|/\\•→✅❌✓✗☑⚠" + "'" + '"'


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _near(words: list[str], firsts: str, seconds: str) -> bool:
    sought = _set(seconds)
    return any(
        word in _set(firsts) and not sought.isdisjoint(words[max(0, i - 4) : i + 9])
        for i, word in enumerate(words)
    )


def _triggered(words: list[str]) -> Iterator[str]:
    """The rules these words can hold a phrase of. Compiling one costs more than most runs need."""
    distinct = frozenset(words)
    for rule, triggers in hedges.TRIGGERS.items():
        near = hedges.NEAR if rule == "speculation" else ()
        if not distinct.isdisjoint(_set(triggers)) or any(_near(words, *row) for row in near):
            yield rule


def _expand(phrase: str) -> str:
    for name, words in reversed(hedges.SLOTS.items()):
        phrase = phrase.replace("{" + name + "}", words)
    return phrase


@cache
def _rule(rule: str) -> re.Pattern[str]:
    """One pattern: passes first, unnamed, then a named group for each group of phrases."""
    passes = "|".join(map(_expand, hedges.PASSES[rule]))
    groups = (
        f"(?P<{name.replace('-', '_')}>{'|'.join(map(_expand, phrases))})"
        for name, phrases in hedges.PHRASES[rule].items()
    )
    return re.compile(rf"(?<![\w~])(?=[\w~≈])(?:(?:{passes})|{'|'.join(groups)})(?!\w)")


def _blank(match: re.Match[str]) -> str:
    return _MASK * len(match[0])


def _without_quotations(text: str) -> str:
    if '"' in text:
        text = _pattern(r'"[^"]*"').sub(_blank, text)
    if "'" in text:
        text = _pattern(r"(?<!\w)'(?=\S)(?:[^'\0]|(?<=\w)'(?=\w)){1,80}(?<=\S)'(?!\w)").sub(_blank, text)
    if "«" in text:
        text = _pattern(r"«[^«»]{0,300}»").sub(_blank, text)
    return text


def _without_questions(text: str) -> str:
    if "?" not in text:
        return text
    return _pattern(r"(?<=[.!?] )[^.!?]*(?:[.!](?! )[^.!?]*)*\?").sub(_blank, text)


def _readable(text: str) -> str:
    """The text with a sentence's beginning before it, and all that cannot hedge blanked."""
    text = _without_quotations(text)
    lead = len(text) - len(text.lstrip(_JUNK))
    return _without_questions("." * lead + _SENTENCE + text[lead:])


def _named(words: str, claim: Claim) -> bool:
    """Whether words in capitals stand out as a name, in a claim that has small letters."""
    return words.isupper() and words.isalpha() and words not in hedges.ACRONYMS and not claim.text.isupper()


def _look(rule: str, text: str, places: list[int] | None, claim: Claim) -> Finding | None:
    for match in _rule(rule).finditer(text):
        if not match.lastgroup:
            continue
        first, last = match.start() - len(_SENTENCE), match.end() - 1 - len(_SENTENCE)
        if places:
            first, last = places[first], places[last]
        words = claim.text[first : last + 1].strip()
        if rule == "technical-hedge" and _named(words, claim):
            continue
        return Finding(rule, hedges.MESSAGES[match.lastgroup.replace("_", "-")], words)
    return None


def find_hedges(claim: Claim) -> tuple[Finding, ...]:
    """At most one finding of each rule, `speculation` before `technical-hedge`."""
    folded, places = fold(claim.masked)
    rules = list(_triggered(_pattern(r"[a-z]+|[~≈]").findall(folded)))
    if not rules:
        return ()
    text = _readable(folded)
    found = (_look(rule, text, places, claim) for rule in rules)
    return tuple(finding for finding in found if finding)
