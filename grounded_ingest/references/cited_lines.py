"""Checks citations of lines and definitions: `src/app.py:12`, `src/app.py::serve`.

Line numbers go out of date often. For `src/app.py:12`, the current line 12 is compared with line 12
in the commit that last wrote the citation. The file may be too short now, or the text may have
moved or changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.code.definitions import definitions_in, definitions_of, enclosing_definition
from grounded_ingest.git.trees import LARGEST, rows_of, text_of
from grounded_ingest.model.claims import (
    CitationKind,
    Claim,
    DocClass,
    Evidence,
    Origin,
    Place,
    Verdict,
)
from grounded_ingest.references.adr import is_decision, judge_adr_file
from grounded_ingest.references.context import Context, Request, as_cited, evidence, fingerprint
from grounded_ingest.references.exemptions import OF_A_DAY, is_of_its_day
from grounded_ingest.references.path_resolution import intended_path
from grounded_ingest.rules.reference_rules import CHANGED
from grounded_ingest.text.dated_paths import has_date_at_top, is_about_one_day
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable
from grounded_ingest.text.reading import read_claim
from grounded_ingest.text.words import function_words

if TYPE_CHECKING:
    from grounded_ingest.git.line_origins import LineOrigin, Origins

LineRange = tuple[int, int]
Verified = Mapping[Request, Evidence | None]

NAMESAKES = 10
"""Maximum number of files with the same name that are searched for cited lines."""

_NAME = compiled(r"[^\W\d]\w+")
_LONGEST = 20_000
"""Maximum number of lines, in both versions of a file together, that are compared to find moved
lines."""
_ALIKE = 0.5
"""Smallest similarity of an old and a new line that count as one edited line. 1.0 means
identical."""
_QUOTED = 60
"""Maximum number of characters of a line in a message."""


def judge_lines(request: Request, path: str, lines: LineRange, context: Context) -> Evidence:
    """Returns the evidence for a citation of lines in an existing file."""
    target = as_cited(replace(request.citation, raw=path))
    if context.tree.size(path) > LARGEST:
        return evidence(request, Verdict.UNKNOWN, "the file is too large to read", target=target)
    text = text_of(context.tree, path)
    if text is None:
        reason = "the file is not in this clone, or is not text"
        return evidence(request, Verdict.UNKNOWN, reason, target=target)
    if text.startswith("version https://git-lfs"):
        return evidence(request, Verdict.UNKNOWN, "the file is stored in Git LFS", target=target)
    rows, (first, last) = rows_of(text), lines
    if not 1 <= first <= last <= len(rows):
        return _beyond_end(request, path, lines, len(rows), context)
    quote = "\n".join(rows[first - 1 : last])
    if not any(c.isalnum() for c in quote):
        state = "have no words" if quote.strip() else "are blank"
        return evidence(request, Verdict.UNKNOWN, f"the cited lines {state}", target=target)
    if is_decision(context.config, path, context.tree):
        decision = judge_adr_file(request, path, context)
        if decision.verdict is not Verdict.CONFIRMED:
            return replace(decision, kind=CitationKind.ADR, target=target)
    return replace(
        evidence(request, Verdict.CONFIRMED, target=target),
        fingerprint=fingerprint(quote),
        quote=quote.strip()[:300],
        origins=(Origin("file", path, lines),),
    )


def _beyond_end(
    request: Request, path: str, lines: LineRange, rows: int, context: Context
) -> Evidence:
    """Returns the evidence for lines that a file does not have. The citation is wrong, or unknown
    if the citation may mean another file of the same name or an earlier version."""
    first, last = lines
    wrong = "" if 1 <= first <= last else "this is not a valid range of lines; "
    reason = f"{wrong}{path} has {rows} line{'' if rows == 1 else 's'}"
    others, verdict = _namesakes(request, path, context), Verdict.UNKNOWN
    if any(len(rows_of(text_of(context.tree, p) or "")) >= last for p in others[:NAMESAKES]):
        reason = f"{reason}; {others[0]} has the same file name"
    elif is_about_one_day(request.path):
        reason = f"{reason}; {OF_A_DAY}"
    else:
        verdict = Verdict.REFUTED
    return evidence(request, verdict, reason, target=as_cited(replace(request.citation, raw=path)))


def _namesakes(request: Request, path: str, context: Context) -> list[str]:
    """Returns the other files with the cited file name. Returns an empty list if the citation also
    names a folder."""
    raw = request.citation.raw
    return [] if "/" in raw else [p for p in context.tree.ending_with(raw) if p != path]


def judge_definition(request: Request, path: str, context: Context) -> Evidence:
    """Returns the evidence for a citation `path::name`. The name has to mean one definition."""
    return replace(_judge_definition(request, path, context), kind=CitationKind.SYMBOL)


def _judge_definition(request: Request, path: str, context: Context) -> Evidence:
    name = request.citation.anchor
    target = f"{path}::{name.removesuffix('()')}"
    text = text_of(context.tree, path) if context.tree.size(path) <= LARGEST else None
    found = definitions_in(path, text) if text is not None else None
    if text is None or found is None:
        reason = "the file is not in this clone, or could not be parsed"
        return evidence(request, Verdict.UNKNOWN, reason, target=target)
    meant = definitions_of(found, name)
    if len({d.owner for d in meant}) > 1:
        meant = [d for d in meant if not d.owner] or meant
    if not meant:
        return _judge_undefined(request, path, text, target, context)
    if len({d.owner for d in meant}) > 1:
        some = ", ".join(d.qualified for d in meant[:3])
        return evidence(
            request,
            Verdict.UNKNOWN,
            f"{path} has several definitions of this name: {some}",
            target=target,
        )
    lines = meant[0].line, meant[0].end_line
    at = request._replace(citation=replace(request.citation, lines=lines))
    return replace(judge_lines(at, path, lines, context), target=target)


def _judge_undefined(
    request: Request, path: str, text: str, target: str, context: Context
) -> Evidence:
    """Returns the evidence for a name that a file does not define. The verdict is unknown if the
    file contains the word, because the parser may have missed the definition."""
    last = _NAME.findall(request.citation.anchor)[-1:]
    verdict = Verdict.UNKNOWN
    if last and last[0] in _NAME.findall(text):
        reason = f"{path} contains the name, but the parser finds no definition"
        return evidence(request, verdict, reason, target=target)
    reason = f"{path} has no such definition"
    if others := _namesakes(request, path, context):
        reason = f"{reason}; {others[0]} has the same file name"
    elif "gone" in request.citation.around or is_about_one_day(request.path):
        reason = f"{reason}; {OF_A_DAY}"
    else:
        verdict = Verdict.REFUTED
    return evidence(request, verdict, reason, target=target)


# Lines that moved or changed after the sentence with the citation was written.


class Drift(Struct, frozen=True):
    """Cited lines whose text changed. `was` is the old text at the cited line numbers, and `here`
    is the current text. `now` is the current place of the old text. `now` is None if the old text
    is gone or occurs several times."""

    was: str
    here: str
    now: LineRange | None


def drift_of(then: str, today: str, lines: LineRange) -> Drift | None:
    """Returns how cited lines differ between two versions of a file. Returns None if the lines are
    equal."""
    old, new, (first, last) = _stripped_rows(then), _stripped_rows(today), lines
    quote, here = old[first - 1 : last], new[first - 1 : last]
    if not any(c.isalnum() for c in "".join(quote)) or last > len(old) or here == quote:
        return None
    places = [
        (at + 1, at + len(quote))
        for at in range(len(new) - len(quote) + 1)
        if new[at] == quote[0] and new[at : at + len(quote)] == quote
    ]
    now = places[0] if len(places) == 1 else _align(old, new, lines)
    return Drift("\n".join(quote), "\n".join(here), now if now in places else None)


@lru_cache(maxsize=32)
def _stripped_rows(text: str) -> tuple[str, ...]:
    return tuple(row.strip() for row in rows_of(text))


def _align(old: tuple[str, ...], new: tuple[str, ...], lines: LineRange) -> LineRange | None:
    """Returns the current place of the first and the last line, by aligning both versions. Returns
    None if one of the two lines has no counterpart."""
    if len(old) + len(new) > _LONGEST:
        return None
    went = _alignment(old, new)
    first, last = (went.get(n - 1) for n in lines)
    return None if first is None or last is None or last < first else (first + 1, last + 1)


@lru_cache(maxsize=32)
def _alignment(old: tuple[str, ...], new: tuple[str, ...]) -> dict[int, int]:
    from difflib import SequenceMatcher  # imported late for a fast start

    matcher = SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > 2000)
    return {a + n: b + n for a, b, size in matcher.get_matching_blocks() for n in range(size)}


def find_drift(
    places: Sequence[Place], asked: Sequence[Iterable[Request]], found: Verified, context: Context
) -> dict[tuple[int, Request], Evidence]:
    """Returns the evidence that replaces `found` for citations whose cited lines have changed, by
    (index of the claim in `places`, citation). `asked` has the citations of each claim. Returns
    nothing in a hook and for a commit range, where `decide.affected_claims` reports the cited
    lines that the change moves."""
    cited = [
        (n, request, judged)
        for n, requests in enumerate(asked)
        for request in requests
        if (judged := found[request])
        and _cites_lines(request)
        and is_about_today(places[n], request, context)
    ]
    origins = context.origins({places[n].path for n, _, _ in cited})
    drifted: dict[tuple[int, Request], Evidence] = {}
    for n, request, judged in cited:
        origin = _line_origin(places[n], request, origins.get(places[n].path, {}), context)
        if origin is None or origin.cut:
            continue
        if anew := _judge_drift(judged, places[n].claim, request, origin, context):
            drifted[n, request] = anew
    return drifted


def _cites_lines(request: Request) -> bool:
    cited = request.citation
    return cited.kind is CitationKind.PATH and cited.own and bool(cited.lines)


def is_about_today(place: Place, request: Request, context: Context) -> bool:
    """Returns whether a citation means the current version of the file. Returns false for plans,
    decision records and dated records, and if the text around the citation suggests another
    version."""
    if request.citation.cue or request.citation.around or is_of_its_day(request):
        return False
    if place.doc_class is DocClass.DECISIONS or place.claim.recorded:
        return False
    return not has_date_at_top(text_of(context.tree, place.path) or "")


def _line_origin(
    place: Place, request: Request, origins: Origins, context: Context
) -> LineOrigin | None:
    """Returns the newest commit that wrote a line with the citation. If no line contains the whole
    citation, all lines of the claim are used. Returns None if the citation's line is not committed
    yet."""
    claim = place.claim
    rows = rows_of(text_of(context.tree, place.path) or "")
    raw = request.citation.raw.rpartition("/")[2]
    numbers = range(claim.line, claim.end_line + 1)
    held = [n for n in numbers if raw in "".join(rows[n - 1 : n])]
    known = [origins.get(n) for n in held or numbers]
    if None in known:
        return None
    return max((o for o in known if o), key=lambda o: o.time, default=None)


def _judge_drift(
    judged: Evidence, claim: Claim, request: Request, origin: LineOrigin, context: Context
) -> Evidence | None:
    """Returns the evidence for cited lines, compared with their text in the commit `origin`.
    Returns None if the existing evidence stays valid."""
    path = judged.instead or judged.target.rpartition(":")[0]
    was = intended_path(request) if judged.instead else path
    then = context.repo.objects.read(f"{origin.commit}:{was}")
    if not context.tree.has(path) or then is None or len(then) > LARGEST or b"\0" in then[:8000]:
        return None
    before = then.decode(errors="replace").removeprefix("\ufeff")
    today = text_of(context.tree, path) or ""
    anew = _drift_evidence(judged, claim, request, path, before, today)
    if judged.instead:  # the file was renamed, so the new citation needs the new line numbers
        lines = as_cited(replace(request.citation, raw=path)) if anew is None else anew.instead
        return replace(judged, instead=lines)
    return None if anew and anew.note and judged.verdict is Verdict.REFUTED else anew


def _drift_evidence(
    judged: Evidence, claim: Claim, request: Request, path: str, then: str, today: str
) -> Evidence | None:
    """Returns the evidence for lines whose text changed. Returns None if the text still supports
    the claim after the edit."""
    lines = request.citation.lines
    drift = drift_of(then, today, lines) if lines else None
    reason = describe_drift(drift, claim) if drift else ""
    if drift is None or not reason:
        return None
    if drift.now is None or not _is_about(claim, drift.was):
        return replace(judged, verdict=Verdict.REFUTED, reason=reason, note=CHANGED)
    instead = as_cited(replace(request.citation, raw=path, lines=drift.now))
    if name := _only_definition(path, today, drift.now):
        reason = f"{reason}, in {path}::{name}"
    return replace(judged, verdict=Verdict.REFUTED, reason=reason, instead=instead)


def _only_definition(path: str, text: str, lines: LineRange) -> str:
    """Returns the name of the definition around the lines. Returns an empty string if there is
    none, or if several definitions have the name."""
    found = definitions_in(path, text) or ()
    inner = enclosing_definition(found, *lines)
    return inner.qualified if inner and len(definitions_of(found, inner.qualified)) == 1 else ""


def describe_drift(drift: Drift, claim: Claim, when: str = "when this was written") -> str:
    """Returns the new line numbers, or the old and the new text, as a message. Returns an empty
    string if the lines still support the claim."""
    if drift.now is None and _is_edit(drift, claim):
        return ""
    if drift.now and _is_about(claim, drift.was):
        first, last = drift.now
        if first == last:
            return f"the cited line is now line {first}"
        return f"the cited lines are now lines {first}-{last}"
    rows = zip(drift.was.split("\n"), drift.here.split("\n"), strict=False)
    # An empty line or a lone brace would not show what changed.
    telling = ((a, b) for a, b in rows if a != b and _WORD.search(a))
    pair = next(telling, (drift.was, drift.here))
    was, here = (printable(row.strip(), _QUOTED) for row in pair)
    return f"the text was “{was}” {when}, and is “{here}” now"


_FEWEST_WORDS, _STEM = 3, 5
_CITING = frozenset(("see", "file", "line", "lines"))
_WORD = compiled(r"\d+|[A-Z]?[a-z]{3,}|[A-Z]{3,}")


def _is_edit(drift: Drift, claim: Claim) -> bool:
    """Returns whether the new lines are similar to the old lines, and still have every number and
    word that the old lines shared with the claim."""
    from difflib import SequenceMatcher  # imported late for a fast start

    if SequenceMatcher(None, drift.was, drift.here).ratio() < _ALIKE:
        return False
    then, today = (set(_WORD.findall(text.lower())) for text in (drift.was, drift.here))
    claimed = set(_WORD.findall(" ".join(read_claim(claim).uncited_words).lower()))
    return claimed & then <= today


def _is_about(claim: Claim, quote: str) -> bool:
    """Returns whether the lines and the claim share a number or the start of a word. Always true
    for a claim that has hardly any words besides the citation."""
    own = " ".join(read_claim(claim).uncited_words)
    words = {w.lower() for w in _WORD.findall(own)} - function_words() - _CITING
    text = quote.lower()
    return len(words) < _FEWEST_WORDS or any(w[:_STEM] in text for w in words)
