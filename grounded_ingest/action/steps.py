"""The steps: prepare, check, comment, upload."""

from __future__ import annotations

import json
import os
from typing import Any

from grounded_ingest.action.fetching import History
from grounded_ingest.action.forge import Forge
from grounded_ingest.action.ranges import Base, base_branch, find_base
from grounded_ingest.action.runner import (
    append,
    chosen,
    event,
    say,
    set_outputs,
    switched,
    value,
)
from grounded_ingest.cli.checking import Flags, check
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.reach import VARIABLE
from grounded_ingest.report.as_markdown import COMMENT, fitted
from grounded_ingest.sidecar import DIRECTORY

VERDICTS = {0: "approve", 1: "approve", 2: "review", 3: "block"}


def prepare() -> None:
    """Outputs `base` (empty: the whole tree), `how`, `cache-path`, and `landing`, the branch whose
    policy judges where there is no range."""
    history = History(".", server=os.environ.get("GITHUB_SERVER_URL", ""), token=value("token"))
    set_outputs(cache_path=os.path.join(history.common_dir, "grounded-ingest"))
    base = Base("", "the whole tree, as asked for")
    if paths := value("paths").split():
        base = Base("", f"these paths: {' '.join(paths)}")
    whole = history.deepen()
    if chosen("scope", "changed", "all") == "changed" and not paths:
        base = find_base(history, event(), value("base"))
    branch = base_branch(event())
    set_outputs(landing=branch if branch and history.branch(branch) else "")
    if not whole:
        why = f" ({history.failed})" if history.failed else ""
        say(
            "warning",
            f"This clone is shallow and its history could not be fetched{why}. What depends on it"
            " is unknown. Check out with fetch-depth: 0.",
        )
    say("notice", f"Compared with {base.commit or 'nothing'}: {base.how}.")
    set_outputs(base=base.commit, how=base.how)


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
    if not os.environ.get("GITHUB_BASE_REF"):  # of pull requests alone the runner sets it
        os.environ["GITHUB_BASE_REF"] = base_branch(event())
    code = int(check(_flags(files)))
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


def _flags(files: dict[str, str]) -> Flags:
    paths, base = tuple(value("paths").split()), value("range-base")
    whole = not paths and not base
    try:
        timeout = float(value("timeout", "60"))
    except ValueError:
        raise GroundedIngestError("input timeout is no number of seconds") from None
    return Flags(
        paths=paths,
        range_=f"{base}..HEAD" if base and not paths else None,
        all_=whole,
        base=(value("base") or value("landing")) if whole or paths else "",
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
    number = (event().get("pull_request") or {}).get("number") or event().get("number")
    if not isinstance(number, int):
        say("notice", "No comment: this event belongs to no pull request.")
        return
    with open(value("markdown-file"), encoding="utf-8") as file:
        text = file.read()
    why = Forge.of_environment(value("token")).comment(number, fitted(text, COMMENT - 200))
    if why:
        say("warning", f"The comment was not written: {why}")


def upload() -> None:
    """The SARIF file, to code scanning. Never fails the job."""
    with open(value("sarif-file"), "rb") as file:
        sarif = file.read()
    why = Forge.of_environment(value("token")).upload(
        sarif, os.environ.get("GITHUB_SHA", ""), os.environ.get("GITHUB_REF", "")
    )
    if why:
        say("warning", f"The SARIF file was not uploaded: {why}")


def failed(error: GroundedIngestError) -> None:
    """The run could not be made."""
    say("error", str(error))
    set_outputs(exit_code=int(Exit.USAGE))
