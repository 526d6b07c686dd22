"""The command that adds an extra fits the way in which the program was installed."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from clirepo import Repo

ASK = "from grounded_ingest.version import install_command as c; print(c('mcp'))"


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        ({"url": "file:///x/my%20clone", "dir_info": {}}, ["/x/my clone[mcp]"]),
        (
            {"url": "file:///x/clone", "dir_info": {"editable": True}},
            ["-e", "/x/clone[mcp]"],
        ),
        (
            {"url": "file:///x/grounded_ingest-1-py3-none-any.whl", "archive_info": {}},
            ["/x/grounded_ingest-1-py3-none-any.whl[mcp]"],
        ),
        (
            {"url": "https://example.org/x", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            ["grounded-ingest[mcp] @ git+https://example.org/x@abc"],
        ),
        (
            {"url": "https://example.org/x.whl", "archive_info": {}},
            ["grounded-ingest[mcp] @ https://example.org/x.whl"],
        ),
        (None, ["grounded-ingest[mcp]"]),
        ([], ["grounded-ingest[mcp]"]),
    ],
    ids=["clone", "editable", "wheel", "git", "wheel at an address", "index", "malformed"],
)
def test_the_command_names_the_source(
    repo: Repo, tmp_path: Path, recorded: object, words: list[str]
) -> None:
    info = tmp_path / "site/grounded_ingest-9.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: grounded-ingest\nVersion: 9\n")
    if recorded is not None:
        (info / "direct_url.json").write_text(json.dumps(recorded))
    path = os.pathsep.join([str(tmp_path / "site"), repo.env["PYTHONPATH"]])
    ran = repo.run(sys.executable, "-c", ASK, PYTHONPATH=path)
    assert ran.code == 0, ran.err
    said = shlex.split(ran.out)
    assert sys.executable in said
    assert said[-len(words) :] == words
    assert said[-len(words) - 1] in ("install", sys.executable)
