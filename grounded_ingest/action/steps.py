"""The steps: prepare, check, comment, upload."""

from __future__ import annotations

import json
import os
from contextlib import closing, suppress
from typing import Any

from grounded_ingest.action.fetch import History
from grounded_ingest.action.forge import Forge
from grounded_ingest.action.ranges import (
    ListingStart,
    bring_configured_base,
    bring_default_branch,
    default_before,
    listing_start,
)
from grounded_ingest.action.runner import (
    annotate,
    append,
    chosen,
    event,
    number_in,
    set_outputs,
    switched,
    value,
)
from grounded_ingest.cli.check_run import CheckFlags, run_check
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.records.sidecar import DIRECTORY
from grounded_ingest.report.as_markdown import COMMENT, fitted
from grounded_ingest.verify.grants import VARIABLE

VERDICTS = {0: "approve", 1: "approve", 2: "review", 3: "block"}


def prepare() -> None:
    """Outputs `base` (where the range begins that is listed; empty: the whole tree), `how`,
    `before` (the default branch before this push of it, else empty) and `cache-path`."""
    payload = event()
    server, token = os.environ.get("GITHUB_SERVER_URL", ""), value("token")
    with closing(History(".", server=server, token=token)) as history:
        set_outputs(cache_path=os.path.join(history.common_dir, "grounded-ingest"))
        whole = history.deepen()
        bring_default_branch(history, payload)
        before = default_before(history, payload)
        base = _listed(history, payload, before)
    if not whole:
        why = f" ({history.failed})" if history.failed else ""
        annotate(
            "warning",
            f"This clone is shallow and its history could not be fetched{why}. What depends on it"
            " is unknown. Check out with fetch-depth: 0.",
        )
    annotate("notice", f"Compared with {base.commit or 'nothing'}: {base.how}.")
    set_outputs(base=base.commit, how=base.how, before=before)


def _listed(history: History, payload: dict[str, Any], before: str) -> ListingStart:
    """Where the range begins."""
    paths = value("paths").split()
    changed = chosen("scope", "changed", "all") == "changed"
    with suppress(GroundedIngestError):  # the check says what is wrong with it
        bring_configured_base(history, before)
    if paths:
        return ListingStart("", f"these paths: {' '.join(paths)}")
    if not changed:
        return ListingStart("", "the whole tree, as asked for")
    return listing_start(history, payload, value("base"))


def check_change() -> None:
    """Runs the check; its exit code is an output, so that later steps run all the same."""
    directory = os.environ.get("RUNNER_TEMP", ".")
    name = f"grounded-ingest-{os.environ.get('GITHUB_ACTION', 'check')}"
    files = {
        "github": "-",
        "json": os.path.join(directory, f"{name}.json"),
        "markdown": os.path.join(directory, f"{name}.md"),
        "sarif": value("sarif-file") or os.path.join(directory, f"{name}.sarif"),
    }
    if granted := value("grant"):
        os.environ[VARIABLE] = f"{os.environ.get(VARIABLE, '')}\n{granted}"
    code = int(run_check(_flags(files)))
    with open(files["json"], encoding="utf-8") as file:
        report = json.load(file)
    if switched("summary", default=True):
        with open(files["markdown"], encoding="utf-8") as file:
            append("GITHUB_STEP_SUMMARY", file.read())
    set_outputs(
        verdict=VERDICTS[_worst(report)],
        tier_1=report["summary"]["tier_1"],
        tier_2=report["summary"]["tier_2"],
        tier_3=report["summary"]["tier_3"],
        exit_code=code,
        sarif_file=os.path.abspath(files["sarif"]),
        report_file=files["json"],
        markdown_file=files["markdown"],
        evidence_path=DIRECTORY,
    )


def _worst(report: dict[str, Any]) -> int:
    tiers = [d["tier"] for d in report["decisions"]] + [p["tier"] for p in report["problems"]]
    return max(tiers, default=0)


def _flags(files: dict[str, str]) -> CheckFlags:
    paths, base = tuple(value("paths").split()), value("range-base")
    try:
        timeout = float(value("timeout", "60"))
    except ValueError:
        raise GroundedIngestError("input timeout is no number of seconds") from None
    return CheckFlags(
        paths=paths,
        range_=f"{base}..HEAD" if base and not paths else None,
        all_=not paths and not base,
        before=value("before"),
        landed=True,
        fail_on=chosen("fail-on", "block", "review", "never"),  # type: ignore[arg-type]
        locked=switched("locked", default=False),
        offline=not switched("online", default=True),
        timeout=timeout,
        config=value("config") or None,
        formats=tuple(files),
        files=tuple(files.values()),
    )


def comment() -> None:
    """One comment on the pull request, updated in place. Never fails the job."""
    payload = event()
    number = number_in(payload, "pull_request", "number") or number_in(payload, "number")
    if not number:
        annotate("notice", "No comment: this event belongs to no pull request.")
        return
    with open(value("markdown-file"), encoding="utf-8") as file:
        text = file.read()
    why = Forge.of_environment(value("token")).comment(number, fitted(text, COMMENT - 200))
    if why:
        annotate("warning", f"The comment was not written: {why}")


def upload() -> None:
    """The SARIF file, to code scanning. Never fails the job."""
    with open(value("sarif-file"), "rb") as file:
        sarif = file.read()
    why = Forge.of_environment(value("token")).upload(
        sarif, os.environ.get("GITHUB_SHA", ""), os.environ.get("GITHUB_REF", "")
    )
    if why:
        annotate("warning", f"The SARIF file was not uploaded: {why}")


def run_failed(error: GroundedIngestError, code: Exit = Exit.USAGE) -> None:
    """The run could not be made."""
    annotate("error", str(error))
    set_outputs(exit_code=int(code))
