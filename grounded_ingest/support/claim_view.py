"""A claim as it is compared: without its citations, in clauses, with what each holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from grounded_ingest.language.amount_match import Amount, is_year
from grounded_ingest.language.amounts import amounts
from grounded_ingest.language.lexicon import support_patterns, support_words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.statements import finite_verbs
from grounded_ingest.language.terms import Term, claim_terms, words_of
from grounded_ingest.support.pointers import examines, points, statement

ClaimType = Literal["quantitative", "temporal", "obligation", "general"]
Modality = Literal["", "must", "must-not", "may"]

_LINK = compiled(r"!?\[([^\]]*)\]\(([^)]*)\)")
_CITED = compiled(support_patterns.CITED)
_EMPTY = compiled(support_patterns.EMPTY)
_FENCE = compiled(support_patterns.FENCE)
_LINES = compiled(support_patterns.LINES)
_WORD = compiled(r"[a-z][a-z'’]*")
_NEGATION = frozenset(support_words.NEGATIONS.split()) - {"without"}
_SAID = compiled(support_patterns.NO_DENIAL)
_MUST, _MUST_NOT, _MAY = (
    compiled(p, 2) for p in (support_words.MUST, support_words.MUST_NOT, support_words.MAY)
)
_WILL = compiled(r"(?i)\b(?:will|shall|must|required?|requires|obliged|mandatory|have to|has to)\b")
LONGEST = 2500
"""Characters of a claim that is compared; comparing takes the square of them."""

_LEAST = 2
AMOUNT = 2.0
"""The weight of a number."""


class Clause(NamedTuple):
    """A part of a claim that says something by itself, or `points` to where it is said."""

    text: str
    terms: tuple[Term, ...]
    amounts: tuple[Amount, ...]
    negated: bool
    modality: Modality
    points: bool = False

    @property
    def weight(self) -> float:
        return sum(t.weight for t in self.terms) + AMOUNT * len(self.amounts)


class ClaimView(NamedTuple):
    text: str
    clauses: tuple[Clause, ...]
    kind: ClaimType

    @property
    def terms(self) -> list[Term]:
        return [t for c in self.clauses for t in c.terms]

    @property
    def amounts(self) -> list[Amount]:
        return [a for c in self.clauses for a in c.amounts]


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


@lru_cache(maxsize=4096)
def read_claim(text: str) -> ClaimView:
    """A claim's text, citations left out, in clauses."""
    text = text.replace("\xa0", " ")
    text = statement(text)
    for pattern, noun in _verb_nouns():
        text = pattern.sub(noun, text)
    parts: list[Clause] = []
    for piece in _pieces(text):
        held = _clause(piece)
        if parts and (_is_scrap(held) or _is_light(parts[-1])):
            parts[-1] = _clause(_joined(parts[-1].text, piece))
        else:
            parts.append(held)
    kept = (p for p in parts if p.amounts or (p.terms and not examines(p.text)))
    return ClaimView(text, tuple(kept), claim_type(text))


def _is_light(clause: Clause) -> bool:
    """Whether a clause holds too little to be compared by itself."""
    return sum(t.weight >= 0.6 for t in clause.terms) + len(clause.amounts) < _LEAST


def _is_scrap(clause: Clause) -> bool:
    """Whether it is light and holds nothing but words."""
    return _is_light(clause) and not clause.amounts and all(t.kind == "word" for t in clause.terms)


@cache
def _verb_nouns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((compiled(p, 2), noun) for p, noun in support_words.VERB_NOUNS.items())


def _pieces(text: str) -> Iterator[str]:
    """Where a claim can be cut in two; inside code and links it is not."""
    start = 0
    for match in _FENCE.finditer(text):
        if text.count("`", 0, match.start()) % 2:
            continue
        if match[0].strip() in ("and", ", and", ", or", ", not") and not _says(text[match.end() :]):
            continue
        # A colon stays: it tells a label, whose capitals name nothing.
        yield text[start : match.start()] + (":" if match[0].startswith(":") else "")
        start = match.end()
    yield text[start:]


def _joined(first: str, second: str) -> str:
    """Two pieces as one that still shows where the second begins: capitals there name nothing."""
    first = first.rstrip(" ;")
    return f"{first}{' ' if first.endswith(':') else '; '}{second.lstrip(' ;')}"


def _says(text: str) -> bool:
    """Whether what follows "and" is a clause and not one more of a list."""
    words = _WORD.findall(text[:80].split(",")[0].lower())[:7]
    return any(w in finite_verbs() for w in words) or (words[:1] == ["not"])


def _clause(text: str) -> Clause:
    found = amounts(text)
    spans = [(a.start, a.end) for a in found]
    pointers = words_of("POINTERS")
    kept = tuple(
        t for t in claim_terms(text)
        if not any(a <= t.start < b for a, b in spans)
        and not (t.weight < 1 and t.low in pointers and t.kind == "word")
    )  # fmt: skip
    return Clause(text, kept, found, negated(text), modality(text), points(text))


def negated(text: str) -> bool:
    """Whether a clause denies what it speaks of."""
    plain = _SAID.sub(" ", text.lower().replace("’", "'"))
    words = _WORD.findall(plain)
    return bool(sum(w in _NEGATION or w.endswith("n't") for w in words) % 2)


def modality(text: str) -> Modality:
    """Whether a clause obliges, forbids or leaves free."""
    if _MUST_NOT.search(text):
        return "must-not"
    if _MAY.search(text):
        return "may"
    return "must" if _MUST.search(text) else ""


def claim_type(text: str) -> ClaimType:
    """First match in this order: quantitative, temporal, obligation, general."""
    found = amounts(text)
    if any(
        a.unit not in ("time", "date", "era") and not (a.unit == "" and is_year(a)) for a in found
    ):
        return "quantitative"
    if found:
        return "temporal"
    return "obligation" if _WILL.search(text) else "general"


def only_points(read_claim: ClaimView) -> bool:
    """Whether a claim says no more than where to look. A denial says more."""
    pointers = words_of("POINTERS")
    if read_claim.amounts or any(c.negated for c in read_claim.clauses):
        return False
    return all(t.kind == "word" and t.low in pointers for t in read_claim.terms)
