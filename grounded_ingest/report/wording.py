"""Puts decisions and references into words."""

from __future__ import annotations

from grounded_ingest.model.claims import CitationKind, Decision, Evidence, Verdict
from grounded_ingest.rules.registry import RULES
from grounded_ingest.text.printable import printable

_NOTHING = {
    "instruction": "It asks for something.",
    "plan": "It is a plan.",
    "history": "It tells of work that was done.",
    "label": "It only names something.",
    "reference": "It is no statement; only its references are looked up.",
}


def cause(decision: Decision) -> str:
    """Returns the words or the references that decided; nothing where the rule says it all."""
    finding = decision.deciding
    if decision.rule == "nothing-to-check":
        return _NOTHING.get(decision.place.claim.nothing, "")
    if finding is not None:
        said = f"“{finding.words}”: {finding.message}" if finding.words else finding.message
        return printable(said, 300)
    return "; ".join(of_reference(e) for e in decision.own_evidence if _decided(e, decision.rule))


def _decided(evidence: Evidence, rule: str) -> bool:
    match rule:
        case "refuted-citation":
            return evidence.verdict is Verdict.REFUTED
        case "judge-denies":
            return evidence.judged == "contradicted"
        case _:
            return False


def of_reference(evidence: Evidence) -> str:
    """Returns a reference and the answer to it in one line."""
    quoted = f"“{evidence.quote}”" if evidence.quote else ""
    said = evidence.reason or quoted or "it exists"
    if evidence.judged == "contradicted" and quoted:
        said = f"{quoted}; {said}" if evidence.reason else quoted
    file, hash_, _ = evidence.target.partition("#")
    named = bool(file and hash_) and said.startswith(file)
    if named or (evidence.reason and evidence.kind is CitationKind.COMMAND):
        return printable(said, 200)
    commit = evidence.kind is CitationKind.COMMIT
    return printable(f"{evidence.target[:12] if commit else evidence.target}: {said}", 200)


def reason(decision: Decision) -> str:
    """Returns one sentence for people: what the rule says, and what decided here."""
    what = RULES[decision.rule].summary
    why = cause(decision)
    return f"{what} {why}" if why else what


def source_id(decision: Decision) -> str:
    """Returns the source behind a claim: `ADR-003`, `commit:a1b2c3d`, `path:src/x.py:12`, a URL."""
    first = next((e for e in decision.own_evidence if e.verdict is Verdict.CONFIRMED), None)
    if first is None:
        return ""
    match first.kind:
        case CitationKind.ADR | CitationKind.URL:
            return first.target
        case CitationKind.COMMIT:
            return f"commit:{first.target[:12]}"
        case CitationKind.ISSUE:
            return f"issue:{first.target.lstrip('#')}"
        case kind:
            return f"{kind}:{first.target}"
