"""Names taken for each other in a sentence otherwise the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from grounded_ingest.language.lexicon import support_patterns, support_words
from grounded_ingest.language.lexicon.technologies import KINDS
from grounded_ingest.language.opposites import are_one_value, are_rival_values
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.terms import Term, grade
from grounded_ingest.support.alignment import Conflict, Limits, aligned, of_subject
from grounded_ingest.support.compare import Beside, ClauseMatch

_LINKED = compiled(support_patterns.LINKED)
_MAKERS = frozenset(
    ("by", "with", "as", "through", "via", "using", "called", "named", "uses", "use")
)


def swapped(held: Beside, found: ClauseMatch, limits: Limits) -> Iterator[Conflict]:
    """One name of the claim is another where the source says the same of it: `written by …`."""
    mine = _lost_name(found)
    if mine is None:
        return
    rest = found.clause._replace(terms=tuple(t for t in found.clause.terms if t not in mine.names))
    known = read_text(found.clause.reading.text).keys | held.above
    for at in range(found.first, found.last + 1):
        passage = held.passages[at]
        if passage.code or passage.aside or not of_subject(held, rest, passage):
            continue
        theirs = _other_name(mine, passage.text, known)
        if (
            theirs is not None
            and passage.reading.negated == found.clause.reading.negated
            and aligned(rest, passage, held.above) >= limits.swap
        ):
            yield Conflict("name", mine.said, theirs.said, at)
            return


def rival_place(held: Beside, found: ClauseMatch, limits: Limits) -> Iterator[Conflict]:
    """A country or state of which a source knows nothing, where it names another in its place."""
    mine = _lost_value(held, found)
    if mine is None:
        return
    rest = found.clause._replace(terms=tuple(t for t in found.clause.terms if t != mine))
    known = read_text(found.clause.reading.text).keys
    for at in (found.at, *range(found.first, found.last + 1)):
        passage = held.passages[at]
        if passage.code or passage.aside or passage.reading.negated:
            continue
        theirs = _names_rival(mine, passage.text, known)
        alike = theirs and aligned(rest, passage, held.above) >= limits.value
        if alike and of_subject(held, rest, passage):
            yield Conflict("name", mine.text, theirs, at)
            return


def _lost_value(held: Beside, found: ClauseMatch) -> Term | None:
    """The one name that a source lacks in every form."""
    if len(found.missing) != 1 or found.at < 0 or found.clause.reading.negated:
        return None
    (mine,) = found.missing
    if not isinstance(mine, Term) or mine.kind != "name" or not mine.text[:1].isupper():
        return None
    words = (w.text.lower() for p in held.passages for w in p.reading.placed)
    return None if any(are_one_value(mine.low, w) for w in words) else mine


def _names_rival(mine: Term, text: str, known: frozenset[str]) -> str:
    """The first name of a text that is another value of a name's kind, and that the claim lacks."""
    return next(
        (
            t.text
            for t in read_text(text).terms
            if t.kind == "name" and are_rival_values(mine.low, t.low) and not grade(t, known)
        ),
        "",
    )


def _lost_name(found: ClauseMatch) -> _Led | None:
    """The one name that is all of a clause that its source does not hold."""
    names = [t for t in found.missing if isinstance(t, Term) and t.kind == "name"]
    if len(names) != len(found.missing) or found.at < 0:
        return None
    led = _led(found.clause.reading.text, names)
    return led if led is not None and len(led.names) == len(names) else None


class _Led(Struct, frozen=True):
    """A name of one or more words, the preposition before it, and the word that governs both."""

    head: Term
    link: str
    names: list[Term]

    @property
    def said(self) -> str:
        return " ".join(n.text for n in self.names)


def _other_name(mine: _Led, text: str, known: frozenset[str]) -> _Led | None:
    """The name that a text holds in the place of the claim's: one that is not known, led by the
    same words."""
    names = [t for t in read_text(text).terms if t.kind == "name" and not grade(t, known)]
    theirs = _led(text, names)
    if theirs is None or theirs.link != mine.link:
        return None
    governed = grade(theirs.head, read_text(mine.head.text).keys) and _kin(mine, theirs)
    return theirs if governed else None


def _kin(mine: _Led, theirs: _Led) -> bool:
    """Whether two names can be taken for each other: makers and means, or technologies of a kind.
    Places hold each other, and a name can be the other's initials."""
    one, other = mine.said.lower(), theirs.said.lower()
    if _initials(mine) == other or _initials(theirs) == one:
        return False
    if mine.link in _MAKERS:
        return True
    return not _kinds().get(one, frozenset()).isdisjoint(_kinds().get(other, frozenset()))


def _initials(name: _Led) -> str:
    return "".join(w[0] for w in name.said.split()).lower()


@cache
def _kinds() -> dict[str, frozenset[str]]:
    """What kinds of technology a name stands for."""
    found: dict[str, set[str]] = {}
    for kind, listed in KINDS.items():
        for entry in listed.lower().split(", "):
            for name in entry.split("="):
                found.setdefault(name, set()).add(kind)
    stores = frozenset(support_words.STORES.split())
    for kinds in found.values():
        if kinds & stores:
            kinds.add("store")
    return {name: frozenset(kinds) for name, kinds in found.items()}


def _led(text: str, names: list[Term]) -> _Led | None:
    """The first of some names, with those that follow it at once."""
    if not names:
        return None
    first = names[0]
    before = text[: first.start].rstrip(' `*_"“(')
    link = _LINKED.search(before)
    head = read_text(before[: link.start()]).terms if link else []
    if not link or not head or not before[: link.start()].rstrip().endswith(head[-1].text):
        return None
    run, end = [first], first.start + len(first.text)
    for other in names[1:]:
        if text[end : other.start].strip(" .’'") == "" and other.start - end < 4:
            run, end = [*run, other], other.start + len(other.text)
    return _Led(head[-1], link[1].lower(), run)
