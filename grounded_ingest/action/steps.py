"""Implements the steps of the GitHub Action: prepare, check, comment and upload.

`prepare` finds the commit with which the pull request or push is compared. If a request to GitHub
fails, the step prints a warning, and the job does not fail. The steps read inputs and the event
from the GitHub Actions runner, and write outputs and annotations."""

from __future__ import annotations

import base64
import gzip
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from typing import Any
from urllib.parse import urlsplit

from grounded_ingest.action.fetch import History
from grounded_ingest.cli.check_run import CheckFlags, run_check
from grounded_ingest.config.settings import Network
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.net.messages import Ask, Response, Talk
from grounded_ingest.records.evidence import DIRECTORY
from grounded_ingest.references.grants import VARIABLE
from grounded_ingest.report.as_github import workflow_command
from grounded_ingest.report.as_markdown import COMMENT, cut_page
from grounded_ingest.repository.scope import is_branch_name
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable

VERDICTS = {0: "approve", 1: "approve", 2: "review", 3: "block"}


def prepare() -> None:
    """Fetches missing commits and sets the outputs `base`, `how` and `before`.

    `base` is the commit at which the checked range starts, or empty if the whole tree is checked.
    `how` explains the choice. `before` is the commit of the default branch before a push to it, and
    empty for other events."""
    payload = event()
    server, token = os.environ.get("GITHUB_SERVER_URL", ""), value("token")
    with closing(History(".", server=server, token=token)) as history:
        whole = history.deepen()
        if branch := _default_branch(payload):
            history.branch(branch)
        before = _default_before(history, payload)
        base, how = _range_start(history, payload, before)
    if not whole:
        why = f" ({history.failed})" if history.failed else ""
        annotate(
            "warning",
            f"This clone is shallow and its history could not be fetched{why}. References that"
            " depend on the history are unknown. Set fetch-depth: 0 for actions/checkout.",
        )
    annotate("notice" if how == _NO_BASE else "debug", f"Compared with {base or 'nothing'}: {how}.")
    set_outputs(base=base, how=how, before=before)


def _range_start(history: History, payload: dict[str, Any], before: str) -> tuple[str, str]:
    """Returns the commit at which the checked range starts, or "" if the whole tree is checked, and
    in words where the commit comes from. Reads the inputs and the event."""
    paths = value("paths").split()
    changed = choice("scope", "changed", "all") == "changed"
    with suppress(GroundedIngestError):  # the check reports a broken configuration
        configured = history.configured_base(before)
        if is_branch_name(configured):
            history.branch(configured.removeprefix("origin/"))
    if paths:
        return "", f"the input `paths` limits the check to {' '.join(paths)}"
    if not changed:
        return "", "the input `scope` selects the whole tree"
    return _range_start_by_event(history, payload, value("base"))


def check_change() -> None:
    """Runs the check and sets its results as outputs. The exit code is an output too, so that the
    later steps also run after a failed check."""
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
    if is_on("summary", default=True):
        with open(files["markdown"], encoding="utf-8") as file:
            append("GITHUB_STEP_SUMMARY", file.read())
    tiers = [row["tier"] for row in (*report["decisions"], *report["problems"])]
    set_outputs(
        errors=report["summary"]["errors"],
        warnings=report["summary"]["warnings"],
        verdict=VERDICTS[max(tiers, default=0)],
        tier_1=report["summary"]["tier_1"],
        tier_2=report["summary"]["tier_2"],
        tier_3=report["summary"]["tier_3"],
        exit_code=code,
        sarif_file=os.path.abspath(files["sarif"]),
        report_file=files["json"],
        markdown_file=files["markdown"],
        evidence_path=DIRECTORY,
    )


