"""What the judged party writes raises nothing, and nothing of the repository is executed."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from repos import GITS, NOTES, Files, Repo, environment, page

from grounded_ingest.git.object_reader import Objects
from grounded_ingest.git.process import GIT
from grounded_ingest.git.process import environment as environment_of_git
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.git.repository import update_index, write_blobs
from grounded_ingest.model.claims import Source, Tier
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.evidence_files import plan_evidence
from grounded_ingest.repository.scope import Asked

FILE = ".grounded-ingest.yaml"
PROJECT = Path(__file__).parents[1]
PLAIN = "The ledger keeps its rows in one table."
DECISION = "We decided to keep the ledger in one table."
RECORDS = "memory/a.jsonl"


@pytest.mark.parametrize("source", [*Source, "owner", 7, None, ["user"]])
@pytest.mark.parametrize("kind", ["fact", "decision", "preference"])
def test_a_record_raises_nothing(tmp_path: Path, source: object, kind: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({FILE: "trusted_sources: [user, manual]\n"})
    record = {"text": DECISION, "source": source, "type": kind, "trust": 1.0, "owner": "ada"}
    repo.stage({RECORDS: json.dumps(record) + "\n"})
    assert not any(d.approved for d in repo.decisions())


@pytest.mark.parametrize(
    ("configured", "declared", "kind", "rule"),
    [
        ("manual", "user", "fact", "trusted-source"),
        ("manual", "ai_synthesis", "fact", "ungrounded"),
        ("manual", "conversation", "fact", "ungrounded"),
        ("manual", "conversation", "decision", "stated-decision"),
        ("conversation", "ai_synthesis", "decision", "ungrounded"),
        ("conversation", "manual", "decision", "stated-decision"),
        ("conversation", "chat", "decision", "ungrounded"),
        ("chat", "conversation", "decision", "ungrounded"),
        ("chat", "manual", "fact", "ungrounded"),
        ("ai_synthesis", "user", "fact", "ungrounded"),
    ],
)
def test_a_record_may_lower_its_source(
    tmp_path: Path, configured: str, declared: str, kind: str, rule: str
) -> None:
    repo = Repo(tmp_path)
    config = f'sources: {{"memory/**": {configured}}}\ntrusted_sources: [manual, user]\n'
    repo.commit({FILE: config})
    repo.stage({RECORDS: json.dumps({"text": DECISION, "source": declared, "type": kind}) + "\n"})
    assert [d.rule for d in repo.decisions()] == [rule]


@pytest.mark.parametrize(
    ("comment", "tier"),
    [
        ('<!-- grounded: ignore[speculation] reason="x" -->', Tier.REVIEW),
        ("<!-- grounded: ignore[speculation] -->", Tier.BLOCK),
        ('<!-- grounded: ignore[duplicate] reason="x" -->', Tier.BLOCK),
        ('<!-- grounded: ignore[ungrounded] reason="x" -->', Tier.BLOCK),
        ('<!-- grounded: ignore[rejected] reason="x" -->', Tier.BLOCK),
    ],
)
def test_an_ignore_comment_gives_review_at_most(tmp_path: Path, comment: str, tier: Tier) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/app.py": "a = 1\n", FILE: "preset: existence\n"})
    repo.stage({NOTES: f"# N\n\n{comment}\nI think the ledger is in Oracle (`src/app.py:1`).\n"})
    told = [d for d in repo.decisions() if "Oracle" in d.place.claim.text]
    assert [d.tier for d in told] == [tier]


def _configured(repo: Repo, canary: Path) -> None:
    script = repo.root.parent / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {canary}\ncat\n")
    script.chmod(0o755)
    hooks = repo.root.parent / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "pre-commit", "reference-transaction", "fsmonitor-watchman"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {canary}\n")
        (hooks / name).chmod(0o755)
    evil = str(script)
    for name, value in {
        "core.fsmonitor": evil, "core.hooksPath": str(hooks), "core.pager": evil,
        "pager.log": "true", "core.sshCommand": evil, "core.editor": evil, "core.askPass": evil,
        "core.gitProxy": evil, "core.alternateRefsCommand": evil, "sequence.editor": evil,
        "diff.external": evil, "diff.evil.textconv": evil, "diff.evil.command": evil,
        "filter.evil.clean": evil, "filter.evil.smudge": evil, "filter.evil.process": evil,
        "filter.evil.required": "true", "merge.evil.driver": evil, "gpg.program": evil,
        "log.showSignature": "true", "credential.helper": f"!{evil}", "alias.ls-files": f"!{evil}",
        "alias.cat-file": f"!{evil}", "alias.diff-index": f"!{evil}",
        "remote.origin.url": f"ext::{evil}", "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none", "protocol.ext.allow": "always",
        "extensions.partialClone": "origin", "uploadpack.packObjectsHook": evil,
        "interactive.diffFilter": evil, "trace2.eventTarget": str(canary),
    }.items():  # fmt: skip
        repo.git("config", name, value)


@pytest.mark.parametrize("mode", ["staged", "all", "worktree", "range"])
def test_nothing_of_the_repository_is_executed(tmp_path: Path, mode: str) -> None:
    repo = Repo(tmp_path / "repo")
    attributes = "* diff=evil filter=evil merge=evil\n"
    start = repo.commit({"src/app.py": "a = 1\n", "src/old.py": "a = 1\n"})
    lost = "The port is fixed in this file (`src/old.py:1`), in 3f00aa1 and commit 3f00aa2."
    repo.stage({NOTES: page(PLAIN, lost), "src/old.py": None, ".gitattributes": attributes})
    if mode == "range":
        repo.commit()
    signature = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n"
    signed = repo.git("cat-file", "commit", "HEAD").replace("\n\n", signature, 1)
    oid = repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=f"{signed}\n")
    repo.git("update-ref", "HEAD", oid)
    canary = tmp_path / "canary"
    _configured(repo, canary)
    with Opened(str(repo.root), own=False) as opened:
        asked = Asked(mode, start=start)  # type: ignore[arg-type]
        result = run(opened, asked, Options(online=False, cache=False))
        plan_evidence(result, heal=True)
    assert not canary.exists()


def _ran(
    repo: Repo, *args: str, path: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command as a user starts it; `path` comes first on PATH."""
    told = environment() | {"PYTHONPATH": str(PROJECT)} | {**(env or {})}
    told["PATH"] = os.pathsep.join(filter(None, (path, told["PATH"])))
    done = subprocess.run(
        [sys.executable, "-m", "grounded_ingest", *args], cwd=repo.root, env=told,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return done


def _sign(repo: Repo) -> None:
    """Give HEAD a signature, so that whoever shows signatures runs `gpg.program`."""
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n"
    head, _, message = repo.git("cat-file", "commit", "HEAD").partition("\n\n")
    text = f"{head}\n{signature}\n{message}\n"
    oid = repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=text)
    repo.git("update-ref", "HEAD", oid)


