"""Finds claims whose word sets have a Jaccard similarity of at least `dedup.threshold`.

At a threshold t, two similar sets of about n words differ by at most n(1-t)/t words. So the words
are divided by their hash into one group more than this number, and at least one group is equal in
both sets (pigeonhole principle). The sum of the hashes in each group is an index key. Equal keys
find every pair, and comparing the sets decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from math import ceil, floor
from posixpath import basename, normpath

from grounded_ingest.model.claims import Citation, CitationKind, DocClass, Finding, Form, Place
from grounded_ingest.model.digests import blake2b
from grounded_ingest.statements.agreed_facts import loaded_for
from grounded_ingest.statements.knowledge_protocol import (
    Knowledge,
    comes_after,
    have_different_types,
    position,
)
from grounded_ingest.text.reading import read_claim
from grounded_ingest.text.words import structure_words

TEMPLATE = 3
"""A text that is in at least this many other places counts as a line of a template and is not
reported as a duplicate."""

COMPARED = 128
"""Maximum number of claims that one claim is compared with. Claims with the same text come first in
the index, so exact duplicates are found even if thousands of claims are similar."""


def find_duplicate(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """Yields a finding about the most similar claim that this claim repeats. The rule is
    `duplicate` if a new memory repeats a memory on the base branch that is approved or has right
    references, and `repeat` otherwise."""
    if knowledge.alone(place):
        return
    words = read_claim(place.claim).word_set
    if len(words) < knowledge.exact_words or leads_on(place.claim.text):
        return
    repeated: list[tuple[float, Place]] = []
    equal = 0
    keys = set_keys(words, knowledge.threshold)
    for other in islice(knowledge.sharing(keys), COMPARED):
        similarity = _similarity(place, words, other, knowledge)
        equal += similarity > 0 and other.claim.id == place.claim.id
        if equal >= TEMPLATE:
            return
        if similarity and _repeats(place, other, knowledge):
            repeated.append((similarity, other))
    if not repeated:
        return
    repeated.sort(key=lambda n: (-n[0], position(n[1])))
    new = not knowledge.on_base(place)
    grounded = next((n for n in repeated if new and _is_grounded(place, n[1], knowledge)), None)
    similarity, other = grounded or repeated[0]
    yield Finding(
        "duplicate" if grounded else "repeat",
        f"repeats {other.path}:{other.claim.line}",
        other=other,
        similarity=round(similarity, 4),
    )


def leads_on(text: str) -> bool:
    """Returns whether a text only announces another text: "Use these flags:", "See the guide."."""
    return text.endswith((":", "：")) or text.lower().startswith(("see ", "refer to "))


def _is_grounded(place: Place, other: Place, knowledge: Knowledge) -> bool:
    if place.doc_class is not DocClass.MEMORY or other.doc_class is not DocClass.MEMORY:
        return False
    return knowledge.on_base(other) and knowledge.grounded(other)


def _similarity(place: Place, words: frozenset[str], other: Place, knowledge: Knowledge) -> float:
    """Returns the Jaccard similarity of two claims. Returns 0 if the similarity is below the
    threshold. Also returns 0 if the order of words or the memory type differs, or if the claims are
    short or table rows and not equal."""
    if other.path == place.path and other.claim.key == place.claim.key:
        return 0.0
    if have_different_types(place, other):
        return 0.0
    theirs = read_claim(other.claim).word_set
    if words == theirs:
        return float(_same_order(place, other, words))
    rows = Form.ROW in (place.claim.form, other.claim.form)
    if rows or min(len(words), len(theirs)) < knowledge.near_words:
        return 0.0
    similarity = jaccard(words, theirs)
    alike = similarity >= knowledge.threshold and _same_order(place, other, words & theirs)
    return similarity if alike else 0.0


def _same_order(place: Place, other: Place, common: frozenset[str]) -> bool:
    """Returns whether two claims have their common words in the same order, without function words:
    "copies A to B" does not repeat "copies B to A"."""
    counting = common - structure_words()
    one, two = (
        [w for w in dict.fromkeys(read_claim(p.claim).words) if w in counting]
        for p in (place, other)
    )
    return one == two


def _repeats(place: Place, other: Place, knowledge: Knowledge) -> bool:
    """Returns whether `place` is the later of two similar claims and counts as a repetition. Rows
    of one table, equal links, claims that cite the other document, copies in mirrors, and files for
    different agents do not."""
    if place.claim.table and place.path == other.path and place.claim.table == other.claim.table:
        return False
    if any(_names(c, other.path) for c in place.claim.citations):
        return False
    if _is_same_reference(place, other):
        return False
    if not comes_after(place, other, knowledge):
        return False
    if _are_for_different_agents(place.path, other.path):
        return False
    return place.path == other.path or not knowledge.mirrored(place.path, other.path)


_WHOLE = frozenset((
    "agents.md", "agent.md", "claude.md", "gemini.md", "copilot-instructions.md", ".cursorrules",
    ".windsurfrules", ".clinerules", ".roorules", ".goosehints",
))  # fmt: skip


def _are_for_different_agents(one: str, other: str) -> bool:
    """Returns whether two files have the instructions of one directory for different agents, as
    AGENTS.md and CLAUDE.md have. Each agent reads only its own file, so both files need the same
    lines."""
    names = {basename(path).lower() for path in (one, other)}
    return len(names) == 2 and names <= _WHOLE and loaded_for(one) == loaded_for(other)


def _is_same_reference(place: Place, other: Place) -> bool:
    """Returns whether two documents have the same text with a citation, as lists of related
    documents do."""
    if place.doc_class is DocClass.MEMORY or place.path == other.path:
        return False
    return place.claim.id == other.claim.id and any(c.own for c in place.claim.citations)


def _names(citation: Citation, path: str) -> bool:
    """Returns whether a citation names this document."""
    if citation.kind is not CitationKind.PATH:
        return False
    cited = normpath(citation.raw.lstrip("/"))
    while cited.startswith("../"):
        cited = cited[3:]
    return path == cited or path.endswith("/" + cited)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Returns |A ∩ B| / |A ∪ B|. Returns 0 for two empty sets."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return common / union if union else 0.0


@lru_cache(maxsize=1 << 15)
def word_hash(word: str) -> int:
    """Returns 64 bits of a word's BLAKE2b digest, the same on every machine."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")