def _flags(files: dict[str, str]) -> CheckFlags:
    paths, base = tuple(value("paths").split()), value("range-base")
    try:
        timeout = float(value("timeout", "60"))
    except ValueError:
        raise GroundedIngestError(
            "the input timeout is not a number of seconds", "give a number such as 60"
        ) from None
    return CheckFlags(
        paths=paths,
        range_=f"{base}..HEAD" if base and not paths else None,
        all_=not paths and not base,
        before=value("before"),
        landed=True,
        fail_on=choice("fail-on", "wrong", "block", "review", "never"),  # type: ignore[arg-type]
        locked=is_on("locked", default=False),
        offline=not is_on("online", default=True),
        timeout=timeout,
        # The cache file in the git directory is not trusted: another job may have written it, if
        # the directory comes from an Actions cache or a self-hosted runner.
        no_cache=True,
        config=value("config") or None,
        formats=tuple(files),
        files=tuple(files.values()),
    )


def comment() -> None:
    """Writes the report as a comment on the pull request, or updates the existing comment. If this
    fails, prints a warning and does not fail the job."""
    payload = event()
    number = number_in(payload, "pull_request", "number") or number_in(payload, "number")
    if not number:
        annotate("notice", "No comment was written, because the event has no pull request.")
        return
    with open(value("markdown-file"), encoding="utf-8") as file:
        text = file.read()
    why = Forge().comment(number, cut_page(text, COMMENT - 200))
    if why:
        annotate("warning", f"The comment on the pull request was not written: {why}")


def upload() -> None:
    """Uploads the SARIF file to GitHub code scanning. If the upload fails, prints a warning and
    does not fail the job."""
    with open(value("sarif-file"), "rb") as file:
        sarif = file.read()
    why = Forge().upload(sarif, os.environ.get("GITHUB_SHA", ""), os.environ.get("GITHUB_REF", ""))
    if why:
        annotate("warning", f"The SARIF file was not uploaded: {why}")


MARK = "<!-- grounded-ingest: report -->"
PAGES = 30
"""Maximum number of pages, with 100 comments a page, that are searched for the action's comment."""
_BUDGET_S = 60.0
_LIMIT = 8_000_000
_HEADERS = (
    ("Accept", "application/vnd.github+json"),
    ("X-GitHub-Api-Version", "2022-11-28"),
    ("Content-Type", "application/json"),
)
# Only comments by bots and by these authors are updated, because anyone can write the marker text.
_TRUSTED = ("OWNER", "MEMBER", "COLLABORATOR")
_HINTS = {
    401: "the token is not valid",
    403: "the token does not have the permission (see docs/action.md; a fork's token only reads)",
    404: "the token has no access to the repository, or the feature is not enabled",
}


class Forge:
    """A client of the GitHub API for the repository of the job. The methods return an error
    message, or an empty string if the request succeeded."""

    def __init__(self) -> None:
        api = os.environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
        self._url = f"{api}/repos/{os.environ.get('GITHUB_REPOSITORY', '')}"
        self._token = value("token")

    def comment(self, number: int, text: str) -> str:
        """Writes the comment on a pull request, or updates the comment of an earlier run."""
        return self._run(self._comment(number, json.dumps({"body": f"{MARK}\n{text}"}).encode()))

    def upload(self, sarif: bytes, commit: str, ref: str) -> str:
        """Uploads a SARIF file to code scanning."""
        packed = base64.b64encode(gzip.compress(sarif, mtime=0)).decode()
        body = {"commit_sha": commit, "ref": ref, "sarif": packed, "tool_name": "grounded-ingest"}
        return self._run(self._upload(json.dumps(body).encode()))

    def _run(self, talk: Talk[str]) -> str:
        # Imported late for a fast start: only the steps that write to GitHub use the network.
        from grounded_ingest.net.client import Web

        if not self._token:
            return "the action's input `token` is empty"
        host = urlsplit(self._url).netloc
        network = Network(timeout=30.0, allow=(host,))  # may be a private address
        return Web(network, _BUDGET_S).converse({"": talk})[""]

    def _ask(self, method: str, path: str, body: bytes = b"") -> Ask:
        url = f"{self._url}{path}"
        return Ask(method, url, _HEADERS, self._token, _LIMIT, follow=False, body=body)

    def _comment(self, number: int, body: bytes) -> Talk[str]:
        page, ours = 1, 0
        while not ours and page <= PAGES:
            answer = yield self._ask("GET", f"/issues/{number}/comments?per_page=100&page={page}")
            if answer.status != 200:
                return _why(answer)
            found = _rows(answer)
            ours = next((c["id"] for c in found if _is_ours(c)), 0)
            page = page + 1 if len(found) == 100 else PAGES + 1
        if ours:
            answer = yield self._ask("PATCH", f"/issues/comments/{ours}", body)
        else:
            answer = yield self._ask("POST", f"/issues/{number}/comments", body)
        return "" if answer.status in (200, 201) else _why(answer)

    def _upload(self, body: bytes) -> Talk[str]:
        answer = yield self._ask("POST", "/code-scanning/sarifs", body)
        return "" if answer.status in (200, 202) else _why(answer)


