"""Reads the status of a decision record (ADR) in the common formats: ADR tools, MADR and tables.

The status is read from the status line or field, from the title, and from quotations about the
decision. These texts do not end a decision: a partial supersession, an update note, an index row,
and a note that the record replaces another.
"""

from __future__ import annotations

import re
from functools import cache

from grounded_ingest.model.claims import Verdict
from grounded_ingest.text.patterns import compiled

_HEAD = 8000
"""Number of characters at the start of a record that are searched for a status."""

_NAME = r"(?:(?:current|decision|adr|doc(?:ument)?)[ -])?(?:status|state)"

_UNSEEN = compiled(r"(?ms)<!--.*?(?:-->|\Z)|^(```|~~~).*?(?:^\1|\Z)", needs=("<!--", "```", "~~~"))
_FRONT = compiled(r"(?ms)\A\s*---\n(.*?)\n(?:---|\.\.\.)\s*$")
# `Status: accepted`, `- **Status**: …`, `:Status: …`, `| Status | …`, `## Status: …`
_SAME_LINE = compiled(
    rf"(?im)^[ \t>*_|:+-]*(?:#{{1,6}} +)?(?:\d+[.)] *)?[*_]*{_NAME}[*_]*(?: *\([^)\n]*\))?"
    r" *[*_]*(?::+|[|]| [—–-] )[ \t*_]*(?P<value>[^\n|]*[^\s|*_][^\n|]*)"
)
_BELOW = compiled(  # a heading: `## Status`, `== Status`, underlined `Status`, `**Status**`
    rf"(?im)^(?:[#=]{{1,6}} +(?:\d+[.)] *)?[*_]*{_NAME}[*_]*[ :#=]*|[*_]+{_NAME}:?[*_]+:?[ ]*|"
    rf"{_NAME}[ :]*(?:\n[-=~^]{{3,}}[ ]*)?)\n+(?P<value>(?:[^\n#=][^\n]*\n?)+)"
)
_COLUMN = compiled(
    rf"(?im)^\|(?P<head>[^\n]*\b{_NAME}\b[^\n]*)\n\|[ :|-]+\n\|(?P<row>[^\n]*)", needs=("\n|",)
)
_BY = compiled(
    r"(?im)^[ \t>*_|-]*(?:super[sc]eded|replaced)[ _-]?by[*_]*(?: *[:|] *[*_]*| )(?P<by>[^\n|]+)",
    needs=("super", "replaced"),
)
# Another part of the same record replaces a part: `by the section below`, `by Amendment 1`.
_PART = r"(?:amendment|addend(?:um|a)|section|appendix|erratum|errata)"
_WITHIN = (
    rf"(?! (?:by )?(?:the [^\n.]*\b(?:{_PART}|below|above)\b|"
    rf"[*_`\[]*(?:(?:an?|its|this) )?(?:{_PART}\b|§)))"
)
_OVER = r"(?:super[sc]eded|rejected|deprecated|withdrawn|obsolete|replaced)"
# "superseded" in the title, at the start of a quotation, or in a quotation about this decision.
_BANNER = compiled(
    r"(?im)^(?:#[ \t][^\n]*(?:"
    rf"\b(?:super[sc]eded|replaced) by\b{_WITHIN}|"
    r"[\[(](?:super[sc]eded|rejected|deprecated|obsolete)\b)"
    rf"|[ \t]*>[\W_]*(?:status\W*)?{_OVER}(?: by\b{_WITHIN}|[\W_]*(?:$|in favou?r\b|on \d))"
    rf"|[ \t]*>[^\n]*\bthis (?:adr|decision|record|document)\b[^\n.]{{0,20}}"
    rf"\b(?:is|was|been) {_OVER}\b{_WITHIN})[^\n]*",
    needs=("super", "replaced", "rejected", "deprecated", "obsolete", "withdrawn"),
)
# A quotation about an example, a name or a part does not end the decision.
_NOTE = compiled(
    r"(?im)^(?:#[ \t][^\n]*|[ \t]*>[^\n]*)(?:"
    rf"\b(?:super[sc]eded|replaced) by\b{_WITHIN}|"
    r"[\[(](?:super[sc]eded|rejected|deprecated|obsolete)\b|"
    rf"\b(?:is|was|been) (?:super[sc]eded|rejected|deprecated|withdrawn)\b(?! by){_WITHIN})[^\n]*",
    needs=("super", "replaced", "rejected", "deprecated", "obsolete", "withdrawn"),
)
_ENDED = compiled(
    r"(?i)\b(?:super[sc]eded(?! (?:adrs?|decisions?)\b)|rejected|declined|deprecated|obsoleted?|"
    r"withdrawn|abandoned|replaced by|retired|cancell?ed|reverted|inactive|invalid|revoked)\b",
    needs=(
        "super", "rejected", "declined", "deprecated", "obsolete", "withdrawn", "abandoned",
        "replaced by", "retired", "cancel", "reverted", "inactive", "invalid", "revoked",
    ),
)  # fmt: skip
_PARTLY = compiled(
    rf"(?i)\bpart(?:ly|ial|ially)?\b|\bin part\b|\bamended\b|\bby (?:the )?(?:{_PART}\b|§)"
)
_DENIED = compiled(r"(?i)\b(?:not|never) $")  # `deferred, not rejected`
# Only a named part ended: `accepted; the cache clause is superseded by ADR-9`.
_OF_A_PART = compiled(
    r"(?i)(?:^|[(;:,.—–]|->|→)\s*(?:§|(?:section|clause|phase|point|item|step|option)s?\b|"
    r"(?:the|its) (?!(?:adr|decision|record|document|proposal|whole)\b)\w)"
    r"(?:[^();,.—–→]|\.(?=\w)|\([^()\n]*\))*$"
)
_REMAINS = compiled(
    r"(?i)\b(?:remains?|stays?|stands?|survives?|still (?:holds?|appl(?:y|ies)|binding|valid)"
    r"|in force|unchanged)\b"
)
_OPEN = compiled(
    r"(?i)\b(?:proposed|proposal|draft|pending|rfc|review|discussion|wip|in progress|todo|open|"
    r"under consideration|experimental|deferred|on hold|planned|tbd)\b"
)
_ACCEPTED = compiled(
    r"(?i)\b(?:accepted|approved|implemented|active|adopted|final|finalized|done|decided|agreed|"
    r"completed?|ratified|in force|in effect|current|enacted|shipped)\b"
)
_NOT = compiled(
    r"(?i)\b(?:not|never|un|non|isn't|to be|be|being|pending|before|until|awaiting|yet|if|once|"
    r"when|partially|partly|nearly|conditionally)[ -](?:\w+[ -]){0,2}$"
)
# A partly implemented decision was accepted.
_BEGUN = compiled(
    r"(?i)\b(?:partially|partly)[ -](?:implemented|shipped|completed?|done)\b",
    needs=("partially", "partly"),
)
_NOBODY = compiled(r"(?i)[\s\"'\[\](){}—–\-*_~]*(?:none|n/?a|null|tbd|nothing)?[\s\"'\])}.*_]*")
_ASIDE = compiled(  # a part about other decisions: `accepted (replaces deprecated X)`
    r"(?i)\b(?:replac(?:es|ing)|supersed(?:es|ing)|deprecat(?:es|ing)|removes|obsoletes)\b[^.;)]*",
    needs=("replac", "supersed", "deprecat", "removes", "obsoletes"),
)

