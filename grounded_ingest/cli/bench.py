"""Defines `grounded-ingest bench`: replays commits, and measures the judge model and `verify`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click
import msgspec

from grounded_ingest.bench import groundingbench as grounding
from grounded_ingest.bench import judge_pairs as labelled
from grounded_ingest.bench import replay as bench
from grounded_ingest.cli.group import cli, format_option
from grounded_ingest.cli.terminal import emit, progress_line
from grounded_ingest.errors import GroundedIngestError, os_errors_as
from grounded_ingest.git.repository import Repo
from grounded_ingest.records.whole_file import write_whole


def _repo_option(about: str) -> Callable[[Any], Any]:
    return click.option(
        "--repo", default=".", type=click.Path(exists=True, file_okay=False), help=about
    )


@cli.group("bench")
def command() -> None:
    """Measure the hook on past commits, and the judge model and `verify` on labelled data.

    \b
    grounded-ingest bench replay --max 50
    """


@command.command("replay")
@_repo_option("The repository to replay. Default: the current repository.")
@click.option("--since", default="", metavar="REF", help="Replay only commits after REF.")
@click.option(
    "--limit",
    "--max",
    "limit",
    default=200,
    type=click.IntRange(min=1),
    help="Maximum number of commits to replay. Default: 200.",
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False),
    help="Save results in this file. If the file exists, continue after its last commit.",
)
@format_option("text", "json")
@click.option("--warnings", is_flag=True, help="Also list the warnings.")
def replay(repo: str, since: str, limit: int, state: str | None, form: str, warnings: bool) -> None:
    """Check past commits one by one, offline, as the commit hook would have checked them.

    \b
    grounded-ingest bench replay --since v1.0


    Only commits that change documents are checked. Merge commits and the first commit are not
    checked.
    """
    rows = _read_state(state)
    finished = frozenset(r.commit for r in rows)
    with Repo(repo, own=repo == ".") as opened, progress_line() as say:
        todo = [c for c in bench.commits(opened, since=since, limit=limit) if c[0] not in finished]
        for number, commit in enumerate(todo, 1):
            rows.append(bench.replay_commit(opened, *commit))
            if state:
                _write_state(state, rows)
            say(number / len(todo), f"{number}/{len(todo)} commits")
    emit(bench.as_json(rows) if form == "json" else bench.as_text(rows, warnings))


@command.command("judge")
@_repo_option("The repository that configures the judge model. Default: the current repository.")
@click.option(
    "--pairs",
    "path",
    default="",
    metavar="FILE",
    help="Labelled pairs of claim and source. Default: the pairs that come with grounded-ingest.",
)
@format_option("text", "json")
def judge(repo: str, path: str, form: str) -> None:
    """Ask the configured judge model about labelled claims, and count its right and wrong answers.

    \b
    grounded-ingest bench judge

    JSON: `true_raised` and `false_raised` count the claims that the judge model would approve.
    """
    pairs = labelled.read_pairs(path)
    with Repo(repo, own=repo == ".") as opened, progress_line() as say:
        model = labelled.configured_judge(opened)
        say(0.0, f"asking the judge model about {len(pairs)} claims")
        judged = labelled.judge_pairs(model, pairs)
    emit(labelled.judged_as_json(judged) if form == "json" else labelled.judged_as_text(judged))


@command.command("groundingbench")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@format_option("text", "json")
def groundingbench(files: tuple[str, ...], form: str) -> None:
    """Compare each text in GroundingBench files with its memories, and count the right results.

    \b
    grounded-ingest bench groundingbench native100.jsonl

    Precision, recall and F1 count two labels as positive: the text is not grounded, or the text
    should mention that the memories contradict each other. The data set does not come with
    grounded-ingest.
    """
    measured = grounding.measure(e for path in files for e in grounding.read_examples(path))
    asjson = form == "json"
    emit(grounding.measured_as_json(measured) if asjson else grounding.measured_as_text(measured))


def _read_state(state: str | None) -> list[bench.Replayed]:
    """Returns the results that an interrupted run saved."""
    if not state or not os.path.exists(state):
        return []
    with os_errors_as(f"{state} cannot be read"), open(state, "rb") as file:
        lines = file.read()
    try:
        return msgspec.json.Decoder(bench.Replayed).decode_lines(lines)
    except msgspec.MsgspecError:
        raise GroundedIngestError(
            f"{state} is not a file of replay results", "name another file with --state FILE"
        ) from None


def _write_state(state: str, rows: list[bench.Replayed]) -> None:
    with os_errors_as(f"{state} cannot be written"):
        write_whole(os.path.abspath(state), msgspec.json.Encoder().encode_lines(rows))
