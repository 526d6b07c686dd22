"""What a sentence says of its own citation: meant as a commit, gone, planned, of elsewhere."""

from __future__ import annotations

import re
from typing import Literal

from grounded_ingest.model import CitationKind

Cue = Literal["", "meant", "gone", "planned", "foreign"]

_ORDINAL = re.compile(
    r"(?:\b(?:step|finding|task|build|phase|item|point|rule|option|number|part|chapter|priority|case|"
    r"problem|question|criterion|criteria|goal|reason|lesson|principle|test|section|example|figure|"
    r"table|note|day|week|sprint|round|iteration|attempt|batch|level|tier|no|nr|top|rank|ranked|the|"
    r"our|is|are|approach|pattern|feature|agent|worker|node|slot|player|gap|bug class|colou?r|hex|"
    r"requirement|hypothesis|milestone|blocker|risk|layer|scenario|column|row|line|hunk|run)s?\.?|^)"
    r"[ \0]?$",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"\b(?:commits?|sha|sha1|revisions?|changesets?|cherry-?picked|(?:fixed|introduced|reverted|landed|"
    r"merged|added|removed|shipped|implemented|resolved|done|changed)\s+(?:in|by|as|with))\b"
    r"[^.;!?]{0,60}$",
    re.IGNORECASE,
)
_MEANT_DIGITS = re.compile(r"\b(?:commits?|sha|revisions?|changesets?)\W{0,3}$", re.IGNORECASE)
_FOREIGN = re.compile(
    r"\b(?:upstream|pinned|submodule|vendored|digest|sha-?256|fork|docker|image)\b", re.IGNORECASE
)
_GONE_BEFORE = re.compile(
    r"\b(?:removed?|removes|removing|deleted?|deletes|deleting|dropped|drops|renamed?|renames|missing|"
    r"dead|broken|stale|non-?existent|no longer|formerly|obsolete|retired?|replaced?|replaces|not in|no)\s+"
    r"(?:(?:the|a|an|old|file|files|module|link|path|reference|references|to|legacy|its|our)\s+){0,3}$",
    re.IGNORECASE,
)
_GONE_AFTER = re.compile(
    r"[\s,]*(?:file|files|link|links|module|path|reference)?\s*(?:\((?:missing|deleted|removed|dead|gone|404|broken|moved)\b|"
    r"(?:(?:was|were|is|are|has been|have been|got|now)\s+(?:\w+\s+){0,2}?(?:removed|deleted|dropped|gone|"
    r"missing|renamed|moved|replaced|broken|retired|obsolete|dead)\b)|(?:do|does|did)(?:n't|n’t| not) "
    r"(?:exist|resolve)|no longer exists?|not found|(?:is|are) not (?:in|a|there)|never existed)",
    re.IGNORECASE,
)
_PLANNED_BEFORE = re.compile(
    r"\b(?:will (?:be )?(?:create|created in|add|write|live in|go in|go into|put in)|creates?|creating|created|"
    r"generates?|generated(?: in| to| at| as)?|outputs?(?: to)?|writes?(?: to| into)?|written to|saved?(?: to| in| as)?|"
    r"saves(?: to| in)?|produces?|emits?|planned|proposed|new|touch|mkdir(?: -p)?)\s+"
    r"(?:(?:the|a|an|new|file|files|to|in|at|directory|report|output)\s+){0,3}$",
    re.IGNORECASE,
)
_PLANNED_AFTER = re.compile(
    r"\s*(?:\((?:new|planned|todo|to be |generated|not yet|git-?ignored|ignored|optional|auto|if )|(?:is|are) "
    r"(?:generated|git-?ignored|created|written|not committed)|will be|does not yet|doesn't yet|if (?:it|present))",
    re.IGNORECASE,
)


def is_ordinal(text: str, start: int) -> bool:
    """Whether `#N` at `start` counts things (Finding #3) and is no issue."""
    head = text[max(0, start - 24) : start]
    word = head.rstrip(" \0")
    return bool(_ORDINAL.search(word)) and word != "" and not word.endswith(("(", ",", ":", ";"))


def cue(text: str, start: int, end: int, kind: CitationKind) -> Cue:
    """The cue for the citation at text[start:end]; empty where the sentence says nothing of it."""
    before, after = text[max(0, start - 100) : start].rstrip("`("), text[end : end + 80].lstrip("`")
    if kind in (CitationKind.PATH, CitationKind.COMMIT, CitationKind.ADR, CitationKind.URL):
        near = before[-48:]
        if _GONE_BEFORE.search(near) or _GONE_AFTER.match(after):
            return "gone" if kind is not CitationKind.COMMIT else "meant"
        if kind is CitationKind.PATH and (
            _PLANNED_BEFORE.search(near) or _PLANNED_AFTER.match(after)
        ):
            return "planned"
    if kind is CitationKind.COMMIT:
        if _FOREIGN.search(before[-40:]):
            return "foreign"
        meant = _MEANT_DIGITS if text[start:end].strip("`").isdigit() else _MEANT
        return "meant" if meant.search(before) else ""
    return ""