def set_keys(words: Iterable[str], threshold: float) -> Iterator[int]:
    """Yields the index keys of a set of words. Two sets whose similarity reaches the threshold
    share at least one key. Equal sets share the first key."""
    hashes = [word_hash(w) for w in words]
    yield _signed(sum(hashes) ^ _salt(0, 0))
    for allowed in _differences(len(hashes), threshold):
        groups = [0] * (allowed + 1)
        for word in hashes:
            groups[word % (allowed + 1)] += word
        for index, group in enumerate(groups):
            yield _signed(group ^ _salt(allowed, index))


@lru_cache(maxsize=1 << 12)
def _salt(allowed: int, index: int) -> int:
    return word_hash(f"\0{allowed} {index}")


def _signed(key: int) -> int:
    """Returns the lower 64 bits as a signed integer, as SQLite stores integers."""
    return ((key + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


@lru_cache(maxsize=1 << 12)
def _differences(size: int, threshold: float) -> tuple[int, ...]:
    """Returns the rounded numbers of words by which a set of `size` words may differ from a similar
    set. `set_keys` yields keys for each number. Two similar sets have at least one number in
    common."""

    def allowed(larger: int) -> int:
        return floor(larger * (1 - threshold) / threshold + 1e-9)

    smallest = ceil(size * threshold - 1e-9)
    least, most = max(1, allowed(smallest)), allowed(size)
    found: list[int] = []
    while least <= most:
        found.append(_rounded(least))
        least = found[-1] + 1
    return tuple(found)


_EXACT, _STEP = 16, 1.25


def _rounded(allowed: int) -> int:
    """Rounds numbers above 16 up to steps that each grow by a quarter, so that a large set has
    fewer keys. `set_keys` still finds all pairs."""
    step = _EXACT
    while step < allowed:
        step = ceil(step * _STEP)
    return step if allowed > _EXACT else allowed
