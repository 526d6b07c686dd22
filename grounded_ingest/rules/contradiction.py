"""Another value in the same section, or for what a trusted memory states in other words.

Claims that somebody can come to trust by what they cite are indexed under the slots their words
belong to. Of the few that share one with a new claim the facts are read and compared
(docs/verify.md). What is the same but for one value is found with `conflicting-update`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from posixpath import dirname
from typing import TYPE_CHECKING

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import DocClass, Finding, Form, MemoryType, Place
from grounded_ingest.rules.agreed_facts import agreed_facts, disagree
from grounded_ingest.rules.knowledge_protocol import Knowledge, Loaded, comes_after, told_apart
from grounded_ingest.rules.rule import Case, Example, Examples, Rule
from grounded_ingest.rules.settled_facts import (
    facts_of,
    is_settled,
    keys_of_slots,
    names_subject,
    plain_text,
    settled_path,
    slots,
)
from grounded_ingest.rules.settled_facts import index_keys as index_keys

if TYPE_CHECKING:
    from grounded_ingest.facts.fact import Fact
    from grounded_ingest.rules.agreed_facts import Agreed, AgreedFacts

META = Rule(
    id="contradiction",
    tier=2,
    fixed=False,
    signal="wrong",
    summary="The claim contradicts another one and does not say so.",
    way_out="Keep the one that is true; if the fact changed, say “is now Y, previously X”.",
)

COMPARED, VOUCHED = 64, 256
"""Claims of a claim's slots that it is compared with: such as cite, and such as are vouched for."""

_NO_PROJECT = frozenset(
    (
        "docs", "doc", "documentation", "adr", "adrs", "decisions", "architecture", "memory",
        "memories", "memory-bank", "notes", "rules", "context", "knowledge", "specs", "spec",
        "plans", "design", "handbook", "wiki", "guides", "internal",
    )
)  # fmt: skip  # fmt: skip

_VERSION = compiled(r"[ v]*\d[\d.]*\+?$")


def applies(case: Case) -> bool:
    return case.shows(META)


