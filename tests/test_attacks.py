"""Falsehoods on their way into tier 1 without a person: each has to end elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from repos import NOTES, Files, Repo, page

FALSE = "The ledger keeps its rows in Oracle"
LANDED: Files = {
    "README.md": "# Project\n",
    "src/app.py": 'HOST = "db"\nPORT = 8443\n# The port is fixed.\n',
    "docs/adr/0001-ledger.md": "# ADR-1: ledger\n\nStatus: accepted\n\nThe ledger is in PostgreSQL.\n",
    "docs/adr/0002-open.md": "# ADR-2: open\n\nStatus: proposed\n",
    "docs/adr/README.md": f"# Decisions\n\n{FALSE}.\n",
    "memory-bank/old.md": page(f"{FALSE}.", f"Again, {FALSE} (`memory-bank/old.md:3`)."),
    "links/0007-x.md": "text\n",
}


class Attack(NamedTuple):
    """What lands on base first, then what is staged with the claim."""

    name: str
    claim: str
    staged: Files = {}
    landed: Files = {}
    path: str = NOTES


def _evidence() -> str:
    return json.dumps({"id": "0" * 16, "claim": FALSE, "tier": 1, "rule": "proved"})


ADR = f"# ADR-9: ledger\n\nStatus: {{}}\n\n{FALSE}.\n"
PER = f"Per ADR-9, {FALSE}."
"""Approved once ADR-9 has landed as accepted and says so: see `test_a_truth_has_its_row`."""
NINE = "docs/adr/0009-x.md"
ATTACKS = (
    Attack("no source at all", f"{FALSE}."),
    Attack("files a rejected ADR apart", PER, landed={"docs/adr/rejected/0009-x.md": ADR.format("")}),
    Attack("an empty ADR", PER, landed={NINE: "\n"}),
    Attack("a dated note in the ADR directory", f"Per ADR-2024, {FALSE}.",
           landed={"docs/adr/2024-01-02-meeting.md": f"# Meeting\n\n{FALSE}.\n"}),
    Attack("invents an ADR", PER),
    Attack("writes the ADR in the same change", PER, {NINE: ADR.format("accepted")}),
    Attack("accepts a proposed ADR in the same change", PER,
           {NINE: ADR.format("accepted")}, {NINE: ADR.format("proposed")}),
    Attack("edits an accepted ADR", f"Per ADR-1, {FALSE}.",
           {"docs/adr/0001-ledger.md": f"# ADR-1: ledger\n\nStatus: accepted\n\n{FALSE}.\n"}),
    Attack("status in a heading", PER,
           landed={NINE: f"# ADR-9\n\n## Status: Rejected\n\n## Decision\n\n{FALSE}.\n"}),
    Attack("accepted only in a code sample", PER,
           landed={NINE: "# ADR-9\n\n```\nstatus: accepted\n```\n\n## Status\n\nRejected\n\n"
                         f"## Decision\n\n{FALSE}.\n"}),
    Attack("a rejected ADR", PER, landed={NINE: ADR.format("rejected")}),
    Attack("an option that was not chosen", PER,
           landed={NINE: f"# ADR-9\n\nStatus: accepted\n\n## Considered options\n\n{FALSE}.\n\n"
                         "## Decision\n\nIt is in PostgreSQL.\n"}),
    Attack("a sentence that the ADR takes back", PER,
           landed={NINE: f"# ADR-9\n\nStatus: accepted\n\nWe rejected these:\n\n- {FALSE}.\n"}),
    Attack("more than the ADR says", f"Per ADR-9, {FALSE}, also at night.",
           landed={NINE: ADR.format("accepted")}),
    Attack("hides behind a second ADR of the number", f"Per ADR-1, {FALSE}.",
           landed={"docs/adr/0001-also.md": ADR.format("accepted")}),
    Attack("swaps a linked ADR for a file", f"Per ADR-7, {FALSE}.",
           {"docs/adr/0007-x.md": ADR.format("accepted")},
           {"docs/adr/0007-x.md": "link:../../links/0007-x.md"}),
    Attack("denies the decision in the next sentence", f"{PER} That is wrong.",
           landed={NINE: ADR.format("accepted")}),
    Attack("a pointer whose label is a statement", f"See [{FALSE}](../src/app.py)."),
    Attack("a comment above new code", f"{FALSE} (`src/new.py:1-2`).",
           {"src/new.py": f"# {FALSE}\nx = 1\n"}),
    Attack("a citation in a table's header", f"| ADR-1 decision | Note |\n|---|---|\n| {FALSE} | so it is |"),
    Attack("writes a text file", f"{FALSE} (`notes/why.txt:1`).", {"notes/why.txt": f"{FALSE}\n"}),
    Attack("cites an ungrounded memory", f"{FALSE} (`memory-bank/old.md:3`)."),
    Attack("cites a claim that cites itself", f"{FALSE} (`memory-bank/old.md:5`)."),
    Attack("cites the ADR directory's own page", f"{FALSE} (`docs/adr/README.md:3`)."),
    Attack("cites an imported page", f"{FALSE} (`notes/long.md:3`).",
           landed={"CLAUDE.md": "# Rules\n\n@notes/long.md\n", "notes/long.md": page(f"{FALSE}.")}),
    Attack("cites evidence", f"{FALSE} (`.grounded/evidence/a.md.jsonl:1`).",
           landed={".grounded/evidence/a.md.jsonl": _evidence() + "\n"}),
    Attack("forges its own evidence", f"{FALSE}.",
           {f".grounded/evidence/{NOTES}.jsonl": _evidence() + "\n"}),
    Attack("forges evidence of the former shape", f"{FALSE}.",
           {f".grounded/evidence/{NOTES}/0123456789abcdef.jsonl": _evidence() + "\n"}),
    Attack("a bare path", f"{FALSE} (`src/app.py`)."),
    Attack("a good and a dead citation", f"{FALSE} (`src/app.py:2`, `src/gone.py:3`)."),
    Attack("a link out of the repository", f"{FALSE} (`src/out.py:1`).",
           {"src/out.py": "link:../../../../../../etc/hosts"}),
    Attack("another repository's commit",
           f"{FALSE} (https://github.com/a/b/commit/0123456789abcdef0123456789abcdef01234567)."),
    Attack("hidden text", f"<!-- {PER} -->", landed={NINE: ADR.format("accepted")}),
    Attack("a hedge with a source", f"It may be that, per ADR-9, {FALSE}.",
           landed={NINE: ADR.format("accepted")}),
    Attack("front matter that claims trust", f"---\nsource: user\ntrust: 1.0\n---\n\n{FALSE}."),
    Attack("a trusted source of its own configuration", f"{FALSE}.",
           {".grounded-ingest.yaml":
            'sources: {"memory-bank/**": documentation}\ntrusted_sources: [documentation]\n'},
           {".grounded-ingest.yaml": "preset: default\n"}),
    Attack("switches its rule off", f"I think {FALSE}, but see (`src/app.py:2`).",
           {".grounded-ingest.yaml": "policy: {speculation: review}\n"},
           {".grounded-ingest.yaml": "preset: default\n"}),
    Attack("an ignore comment", f"<!-- grounded: ignore[speculation] reason=\"x\" -->\nI think {FALSE}."),
    Attack("approves itself", f"{FALSE}.", {f".grounded/reviews/{NOTES}.jsonl": ""}),
)  # fmt: skip


@pytest.fixture(scope="module")
def landed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Repo]:
    import shutil

    origin = tmp_path_factory.mktemp("origin")
    Repo(origin).commit(LANDED)

    def copy(to: Path) -> Repo:
        shutil.copytree(origin, to, symlinks=True, dirs_exist_ok=True)
        return Repo(to)

    return copy


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
def test_a_falsehood_is_not_approved(
    attack: Attack, tmp_path: Path, landed: Callable[[Path], Repo]
) -> None:
    repo = landed(tmp_path / "repo")
    if attack.landed:
        repo.commit(attack.landed)
    files = dict(attack.staged)
    files[attack.path] = (
        attack.claim if attack.claim.startswith("---") else f"# Notes\n\n{attack.claim}\n"
    )
    repo.stage(files)
    told = [d for d in repo.decisions() if "Oracle" in d.place.claim.text]
    assert [d.place.claim.text for d in told if d.approved] == []
    assert any(d.place.path == attack.path for d in told)


TRUE = (
    ("Per ADR-1, the ledger is in PostgreSQL.", "quoted"),
    ("See `src/app.py`.", "pointer"),
    ("There are 2 records in `docs/adr`.", "cited"),
    ("The ledger is in PostgreSQL (ADR-1).", "cited"),
    ("The ledger is in PostgreSQL ([why](../docs/adr/0001-ledger.md)).", "cited"),
    ("The port is 8443 (`src/app.py:2`).", "cited"),
)


@pytest.mark.parametrize(("claim", "rule"), TRUE)
def test_a_truth_has_its_row(
    claim: str, rule: str, tmp_path: Path, landed: Callable[[Path], Repo]
) -> None:
    """Without it the attacks above could fail to pass for want of any way into tier 1."""
    assert landed(tmp_path / "repo").judge(claim).rule == rule


def test_an_approval_in_the_same_change_is_advisory(
    tmp_path: Path, landed: Callable[[Path], Repo]
) -> None:
    repo = landed(tmp_path / "repo")
    claim = repo.judge(f"{FALSE}.").place.claim
    review = {"id": claim.id, "section": claim.section, "action": "approve", "claim": claim.text}
    log = json.dumps(review | {"reviewer": "a@example.org", "reviewed_at": "2026-01-01T00:00:00Z"})
    repo.stage({f".grounded/reviews/{NOTES}.jsonl": log + "\n"})
    assert [d.rule for d in repo.decisions()] == ["repeat"]
    repo.commit()
    assert [d.rule for d in repo.decisions("all") if d.place.path == NOTES] == ["approved"]


def test_a_range_is_judged_by_its_merge_base(
    tmp_path: Path, landed: Callable[[Path], Repo]
) -> None:
    repo = landed(tmp_path / "repo")
    start = repo.git("rev-parse", "HEAD")
    repo.commit({"docs/adr/0009-x.md": ADR.format("accepted")})
    config = 'sources: {"memory-bank/**": documentation}\ntrusted_sources: [documentation]\n'
    repo.commit({".grounded-ingest.yaml": config})
    invented = repo.commit(message=f"{FALSE}")
    claims = (PER, f"{FALSE} since commit {invented[:12]}.", f"{FALSE} now.")
    repo.commit({NOTES: page(*claims)})
    told = [d for d in repo.decisions("range", start=start) if d.place.path == NOTES]
    assert [d.tier.value for d in told] == [2, 2, 2]
