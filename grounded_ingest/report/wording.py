"""The words of a decision."""

from __future__ import annotations

from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import CitationKind, Decision, Evidence, Support, Verdict
from grounded_ingest.rules.registry import RULES

_NOTHING = {
    "instruction": "It asks for something.",
    "plan": "It is a plan.",
    "history": "It tells of work that was done.",
    "label": "It only names something.",
}


def cause(decision: Decision) -> str:
    """The words or the citation that decided."""
    finding = decision.deciding
    if decision.rule == "nothing-to-check":
        return _NOTHING.get(decision.place.claim.nothing, "")
    if finding is not None:
        said = f"“{finding.words}”: {finding.message}" if finding.words else finding.message
        return printable(said, 300)
    cited = [e for e in decision.own_evidence if _decided(e, decision.rule)]
    return "; ".join(printable(_cited(e), 200) for e in cited)


def _decided(evidence: Evidence, rule: str) -> bool:
    """Whether a citation is of those that a rule of citations goes by."""
    match rule:
        case "refuted-citation":
            return evidence.verdict is Verdict.REFUTED
        case "unverified-citation":
            return evidence.verdict is Verdict.UNKNOWN
        case "verified-citation":
            return evidence.verdict is Verdict.CONFIRMED
        case "contradicted-by-source":
            return evidence.support is Support.CONTRADICTED
        case "unsupported":
            return evidence.support is Support.UNSUPPORTED and evidence.grounds
        case _:
            return False


def _cited(evidence: Evidence) -> str:
    quote = f"“{evidence.quote}”" if evidence.quote else ""
    said = evidence.reason or quote or "it exists"
    if quote and evidence.support is Support.CONTRADICTED:
        said = f"{quote}: {said}"
    file, hash_, _ = evidence.target.partition("#")
    if file and hash_ and said.startswith(file):
        return said
    commit = evidence.kind is CitationKind.COMMIT
    return f"{evidence.target[:12] if commit else evidence.target}: {said}"


def reason(decision: Decision) -> str:
    """One sentence for people: what the rule says, and what decided here."""
    what = RULES[decision.rule].summary
    why = cause(decision)
    return f"{what} {why}" if why else what


def source_id(decision: Decision) -> str:
    """The source behind a claim: `ADR-003`, `commit:a1b2c3d`, `path:src/x.py:12`, a URL."""
    cited = [e for e in decision.own_evidence if e.verdict is Verdict.CONFIRMED]
    if not cited:
        return ""
    first = next((e for e in cited if e.grounds), cited[0])
    match first.kind:
        case CitationKind.ADR:
            return first.target
        case CitationKind.URL:
            return first.target
        case CitationKind.COMMIT:
            return f"commit:{first.target[:12]}"
        case CitationKind.ISSUE:
            return f"issue:{first.target.lstrip('#')}"
        case kind:
            return f"{kind}:{first.target}"
