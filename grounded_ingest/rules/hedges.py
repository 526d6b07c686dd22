"""Hedges: words with which a claim doubts itself. The words stand in `lexicon/hedges.py`."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from grounded_ingest.extract.labels import CONDITION
from grounded_ingest.language.lexicon import hedges, speculation, technical_hedges
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import Claim, Finding, Place
from grounded_ingest.rules.knowledge_protocol import Knowledge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    _Hit = tuple[re.Match[str], str]

_LEXICON = {"speculation": speculation, "technical-hedge": technical_hedges}
_MASK = "\0"
_SINGLE = compiled(r"(?<!\w)'(?=\S)(?:[^'\0]|(?<=\w)'(?=\w)){1,80}(?<=\S)'(?!\w)")
_SENTENCE = ". "  # stands before the text: its beginning looks like any sentence's
_JUNK = " \t-–—*_>#~:.,;!()[]{}|/\\•→✅❌✓✗☑⚠" + "'" + '"'


@cache
def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _near(words: list[str], firsts: str, seconds: str) -> bool:
    sought = _set(seconds)
    if sought.isdisjoint(words) or _set(firsts).isdisjoint(words):
        return False
    return any(
        word in _set(firsts) and not sought.isdisjoint(words[i + 1 : i + 9])
        for i, word in enumerate(words)
    )


def _triggered(words: list[str]) -> list[str]:
    """The rules these words can hold a phrase of. Compiling one costs more than most runs need."""
    distinct = frozenset(words)
    guess = not distinct.isdisjoint(_set(speculation.TRIGGERS))
    guess = guess or any(_near(words, *row) for row in speculation.NEAR)
    doubt = not distinct.isdisjoint(_set(technical_hedges.TRIGGERS))
    return ["speculation"] * guess + ["technical-hedge"] * doubt


def _expand(phrase: str) -> str:
    for name, words in reversed(hedges.SLOTS.items()):
        phrase = phrase.replace("{" + name + "}", words)
    return phrase


def _pattern_of(groups: Mapping[str, tuple[str, ...]]) -> str:
    """An alternation in which a shared head is tried once.

    A group appears below several heads; the number in its name keeps them apart.
    """
    heads: dict[str, dict[str, list[str]]] = {head: {} for head in (*hedges.HEADS, "")}
    for name, phrases in groups.items():
        for phrase in phrases:
            head = next(head for head in heads if phrase.startswith(head))
            heads[head].setdefault(name, []).append(phrase.removeprefix(head))
    return "|".join(
        f"{head}(?:{_named_rests(number, rests)})"
        for number, (head, rests) in enumerate(heads.items())
        if rests
    )


def _named_rests(number: int, rests: Mapping[str, list[str]]) -> str:
    return "|".join(
        f"(?P<{name.replace('-', '_')}_{number}>{'|'.join(phrases)})" if name else "|".join(phrases)
        for name, phrases in rests.items()
    )


def _source(rule: str) -> str:
    """One pattern: passes first, unnamed, then the phrases, each named after its group."""
    words = _LEXICON[rule]
    passes, phrases = _pattern_of({"": words.PASSES}), _pattern_of(words.PHRASES)
    return _expand(rf"(?<![\w~])(?=[\w~≈])(?:(?:{passes})|{phrases})(?!\w)")


_RULES = {rule: compiled(partial(_source, rule)) for rule in _LEXICON}
_TOLD = {name: compiled(partial(_expand, source)) for name, source in speculation.TOLD.items()}
_DOUBLE, _POINTED = compiled(r'"[^"]*"'), compiled(r"«[^«»]{0,300}»")
_QUESTION = compiled(r"(?<=[.!?] )[^.!?]*(?:[.!](?! )[^.!?]*)*\?(?! *[(\[`\0a-z])")
_WORD = compiled(r"[a-z]+|[~≈]")


def _blank(match: re.Match[str]) -> str:
    return _MASK * len(match[0])


def _without_quotations(text: str) -> str:
    if '"' in text:
        text = _DOUBLE.sub(_blank, text)
    if "'" in text:
        text = _SINGLE.sub(_blank, text)
    if "«" in text:
        text = _POINTED.sub(_blank, text)
    return text


def _without_questions(text: str) -> str:
    if "?" not in text:
        return text
    return _QUESTION.sub(_blank, text)


def _readable(text: str) -> str:
    """The text with a sentence's beginning before it, and all that cannot hedge blanked."""
    text = _without_quotations(text)
    lead = len(text) - len(text.lstrip(_JUNK))
    return _without_questions("." * lead + _SENTENCE + text[lead:])


