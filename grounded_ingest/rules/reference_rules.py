"""Defines the rules for wrong references, with the severity and the advice of each rule.

There is one rule for each kind of reference. An example is `refuted-citation[path]`.
"""

from __future__ import annotations

from grounded_ingest.model.claims import CitationKind, Evidence
from grounded_ingest.rules.registry import EVERY_RULE
from grounded_ingest.rules.rule import Severity
from grounded_ingest.text.patterns import compiled

WRONG, FAILED = "refuted-citation", "proof-failed"
STOPPING = frozenset({
    "path", "link", "line", "anchor", "command", "flag", "version", "count", "import",
})  # fmt: skip
"""Kinds of references that are errors if they are wrong. In a replay of 1,086 commits, each of
these kinds blocked at most 1 commit in 100 wrongly. A wrong reference of another kind is a warning
until that kind reaches the same figure (docs/evaluation.md)."""
BY_CHANGE = " by this change"
"""Ends the message about a name that the staged change removes or renames. For a `symbol`, that is
an error, because the author can still mend the document."""
_OF_PATHS = {"changed-line", "line", "link"}
"""Kinds that a wrong reference to a path may have instead of `path` (`reference_kind`)."""
KINDS = (
    *sorted(STOPPING),
    *sorted({*(kind.value for kind in CitationKind), *_OF_PATHS} - STOPPING - {"proof"}),
)

WAYS_OUT = {
    "path": "Write a path that exists.",
    "link": "Link to a file that exists.",
    "import": "Import a file that exists.",
    "command": "Write a command that exists.",
    "flag": "Write an option or value that the program accepts.",
    "symbol": "Correct the name or its file.",
    "changed-line": (
        "Read the cited lines, and correct the sentence if it is untrue now. If it is still true,"
        " cite the definition: `path::name`."
    ),
    "line": "Cite lines that the file has, or cite the definition: `path::name`.",
    "anchor": "Link to a heading that the page has.",
    "version": "Write the version that the manifest has.",
    "count": "Write the value that the repository has.",
    "commit": "Cite a commit in this repository.",
    "adr": "Cite a decision record (ADR) that is in force.",
    "issue": "Cite an issue that exists.",
    "url": "Link to a page that exists.",
}  # fmt: skip
"""Maps kinds of references to the advice that a message gives about a wrong reference."""

_REMOVED = "Correct the reference, or write “removed” before it."
_DEFINITION_CHANGED = "Read the cited definition, and correct the sentence if it is untrue now."
CHANGED = "changed-line"
_GONE = compiled(r"\b(?:deleted|removed) (?:in|by) ")
_LINES = compiled(r":\d+(?:-\d+)?$")


def reference_kind(evidence: Evidence) -> str:
    """Returns the kind of a reference. A path has the kind `link` if it is the target of a Markdown
    link, and `line` if the reference cites line numbers. The kind is `changed-line` if the text of
    the cited lines has changed."""
    if evidence.note == CHANGED:
        return CHANGED
    if evidence.kind is not CitationKind.PATH:
        return evidence.kind.value
    if _LINES.search(evidence.target):
        return "line"
    return "link" if evidence.link else "path"


def reference_rule(evidence: Evidence) -> str:
    """Returns the id of the rule that reports a wrong reference, such as `refuted-citation[path]`,
    or a proof that fails (`proof-failed`)."""
    if evidence.kind is CitationKind.PROOF:
        return FAILED
    return f"{WRONG}[{reference_kind(evidence)}]"


def way_out(rule: str, fact: str = "") -> str:
    """Returns the advice that a message gives about a finding of the rule `rule`. `fact` is the
    fact in the message, which begins with the reference. The advice does not propose `path::name`
    if the sentence already cites `path::name`."""
    if rule == f"{WRONG}[{CHANGED}]" and "::" in fact.partition(": ")[0]:
        return _DEFINITION_CHANGED
    kind = rule.partition("[")[2].rstrip("]")
    if not kind:
        return EVERY_RULE[family(rule)].way_out
    gone = kind in ("path", "command", "flag", "symbol") and is_removed(fact)
    return _REMOVED if gone else WAYS_OUT[kind]


def is_removed(fact: str) -> bool:
    """Returns whether the fact in a message names the change that removed something."""
    return _GONE.search(fact) is not None


def family(rule: str) -> str:
    """Returns a rule id without the kind in brackets: `refuted-citation` for
    `refuted-citation[path]`."""
    return rule.partition("[")[0]


def severity_of(rule: str, tier: int = 0) -> Severity:
    """Returns the severity of a finding of the rule `rule` about a claim in the tier `tier`. Tier 0
    means the default tier of the rule. In tier 3 (blocked) every finding is an error. A finding is
    a warning if its rule blocks by default and a policy moved the rule to tier 2 (review)."""
    if tier == 3:
        return "error"
    name, _, kind = rule.partition("[")
    if tier == 2 and EVERY_RULE[name].tier != 2 and EVERY_RULE[name].severity == "error":
        return "warning"
    if name == WRONG and kind and kind.rstrip("]") not in STOPPING:
        return "warning"
    return EVERY_RULE[name].severity
