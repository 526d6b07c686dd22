"""The action's steps for every event, in whole and in shallow clones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from actionrunner import Job, git
from forgerepo import BLOCKED, DOCUMENT, Forge, pull_request


def _found(job: Job) -> dict[str, str]:
    return {name: job.steps["prepare"][name] for name in ("base", "how")}


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("fork", [False, True], ids=["own", "fork"])
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
    assert f"`{BLOCKED}`" in ran.summary
    assert "fetch-depth" not in ran.log
    report = json.loads(Path(ran.outputs["report-file"]).read_text("utf-8"))
    assert report["scope"]["base"] == forge.main
    assert json.loads(Path(ran.outputs["sarif-file"]).read_text("utf-8"))["version"] == "2.1.0"
    assert ran.outputs["evidence-path"] == ".grounded/evidence"


def test_a_change_that_is_fine(forge: Forge) -> None:
    head, merge = forge.pull("Retries stop after the third one.")
    ran = forge.job(forge.checkout(merge), "pull_request", pull_request(forge, head)).run(
        online="false"
    )
    assert (ran.code, ran.outputs["exit-code"], ran.outputs["verdict"]) == (0, "0", "review")
    strict = forge.job(forge.home / "workspace", "pull_request", pull_request(forge, head))
    assert strict.run(online="false", fail_on="review").code == 1
    assert strict.run(online="false", fail_on="never").code == 0


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
        "base": "", "how": "no base: the whole tree",
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
    assert "::error title=grounded-ingest::input base: no such commit or branch" in ran.log
    assert not [line for line in ran.log.splitlines() if line.startswith("::error::")]


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
    assert rules == {  # source code counts as the tree has it (docs/adr/0004)
        "port": "unverified-citation", "are": "ungrounded", "think": "speculation",
        "gateway": "verified-citation",
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
    assert ran.steps["prepare"]["how"] == "no base: the whole tree"


def test_paths_and_all(forge: Forge) -> None:
    where = forge.checkout(forge.main, 0)
    job = forge.job(where, "push", {"before": forge.second})
    everything = job.run(online="false", scope="all")
    assert everything.steps["prepare"]["how"] == "the whole tree, as asked for"
    some = job.run(online="false", paths="src memory-bank")
    assert some.steps["prepare"]["how"] == "these paths: src memory-bank"
    assert everything.outputs["tier-2"] == some.outputs["tier-2"] != "0"


@pytest.mark.parametrize(
    "inputs", [{"scope": "some"}, {"fail_on": "x"}, {"locked": "yes"}, {"timeout": "soon"}]
)
def test_inputs_that_are_none(forge: Forge, inputs: dict[str, str]) -> None:
    ran = forge.job(forge.checkout(forge.main), "push", {}).run(online="false", **inputs)
    assert (ran.code, "::error title=grounded-ingest::input " in ran.log) == (2, True)


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