def test_replaying_history_executes_nothing(tmp_path: Path) -> None:
    """GitPython started git without the options of all others, and `gpg.program` ran."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/app.py": "a = 1\n"})
    repo.commit({NOTES: page(PLAIN)})
    _sign(repo)
    canary = tmp_path / "canary"
    _configured(repo, canary)
    done = _ran(repo, "bench", "replay", "--repo", str(repo.root), "--output-format", "json")
    assert json.loads(done.stdout)["summary"]["commits"] == 1
    assert not canary.exists()


COMMANDS = {
    "a check of all": ("check", "--all", "--offline"),
    "the hook": ("check", "--staged", "--write", "--offline"),
    "a range": ("check", "--since", "HEAD~1", "--offline"),
    "audit": ("audit", "--offline"),
    "status": ("status",),
    "recall": ("recall", "Where are the rows of the ledger?"),
    "review": ("review", "list"),
    "replay": ("bench", "replay", "--repo", "."),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_git_is_started_alike(tmp_path: Path, command: str) -> None:
    """All that a command starts as `git`, by whatever library, has our options and no variable of
    git's that its caller had. `git version`, which reads no repository, is GitPython's at
    import."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/app.py": "GATEWAY_PORT = 8443\n"})
    repo.commit({NOTES: page(PLAIN, "The gateway listens on port 8443 (`src/app.py:1`).")})
    repo.stage({"CLAUDE.md": page("The ledger is closed at night.")})
    log, between = tmp_path / "log", tmp_path / "between"
    between.mkdir()
    real = shlex.quote(shutil.which("git") or "")
    told = '"$GIT_NO_LAZY_FETCH$GIT_EXTERNAL_DIFF"'
    script = f'#!/bin/sh\nprintf "%s\\n" {told}" $*" >> "{log}"\nexec {real} "$@"\n'
    (between / "git").write_text(script)
    (between / "git").chmod(0o755)
    _ran(repo, *COMMANDS[command], path=str(between), env={"GIT_EXTERNAL_DIFF": "evil"})
    rows = [row.strip() for row in log.read_text().splitlines()]
    started = " ".join(("1", *GIT[1:], ""))  # without GIT_EXTERNAL_DIFF
    assert len(rows) > 1
    assert [r for r in rows if not r.startswith(started) and r != "evil version"] == []


