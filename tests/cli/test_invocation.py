"""What is printed as a command starts this program where it is read."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest
from clirepo import Repo

SCRIPT = f"#!{sys.executable}\nfrom grounded_ingest.__main__ import main\nmain()\n"
USUAL = [
    place
    for place in os.environ["PATH"].split(os.pathsep)
    if not (Path(place) / "grounded-ingest").exists()
]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The script of an environment; its directory needs quoting."""
    there = tmp_path / "an env" / "grounded-ingest"
    there.parent.mkdir()
    there.write_text(SCRIPT)
    there.chmod(0o755)
    return there


def printed(repo: Repo, script: Path, path: list[str], **env: str) -> list[str]:
    """The first word of the commands that the first run prints next."""
    env |= {"PATH": os.pathsep.join(path)}
    ran = repo.run(str(script), **env)
    assert ran.code == 0, ran.err
    return [shlex.split(row)[0] for row in ran.out.partition("\nNext:\n")[2].splitlines()]


@pytest.mark.parametrize(
    ("before", "after", "env", "bare"),
    [
        (["own"], [], {}, True),
        ([], [], {}, False),
        (["other"], ["own"], {}, False),
        (["linked"], [], {}, True),
        (["own"], [], {"PRE_COMMIT": "1"}, True),  # `language: system` in an active environment
        (["built"], [], {"PRE_COMMIT": "1"}, False),
        (["built"], ["other"], {"PRE_COMMIT": "1"}, True),  # a hook's own folder is no answer
        (["own"], [], {"UV": "/usr/bin/uv"}, False),
        (["git-core"], ["own"], {"PRE_COMMIT": "1"}, True),
    ],
)
def test_the_bare_name_is_printed_where_it_leads_here(
    repo: Repo, script: Path, before: list[str], after: list[str], env: dict[str, str], bare: bool
) -> None:
    for name in ("other", "linked", "git-core"):
        (script.parents[1] / name).mkdir()
    other = script.parents[1] / "other/grounded-ingest"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    (script.parents[1] / "linked/grounded-ingest").symlink_to(script)
    if "built" in before:
        script = script.parent.rename(script.parents[1] / "py_env-python3") / script.name
    places = {"own": str(script.parent), "built": str(script.parent)}
    path = [places.get(p, str(script.parents[1] / p)) for p in (*before, *after)] + USUAL
    words = printed(repo, script, path, **env)
    assert set(words) == {"grounded-ingest" if bare else str(script)}
