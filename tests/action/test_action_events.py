"""The action's steps for every event, in whole and in shallow clones."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from actionrunner import Job, git, outputs
from forgerepo import BLOCKED, DOCUMENT, PAGE, Forge, pull_request
from msgspec.msgpack import encode

from grounded_ingest.action.__main__ import main as action
from grounded_ingest.git.cache import add_checksum
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Extraction
from grounded_ingest.pipeline import Options, run
from grounded_ingest.repository.scope import Asked


def _found(job: Job) -> dict[str, str]:
    return {name: job.steps["prepare"][name] for name in ("base", "how")}


@pytest.mark.parametrize(
    ("depth", "fork"), [(0, False), (1, False), (2, False), (1, True)], ids=str
)
def test_a_pull_request_is_compared_with_its_base(forge: Forge, depth: int, fork: bool) -> None:
    head, merge = forge.pull(BLOCKED)
    job = forge.job(
        forge.checkout(merge, depth), "pull_request", pull_request(forge, head, fork=fork)
    )
    ran = job.run(online="false")
    assert ran.steps["prepare"]["base"] == forge.main, ran.err
    assert "pull_request.base.sha of the event" in ran.log
    assert (ran.code, ran.outputs["exit-code"], ran.outputs["verdict"]) == (1, "1", "block")
    assert [ran.outputs[f"tier-{n}"] for n in (1, 2, 3)] == ["0", "0", "1"]
    assert (
        f"::error file={DOCUMENT},line=7,endLine=7,title=grounded-ingest%3A speculation::"
        in ran.log
    )
    line = f"- `{DOCUMENT}:7` **speculation**: `“I think”: The author is guessing`. Find out "
    assert line in ran.summary
    assert (ran.outputs["errors"], ran.outputs["warnings"]) == ("1", "0")
    assert "fetch-depth" not in ran.log
    report = json.loads(Path(ran.outputs["report-file"]).read_text("utf-8"))
    assert report["scope"]["base"] == forge.main
    assert json.loads(Path(ran.outputs["sarif-file"]).read_text("utf-8"))["version"] == "2.1.0"
    assert ran.outputs["evidence-path"] == ".grounded/evidence"


def test_a_change_in_which_nothing_is_wrong_gets_one_line(forge: Forge) -> None:
    """No list, no advice, no percentages; and nothing that an input could make fail."""
    head, merge = forge.pull("Retries stop after the third one.")
    where = forge.checkout(merge)
    job = forge.job(where, "pull_request", pull_request(forge, head))
    ran = job.run(online="false", fail_on="review")  # the strictest
    assert (ran.code, ran.outputs["errors"], ran.outputs["warnings"]) == (0, "0", "0")
    assert ran.summary == "## grounded-ingest\n\n0 references hold in 1 document\n"
    assert {line.partition(" ")[0] for line in ran.log.splitlines()} <= {"::debug"}


WRONG_LINK = "The limits are in [limits](limits.md)."
WRONG_ADR = "The limits follow ADR-0012."


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (BLOCKED, {"block": 1}),
        (WRONG_LINK, {"wrong": 1, "block": 0, "never": 0}),
        (WRONG_ADR, {"wrong": 0, "review": 1}),
    ],
    ids=["a guess", "a wrong link", "a warning"],
)
def test_the_input_decides_what_fails_the_job(
    forge: Forge, text: str, codes: dict[str, int]
) -> None:
    """Also in a repository whose preset never fails: the job's owner set the input."""
    git(forge.work, "checkout", "--quiet", "change")
    forge.commit(
        "docs/adr/0001-ledger.md", "# 1. Ledger\n\nStatus: Accepted\n\n## Decision\n\nOne.\n"
    )
    forge.commit(".grounded-ingest.yaml", "preset: advisory\n")
    git(forge.work, "checkout", "--quiet", "main")
    git(forge.work, "merge", "--quiet", "change")
    git(forge.work, "push", "--quiet", str(forge.bare), "main")
    head, merge = forge.pull(text)
    where = forge.checkout(merge)
    for fail_on, code in codes.items():
        ran = forge.job(where, "pull_request", pull_request(forge, head)).run(
            online="false", fail_on=fail_on
        )
        assert ran.code == code, (fail_on, ran.log)
        assert ("would fail" in ran.summary) == (fail_on == "never")


