"""What of a claim is compared: statements are, book-keeping, examinations and pointers are not."""

from __future__ import annotations

import pytest

from grounded_ingest.model.claims import Support
from grounded_ingest.support.claim_view import claim_view, only_points, statement
from grounded_ingest.support.excerpt import adr_excerpt, commit, whole_file
from grounded_ingest.support.source import SourceText
from grounded_ingest.support.verdict import judge

S, U, C = Support.SUPPORTED, Support.UNSUPPORTED, Support.CONTRADICTED
GUIDE = whole_file(
    "docs/docker.md", "# Running in Docker\n\nUse `docker run`.\n\n## Limits\n\nNone.\n", code=False
)
LABELS = whole_file("docs/labels.md", "# Labels\n\nLabels are printed by Docker.\n", code=False)
CHANGE = commit(
    "Harden the queue against double delivery",
    ("courier/queue.py",),
    "+++ b/courier/queue.py\n@@ -1 +1,2 @@\n-items = []\n+items = deque()\n+seen = set()\n",
    ("2026-02-07T15:27:04-05:00",),
)


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ("Finding: The queue leaks; Severity: High; Status: open", "; The queue leaks"),
        ("Finding: The queue leaks; Owner: Ana", "; The queue leaks"),
        ("Finding: The queue leaks; Effort: 3 days", "; The queue leaks; 3 days"),
        ("Severity: High; Status: open", "; High;  open"),
        ("The queue leaks; the cache does not.", "The queue leaks; the cache does not."),
    ],
)
def test_cells_that_keep_books_are_left_out_but_numbers_stay(row: str, kept: str) -> None:
    assert " ".join(statement(row).split()) == " ".join(kept.split())


def test_a_row_is_judged_by_what_it_states() -> None:
    source = "The queue is bounded."
    assert (
        judge("Finding: The queue is bounded; Severity: High", SourceText("text", source)).support
        is S
    )
    assert (
        judge("Finding: The cache is bounded; Severity: High", SourceText("text", source)).support
        is U
    )


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Verified against the live code at .", True),
        ("Verified against 12 findings at .", False),  # a number could be false
        ("The queue was verified to be bounded.", False),
        # What is examined is something else than the source.
        ("Addresses are checked against the national register.", False),
        ("Addresses are not checked against the national register.", False),
        ("Not verified against the live code at .", False),
        ("Superseded by .", True),
    ],
)
def test_examinations_point(text: str, points: bool) -> None:
    assert only_points(claim_view(text)) is points


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("For complete Docker instructions, see .", GUIDE, S),
        ("Running in Docker is described in .", GUIDE, S),
        ("For complete Docker instructions, see .", LABELS, U),
        ("See the Kubernetes guide for details.", GUIDE, U),
    ],
)
def test_a_pointer_is_judged_by_name_and_headings(
    text: str, source: SourceText, expected: Support
) -> None:
    judged = judge(text, source)
    assert judged.support is expected
    assert not judged.strict


def test_a_record_is_cited_by_its_title() -> None:
    record = adr_excerpt(
        "docs/adr/0006-x.md", "# 6. Sessions in PostgreSQL\n\nWe use a small cache.\n"
    )
    assert judge(": Sessions in PostgreSQL", record).support is S
    assert judge(": Small cache", record).support is U


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Date: 2026-02-07; Lines: +2 / -1; Subject: harden the queue", S),
        ("Date: 2026-02-09; Lines: +2 / -1; Subject: harden the queue", U),
        ("Date: 2026-02-07; Lines: +7 / -1; Subject: harden the queue", U),
    ],
)
def test_a_commit_shows_its_date_and_size(claim: str, expected: Support) -> None:
    assert judge(claim, CHANGE).support is expected


ROWS = whole_file(
    "docs/queue.md",
    "# Queue\n\nThe queue leaks under load.\n\nDeliveries are retried.\n",
    code=False,
)


@pytest.mark.parametrize(
    ("claim", "support"),
    [
        # Labels and the first word of a cell are capitalised for that alone.
        ("Queue: leaks under load; Kind: Load", S),
        ("Retries Wanted: deliveries are retried", S),
        ("The queue leaks under load. Remedy: deliveries are retried", S),
        ("Queue: ✅ Leaks under load; Remedy: ❌ Retried deliveries", S),
        # A row's name in its own table.
        ("Risk: R-12; What: The queue leaks under load", S),
        ("Finding: F3; What: The queue leaks under load", S),
        # What the row is about is no name of the row.
        # A cell says something, and nobody licenses it.
        ("Queue: leaks under load; Kind: Required", U),
        ("Model: GPT-4; What: The queue leaks under load", U),
        ("Risk: R-12; What: The queue leaks under load of 7 jobs", U),
        # A name in the middle has to be there.
        ("Queue: leaks under load of Kafka", U),
        ("Kafka Streams leak under load; Kind: any", U),
        ("The queue leaks 在 Walrus under load", U),
    ],
)
def test_labels_and_row_ids_need_not_stand_in_the_source(claim: str, support: Support) -> None:
    assert judge(claim, ROWS).support is support
