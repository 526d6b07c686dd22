"""Strangers' walks: every channel's script, from the project as it stands, at a tag.

All of them are asked for: `-m walks` (docs/releasing.md). On each commit the action's own step
installs the package (tests/action/test_action_files.py)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from publishedrepo import TAG, build, git, publish

from grounded_ingest.version import __version__

HERE = Path(__file__).parent
NO_INDEX = ("Could not find a version that satisfies", "NewConnectionError", "ProxyError")


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = publish(tmp_path_factory.mktemp("published") / "project")
    git(place, "tag", TAG)
    return place


@pytest.fixture(scope="session")
def dist(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build(clone, out)
    return out


def walk(script: str, *args: str | Path, program: str = "sh") -> None:
    env = {name: told for name, told in os.environ.items() if not name.startswith("GIT_")}
    argv = [program, str(HERE / script), *map(str, args)]
    ran = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=3600, check=False)
    said = ran.stdout + ran.stderr
    if ran.returncode and any(words in said for words in NO_INDEX):
        pytest.skip("no index of packages can be reached")
    print(said)
    assert ran.returncode == 0, said


@pytest.mark.walks
def test_wheel(dist: Path) -> None:
    walk("wheel.sh", dist)


@pytest.mark.walks
@pytest.mark.parametrize("channel", ["sdist", "uvx", "pipx"])
def test_distribution(dist: Path, channel: str) -> None:
    walk(f"{channel}.sh", dist)


@pytest.mark.walks
def test_what_the_release_workflow_builds(clone: Path) -> None:
    schema = pytest.importorskip("cyclonedx.schema")
    validation = pytest.importorskip("cyclonedx.validation.json")
    argv = ["bash", "release/distributions.sh", __version__]
    bin_first = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(argv, cwd=clone, env=os.environ | bin_first, check=True)
    text = (clone / "sbom.cdx.json").read_text("utf-8")
    assert validation.JsonStrictValidator(schema.SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    main = bill["metadata"]["component"]
    assert (main["name"], main["version"]) == ("grounded-ingest", __version__)
    named = {component["name"].lower().replace("_", "-") for component in bill["components"]}
    with zipfile.ZipFile(next((clone / "dist").glob("*.whl"))) as wheel:
        told = wheel.read(f"grounded_ingest-{__version__}.dist-info/METADATA").decode()
    wanted = re.findall(r"^Requires-Dist: ([\w-]+)(?!.*extra ==)", told, re.MULTILINE)
    assert {name.lower() for name in wanted} <= named
    assert not named & {"pip", "setuptools"}


@pytest.mark.walks
def test_stale_pins_are_written_and_installed(clone: Path, tmp_path: Path) -> None:
    """For all platforms, by uv, which asks the index; then installed on this one."""
    place = shutil.copytree(clone, tmp_path / "stale")
    pins = place / "constraints.txt"
    whole = pins.read_text("utf-8")
    pins.write_text(re.sub(r"^click==.*\n(    .*\n)+", "", whole, flags=re.MULTILINE), "utf-8")
    paths = os.pathsep.join([str(place), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONPATH": paths}
    argv = [sys.executable, "-m", "release"]
    subprocess.run(argv, cwd=place, env=env, check=True)
    kept = [line for line in whole.splitlines() if "==" in line and "click" not in line]
    written = pins.read_text("utf-8")
    assert "\nclick==" in written
    assert [line for line in written.splitlines() if line in kept] == kept
    own = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", own.parents[1]], check=True)
    pip = [own, "-m", "pip", "install", "--quiet"]
    files = ["-r", pins, "-r", place / "constraints-build.txt"]
    subprocess.run([*pip, "--require-hashes", "--only-binary", ":all:", *files], check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", place], check=True)
    told = subprocess.run(
        [own.with_name("grounded-ingest"), "--version"], capture_output=True, text=True, check=True
    )
    assert told.stdout.endswith(f" {__version__}\n")


@pytest.mark.walks
def test_hook_from_the_tag(clone: Path) -> None:
    walk("hook.sh", clone, TAG)


@pytest.mark.walks
def test_action_from_the_tag(clone: Path) -> None:
    walk("action.py", clone, program=sys.executable)


@pytest.mark.walks
def test_site(clone: Path) -> None:
    walk("site.sh", clone)


@pytest.mark.walks
@pytest.mark.skipif(
    not shutil.which("buildah") or not shutil.which("mmdebstrap"), reason="no builder of images"
)
def test_container(clone: Path) -> None:
    walk("container.sh", clone)