def _rows(answer: Response) -> list[dict[str, Any]]:
    try:
        told = json.loads(answer.body)
    except ValueError:
        return []
    return [c for c in told if isinstance(c, dict)] if isinstance(told, list) else []


def _is_ours(comment: dict[str, Any]) -> bool:
    user = comment.get("user") or {}
    trusted = user.get("type") == "Bot" or comment.get("author_association") in _TRUSTED
    marked = str(comment.get("body", "")).startswith(MARK)
    return trusted and marked and isinstance(comment.get("id"), int)


def _why(answer: Response) -> str:
    hint = _HINTS.get(answer.status, "") if answer.failure is None else ""
    return f"{answer.reason}: {hint}" if hint else answer.reason


_OBJECT = compiled(r"[0-9a-f]{40}|[0-9a-f]{64}")
NOTHING = "0" * 40
_NO_BASE = "no base commit was found, so the whole tree is checked"


def _range_start_by_event(
    history: History, payload: Mapping[str, Any], wanted: str
) -> tuple[str, str]:
    """Returns the commit at which the checked range starts. Tries in this order: the input `base`,
    the commit in the event, and the merge base with the default branch. If none exists, the whole
    tree is checked. Raises GroundedIngestError if the input `base` names no commit."""
    if wanted:
        commit = history.revision(wanted)
        if not commit:
            raise GroundedIngestError(
                f"the input base names no commit or branch of this repository: {wanted}",
                "correct the name, or set fetch-depth: 0 for actions/checkout",
            )
        return commit, f"the input base ({wanted})"
    branch = _default_branch(payload)
    tip = history.branch(branch) if branch else ""
    common = history.merge_base(tip) if tip else ""
    landed = common == history.head
    for named, how in _of_event(payload):
        if history.have(named):
            began = history.merge_base(named)
            behind = bool(common) and not landed and history.merge_base(began, common) == began
            if not behind or began == common:
                return named, f"{how} of the event"
            break  # the range would include commits that other changes added to the default branch
    if common and not landed:
        return common, f"the merge base with {branch}"
    return "", _NO_BASE


def _default_before(history: History, payload: Mapping[str, Any]) -> str:
    """Returns the last commit of the default branch before a push to that branch.

    The check uses this commit as base, so that the pushed configuration and approvals do not apply
    to the push itself. Returns an empty string for other events, and 40 zeros if the earlier commit
    is unknown.
    """
    branch = _default_branch(payload)
    ref = inside(payload, "ref") or os.environ.get("GITHUB_REF", "")
    if os.environ.get("GITHUB_EVENT_NAME") != "push" or not branch or ref != f"refs/heads/{branch}":
        return ""
    before = inside(payload, "before")
    known = _OBJECT.fullmatch(before) and set(before) != {"0"} and history.have(before)
    return before if known else NOTHING


def _default_branch(payload: Mapping[str, Any]) -> str:
    branch = inside(payload, "repository", "default_branch")
    if branch and not is_branch_name(branch):
        raise GroundedIngestError(
            "the event has a repository.default_branch that is not a branch name",
            "start the action from a GitHub workflow event",
        )
    return branch