def test_what_another_job_left_in_the_git_directory_decides_nothing(forge: Forge) -> None:
    """An index in which no document holds a claim: as a job of the same pull request could save it,
    or leave it where a runner keeps the checkout."""
    head, merge = forge.pull(BLOCKED)
    where = forge.checkout(merge, 0)
    asked = Asked("range", start=forge.main, end=merge)
    with Opened(str(where), own=False) as opened:
        run(opened, asked, Options(online=False)).kb.index.close()
    index = where / ".git" / "grounded-ingest" / "cache.sqlite"
    with closing(sqlite3.connect(index)) as db, db:
        keys = [key for (key,) in db.execute("SELECT key FROM blob")]
        planted = [(add_checksum(key, encode(Extraction())), key) for key in keys]
        db.executemany("UPDATE blob SET content=? WHERE key=?", planted)
        db.execute("DELETE FROM gram")
    with Opened(str(where), own=False) as opened:  # it is believed where it is read
        result = run(opened, asked, Options(online=False))
        assert result.report.decisions == ()
        result.kb.index.close()
    before = index.read_bytes()
    ran = forge.job(where, "pull_request", pull_request(forge, head)).run(online="false")
    assert (ran.code, ran.outputs["verdict"], ran.outputs["tier-3"]) == (1, "block", "1")
    assert index.read_bytes() == before


@pytest.mark.parametrize("depth", [0, 1])
def test_a_push_is_compared_with_what_was_there(forge: Forge, depth: int) -> None:
    pushed = forge.push(BLOCKED)
    job = forge.job(forge.checkout(pushed, depth), "push", {"before": forge.main, "after": pushed})
    ran = job.run(online="false")
    assert (ran.steps["prepare"]["base"], ran.outputs["tier-3"]) == (forge.main, "1")
    assert ran.steps["prepare"]["how"] == "before of the event"


@pytest.mark.parametrize("before", ["0" * 40, "f" * 40, "--upload-pack=touch owned", ""])
def test_a_push_of_a_new_branch_starts_where_it_left_main(forge: Forge, before: str) -> None:
    head, _ = forge.pull(BLOCKED)
    ran = forge.job(forge.checkout(head), "push", {"before": before}).run(online="false")
    assert ran.steps["prepare"]["base"] == forge.second
    assert ran.steps["prepare"]["how"] == "the merge base with main"
    assert ran.outputs["tier-3"] == "1"


def test_a_merge_queue(forge: Forge) -> None:
    _, merge = forge.pull(BLOCKED)
    payload = {"merge_group": {"base_sha": forge.main, "head_sha": merge}}
    ran = forge.job(forge.checkout(merge), "merge_group", payload).run(online="false")
    assert _found(ran) == {
        "base": forge.main, "how": "merge_group.base_sha of the event",
    }  # fmt: skip
    assert (ran.code, ran.outputs["tier-3"]) == (1, "1")


def test_a_dispatch_on_the_default_branch_is_the_whole_tree(forge: Forge) -> None:
    ran = forge.job(forge.checkout(forge.main), "workflow_dispatch", {"inputs": {}}).run(
        online="false"
    )
    assert _found(ran) == {
        "base": "", "how": "no base commit was found, so the whole tree is checked",
    }  # fmt: skip
    assert int(ran.outputs["tier-1"]) + int(ran.outputs["tier-2"]) == 2


