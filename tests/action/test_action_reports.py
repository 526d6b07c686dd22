"""Comment, upload, summary and sidecars; and text that others wrote."""

from __future__ import annotations

import base64
import gzip
import re
from pathlib import Path
from typing import Any

import pyromark
import pytest
from actionrunner import outputs
from forgerepo import BLOCKED, DOCUMENT, Forge, pull_request
from servers import Handler, Server

from grounded_ingest.action import steps
from grounded_ingest.action.steps import MARK


def test_one_comment_is_updated_in_place(forge: Forge, api: Any) -> None:
    head, merge = forge.pull(BLOCKED)
    forged = {"id": 1, "body": f"{MARK}\nall is well", "user": {"type": "User", "login": "mallory"}}
    api.comments = [forged | {"author_association": "NONE"}] + [
        {"id": n, "body": "words", "user": {"type": "User"}} for n in range(2, 102)
    ]
    job = forge.job(forge.checkout(merge), "pull_request", pull_request(forge, head), api=api.url)
    for _ in range(2):
        assert job.run(online="false", comment="true").code == 1
    assert len(api.comments) == 102
    assert api.comments[0]["body"] == forged["body"]
    ours = api.comments[-1]["body"]
    assert ours.startswith(f"{MARK}\n## grounded-ingest\n\nFound 1 problem (1 guess) in 1 document")
    assert (
        f"- `{DOCUMENT}:7` **speculation**: `“I think”: The author is guessing`. Find out " in ours
    )
    assert ("PATCH", "/repos/ada/notes/issues/comments/102") in api.asked
    assert api.authorized == {"Bearer ghs_secret"}


def test_a_token_that_only_reads_loses_the_comment_not_the_check(forge: Forge, api: Any) -> None:
    head, merge = forge.pull("Retries stop after the third one.")
    api.refuses = 403
    payload = pull_request(forge, head, fork=True)
    job = forge.job(forge.checkout(merge), "pull_request", payload, api=api.url)
    ran = job.run(online="false", comment="true", upload_sarif="true")
    assert (ran.code, ran.outputs["verdict"]) == (0, "review")
    assert (
        "::warning title=grounded-ingest::The comment on the pull request was not written: the server responded with status 403"
        in ran.log
    )
    assert "::warning title=grounded-ingest::The SARIF file was not uploaded" in ran.log
    assert "ghs_secret" not in ran.log + ran.err + ran.summary


def test_nobody_listens(forge: Forge) -> None:
    head, merge = forge.pull(BLOCKED)
    job = forge.job(forge.checkout(merge), "pull_request", pull_request(forge, head))
    ran = job.run(online="false", comment="true", upload_sarif="true")
    assert (ran.code, ran.log.count("was not")) == (1, 2)


def test_no_comment_without_a_pull_request(forge: Forge, api: Any) -> None:
    job = forge.job(forge.checkout(forge.main), "push", {"before": forge.second}, api=api.url)
    ran = job.run(online="false", comment="true")
    assert (ran.code, api.asked) == (0, [])
    assert "the event has no pull request" in ran.log


def test_code_scanning_gets_the_file(forge: Forge, api: Any) -> None:
    head, merge = forge.pull(BLOCKED)
    payload = pull_request(forge, head)
    where = forge.checkout(merge)
    job = forge.job(where, "pull_request", payload, api=api.url, ref="refs/pull/7/merge")
    ran = job.run(online="false", upload_sarif="true", sarif_file="out.sarif")
    assert ran.outputs["sarif-file"] == str(where / "out.sarif")
    (told,) = api.uploads
    assert (told["commit_sha"], told["ref"]) == (merge, "refs/pull/7/merge")
    packed = gzip.decompress(base64.b64decode(told["sarif"]))
    assert packed == (where / "out.sarif").read_bytes()


@pytest.mark.parametrize("summary", ["true", "false"])
def test_the_summary_can_be_left_out(forge: Forge, summary: str) -> None:
    ran = forge.job(forge.checkout(forge.main), "push", {}).run(online="false", summary=summary)
    assert ("## grounded-ingest" in ran.summary) == (summary == "true")


