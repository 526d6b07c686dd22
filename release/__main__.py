"""`python -m release` writes what follows from address, version and dependencies.

`python -m release VERSION` releases: it checks, dates the changelog, builds, commits and tags.
Pushing is the owner's."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from release.pins import stale_pins, write_pins
from release.places import (
    VERSION_FILE,
    Project,
    ProjectError,
    changed_files,
    read_project,
    write_files,
)
from release.programs import run

CHANGELOG = "CHANGELOG.md"
BRANCH = "main"
_UNRELEASED = re.compile(r"^## \[Unreleased\]\n(.*?)(?=^## \[|\Z)", re.MULTILINE | re.DOTALL)


@click.command(help=__doc__)
@click.argument("version", required=False)
@click.option("--upgrade", is_flag=True, help="Pin the newest versions of dependencies.")
def command(version: str | None, upgrade: bool) -> None:
    root = Path.cwd()
    if version and upgrade:
        raise click.UsageError("--upgrade changes files: commit them, then release VERSION")
    try:
        project = read_project(root)
        if version:
            cut(root, project, version)
        else:
            for name in [*write(root, project), *write_pins(root, upgrade=upgrade)]:
                click.echo(f"wrote {name}")
    except ProjectError as error:
        raise click.ClickException(str(error)) from error


def write(root: Path, project: Project) -> list[str]:
    """Bring every file into step; the names of those that were not."""
    files = changed_files(root, project)
    write_files(root, files)
    return list(files)


def cut(root: Path, project: Project, version: str) -> None:
    """One commit and one tag for this version. Raises ProjectError and leaves the tree as it was
    where something is not ready."""
    _check(root, project, version)
    changelog = dated(root, version)
    try:
        version_file = root / VERSION_FILE
        text = version_file.read_text("utf-8")
        assigned = f'__version__ = "{project.version}"'
        version_file.write_text(text.replace(assigned, f'__version__ = "{version}"'), "utf-8")
        (root / CHANGELOG).write_text(changelog, "utf-8")
        write(root, project._replace(version=version))
        _build(root)
        git(root, "commit", "--quiet", "--all", "-m", f"Release {version}")
        git(root, "tag", "--annotate", "-m", f"grounded-ingest {version}", f"v{version}")
    except ProjectError:
        git(root, "reset", "--quiet", "--hard")
        raise
    click.echo(f"released {version}; publish it: git push --atomic origin {BRANCH} v{version}")


def dated(root: Path, version: str) -> str:
    """The changelog with what is unreleased under this version and today's date."""
    text = (root / CHANGELOG).read_text("utf-8")
    section = _UNRELEASED.search(text)
    if section is None or not section[1].strip():
        raise ProjectError(f"{CHANGELOG}: nothing stands under Unreleased")
    heading = f"## [Unreleased]\n\n## [{version}] - {datetime.now(UTC):%Y-%m-%d}\n"
    return text[: section.start()] + heading + section[1] + text[section.end() :]


def _check(root: Path, project: Project, version: str) -> None:
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ProjectError(f"{version}: a version has the form 1.2.3")
    if git(root, "status", "--porcelain"):
        raise ProjectError("the work tree is not clean: commit, or stash")
    if git(root, "branch", "--show-current") != BRANCH:
        raise ProjectError(f"a release is made on {BRANCH}")
    newest = max(
        re.findall(r"^v(\d+\.\d+\.\d+)$", git(root, "tag"), re.M), key=_numbers, default=""
    )
    if newest and _numbers(version) <= _numbers(newest):
        raise ProjectError(f"{version} is not above {newest}")
    if behind := changed_files(root, project):
        raise ProjectError(f"run `python -m release` and commit: {', '.join(behind)}")
    for name, reason in stale_pins(root).items():
        raise ProjectError(f"run `python -m release` and commit: {name} ({reason})")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _build(root: Path) -> None:
    """That it builds, and what PyPI would say of it."""
    with TemporaryDirectory() as out:
        build = ["-m", "build", "--no-isolation", "--outdir", out, str(root)]
        run(root, sys.executable, *build)
        made = sorted(str(path) for path in Path(out).iterdir())
        run(root, sys.executable, "-m", "twine", "check", "--strict", *made)


def git(root: Path, *args: str) -> str:
    return run(root, "git", *args).strip()


if __name__ == "__main__":
    command()
