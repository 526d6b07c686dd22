"""`python -m benchmarks.quality`: quality on labelled data, which is not part of the wheel."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from types import ModuleType

import click

from grounded_ingest.cli.terminal import done, emit, progress, progress_line
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo

_FILE = click.Path(exists=True, dir_okay=False)
_DIRECTORY = click.Path(exists=True, file_okay=False)


def _form(*forms: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option("--output-format", "form", default="text", type=click.Choice(forms))


_plain_form, _any_form = _form("text", "json"), _form("text", "json", "markdown")


@click.group()
def command() -> None:
    """Measure quality on labelled examples, and on a repository that is built for it."""


def _emit(figures: ModuleType, run: object, form: str) -> None:
    """A run as the figures of its kind write it: `as_text`, `as_json`, `as_markdown`."""
    emit(getattr(figures, f"as_{form}")(run), exact=form == "json")


@command.command("elbow")
@click.argument("clones", nargs=-1, required=True, type=_DIRECTORY)
@click.option("--each", default=50, type=click.IntRange(min=1), help="Edits of each clone.")
def elbow(clones: tuple[str, ...], each: int) -> None:
    """The hook of an agent beside the check, over the newest documentation edits of clones."""
    from benchmarks.quality import elbow as measured

    with progress_line() as say:
        run = measured.run_elbow(clones, each, say)
    emit(measured.as_text(run))


@command.command("attacks")
@click.option("--suite", default="forms", type=click.Choice(["forms", "brought"]))
@click.option("--held-out", is_flag=True, help="The part that nobody looks at while mending.")
@_plain_form
def attacks(suite: str, held_out: bool, form: str) -> None:
    """Try to get falsehoods approved by their form, or by sources brought along in the change."""
    from benchmarks.quality import attacks

    cases = [a for a in attacks.read_attacks(suite) if a.held_out == held_out]
    _emit(attacks, list(attacks.attacked(cases)), form)


@command.command("verify")
@click.option(
    "--data",
    required=True,
    type=_DIRECTORY,
    help="The directory with fm2/, expertqa/, groundingbench/ and groundcheck/.",
)
@_plain_form
def verify(data: str, form: str) -> None:
    """Compare the verdicts of `grounded-ingest verify` with labels."""
    from benchmarks.quality import verify_labels as figures

    _emit(figures, figures.measured(data), form)


@command.command("locomo")
@click.option(
    "--dataset",
    required=True,
    type=_FILE,
    help="LoCoMo's locomo10.json.",
)
@_any_form
def locomo(dataset: str, form: str) -> None:
    """Evidence recall on LoCoMo, beside plain BM25; and what is left without an answer."""
    from benchmarks.quality import locomo as bench

    emit(getattr(bench, f"as_{form}")(bench.measured(dataset)), exact=form == "json")


@command.command("memory")
@click.option(
    "--sentences", type=_FILE, help="Lines labelled claim or not, with a weight, as JSON Lines."
)
@click.option(
    "--updates", type=_FILE, help="Changed lines with the line they revise, as JSON Lines."
)
@click.option(
    "--repos",
    type=_DIRECTORY,
    help="Where the clones are, as owner+name or owner/name, with their history.",
)
@click.option("--half", type=click.Choice(["open", "held"]), help="One half alone.")
@click.option(
    "--draw", type=_DIRECTORY, metavar="CLONE", help="Print candidates to label, and do no more."
)
@click.option("--added", is_flag=True, help="With --draw: new lines rather than rewritten ones.")
@click.option("--n", default=24, type=click.IntRange(min=1), help="With --draw: commits drawn.")
@click.option("--seed", default=0, help="With --draw: which.")
@_any_form
def memory(
    sentences: str | None,
    updates: str | None,
    repos: str | None,
    half: str | None,
    draw: str | None,
    added: bool,
    n: int,
    seed: int,
    form: str,
) -> None:
    """Extraction and updates on labelled lines of real repositories, in the measures of HaluMem.

    Offline; clones are only read.
    """
    if draw is not None:
        _draw(draw, seed, n, added)
        return
    if repos is None or not (sentences or updates):
        raise GroundedIngestError(
            "nothing to measure", "--repos DIR with --sentences FILE, --updates FILE or both"
        )
    from benchmarks.quality import memory_figures as figures
    from benchmarks.quality.labels import read_lines
    from benchmarks.quality.memory import Sentence, extracted, of_half
    from benchmarks.quality.memory_updates import Revision, operations

    say = progress()
    lines = of_half(read_lines(sentences, Sentence), half or "") if sentences else []
    changes = of_half(read_lines(updates, Revision), half or "") if updates else []
    try:
        read, missing = extracted(lines, repos)
        judged, left_out = operations(changes, repos, say)
    finally:
        done()
    run = figures.gathered(figures.Outcome(read, judged, [*missing, *left_out]))
    if not read and not judged:
        raise GroundedIngestError(
            f"nothing could be measured: {run.left_out[0]}",
            "clone the repositories there as owner+name or owner/name, with their history",
        )
    emit(getattr(figures, f"as_{form}")(run), exact=form == "json")


def _draw(clone: str, seed: int, n: int, added: bool) -> None:
    import msgspec

    from benchmarks.quality.memory_mining import candidates

    with Repo(clone, own=False) as repo:
        for found in candidates(repo, seed, n, added=added):
            emit(msgspec.json.encode(found).decode() + "\n", exact=True)


@command.command("tree-references")
@click.argument("clones", nargs=-1, required=True, type=_DIRECTORY)
@click.option("--labels", type=_FILE, help="Labelled references, as JSON Lines; those that ship.")
@_plain_form
def tree_references(clones: tuple[str, ...], labels: str | None, form: str) -> None:
    """Count references that are confirmed and refuted rightly. Clones are only read."""
    from pathlib import Path

    from benchmarks.quality import tree_references as figures

    known = figures.read_labels(Path(labels)) if labels else figures.read_labels()
    _emit(figures, figures.compared(clones, known), form)


@command.command("alerts")
@click.argument("clones", nargs=-1, required=True, type=_DIRECTORY)
@click.option("--labels", type=_FILE, help="Labelled alerts, as JSON Lines; those that ship.")
@click.option(
    "--max", "most", default=200, type=click.IntRange(min=1), help="Commits of each clone."
)
@_plain_form
def alerts(clones: tuple[str, ...], labels: str | None, most: int, form: str) -> None:
    """Count claims that the newest commits of code take the ground from. Clones are only read."""
    from pathlib import Path

    from benchmarks.quality import alerts as figures

    known = figures.read_alert_labels(*([Path(labels)] if labels else []))
    with progress_line() as say:
        found = [figures.told(clone, most, known, say) for clone in clones]
    _emit(figures, found, form)


@command.command("agreement")
@click.argument("clones", nargs=-1, required=True, type=_DIRECTORY)
@click.option("--labels", type=_FILE, help="Labelled pairs, as JSON Lines; those that ship.")
@click.option("--walk", "most", default=0, help="Further commits of each clone.")
@_plain_form
def agreement(clones: tuple[str, ...], labels: str | None, most: int, form: str) -> None:
    """Find what files that agents load contradict in each other. Clones are only read."""
    from pathlib import Path

    from benchmarks.quality import agreement as figures

    known = figures.read_pair_labels(Path(labels)) if labels else figures.read_pair_labels()
    _emit(figures, figures.walked(clones, known, most), form)


@command.command("evidence")
@click.argument("clones", nargs=-1, required=True, type=_DIRECTORY)
@click.option("--merges", "most", default=0, help="Merges of each clone that met in a document.")
@click.option("--lines", is_flag=True, help="Check each clone, and count lines of evidence.")
@_plain_form
def evidence(clones: tuple[str, ...], most: int, form: str, *, lines: bool) -> None:
    """Weigh evidence, and merge it anew where real branches met. Clones are only read."""
    from benchmarks.quality import evidence as figures

    if not most and not lines:
        raise GroundedIngestError("nothing to measure", "--lines, --merges N or both")
    _emit(figures, figures.measured(clones, most, weigh=lines), form)


@command.command("recall")
@click.option(
    "--questions",
    "path",
    required=True,
    type=_FILE,
    help="Questions with the lines that answer them, as JSON Lines.",
)
@click.option(
    "--repo",
    type=_DIRECTORY,
    help="The repository they are about; one that is built for it if nothing is said.",
)
@click.option(
    "--semantic",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Rank by meaning as well, as `recall --semantic`.",
)
@click.option("--pending", is_flag=True, help="Serve claims that are not grounded as well.")
@_any_form
def recall(path: str, repo: str | None, semantic: str | None, form: str, *, pending: bool) -> None:
    """Ask questions, some of which nothing answers, and count the right answers and silences.

    Flat BM25 over every claim is asked in the same run.
    """
    from benchmarks.quality import recall_figures as figures
    from benchmarks.quality.recall import measured, read_questions
    from benchmarks.quality.shipped import build
    from grounded_ingest.recall.session import by_meaning, by_words

    questions, say = read_questions(path), progress()
    ranking = by_meaning(semantic, say) if semantic else by_words
    with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
        root = repo or build(directory).root
        name = os.path.basename(os.path.realpath(repo)) if repo else "shipped"
        with Repo(root, own=root == ".") as opened:
            run = measured(opened, name, questions, pending=pending, ranking=ranking, say=say)
    done()
    emit(getattr(figures, f"as_{form}")(run), exact=form == "json")


@command.command("memory-types")
@click.option(
    "--references",
    required=True,
    type=_FILE,
    help="Claims of real repositories with the type a reader gave them, as JSON Lines.",
)
@click.option(
    "--repos",
    required=True,
    type=_DIRECTORY,
    help="Where their clones are, as owner+name or owner/name.",
)
@click.option("--half", default="", metavar="NAME", help="The labels of this half alone.")
@_any_form
def types(references: str, repos: str, half: str, form: str) -> None:
    """Compare the memory types of claims with those a reader gave. Clones are only read."""
    from benchmarks.quality import memory_types as types

    run = types.measured(references, repos, half)
    emit(getattr(types, f"as_{form}")(run), exact=form == "json")


@command.command("nothing-to-check")
@click.option(
    "--repos",
    required=True,
    type=_DIRECTORY,
    help="Where the clones are, as owner+name or owner/name.",
)
@click.option("--labels", type=_FILE, help="Labelled claims, as JSON Lines; those that ship.")
@click.option("--half", default="", metavar="NAME", help="The labels of this half alone.")
@_plain_form
def nothing(repos: str, labels: str | None, half: str, form: str) -> None:
    """Compare what has nothing to check with what a reader says. Clones are only read."""
    from benchmarks.quality import nothing_to_check as figures

    _emit(figures, figures.measured(labels or str(figures.LABELS), repos, half), form)


def run(command: click.Command) -> None:
    """Run a command; what it refuses is one line, and exit code 1."""
    try:
        command()
    except GroundedIngestError as error:
        raise SystemExit(f"error: {error}") from None


if __name__ == "__main__":
    run(command)
