"""Times the steps of the GitHub Action that are its own: install, prepare and check.

`python -m benchmarks.minutes CLONE... [--commits 20]` runs the scripts of `action.yml` for a pull
request of the last commits, in copies of clones. It prints seconds of wall time for each step. What
GitHub does around them (checkout, starting a runner) is not measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import yaml

from benchmarks.clones import clone_arguments, copies

PROJECT = Path(__file__).parents[1]
STEPS = ("install", "prepare", "check")


def run_steps(root: Path, below: Path, commits: int) -> dict[str, float]:
    """Runs the steps in a clone, and returns the seconds of each."""
    action = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))
    steps = {step["id"]: step["run"] for step in action["runs"]["steps"] if step.get("id") in STEPS}
    base = ("git", "rev-parse", f"HEAD~{commits}")
    sha = subprocess.run(base, cwd=root, capture_output=True, text=True, check=True).stdout.strip()
    event = below / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 1, "base": {"sha": sha}}}))
    env = os.environ | {
        "ACTION_PATH": str(PROJECT), "RUNNER_TEMP": str(below), "GITHUB_EVENT_PATH": str(event),
        "INPUT_ONLINE": "false", "INPUT_SCOPE": "changed", "INPUT_RANGE_BASE": sha,
        "GITHUB_STEP_SUMMARY": str(below / "summary.md"), "GITHUB_OUTPUT": str(below / "output"),
    }  # fmt: skip
    took = {}
    for name in STEPS:
        (below / "output").write_text("")
        start = time.perf_counter()
        command = ["bash", "-e", "-c", steps[name]]
        subprocess.run(command, cwd=root, env=env, check=True, capture_output=True)
        took[name] = time.perf_counter() - start
        if name == "install":
            env["OWN_PYTHON"] = (
                (below / "output").read_text("utf-8").removeprefix("python=").strip()
            )
    return took


def main() -> None:
    parser = clone_arguments("minutes", __doc__)
    parser.add_argument("--commits", type=int, default=20, help="commits of the pull request")
    given = parser.parse_args()
    for name, root in copies(given.clones):
        took = run_steps(root, root.parent, given.commits)
        print(name, {step: round(seconds, 1) for step, seconds in took.items()}, flush=True)


if __name__ == "__main__":
    main()
