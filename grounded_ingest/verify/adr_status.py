"""What an ADR says of its own standing, in the formats people use (ADR tools, MADR, tables)."""

from __future__ import annotations

import re
from functools import cache

from grounded_ingest.model import Verdict

_HEAD = 8000
"""Characters in which a status is looked for."""

_UNSEEN = re.compile(r"<!--.*?(?:-->|\Z)|^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE)
_FRONT = re.compile(r"\A\s*---\n(.*?)\n(?:---|\.\.\.)\s*$", re.DOTALL | re.MULTILINE)
_NAME = r"(?:(?:current|decision|adr|doc(?:ument)?)[ -])?(?:status|state)"
_FORMATS = (
    # `Status: accepted`, `- **Status**: …`, `:Status: …`, `| Status | …`, `## Status: …`
    re.compile(
        rf"^[ \t>*_|:+-]*(?:#{{1,6}} +)?(?:\d+[.)] *)?[*_]*{_NAME}[*_]*(?: *\([^)\n]*\))?"
        r" *[*_]*(?::+|[|]| [—–-] )[ \t*_]*(?P<same>[^\n|]*[^\s|*_][^\n|]*)",
        re.IGNORECASE | re.MULTILINE,
    ),
    # a heading of its own: `## Status`, `== Status`, `Status` underlined, `**Status**`
    re.compile(
        rf"^(?:[#=]{{1,6}} +(?:\d+[.)] *)?[*_]*{_NAME}[*_]*[ :#=]*|[*_]+{_NAME}:?[*_]+:?[ ]*|"
        rf"{_NAME}[ :]*(?:\n[-=~^]{{3,}}[ ]*)?)\n+(?P<below>(?:[^\n#=][^\n]*\n?)+)",
        re.IGNORECASE | re.MULTILINE,
    ),
)
_COLUMN = re.compile(
    rf"^\|(?P<head>[^\n]*\b{_NAME}\b[^\n]*)\n\|[ :|-]+\n\|(?P<row>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_BY = re.compile(
    r"^[ \t>*_|-]*(?:superseded|replaced)[ _-]?by[*_]*(?: *[:|] *[*_]*| )(?P<by>[^\n|]+)",
    re.IGNORECASE | re.MULTILINE,
)
_BANNER = re.compile(
    r"^(?:#[ \t][^\n]*|[ \t]*>[^\n]*)(?:\b(?:superseded|replaced) by\b|"
    r"[\[(](?:superseded|rejected|deprecated|obsolete)\b|\b(?:is|was|been) (?:superseded|rejected|"
    r"deprecated|withdrawn)\b)[^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_ENDED = re.compile(
    r"\b(?:superseded(?! (?:adrs?|decisions?)\b)|rejected|declined|deprecated|obsoleted?|withdrawn|"
    r"abandoned|replaced by|retired|cancell?ed|reverted|inactive|invalid|revoked)\b",
    re.IGNORECASE,
)
_PARTLY = re.compile(r"\bpart(?:ly|ial|ially)?\b|\bin part\b|\bamended\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:proposed|proposal|draft|pending|rfc|review|discussion|wip|in progress|todo|open|"
    r"under consideration|experimental|deferred|on hold|planned|tbd)\b",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(
    r"\b(?:accepted|approved|implemented|active|adopted|final|finalized|done|decided|agreed|"
    r"completed?|ratified|in force|in effect|current|enacted|shipped)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|un|non|isn't|to be|be|being|pending|before|until|awaiting|yet|if|once|when|"
    r"partially|partly|nearly|conditionally)[ -](?:\w+[ -]){0,2}$",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"[\s\"'\[\](){}—–\-*_~]*(?:none|n/?a|null|tbd|nothing)?[\s\"'\])}.*_]*", re.I)


@cache
def standing(text: str) -> tuple[Verdict, str]:
    """What an ADR's status makes of it: confirmed without one, refuted when it no longer holds."""
    head = _UNSEEN.sub("\n", text[:_HEAD].replace("\r\n", "\n"))
    if successor := _successor(head):
        return _ended(successor)
    status = _status(head)
    return _judged(status) if status else (Verdict.CONFIRMED, "")


def _successor(head: str) -> str:
    """What says that the decision ended, beside its status: a field, the title, a quotation."""
    opening = re.split(r"^##", head, maxsplit=1, flags=re.MULTILINE)[0]
    for found in _BY.finditer(opening):
        if not _NOBODY.fullmatch(found["by"]):
            return found[0].strip(" \t>*_|-")
    banner = _BANNER.search(opening)
    return banner[0].strip(" \t>#*_") if banner else ""


def _status(head: str) -> str:
    front = _FRONT.match(head)
    if front and (found := _FORMATS[0].search(front[1])):
        return _unmarked(found["same"])
    columns = [(m.start(), _cell(m)) for m in _COLUMN.finditer(head)]
    same = [(m.start(), m["same"]) for m in _FORMATS[0].finditer(head)]
    below = [(m.start(), m["below"]) for m in _FORMATS[1].finditer(head)]
    heads = {at for at, _ in columns}
    found = columns + below + [(at, said) for at, said in same if at not in heads]
    return next((s for _, said in sorted(found) if (s := _unmarked(said))), "")


def _cell(found: re.Match[str]) -> str:
    """The cell below the column of that name."""
    names, cells = found["head"].split("|"), found["row"].split("|")
    at = next(i for i, n in enumerate(names) if re.search(_NAME, n, re.IGNORECASE))
    return cells[at] if at < len(cells) else ""


def _unmarked(said: str) -> str:
    """The words of a status: ticked boxes alone, nothing struck out, its first paragraph."""
    said = re.sub(r"~~.*?~~", " ", said.strip())
    if boxes := re.findall(r"\[([ xX])\] *([^\[\n]*)", said):
        return " ".join(name for tick, name in boxes if tick != " ") or "open: nothing is ticked"
    return re.sub(r"[\s*_`|\"']+", " ", said).strip()


def _judged(status: str) -> tuple[Verdict, str]:
    if _ENDED.search(_without_aside(status)):
        return _ended(status)
    accepted = _ACCEPTED.search(status)
    if accepted and not _NOT.search(status[: accepted.start()]):
        return Verdict.CONFIRMED, ""
    if accepted or _OPEN.search(status):
        return Verdict.UNKNOWN, _plain(status)
    return Verdict.UNKNOWN, f"its status is {status[:60]!r}"


def _without_aside(status: str) -> str:
    """The status without what it says of other decisions: `accepted (replaces deprecated X)`."""
    return re.sub(
        r"\b(?:replac(?:es|ing)|supersed(?:es|ing)|deprecat(?:es|ing)|removes|obsoletes)\b[^.;)]*",
        " ",
        status,
        flags=re.IGNORECASE,
    )


def _ended(said: str) -> tuple[Verdict, str]:
    verdict = Verdict.UNKNOWN if _PARTLY.search(said) else Verdict.REFUTED
    return verdict, _plain(said)


def _plain(status: str) -> str:
    unlinked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", status)
    return " ".join(unlinked.lower().split())[:100].rstrip(" —-·(*_|")
