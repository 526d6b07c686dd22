"""Cited lines that moved or changed since their sentence was written.

`src/app.py:12` is held against what line 12 said in the commit that last wrote the citation's line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.code.definitions import definitions_in, definitions_of, enclosing_definition
from grounded_ingest.git.line_origins import LineOrigin, Origins
from grounded_ingest.git.quoted_lines import LARGEST, rows_of, text_of
from grounded_ingest.model.claims import CitationKind, Claim, DocClass, Evidence, Place, Verdict
from grounded_ingest.references.context import Context, Request, as_cited
from grounded_ingest.references.path import keeps_a_day, path_meant
from grounded_ingest.rules.reference_rules import CHANGED
from grounded_ingest.text.closed_classes import function_words
from grounded_ingest.text.dated_paths import states_its_day
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable
from grounded_ingest.text.reading import read_claim

_LONGEST = 20_000
"""Lines of two versions of a file that are aligned."""

_ALIKE = 0.5
"""Similarity from which on a line counts as the same line, edited."""

_SHOWN = 60

LineRange = tuple[int, int]


class Drift(NamedTuple):
    """Cited lines that read differently now. `was` and `here` are their text then and now; `now` is
    where the cited text stands today, None if it stands nowhere, or in several places."""

    was: str
    here: str
    now: LineRange | None


def drift_of(then: str, today: str, lines: LineRange) -> Drift | None:
    """Returns how cited lines differ between two versions of a file; None if they say the same."""
    old, new, (first, last) = _stripped(then), _stripped(today), lines
    quote, here = old[first - 1 : last], new[first - 1 : last]
    if not any(c.isalnum() for c in "".join(quote)) or last > len(old) or here == quote:
        return None
    places = [
        (at + 1, at + len(quote))
        for at in range(len(new) - len(quote) + 1)
        if new[at] == quote[0] and new[at : at + len(quote)] == quote
    ]
    now = places[0] if len(places) == 1 else _aligned(old, new, lines)
    return Drift("\n".join(quote), "\n".join(here), now if now in places else None)


@lru_cache(maxsize=32)
def _stripped(text: str) -> tuple[str, ...]:
    return tuple(row.strip() for row in rows_of(text))


def _aligned(old: tuple[str, ...], new: tuple[str, ...], lines: LineRange) -> LineRange | None:
    """Returns where the first and the last line went, if both stand between the same lines."""
    if len(old) + len(new) > _LONGEST:
        return None
    went = _alignment(old, new)
    first, last = (went.get(n - 1) for n in lines)
    return None if first is None or last is None or last < first else (first + 1, last + 1)


@lru_cache(maxsize=32)
def _alignment(old: tuple[str, ...], new: tuple[str, ...]) -> dict[int, int]:
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > 2000)
    return {a + n: b + n for a, b, size in matcher.get_matching_blocks() for n in range(size)}


Verified = Mapping[Request, Evidence | None]


def drifted(
    places: Sequence[Place], asked: Sequence[Iterable[Request]], found: Verified, context: Context
) -> dict[tuple[int, Request], Evidence]:
    """Returns new evidence for the citations of lines that drifted, by the number of their claim
    and the citation. Empty in a hook: what a commit moves is told by the claims it leaves behind
    (`decide.lost_sources`)."""
    cited = [
        (n, request, one)
        for n, requests in enumerate(asked)
        for request in requests
        if (one := found[request])
        and cites_lines(request)
        and is_of_now(places[n], request, context)
    ]
    origins = context.origins({places[n].path for n, _, _ in cited})
    told: dict[tuple[int, Request], Evidence] = {}
    for n, request, one in cited:
        origin = _origin(places[n], request, origins.get(places[n].path, {}), context)
        if origin is not None and not origin.cut:
            anew = _judged(one, places[n].claim, request, origin, context)
            told |= {(n, request): anew} if anew is not None else {}
    return told


def is_of_now(place: Place, request: Request, context: Context) -> bool:
    """Whether a citation means what there is now: the words around it say nothing else, and its
    document is no plan, decision, record or page of a day."""
    if request.citation.cue or request.citation.around or keeps_a_day(request):
        return False
    if place.doc_class is DocClass.DECISIONS or place.claim.recorded:
        return False
    return not states_its_day(text_of(context.tree, place.path) or "")


def _judged(
    one: Evidence, claim: Claim, request: Request, origin: LineOrigin, context: Context
) -> Evidence | None:
    """Returns what to say of cited lines whose text at `origin` is known; None for what is said
    already."""
    path = one.instead or one.target.rpartition(":")[0]
    was = path_meant(request) if one.instead else path
    then = context.repo.objects.read(f"{origin.commit}:{was}")
    if not context.tree.has(path) or then is None or len(then) > LARGEST or b"\0" in then[:8000]:
        return None
    before = then.decode(errors="replace").removeprefix("\ufeff")
    anew = told_of(one, claim, request, path, before, text_of(context.tree, path) or "")
    if one.instead:  # the file was renamed: its lines have to be found there, too
        lines = as_cited(replace(request.citation, raw=path)) if anew is None else anew.instead
        return replace(one, instead=lines)
    return None if anew and anew.note and one.verdict is Verdict.REFUTED else anew


def cites_lines(request: Request) -> bool:
    """Whether a citation gives line numbers of a file."""
    cited = request.citation
    return cited.kind is CitationKind.PATH and cited.own and bool(cited.lines)


def told_of(
    one: Evidence, claim: Claim, request: Request, path: str, then: str, today: str
) -> Evidence | None:
    """Returns what to say of cited lines that were one text and are another; None if they say the
    same, or are the same lines with an edit that leaves what the claim says of them."""
    lines = request.citation.lines
    drift = drift_of(then, today, lines) if lines else None
    reason = what_drifted(drift, claim) if drift else ""
    if drift is None or not reason:
        return None
    if drift.now is None or not _speaks_of(claim, drift.was):
        return replace(one, verdict=Verdict.REFUTED, reason=reason, note=CHANGED)
    instead = as_cited(replace(request.citation, raw=path, lines=drift.now))
    if name := _definition(path, today, drift.now):
        reason = f"{reason}, in {path}::{name}"
    return replace(one, verdict=Verdict.REFUTED, reason=reason, instead=instead)


def _definition(path: str, text: str, lines: LineRange) -> str:
    """Returns the name of the one definition that lines lie in; empty if there is none."""
    found = definitions_in(path, text) or ()
    inner = enclosing_definition(found, *lines)
    return inner.qualified if inner and len(definitions_of(found, inner.qualified)) == 1 else ""


def what_drifted(drift: Drift, claim: Claim, when: str = "when this was written") -> str:
    """Says where cited lines went, if they speak of what their claim says; else what stood and what
    stands there. Empty for lines that were only edited."""
    if drift.now is None and _is_edit(drift, claim):
        return ""
    if drift.now and _speaks_of(claim, drift.was):
        first, last = drift.now
        return (
            f"the cited line is now line {first}"
            if first == last
            else f"the cited lines are now lines {first}-{last}"
        )
    rows = zip(drift.was.split("\n"), drift.here.split("\n"), strict=False)
    pair = next(((a, b) for a, b in rows if a != b), (drift.was, drift.here))
    was, here = (printable(row.strip(), _SHOWN) for row in pair)
    return f"read “{was}” {when}, reads “{here}” now"


def _origin(
    place: Place, request: Request, origins: Origins, context: Context
) -> LineOrigin | None:
    """Returns what wrote the line of a claim that has the citation, the newest of several."""
    claim = place.claim
    rows = rows_of(text_of(context.tree, place.path) or "")
    raw = request.citation.raw.rpartition("/")[2]
    held = [n for n in range(claim.line, claim.end_line + 1) if raw in "".join(rows[n - 1 : n])]
    known = [origins.get(n) for n in held or range(claim.line, claim.end_line + 1)]
    if None in known:  # not committed yet
        return None
    return max((o for o in known if o), key=lambda o: o.time, default=None)


_FEW, _STEM = 3, 5
_CITING = frozenset(("see", "file", "line", "lines"))
_WORD = compiled(r"\d+|[A-Z]?[a-z]{3,}|[A-Z]{3,}")


def _is_edit(drift: Drift, claim: Claim) -> bool:
    """Whether cited lines are still the same lines, and still have each number and word of the
    claim that they had."""
    if SequenceMatcher(None, drift.was, drift.here).ratio() < _ALIKE:
        return False
    then, today = (set(_WORD.findall(text.lower())) for text in (drift.was, drift.here))
    said = set(_WORD.findall(" ".join(read_claim(claim).uncited_words).lower()))
    return said & then <= today


def _speaks_of(claim: Claim, quote: str) -> bool:
    """Whether lines have a number or a word of a claim, by its first letters. A claim that is
    little more than its citation speaks of what it cites."""
    own = " ".join(read_claim(claim).uncited_words)
    words = {w.lower() for w in _WORD.findall(own)} - function_words() - _CITING
    text = quote.lower()
    return len(words) < _FEW or any(w[:_STEM] in text for w in words)