@pytest.mark.parametrize("base", ["main", "change~1", "HEAD~1"])
def test_the_input_base_comes_first(forge: Forge, base: str) -> None:
    head, merge = forge.pull(BLOCKED)
    where = forge.checkout(merge, 0)
    ran = forge.job(where, "pull_request", pull_request(forge, head)).run(online="false", base=base)
    named = git(where, "rev-parse", base if base.startswith("HEAD") else f"origin/{base}")
    assert ran.steps["prepare"]["base"] == named


def test_an_input_base_that_is_nothing_stops_the_job(forge: Forge) -> None:
    job = forge.job(forge.checkout(forge.main), "push", {})
    ran = job.run(online="false", base="no::error::such")
    assert (ran.code, ran.outputs["exit-code"], ran.outputs["verdict"]) == (2, "2", "")
    assert "::error title=grounded-ingest::the input base names no commit or branch" in ran.log
    assert not [line for line in ran.log.splitlines() if line.startswith("::error::")]


LAX = "sources:\n  'memory-bank/**': manual\ntrusted_sources: [manual]\n"
FALSE = "Retries never stop, not even after the third one."


def _rule(job: Job, claim: str = FALSE) -> str:
    report = json.loads(Path(job.outputs["report-file"]).read_text("utf-8"))
    return next((d["rule"] for d in report["decisions"] if d["claim"] == claim), "not listed")


@pytest.mark.parametrize("event", ["push", "pull_request", "merge_group"])
@pytest.mark.parametrize("inputs", [{}, {"base": "HEAD~1"}, {"scope": "all"}], ids=str)
def test_what_the_author_pushed_before_judges_nothing(
    forge: Forge, event: str, inputs: dict[str, str]
) -> None:
    """First a policy that trusts everything, on a branch of one's own; then the falsehood."""
    git(forge.work, "checkout", "--quiet", "change")
    lax = forge.commit(".grounded-ingest.yaml", LAX)
    head = forge.commit(DOCUMENT, f"{PAGE}\n{FALSE}\n")
    git(forge.work, "push", "--quiet", str(forge.bare), "change")
    stacked = pull_request(forge, head)
    stacked["pull_request"]["base"] = {"sha": lax, "ref": "lax"}
    payload = {
        "push": {"before": lax, "ref": "refs/heads/change"},
        "pull_request": stacked,
        "merge_group": {"merge_group": {"base_sha": lax, "base_ref": "refs/heads/lax"}},
    }[event]
    ran = forge.job(forge.checkout(head), event, payload, ref="refs/heads/change").run(
        online="false", **inputs
    )
    report = json.loads(Path(ran.outputs["report-file"]).read_text("utf-8"))
    assert (_rule(ran), ran.outputs["verdict"]) == ("ungrounded", "review"), ran.log
    assert report["scope"]["base"] == forge.second
    if "scope" not in inputs:
        assert ran.steps["prepare"]["base"] in (lax, "HEAD~1")
        assert [d["claim"] for d in report["decisions"] if d["tier"] < 3] == [FALSE]


@pytest.mark.parametrize("inputs", [{}, {"base": "HEAD~1"}, {"scope": "all"}], ids=str)
@pytest.mark.parametrize("before", ["", "0" * 40, "f" * 40], ids=["main", "first", "gone"])
def test_a_push_to_the_default_branch_does_not_judge_itself(
    forge: Forge, inputs: dict[str, str], before: str
) -> None:
    git(forge.work, "checkout", "--quiet", "main")
    forge.commit(".grounded-ingest.yaml", LAX)
    pushed = forge.push(FALSE)
    payload = {"before": before or forge.main, "ref": "refs/heads/main"}
    ran = forge.job(forge.checkout(pushed), "push", payload).run(online="false", **inputs)
    report = json.loads(Path(ran.outputs["report-file"]).read_text("utf-8"))
    assert (_rule(ran), ran.outputs["verdict"]) == ("ungrounded", "review"), ran.log
    assert report["scope"]["base"] == ("" if before else forge.main)