@pytest.mark.parametrize("git", GITS)
@pytest.mark.parametrize("name", ["none", "", "their own"])
@pytest.mark.parametrize("knows", [True, False], ids=["as it is", "too old for the variable"])
def test_an_object_that_is_missing_fetches_nothing(
    tmp_path: Path, git: str, name: str, knows: bool
) -> None:
    """A git that is too old for GIT_NO_LAZY_FETCH asks which transports are allowed; a repository
    can write one of any name that it can guess, the empty one included."""
    repo, canary = Repo(tmp_path / "repo"), tmp_path / "canary"
    oid = _promised(repo, canary, environment_of_git(own=False)["GIT_ALLOW_PROTOCOL"], name)
    env = environment_of_git(own=False) | {"GIT_TRACE": "1"}
    if not knows:
        del env["GIT_NO_LAZY_FETCH"]
    done = subprocess.run(
        [git, *GIT[1:], "cat-file", "--batch-command"], cwd=repo.root, env=env, check=False,
        input=f"contents {oid}\n", capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout in ("", f"{oid} missing\n")
    assert knows or " fetch origin " in done.stderr  # else this proves nothing
    assert "git-remote-https" not in done.stderr
    assert not canary.exists()


def _promised(repo: Repo, canary: Path, theirs: str, name: str) -> str:
    """A repository that lacks the blob of HEAD:src/app.py, and would fetch it by a program of its
    own over a transport of this name. Returns the id of the blob."""
    repo.commit({NOTES: page(PLAIN)})
    repo.commit({"src/app.py": "a = 1\n", NOTES: page(PLAIN, "It is in `src/app.py:1` now.")})
    transport = theirs if name == "their own" else name
    for key, value in {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "origin",
        "remote.origin.promisor": "true", "remote.origin.url": f"{transport}::x",
        "fetch.bundleURI": "https://127.0.0.1:9/bundle",
        f"alias.remote-{transport}": f"!touch '{canary}'; :",
    }.items():  # fmt: skip
        repo.git("config", key, value)
    oid = repo.git("rev-parse", "HEAD:src/app.py")
    (repo.root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    return oid


@pytest.mark.parametrize("git", GITS)
@pytest.mark.parametrize("name", ["none", ""])
def test_a_check_of_a_clone_that_lacks_a_blob_runs_nothing(
    tmp_path: Path, git: str, name: str
) -> None:
    repo, canary = Repo(tmp_path / "repo"), tmp_path / "canary"
    _promised(repo, canary, "", name)
    repo.git("update-index", "--skip-worktree", "src/app.py")
    first = os.path.dirname(shutil.which(git) or git)
    _ran(repo, "check", "--since", "HEAD~1", "--offline", path=first)
    assert not canary.exists()


def test_a_git_that_dies_of_its_own_refused_fetch_answers_unknown(tmp_path: Path) -> None:
    """git 2.43.0 now and then: its fetch ended before it was told what to fetch."""
    script = tmp_path / "git"
    script.write_text(
        "while read verb name; do\n"
        '  [ "$name" != gone ] || kill -PIPE $$\n'
        f'  echo "{"a" * 40} blob 1"\n'
        "done\n"
    )
    with closing(Objects(["sh", str(script)], str(tmp_path), os.environ)) as objects:
        objects.look_up(["here", "gone", "there"])
        assert [bool(objects.get(n)) for n in ("here", "gone", "there")] == [True, False, True]
        assert (objects.unavailable, objects.died) == ({"gone"}, "")


def test_staging_evidence_executes_nothing(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/app.py": "a = 1\n"})
    repo.stage({NOTES: page(PLAIN), ".gitattributes": "* filter=evil\n"})
    canary = tmp_path / "canary"
    _configured(repo, canary)
    with Opened(str(repo.root), own=False) as opened:
        update_index(opened, dict(zip(["x.md"], write_blobs(opened, [NOTES]), strict=True)))
    assert not canary.exists()


LINKS: dict[str, Files] = {
    "a document": {NOTES: "link:../../secret.md"},
    "absolute": {NOTES: "link:{secret}"},
    "a directory": {"memory-bank": "link:../"},
    "through a directory": {"out": "link:..", NOTES: "link:../out/secret.md"},
    "a circle": {NOTES: "link:other.md", "memory-bank/other.md": "link:notes.md"},
    "a directory of itself": {"memory-bank/self": "link:../memory-bank"},
}


@pytest.mark.parametrize("mode", ["staged", "worktree"])
@pytest.mark.parametrize("files", LINKS.values(), ids=LINKS)
def test_links_do_not_lead_out(tmp_path: Path, files: Files, mode: str) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("The secret is kept outside of the repository.\n")
    repo = Repo(tmp_path / "repo")
    repo.commit({"README.md": page(PLAIN)})
    repo.stage({p: c.replace("{secret}", str(secret)) for p, c in files.items()})  # type: ignore[union-attr]
    assert repo.decisions(mode) == []


@pytest.mark.parametrize(
    ("files", "texts"),
    [
        ({"AGENTS.md": page(PLAIN), "CLAUDE.md": "link:AGENTS.md"}, 1),
        ({"x/real.md": page(PLAIN), "y.md": "link:x/real.md", "CLAUDE.md": "link:y.md"}, 1),
        ({".agents/rules/a.md": page(PLAIN), ".claude": "link:.agents"}, 1),
        ({"other/a.md": page(PLAIN), "pkg": "link:other"}, 0),
    ],
    ids=["one document", "links to links", "a linked directory", "no memory"],
)
def test_what_agents_read_through_links_is_judged_once(
    tmp_path: Path, files: Files, texts: int
) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/a.py": "a = 1\n"})
    repo.stage(files)
    assert [d.place.claim.text for d in repo.decisions()] == [PLAIN] * texts


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("memory/a.yaml", BOMB),
        ("memory/a.yaml", "- !!python/object/apply:os.system ['touch canary']\n"),
        ("memory/a.yaml", "[" * 5000),
        ("memory/a.json", "[" * 100_000),
        ("memory/a.json", '{"text": "' + "x" * 100_000 + '"}'),
        ("memory/a.jsonl", "[" * 100_000 + "\n"),
        (NOTES, "> " * 5000 + "deep\n"),
        (NOTES, "- " * 5000 + "deep\n"),
        (NOTES, "[" * 50_000 + "\n"),
        (NOTES, "*a **a " * 20_000 + "\n"),
        (NOTES, "`" * 50_000 + "\n"),
        (NOTES, f"{PLAIN} " + "(`src/a.py:1`) " * 3000 + "\n"),
        (NOTES, "ADR-1 to ADR-9999, " * 200 + "\n"),
        (NOTES, "---\n" + "a: " * 5000 + "\n---\n"),
        (NOTES, b"\xff\xfe\x00"),
        (NOTES, "<!--" * 20_000),
        (NOTES, "See [it](#gone).\n\n" + "<!-- generated " * 5000 + "\n"),
        ("memory-bank/caf\udce9.md", page(PLAIN)),
        ("memory-bank/new\nline.md", page(PLAIN)),
        ("memory-bank/" + "x" * 240 + ".md", page(PLAIN)),
    ],
    ids=lambda v: None if isinstance(v, str | bytes) else str(v),
)
def test_odd_input_is_answered_in_time(tmp_path: Path, path: str, content: str | bytes) -> None:
    import time

    repo = Repo(tmp_path)
    repo.commit({"src/a.py": "a = 1\n"})
    full = tmp_path / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(content if isinstance(content, bytes) else content.encode())
    repo.git("add", "-A")
    started = time.monotonic()
    result = repo.check()
    assert time.monotonic() - started < 10
    assert result.documents
    assert not (tmp_path / "canary").exists()
    with Opened(str(repo.root), own=False) as opened:
        plan = plan_evidence(
            run(opened, Asked("staged"), Options(online=False, cache=False)), heal=True
        )
    assert all(len(os.fsencode(p.rpartition("/")[2])) < 256 for p in plan.writes)


def test_a_broken_check_waits_for_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import grounded_ingest.decide.engine as judge
    from grounded_ingest.references.registry import VERIFIERS

    def boom(*_: object) -> None:
        raise RuntimeError("boom\nmore")

    repo = Repo(tmp_path)
    repo.commit({"src/a.py": "a = 1\n"})
    for kind in VERIFIERS:
        monkeypatch.setitem(VERIFIERS, kind, boom)
    told = repo.judge(f"{PLAIN[:-1]} (`src/a.py:1`).")
    assert (told.rule, told.evidence[0].reason) == (
        "check-failed", "could not be checked: boom")  # fmt: skip
    monkeypatch.undo()
    monkeypatch.setattr(judge, "detect_all", boom)
    assert repo.judge(f"{PLAIN[:-1]} (`src/a.py:1`).").rule == "check-failed"
