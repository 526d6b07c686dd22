"""What follows from the project's address and version, and where it stands.

Both have one home: pyproject.toml (`urls.Repository`, `authors`) and grounded_ingest/version.py."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

VERSION_FILE = "grounded_ingest/version.py"
REGISTRY_ENTRY = "server.json"
"""The entry for MCP's registry, which has no form without an address."""


class ProjectError(Exception):
    """What has to be mended before anything can be written or released."""


class Project(NamedTuple):
    """`url` and `contact` are empty until the owner has filled them in."""

    version: str
    url: str = ""
    contact: str = ""

    def values(self) -> dict[str, str]:
        """What a published form may name."""
        slug = self.url.removeprefix("https://github.com/")
        account = slug.partition("/")[0]
        return {
            "version": self.version, "url": self.url, "slug": slug, "account": account,
            "contact": self.contact, "image": f"ghcr.io/{slug.lower()}",
        }  # fmt: skip


class Place(NamedTuple):
    """Two forms of one thing in files of these patterns: without an address, and with it. What
    `{…}` names is filled in; `{extra}` is kept."""

    files: tuple[str, ...]
    local: str
    published: str


_NAME, _SLUG = r"[\w.-]+", r"[\w.-]+/[\w.-]+"
_ANY = {
    "version": r"\d+\.\d+\.\d+",
    "url": rf"https://github\.com/{_SLUG}",
    "slug": _SLUG,
    "account": _NAME,
    "contact": r"[\w.+-]+@[\w.-]+\w",
    "image": rf"ghcr\.io/{_SLUG}",
    "extra": "[a-z-]+",
}

_DOCS = ("README.md", "docs/*.md")
_CI = (*_DOCS, "examples/*.yml", "templates/*.yml")
PLACES = (
    Place(
        (*_DOCS, "examples/*.yaml"),
        "repo: /path/to/grounded-ingest  # a clone: it has no public address yet\n    rev: HEAD\n",
        "repo: {url}\n    rev: v{version}\n",
    ),
    Place(
        _CI,
        "uses: ./grounded-ingest # a checkout in the workspace: it has no public address yet",
        "uses: {slug}@v{version}",
    ),
    Place(
        _CI,
        "--quiet ./grounded-ingest # a checkout in the workspace: it has no public address yet",
        "--quiet grounded-ingest=={version}",
    ),
    Place(
        _CI,
        "default: ./grounded-ingest # a checkout in the workspace: it has no public address yet",
        "default: grounded-ingest=={version}",
    ),
    Place(
        _CI,
        "local: templates/check.yml # copied there: it has no public address yet",
        "component: $CI_SERVER_FQDN/{slug}/check@{version}",
    ),
    Place(
        _DOCS,
        "pip install '/path/to/grounded-ingest[{extra}]'",
        "pip install 'grounded-ingest[{extra}]'",
    ),
    Place(
        ("docs/install.md",),
        "The project has no public address yet. On these pages, `/path/to/grounded-ingest` and "
        "`$SOURCE` stand for the path of a clone.",
        "The project is [{slug}]({url}), on PyPI `grounded-ingest`, as an image `{image}`. Set\n"
        "`SOURCE=grounded-ingest=={version}`.",
    ),
    Place(
        ("docs/install.md",),
        "| container | `docker build . --tag grounded-ingest` in a clone |",
        "| container | `docker pull {image}:{version}` |",
    ),
    Place(
        ("docs/mcp.md",),
        "The file `server.json` for the MCP registry is written once the project has a "
        "[public address](releasing.md#the-address).",
        "The entry for the registry is [server.json](../server.json), under the name\n"
        "`io.github.{account}/grounded-ingest`.",
    ),
    Place(
        ("examples/README.md",),
        "The project has no public address yet: examples take a checkout at `./grounded-ingest`.",
        "Replace the tag in `{slug}@v{version}` by the full id of its commit.",
    ),
    Place(
        ("SECURITY.md",),
        "This project has no public address yet: write in private to the person who gave you your "
        "copy.",
        "Write to <{contact}>, or open a [private advisory]({url}/security/advisories/new).",
    ),
    Place(
        ("CODE_OF_CONDUCT.md",),
        "This project has no public address yet: tell whoever gave you your copy.",
        "Write to <{contact}>.",
    ),
    Place(
        (".github/ISSUE_TEMPLATE/config.yml",),
        "# Links to the private ways in stand here once the project has a public address.\n",
        "contact_links:\n  - name: A security problem\n    url: {url}/security/advisories/new\n"
        "    about: Anything that SECURITY.md names is told in private.\n",
    ),
    Place(
        ("pyproject.toml",),
        'fragments = [{ path = "README.md" }]',
        'fragments = [{ path = "README.md" }, '
        '{ text = "\\n<!-- mcp-name: io.github.{account}/grounded-ingest -->\\n" }]',
    ),
    Place(
        ("pyproject.toml",),
        "replacement = '\\g<1>'",
        "replacement = '\\g<1>{url}/raw/v{version}/'",
    ),
    Place(
        ("pyproject.toml",),
        "replacement = ']('",
        "replacement = ']({url}/blob/v{version}/'",
    ),
    Place(("plugins/*/*.json", "plugins/*/.*/*.json"), *['"version": "{version}"'] * 2),
)


