"""What of a repository contradicts a claim, and what only looks as if it did: each false case is of
a kind that stopped true commits of real repositories."""

from __future__ import annotations

import pytest

from grounded_ingest.language.reading import uncited
from grounded_ingest.model.claims import Support
from grounded_ingest.support.claim_view import claim_view, heads, keeps_books, only_points
from grounded_ingest.support.excerpt import adr_excerpt, cited_lines, commit
from grounded_ingest.support.verdict import judge

C = Support.CONTRADICTED


def recorded(text: str, title: str = "Provisioning") -> str:
    return f"# {title}\n\nStatus: accepted\n\n## Decision\n\n{text}\n"


def said_of(claim: str, text: str) -> Support:
    return judge(claim, adr_excerpt("docs/adr/0007-provisioning.md", recorded(text))).support


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # the head of a document speaks of that document
        (
            "Status: Accepted Date: 2026-03-07 Decision Makers: Ada, the board Related:",
            "**Status:** Accepted **Date:** 2025-12-13 **Decision Makers:** the board",
        ),
        (
            "Status: Accepted Date: 2026-03-07 Owners: the board Version: 1.4 (sync)",
            "Status: Accepted Date: 2026-03-07 Owners: the board Version: 6.3 (sync)",
        ),
        # a cell that is a number: its column says what it counts
        (
            "Component: usage tracker; Status: Implemented; Tests: 8; Location: extensions",
            "| Phase 2 | usage tracker, audit logger (58 tests) | extensions implemented |",
        ),
        # a denial of something else in the same sentence
        (
            "The web server becomes platform infrastructure rather than a detail of one tool.",
            "The web server becomes platform infrastructure, not a detail of the upload tool.",
        ),
        (
            "The hook warns (does not block) when pushed commits lack an issue number.",
            "The hook warns when pushed commits lack an issue number.",
        ),
        (
            "The card runs on the development machine before first boot.",
            "The card runs on the development machine and has NOT booted yet.",
        ),
        # an opposite that is only a part of a name
        (
            "Enable the review gate to skip the chairman step.",
            "`review_gate_disabled=true` skips the chairman step of the review gate.",
        ),
        # two denials, split by a claim's clauses; a condition
        (
            "Choices that cannot work are refused, not stored.",
            "Choices that cannot work are refused, not stored (plan T4).",
        ),
        ("Values are read at start; no redeploy needed.", "Run this and redeploy if needed."),
        # a clause of a long story
        (
            "All five defects are built: the folder listing is scoped, mail deletions go through the "
            "queue with receipts, rollback refuses honestly, throttling is kept per domain, and the "
            "index gained a command of its own for operators.",
            "The folder listing is not scoped.",
        ),
        # one of several numbers of the kind
        (
            "The release adds the queue adapter in v0.8.0.",
            "The release adds the queue adapter in v0.5.0.\n\n"
            "The release adds the queue adapter again in v0.6.0.",
        ),
    ],
)
def test_what_looks_like_a_contradiction(claim: str, text: str) -> None:
    assert said_of(claim, text) is not C


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Sessions are kept for 7 days.", "Sessions are kept for 14 days."),
        ("The web server is part of the platform.", "The web server is not part of the platform."),
        ("The review gate is enabled for drafts.", "The review gate is disabled for drafts."),
        ("Drafts must pass the review gate.", "Drafts may pass the review gate."),
    ],
)
def test_what_is_one(claim: str, text: str) -> None:
    assert said_of(claim, text) is C


def test_most_of_a_sentence_has_to_agree_before_its_number_contradicts() -> None:
    text = "Sessions are kept for 14 days in the archive of the second region after each audit."
    assert said_of("Sessions are kept for 7 days.", text) is Support.UNSUPPORTED


def test_a_value_in_code_contradicts_by_its_whole_name() -> None:
    source = cited_lines("config.py", "REQUEST_TIMEOUT_SECONDS = 30\n", 1, 1, code=True)
    assert judge("A request times out after 90 seconds.", source).support is C


@pytest.mark.parametrize(
    "text",
    ["Bias (ADR-015/018)", "Bias (ADR-015, 018 and 020)", "Bias (ADR-015 to 018)"],
)
def test_numbers_of_decisions_are_citations_in_lists_too(text: str) -> None:
    assert not claim_view(uncited(text)).amounts


def test_a_number_behind_a_decision_is_none_of_them() -> None:
    assert [a.text for a in claim_view(uncited("ADR-3 and 120 users")).amounts] == ["120 users"]


def test_heads_and_cells_keep_books() -> None:
    assert heads("**Status:** accepted **Date:** 2025-12-13")
    assert not heads("Status: the queue is bounded.")
    row = claim_view("Component: tracker; Tests: 8; Timeout: 30 seconds per request")
    alone = {a.text: keeps_books(a, row.reading.text) for a in row.amounts}
    assert alone == {"8": True, "30 seconds": False}


def test_a_denial_is_no_pointer() -> None:
    assert only_points(claim_view("The decisions were recorded."))
    assert not only_points(claim_view("The decisions were not recorded."))
    text = recorded("Decisions are recorded as files.", "1. Record decisions")
    source = adr_excerpt("docs/adr/0001-record-decisions.md", text)
    assert judge("The decisions were not recorded.", source).support is Support.UNSUPPORTED


def test_a_commit_denies_only_where_it_speaks_of_the_claim() -> None:
    diff = "--- src/health.py\n+def health():\n+    return ok\n--- src/other.py\n+if not ready:\n"
    source = commit("Add the health endpoint", ("src/health.py", "src/other.py"), diff)
    assert judge("The health endpoint was not added.", source).support is not Support.SUPPORTED
