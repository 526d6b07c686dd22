"""What states nothing that can be found true or false, by form, type, headings and check boxes."""

from __future__ import annotations

import json

import pytest

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass


def told(text: str, section: str = "", path: str = "CLAUDE.md") -> str:
    """What is said of the last claim of a document."""
    page = f"# {section}\n\n{text}\n" if section else f"{text}\n"
    return extract(page.encode(), path, DocClass.MEMORY).claims[-1].nothing


NOTHING = [
    ("instruction", "", "Never commit secrets to the repository."),
    ("instruction", "", "When adding a route, write a test for it first."),
    ("instruction", "", "If nothing is found, stop and ask the user."),
    ("instruction", "", "Use dependency injection for better testability"),
    ("instruction", "Testing", "Every change must have a test."),
    ("instruction", "Rules", "No commented-out code in pull requests"),
    ("instruction", "Rules", "Errors: always wrap the cause of an error."),
    ("plan", "", "- [ ] Invoices are sent in PDF"),
    ("plan", "Next steps", "- Add a cache in front of the ledger"),
    ("history", "Done", "- Added a cache in front of the `Ledger`"),
    ("history", "2026-03-04", "- Refactored the report of the ledger"),
    ("label", "", "The common kinds of errors in this part:"),
    ("label", "", "Before opening a pull request:"),
    ("label", "", "See the guide of the gateway."),
    ("label", "Contents", "- [How the gateway is deployed to staging](#deploy)"),
]
SOMETHING = [
    ("", "The gateway keeps its sessions in Redis."),
    ("", "Note that the gateway keeps its sessions in Redis."),
    ("", "Never write to the cache; the gateway owns it."),
    ("", "Run the migrations first. The gateway refuses an old schema."),
    ("", "In particular, pull requests that nobody is assigned to are closed automatically."),
    ("", "Log output takes precedence over reports of a partial success"),
    ("", "Drains the front of the queue up to the first error"),
    ("Rules", "The token must be 32 bytes long."),
    ("Rules", "The page must call `flush()` before it leaves."),
    ("Features", "Job descriptions: upload and manage descriptions of jobs"),
    ("Commands", "Test: `npm test`"),
    ("", "The gateway has these 3 routes:"),
    ("", "Hooks call the gateway with `flush()`:"),
    ("", "Each plugin loads these modules:"),
    ("", "- [x] Invoices are sent in PDF"),
    ("Next steps", "- The ledger has no cache yet."),
    ("Done", "- The ledger has a cache in front of it."),
    ("Done", "- All 45 tests of the ledger pass now."),
    ("", "| Step | Does |\n|---|---|\n| build | Never commit the output of it |"),
    ("Stack", "Cloudflare tunnel for external access"),
    ("Regeln", "Die Sitzungen liegen in Redis und laufen nach einem Tag ab."),
]


@pytest.mark.parametrize(("why", "section", "text"), NOTHING)
def test_claims_with_nothing_to_check(why: str, section: str, text: str) -> None:
    episodes = why in ("plan", "history")
    assert told(text, section, "memory-bank/progress.md" if episodes else "CLAUDE.md") == why


@pytest.mark.parametrize(("section", "text"), SOMETHING)
def test_claims_that_can_be_checked(section: str, text: str) -> None:
    assert told(text, section) == ""


def test_front_matter_of_names_has_nothing_to_check() -> None:
    page = "---\ndescription: Style of handlers and their tests\nowner_note: Runs every night at four\n---\n"
    claims = extract(page.encode(), "CLAUDE.md", DocClass.MEMORY).claims
    assert [c.nothing for c in claims] == ["label", ""]


@pytest.mark.parametrize("declared", ["semantic", "episodic", "procedural"])
def test_a_declared_type_does_not_decide_what_can_be_checked(declared: str) -> None:
    """The text is asked: a declared type would let any claim out of the queue, or any one in."""
    for text, why in (
        ("Never commit secrets to the repository.", "instruction"),
        ("The gateway keeps its sessions in Redis.", ""),
    ):
        line = json.dumps({"text": text, "memory_type": declared})
        claims = extract(line.encode(), "memories/m.jsonl", DocClass.MEMORY).claims
        assert [c.nothing for c in claims] == [why]
