"""The project's address: one file holds it, and everything that names it follows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from publishedrepo import PROJECT, build, copy_project, git

from grounded_ingest.version import __version__
from release.__main__ import command
from release.places import (
    PLACES,
    ProjectError,
    changed_files,
    form_pattern,
    read_project,
    registry_entry,
)

PUBLISHED = {
    "README.md": ["repo: https://github.com/ada/guard\n    rev: v{}\n", "uses: ada/guard@v{}\n"],
    "SECURITY.md": ["<team@example.org>", "https://github.com/ada/guard/security/advisories/new"],
    "CODE_OF_CONDUCT.md": ["<team@example.org>"],
    "examples/github-nightly-audit.yml": ["install --quiet grounded-ingest=={}\n"],
    "examples/gitlab-ci.yml": ["component: $CI_SERVER_FQDN/ada/guard/check@{}\n"],
    "templates/check.yml": ["default: grounded-ingest=={}\n"],
    "docs/install.md": ["docker pull ghcr.io/ada/guard:{}", "[ada/guard](https://github.com/ada/guard)"],
    "docs/mcp.md": ["pip install 'grounded-ingest[mcp]'", "`io.github.ada/grounded-ingest`"],
    ".github/ISSUE_TEMPLATE/config.yml": ["url: https://github.com/ada/guard/security"],
    "server.json": ['"name": "io.github.ada/grounded-ingest"', '"version": "{}"'],
}  # fmt: skip


def with_address(place: Path, url: str = "https://github.com/ada/guard", mail: str = "team@example.org") -> Path:  # fmt: skip
    told = (place / "pyproject.toml").read_text("utf-8")
    told = re.sub(r"^# urls\.Repository = .*", f'urls.Repository = "{url}"', told, flags=re.M)
    who = 'authors = [{ name = "The grounded-ingest maintainers"'
    assert who in told
    if mail:
        told = told.replace(who, f'{who}, email = "{mail}"')
    (place / "pyproject.toml").write_text(told, "utf-8")
    return place


def run(place: Path, monkeypatch: pytest.MonkeyPatch, *args: str) -> tuple[int, str]:
    monkeypatch.chdir(place)
    ran = CliRunner().invoke(command, args)
    return ran.exit_code, ran.output


def texts(place: Path) -> dict[str, str]:
    listed = {
        p for pattern in {f for row in PLACES for f in row.files} for p in place.glob(pattern)
    }
    return {str(p.relative_to(place)): p.read_text("utf-8") for p in listed}


def test_every_file_says_what_follows() -> None:
    """To write them anew: python -m release."""
    assert changed_files(PROJECT, read_project(PROJECT)) == {}


def test_every_place_stands_somewhere() -> None:
    """With the address that holds, so that no row is forgotten when a page is rewritten."""
    project = read_project(PROJECT)
    for place in PLACES:
        form = form_pattern(place.published if project.url else place.local)
        found = [p for pattern in place.files for p in PROJECT.glob(pattern)]
        assert any(re.search(form, p.read_text("utf-8")) for p in found), form


def test_one_edit_and_one_command_publish_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = with_address(copy_project(tmp_path / "project"))
    assert run(place, monkeypatch)[0] == 0
    for name, wanted in PUBLISHED.items():
        text = (place / name).read_text("utf-8")
        assert [w for w in wanted if w.replace("{}", __version__) not in text] == [], name
    left = {n: t for n, t in texts(place).items() if re.search(r"/path/to/|\./grounded-ingest|no public address", t)}  # fmt: skip
    assert left == {}
    assert run(place, monkeypatch) == (0, "")
    # And taken back: nothing is lost on the way.
    git_text = (PROJECT / "pyproject.toml").read_text("utf-8")
    (place / "pyproject.toml").write_text(git_text, "utf-8")
    assert run(place, monkeypatch)[0] == 0
    assert texts(place) == texts(PROJECT)
    assert not (place / "server.json").exists()


def test_links_of_the_page_on_pypi_are_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = with_address(copy_project(tmp_path / "project"))
    assert run(place, monkeypatch)[0] == 0
    sdist, _ = build(place, tmp_path / "dist")
    import tarfile

    with tarfile.open(sdist) as archive:
        told = archive.extractfile(f"grounded_ingest-{__version__}/PKG-INFO")
        assert told is not None
        page = told.read().decode()
    at = f"https://github.com/ada/guard/{{}}/v{__version__}/docs/"
    assert f"]({at.format('raw')}images/terminal.svg)" in page
    assert f"]({at.format('blob')}formats.md)" in page
    assert re.findall(r"\]\((?!https?:|#)[^)]*\)", page) == []
    assert "<!-- mcp-name: io.github.ada/grounded-ingest -->" in page
    assert "\nProject-URL: Repository, https://github.com/ada/guard\n" in page


@pytest.mark.parametrize(
    ("url", "mail", "said"),
    [
        ("https://github.com/ada/guard", "", "go together"),
        ("http://example.org/guard", "team@example.org", "NAME/REPOSITORY is meant"),
        ("https://github.com/ada", "team@example.org", "NAME/REPOSITORY is meant"),
    ],
)
def test_half_an_address_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str, mail: str, said: str
) -> None:
    place = with_address(copy_project(tmp_path / "project"), url, mail)
    with pytest.raises(ProjectError, match=said):
        read_project(place)
    assert run(place, monkeypatch)[0] == 1


def test_the_registrys_entry_starts_the_server() -> None:
    project = read_project(PROJECT)._replace(url="https://github.com/ada/guard", contact="a@b.org")
    entry = json.loads(registry_entry(project))
    (package,) = entry["packages"]
    assert entry["version"] == package["version"] == __version__
    assert len(entry["description"]) <= 100
    assert [a["value"] for a in package["packageArguments"]] == ["mcp"]
    assert package["runtimeArguments"][0]["value"] == "grounded-ingest[mcp]"


def test_nobody_stands_in_for_the_owner() -> None:
    """`OWNER` was a blank that readers had to find and fill in."""
    listed = git(PROJECT, "ls-files", "-z", ":!.grounded", ":!tests/release").split("\0")
    texts = {name: (PROJECT / name).read_bytes() for name in listed if (PROJECT / name).is_file()}
    assert [n for n, text in texts.items() if re.search(rb"\bOWNER/grounded|io\.github\.OWNER", text)] == []  # fmt: skip
