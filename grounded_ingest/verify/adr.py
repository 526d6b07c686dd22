"""ADR citations: one file for the number, accepted, on base."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.config import is_adr
from grounded_ingest.model import Evidence, Verdict
from grounded_ingest.tree import Tree
from grounded_ingest.verify.context import Context, Request, evidence, fingerprint

MEMBERS = 100
"""Members of a range that are looked up; more is not a citation anybody checked."""

_FILE = re.compile(
    r"^(?:adr[-_ ]?)?(\d{1,5})(?:[-_. ].*)?\.(?:md|markdown|mdx|rst|adoc|txt)$", re.IGNORECASE
)
_STATUS = (
    re.compile(r"^status:\s*[\"']?([^\n\"']+)", re.IGNORECASE | re.MULTILINE),
    re.compile(
        r"^#{1,6}\s*(?:\d+[.)]\s*)?status\b[:\s]*\n+(?:\s*[-*]\s*)?([^\n]+)",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(r"^[\s>*_|-]*\**status\**\s*\**[:|]\**\s*([^\n|]+)", re.IGNORECASE | re.MULTILINE),
)
_REFUSED = re.compile(
    r"\b(?:superseded(?! adrs?\b)|rejected|deprecated|obsolete|withdrawn|abandoned|replaced by|retired|cancelled|canceled|reverted)\b",
    re.IGNORECASE,
)
_PARTLY = re.compile(r"\bpart(?:ly|ial|ially)?\b|\bin part\b|\bamended\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:proposed|draft|pending|rfc|review|discussion|wip|todo|open|under consideration|experimental|deferred|on hold|planned)\b",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(
    r"\b(?:accepted|approved|implemented|active|adopted|final|finalized|done|decided|agreed|complete|completed|ratified|in force|current)\b",
    re.IGNORECASE,
)


class Adr(NamedTuple):
    """An ADR as a tree holds it."""

    path: str
    number: int
    label: str


def adr_number(path: str) -> int | None:
    """The number a file name of an ADR carries."""
    found = _FILE.match(path.rpartition("/")[2])
    return int(found[1]) if found else None


def _label(path: str) -> str:
    found = _FILE.match(path.rpartition("/")[2])
    return f"ADR-{found[1]}" if found else path


def verify_adrs(requests: Sequence[Request], context: Context) -> Mapping[Request, Evidence | None]:
    """Evidence per request; a range is as good as the worst of its members."""
    here, base = _catalog(context.tree, context), _catalog(context.base.tree, context)
    return {r: _unless_said(r, _verify(r, here, base, context)) for r in requests}


def _unless_said(request: Request, found: Evidence) -> Evidence | None:
    """A sentence that itself says the decision is gone is not refuted by that."""
    said = request.citation.cue == "gone" and found.verdict is Verdict.REFUTED
    return None if said else found


Catalog = Mapping[int, list[Adr]]


def _catalog(tree: Tree, context: Context) -> Catalog:
    found: dict[int, list[Adr]] = {}
    for path in _adr_files(tree, context):
        if (number := adr_number(path)) is not None:
            found.setdefault(number, []).append(Adr(path, number, _label(path)))
    return found


def _adr_files(tree: Tree, context: Context) -> list[str]:
    if (
        tree is context.base.tree
        and tree is not context.tree
        and not context.config.classes.decisions
    ):
        dirs = [d for d in context.config.adr_dirs if tree.is_dir(d)]
        if not dirs:
            return []
    return [p for p in tree.files if is_adr(context.config, p)]


def _verify(request: Request, here: Catalog, base: Catalog, context: Context) -> Evidence:
    raw = request.citation.raw
    if "-" not in raw:
        return _one(request, int(raw), here, base, context)
    first, last = (int(n) for n in raw.split("-"))
    if last - first >= MEMBERS or last < first:
        return evidence(
            request, Verdict.UNKNOWN, f"a range of more than {MEMBERS}", target=f"ADR-{raw}"
        )
    members = [_one(request, n, here, base, context) for n in range(first, last + 1)]
    target = f"{members[0].target}..{members[-1].target}"
    order = (Verdict.REFUTED, Verdict.UNKNOWN, Verdict.CONFIRMED)
    worst = min(members, key=lambda m: order.index(m.verdict))
    reason = f"{worst.target}: {worst.reason}" if worst.reason else ""
    return replace(worst, target=target, reason=reason)


def _one(request: Request, number: int, here: Catalog, base: Catalog, context: Context) -> Evidence:
    now, landed = here.get(number, []), base.get(number, [])
    plain = f"ADR-{number:03}"
    if not now:
        if landed:
            return evidence(
                request,
                Verdict.REFUTED,
                f"{landed[0].path} is removed by this change",
                target=plain,
            )
        where = (
            ", ".join(sorted({a.path.rpartition("/")[0] for n in here.values() for a in n}))
            or "any ADR directory"
        )
        return evidence(request, Verdict.REFUTED, f"no ADR {number} in {where}", target=plain)
    if len(now) > 1:
        names = ", ".join(a.path for a in now[:3])
        return evidence(
            request,
            Verdict.UNKNOWN,
            f"{len(now)} files have this number: {names}",
            target=now[0].label,
        )
    return judge_adr_file(request, now[0].path, context)


def judge_adr_file(request: Request, path: str, context: Context) -> Evidence:
    """Evidence for the one ADR file a citation means."""
    target = path if request.citation.link or "/" in request.citation.raw else _label(path)
    now = context.tree.read(path)
    if now is None:
        return evidence(request, Verdict.UNKNOWN, "its content is not in this clone", target=target)
    verdict, reason = standing(now.decode(errors="replace"))
    if verdict is not Verdict.CONFIRMED:
        return evidence(request, verdict, reason, target=target)
    if not context.base.known:
        return evidence(request, Verdict.UNKNOWN, "base is unknown", target=target)
    landed = context.base.tree.read(path)
    if landed is None:
        return evidence(request, Verdict.UNKNOWN, "not on base yet", target=target)
    verdict, reason = standing(landed.decode(errors="replace"))
    if verdict is not Verdict.CONFIRMED:
        return evidence(request, Verdict.UNKNOWN, f"on base it is {reason}", target=target)
    title = _title(landed.decode(errors="replace"))
    judged = evidence(request, Verdict.CONFIRMED, target=target)
    return replace(judged, quote=title, fingerprint=fingerprint(title))


def _title(text: str) -> str:
    found = re.search(r"^#\s+(.+)$", text, re.MULTILINE)
    return found[1].strip()[:300] if found else ""


def _plain(status: str) -> str:
    unlinked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", status)
    return " ".join(unlinked.lower().split())[:100].rstrip(" —-·(")


@cache
def standing(text: str) -> tuple[Verdict, str]:
    """What an ADR's status makes of it: confirmed without one, refuted when it no longer holds."""
    head = text[:6000]
    status = next((m[1].strip(" *_`|") for p in _STATUS if (m := p.search(head))), "")
    if not status:
        return Verdict.CONFIRMED, ""
    if _REFUSED.search(status):
        verdict = Verdict.UNKNOWN if _PARTLY.search(status) else Verdict.REFUTED
        return verdict, _plain(status)
    if _ACCEPTED.search(status) and not re.search(
        r"\bnot (?:yet )?(?:accepted|approved)\b", status, re.IGNORECASE
    ):
        return Verdict.CONFIRMED, ""
    if _OPEN.search(status):
        return Verdict.UNKNOWN, _plain(status)
    return Verdict.UNKNOWN, f"its status is {status[:60]!r}"
