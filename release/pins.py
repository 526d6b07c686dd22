"""Pins the dependencies that action.yml and the Dockerfile install: exact versions, with hashes.

A range in pyproject.toml lets every release of a dependency into a job that pinned the action by
its commit. The two files here are installed with `--require-hashes --only-binary :all:` instead, so
a job installs the same wheels until a commit changes the files."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from release.places import ProjectError
from release.programs import run

RUNTIME, BUILD = "constraints.txt", "constraints-build.txt"
WANTED_BY = {RUNTIME: ("project", "dependencies"), BUILD: ("build-system", "requires")}
"""The table and key of pyproject.toml whose requirements each file pins."""

PLATFORMS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
)
"""uv's names of the platforms on which every pin needs a wheel."""

_HEADER = """\
# Written by `python -m release` from pyproject.toml ({table}.{key}); not edited by hand.
# Install: pip install --require-hashes --only-binary :all: -r {name}
"""
_PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.!+]+)(?: ; [^\\]+?)? \\")
_HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")
_COMMENT = re.compile(r" *#.*")
_DIRECT = "pyproject.toml"
"""The comment "via pyproject.toml" below a pin tells that pyproject.toml names the package."""


class Pin(NamedTuple):
    """One version of one package. A package has several if they differ by environment marker."""

    name: NormalizedName
    version: str
    direct: bool
    hashes: int


def read_pins(text: str, name: str) -> list[Pin]:
    """Returns the pins of a file, in its order. Raises ProjectError at a line that is no pin, hash
    or comment, such as an option that names an index."""
    pins: list[Pin] = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := _PIN.fullmatch(line):
            pins.append(Pin(canonicalize_name(match["name"]), match["version"], False, 0))
        elif pins and _HASH.fullmatch(line):
            pins[-1] = pins[-1]._replace(hashes=pins[-1].hashes + 1)
        elif not _COMMENT.fullmatch(line) or "://" in line:
            raise ProjectError(f"{name}:{number}: not a pin, a hash or a comment: {line.strip()}")
        elif pins and line.endswith(f" {_DIRECT}"):
            pins[-1] = pins[-1]._replace(direct=True)
    return pins


def stale_pins(root: Path) -> dict[str, str]:
    """Returns each file of pins that does not fit pyproject.toml, with the first reason. Asks no
    index: whether newer versions exist is not looked at."""
    reasons = {name: next(_reasons(root, name), "") for name in WANTED_BY}
    return {name: reason for name, reason in reasons.items() if reason}


def write_pins(root: Path, *, upgrade: bool) -> list[str]:
    """Writes the files of pins that are stale, or all with `upgrade`, and returns the names of
    those that changed. Versions stay as they are where they fit, except with `upgrade`. Raises
    ProjectError if a pin has no wheel for a platform and a Python the package is classified for."""
    changed = []
    for name in WANTED_BY if upgrade else stale_pins(root):
        before = _text(root, name)
        after = _compiled(root, name, upgrade=upgrade)
        if after != before:
            (root / name).write_text(after, "utf-8")
            changed.append(name)
    return changed


def _reasons(root: Path, name: str) -> Iterator[str]:
    try:
        pins = read_pins(_text(root, name), name)
    except ProjectError as error:
        yield str(error)
        return
    wanted = {canonicalize_name(r.name): r for r in _requirements(root, name)}
    direct = {pin.name for pin in pins if pin.direct}
    for missing in sorted(wanted.keys() - direct):
        yield f"{missing} is not pinned"
    for unwanted in sorted(direct - wanted.keys()):
        yield f"{unwanted} is pinned, and pyproject.toml does not name it"
    for pin in pins:
        if not pin.hashes:
            yield f"{pin.name} has no hash"
        if pin.direct and not wanted[pin.name].specifier.contains(pin.version, prereleases=True):
            yield f"{pin.name} {pin.version} is pinned, {wanted[pin.name]} is wanted"


def _compiled(root: Path, name: str, *, upgrade: bool) -> str:
    """Returns the new text of a file of pins, resolved by uv for every platform at once."""
    pythons = _pythons(root)
    uv = (sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--only-binary", ":all:")
    with TemporaryDirectory() as temporary:
        place = Path(temporary)
        (place / "wanted.in").write_text("\n".join(map(str, _requirements(root, name))), "utf-8")
        (place / "pins.txt").write_text("" if upgrade else _text(root, name), "utf-8")
        argv = [*uv, "wanted.in", "--output-file", "pins.txt", "--universal", "--generate-hashes"]
        run(place, *argv, "--no-header", "--python-version", pythons[0])
        for platform, python in product(PLATFORMS, pythons):
            target = ("--python-platform", platform, "--python-version", python)
            run(place, *uv, "pins.txt", "--no-deps", *target)
        text = (place / "pins.txt").read_text("utf-8").replace(" -r wanted.in\n", f" {_DIRECT}\n")
    table, key = WANTED_BY[name]
    text = _HEADER.format(table=table, key=key, name=name) + text
    read_pins(text, name)
    return text


def _pythons(root: Path) -> list[str]:
    """Returns the versions of Python among the classifiers, oldest first."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    prefix = "Programming Language :: Python :: 3."
    minors = [c.removeprefix(prefix) for c in project["classifiers"] if prefix in c]
    return [f"3.{minor}" for minor in sorted(map(int, minors))]


def _requirements(root: Path, name: str) -> list[Requirement]:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    table, key = WANTED_BY[name]
    return [Requirement(told) for told in project[table][key]]


def _text(root: Path, name: str) -> str:
    return (root / name).read_text("utf-8") if (root / name).exists() else ""
