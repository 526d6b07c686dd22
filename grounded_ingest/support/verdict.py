"""The verdict on a claim beside one source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.language.amount_match import Amount
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.polarity import NEGATIONS, plain_words
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.terms import grade, word_parts, words_of
from grounded_ingest.model.claims import Support
from grounded_ingest.support.alignment import Conflict
from grounded_ingest.support.claim_view import Clause, claim_view, only_points
from grounded_ingest.support.compare import Beside, ClauseMatch, beside, in_one_place, speaks_of
from grounded_ingest.support.contradiction import conflicts
from grounded_ingest.support.cross_examination import Examined, examine, examine_pointer
from grounded_ingest.support.passages import SourcePassage
from grounded_ingest.support.source import LONGEST, SourceText, SourceVerdict
from grounded_ingest.support.substitution import excluded, replaced_word, swapped_subject

COVERAGE, CLAUSE = 0.5, 0.4
"""Share of a claim's words, and of each of its clauses, that has to stand in the source."""


KIN = 0.7
"""How surely one telling word of a clause has to be there: itself or inflected, no synonym."""

SPELT, EXACT = 0.7, 0.8
"""What of the share above is asked of a claim whose identifiers are all there, and how surely."""

TITLED = 0.5
"""Share of a name that has to stand in the title of the record that is so called."""

SHORT, LONG = 0.3, 6.0
"""A claim lighter than LONG (words, numbers and names by weight) needs up to SHORT more."""

_DENIES_NOTHING = "the source denies nothing"
_LEAVES_FREE = frozenset(
    ("optional", "may", "can", "allowed", "sometimes", "none", "if", "or", "default")
)
_CODE_WORD = compiled(r"[A-Za-z_]+|![=\w(]")


class Weighed(Struct, frozen=True):
    """A verdict with what it rests on; `held` is None where there is nothing to compare."""

    judged: SourceVerdict
    held: Beside | None
    examined: Examined | None = None


def judge(
    claim: str, source: SourceText, *, coverage: float = COVERAGE, clause: float = CLAUSE
) -> SourceVerdict:
    """Compare a claim's text, its citations left out, with a source."""
    return weigh(claim, source, coverage=coverage, clause=clause).judged


def weigh(
    claim: str, source: SourceText, *, coverage: float = COVERAGE, clause: float = CLAUSE
) -> Weighed:
    """A claim's verdict with the comparison behind it."""
    if len(claim) > LONGEST:
        return Weighed(SourceVerdict(Support.UNSUPPORTED, differs="too long to compare"), None)
    said = claim_view(claim)
    if only_points(said):
        return Weighed(SourceVerdict(Support.NOTHING_TO_COMPARE, confidence=0.5), None)
    held = beside(said, source)
    against = next(conflicts(held), None)
    if against is not None:
        return Weighed(as_verdict(held, Support.CONTRADICTED, _told(against), against.at), held)
    if source.kind == "text":  # a reader asks, nothing is approved
        missing = lacking(held, coverage, clause)
        return Weighed(
            as_verdict(held, Support.UNSUPPORTED if missing else Support.SUPPORTED, missing), held
        )
    examined = examine_pointer(held) if held.points else examine(held)
    if _called(held) is False:
        return Weighed(as_verdict(held, Support.UNSUPPORTED, "its title says something else"), held)
    if examined.objections:
        told = as_verdict(held, Support.UNSUPPORTED, examined.told)
        return Weighed(replace(told, paraphrase=examined.paraphrase), held, examined)
    supported = as_verdict(held, Support.SUPPORTED, "")
    return Weighed(replace(supported, strength=examined.strength), held, examined)


def _told(against: Conflict) -> str:
    match against.kind:
        case "cut":
            return f"the source goes on: {against.known}"
        case "negation":
            return "the one denies what the other says"
        case "obligation":
            return f"the source says {against.known!r}, the claim {against.said!r}"
        case _:
            return f"the source says {against.known}, the claim {against.said}"