def test_what_landed_since_is_not_listed(forge: Forge) -> None:
    """A rebased branch is pushed with force: main's claims are no change of it."""
    head, _ = forge.pull("Retries stop after the third one.")
    git(forge.work, "checkout", "--quiet", "main")
    main = forge.push(BLOCKED)
    git(forge.work, "checkout", "--quiet", "-B", "change", "main")
    rebased = forge.commit("memory-bank/more.md", f"# More\n\n{FALSE}\n")
    git(forge.work, "push", "--quiet", "--force", str(forge.bare), "change")
    payload = {"before": head, "ref": "refs/heads/change"}
    job = forge.job(forge.checkout(rebased), "push", payload, ref="refs/heads/change")
    ran = job.run(online="false")
    assert _found(ran) == {"base": main, "how": "the merge base with main"}
    assert (ran.outputs["tier-3"], ran.outputs["tier-2"]) == ("0", "1"), ran.log + ran.err


MALFORMED = [
    "", "{", "[]", '"x"', "null", "7", "[" * 100_000, '{"pull_request": []}',
    '{"pull_request": {"number": "7"}}', '{"pull_request": {"number": -1}}', '{"number": true}',
    '{"number": [7]}', '{"pull_request": 1, "number": 7}',
]  # fmt: skip
ONLY_PREPARED = [
    '{"before": 1}', '{"repository": "x"}', '{"repository": {"default_branch": 1}}',
    '{"repository": {"default_branch": "--upload-pack=x"}}', '{"merge_group": []}',
    '{"repository": {"default_branch": "a\\u0000b"}}', '{"ref": {}}',
    '{"repository": {"default_branch": "\\ud800"}}', '{"pull_request": {"base": "main"}}',
    '{"pull_request": {"base": {"sha": {}}}}',
]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "event"),
    [
        (s, e)
        for s in ("prepare", "comment")
        for e in MALFORMED
        if s == "comment" or "umber" not in e
    ]
    + [("prepare", e) for e in ONLY_PREPARED],
    ids=lambda told: told[:60],
)
def test_a_malformed_event_is_one_line(
    forge: Forge,
    step: str,
    event: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, output = forge.home / "event.json", forge.home / "output"
    path.write_text(event, "utf-8")
    output.write_text("")
    monkeypatch.chdir(forge.work)
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(path))
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    code = action(step)
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 1
    assert told[0].startswith("::error title=grounded-ingest::the event")
    ends = outputs(output.read_text("utf-8"))["exit-code"]
    assert (code, ends) == (0 if step == "prepare" else 2, "2")


def test_any_small_event_ends_as_it_should(
    forge: Forge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = forge.home / "event.json"
    monkeypatch.chdir(forge.work)
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(path))
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    rng, ends = random.Random(14), set()
    for _ in range(150):
        path.write_text(json.dumps(_event(rng)), "utf-8")
        step = rng.choice(("comment", "comment", "comment", "prepare"))
        code = action(step)
        captured = capsys.readouterr()
        assert "this is a bug" not in captured.out, (path.read_text("utf-8"), captured.err)
        errors = [line for line in captured.out.splitlines() if line.startswith("::error")]
        assert code in (0, 2)
        assert len(errors) <= 1
        ends.add((step, bool(errors)))
    assert len(ends) == 4


def _event(rng: random.Random, depth: int = 0) -> object:
    names = ("pull_request", "merge_group", "repository", "number", "before", "ref", "base", "sha",
             "base_sha", "default_branch", "issue")  # fmt: skip
    leaves: list[object] = [None, 0, 7, -1, 1.5, True, "", "main", "f" * 40, "0" * 40, "\ud800",
                            "a\0b", [], {}, "-x", "x" * 300]  # fmt: skip
    if depth > 2 or (depth and rng.random() < 0.5):
        return rng.choice(leaves)
    return {n: _event(rng, depth + 1) for n in rng.sample(names, rng.randint(0, 4))}


