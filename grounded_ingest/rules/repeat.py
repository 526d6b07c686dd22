"""A text that stands elsewhere already, or a wordier memory that begins with all it says
(docs/memory.md).

Equal and near-equal texts are found with `duplicate`. A claim is covered by one whose first words,
in order, are its words, when what follows adds to them and takes nothing back. Such a cover is
found by the key that equal word sets share: of each memory the index also holds the keys of its
beginnings. What says it in another order, or with words put in between, is not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

from grounded_ingest.language.lexicon import cover_phrases as covering
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading, read_claim, read_text
from grounded_ingest.language.statements import finite_verbs
from grounded_ingest.language.word_keys import equal_key, jaccard
from grounded_ingest.model.claims import DocClass, Finding, Form, Place
from grounded_ingest.rules.knowledge_protocol import Knowledge, told_apart
from grounded_ingest.rules.near_duplicates import is_repeat
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="repeat",
    tier=2,
    fixed=False,
    severity="quiet",
    summary="The same text already stands elsewhere in the knowledge base.",
    way_out="Keep one and link to it; name deliberate copies in `mirrors`.",
)

SHORTEST, BEGINNINGS, COMPARED, LONGEST = 7, 3, 32, 1000
"""Words of the shortest claim that is covered; beginnings kept of a wordier one; claims that are
compared; characters of the longest one that is read so."""

_ADDING = compiled(covering.ADDING)
_ASIDE = compiled(r"(?<!\s)\s*\([^()]*\)")
_FORMS = (Form.PROSE, Form.RECORD)


def applies(case: Case) -> bool:
    return case.shows(META)


@cache
def _words(group: str) -> frozenset[str]:
    return frozenset(group.split())


def index_keys(place: Place, reading: Reading) -> Iterator[int]:
    """Keys of a memory: of its beginnings, and of its words without what it cites."""
    claim = place.claim
    if place.doc_class is not DocClass.MEMORY or claim.form not in _FORMS:
        return
    said = reading.uncited.text
    for beginning in beginnings(said):
        yield equal_key(set(beginning))
    if claim.citations and len(plain := set(_plain(said))) >= SHORTEST:
        yield equal_key(plain)


def detect(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """The memory that says all that this one says, and more: rule `repeat`."""
    claim = place.claim
    if place.doc_class is not DocClass.MEMORY or claim.form not in _FORMS:
        return
    words = _plain(read_claim(claim).uncited.text)
    if len(set(words)) < max(SHORTEST, knowledge.near_words) or claim.text.endswith((":", "：")):
        return
    cites = {c.raw for c in claim.citations if c.own}
    for other in islice(knowledge.sharing([equal_key(set(words))]), COMPARED):
        if not _covers(other, place, words) or not is_repeat(place, other, knowledge):
            continue
        if cites <= {c.raw for c in other.claim.citations}:
            yield _finding(place, other)
            return


def _covers(other: Place, place: Place, words: tuple[str, ...]) -> bool:
    if other.claim.id == place.claim.id or other.doc_class is not DocClass.MEMORY:
        return False
    if other.claim.form not in _FORMS or told_apart(place, other):
        return False
    return words in beginnings(read_claim(other.claim).uncited.text)


def _finding(place: Place, other: Place) -> Finding:
    return Finding(
        "repeat",
        f"{other.path}:{other.claim.line} says all of this, and more",
        other=other,
        similarity=round(
            jaccard(read_claim(place.claim).word_set, read_claim(other.claim).word_set), 4
        ),
    )


def _plain(text: str) -> tuple[str, ...]:
    """The words of a text in order, without asides."""
    return read_text(_ASIDE.sub("", text)).words


@lru_cache(maxsize=4096)
def beginnings(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each beginning of a text that states the same without the rest."""
    if len(text) > LONGEST:
        return ()
    plain = _ASIDE.sub("", text)
    found: list[tuple[str, ...]] = []
    for boundary in _ADDING.finditer(plain):
        begun = read_text(plain[: boundary.start()]).words
        if len(set(begun)) >= SHORTEST and _adds(begun, plain[boundary.start() :]):
            found.append(begun)
            if len(found) == BEGINNINGS:
                break
    return tuple(found)


def _adds(begun: tuple[str, ...], rest: str) -> bool:
    """Whether the rest of a sentence only adds to what it began with."""
    words = read_text(rest).words
    if not words or not _words(covering.RESTRICTING).isdisjoint(words) or read_text(rest).denials:
        return False
    listed = rest.startswith(",") or words[0] == "and"
    if listed and (
        read_text(" ".join(begun)).denials or not _words(covering.BINDING).isdisjoint(begun)
    ):
        return False
    if not finite_verbs().isdisjoint(words):
        return True
    return words[0] != "which" and _words(covering.PLACING).isdisjoint(words)


_SETUP = {"docs/setup.md": "# Setup\n\nRun the migrations before the first start of the worker.\n"}

EXAMPLES = (
    Examples(
        flags=(
            Example("Run the migrations before the first start of the worker.", base=_SETUP),
            "The nightly export writes one file per customer and day.\n\n## Exports\n\nThe nightly export writes one file per customer and day.",
            Example(
                "The nightly export writes one file per customer.",
                base={
                    "memory-bank/exports.md": "# Exports\n\nThe nightly export writes one file per customer, because auditors read them one by one.\n"
                },
            ),
        ),
        passes=(
            Example(
                "Run the migrations.", base={"docs/setup.md": "# Setup\n\nRun the migrations.\n"}
            ),
            Example("Run the migrations before the first stop of the scheduler.", base=_SETUP),
            Example(
                "Run the migrations before the first start of the worker.",
                base={
                    "docs/setup.md": "# Setup\n\nRun the migrations before the first start of the worker.\n\n## Old worker\n\nRun the migrations before the first start of the worker.\n\n## New worker\n\nRun the migrations before the first start of the worker.\n"
                },
            ),
            Example(
                "Run the migrations before the first start of the worker.",
                base=_SETUP,
                change={"docs/setup.md": None},
            ),
        ),
    ),
)
