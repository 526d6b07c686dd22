"""A baseline does not accept a reference only because a server did not answer."""

from __future__ import annotations

import pytest
from sample import PROGRESS, decision, place

from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.model.report import Report, Scope
from grounded_ingest.report.findings import list_findings
from grounded_ingest.report.selection import baseline_entries


@pytest.mark.parametrize(
    ("verdict", "network", "rules"),
    [
        (Verdict.UNKNOWN, True, []),
        (Verdict.UNKNOWN, False, ["unknown-reference"]),
        (Verdict.REFUTED, True, ["refuted-citation[url]"]),
    ],
)
def test_only_what_a_server_did_not_answer_is_left_out(
    verdict: Verdict, network: bool, rules: list[str]
) -> None:
    """The next offline check reported the entries of unanswered URLs as unused."""
    asked = Evidence(CitationKind.URL, "https://example.org/", verdict, "", network=network)
    claims = (decision("ungrounded", place(PROGRESS, "Invoices are rounded.", 4), asked),)
    found = list_findings(Report(Scope("all"), claims, documents=1, strict=True))
    entries = baseline_entries(e for e in found if "[" in e.rule or e.rule == "unknown-reference")
    assert [e.rule for e in entries] == rules
