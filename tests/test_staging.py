"""Where evidence cannot be written: said with a way out, never a crash."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from repos import NOTES, Repo, page

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.git.repository import update_index, write_blobs

POINTER = "See `README.md:1`."
COMMAND = f"{sys.executable} -m grounded_ingest check --staged --write --offline"


def _file(root: Path) -> None:
    (root / ".grounded").write_text("in the way\n", "utf-8")


def _link(root: Path) -> None:
    (root / "elsewhere").mkdir()
    (root / ".grounded").symlink_to("elsewhere")


def _inner_link(root: Path) -> None:
    (root / "elsewhere").mkdir()
    (root / ".grounded/evidence").mkdir(parents=True)
    (root / ".grounded/evidence/memory-bank").symlink_to("../../elsewhere")


def _directory(root: Path) -> None:
    (root / f".grounded/evidence/{NOTES}.jsonl/x").mkdir(parents=True)


def _state(root: Path) -> None:
    (root / ".git/grounded-ingest").write_text("in the way\n", "utf-8")


@pytest.mark.parametrize("block", [_file, _link, _inner_link, _directory, _state])
def test_what_stands_in_the_way_is_named(tmp_path: Path, block: Callable[[Path], None]) -> None:
    repo = Repo(tmp_path)
    repo.commit({"README.md": "# P\n"})
    repo.stage({NOTES: page(POINTER)})
    before = repo.git("ls-files", "--stage")
    block(repo.root)
    done = subprocess.run(
        COMMAND.split(), cwd=repo.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "grounded" in done.stderr
    assert "Traceback" not in done.stderr
    assert repo.git("ls-files", "--stage") == before


@pytest.mark.parametrize(("closing", "code"), [(">&-", 1), ("2>&-", 1), (">/dev/full", 2)])
def test_closed_and_full_outputs(tmp_path: Path, closing: str, code: int) -> None:
    repo = Repo(tmp_path)
    repo.commit({"README.md": "# P\n"})
    repo.stage({NOTES: page("I think the ledger is kept in one table.")})
    done = subprocess.run(
        f"{COMMAND} {closing}",
        shell=True,
        cwd=repo.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr + done.stdout


class Cut(Opened):
    """Is killed after so many bytes of what git is told."""

    size = 0

    def run(self, *args: str, stdin: bytes = b"", **more: object) -> bytes:
        told = stdin[: self.size] if args[0] == "update-index" else stdin
        return super().run(*args, stdin=told, **more)  # type: ignore[arg-type]


def test_rows_that_are_cut_off_put_nothing_else_into_the_index(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({".grounded/reviews/a.md.jsonl": "{}\n"})
    paths = [".grounded/evidence/a.md.jsonl", '.grounded/evidence/"b\\\n.md.jsonl']
    repo.write(dict.fromkeys(paths, "{}\n"))
    every = [".grounded/reviews/a.md.jsonl", *paths]
    with Cut(str(tmp_path), own=False) as opened:
        rows = dict(zip(paths, write_blobs(opened, paths), strict=True))
        for Cut.size in range(0, 201, 3):
            with suppress(GroundedIngestError):
                update_index(opened, rows)
            held = repo.git("ls-files", "-z").split("\0")[:-1]
            assert set(every[:1]) <= set(held) <= set(every), Cut.size
    assert sorted(held) == sorted(every)