def lacking(held: Beside, coverage: float, clause: float) -> str:
    """Why a source does not bear a claim out; empty when it does."""
    missing = _missing(held)
    if missing:
        return f"not in the source: {', '.join(dict.fromkeys(missing))}"
    if held.points:
        return _misdirected(held)
    if _called(held) is False:
        return "its title says something else"
    if held.coverage < needed(held, coverage * SPELT if _spelt(held) else coverage):
        return "too few of its words stand in the source"
    for found in held.found:
        parts = len(found.clause.terms) + len(found.clause.reading.amounts)
        if (found.coverage < clause and parts > 1) or _hollow(found):
            return f"not in the source: {found.clause.reading.text.rstrip(':')}"
        if told := _turned(held, found):
            return told
    return ""


def _misdirected(held: Beside) -> str:
    """Why a claim that only points to its source points wrong; empty when it does not."""
    if any(f.clause.reading.negated for f in held.found):
        return _DENIES_NOTHING
    return "" if speaks_of(held) else "neither its name nor its headings speak of it"


def _hollow(found: ClauseMatch) -> bool:
    """Whether of a clause only words are there that any text holds."""
    telling = [g for t, g in zip(found.clause.terms, found.grades, strict=True) if t.weight >= 1]
    return len(telling) > 1 and max(telling) < KIN and not any(found.counted)


def _spelt(held: Beside) -> bool:
    """Whether several identifiers or paths of a claim stand in the source, and no other."""
    code = [
        g for f in held.found for t, g in zip(f.clause.terms, f.grades, strict=True)
        if t.kind in ("id", "path")
    ]  # fmt: skip
    return len(code) > 1 and min(code) >= EXACT


def _called(held: Beside) -> bool | None:
    """Whether a record has the title by which it is cited, `ADR-3: Sessions in PostgreSQL`; None
    where it is cited without one."""
    text = held.read.reading.text.lstrip()
    if held.source.kind != "adr" or not text.startswith((":", "—", "–", "- ")):
        return None
    title = read_text(f"{held.source.title} {held.source.path}").keys
    first = held.found[0].clause
    whole = sum(t.weight for t in first.terms)
    return not whole or sum(grade(t, title) * t.weight for t in first.terms) >= whole * TITLED


def needed(held: Beside, coverage: float) -> float:
    """The share that has to stand in the source: more of a claim with few words, which another
    source easily shares."""
    weight = sum(f.clause.weight for f in held.found)
    return min(1.0, coverage + SHORT * max(0.0, 1 - weight / LONG))


def _missing(held: Beside) -> list[str]:
    """What has to be there and is not: all numbers and names, most identifiers and paths."""
    lost = [m for f in held.found for m in f.missing]
    code = [t for t in held.read.terms if t.kind in ("id", "path")]
    gone = [m for m in lost if not isinstance(m, Amount) and m.kind in ("id", "path")]
    kept = gone if 3 * len(gone) > len(code) else []
    return [m.text for m in lost if m in kept or m not in gone]


def _turned(held: Beside, found: ClauseMatch) -> str:
    """What a clause turns round: a negation, an obligation, an opposite, a bound."""
    clause = found.clause
    if found.at < 0:
        return _DENIES_NOTHING if clause.reading.negated else ""
    centre, near = held.passages[found.at], held.passages[found.first : found.last + 1]
    if clause.reading.negated:
        if not _denies(clause, near[max(0, found.at - found.first - 2) :][:5], held):
            return _DENIES_NOTHING
    elif not centre.code and not clause.reading.denies_within and _denied(clause, centre.text):
        return "the source denies it"
    if clause.reading.modality == "may" and not _free(near):
        return "the source leaves nothing free"
    if clause.reading.modality == "must" and not centre.code and centre.reading.modality == "may":
        return "the source leaves it free"
    pair = None if centre.code else _another(clause, centre, near, held)
    return f"the source says {pair[1]}, the claim {pair[0]}" if pair else ""


def _another(
    clause: Clause, centre: SourcePassage, near: Sequence[SourcePassage], held: Beside
) -> tuple[str, str] | None:
    """A word of a clause, and what stands in its place in the sentence that holds most of it."""
    elsewhere = held.above.union(*(p.reading.keys for p in near))
    said, known = clause.reading.text, centre.text
    pair = excluded(said, known) or swapped_subject(said, known)
    return pair or replaced_word(said, known, elsewhere)