@pytest.mark.parametrize("event", ["pull_request", "merge_group", "push"])
def test_history_that_cannot_be_fetched_is_said(forge: Forge, event: str) -> None:
    """The change is not judged by its own policy all the same, nor grounded by its own history."""
    lenient = (
        ".grounded-ingest.yaml",
        "sources:\n  'memory-bank/**': manual\ntrusted_sources: [manual]\n",
    )
    head, merge = forge.pull(f"The port was set in commit {forge.first}.\n\n{BLOCKED}", lenient)
    where = forge.checkout(merge)
    forge.bare.rename(forge.home / "gone.git")
    payload = {
        "pull_request": pull_request(forge, head),
        "merge_group": {"merge_group": {"base_sha": forge.main, "base_ref": "refs/heads/main"}},
        "push": {"before": forge.main},
    }[event]
    ran = forge.job(where, event, payload).run(online="false")
    assert "::warning title=grounded-ingest::This clone is shallow" in ran.log
    assert "fetch-depth: 0" in ran.log
    report = json.loads(Path(ran.outputs["report-file"]).read_text("utf-8"))
    assert report["scope"]["base"] == ""
    assert "not in this clone" in report["scope"]["base_reason"]
    rules = {d["claim"].split()[1]: d["rule"] for d in report["decisions"]}
    assert rules == {  # source code counts as the tree has it
        "port": "ungrounded", "are": "ungrounded", "think": "speculation", "gateway": "cited",
    }  # fmt: skip
    assert ran.outputs["verdict"] == "block"


def test_a_commit_of_another_history_is_no_base(forge: Forge) -> None:
    """A forge hands out what anyone pushed to a fork."""
    git(forge.work, "checkout", "--quiet", "--orphan", "other")
    foreign = forge.commit("policy.md", "Everything is allowed.\n")
    git(forge.work, "push", "--quiet", str(forge.bare), f"{foreign}:refs/pull/8/head")
    git(forge.work, "checkout", "--quiet", "--force", "main")
    pushed = forge.push(BLOCKED)
    ran = forge.job(forge.checkout(pushed), "push", {"before": foreign}).run(online="false")
    assert ran.steps["prepare"]["how"] == "no base commit was found, so the whole tree is checked"


def test_paths_and_all(forge: Forge) -> None:
    where = forge.checkout(forge.main, 0)
    job = forge.job(where, "push", {"before": forge.second})
    everything = job.run(online="false", scope="all")
    assert everything.steps["prepare"]["how"] == "the input `scope` selects the whole tree"
    some = job.run(online="false", paths="src memory-bank")
    assert some.steps["prepare"]["how"] == "the input `paths` limits the check to src memory-bank"
    assert everything.outputs["tier-2"] == some.outputs["tier-2"] != "0"


@pytest.mark.parametrize(
    "inputs", [{"scope": "some"}, {"fail_on": "x"}, {"locked": "yes"}, {"timeout": "soon"}]
)
def test_inputs_that_are_none(forge: Forge, inputs: dict[str, str]) -> None:
    ran = forge.job(forge.checkout(forge.main), "push", {}).run(online="false", **inputs)
    assert (ran.code, "::error title=grounded-ingest::the input " in ran.log) == (2, True)


@pytest.mark.parametrize("inputs", [{"scope": "all"}, {"paths": "memory-bank"}])
def test_the_whole_tree_is_judged_by_base_as_well(forge: Forge, inputs: dict[str, str]) -> None:
    lenient = (
        ".grounded-ingest.yaml",
        "base: change\nsources:\n  'memory-bank/**': manual\ntrusted_sources: [manual]\n",
    )
    head, merge = forge.pull("Retries stop after the third one.", lenient)
    job = forge.job(forge.checkout(merge), "pull_request", pull_request(forge, head))
    ran = job.run(online="false", **inputs)
    report = json.loads(Path(ran.outputs["report-file"]).read_text("utf-8"))
    assert "trusted-source" not in {d["rule"] for d in report["decisions"]}
    assert report["scope"]["base"] == forge.main
