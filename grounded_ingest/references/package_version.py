"""Checks the versions of packages that a document states: "Next.js 15", or a row of a table with
the columns `Technology` and `Version`.

A version is wrong if manifests list the package and no manifest of the tree allows the version.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from posixpath import basename, dirname

from msgspec import Struct

from grounded_ingest.code.manifest_facts import PINNING, own_name
from grounded_ingest.code.package_versions import (
    PROJECT_FILE,
    VERSION_LISTING,
    allows,
    package_versions,
    shown_versions,
)
from grounded_ingest.extract.code_blocks import CodeBlock
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import CitationKind, Claim, Form, Verdict
from grounded_ingest.references.manifests import MOST, manifests_of
from grounded_ingest.references.reference import Reference, TreeAnswer
from grounded_ingest.text.code_spans import CodeSpan, code_spans
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.words import function_words

PACKAGE = "package"
_CELL = compiled(f"(?i){words.VERSION_CELL}")
_NAMED, _END = compiled(words.NAMED_VERSION), compiled(words.VERSION_END)
_LINK_WORDS = compiled(words.VERSION_LINK)
_SUPPORT = compiled(words.SUPPORT, needs=words.SUPPORT_NEEDS.split())
_FIRST_CELL = compiled(r"[^:;]{1,40}: ([^;]{1,60})")
_OF_ANOTHER_TIME = compiled(words.OF_ANOTHER_TIME)
_MOVED = compiled(words.MOVED, needs=("from", "migrat", "upgrad", "cve"))
_REQUIRES = compiled(
    r"(?:^|[.;:|] )((?:[^.;:|]|\.(?! ))*?)\s*\b"
    r"(?:requires?|needs?|depends? on|supports?|pins?)\b(?:[^.;:|]|\.(?! ))*$"
)
_MANIFESTS = frozenset((*VERSION_LISTING, *PINNING))
_LABEL = compiled(r"\[[^\]]*\](?=\()")
_LINK = compiled(r"^\[([^\]]+)\]\([^)]*\)$")
_SERVERS = frozenset(words.SERVERS.split())
_ASIDE = compiled(words.ASIDE_FOLDERS)
_FEWEST = 3
"""Minimum number of packages in a code block that a manifest of the tree lists."""
_CORES = ("core", "cli", "framework", "client", "test")
"""Last parts of the names of packages that stand for their owner, as in `@angular/core`."""
_LAST_PART = 7
"""Minimum length of the last part of a dotted name that stands for the whole name, as `Mapperly`
for `Riok.Mapperly`."""


def package_mentions(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields a reference for each version that a claim states for a package. Its `name` is the
    version (`2.1`), and its `of` names the package (`package requests`)."""
    kind = CitationKind.VERSION
    if claim.form is Form.ROW and (cell := _CELL.search(claim.text)):
        named, stated = _FIRST_CELL.match(claim.text), cell["version"]
        if named and named.end() <= cell.start():
            version = re.sub(r"[^\d.+^~]", "", stated).replace(".+", "+").rstrip(".")
            name = _LINK.sub(r"\1", named[1].strip()).strip("`* ")
            of = f"{PACKAGE} {name}"
            yield Reference(kind, path, version, cell.start("version"), cell.end(), of)
    elif not _SUPPORT.search(f"{claim.section} {claim.text}"):
        for m in _NAMED.finditer(claim.text):
            of_cell = claim.form is Form.ROW and m["label"]
            if not of_cell and _states_version(m, claim.text) and not other_subject(m, claim.text):
                version = f"{m['sign']}{m['version']}{'+' * bool(m['newer'])}"
                yield Reference(kind, path, version, m.start(), m.end(), f"{PACKAGE} {m['name']}")


def _states_version(found: re.Match[str], text: str) -> bool:
    """Returns whether a sentence states a version, and does not tell of the past or of what a
    version has. A sentence that names a manifest states every version in it."""
    if _OF_ANOTHER_TIME.search(
        text, max(0, found.start() - 20), found.end("name")
    ) or _MOVED.search(text):
        return False
    if any(link.start() < found.start() < link.end() for link in _LABEL.finditer(text)):
        return False  # as in the title of an article
    spans = list(code_spans(text))
    if is_quoted(found, spans):
        return False
    if any(basename(s.text) in _MANIFESTS for s in spans):
        return True
    end = _END.match(text, found.end())
    return end is not None and not (found.start() == 0 and end[0] in (" and", " or"))


def is_quoted(found: re.Match[str], spans: list[CodeSpan]) -> bool:
    """Returns whether a code span contains the version among other words, as a message or a command
    line does."""
    inside = [s for s in spans if s.start <= found.start("version") < s.start + len(s.text)]
    return any(len(s.text.split()) > len(found[0].split()) for s in inside)


def other_subject(found: re.Match[str], text: str) -> str:
    """Returns the name of the program that a sentence says requires a version: "storybook" in
    "Storybook requires Node 20". Returns an empty string if it is the repository."""
    required = _REQUIRES.search(text[: found.end("name")].rpartition(" ")[0])
    subject = required[1].split() if required else []
    if len(subject) > 1 and not all(w.islower() for w in subject[1:]):
        return " ".join(subject)
    own = not subject or subject[0].lower() in _subjects()
    return "" if own else subject[0].strip("`").lower()


@cache
def _subjects() -> frozenset[str]:
    """Returns the words with which a document may refer to its own repository, such as "the" and
    "project"."""
    return function_words() | frozenset(words.SUBJECTS.split())