def detect(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """The claim that states another value, one that is trusted or that agents are given with this
    one: rule `contradiction`."""
    if place.claim.form is Form.HIDDEN or _is_event(place):
        return
    found = next(_trusted(place, knowledge), None) or next(told_otherwise(place, knowledge), None)
    if found is not None:
        yield found


def told_otherwise(place: Place, knowledge: Loaded) -> Iterator[Finding]:
    """Claims of the same section, or of files that agents load with this one, of which only one can
    be followed."""
    if not any(agreed_facts(place)):
        return
    own = knowledge.agreed(place.path)
    for mine in own.of_claim(place.claim.key):
        for other in (*_beside(mine, own), *_elsewhere(mine, own, knowledge)):
            if comes_after(place, other.place, knowledge):
                yield _finding(mine.fact, other.fact, other.place)


def _beside(mine: Agreed, own: AgreedFacts) -> Iterator[Agreed]:
    """What stands in the same section and is stated rather than used in passing."""
    section = mine.place.claim.section
    for other in own.of_thing(mine.fact):
        stated = mine.fact.firm and other.fact.firm
        if stated and other.place.claim.section == section and disagree(mine.fact, other.fact):
            yield other


def _elsewhere(mine: Agreed, own: AgreedFacts, knowledge: Loaded) -> Iterator[Agreed]:
    """Of a file's claims the first one speaks for it, unless another of them does not agree."""
    same = own.of_thing(mine.fact)
    if same[0].place.claim.key != mine.place.claim.key:
        return
    if any(disagree(mine.fact, a.fact) for a in same):
        return
    for path in knowledge.loaded_with(mine.place.path):
        theirs = knowledge.agreed(path).of_thing(mine.fact)
        if theirs and all(disagree(mine.fact, a.fact) for a in theirs):
            yield theirs[0]


def _trusted(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """What is trusted and states another value."""
    own = slots(read_claim(place.claim).word_set)
    if not own or not settled_path(place.path):
        return
    cited = islice(knowledge.sharing(keys_of_slots(own)), COMPARED)
    vouched = islice(knowledge.vouched(own), VOUCHED)
    mine: tuple[Fact, ...] | None = None
    for other in chain(cited, vouched):
        if not settled_path(other.path) or not _comparable(place, other, knowledge):
            continue
        theirs = facts_of(other)
        if not theirs:
            continue
        if mine is None:  # asked late: most claims meet none that states anything
            mine = facts_of(place) if is_settled(place) else ()
        if not mine:
            return
        pair = _conflict(mine, theirs, plain_text(place))
        if pair is None or _items(place, other, *pair):
            continue
        if knowledge.trust(other) >= knowledge.trusted:
            yield _finding(*pair, other)
            return


def _is_event(place: Place) -> bool:
    """Whether a claim remembers what once was, which contradicts nothing that holds now."""
    episodic = place.claim.memory_type is MemoryType.EPISODIC
    return episodic and place.doc_class is DocClass.MEMORY


def _comparable(place: Place, other: Place, knowledge: Knowledge) -> bool:
    if other.claim.id == place.claim.id or told_apart(place, other):
        return False
    if place.claim.table and (place.path, place.claim.table) == (other.path, other.claim.table):
        return False
    # Nothing is trusted before it has landed.
    if not knowledge.on_base(other) or not comes_after(place, other, knowledge):
        return False
    if _project(place.path) != _project(other.path):
        return False
    if place.path == other.path:
        return not _siblings(place.claim.section, other.claim.section)
    decisions = place.doc_class is other.doc_class is DocClass.DECISIONS
    return not decisions and not knowledge.mirrored(place.path, other.path)


def _siblings(one: str, other: str) -> bool:
    """Whether two sections stand side by side below a heading that is not the document's title."""
    above, _, mine = one.rpartition(" > ")
    beside, _, theirs = other.rpartition(" > ")
    return mine != theirs and above == beside and " > " in above


def _items(place: Place, other: Place, mine: Fact, theirs: Fact) -> bool:
    """Whether two claims are items of one block that only its heading gives a subject: they tell
    things apart."""
    if (place.path, place.claim.block) != (other.path, other.claim.block) or not mine.subject:
        return False
    return not (names_subject(place, mine) and names_subject(other, theirs))


@lru_cache(maxsize=1024)
def _project(path: str) -> str:
    """The part of a repository a document is about: its directory, those for documents left out."""
    parts = dirname(path).split("/")
    while parts and (parts[-1] in _NO_PROJECT or parts[-1].startswith((".", "_")) or not parts[-1]):
        parts.pop()
    return "/".join(parts)


def _conflict(
    mine: tuple[Fact, ...], theirs: tuple[Fact, ...], text: str
) -> tuple[Fact, Fact] | None:
    """The facts that cannot both hold, unless the text discloses the change."""
    from grounded_ingest.facts.comparison import contradict, values_agree

    for one in mine:
        for other in theirs:
            if not contradict(one, other) or _within(one, other):
                continue
            if one.polarity == other.polarity and _names(text, other.value):
                continue  # it names both
            left = (f for f in mine if f.time == "before" and f.slot == one.slot)
            if any(values_agree(f, other) for f in left):
                continue
            # A memory that states several values of a slot contradicts none of them.
            if any(t.slot == one.slot and not contradict(one, t) for t in theirs):
                continue
            return one, other
    return None


def _within(one: Fact, other: Fact) -> bool:
    """Whether one value leaves room for the other: of two versions the one with a plus (`3.10+`),
    of two products of one maker either (`Google Cloud`, `Google Cloud Run`)."""
    mine, theirs = one.value.lower(), other.value.lower()
    if _VERSION.search(mine) or _VERSION.search(theirs):
        open_ended = mine.endswith("+") is not theirs.endswith("+")
        return open_ended and _VERSION.sub("", mine) == _VERSION.sub("", theirs)
    return " " in mine + theirs and mine.split()[:1] == theirs.split()[:1]


def _names(text: str, value: str) -> bool:
    at = text.lower().find(value.lower())
    return at >= 0 and not text[at + len(value) : at + len(value) + 1].isalnum()


def _finding(mine: Fact, theirs: Fact, other: Place) -> Finding:
    now, was = _said(mine), _said(theirs)
    about = f"{mine.slot.replace('_', ' ')} of {mine.subject}" if mine.subject else mine.slot
    return Finding(
        "contradiction",
        f"{other.path}:{other.claim.line} says {was} where this says {now} ({about}); "
        f'if it has changed, say so: "{now} (changed from {was})"',
        words=mine.value,
        other=other,
    )


def _said(fact: Fact) -> str:
    return fact.value if fact.polarity else f"not {fact.value}"


_TIMEOUT = {
    "memory-bank/limits.md": "# Limits\n\nThe request timeout is 30 seconds (`src/config.py:1`).\n",
    "src/config.py": "REQUEST_TIMEOUT_SECONDS = 30\n",
}

EXAMPLES = (
    Examples(
        flags=(
            "The upload limit is 20 MB for every plan.\n\nThe upload limit is 50 MB for every plan.",
            "The export is encrypted with a team key.\n\nThe export is not encrypted with a team key.",
            Example(
                "Requests have a timeout of one minute.",
                base=_TIMEOUT,
            ),
            Example(
                "MongoDB is the primary database.",
                base={
                    "memory-bank/architecture.md": "# Architecture\n\nThe primary database is PostgreSQL (ADR-1).\n"
                },
                adr="The primary database is PostgreSQL.",
            ),
        ),
        passes=(
            "The upload limit is 20 MB for every plan.\n\nThe upload limit is now 50 MB for every plan, previously 20 MB.",
            "## Free\n\nThe upload limit is 20 MB for every file.\n\n## Paid\n\nThe upload limit is 50 MB for every file.",
            Example(
                "Requests have a timeout of one minute.",
                base={"memory-bank/limits.md": "# Limits\n\nThe request timeout is 30 seconds.\n"},
            ),
            Example(
                "Requests have a timeout of one minute (changed from 30 seconds).",
                base=_TIMEOUT,
            ),
            Example(
                "MongoDB is the primary database.",
                base={
                    "memory-bank/ledger.md": "# Ledger\n\nThe primary database is PostgreSQL (ADR-1).\n"
                },
                adr="The primary database is PostgreSQL.",
            ),
            "Version 1.2 of the parser was released on 2026-03-04.\n\nVersion 1.2 of the parser was released on 2026-04-04.",
        ),
    ),
)
