"""`check --watch` at a real terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, SOURCE, Repo
from terminal import Terminal

WAITS = "waiting for changes, press Ctrl-C to end"


@contextmanager
def watching(repo: Repo, *args: str) -> Iterator[Terminal]:
    at = Terminal(repo, "check", "--offline", "--watch", *args)
    try:
        yield at
    finally:
        if at.process.poll() is None:
            at.kill()


def test_it_checks_again_when_a_file_changes_and_ends_with_ctrl_c(repo: Repo) -> None:
    with watching(repo, "--all", "--output-format", "text") as at:
        assert "speculation" not in at.until(WAITS)
        repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
        assert "speculation" in at.until(WAITS)
        repo.write(DOCUMENT, PAGE)
        assert "speculation" not in at.until(WAITS)
        repo.write("CLAUDE.md", f"{BLOCKED}\n")
        assert "CLAUDE.md:1:1" in at.until(WAITS)
        (repo.root / "CLAUDE.md").unlink()
        assert "CLAUDE.md:1:1" not in at.until(WAITS)
        repo.write("src/app.py", "HOST = 1\n")
        assert "refuted-citation" in at.until(WAITS)
        repo.write("src/app.py", SOURCE)
        assert "refuted-citation" not in at.until(WAITS)
        assert at.end("\x03") == 130
        assert at.screen.endswith("grounded-ingest: interrupted\r\n")


def test_a_commit_changes_what_is_new(repo: Repo) -> None:
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    with watching(repo) as at:
        assert "Found 1 problem (1 guess) in 1 document" in at.until(WAITS)
        repo.git("commit", "--quiet", "--no-verify", "--all", "--message", "Change")
        assert "wrong" not in at.until(WAITS)


def test_a_broken_configuration_is_said_and_waited_for(repo: Repo) -> None:
    with watching(repo) as at:
        at.until(WAITS)
        repo.write(".grounded-ingest.yaml", "presett: strict\n")
        assert 'did you mean "preset"?' in at.until(WAITS)
        repo.write(".grounded-ingest.yaml", "preset: strict\n")
        assert "did you mean" not in at.until(WAITS)


def test_what_it_writes_is_no_change(repo: Repo) -> None:
    formats = ("--output-format", "text", "--output-format", "json")
    files = ("--output-file", "-", "--output-file", "report.json")
    repo.write(DOCUMENT, f"{PAGE}\n## Structure\n\n`GATEWAY_PORT` is in `src/app.py`.\n")
    with watching(repo, "--all", "--write", *formats, *files) as at:
        at.until(WAITS)
        assert (repo.root / "report.json").exists()
        assert repo.evidence()
        with pytest.raises(AssertionError, match="no 'waiting"):
            at.until(WAITS, seconds=3)


def test_what_is_wrong_at_once_ends_it(repo: Repo) -> None:
    with watching(repo, "--base", "nope") as at:
        assert at.end() == 2
        assert "the base `nope` is unknown" in at.screen


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "--watch needs a terminal"),
        (["--staged"], "--watch does not work together with --staged"),
        (["--since", "HEAD"], "--watch does not work together with --staged"),
        (
            ["--update-baseline", "--baseline", "b"],
            "--update-baseline does not work together with --watch",
        ),
    ],
)
def test_only_where_somebody_looks(repo: Repo, args: list[str], said: str) -> None:
    ran = repo.check("--watch", *args)
    assert (ran.code, said in ran.err) == (2, True), ran.err