def _is_name(words: str, claim: Claim) -> bool:
    """Whether words in capitals stand out as a name, in a claim that has small letters."""
    name = words.isalpha() and words.isupper() and words not in technical_hedges.ACRONYMS
    return name and not claim.text.isupper()


def _as_written(match: re.Match[str], places: list[int] | None, claim: Claim) -> str:
    first, last = match.start() - len(_SENTENCE), match.end() - 1 - len(_SENTENCE)
    if places:
        first, last = places[first], places[last]
    return claim.text[first : last + 1].strip()


def _hits(rule: str, text: str, places: list[int] | None, claim: Claim) -> Iterator[_Hit]:
    for match in _RULES[rule].finditer(text):
        if match.lastgroup:
            words = _as_written(match, places, claim)
            if rule == "speculation" or not _is_name(words, claim):
                yield match, words


def _honest(match: re.Match[str], text: str, claim: Claim) -> str:
    """What makes a doubt one that claims nothing: its label, or that the sentence denies it, or
    tells of it. Empty for doubt that is the author's own, now."""
    if claim.doubt == ">":
        return "It is quoted."
    if claim.doubt and CONDITION.search(claim.doubt):
        return f"It is a condition (“{claim.doubt}”)."
    if claim.doubt:
        return f"It is labelled as open (“{claim.doubt}”)."
    before, after = text[max(0, match.start() - 60) : match.start()], text[match.end() :]
    if _TOLD["past"].search(match[0]) or (
        _TOLD["attempt"].search(match[0])
        and (_TOLD["settled"].search(after) or _TOLD["at first"].search(before))
    ):
        return "It is told of the past."
    if _TOLD["denied"].search(match[0]) or _TOLD["denying"].search(before):
        return "The sentence denies it."
    if _TOLD["telling"].search(before):
        return "The sentence reports it."
    return ""


def detect(place: Place, knowledge: Knowledge) -> tuple[Finding, ...]:
    """Guesses, and what else hedges: rules `speculation` and `technical-hedge`."""
    del knowledge
    return find_hedges(place.claim)


def find_hedges(claim: Claim) -> tuple[Finding, ...]:
    """At most one finding of each rule, `speculation` before `technical-hedge`: what is labelled as
    open, denied, reported or past is a hedge for review."""
    folded, places = read_claim(claim).folded
    rules = _triggered(_WORD.findall(folded))
    if not rules:
        return ()
    text = _readable(folded)
    found = []
    for rule in rules:
        finding, match = _finding(rule, _hits(rule, text, places, claim), text, claim)
        if finding and match:
            found.append(finding)
            text = text[: match.start()] + _blank(match) + text[match.end() :]
            if finding.rule != rule:
                break
    return tuple(found)


def _finding(
    rule: str, hits: Iterable[_Hit], text: str, claim: Claim
) -> tuple[Finding | None, re.Match[str] | None]:
    """The first hit; of guesses the first that is the author's own, else one to be reviewed."""
    honest: tuple[Finding | None, re.Match[str] | None] = (None, None)
    for match, words in hits:
        group = str(match.lastgroup).rpartition("_")[0].replace("_", "-")
        message = hedges.MESSAGES[group]
        why = _honest(match, text, claim) if rule == "speculation" else ""
        if not why:
            return Finding(rule, message, words), match
        if honest[0] is None:
            honest = Finding("technical-hedge", f"{message} {why}", words), match
    return honest
