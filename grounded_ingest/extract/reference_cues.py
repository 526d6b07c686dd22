"""What the words right beside a file's name say of it: that it went, is to come, should not be
there, or is there in some cases. What is said of it is no claim that it is there.

The table is ordered: the first row with a pattern that matches right before or right behind the
name decides. Words elsewhere in the sentence say nothing.
"""

from __future__ import annotations

import re
from re import Pattern
from typing import Literal, NamedTuple

from grounded_ingest.text.patterns import compiled

FileCue = Literal["", "gone", "planned", "unwanted", "conditional"]

_NAMES = (
    r"(?:(?:the|a|an|any|your|our|its|old|new|file|files|module|directory|to|in|from|at|with)"
    r"\s+){0,3}"
)
"""Words that may stand between a cue and the name."""

_GONE_BEFORE = compiled(
    r"\b(?:removed?|removes|removing|deleted?|deletes|deleting|dropped|drops|renamed?|"
    r"renames|missing|"
    r"dead|broken|stale|non-?existent|no longer|formerly|obsolete|retired?|replaced?|"
    r"replaces|not in|no)\s+"
    r"(?:(?:the|a|an|old|file|files|module|link|path|reference|references|to|legacy|its|"
    r"our)\s+){0,3}$",
    re.IGNORECASE,
)
_GONE_AFTER = compiled(
    r"[\s,—–-]*(?:(?:that|this|the|which|it)\s+)?(?:file|files|link|links|module|path|"
    r"reference)?\s*(?:\((?:missing|deleted|"
    r"removed|retired|dropped|obsolete|renamed|replaced|dead|gone|404|broken|moved)\b|"
    r"(?:(?:was|were|is|are|has been|have been|got|now)\s+(?:\w+\s+){0,2}?(?:removed|"
    r"superseded|deleted|dropped|gone|"
    r"missing|renamed|moved|replaced|broken|retired|obsolete|dead)\b)|(?:do|does|"
    r"did)(?:n't|n’t| not) "
    r"(?:exist|resolve)|no longer exists?|not found|(?:is|are) not (?:in|a|there)|never existed)",
    re.IGNORECASE,
    needs=(
        " not ", "404", "broken", "dead", "deleted", "dropped", "exist", "gone", "missing", "moved",
        "not found", "obsolete", "renamed", "replaced", "resolve", "retired", "superseded",
    ),
)  # fmt: skip
_PLANNED_BEFORE = compiled(
    r"\b(?:will (?:be )?(?:create|created in|add|write|live in|go in|go into|put in)|"
    r"creates?|creating|created|"
    r"generates?|generated(?: in| to| at| as)?|outputs?(?: to)?|writes?(?: to| into)?|"
    r"written to|saved?(?: to| in| as)?|"
    r"saves(?: to| in)?|produces?|emits?|planned|proposed|new|touch|mkdir(?: -p)?)\s+"
    r"(?:(?:the|a|an|new|file|files|to|in|at|directory|report|output)\s+){0,3}$",
    re.IGNORECASE,
)
_PLANNED_AFTER = compiled(
    r"\s*(?:\((?:new|planned|todo|to be |generated|not yet|git-?ignored|ignored|optional|"
    r"auto|if )|(?:is|are) "
    r"(?:(?:auto-?)?generated|git-?ignored|created|written|not committed)|will be|does not yet|"
    r"doesn't yet|if (?:it|present))",
    re.IGNORECASE,
)

_MAKING = (
    r"(?:re-?)?(?:create|creat|add|introduc|restor|writ|mak|put|us|import|commit|check in|generat|"
    r"read|rely on|depend on|bring back|run|call|invok|execut)(?:e|es|ing|ed)?"
)
_UNWANTED_BEFORE = compiled(
    rf"(?i)(?:\b(?:do not|don['’]?t|never|must not|should not|shouldn['’]t|cannot|can['’]t)"
    rf"\s+{_MAKING}"
    rf"|\bavoid(?:\s+{_MAKING})?|\b(?:instead of|rather than|in place of)|,\s*(?:and |but )?not"
    r"|\b(?:bad|wrong|incorrect|don['’]?ts?|anti-?patterns?)\s*:|❌|✗|🚫)"
    rf"\s+{_NAMES}$"
)
_UNWANTED_AFTER = compiled(
    r"(?i)\s+(?:(?:is|are)\s+(?:forbidden|prohibited|banned|disallowed|not allowed|off[- ]limits)"
    r"|(?:must|should|may|shall)\s+(?:not|never)\s+(?:exist|be\s+(?:created|added|committed|used|there)))",
    needs=("forbidden", "prohibited", "banned", "disallowed", "allowed", "limits", "not", "never"),
)
_CONDITIONAL_BEFORE = compiled(
    r"(?i)\b(?:if|when|where|unless|once)\s+(?:(?:there\s+(?:is|are)|you\s+(?:have|use|add|create)|it\s+has"
    r"|(?:it\s+is\s+)?(?:present|available|needed|absent|missing),?)\s+)"
    rf"{_NAMES}$"
)
_CONDITIONAL_AFTER = compiled(
    r"(?i)\s+(?:(?:does\s+not\s+|doesn['’]t\s+)?exists?\b|(?:is|are)\s+(?:present|absent|missing|found|available))",
    needs=("exist", "present", "absent", "missing", "found", "available"),
)
_IF = compiled(rf"(?i)\b(?:if|when|where|unless|once|in case)\s+(?:the\s+|a\s+|your\s+)?{_NAMES}$")
_COPIED_TO = compiled(
    r"(?i)\b(?:copy|cp|rename|mv|move|link|symlink)\b(?:[^.;:]|\.(?=\w)){1,80}?\s(?:to|as|into)\s+"
    rf"{_NAMES}$",
    needs=("copy", "cp", "rename", "mv", "move", "link"),
)
_STRUCK_BEFORE, _STRUCK_AFTER = compiled(r"~~$"), compiled(r"~~")
_REPLACED = compiled(r"\s*(?:→|⇒|->|=>)\s")


NEAR = 60
"""Characters before a name in which a cue begins, but for what is copied to it."""


class CueRow(NamedTuple):
    cue: FileCue
    before: Pattern[str] | None
    after: Pattern[str] | None
    both: bool = False


TABLE: tuple[CueRow, ...] = (
    CueRow("gone", _STRUCK_BEFORE, _STRUCK_AFTER, both=True),
    CueRow("gone", None, _REPLACED),
    CueRow("conditional", _IF, _CONDITIONAL_AFTER, both=True),
    CueRow("conditional", _CONDITIONAL_BEFORE, None),
    CueRow("unwanted", _UNWANTED_BEFORE, _UNWANTED_AFTER),
    CueRow("gone", _GONE_BEFORE, _GONE_AFTER),
    CueRow("planned", _COPIED_TO, None),
    CueRow("planned", _PLANNED_BEFORE, _PLANNED_AFTER),
)
"""`both`: both patterns have to match."""


def said_of_file(before: str, after: str) -> FileCue:
    """Returns what the text right before and right behind a file's name says of it."""
    near = before[-NEAR:]
    for row in TABLE:
        text = before if row.before is _COPIED_TO else near
        first = row.before is not None and row.before.search(text) is not None
        if row.both and not first:
            continue
        behind = row.after is not None and row.after.match(after) is not None
        if (first and behind) if row.both else (first or behind):
            return row.cue
    return ""
