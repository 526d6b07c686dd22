"""What is uploaded: its bytes, its contents, its metadata."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from publishedrepo import PROJECT, build, copy_project, git

from grounded_ingest.version import __version__

STEM = f"grounded_ingest-{__version__}"
INFO = f"{STEM}.dist-info"
PACKAGE = {
    name for name in git(PROJECT, "ls-files", "-co", "--exclude-standard", "grounded_ingest").split()
    if (PROJECT / name).is_file()
}  # fmt: skip


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="module")
def built(source: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return build(source, tmp_path_factory.mktemp("dist"))


def test_another_place_time_and_umask_give_the_same_bytes(
    built: list[Path], tmp_path: Path
) -> None:
    other = copy_project(tmp_path / "elsewhere" / "deeper")
    for path in other.rglob("*"):
        os.utime(path, (10**9, 10**9))
        path.chmod(0o700 if path.is_dir() else 0o600)
    env = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    again = build(other, tmp_path / "dist", **env)
    assert [p.name for p in again] == [p.name for p in built]
    assert [p.read_bytes() for p in again] == [p.read_bytes() for p in built]


def test_the_sdist_builds_the_same_wheel(built: list[Path], tmp_path: Path) -> None:
    with tarfile.open(built[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    _, wheel = build(tmp_path / STEM, tmp_path / "dist")
    assert wheel.read_bytes() == built[1].read_bytes()


def test_the_wheel_holds_the_package_and_nothing_else(built: list[Path]) -> None:
    info = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
    names = zipfile.ZipFile(built[1]).namelist()
    assert len(PACKAGE) > 100
    manual = f"{STEM}.data/data/share/man/man1/grounded-ingest.1"
    assert set(names) == PACKAGE | {f"{INFO}/{name}" for name in info} | {manual}
    assert {os.path.splitext(name)[1] for name in PACKAGE} == {".py", ".typed", ".html", ".css", ".js", ".sql", ".txt", ".yaml", ".scm", ".jsonl"}  # fmt: skip


def test_the_sdist_holds_what_the_wheel_is_built_from(built: list[Path]) -> None:
    beside = {"CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore"}
    beside.add("docs/grounded-ingest.1")
    with tarfile.open(built[0]) as archive:
        assert set(archive.getnames()) == {f"{STEM}/{name}" for name in PACKAGE | beside}


@pytest.mark.slow  # twine brings 40 MB
def test_metadata_is_what_pypi_takes(built: list[Path]) -> None:
    argv = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)]
    ran = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    metadata = zipfile.ZipFile(built[1]).read(f"{INFO}/METADATA")
    told = message_from_bytes(metadata)
    assert (told["Version"], told["Requires-Python"]) == (__version__, ">=3.11")
    assert metadata.decode().partition("\n\n")[2] == (PROJECT / "README.md").read_text("utf-8")
