"""Records kept as headings of a decision log, and texts that may cite decisions that ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo, adr, ask, ask_each

from grounded_ingest.model.claims import Verdict

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN

LOG = """# Decisions

## ADR-0004: Use Redis

**Status:** Accepted

### Context

The status of the old queue is rejected.

## ADR-5 — Use files

Status: superseded by ADR-4

### Status quo

None.

## ADR-0006 follow-up

Nothing was decided.

```
## ADR-0007: Shown in a sample
```

## 8. A chapter
"""
DECISIONS = (
    "# Log\n\n### Decision 12\n\nRows are kept.\n\n### Decision 13: superseded rows\n\nNone.\n"
)


def _repo(directory: Path, files: Files) -> Repo:
    repo = Repo(directory)
    repo.commit(files)
    return repo


@pytest.mark.parametrize("name", ["DECISIONS.md", "docs/decisions.md", "docs/adr.md"])
def test_a_heading_of_a_log_is_a_record(tmp_path: Path, name: str) -> None:
    none = {number: (R, f"no ADR {number} in {name}") for number in "678"}
    wants = {"4": (C, ""), "0004": (C, ""), "5": (R, "superseded by ADR-4"), **none}
    every = ask_each(_repo(tmp_path, {name: LOG}), map(adr, wants))
    for (number, (verdict, said)), found in zip(wants.items(), every, strict=True):
        assert found is not None
        assert found.verdict is verdict, number
        assert said in found.reason


@pytest.mark.parametrize(
    ("files", "number", "verdict"),
    [
        # A log of plain decisions resolves a number, and does not say that there are no others.
        ({"docs/decisions.md": DECISIONS}, "12", C),
        ({"docs/decisions.md": DECISIONS}, "14", U),
        # No records at all.
        ({"README.md": "# A\n\n## ADR-0004: Elsewhere\n"}, "5", U),
        # A log beside a directory: a number may be in either.
        ({"DECISIONS.md": LOG, "docs/adr/0001-a.md": "# a\n"}, "1", C),
        ({"DECISIONS.md": LOG, "docs/adr/0001-a.md": "# a\n"}, "4", C),
        ({"DECISIONS.md": LOG, "docs/adr/0001-a.md": "# a\n"}, "2", R),
        ({"DECISIONS.md": LOG, "docs/decisions.md": LOG}, "4", U),
        # The log of a fixture is nobody's record.
        ({"tests/fixtures/DECISIONS.md": LOG}, "9", U),
    ],
)
def test_which_log_is_meant(tmp_path: Path, files: Files, number: str, verdict: Verdict) -> None:
    found = ask(_repo(tmp_path, files), adr(number))
    assert found is not None
    assert found.verdict is verdict, found


ENDED = "# 7. Fans\n\nStatus: superseded by ADR-9\n"
RECORDS: Files = {
    "docs/adr/0003-c.md": "# 3. Cats\n\nStatus: accepted\n",
    "docs/adr/0007-fans.md": ENDED,
    "docs/adr/0008-belts.md": "# 8. Belts\n\nStatus: accepted\n\nFans run (ADR-7).\n",
    "docs/adr/0009-names.md": "# 9. Names\n\nStatus: accepted\n",
    "packages/press/docs/adr/0003-press.md": "# 3. Press\n\nStatus: superseded by 4\n",
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return _repo(tmp_path_factory.mktemp("records"), RECORDS)


SAID = (
    ("Fans run at night (ADR 7).", R),
    ("Fans run at night (ADR 7); ADR 3 is superseded.", R),
    ("ADR 3, not superseded, says so, as ADR 7 does.", R),
    ("ADR 7 is superseded.", U),
    ("The superseded ADR 7 had fans.", U),
    ("number: ADR 7; title: Fans; state: Superseded", U),
    ("ADRs 7 and 9 are about fans.", U),
)


def test_a_sentence_that_says_the_end_is_right(repo: Repo) -> None:
    found = {said: ask(repo, adr("7"), said=said) for said, _ in SAID}
    assert {said: e.verdict for said, e in found.items() if e} == dict(SAID)


CITING = (
    ("docs/adr/0008-belts.md", "7", U),  # a record cites what held when it was written
    ("docs/plans/belts.md", "7", U),
    ("docs/guide.md", "7", R),
    ("docs/adr/0008-belts.md", "99", R),  # a number that never was is wrong anywhere
    ("packages/press/AGENTS.md", "3", R),
    ("packages/press/AGENTS.md", "9", C),
    ("AGENTS.md", "3", C),
)


def test_the_document_decides(repo: Repo) -> None:
    for document, number, verdict in CITING:
        found = ask(repo, adr(number), document=document)
        assert found is not None
        assert found.verdict is verdict, (document, number)
