"""Writes the reports of a check to stdout, to files, and to the git directory for `explain`."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import zip_longest

from msgspec.structs import replace

from grounded_ingest.cli.invocation import program
from grounded_ingest.cli.terminal import When, coloured, emit, say
from grounded_ingest.errors import GroundedIngestError, os_errors_as
from grounded_ingest.git.repository import Repo, path_below
from grounded_ingest.model.report import Report
from grounded_ingest.records.whole_file import locked
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import list_findings, passes
from grounded_ingest.report.formats import FORMATS, PLAIN, STATISTICS, Look, Render
from grounded_ingest.report.kept_report import LAST_RUN
from grounded_ingest.text.printable import inert_text

STDOUT = "-"


Target = tuple[str, str]
"""The format of a report, and the file that the report is written to. `-` means stdout."""


def targets(
    formats: tuple[str, ...], files: tuple[str, ...], *, statistics: bool = False
) -> list[Target]:
    """Returns each `--output-format` together with its `--output-file`. A format without a file
    goes to stdout; at most one format may have no file. Raises GroundedIngestError if the numbers
    of formats and files do not match."""
    formats = formats or ("text",)
    if statistics and not STATISTICS.keys() >= {*formats}:
        raise GroundedIngestError(
            "--statistics does not work with this --output-format",
            f"use --output-format {' or '.join(STATISTICS)}",
        )
    if len(files) > len(formats):
        raise GroundedIngestError(
            "there are more --output-file than --output-format options",
            "give one --output-format for each --output-file",
        )
    paired = list(zip_longest(formats, files, fillvalue=STDOUT))
    if sum(file == STDOUT for _, file in paired) > 1:
        raise GroundedIngestError(
            "more than one report would go to stdout",
            "add an --output-file for each --output-format except one",
        )
    for _, file in paired:
        directory = os.path.dirname(file) or "."
        if not os.path.isdir(directory):
            raise GroundedIngestError(
                f"{file}: there is no directory {directory}", f"create {directory} first"
            )
    return paired


def deliver(
    repo: Repo,
    report: Report,
    wanted: list[Target],
    verbosity: int,
    when: When,
    *,
    statistics: bool = False,
) -> None:
    """Writes the report in each format in `wanted`. If `statistics` is true, writes the counts for
    each rule instead. If no report with counts goes to stdout, prints the counts on stderr. Prints
    nothing if `_is_silent`. Raises GroundedIngestError if a file cannot be written."""
    renders = STATISTICS if statistics else FORMATS
    shown = -1 if not verbosity and _is_silent(report) else verbosity
    look = _look(repo, when)._replace(verbosity=shown)
    for name, file in wanted:
        if file == STDOUT:
            text = renders[name](report, look)
            emit(text, exact=name != "text")
        else:
            text = renders[name](report, PLAIN._replace(verbosity=verbosity))
            cannot = os_errors_as(f"{file} cannot be written")
            with cannot, open(file, "w", encoding="utf-8", newline="\n") as opened:
                opened.write(inert_text(text))  # CI jobs print such files, with their `::error`
    if look.verbosity >= 0 and not {("text", STDOUT), ("github", STDOUT)} & {*wanted}:
        say(counts(report))


def _is_silent(report: Report) -> bool:
    """Returns whether a run passes in CI (the variable CI is set)."""
    return bool(os.environ.get("CI")) and not report.left_out and passes(report)


def _look(repo: Repo, when: When) -> Look:
    with suppress(GroundedIngestError):  # the current directory may be outside of the work tree
        below = path_below(repo.root, os.curdir)
        return Look(0, coloured(when), program(), "" if below == os.curdir else below)
    return Look(0, coloured(when), program())


def print_brief(repo: Repo, report: Report, when: When, render: Render) -> None:
    """Prints the few findings of a passing hook or of a first look."""
    emit(render(report, _look(repo, when)))


def keep_report(repo: Repo, report: Report) -> None:
    """Saves the findings of a report, and their claims, in the git directory for `explain`."""
    found = {item.id for item in list_findings(report)}
    if not found:
        return
    reported = tuple(d for d in report.decisions if d.place.claim.id in found)
    from grounded_ingest.report.as_json import json_pieces  # imported late for a fast start

    path = f"{repo.git_dir}/{LAST_RUN}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with locked(repo):
            with open(f"{path}.new", "w", encoding="utf-8") as file:
                file.writelines(json_pieces(replace(report, decisions=reported)))
            os.replace(f"{path}.new", path)
    except OSError:  # the git directory is read-only; then `explain` cannot find the report
        pass
