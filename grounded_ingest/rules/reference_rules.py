"""The kinds of wrong references as rules (`refuted-citation[path]`), their severity and way out."""

from __future__ import annotations

from grounded_ingest.model.claims import CitationKind, Evidence
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.rule import Severity
from grounded_ingest.text.patterns import compiled

WRONG = "refuted-citation"
STOPPING = frozenset({
    "path", "link", "line", "anchor", "command", "flag", "version", "count", "import",
})  # fmt: skip
"""Kinds whose wrong references are errors. Each stopped at most 1 commit in 100 without need in a
replay of 1,086 commits; the other kinds are warnings until they do as well (docs/evaluation.md)."""
KINDS = (
    *sorted(STOPPING),
    "adr",
    "changed-line",
    "commit",
    "issue",
    "package",
    "symbol",
    "url",
    "variable",
)

_MISSING = "Name one that is there; if it is gone on purpose, say “removed `x`”."
WAYS_OUT = {
    "path": _MISSING, "link": _MISSING, "import": _MISSING, "command": _MISSING,
    "flag": _MISSING, "symbol": _MISSING, "variable": _MISSING, "package": _MISSING,
    "changed-line": "Read it; correct the sentence, or cite the definition: `path::name`.",
    "line": "Cite lines that are there, or the definition: `path::name`.",
    "anchor": "Link to a heading that is there.",
    "version": "Give the version that the manifest gives.",
    "count": "Give the number that the tree has.",
    "commit": "Cite a commit of this repository.",
    "adr": "Cite a decision that holds.",
    "issue": "Cite an issue that exists.",
    "url": "Link to a page that answers.",
}  # fmt: skip
"""The way out of a wrong reference, by its kind."""

CHANGED = "changed-line"
_LINES = compiled(r":\d+(?:-\d+)?$")


def reference_kind(evidence: Evidence) -> str:
    """Returns the kind of a reference: a path is a `link` if a Markdown link leads to it, a `line`
    if lines of it are cited, and a `changed-line` if other text took their place."""
    if evidence.note == CHANGED:
        return CHANGED
    if evidence.kind is not CitationKind.PATH:
        return evidence.kind.value
    if _LINES.search(evidence.target):
        return "line"
    return "link" if evidence.link else "path"


def reference_rule(evidence: Evidence) -> str:
    """Returns the id of the rule that reports a wrong reference: `refuted-citation[path]`."""
    return f"{WRONG}[{reference_kind(evidence)}]"


def way_out(rule: str) -> str:
    """Returns what to do about a finding of a rule."""
    kind = rule.partition("[")[2].rstrip("]")
    return WAYS_OUT.get(kind) or EVERY_RULE[family(rule)].way_out


def family(rule: str) -> str:
    """Returns a rule's id without its kind."""
    return rule.partition("[")[0]


def severity_of(rule: str, tier: int = 0) -> Severity:
    """Returns the severity of a rule's finding in a tier; tier 0 stands for the rule's default.

    In tier 3 every finding is an error. A rule that blocks by default and that a policy moved to
    tier 2 is a warning.
    """
    if tier == 3:
        return "error"
    name, _, kind = rule.partition("[")
    if tier == 2 and EVERY_RULE[name].tier != 2 and EVERY_RULE[name].severity == "error":
        return "warning"
    if name == WRONG and kind and kind.rstrip("]") not in STOPPING:
        return "warning"
    return EVERY_RULE[name].severity