# Any paragraph below a status heading counts: "Superseded by …", "2024-05-01 Rejected".
_SECTION = compiled(
    r"(?ims)^#{1,6} [^\n]*\bstatus\b(?! quo\b)[^\n]*\n(?P<value>.*?)(?=^#{1,6} |\Z)"
)
_LATER = compiled(
    r"(?im)^[\s>*_|+-]*(?:[0-9][0-9./-]+[\s:—–-]*)?(?:super[sc]eded|rejected|"
    rf"declined|deprecated|obsoleted?|withdrawn|replaced by|retired|revoked|reverted)\b{_WITHIN}"
    r"[^\n]*"
)
_MENTION = compiled(r"(?im)^[^\n]*\bstatus\b[^\n]*$")
_PICTURE = compiled(r"!\[(?:[^\]\n!]|!(?!\[))*+\]\([^)\n]*\)")
_DRAFT = compiled(
    r"(?im)^#[ \t][^\n]*[\[(](?:draft|wip|proposal|proposed|rfc)\b[^\n]*",
    needs=("draft", "wip", "propos", "rfc"),
)


# Signs of a template: a placeholder in the title, or a status that lists all choices.
_TO_FILL = compiled(
    r"(?m)^# .*?(?:[{<\[][^\]}>\n]*[\]}>](?!\()|\b(?:NNNN?|XXXX?|nnn|xxx)\b|\b[Tt]itle\b\W*$"
    r"|[Tt]emplate\W*$)"
)
_CHOICE = compiled(
    r"(?im)^.*\b(?:proposed|draft|accepted)\b[\s*_`\]]*[|/,][\s*_`\[]*(?:proposed|accepted|rejected)\b"
)


def is_adr_template(text: str) -> bool:
    """Returns whether the text of a file with "template" in its name is an ADR template: it has no
    title, or its title or its status is still a placeholder."""
    head = _UNSEEN.sub("\n", text[:_HEAD])
    title = re.search(r"(?m)^# .*$", head)
    return not title or bool(_TO_FILL.match(title[0]) or _CHOICE.search(head))


# A line that continues the sentence of the line before cannot begin a status.
_WRAPPED = compiled(r"(?<=[\w,;)\]`*_])[ \t]*\n[ \t]*(?:>[ \t]*)?(?=[a-z(\[])(?![\w-]+ ?[:=])")


