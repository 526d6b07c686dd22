"""A baseline accepts findings: wherever their lines move, nothing but them, and never by itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, Repo

from grounded_ingest.api import check
from grounded_ingest.knowledge.scope import Asked

FILE = ".grounded/baseline.jsonl"
REFUTED = "The queue is bounded (`src/app.py:99`)."
OTHER = "I think the queue is full by noon."
CONFIG = f"baseline: {FILE}\n"
UPDATE = ("--update-baseline", "--baseline", FILE)


@pytest.fixture
def legacy(repo: Repo) -> Repo:
    """A repository whose findings landed before it was guarded."""
    repo.commit(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\n{REFUTED}\n")
    return repo


def entries(repo: Repo) -> list[tuple[str, str, str]]:
    rows = [json.loads(line) for line in repo.read(FILE).splitlines()]
    return [(r["path"], r["rule"], r["text"]) for r in rows]


def said(ran: Any) -> list[str]:
    return [line for line in ran.out.splitlines() if f"{FILE}:1: baseline: " in line]


def test_todays_findings_are_accepted(legacy: Repo) -> None:
    before = legacy.check("--all", "-v")
    assert (before.code, BLOCKED in before.out, REFUTED in before.out) == (1, True, True)
    written = legacy.check("-v", *UPDATE)
    assert (written.code, BLOCKED in written.out) == (0, False)
    assert said(written) == [f"{FILE}:1: baseline: 2 findings accepted, 2 of them new, 0 dropped"]
    assert entries(legacy) == [
        (DOCUMENT, "refuted-citation", REFUTED),
        (DOCUMENT, "speculation", BLOCKED),
    ]
    ran = legacy.check("--all", "-v", "--baseline", FILE)
    assert (ran.code, BLOCKED in ran.out, REFUTED in ran.out) == (0, False, False)
    assert said(ran) == [f"{FILE}:1: baseline: 2 findings accepted, not shown"]
    kept = legacy.read(FILE)
    again = legacy.check(*UPDATE)
    assert "2 findings accepted, 0 of them new, 0 dropped" in again.out
    assert legacy.read(FILE) == kept


def test_lines_move_and_what_is_new_is_shown(legacy: Repo) -> None:
    legacy.check(*UPDATE)
    args = ("--all", "-v", "--baseline", FILE)
    legacy.write(DOCUMENT, f"# A\n\nThe store is small.\n\n## B\n\n{REFUTED} {BLOCKED}\n")
    assert legacy.check(*args).code == 0
    legacy.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\n{REFUTED}\n\n{OTHER}\n")
    ran = legacy.check(*args)
    assert (ran.code, OTHER in ran.out, BLOCKED in ran.out) == (1, True, False)
    legacy.write("CLAUDE.md", f"# A\n\n{BLOCKED}\n")
    assert "CLAUDE.md:3:1: speculation: " in legacy.check(*args).out


def test_an_entry_accepts_one_finding(legacy: Repo) -> None:
    legacy.check(*UPDATE)
    legacy.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\n{REFUTED}\n\n{BLOCKED}\n")
    for args in (["--all"], []):
        ran = legacy.check(*args, "-v", "--baseline", FILE)
        assert (ran.code, ran.out.count(BLOCKED)) == (1, 1), args
        assert f"{DOCUMENT}:17:1: speculation" in ran.out


def test_another_finding_of_the_same_claim_is_shown(legacy: Repo) -> None:
    legacy.check(*UPDATE)
    legacy.write(".grounded-ingest.yaml", "policy: {refuted-citation: off}\n")
    args = ("--all", "--show-ungrounded", "--baseline", FILE)
    assert REFUTED in legacy.check(*args).out


def test_nothing_is_approved_and_evidence_is_the_same(legacy: Repo) -> None:
    legacy.check("--all", "--write", "--fail-on", "never")
    whole, before = legacy.evidence(), legacy.report("--all")
    legacy.check(*UPDATE, "--write")
    after = legacy.report("--all", "--baseline", FILE)
    assert legacy.evidence() == whole != {}
    assert [d for d in before["decisions"] if d in after["decisions"]] == after["decisions"]
    assert len(after["decisions"]) == len(before["decisions"]) - 2
    assert after["summary"]["tier_1"] == before["summary"]["tier_1"]
    assert "speculation" in legacy.ask("explain", f"{DOCUMENT}:13").out


@pytest.mark.parametrize("mode", ["staged", "range"])
@pytest.mark.parametrize("named", [True, False], ids=["option", "configuration"])
def test_a_change_cannot_accept_itself(repo: Repo, mode: str, named: bool) -> None:
    """The entry that would launder a finding comes with it; it holds once it has landed."""
    repo.commit(".grounded-ingest.yaml", "preset: default\n" if named else CONFIG)
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    assert repo.check(*UPDATE).code == 0
    assert repo.check("--baseline", FILE).code == 0
    repo.git("add", "--all", "--force")
    args = ["-v", *(["--staged"] if mode == "staged" else ["--since", "main"])]
    args += ["--baseline", FILE] if named else []
    if mode == "range":
        repo.git("commit", "--quiet", "--no-verify", "--message", "Change")
    ran = repo.check(*args)
    assert (ran.code, BLOCKED in ran.out) == (1, True)
    assert said(ran) == [f"{FILE}:1: baseline: it is not on base, so nothing of it counts yet"]
    landed = repo.read(FILE)
    repo.git("checkout", "--quiet", "--force", "main")
    repo.commit(FILE, landed)
    repo.git("checkout", "--quiet", "-B", "topic")
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\n{OTHER}\n")
    repo.write(FILE, landed + landed.replace(BLOCKED, OTHER))
    repo.git("add", "--all", "--force")
    if mode == "range":
        repo.git("commit", "--quiet", "--no-verify", "--message", "Change")
    ran = repo.check(*args)
    assert (ran.code, BLOCKED in ran.out, OTHER in ran.out) == (1, False, True)
    assert said(ran) == [
        f"{FILE}:1: baseline: 1 finding accepted, not shown; what this change adds to it counts once"
        " it has landed"
    ]


def test_a_change_cannot_lead_it_elsewhere(repo: Repo) -> None:
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    elsewhere = repo.root.parent / "elsewhere.jsonl"
    args = ("--baseline", str(elsewhere))
    repo.check("--update-baseline", *args)
    repo.git("add", "--all")
    assert repo.check("--staged", *args).code == 0  # no file of the repository: nobody's change
    (repo.root / FILE).parent.mkdir()
    (repo.root / FILE).symlink_to(elsewhere)
    repo.git("add", "--all", "--force")
    for name in (FILE, str(repo.root / FILE)):
        assert repo.check("--staged", "--baseline", name).code == 1
    linked = repo.root.parent / "link"
    linked.symlink_to(repo.root)
    assert repo.check("--staged", "--baseline", str(linked / FILE)).code == 1
    assert "is a symbolic link" in repo.check(*UPDATE).err


def test_a_first_configuration_names_no_baseline(legacy: Repo) -> None:
    legacy.check(*UPDATE)
    legacy.commit(FILE, legacy.read(FILE))
    legacy.write(".grounded-ingest.yaml", CONFIG)
    legacy.write("CLAUDE.md", f"{BLOCKED}\n")
    legacy.git("add", "--all")
    ran = legacy.check("--staged")
    assert f'baseline: "" -> "{FILE}"' in ran.out
    assert said(ran) == []


def test_what_is_found_no_more_is_said_and_dropped(legacy: Repo) -> None:
    legacy.check(*UPDATE)
    legacy.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    idle = "; 1 entry of what is found no more (--update-baseline drops them)"
    assert said(legacy.check("--all", "--baseline", FILE))[0].endswith(idle)
    assert said(legacy.check("--all", "--baseline", FILE, "--select", "spec"))[0].endswith(idle)
    assert "no more" not in legacy.check("--baseline", FILE).out  # not all of it was looked at
    assert "no more" not in legacy.check("src", "--baseline", FILE).out
    assert "0 of them new, 1 dropped" in legacy.check(*UPDATE).out
    assert [rule for _, rule, _ in entries(legacy)] == ["speculation"]
    (legacy.root / DOCUMENT).unlink()
    assert "1 entry of what is found no more" in legacy.check("--all", "--baseline", FILE).out


def test_what_was_not_looked_at_stays(legacy: Repo) -> None:
    legacy.write("CLAUDE.md", f"# A\n\n{OTHER}\n")
    legacy.check(*UPDATE)
    legacy.write(DOCUMENT, PAGE)
    legacy.write("CLAUDE.md", "# A\n")
    legacy.check(*UPDATE, "CLAUDE.md")
    assert [path for path, _, _ in entries(legacy)] == [DOCUMENT, DOCUMENT]
    legacy.check(*UPDATE, "--select", "spec")
    assert [rule for _, rule, _ in entries(legacy)] == ["refuted-citation"]
    legacy.check(*UPDATE)
    assert entries(legacy) == []


def test_a_repository_starts_strict(legacy: Repo) -> None:
    """What makes no run fail is no finding; under `strict` an ungrounded memory does."""
    legacy.write(".grounded-ingest.yaml", f"preset: strict\n{CONFIG}")
    legacy.write("docs/guide.md", "# Guide\n\nThe mailer has two queues of its own.\n")
    assert legacy.check("--all").code == 2
    legacy.check("--update-baseline")
    assert {(p, r) for p, r, _ in entries(legacy)} == {
        (DOCUMENT, rule)
        for rule in ("refuted-citation", "speculation", "ungrounded", "unsupported")
    }
    assert legacy.check("--all").code == 0
    assert check(str(legacy.root), Asked("all"), online=False).worst == 2
    legacy.write(DOCUMENT, legacy.read(DOCUMENT) + "\nThe cache is on disk.\n")
    assert legacy.check("--all").code == 1


def test_problems_of_documents_are_accepted(repo: Repo) -> None:
    repo.write("memory-bank/bad.md", b"caf\xe9\n")
    assert repo.check("--all").code == 1
    assert repo.check(*UPDATE).code == 0
    ran = repo.check("--all", "--baseline", FILE)
    assert (ran.code, "unreadable" in ran.out) == (0, False)
    repo.write("memory-bank/worse.md", b"caf\xe9\n")
    assert repo.check("--all", "--baseline", FILE).code == 1


BROKEN = '{"path":"a","rule":"b","id":"c"}\n<<<<<<< ours\n'


def test_a_broken_file(legacy: Repo) -> None:
    legacy.write(FILE, BROKEN)
    ran = legacy.check("--all", "--baseline", FILE)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"grounded-ingest: {FILE}:2: no entry of a baseline; --update-base")
    legacy.commit(FILE, BROKEN)
    legacy.write("CLAUDE.md", f"{OTHER}\n")
    legacy.git("add", "--all")
    staged = legacy.check("--staged", "--baseline", FILE)
    assert staged.code == 1
    assert "baseline: nothing of it counts: base:2: no entry of a baseline" in staged.out
    assert "it could not be read" in legacy.check(*UPDATE).out
    assert legacy.check("--all", "--baseline", FILE).code == 0


@pytest.mark.parametrize(
    ("args", "out"),
    [
        (["--baseline", "none.jsonl"], "none.jsonl does not exist: --update-baseline writes it"),
        (["--baseline", "src"], "is a directory"),
        (["--baseline", ""], "--baseline is empty"),
        (["--update-baseline"], "give --baseline FILE, or set `baseline`"),
        ([*UPDATE, "--staged"], "--update-baseline accepts nothing of a change alone"),
        ([*UPDATE, "--since", "HEAD"], "--update-baseline accepts nothing of a change alone"),
    ],
)
def test_usage_of_a_baseline(repo: Repo, args: list[str], out: str) -> None:
    ran = repo.check(*args)
    assert (ran.code, out in ran.err) == (2, True), ran.err


@pytest.mark.parametrize("path", ["/x.jsonl", "../x.jsonl", "a/../../x", ".git/x", "x/", "."])
def test_a_place_that_cannot_be_configured(repo: Repo, path: str) -> None:
    repo.write(".grounded-ingest.yaml", f"baseline: {path}\n")
    ran = repo.check()
    assert (ran.code, "expected a file, from the root" in ran.err) == (2, True), ran.err
