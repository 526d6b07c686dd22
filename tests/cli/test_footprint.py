"""What a command leaves behind and starts: files where it may write, git and Python, no shell."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from clirepo import BLOCKED, DOCUMENT, GROUNDED, PAGE, Repo

GIT, EVIDENCE, CACHE = "work/.git/grounded-ingest", "work/.grounded/evidence", "cache"
HOOK = (GIT, EVIDENCE, "work/.git/index", "work/.git/objects")
ODD = ("; touch ran", "$(touch ran)", "`touch ran`", "| touch ran", "-x", "%x", "a\nb")
WATCH = """\
import os, sys
def note(event, told):
    if event == "subprocess.Popen":
        name = told[1][0] if isinstance(told[1], (list, tuple)) else told[1]
    elif event in ("os.system", "os.exec", "os.posix_spawn", "os.spawn"):
        name = f"{event} {told[0]}"
    else:
        return
    with open(os.environ["STARTED"], "a") as file:
        file.write(f"{name}\\n")
sys.addaudithook(note)
"""
PAYLOAD = {
    "session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Write",
    "tool_response": {"success": True},
}  # fmt: skip


@pytest.fixture
def watched(repo: Repo, tmp_path: Path) -> Repo:
    """A repository with names a shell would run, in a session whose programs are noted."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(WATCH, "utf-8")
    for name in ("cache", "tmp"):
        (tmp_path / name).mkdir()
    repo.env |= {
        "PYTHONPATH": f"{tmp_path / 'site'}:{repo.env['PYTHONPATH']}", "PYTHONDONTWRITEBYTECODE": "1",
        "STARTED": str(tmp_path / "started"), "TMPDIR": str(tmp_path / "tmp"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }  # fmt: skip
    for name in ODD:
        repo.write(
            f"docs/{name}.md", f"# Odd\n\n{GROUNDED}\n\nSee `{name}` and `src/{name}.py:1`.\n"
        )
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "-m", "; touch ran")
    repo.write("memories.jsonl", "".join(
        json.dumps({"id": f"m{n}", "text": f"The limit of tenant {n} is {n} requests."}) + "\n"
        for n in range(400)
    ))  # fmt: skip
    repo.write(DOCUMENT, f"{PAGE}\nThe host is db (`src/app.py:1`).\n")
    repo.git("add", DOCUMENT)
    return repo


def files(below: Path) -> dict[str, bytes]:
    found = (p for p in below.rglob("*") if p.is_file() or p.is_symlink())
    return {p.relative_to(below).as_posix(): p.read_bytes() for p in found}


COMMANDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "nothing": ((), ()),
    "check": (("check", "--offline"), (GIT,)),
    "check --all": (("check", "--all", "--offline"), (GIT,)),
    "check --write": (("check", "--all", "--offline", "--write"), (GIT, EVIDENCE)),
    "the hook": (("check", "--staged", "--offline", "--write"), HOOK),
    "without a cache": (("check", "--all", "--offline", "--no-cache"), ()),
    "audit": (("audit", "--offline"), (GIT,)),
    "status": (("status",), (GIT,)),
    "explain": (("explain", f"{DOCUMENT}:3"), (GIT,)),
    "recall": (("recall", "which port does the gateway listen on"), (GIT,)),
    "cite": (("cite", "The gateway listens on port 8443."), (GIT,)),
    "verify": (("verify", "--text", "The limit is 7.", "--memories", "memories.jsonl"), ()),
    "review list": (("review", "list", "--offline"), (GIT,)),
    "review": (("review", "approve", f"{DOCUMENT}:5", "--yes"), (GIT, "work/.grounded/reviews")),
    "init --dry-run": (("init", "--dry-run"), ()),
    "an agent's hook": (("hook", "--agent", "claude"), (GIT,)),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_files_and_programs(name: str, watched: Repo, tmp_path: Path) -> None:
    args, places = COMMANDS[name]
    written = {"file_path": str(watched.root / DOCUMENT), "content": watched.read(DOCUMENT)}
    payload = json.dumps(PAYLOAD | {"cwd": str(watched.root), "tool_input": written}).encode()
    before = files(tmp_path)
    ran = watched.run(sys.executable, "-m", "grounded_ingest", *args, stdin=payload)
    after = files(tmp_path)
    assert ran.code in (0, 1), ran
    assert "nothing was checked" not in ran.err
    programs = set(after.pop("started", b"").decode().split("\n")) - {""}
    assert programs <= {"git", sys.executable}
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert [path for path in sorted(changed) if not path.startswith(places)] == []
    assert bool(changed) == bool(places)
    assert not [path for path in changed if path.endswith("/ran")]


def test_a_blocked_commit_leaves_a_report_alone(watched: Repo, tmp_path: Path) -> None:
    watched.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    watched.git("add", DOCUMENT)
    before = files(tmp_path)
    assert watched.check("--staged", "--write").code == 1
    after = files(tmp_path)
    after.pop("started")
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert f"{GIT}/last-run.json" in changed
    assert all(path.startswith(GIT) for path in changed)