class _Listed(Struct, frozen=True):
    """A manifest that lists a package with a version."""

    path: str
    name: str
    version: str


def answer_package(asked: Reference, tree: Tree) -> TreeAnswer | None:
    """Compares a stated version of a package with the manifests. Returns None if no manifest lists
    the package, or if the name may mean several packages."""
    name, listed = _meant(asked.of.removeprefix(PACKAGE).strip(), tree)
    if len({one.name for one in listed}) != 1:
        return None
    if _key(name) in _SERVERS:
        return None
    allowed = [allows(one.version, asked.name) for one in listed]
    nearest = max(listed, key=lambda o: (_nearness(asked.path, o.path), not _ASIDE.search(o.path)))
    target = f"{nearest.path}#{nearest.name}"
    if any(allowed):
        return TreeAnswer(Verdict.CONFIRMED, target, loose=True)
    if None in allowed or (_ASIDE.search(nearest.path) and not _nearness(asked.path, nearest.path)):
        return None
    return TreeAnswer(
        Verdict.REFUTED, target, f"{nearest.path} has {nearest.name} {nearest.version}"
    )


def _meant(name: str, tree: Tree) -> tuple[str, list[_Listed]]:
    """Returns the longest end of a name that a manifest lists, and the manifests. The words before
    it may not belong to the name: "uses Zod" is Zod, "React Router" is not `router`."""
    named, loose = _named_packages(tree)
    found = _LINK_WORDS.sub("", name).split()
    for n in range(len(found)):
        if n > 1 and found[n - 1][0].isupper():
            continue
        end = " ".join(found[n:]).strip("`").rstrip("@")
        for key in (_key(end), _plain(end)):
            if listed := named.get(key) or loose.get(key) or loose.get(end):
                return end, listed
    return name, []


def _nearness(document: str, manifest: str) -> int:
    """Returns how near a manifest is to the document: the length of its folder's path plus one if
    the folder contains the document, else 0."""
    home = dirname(manifest)
    return len(home) + 1 if not home or document.startswith(f"{home}/") else 0


def _key(name: str) -> str:
    """Returns a name in the form for comparisons: `next` for `Next.js`, `expo` for `Expo SDK`."""
    return _plain(re.sub(r"(?i)(?:\.js| SDK| CSS Framework)$", "", name))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def shown_packages(path: str, block: CodeBlock, tree: Tree) -> Iterator[tuple[int, Reference]]:
    """Yields the versions in a code block that shows a manifest of the tree, each with its row. One
    manifest has to list half of the packages, and at least three. Other blocks show a manifest of
    another project."""
    shown = shown_versions(block.language, block.text)
    if len(shown) < _FEWEST or not own_packages(tree).keys().isdisjoint(shown):
        return
    homes = Counter(one.path for one in _packages(tree) if one.name in shown)
    if max(homes.values(), default=0) < max(_FEWEST, len(shown) / 2):
        return
    rows = block.text.split("\n")
    for name, version in shown.items():
        row = next((n for n, text in enumerate(rows) if name in text and version in text), None)
        if row is not None:
            yield row, Reference(CitationKind.VERSION, path, version, 0, 0, f"{PACKAGE} {name}")


@lru_cache(maxsize=2)
def own_packages(tree: Tree) -> Mapping[str, str]:
    """Maps the names of the tree's own packages to their manifests, without those of examples."""
    manifests = manifests_of(tree)
    paths = manifests.everywhere(("pyproject.toml", "Cargo.toml"))[:MOST]
    found = {own_name(p, manifests.text(p) or ""): p for p in paths if not _ASIDE.search(p)}
    return found | {name: paths[0] for name, paths in manifests.node_packages.items()}


@lru_cache(maxsize=2)
def _packages(tree: Tree) -> tuple[_Listed, ...]:
    """Returns the packages that the manifests of a tree list, without the tree's own packages."""
    manifests = manifests_of(tree)
    paths = manifests.everywhere(VERSION_LISTING)[:MOST]
    paths += [p for p in tree.files if p.endswith(PROJECT_FILE)][:MOST]
    texts = {path: manifests.text(path) or "" for path in paths}
    own = own_packages(tree)
    return tuple(
        _Listed(path, name, version)
        for path, text in texts.items()
        for name, version in package_versions(path, text).items()
        if name not in own
    )


_Names = Mapping[str, list[_Listed]]


@lru_cache(maxsize=2)
def _named_packages(tree: Tree) -> tuple[_Names, _Names]:
    """Maps each package name to the manifests that list it, and parts of names that stand for the
    whole: `docusaurus` for `@docusaurus/core`, `Mapperly` for `Riok.Mapperly`."""
    found: tuple[dict[str, list[_Listed]], dict[str, list[_Listed]]] = ({}, {})
    for one in _packages(tree):
        name = re.sub(r"(?:/v\d+|\.v\d+)$", "", one.name)
        owner, _, last = name.rpartition("/")
        owner = owner.rpartition("/")[2].lstrip("@")
        dotted = last.rpartition(".")[2]
        exact, parts = {_key(name), _plain(one.name)}, set[str]()
        if one.path.endswith("go.mod"):
            exact = {_key(last), _plain(one.name), _plain(f"{owner}{last}")}
        elif owner:
            parts = {_key(last)} if last in owner else {_key(owner)} if last in _CORES else parts
        if dotted != last and len(dotted) >= _LAST_PART:
            parts.add(dotted)
        for names, keys in zip(found, (exact, parts), strict=True):
            for key in keys:
                names.setdefault(key, []).append(one)
    return found
