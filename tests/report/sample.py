"""One report with everything that a format has to write, and the same one with hostile texts."""

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
    Tier,
    Verdict,
)
from grounded_ingest.model.report import Report, Scope
from grounded_ingest.rules.registry import EVERY_RULE

PROGRESS, MANUAL = "memory-bank/progress.md", "docs/manual, part 1.md"


def place(
    path: str, text: str, line: int, *, ordinal: int = 0, section: str = "", nothing: str = ""
) -> Place:
    identity = f"{sum(map(ord, text)):016x}"
    claim = Claim(
        identity, text, text, section=section, ordinal=ordinal, line=line, column=3,
        end_line=line + len(text) // 90, block=line, cues=("present tense",),
        nothing=nothing,
    )  # fmt: skip
    return Place(path, DocClass.MEMORY, claim)


def decision(
    rule: str, at: Place, *evidence: Evidence, words: str = "", changed: bool = True
) -> Decision:
    """Returns a decision by that rule; with `words` a detector found it."""
    found = (Finding(rule, "The author is guessing.", words),) if words else ()
    tier = Tier(EVERY_RULE[rule].tier)
    return Decision(at, tier, rule, Source.UNKNOWN, evidence, found, changed)


def report(
    claim: str = "Invoices are rounded once, at the end.",
    path: str = PROGRESS,
    section: str = "Progress > Payments",
    cited: str = "src/settings.py:40",
    said: str = "src/settings.py has 3 lines",
    branch: str = "origin/main",
) -> Report:
    """Returns the shared report; each argument is text that someone else wrote.

    3 errors (a guess, a wrong line of a file, a removed source), 3 warnings (what the judge denies,
    a wrong name, a document that cannot be read), a note; a claim of each tier; equal claims.
    """
    holds = Evidence(
        CitationKind.PATH, "src/settings.py:2", Verdict.CONFIRMED, "it exists", "0123456789abcdef",
        "GATEWAY_PORT = 8443", line=2, proves=True,
    )  # fmt: skip
    gone = Evidence(CitationKind.SYMBOL, "open_gate", Verdict.REFUTED, "removed in 97b300c")
    wrong = Evidence(CitationKind.PATH, cited, Verdict.REFUTED, said)
    denied = Evidence(
        CitationKind.ADR, "ADR-003", Verdict.CONFIRMED, "PostgreSQL, not MySQL",
        quote="The ledger is kept in PostgreSQL.", network=True, judged="contradicted",
    )  # fmt: skip
    unknown = Evidence(CitationKind.URL, "https://example.org/", Verdict.UNKNOWN, "not asked")
    decisions = (
        decision("proved", place(path, "`PORT` is in `src/settings.py:2`.", 3), holds),
        decision("ungrounded", place(path, claim, 4, section=section), unknown),
        decision("refuted-citation", place(path, f"{claim} Up to 20 MB.", 5, section=section), wrong, gone),
        decision("ungrounded", place(path, claim, 6, ordinal=1, section=section)),
        decision("ungrounded", place(path, "Nothing of this change.", 7), changed=False),
        decision("nothing-to-check", place(path, "Never commit secrets.", 8, nothing="instruction")),
        decision("speculation", place(path, f"I think {claim}", 9), words=f"I think {claim}"[:40]),
        decision("judge-denies", place(MANUAL, " ".join(["The ledger is kept in MySQL."] * 8), 12), denied),
    )  # fmt: skip
    problems = (
        Problem("docs/latin.md", 1, "unreadable", "not UTF-8: byte 4", int(Tier.REVIEW)),
        Problem("", 0, "scope", f"judged against {branch}"),
        Problem(path, 14, "refuted-citation[path]", f"{cited} is removed"),
    )
    scope = Scope(
        "range", "a" * 40, "b" * 40, f"merge base of {branch} and HEAD", f"{branch}..HEAD"
    )
    return Report(scope, decisions, problems, documents=2)


def big(claims: int) -> Report:
    """Returns a report with that many errors, and as many warnings."""
    decisions = []
    for number in range(claims):
        at = place(PROGRESS, f"Value {number} is kept.", number + 1)
        denied = Evidence(
            CitationKind.ADR, "ADR-003", Verdict.CONFIRMED, f"not {number}", judged="contradicted"
        )
        guess = place(MANUAL, f"I think {number}.", number + 1)
        decisions.append(decision("judge-denies", at, denied))
        decisions.append(decision("speculation", guess, words=f"I think {number}"))
    return Report(Scope("all"), tuple(decisions), documents=2)
