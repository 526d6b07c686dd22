"""constraints.txt and constraints-build.txt: what they pin, who installs them, when they are stale."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from itertools import product
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from publishedrepo import PROJECT

from release.pins import BUILD, RUNTIME, WANTED_BY, read_pins, stale_pins

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = [
    {"sys_platform": sys, "platform_system": system, "os_name": os, "platform_machine": machine}
    for sys, system, os, machine in [
        ("linux", "Linux", "posix", "x86_64"), ("linux", "Linux", "posix", "aarch64"),
        ("darwin", "Darwin", "posix", "x86_64"), ("darwin", "Darwin", "posix", "arm64"),
        ("win32", "Windows", "nt", "AMD64"),
    ]
]  # fmt: skip
BOTH = pytest.mark.parametrize("name", [RUNTIME, BUILD])


def wanted(name: str) -> list[str]:
    table, key = WANTED_BY[name]
    found: list[str] = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))[table][key]
    return found


def closure(roots: list[str]) -> dict[str, list[Requirement]]:
    """Each package that the roots bring along on any promised platform, with every requirement on
    it. What a package requires is read from the installed one."""
    found: dict[str, list[Requirement]] = {}
    waiting = [Requirement(root) for root in roots]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        found.setdefault(name, []).append(requirement)
        if len(found[name]) > 1:
            continue
        try:
            brought = [Requirement(told) for told in requires(name) or []]
        except PackageNotFoundError:  # wanted on another platform than this
            continue
        waiting += [told for told in brought if anywhere(told)]
    return found


def anywhere(requirement: Requirement) -> bool:
    """Whether its marker holds on a promised platform, without an extra."""
    if requirement.marker is None:
        return True
    return any(
        requirement.marker.evaluate(
            system | {"python_version": python, "python_full_version": f"{python}.0", "extra": ""}
        )
        for system, python in product(SYSTEMS, PYTHONS)
    )


@BOTH
def test_all_that_is_brought_along_is_pinned_and_nothing_else(name: str) -> None:
    pins = read_pins((PROJECT / name).read_text("utf-8"), name)
    brought = closure(wanted(name))
    assert len(brought) > len(wanted(name))
    assert {pin.name for pin in pins} == brought.keys()
    for pin in pins:
        assert pin.hashes, pin
        for requirement in brought[pin.name]:
            assert requirement.specifier.contains(pin.version, prereleases=True), (pin, requirement)
    assert stale_pins(PROJECT) == {}


@BOTH
def test_no_index_and_no_path_is_named(name: str) -> None:
    """The machine that resolves the pins may use a mirror; who installs them uses their own."""
    for line in (PROJECT / name).read_text("utf-8").splitlines()[2:]:
        assert re.fullmatch(
            r"[a-z0-9.-]+==[\w.+!]+( ; [^/\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|    #( via)?( +[a-z0-9.-]+)?",
            line,
        ), line


def test_every_dependency_has_an_upper_bound() -> None:
    for told in wanted(RUNTIME):
        assert "<" in {specifier.operator for specifier in Requirement(told).specifier}, told


def test_the_action_installs_pins_and_then_itself(tmp_path: Path) -> None:
    """The step as it is, with a Python that notes how it is called."""
    calls, python = tmp_path / "calls", tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\n[ "$3" = venv ] && mkdir -p "$4/bin" && cp "$0" "$4/bin/python"\n'
        f'[ "$3" != pip ] || echo "$@" >> "{calls}"\n'
    )
    python.chmod(0o755)
    action = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))
    (script,) = (s["run"] for s in action["runs"]["steps"] if s.get("id") == "install")
    env = {
        "PATH": "/usr/bin:/bin", "PYTHON": str(python), "ACTION_PATH": "/action",
        "RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output"),
    }  # fmt: skip
    subprocess.run([shutil.which("bash") or "bash", "-c", script], env=env, check=True)
    pins, itself = calls.read_text("utf-8").splitlines()
    assert _is_pinned(pins), pins
    assert pins.endswith("-r /action/constraints.txt -r /action/constraints-build.txt")
    assert itself.endswith("--no-deps --no-build-isolation /action")


@pytest.mark.parametrize("file", ["Dockerfile", "release/distributions.sh"])
def test_image_and_bill_install_pins_and_then_the_wheel(file: str) -> None:
    text = (PROJECT / file).read_text("utf-8").replace("\\\n", "")
    commands = [
        c for c in re.split(r"\n|&&", text) if re.search(r'/pip"? .*\b(install|wheel)\b', c)
    ]
    pinned = [c for c in commands if _is_pinned(c)]
    for pins in (RUNTIME, BUILD):
        assert [c for c in pinned if re.search(rf"-r (/source/)?{pins}", c)], pins
    others = [c for c in commands if not _is_pinned(c) and " --no-deps " not in c]
    assert [c.split("--quiet ")[1] for c in others] == (
        [] if file == "Dockerfile" else ["build twine 'cyclonedx-bom>=7,<8'"]
    )
    assert "--no-build-isolation" in text or "--no-isolation" in text


def _is_pinned(command: str) -> bool:
    return "--require-hashes" in command and "--only-binary :all:" in command


PIN = "click==8.1.8 \\\n    --hash=sha256:" + "a" * 64 + "\n    # via pyproject.toml\n"
BUILD_PIN = PIN.replace("click==8.1.8", "hatchling==1.30")


@pytest.mark.parametrize(
    ("dependencies", "text", "reason"),
    [
        ('"Click>=8,<9"', PIN, ""),
        ('"click>=9"', PIN, "click 8.1.8 is pinned, click>=9 is wanted"),
        ('"click", "httpx"', PIN, "httpx is not pinned"),
        ("", PIN, "click is pinned, and pyproject.toml does not name it"),
        ('"click"', "click==8.1.8 \\\n    # via pyproject.toml\n", "click has no hash"),
        ('"click"', "", "click is not pinned"),
        ('"click"', f"--index-url https://x.example/simple\n{PIN}", "constraints.txt:1: not a pin, a hash or a comment: --index-url https://x.example/simple"),
        ('"click"', f"# --index-url https://x.example/simple\n{PIN}", "constraints.txt:1: not a pin, a hash or a comment: # --index-url https://x.example/simple"),
        ('"click"', f" {PIN}", "constraints.txt:1: not a pin, a hash or a comment: click==8.1.8 \\"),
        ('"click"', "click>=8\n", "constraints.txt:1: not a pin, a hash or a comment: click>=8"),
    ],
)  # fmt: skip
def test_a_file_is_stale(tmp_path: Path, dependencies: str, text: str, reason: str) -> None:
    (tmp_path / "pyproject.toml").write_text(
        f'[build-system]\nrequires = ["hatchling"]\n[project]\ndependencies = [{dependencies}]\n'
    )
    (tmp_path / RUNTIME).write_text(text)
    (tmp_path / BUILD).write_text(BUILD_PIN)
    assert stale_pins(tmp_path) == ({RUNTIME: reason} if reason else {})