@pytest.mark.parametrize("locked", [False, True])
def test_evidence_that_is_behind(forge: Forge, locked: bool) -> None:
    path = f".grounded/evidence/{DOCUMENT}.jsonl"
    head, merge = forge.pull("Retries stop after the third one.", (path, "scratch\n"))
    job = forge.job(forge.checkout(merge), "pull_request", pull_request(forge, head))
    ran = job.run(online="false", locked=str(locked).lower())
    said = [r for r in ran.log.splitlines() if "stale-sidecar" in r]
    assert len(said) == int(locked), "only a job that asks for it hears of it"
    assert all(r.startswith(f"::error file={DOCUMENT}") for r in said)
    assert ran.code == int(locked)


def test_the_policy_of_base_judges(forge: Forge) -> None:
    lenient = (".grounded-ingest.yaml", "preset: advisory\npolicy:\n  speculation: review\n")
    head, merge = forge.pull(BLOCKED, lenient)
    job = forge.job(forge.checkout(merge), "pull_request", pull_request(forge, head))
    ran = job.run(online="false")
    assert (ran.code, ran.outputs["tier-3"]) == (1, "1")
    assert "the defaults apply until the merge, not yet preset default -> advisory" in ran.log


HOSTILE = (
    "I think ::error::owned ##[error]owned <script>owned()</script> `x` @owned %0A::error::owned"
)


def test_hostile_text_comes_out_inert(forge: Forge, api: Any) -> None:
    path = "memory-bank/a,line=1::b\n::error::owned <img> `$(touch owned)`.md"
    head, merge = forge.pull(HOSTILE, (path, f"# ::error::owned\n\n{HOSTILE}\n"))
    where = forge.checkout(merge)
    job = forge.job(where, "pull_request", pull_request(forge, head), api=api.url)
    ran = job.run(online="false", comment="true")
    assert ran.outputs["tier-3"] == "2"
    for line in ran.log.splitlines():
        assert line.startswith(
            (
                "::debug title=",
                "::notice title=",
                "::error file=",
                "::warning file=",
                "::notice file=",
            )
        )
        assert "##[" not in line
    for page in (ran.summary, api.comments[0]["body"]):
        html = pyromark.html(page, options=pyromark.Options.ENABLE_TABLES)
        assert "owned" in html
        assert not re.search("owned|<img|<script|<a ", re.sub("<code>.*?</code>", "", html))
    assert not list(forge.home.rglob("owned"))


@pytest.mark.parametrize(
    "name", ["base", "config", "fail-on", "paths", "sarif-file", "scope", "timeout"]
)
def test_inputs_are_never_run(forge: Forge, name: str) -> None:
    text = "$(touch owned)`touch owned`'; touch owned; '\"; touch owned; \""
    job = forge.job(forge.checkout(forge.main, 0), "push", {"before": forge.second})
    job.run(**{"online": "false", name: text})
    assert not [p for p in forge.home.rglob("owned") if p.is_file()]


def test_outputs_cannot_be_forged(forge: Forge, tmp_path: Path) -> None:
    told = tmp_path / "told"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_OUTPUT", str(told))
        steps.set_outputs(how="x\nEOF\nverdict=approve\nend-\nverdict<<E")
    assert outputs(told.read_text("utf-8")) == {"how": "x\nEOF\nverdict=approve\nend-\nverdict<<E"}


@pytest.mark.parametrize("granted", [False, True])
def test_the_workflow_grants(forge: Forge, granted: bool) -> None:
    """A tracker of the configuration is asked where the workflow says so, with its variable."""

    def tracker(handler: Handler) -> None:
        handler.say(404)

    with Server(tracker) as server:
        config = forge.home / "config.yaml"
        config.write_text(
            f'tracker: {{kind: github, url: "{server.url}/api", repository: a/b}}\n'
            f"network: {{allow: ['{server.host}']}}\n"
        )
        where = forge.checkout(forge.push("The retry limit was settled in #12 for all tenants."))
        job = forge.job(where, "push", {})
        job.env["MY_TOKEN"] = "mine"
        grant = f"tracker {server.url} MY_TOKEN\nallow {server.host}" if granted else ""
        ran = job.run(scope="all", config=str(config), grant=grant)
        assert ran.code == 0
        sent = {s.headers.get("authorization") for s in server.seen}
        assert sent == ({"Bearer mine"} if granted else set())
        assert ("not-granted" in ran.log) is not granted
