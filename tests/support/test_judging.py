"""What a source says of a claim: the worked examples of the design, and what each rule is for."""

from __future__ import annotations

import pytest

from grounded_ingest.model.claims import Support
from grounded_ingest.support.excerpt import (
    adr_excerpt,
    cited_lines,
    commit,
    section_excerpt,
    whole_file,
)
from grounded_ingest.support.source import SourceText
from grounded_ingest.support.verdict import judge

CONFIG = '''\
"""Settings of the courier service."""

HOST = "0.0.0.0"
PORT = 8443
METRICS_PORT = 9102
REQUEST_TIMEOUT_SECONDS = 30
MAX_RETRIES = 5
'''
ADR = """\
# 6. Sessions in PostgreSQL

Status: accepted

## Considered options

Redis keeps sessions for 7 days.

## Decision

Sessions are kept in PostgreSQL for 14 days.

## Related

- ADR-0012 Event log for deliveries
"""
S, U, C = Support.SUPPORTED, Support.UNSUPPORTED, Support.CONTRADICTED
POINTS = Support.NOTHING_TO_COMPARE
PAYMENT = "Payment is due in 30 days. The confidentiality obligation lasts 3 years."


@pytest.mark.parametrize(
    ("claim", "source", "expected"),
    [
        # the examples of the design
        ("The late fee is 5%.", "A late fee of 1.5% per month is charged.", C),
        (
            "Payment is due within 30 days.",
            "Payment is made within thirty (30) days of receipt.",
            S,
        ),
        ("Payment is due in 30 days.", PAYMENT, S),
        ("Confidentiality lasts 3 years.", PAYMENT, S),
        # units convert, topics do not
        ("A request times out after 1 minute.", "Requests time out after 60 seconds.", S),
        ("The request timeout is 90 seconds.", "The request timeout is 1 minute.", C),
        ("The API has a timeout of 30 seconds.", "The worker has a timeout of 60 seconds.", U),
        # obligations, negations, conditions
        ("Clients must use TLS.", "Clients may use TLS.", C),
        ("The supplier may terminate.", "The supplier must not terminate.", C),
        ("The queue is bounded.", "The queue is not bounded.", C),
        ("The queue is not bounded.", "The queue is not bounded.", S),
        ("Guests may read the archive.", "Guests may read the archive, unless it is sealed.", C),
        ("Guests may read it, unless sealed.", "Guests may read it, unless sealed.", S),
        ("Backups are optional.", "Backups are required.", C),
        # names
        ("Sessions are kept in Redis.", "Sessions are kept in PostgreSQL.", C),
        ("Sessions are kept in Postgres.", "Sessions are kept in PostgreSQL.", S),
        ("Sessions are kept in Redis.", "Ana likes tea.", U),
        # false halves
        ("The queue is bounded, and the cache expires daily.", "The queue is bounded.", U),
        ("The queue is bounded; every parcel has a weight.", "The queue is bounded.", U),
        # pointers
        ("Fixed in commit abc1234.", "Anything.", POINTS),
        ("See ADR-3.", "Anything.", POINTS),
    ],
)
def test_prose(claim: str, source: str, expected: Support) -> None:
    from grounded_ingest.language.reading import uncited

    assert judge(uncited(claim), SourceText("text", source)).support is expected


@pytest.mark.parametrize(
    ("claim", "line", "expected"),
    [
        ("The service listens on port 8443.", 4, S),
        ("The service listens on port 9102.", 4, U),
        ("The port is 3000.", 4, C),
        ("A request times out after 30 seconds.", 6, S),
        ("A request times out after 30 minutes.", 6, C),
        ("There are at most 5 retries.", 7, S),
        ("There are at least 5 retries.", 7, U),
        ("There are at most 15 retries.", 7, U),
        # a value that is no bound
        ("The port is at most 8443.", 4, U),
        ("The port is at least 8443.", 4, U),
        # what the line is silent of
        ("A delivery is retried at most 5 times.", 7, U),
        ("Sessions are kept in Redis.", 7, U),
    ],
)
def test_lines_of_code(claim: str, line: int, expected: Support) -> None:
    source = cited_lines("src/courier/config.py", CONFIG, line, line, code=True)
    assert judge(claim, source).support is expected


@pytest.mark.parametrize(
    ("claim", "strict"),
    [
        ("The port is 8443.", True),
        ("The metrics port is 9102.", True),
        ("The port 8443 is retried 5 times.", False),
        ("The host of the port is 8443 parcels.", False),
    ],
)
def test_only_one_line_or_definition_is_strict(claim: str, strict: bool) -> None:
    source = whole_file("src/courier/config.py", CONFIG.replace("\n", "\n\n"), code=True)
    assert judge(claim, source).strict is strict


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Sessions are kept in PostgreSQL for 14 days.", S),
        ("Sessions are kept in Redis for 7 days.", U),
        ("An event log is kept for deliveries.", U),
    ],
)
def test_a_decision_bears_out_what_it_decides(claim: str, expected: Support) -> None:
    assert judge(claim, adr_excerpt("docs/adr/0006-sessions.md", ADR)).support is expected


DIFF = "+++ b/src/api.py\n@@ -1 +1 @@\n+def health() -> dict:\n+    return {}\n-OLD_LIMIT = 7\n"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The HTTP endpoints were added.", S),
        ("The `health` function was added.", S),
        ("The health endpoint was added.", U),  # neither message nor line says so
        ("The payment gateway was removed.", U),
        ("The old limit is 7.", U),
    ],
)
def test_a_commit_bears_out_what_it_did(claim: str, expected: Support) -> None:
    source = commit("Add HTTP endpoints", ("src/api.py",), DIFF)
    assert judge(claim, source).support is expected


def test_the_quote_has_its_place() -> None:
    judged = judge("The port is 8443.", whole_file("config.py", CONFIG, code=True))
    assert (judged.quote, judged.line, judged.end_line) == ("PORT = 8443", 4, 4)


def test_what_differs_is_said() -> None:
    judged = judge("The late fee is 5%.", SourceText("text", "The late fee is 1.5%."))
    assert judged.differs == "the source says 1.5%, the claim 5%"


def test_a_definition_is_read_to_its_end() -> None:
    text = "def deliver(payload):\n    if not payload:\n        return 422\n    return 202\n"
    source = cited_lines("src/api.py", text, 1, 1, code=True)
    assert source.cited == (1, 4)
    assert judge("Deliver answers an empty payload with 422.", source).support is S


def test_a_section_ends_where_the_next_begins() -> None:
    found = section_excerpt(
        "docs/a.md",
        "# A\n\n## Ports used\n\n```sh\n# a comment\n```\n\nPort 1.\n\n## Other\n\nPort 2.\n",
        "ports-used",
    )
    assert found is not None
    assert "Port 1." in found.text
    assert "Port 2." not in found.text
    assert section_excerpt("docs/a.md", "# A\n", "none") is None
