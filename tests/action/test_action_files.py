"""action.yml and the example workflows: what linters of workflows and of security say."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from actionrunner import ACTION, PROJECT, have
from forgerepo import Forge

from release.places import changed_files, read_project

WORKFLOWS = [
    *sorted((PROJECT / "examples").glob("github-*.yml")),
    *sorted((PROJECT / ".github/workflows").glob("*.yml")),
]
INPUTS = {
    "paths", "config", "base", "fail-on", "scope", "online", "locked", "summary", "comment", "sarif-file",
    "upload-sarif", "token", "python-version", "cache", "timeout", "working-directory", "grant",
}  # fmt: skip
OUTPUTS = {
    "errors", "warnings", "verdict", "tier-1", "tier-2", "tier-3", "exit-code", "sarif-file", "report-file", "evidence-path",
}  # fmt: skip


def test_inputs_and_outputs() -> None:
    assert set(ACTION["inputs"]) == INPUTS
    assert set(ACTION["outputs"]) == OUTPUTS
    page = (PROJECT / "docs" / "action.md").read_text("utf-8")
    for name in INPUTS | OUTPUTS:
        assert f"| `{name}` |" in page


def test_every_input_reaches_the_shell_by_its_environment() -> None:
    used = str(ACTION["runs"])
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    without_effect = {n for n in INPUTS if "deprecationMessage" in ACTION["inputs"][n]}
    unused = {n for n in INPUTS if f"inputs.{n} " not in used and f"inputs.{n}'" not in used}
    assert unused == without_effect == {"cache"}


def test_nothing_is_restored_from_another_job() -> None:
    """Any job of a pull request can save a cache, and what is restored would be believed."""
    used = [step["uses"] for step in ACTION["runs"]["steps"] if "uses" in step]
    assert [u.partition("@")[0] for u in used] == ["actions/setup-python"]


def test_other_actions_are_pinned() -> None:
    texts = [
        (PROJECT / "action.yml").read_text("utf-8"),
        *(w.read_text("utf-8") for w in WORKFLOWS),
    ]
    named = [u for text in texts for u in re.findall(r"uses: (\S+)", text)]
    assert named
    for use in named:
        ours = use.startswith("./") or "/grounded-ingest@v" in use
        assert ours or re.search(r"@[0-9a-f]{40}$", use), use


@pytest.mark.skipif(not have("zizmor"), reason="zizmor is not installed")
@pytest.mark.parametrize("file", [PROJECT / "action.yml", *WORKFLOWS], ids=lambda f: f.name)
def test_zizmor_finds_nothing(file: Path, tmp_path: Path) -> None:
    where = tmp_path / (
        "action.yml" if file.name == "action.yml" else f".github/workflows/{file.name}"
    )
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(_published(file), "utf-8")
    ran = subprocess.run(
        [have("zizmor"), "--offline", "--no-progress", str(where)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def _published(file: Path) -> str:
    """With an address, and the commit that a reader fills in."""
    here = read_project(PROJECT)
    project = here._replace(url="https://github.com/ada/grounded-ingest", contact="a@example.org")
    name = file.relative_to(PROJECT).as_posix()
    text = changed_files(PROJECT, project).get(name, file.read_text("utf-8"))
    return text.replace(f"@v{here.version}", f"@{'a' * 40}")


@pytest.mark.skipif(not have("actionlint"), reason="actionlint is not installed")
@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda f: f.name)
def test_actionlint_finds_nothing(file: Path, tmp_path: Path) -> None:
    """With this checkout as the action, so that inputs and outputs are compared as well."""
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    where = tmp_path / ".github" / "workflows" / file.name
    where.parent.mkdir(parents=True)
    used = re.sub(r"uses: \S+/grounded-ingest\S*", "uses: ./", file.read_text("utf-8"))
    where.write_text(used, "utf-8")
    shutil.copy(PROJECT / "action.yml", tmp_path)
    ran = subprocess.run(
        [have("actionlint"), "-no-color", str(where)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "file", sorted((PROJECT / "examples").glob("*.y*ml")), ids=lambda f: f.name
)
def test_an_example_names_what_exists(file: Path) -> None:
    told = yaml.safe_load(file.read_text("utf-8"))
    for step in _steps(told):
        if "/grounded-ingest" in str(step.get("uses", "")):
            assert set(step.get("with", {})) <= INPUTS


def _steps(workflow: Any) -> list[Any]:
    jobs = workflow.get("jobs", {}).values() if isinstance(workflow, dict) else []
    return [step for job in jobs for step in job.get("steps", [])]


@pytest.mark.slow  # installs every package
def test_it_installs_itself_beside_the_callers_python(forge: Forge) -> None:
    """The step as it is: needs an index of packages."""
    job = forge.job(forge.checkout(forge.main), "push", {"before": forge.second})
    ran = job.run(install=True, online="false")
    if ran.code and re.search(
        "No matching distribution|Could not find a version|Connection", ran.err
    ):
        pytest.skip("no index of packages can be reached")
    own = Path(ran.steps["install"]["python"])
    assert own.is_relative_to(forge.home / "temp")
    assert (ran.code, ran.outputs["verdict"]) == (0, "approve"), ran.err
