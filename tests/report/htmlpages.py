"""Makes reports for the tests of the HTML report: small, of hostile texts, of 10,000 claims."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from grounded_ingest.model.claims import (
    CitationKind,
    Claim,
    Decision,
    DocClass,
    Evidence,
    Finding,
    MemoryType,
    Operation,
    Place,
    Problem,
    Source,
    Tier,
    Verdict,
)
from grounded_ingest.model.report import Report, Scope
from grounded_ingest.rules.registry import EVERY_RULE

TECH, NOTES = "memory-bank/tech.md", "docs/notes.md"


def placed(
    text: str, line: int, path: str = TECH, section: str = "Tech > Limits", **typed: Any
) -> Place:
    identity = f"{sum(map(ord, text)) % 2**32:08x}{line:08x}"
    claim = Claim(identity, text, text, section, 0, line, 1, line, line, **typed)
    return Place(path, DocClass.MEMORY, claim)


def decided(rule: str, at: Place, *cited: Evidence, found: tuple[Finding, ...] = ()) -> Decision:
    other = found[0].other if found else None
    operation = Operation("UPDATE", other) if other else Operation()
    decision = Decision(at, Tier(EVERY_RULE[rule].tier), rule, Source.UNKNOWN, cited, found)
    return replace(decision, operation=operation)


def cited(
    quote: str = "",
    verdict: Verdict = Verdict.CONFIRMED,
    target: str = "src/limits.py:4",
    said: str = "",
) -> Evidence:
    return Evidence(CitationKind.PATH, target, verdict, said, "0" * 16, quote, line=4)


EVENT = {"memory_type": MemoryType.EPISODIC, "cues": ("past tense", "log")}


def small() -> Report:
    """Returns a report of two documents: three errors (a wrong line, a denying update, an
    unreadable document), two notes, and a claim of each tier."""
    older = placed("Uploads are limited to 20 MB.", 3, NOTES, "Notes")
    decisions = (
        decided("proved", placed("The port is in `src/limits.py:1`.", 3), cited("PORT = 8443")),
        decided(
            "ungrounded",
            placed("Invoices are rounded once.", 5, **EVENT),
            Evidence(CitationKind.ADR, "ADR-003", Verdict.CONFIRMED, own=False),
        ),
        decided(
            "refuted-citation",
            placed("The pool keeps 40 connections (`src/limits.py:40`).", 7),
            cited("", Verdict.REFUTED, "src/limits.py:40", "src/limits.py has 20 lines"),
        ),
        decided(
            "conflicting-update",
            placed("Uploads are limited to 50 MB.", 9, section="Tech > Uploads"),
            Evidence(
                CitationKind.URL, "https://example.org/pool", Verdict.UNKNOWN, "no server was asked"
            ),
            found=(Finding("conflicting-update", "It states another value.", "50 MB", older, 0.9),),
        ),
        decided("ungrounded", older),
    )
    problems = (
        Problem(NOTES, 9, "unused-ignore", "ignore[speculation] suspends nothing"),
        Problem("memory-bank/latin.md", 1, "unreadable", "not UTF-8: byte 4", int(Tier.BLOCK)),
        Problem("", 0, "scope", "judged against main"),
    )
    return Report(Scope("all", "a" * 40, online=False), decisions, problems, 2)


ATTACKS = (
    "</script><script>window.harmed = 1</script>",
    "<script>window.harmed = 2</script><!--<script>",
    "<img src=http://127.0.0.1:9/x onerror='window.harmed = 3'>",
    '"><svg onload="window.harmed = 4"><style>*{display:none}</style>',
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'><base href=http://127.0.0.1:9/>",
    "javascript:window.harmed=5 `<b>` [x](javascript:window.harmed=6) ]]> -->",
    "{{data}} {{script}} ${window.harmed = 7} __proto__ constructor",
    "safe\u202etxt.exe\u2066 a\u200bb\u2069 \u00ad\ufeff\U000e0041 \0 \x1b[31m \ud83d",
)
HIDING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f\u00ad\u200b\u202a-\u202e\u2066-\u2069\ufeff\U000e0041]"
)


def hostile() -> Report:
    """Returns every attack in every place where text of someone else comes in."""
    decisions, problems = [], []
    for line, text in enumerate(ATTACKS, 1):
        at = placed(text, line, f"docs/{text}.md", f"Top > {text}")
        wrong = cited(text, Verdict.REFUTED, text, text)
        found = (Finding("speculation", text, text, at, 0.5), Finding("repeat", text, text, at))
        decisions.append(decided("speculation", at, wrong, found=found))
        decisions.append(
            decided(
                "cited",
                placed(f"x {text}", line, text, text),
                cited(text, Verdict.UNKNOWN, text, text),
            )
        )
        problems.append(Problem(text, line, "scope", text, line % 4))
    scope = Scope("range", ATTACKS[0], ATTACKS[2], ATTACKS[1], ATTACKS[7])
    return Report(scope, tuple(decisions), tuple(problems), len(decisions))


def many(claims: int = 10_000) -> Report:
    """Returns a large report: 100 documents, ten sections each, a wrong reference in each third
    claim."""
    decisions = []
    for n in range(claims):
        path, section = f"docs/part-{n % 100:02d}.md", f"Part > Section {n // 100 % 10}"
        at = placed(
            f"Component {n} keeps {n % 97} connections and waits {n % 13} seconds before it gives up.",
            n // 100 + 3, path, section,
        )  # fmt: skip
        if n % 3:
            decisions.append(decided("ungrounded", at))
        else:
            wrong = cited("", Verdict.REFUTED, f"src/c{n}.py:4", f"src/c{n}.py has 3 lines")
            decisions.append(decided("refuted-citation", at, wrong))
    return Report(Scope("all", "a" * 40), tuple(decisions), (), 100)
