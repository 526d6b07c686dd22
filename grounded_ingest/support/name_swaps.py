"""Names taken for each other in a sentence otherwise the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from grounded_ingest.language.lexicon import support_patterns, support_words
from grounded_ingest.language.lexicon.technologies import KINDS
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.terms import Term, claim_terms, grade, source_keys
from grounded_ingest.support.alignment import Conflict, Limits, aligned, of_subject
from grounded_ingest.support.claim_view import negated
from grounded_ingest.support.compare import Beside, ClauseMatch

_LINKED = compiled(support_patterns.LINKED)
_MAKERS = frozenset(
    ("by", "with", "as", "through", "via", "using", "called", "named", "uses", "use")
)


def swapped(held: Beside, found: ClauseMatch, limits: Limits) -> Iterator[Conflict]:
    """One name of the claim is another where the source says the same of it: `written by …`."""
    names = [t for t in found.missing if isinstance(t, Term) and t.kind == "name"]
    if not names or len(names) != len(found.missing) or found.at < 0:
        return
    mine = _led(found.clause.text, names)
    if mine is None or len(mine[2]) != len(names):
        return
    rest = found.clause._replace(terms=tuple(t for t in found.clause.terms if t not in names))
    known = source_keys(found.clause.text) | held.above
    for at in range(found.first, found.last + 1):
        passage = held.passages[at]
        if passage.code or passage.aside or not of_subject(held, rest, passage):
            continue
        theirs = _led(
            passage.text,
            [t for t in claim_terms(passage.text) if t.kind == "name" and not grade(t, known)],
        )
        if (
            theirs is None
            or theirs[1] != mine[1]
            or not grade(theirs[0], source_keys(mine[0].text))
        ):
            continue
        if (
            _kin(mine, theirs)
            and negated(passage.text) == found.clause.negated
            and aligned(rest, passage, held.above) >= limits.swap
        ):
            yield Conflict("name", _said(mine[2]), _said(theirs[2]), at)
            return


def _kin(mine: tuple[Term, str, list[Term]], theirs: tuple[Term, str, list[Term]]) -> bool:
    """Whether two names can be taken for each other: makers and means, or technologies of a kind.
    Places hold each other, and a name can be the other's initials."""
    if any(
        "".join(w[0] for w in _said(a).split()).lower() == _said(b).lower()
        for a, b in ((mine[2], theirs[2]), (theirs[2], mine[2]))
    ):
        return False
    if mine[1] in _MAKERS:
        return True
    return bool(
        _kinds().get(_said(mine[2]).lower(), frozenset())
        & _kinds().get(_said(theirs[2]).lower(), frozenset())
    )


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


def _led(text: str, names: list[Term]) -> tuple[Term, str, list[Term]] | None:
    """The first of some names with its neighbours, the preposition before it, and the word that
    governs both."""
    for name in names[:1]:
        before = text[: name.start].rstrip(' `*_"“(')
        link = _LINKED.search(before)
        head = claim_terms(before[: link.start()]) if link else []
        if link and head and before[: link.start()].rstrip().endswith(head[-1].text):
            run, end = [name], name.start + len(name.text)
            for other in names[1:]:
                if text[end : other.start].strip(" .’'") == "" and other.start - end < 4:
                    run, end = [*run, other], other.start + len(other.text)
            return head[-1], link[1].lower(), run
    return None


def _said(names: list[Term]) -> str:
    return " ".join(n.text for n in names)