@cache
def read_status(text: str) -> tuple[Verdict, str]:
    """Returns the verdict on citations of a decision record, and the reason: confirmed if the
    record is accepted or has no status, refuted if its decision ended, otherwise unknown."""
    if not any(c.isalnum() for c in text):
        return Verdict.UNKNOWN, "the record is empty"
    whole = _UNSEEN.sub("\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    head = _WRAPPED.sub(" ", whole[:_HEAD])
    if successor := _successor(head):
        return (
            (Verdict.UNKNOWN, _plain(successor))
            if _names_a_part(_ENDED.split(successor, maxsplit=1)[0])
            else _judge_end(successor)
        )
    if note := _NOTE.search(re.split(r"(?m)^##", head, maxsplit=1)[0]):
        return Verdict.UNKNOWN, _plain(note[0].strip(" \t>#*_"))
    for section in _SECTION.finditer(head):
        for later in _LATER.finditer(section["value"]):
            by = _BY.search(later[0].strip())
            if not (by and _NOBODY.fullmatch(by["by"])):
                return _judge_end(later[0].strip(" \t>*_|+-\n"))
    if draft := _DRAFT.search(head):
        return Verdict.UNKNOWN, _plain(draft[0].strip("# "))
    status = _BEGUN.sub("implemented", _status(head))
    return _judge_status(status) if status else _judge_mention(whole)


def _judge_mention(text: str) -> tuple[Verdict, str]:
    """Returns the verdict and the reason for a record without a status in a known format: unknown
    if its text mentions an open or ended status, else confirmed."""
    for line in _MENTION.finditer(_PICTURE.sub(" ", text[:200_000])):
        if _ENDED.search(line[0]) or _OPEN.search(line[0]):
            return (
                Verdict.UNKNOWN,
                f"the status of the record is not understood: {_plain(line[0].strip())}",
            )
    return Verdict.CONFIRMED, ""


def _successor(head: str) -> str:
    """Returns the field, title or quotation that says that the decision ended. Returns an empty
    string if there is none."""
    opening = re.split(r"(?m)^##", head, maxsplit=1)[0]
    for found in _BY.finditer(opening):
        if not _NOBODY.fullmatch(found["by"]):
            return found[0].strip(" \t>*_|-")
    banner = _BANNER.search(opening)
    return banner[0].strip(" \t>#*_") if banner else ""


def _status(head: str) -> str:
    front = _FRONT.match(head)
    if front and (named := _SAME_LINE.search(front[1])):
        return _without_markup(named["value"])
    columns = {m.start(): _cell(m) for m in _COLUMN.finditer(head)}
    value = {m.start(): m["value"] for m in _SAME_LINE.finditer(head)}
    value |= {m.start(): m["value"] for m in _BELOW.finditer(head)} | columns
    return next((s for _, raw in sorted(value.items()) if (s := _without_markup(raw))), "")


def _cell(found: re.Match[str]) -> str:
    """Returns the status from a table. The status is in the cell below the header "Status", or in
    the cell to the right of the name "Status"."""
    names, cells = found["head"].split("|"), found["row"].split("|")
    at = next(i for i, n in enumerate(names) if re.search(_NAME, n, re.IGNORECASE))
    beside = names[at + 1] if at + 1 < len(names) else ""
    if at == 0 and any(p.search(beside) for p in (_ENDED, _ACCEPTED, _OPEN)):
        return beside
    return cells[at] if at < len(cells) else ""


def _without_markup(value: str) -> str:
    """Returns the words of a status without markup. Removes unticked boxes and struck-out text."""
    value = re.sub(r"~~.*?~~", " ", value.strip())
    if boxes := re.findall(r"\[([ xX])\] *([^\[\n]*)", value):
        return " ".join(name for tick, name in boxes if tick != " ") or "open: nothing is ticked"
    return re.sub(r"[\s*_`|\"']+", " ", value).strip()


def _judge_status(status: str) -> tuple[Verdict, str]:
    accepted = _ACCEPTED.search(status)
    value = _ASIDE.sub(" ", status)
    if endings := [e for e in _ENDED.finditer(value) if not _DENIED.search(value[: e.start()])]:
        remains = bool(_REMAINS.search(value))
        named = all(_names_a_part(value[: e.start()]) for e in endings)
        parts = (bool(accepted) + remains + named) >= 2
        return (Verdict.UNKNOWN, _plain(status)) if parts else _judge_end(status)
    if accepted and not _NOT.search(status[: accepted.start()]):
        return Verdict.CONFIRMED, ""
    if accepted or _OPEN.search(status):
        return Verdict.UNKNOWN, _plain(status)
    return Verdict.UNKNOWN, f"the status of the record is {status[:60]!r}"


def _names_a_part(before: str) -> bool:
    """Returns whether the text before "superseded" names only a part of the decision."""
    return bool(_OF_A_PART.search(before.lstrip(" \t>#*_⚠️")))


def _judge_end(value: str) -> tuple[Verdict, str]:
    verdict = Verdict.UNKNOWN if _PARTLY.search(value) else Verdict.REFUTED
    return verdict, _plain(value)


def _plain(status: str) -> str:
    """Returns the first statement of a status, without links."""
    unlinked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", status)
    first = re.split(r"(?<=\w)(?:[.;] | [—–-] )", " ".join(unlinked.split()), maxsplit=1)[0]
    return f"{first[:1].lower()}{first[1:100]}".rstrip(" —-·(*_|.")
