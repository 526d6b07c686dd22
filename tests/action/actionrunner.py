"""The steps of action.yml as the runner executes them, in clones as checkout makes them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import worktrees
import yaml
from worktrees import PROJECT

from tests.forked import python_client

ACTION = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))
_EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")


@dataclass
class Job:
    """What came of the steps. `log` is stdout, `ran` the names of those that were not skipped."""

    code: int = 0
    log: str = ""
    err: str = ""
    summary: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    steps: dict[str, dict[str, str]] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)


class Runner:
    """One job with this event. `inputs` are those of the workflow."""

    def __init__(
        self, home: Path, workspace: Path, event: str, payload: Any, **github: str
    ) -> None:
        self.home, self.workspace = home, workspace
        self.temp = home / "temp"
        self.temp.mkdir(exist_ok=True)
        path = home / "event.json"
        path.write_text(json.dumps(payload), "utf-8")
        self.github = {
            "sha": git(workspace, "rev-parse", "HEAD"), "run_id": "1", "token": "ghs_secret",
            "action_path": str(PROJECT),
        } | github  # fmt: skip
        self.env = environment(home) | {
            "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(path), "GITHUB_ACTIONS": "true",
            "GITHUB_SHA": self.github["sha"], "GITHUB_REF": github.get("ref", "refs/heads/main"),
            "GITHUB_REPOSITORY": "ada/notes", "GITHUB_ACTION": "__self", "CI": "true",
            "GITHUB_API_URL": github.get("api", "http://127.0.0.1:9"),
            "GITHUB_SERVER_URL": "http://127.0.0.1:9", "RUNNER_TEMP": str(self.temp),
        }  # fmt: skip

    def run(self, *, install: bool = False, **inputs: str) -> Job:
        """All steps in order. Steps that use other actions do nothing, except that ours is not
        installed again for every test."""
        job = Job()
        declared = {n: str(i.get("default", "")) for n, i in ACTION["inputs"].items()}
        given = {name.replace("_", "-"): told for name, told in inputs.items()}
        assert given.keys() <= declared.keys()
        known = {"inputs": declared | given, "steps": job.steps, "github": self.github}
        known["inputs"] = {k: self._text(v, known) for k, v in known["inputs"].items()}
        known["runner"] = {"os": "Linux"}
        for number, step in enumerate(ACTION["runs"]["steps"]):
            name = step.get("id", f"step {number}")
            if not _holds(step.get("if", ""), known) or (job.code and "if" not in step):
                continue
            job.ran.append(step.get("uses", "").partition("@")[0] or name)
            if "uses" in step:
                job.steps[name] = {}
            elif name == "install" and not install:
                job.steps[name] = {"python": str(self._python())}
            else:
                code = self._step(step, name, known, job)
                if code and not step.get("continue-on-error"):
                    job.code = code
                    break
        told = {n: self._text(o["value"], known) for n, o in ACTION["outputs"].items()}
        job.outputs = told
        return job

    def _step(self, step: Any, name: str, known: Any, job: Job) -> int:
        script, output, summary = (self.home / f for f in ("step.sh", "output", "summary"))
        script.write_text(self._plain(step["run"]), "utf-8")
        output.write_text("")
        summary.write_text("")
        where = self.workspace / self._text(step.get("working-directory", "."), known)
        env = {k: self._text(str(v), known) for k, v in step.get("env", {}).items()}
        files = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            cwd=where, env=self.env | env | files, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip
        job.log += ran.stdout
        job.err += ran.stderr
        job.summary += summary.read_text("utf-8")
        job.steps[name] = outputs(output.read_text("utf-8"))
        return ran.returncode

    def _plain(self, script: str) -> str:
        assert "${{" not in script, "inputs reach the shell by its environment alone"
        return script

    def _text(self, text: str, known: Any) -> str:
        return _EXPRESSION.sub(lambda m: _value(m[1], known), text)

    def _python(self) -> Path:
        """This interpreter on this checkout, where the venv's would be."""
        own = self.home / "python"
        client = python_client(self.home / "client")
        own.write_text(f'#!/bin/sh\n[ "$1" = -I ] || exit 9\nshift\nexec "{client}" "$@"\n')
        own.chmod(0o755)
        return own


def _value(expression: str, known: Any) -> str:
    for part in expression.split(" || "):
        found: Any = known
        for name in part.strip().split("."):
            found = found.get(name, "") if isinstance(found, dict) else ""
        if found == {} or "." not in part:
            continue
        if "outputs" in part:
            _, step, _, name = part.strip().split(".")
            found = known["steps"].get(step, {}).get(name, "")
        if found:
            return str(found)
    return ""


def _holds(condition: str, known: Any) -> bool:
    for part in condition.split(" && ") if condition else []:
        left, sign, right = re.fullmatch(r"(\S+) (==|!=) '(.*)'", part).groups()  # type: ignore[union-attr]
        if (_value(left, known) == right) != (sign == "=="):
            return False
    return True


def outputs(text: str) -> dict[str, str]:
    """The file of a step, as the runner reads it."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if match := re.match(r"([^=<]+)<<(.+)", line):
            rows = []
            while (row := next(lines)) != match[2]:
                rows.append(row)
            found[match[1]] = "\n".join(rows)
        elif "=" in line:
            name, _, value = line.partition("=")
            found[name] = value
    return found


def environment(home: Path) -> dict[str, str]:
    """The environment of a job; the program is the one that the action installs."""
    env = worktrees.environment(home)
    del env["PYTHONPATH"]
    return env | {name: value for name, value in os.environ.items() if name.startswith("PIP_")}


def git(where: Path, *args: str) -> str:
    ran = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *args], cwd=where, env=environment(where.parent),
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 0, f"git {args}: {ran.stderr}"
    return ran.stdout.strip()


def have(tool: str) -> str:
    """A tool beside this interpreter or on the path; empty where there is none."""
    beside = Path(sys.executable).parent / tool
    return str(beside) if beside.exists() else shutil.which(tool) or ""