def _of_event(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path in (("pull_request", "base", "sha"), ("merge_group", "base_sha"), ("before",)):
        named = inside(payload, *path)
        if _OBJECT.fullmatch(named) and set(named) != {"0"}:
            yield named, ".".join(path)


# The runner: inputs, the event, outputs and annotations


TITLE = "grounded-ingest"


def value(name: str, default: str = "") -> str:
    """Returns the input with the given name in action.yml, or `default` if the input is empty."""
    found = os.environ.get(f"INPUT_{name.upper().replace('-', '_')}", "").strip()
    return found or default


def choice(name: str, *of: str) -> str:
    """Returns an input whose value must be one of the words in `of`, by default the first. Raises
    GroundedIngestError if the input has another value."""
    found = value(name, of[0])
    if found not in of:
        shown = printable(found, 100)
        raise GroundedIngestError(
            f"the input {name} has the unknown value `{shown}`", f"use one of {', '.join(of)}"
        )
    return found


def is_on(name: str, *, default: bool) -> bool:
    words = ("true", "false") if default else ("false", "true")
    return choice(name, *words) == "true"


def event() -> dict[str, Any]:
    """Returns the payload of the event that started the workflow. Returns an empty dictionary if
    the runner names no event file. Raises GroundedIngestError if the file is malformed, because an
    empty payload would select a different range of commits."""
    path = os.environ.get("GITHUB_EVENT_PATH", "")
    if not path:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except OSError as error:
        raise _malformed(f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise _malformed("is not JSON") from None
    if not isinstance(found, dict):
        raise _malformed("is not a JSON object")
    return found


def inside(payload: Mapping[str, Any], *names: str) -> str:
    """Returns a string that is nested in the payload, or an empty string if it is missing. `names`
    are the keys that lead to the string: `inside(payload, "repository", "default_branch")`. Raises
    GroundedIngestError if the value is not a string."""
    found = _at(payload, names)
    if found is not None and not isinstance(found, str):
        raise _malformed(f"has no string at {'.'.join(names)}")
    return found or ""


def number_in(payload: Mapping[str, Any], *names: str) -> int:
    """Returns a number that is nested in the payload, or 0 if it is missing. `names` are the keys
    that lead to the number: `number_in(payload, "pull_request", "number")`. Raises
    GroundedIngestError if the value is not a number, or is negative."""
    found = _at(payload, names)
    if found is not None and (not isinstance(found, int) or isinstance(found, bool) or found < 0):
        raise _malformed(f"has no whole number of 0 or more at {'.'.join(names)}")
    return found or 0


def _at(payload: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    found: Any = payload
    for depth, name in enumerate(names):
        if found is None:
            return None
        if not isinstance(found, Mapping):
            raise _malformed(f"has no JSON object at {'.'.join(names[:depth])}")
        found = found.get(name)
    return found


def _malformed(what: str) -> GroundedIngestError:
    return GroundedIngestError(
        f"the event file (GITHUB_EVENT_PATH) {what}",
        "start the action from a GitHub workflow event",
    )


def set_outputs(**outputs: object) -> None:
    """Sets outputs of the step. The delimiter is random, so that a value cannot end the output
    early and set other outputs."""
    end = f"end-{secrets.token_hex(16)}"
    rows = [f"{k.replace('_', '-')}<<{end}\n{v}\n{end}\n" for k, v in outputs.items()]
    append("GITHUB_OUTPUT", "".join(rows))


def append(variable: str, text: str) -> None:
    """Appends text to the file that an environment variable names. Does nothing if the variable is
    not set."""
    if path := os.environ.get(variable):
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def annotate(level: str, message: str) -> None:
    """Prints an annotation for the whole run, not for a file."""
    lines = "\n".join(printable(line, 1000) for line in message.split("\n"))
    print(workflow_command(level, lines, title=TITLE), flush=True)  # noqa: T201  the runner reads stdout
