"""A grounded memory with one value changed, and nothing that says so (docs/adr/0009)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import DocClass, Finding, Form, Place
from grounded_ingest.rules.knowledge_protocol import Knowledge, comes_after, told_apart
from grounded_ingest.rules.masked_sequences import (
    Masked,
    differs,
    disclosed,
    has_date,
    masks,
    said_of_subject,
)
from grounded_ingest.rules.masked_sequences import index_keys as index_keys
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="conflicting-update",
    tier=3,
    fixed=False,
    signal="wrong",
    summary=(
        "The claim repeats a grounded one with one number, version or negation changed, and does"
        " not say that it changed."
    ),
    way_out=(
        "If the value changed, say so (“changed from X to Y”) or correct the older"
        " claim too; else remove this one."
    ),
)

VERSIONS, SPELLED = 50, 6
"""Claims compared with one: a sentence with more versions than that is an enumeration; letters from
which on a word with the same ones is a misspelling of it."""

_LABEL = compiled(r"[^:.`]{1,40}: ")
_FORBIDDING = compiled(
    r"(?i)\b(?:never|don'?t|do not|avoid|anti-?patterns?|wrong|bad|mistakes?)\b|❌"
)
_EXAMPLE = compiled(r"(?i)\b(?:for (?:example|instance)|e\.g\.|such as|like)[ ,]")
_DASHES = compiled("[\u2010-\u2015]")


def applies(case: Case) -> bool:
    return case.shows(META)


def detect(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """The claim whose value this one changes: rule `conflicting-update` or `contradiction`."""
    if place.claim.text.endswith((":", "：")):
        return
    if disclosed(place.claim.text):
        return
    own = {m.key: m for m in masks(read_claim(place.claim))}
    for other in islice(knowledge.sharing(own), VERSIONS):
        finding = _compare(place, own, other, knowledge)
        if finding:
            yield finding
            return


def _compare(
    place: Place, own: dict[int, Masked], other: Place, knowledge: Knowledge
) -> Finding | None:
    if not _comparable(place, other, knowledge):
        return None
    theirs = next(
        (
            m
            for m in masks(read_claim(other.claim))
            if m.key in own and m.word.lower() != own[m.key].word.lower()
        ),
        None,
    )
    if theirs is None:
        return None
    mine = own[theirs.key]
    if "date" in (mine.kind, theirs.kind) or not said_of_subject(place, mine):
        return None
    if mine.kind == "negation" and any(_FORBIDDING.search(p.claim.section) for p in (place, other)):
        return None
    message = differs(f"{other.path}:{other.claim.line} says", theirs.word, mine.word)
    rule = _rule(place, mine, theirs, other, knowledge)
    return Finding(rule, message, words=mine.word, other=other) if rule else None


def _comparable(place: Place, other: Place, knowledge: Knowledge) -> bool:
    """Whether one claim may revise another: it comes after it, and neither tells cases apart."""
    if other.claim.id == place.claim.id or told_apart(place, other):
        return False
    if place.claim.table and (other.path, other.claim.table) == (place.path, place.claim.table):
        return False
    if not comes_after(place, other, knowledge) or disclosed(other.claim.text):
        return False
    return not _cases(place, other)


def _cases(place: Place, other: Place) -> bool:
    """Whether two claims tell cases or items apart: headings side by side, and fields of records
    that follow each other below one heading (`Cause: …`, `Cause: …`)."""
    if place.path != other.path or place.claim.section != other.claim.section:
        return False
    if place.claim.form is other.claim.form is Form.HEADING:
        return True
    mine, theirs = _LABEL.match(place.claim.text), _LABEL.match(other.claim.text)
    same_label = mine and theirs and mine[0] == theirs[0]
    return bool(same_label) and place.claim.block != other.claim.block


def _rule(place: Place, mine: Masked, theirs: Masked, other: Place, knowledge: Knowledge) -> str:
    blocking = mine.kind in ("number", "negation") and _undated(place) and _undated(other)
    if (
        blocking
        and not knowledge.on_base(place)
        and knowledge.on_base(other)
        and knowledge.grounded(other)
    ):
        return "conflicting-update"
    same_section = place.path == other.path and place.claim.section == other.claim.section
    # Names tell the items of one list apart, and code the variants of one example.
    told_apart = mine.kind == "name" and (mine.code or place.claim.block == other.claim.block)
    if not same_section or told_apart or _EXAMPLE.search(place.claim.text):
        return ""
    if "```" in place.claim.text or _one_name(mine.word, theirs.word):
        return ""
    return "contradiction"


def _one_name(one: str, other: str) -> bool:
    """Whether two words are one: in another spelling, or with another target of its link."""
    mine, theirs = (_DASHES.sub("-", w.partition("](")[0].partition("][")[0]) for w in (one, other))
    if mine == theirs or "][" in one or "](" in one:
        return True
    return mine.isalpha() and len(mine) >= SPELLED and sorted(mine) == sorted(theirs)


def _undated(place: Place) -> bool:
    claim = place.claim
    if place.doc_class is not DocClass.MEMORY or claim.form not in (Form.PROSE, Form.RECORD):
        return False
    return not claim.timestamp and not has_date(f"{claim.section} {claim.text}")


_TIMEOUT = {
    "memory-bank/limits.md": "# Limits\n\nThe request timeout is 30 seconds (`src/config.py:1`).\n",
    "src/config.py": "REQUEST_TIMEOUT_SECONDS = 30\n",
}

EXAMPLES = (
    Examples(
        flags=(
            Example(
                "The request timeout is 60 seconds.",
                base=_TIMEOUT,
            ),
            Example(
                "The export is not encrypted with a team key.",
                base={
                    "memory-bank/exports.md": "# Exports\n\nThe export is encrypted with a team key (ADR-1).\n"
                },
                adr="The export is encrypted with a team key.",
            ),
            Example(
                "The ledger runs on PostgreSQL 16.2 in production.",
                base={
                    "memory-bank/manual/store.md": "# Store\n\nThe ledger runs on PostgreSQL 15.4 in production.\n"
                },
                config='sources: {"memory-bank/manual/**": manual}\ntrusted_sources: [manual]',
            ),
        ),
        passes=(
            Example(
                "The request timeout is 60 seconds, changed from 30 seconds.",
                base=_TIMEOUT,
            ),
            Example(
                "The request timeout is 60 seconds.",
                base=_TIMEOUT,
                change={"memory-bank/limits.md": None},
            ),
            Example(
                "The request timeout is 60 seconds.",
                base={"memory-bank/limits.md": "# Limits\n\nThe request timeout is 30 seconds.\n"},
            ),
            Example(
                "Worker 8 is started by systemd.",
                base={
                    "memory-bank/worker.md": "# Workers\n\nWorker 7 is started by systemd (ADR-1).\n"
                },
                adr="Worker 7 is started by systemd.",
            ),
        ),
    ),
)
