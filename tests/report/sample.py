"""One report with everything a format has to write, and the same one with hostile texts."""

from __future__ import annotations

from grounded_ingest.model.claims import (
    CitationKind,
    Claim,
    Decision,
    DocClass,
    Evidence,
    Finding,
    Place,
    Problem,
    Source,
    Strength,
    Support,
    Tier,
    Verdict,
)
from grounded_ingest.model.report import Report, Scope
from grounded_ingest.rules.problems import EVERY_RULE

PROGRESS, MANUAL = "memory-bank/progress.md", "docs/manual, part 1.md"
QUOTE = "GATEWAY_PORT = 8443"


def place(
    path: str, text: str, line: int, *, ordinal: int = 0, section: str = "", nothing: str = ""
) -> Place:
    identity = f"{sum(map(ord, text)):016x}"
    claim = Claim(
        identity, text, text, section=section, ordinal=ordinal, line=line, column=3,
        end_line=line + len(text) // 90, block=line, cues=("present tense",), certainty=0.9,
        nothing=nothing,
    )  # fmt: skip
    return Place(path, DocClass.MEMORY, claim)


# As a policy on base may have it.
TIERS = {"contradicted-by-source": Tier.BLOCK}


def decision(
    rule: str, at: Place, *evidence: Evidence, words: str = "", changed: bool = True
) -> Decision:
    """A decision by that rule; words make it one of a detector."""
    found = (Finding(rule, "The author is guessing.", words),) if words else ()
    return Decision(
        at,
        TIERS.get(rule, Tier(EVERY_RULE[rule].tier)),
        rule,
        Source.UNKNOWN,
        evidence,
        found,
        changed,
    )


def report(
    claim: str = "Invoices are rounded once, at the end.",
    path: str = PROGRESS,
    section: str = "Progress > Payments",
    cited: str = "src/settings.py:40",
    said: str = "src/settings.py has 3 lines",
    branch: str = "origin/main",
) -> Report:
    """The shared report; each argument is text that someone else wrote."""
    confirmed = Evidence(
        CitationKind.PATH, "src/settings.py:2", Verdict.CONFIRMED, "it exists",
        Support.SUPPORTED, "0123456789abcdef", QUOTE, line=2, strength=Strength.MATCH,
    )  # fmt: skip
    refuted = Evidence(CitationKind.PATH, cited, Verdict.REFUTED, said)
    contrary = Evidence(
        CitationKind.ADR, "ADR-003", Verdict.CONFIRMED, "PostgreSQL, not MySQL",
        Support.CONTRADICTED, quote="The ledger is kept in PostgreSQL.",
    )  # fmt: skip
    decisions = (
        decision("verified-citation", place(path, "The gateway listens on port 8443.", 3), confirmed),
        decision("ungrounded", place(path, claim, 4, section=section)),
        decision("refuted-citation", place(path, f"{claim} Up to 20 MB.", 5, section=section), refuted),
        decision("ungrounded", place(path, claim, 6, ordinal=1, section=section)),
        decision("ungrounded", place(path, "Nothing of this change.", 7), changed=False),
        decision("nothing-to-check", place(path, "Never commit secrets.", 8, nothing="instruction")),
        decision("speculation", place(path, f"I think {claim}", 9), words=f"I think {claim}"[:40]),
        decision("contradicted-by-source", place(MANUAL, " ".join(["The ledger is kept in MySQL."] * 8), 12), contrary),
    )  # fmt: skip
    problems = (
        Problem(path, 0, "stale-sidecar", "the evidence is behind; run: grounded-ingest check --write"),
        Problem("docs/latin.md", 1, "unreadable", "not UTF-8: byte 4", int(Tier.REVIEW)),
        Problem("", 0, "scope", f"judged against {branch}"),
        Problem(path, 14, "lost-source", f"{cited} is removed"),
    )  # fmt: skip
    scope = Scope(
        "range", "a" * 40, "b" * 40, f"merge base of {branch} and HEAD", f"{branch}..HEAD"
    )
    return Report(scope, decisions, problems, documents=2, prose=400, covered=380)


def big(claims: int) -> Report:
    """A report with that many blocked claims, and as many that wait."""
    decisions = []
    for number in range(claims):
        decisions.append(
            decision("refuted-citation", place(PROGRESS, f"Value {number} is kept.", number + 1))
        )
        decisions.append(
            decision(
                "speculation", place(MANUAL, f"I think {number}.", number + 1), words="I think"
            )
        )
    return Report(Scope("all"), tuple(decisions), documents=2)