def _denies(clause: Clause, near: Sequence[SourcePassage], held: Beside) -> bool:
    """Whether what is near denies too: a sentence among the words it shares with the clause, code
    anywhere. What a commit did not do no line of its code tells, and all of its message may."""
    kind = held.source.kind
    prose = [p for p in (held.passages if kind == "commit" else near) if not p.code]
    if any(p.reading.negated and _denied(clause, p.text, 5) for p in prose):
        return True
    return kind != "commit" and any(
        p.code and (kind == "lines" or _shares(clause, p)) and _code_denies(p.text) for p in near
    )


def _code_denies(text: str) -> bool:
    return "!" in text or not words_of("CODE_DENIALS").isdisjoint(_code_words(text))


def _code_words(text: str) -> Iterator[str]:
    return (p for w in _CODE_WORD.findall(text) for p in word_parts(w))


def _shares(clause: Clause, passage: SourcePassage) -> bool:
    known = passage.reading.keys
    return any(t.weight >= 1 and grade(t, known) for t in clause.terms)


def _free(near: Sequence[SourcePassage]) -> bool:
    """Whether a sentence near says may, or any word leaves something free."""
    if any(not p.code and p.reading.modality == "may" for p in near):
        return True
    return any(not _LEAVES_FREE.isdisjoint(_code_words(p.text)) for p in near)


def _denied(clause: Clause, text: str, reach: int = 4) -> bool:
    """Whether a sentence denies a clause: a negation of it stands right before a word they share,
    or among the words they share."""
    words = [p for w in plain_words(text) for p in _parts(w)]
    roots = [read_text(w).keys for w in words]
    shared = {
        n
        for n, known in enumerate(roots)
        for t in clause.terms
        if t.stem in known or f"^{t.root}" in known
    }
    return any(
        w in NEGATIONS
        and bool(shared & set(range(n + 1, n + 1 + reach)))
        and (reach > 4 or bool(shared & {n + 1, n + 2}) or bool(shared & set(range(n - reach, n))))
        for n, w in enumerate(words)
    )


def _parts(word: str) -> list[str]:
    """An identifier is as long as its parts, and none of them denies."""
    return [p for p in word.split("_") if p not in NEGATIONS] if "_" in word else [word]


def as_verdict(held: Beside, support: Support, differs: str, at: int = -1) -> SourceVerdict:
    if at < 0:
        at = max(held.found, key=lambda f: f.coverage * f.clause.weight).at
    passage = held.passages[at] if at >= 0 else None
    share = held.coverage
    sure = 0.0 if support is Support.CONTRADICTED else confidence(held)
    strict = support is Support.SUPPORTED and in_one_place(held)
    return SourceVerdict(
        support,
        strict,
        passage.text if passage else "",
        passage.line if passage else 0,
        passage.end_line if passage else 0,
        differs,
        sure,
        round(share, 4),
    )


# Fitted by logistic regression on half a of ExpertQA (docs/evaluation.md).
_BIAS, _LENGTH, _TITLE, _BACK, _COVERAGE = -2.584, 0.0024, 3.7138, 2.5873, 0.8441
_LONGEST = 4000
_MISSED = 0.15


def confidence(held: Beside) -> float:
    """0 to 1. Of a source of the repository the share of the claim that stands in one place; of a
    page, where words say less, also how much text there is, how much of it is about the claim, and
    whether its title or address names what the claim names."""
    if held.source.kind != "page" or not held.read.terms:
        lost = _MISSED * sum(len(f.missing) for f in held.found)
        return round(max(0.0, min(1.0, held.coverage - lost)), 4)
    return round(1 / (1 + exp(-_score(held))), 4)


def _score(held: Beside) -> float:
    source, said = held.source, held.read.terms
    address = source.path.partition("://")[2] or source.path
    named = read_text(f"{source.title} {address}".translate(_SPACED)).keys
    title = sum(grade(t, named) >= 0.9 for t in said) / len(said)
    theirs = [t.root for t in read_text(source.text).terms if t.kind != "path"]
    known = read_text(held.read.reading.text).keys
    back = sum(f"^{root}" in known for root in theirs) / max(1, len(theirs))
    length = min(len(source.text), _LONGEST)
    return _BIAS + _LENGTH * length + _TITLE * title + _BACK * back + _COVERAGE * held.coverage


_SPACED = str.maketrans("-_/.?=&", "       ")
