"""Writing into git's index, filters left out."""

from __future__ import annotations

import os
from collections.abc import Mapping

from grounded_ingest.git.process import with_config
from grounded_ingest.git.repository import Repo

_FILTERS = (
    "config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|process|required)$",
)  # fmt: skip


def write_blobs(repo: Repo, paths: list[str]) -> list[str]:
    """Store work tree files as they are, filters left out; their object ids."""
    repo.begin(*_FILTERS)  # asked for next
    stdin = b"".join(os.fsencode(f"{_quoted(p)}\n") for p in paths)
    out = repo.run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=stdin)
    return out.decode().split()


def update_index(repo: Repo, entries: Mapping[str, str | None]) -> None:
    """Put blobs into the index git is using; None removes a path. Where we are killed as
    we tell it rows, git refuses them: a quoted path without its end is none."""
    zero = "0" * (64 if repo.object_format == "sha256" else 40)
    rows = "".join(
        f"{'100644' if oid else '0'} {oid or zero}\t{_quoted(path)}\n"
        for path, oid in entries.items()
    )
    # git asks clean filters about files that may have changed while it looks at them.
    names = repo.run(*_FILTERS, ok=(0, 1))
    off = {n: "" for n in os.fsdecode(names).split("\0") if n}
    off |= {n: "false" for n in off if n.endswith(".required")}
    env = repo.env | with_config(repo.env, off)
    repo.run("update-index", "--index-info", stdin=os.fsencode(rows), env=env)


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