def read_project(root: Path) -> Project:
    """Raises ProjectError where one half of the address is there, or it is of no known form."""
    told = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    version = re.search(r'^__version__ = "(.+)"$', (root / VERSION_FILE).read_text("utf-8"), re.M)
    if version is None:
        raise ProjectError(f"{VERSION_FILE}: no __version__")
    url = told.get("urls", {}).get("Repository", "")
    contact = told["authors"][0].get("email", "")
    if bool(url) != bool(contact):
        raise ProjectError("pyproject.toml: urls.Repository and the email of authors go together")
    if url and not re.fullmatch(_ANY["url"], url):
        raise ProjectError(f"pyproject.toml: {url}: https://github.com/NAME/REPOSITORY is meant")
    return Project(version[1], url, contact)


def changed_files(root: Path, project: Project) -> dict[str, str]:
    """Files that do not say what follows from this, by path, with the text that does. An empty
    text is a file that goes."""
    found: dict[str, str] = {}
    for place in PLACES:
        for path in sorted(p for pattern in place.files for p in root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            before = found.get(name, path.read_text("utf-8"))
            after = _in_form(place, before, project)
            if after != before:
                found[name] = after
    entry = root / REGISTRY_ENTRY
    expected = registry_entry(project)
    if expected != (entry.read_text("utf-8") if entry.exists() else ""):
        found[REGISTRY_ENTRY] = expected
    return found


def write_files(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        if text:
            (root / name).write_text(text, "utf-8")
        else:
            (root / name).unlink()


def registry_entry(project: Project) -> str:
    """The text of server.json; empty without an address, because its name holds the account."""
    if not project.url:
        return ""
    package = {
        "registryType": "pypi",
        "identifier": "grounded-ingest",
        "version": project.version,
        "runtimeHint": "uvx",
        "runtimeArguments": [{"type": "named", "name": "--with", "value": "grounded-ingest[mcp]"}],
        "packageArguments": [{"type": "positional", "value": "mcp"}],
        "transport": {"type": "stdio"},
    }
    entry = {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": f"io.github.{project.values()['account']}/grounded-ingest",
        "title": "Grounded Ingest",
        "description": "Checks what agents write into a repository's memory against its sources;"
        " reads only.",
        "version": project.version,
        "packages": [package],
    }
    return json.dumps(entry, indent=2) + "\n"


def _in_form(place: Place, text: str, project: Project) -> str:
    """The text with either form of a place turned into the one that holds now."""
    template = place.published if project.url else place.local
    values = project.values()

    def filled(match: re.Match[str]) -> str:
        known = values | {k: v for k, v in match.groupdict().items() if v and k == "extra"}
        return re.sub(r"\{(\w+)\}", lambda m: known[m[1]], template)

    for form in dict.fromkeys((place.local, place.published)):
        text = re.sub(form_pattern(form), filled, text)
    return text


def form_pattern(form: str) -> str:
    """A regular expression for a form with any address and version."""
    parts = re.split(r"\{(\w+)\}", form)
    seen: set[str] = set()
    for at in range(1, len(parts), 2):
        name = parts[at]
        parts[at] = f"(?P={name})" if name in seen else f"(?P<{name}>{_ANY[name]})"
        seen.add(name)
    parts[::2] = [re.escape(part) for part in parts[::2]]
    return "".join(parts)
