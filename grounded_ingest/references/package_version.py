"""Checks the versions of packages that a document states: "Next.js 15", or a row of a table with
the columns `Technology` and `Version`.

A version is wrong if manifests list the package and no manifest of the tree allows the version.
`pinned_version` checks the versions of tools.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from posixpath import basename, dirname

from msgspec import Struct, json

from grounded_ingest.code.manifest_facts import RUNTIMES, numbers, own_name
from grounded_ingest.code.package_versions import (
    COMPOSE,
    EDITION,
    PROJECT_FILE,
    VERSION_LISTING,
    allows,
    begins_at,
    lowest,
    package_versions,
)
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import CitationKind, Claim, Form, Verdict
from grounded_ingest.references.manifests import MOST, manifests_of
from grounded_ingest.references.own_names import plain_name
from grounded_ingest.references.reference import Reference, TreeAnswer
from grounded_ingest.text.code_spans import code_spans, is_in_longer_code
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.words import function_words

PACKAGE, AMONG = "package", "among"
"""Begin `Reference.of` for the version of a named package, and for that of one of several words."""
_CELL = compiled(f"(?i){words.VERSION_CELL}")
_NAMED, _PINNED = compiled(words.NAMED_VERSION), compiled(words.PINNED_VERSION)
_LINKED = compiled(words.LINKED_VERSION)
_LIST = compiled(words.VERSION_LIST)
_LABELLED = compiled(words.LABELLED_VERSION)
_STACK = compiled(words.STACK, needs=words.STACK_NEEDS.split())
_SUPPORT = compiled(words.SUPPORT, needs=words.SUPPORT_NEEDS.split())
USES = compiled(words.USES, needs=(*words.USES_NEEDS.split(), "is a"))
CASES = compiled(words.CASES)
_OF_RELEASE = compiled(
    r"\d\.x (?:requires?|needs?|depends? on|uses?|ships? with)\b",
    needs=("requir", "need", "depend", "use", "ship"),
)
_ACCEPTS = compiled(words.ACCEPTS, needs=words.ACCEPTS_NEEDS.split())
_LOWEST, _VERSION = compiled(words.LOWEST), compiled(words.RANGE)
_EDITION = compiled(
    r"(?i)\bedition[`\" :=]{1,4}(20\d\d)\b|\b(20\d\d) edition\b", needs=("edition",)
)
_OF_RUST = compiled(r"(?i)\b(?:rust|cargo|crates?)\b")
_WORD = compiled(r"(?<![\w.@/-])@?[A-Za-z][\w./-]{3,60}[A-Za-z\d](?!\w|@| [A-Z][A-Za-z]*[ ,])")
"""Matches a word that may be a package. `Pydantic` in "Pydantic AI" is a part of another name."""
_LAST_WORD = compiled(
    r"(?<!pins)(?<!pinned) `?([A-Za-z][\w./@-]+)`* \(?(?:at )?(?P<only>to |[<>=]=? ?)?[`v=^~> ]*$"
)
_NAME_REACH = 80
"""Maximum distance of a package's name before a version, in characters."""
_FIRST_CELL = compiled(r"[^:;]{1,40}: ([^;]{1,60})")
_PAST = compiled(
    r"(?i)\b(?:until|since|before|after|as of|prior to|up to|from"
    r"|(?:added|available|introduced|new|supported) in|(?:was|were) (?:based|built) on) +`?$"
)
_NEWS = compiled(r"`? (?:added|changed|deprecated|fixed|introduced|removed)\b")
"""Matches the words behind a version that tell what it brought: "Shop 0.16 added rows"."""
_LABEL = compiled(r"\[[^\]]*\](?=\()")
_DECLARES = compiled(words.DECLARES)
_NEAR, _REACH = 14, 60
"""Maximum distance of such a verb and of a manifest before a version, in characters."""
_LINK = compiled(r"^\[([^\]]+)\]\([^)]*\)$")
_SERVERS = frozenset(words.SERVERS.split())
_IMAGES = {"postgresql": "postgres", "mongodb": "mongo"}
"""Maps the names of servers to those of their images, if they differ."""
_LEAST = ">="
"""Precedes the lowest version that a manifest asks for: "h2 4.1 or newer"."""
_ASIDE = compiled(words.ASIDE_FOLDERS)
_CORES = ("core", "cli", "framework", "client", "test")
"""Last parts of the names of packages that stand for their owner, as in `@angular/core`."""
_LAST_PART = 7
"""Minimum length of the last part of a dotted name that stands for the whole name, as `Mapperly`
for `Riok.Mapperly`."""


def manifest_names(names: Iterable[str]) -> re.Pattern[str]:
    """Returns a pattern for the file names of manifests in a text."""
    return compiled(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, names))})(?![\w/-])")


_MANIFEST = compiled(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, VERSION_LISTING))})(?![\w/-])")
"""Matches the name of a manifest, also in a folder."""


class _Claimed(Struct, frozen=True, omit_defaults=True):
    """What a claim states about a package. `Reference.of` has it as JSON, behind PACKAGE or AMONG.

    The package has one of the `names`. `manifest` is the only folder, or manifest with a folder,
    that the claim names. `task` is true for a minimum that may be that of a task, as in "this needs
    zod 4.1 or newer". Then `words` are those before it, one of which may be the repository's
    name."""

    names: tuple[str, ...]
    manifest: str = ""
    task: bool = False
    words: tuple[str, ...] = ()


def _decoded(reference: Reference) -> _Claimed:
    return json.decode(reference.of.partition(" ")[2], type=_Claimed)


def _reference(
    path: str, version: str, start: int, end: int, stated: _Claimed, kind: str = PACKAGE
) -> Reference:
    of = f"{kind} {json.encode(stated).decode()}"
    return Reference(CitationKind.VERSION, path, version, start, end, of)


def package_mentions(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields a reference for each version that a claim states for a package. Its `name` is the
    version (`2.1`), and its `of` a `_Claimed`."""
    if claim.form is Form.ROW and (cell := _CELL.search(claim.text)):
        yield from _in_cell(path, claim.text, cell)
        return
    yield from _beside_names(path, claim)
    yield from _editions(path, claim)
    yield from _among_words(path, claim)


def _in_cell(path: str, row: str, cell: re.Match[str]) -> Iterator[Reference]:
    named = _FIRST_CELL.match(row)
    if named and named.end() <= cell.start():
        version = re.sub(r"[^\d.+^~]", "", cell["version"]).replace(".+", "+").rstrip(".")
        name = _LINK.sub(r"\1", named[1].strip()).strip("`* ")
        yield _reference(path, version, cell.start("version"), cell.end(), _Claimed((name,)))


def _beside_names(path: str, claim: Claim) -> Iterator[Reference]:
    text, manifest = claim.text, _named_manifest(claim.text)
    for m in _stated(claim):
        if _is_no_version_of_project(m, text):
            continue
        listed = m["newer"] and _MANIFEST.search(text)
        newer = m["newer"] == "+" or (m["newer"] and not listed)
        version = f"{m['sign']}{m['version']}{'+' if newer else ''}"
        if not newer and m["newer"] and _names_manifest(text, m):
            version = f"{_LEAST}{m['version']}"
        name, task = m["name"].strip("`").rstrip("@"), bool(newer and not listed)
        before = _words_before(text, m.start()) if task else ()
        yield _reference(
            path, version, m.start(), m.end(), _Claimed((name,), manifest, task, before)
        )


def _words_before(text: str, at: int) -> tuple[str, ...]:
    """Returns the words among which a subject may stand before the version at the offset `at`."""
    return tuple(text[max(0, at - _NAME_REACH) : at].split())


def _named_manifest(text: str) -> str:
    """Returns the manifest with a folder that a text names in code, or, if it names no manifest,
    the folder. Returns an empty string if it names several, or makes a contrast."""
    spans = {span.text.rstrip("/") for span in code_spans(text)}
    named = {s for s in spans if basename(s) in VERSION_LISTING}
    named = named or {s for s in spans if "/" in s and not s.startswith("@") and " " not in s}
    alone = len(named) == 1 and not _CONTRAST.search(text)
    return name if alone and "/" in (name := named.pop()) else ""


_CONTRAST = compiled(r";|\b(?:but|whereas|while)\b", needs=(";", "but", "whereas", "while"))


def _editions(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields the editions of Rust in a claim: "the 2021 edition of Rust", and not "since the 2018
    edition"."""
    for m in _EDITION.finditer(claim.text):
        former = _OF_EDITION.search(claim.text, max(0, m.start() - _REACH), m.start())
        if not former and _OF_RUST.search(f"{claim.section} {claim.text}"):
            yield _reference(path, m[1] or m[2], m.start(), m.end(), _Claimed((EDITION,)))


_OF_EDITION = compiled(r"(?i)\b(?:before|beginning with|from|in|of|since|until) the $")
"""Matches the words before an edition that the project need not use."""


def _names_manifest(text: str, stated: re.Match[str]) -> bool:
    """Returns whether a text names one manifest before a version or in brackets behind it."""
    behind = _BRACKETS.match(text, stated.end())
    inside = behind is not None and _MANIFEST.search(behind[0]) is not None
    return inside or bool(manifest_before(text, stated.start(), _MANIFEST))


_BRACKETS = compiled(r" ?\([^()]{1,60}\)")


def manifest_before(text: str, at: int, names: re.Pattern[str]) -> str:
    """Returns the only manifest that asks for the version at the offset `at`, as the text says:
    `go.mod` in "go.mod declares Go 1.20". Returns an empty string if there is none."""
    before = text[max(0, at - _REACH) : at]
    named = {*names.findall(before)} if _DECLARES.search(before[-_NEAR:]) else set()
    return named.pop() if len(named) == 1 else ""


def _stated(claim: Claim) -> Iterable[re.Match[str]]:
    """Returns the names with versions in a claim. The claim is about a manifest, lists what the
    project is built with, or is only a name with its version."""
    named = {basename(s.text) for s in code_spans(claim.text)}
    if any(name in VERSION_LISTING and not name.endswith(COMPOSE) for name in named):
        return _PINNED.finditer(claim.text)  # a name in such a sentence needs no capitals
    over = f"{claim.section} {claim.text}"
    if not _SUPPORT.search(over):
        if labelled := _LABELLED.match(claim.text):
            return (labelled,)
        if _STACK.search(over) or _LIST.match(claim.text):
            found = [*_LINKED.finditer(claim.text)] or [*_NAMED.finditer(claim.text)]
            if found:
                return found
    if _is_of_use(claim):
        return (m for m in _PINNED.finditer(claim.text) if not _is_of_case(claim.text, m))
    return ()


def _is_of_use(claim: Claim) -> bool:
    """Returns whether a claim tells what the project itself uses now."""
    return bool(USES.search(claim.text)) and not _SUPPORT.search(claim.section)


def _is_of_case(text: str, version: re.Match[str]) -> bool:
    """Returns whether a text limits a version to a case, a time or a release, as in "if you use zod
    3.2" and "Shop 3.x depends on zod 3.2"."""
    return _first_case(text) <= version.start()


@lru_cache(maxsize=1)  # a claim can state thousands of versions
def _first_case(text: str) -> int:
    """Returns where the first words about a case end, or the length of the text and one."""
    found = (p.search(text) for p in (CASES, _OF_RELEASE))
    return min((m.end() for m in found if m), default=len(text) + 1)


def _among_words(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields the only version of a claim about what a manifest allows. One of the words before it
    may be the package, as in "zod, for which we declare the range `^3.0.0`"."""
    text = claim.text
    stated = [*_VERSION.finditer(text)] if _ACCEPTS.search(text) else []
    if len(stated) != 1 or _is_of_case(text, stated[0]):
        return
    version, start = stated[0]["version"], stated[0].start()
    last = _LAST_WORD.search(text, max(0, start - _NAME_REACH), start)
    # "waits at least 1.2 seconds", and "Shop needs at least Go 1.22", which is no version of Shop
    if _UNIT.match(text, stated[0].end()) or (last and last[1].lower() in RUNTIMES):
        return
    signed = _SIGNED.search(text, 0, start)
    least = bool(signed or _LOWEST.search(text))
    task = least and not (signed and "~" in signed[0])  # "~> 4.1" quotes a manifest
    about = _Claimed(
        tuple(_possible_packages(text, start, last)),
        _named_manifest(text),
        task,
        _words_before(text, start) if task else (),
    )
    sign = _LEAST if least else ""
    yield _reference(path, f"{sign}{version}", start, stated[0].end(), about, AMONG)


def _possible_packages(text: str, at: int, last: re.Match[str] | None) -> Iterable[str]:
    # Only "ruff" is the tool in "the configuration of pre-commit pins ruff to v1" and "ruff >= 1".
    only = last and last["only"]
    near = [] if only else _WORD.findall(text[max(0, at - _NAME_REACH) : at])
    near += [last[1]] if last else []
    return dict.fromkeys(word for word in near if word not in words.NO_PACKAGES.split())


_SIGNED = compiled(r"(?:>=|~>|~=) ?$")
"""Matches the sign of a range before its lowest version."""
_UNIT = compiled(r"[ -]?(?:ms|s|seconds?|minutes?|hours?|days?|times|percent|%|[kKMG]i?B|px)(?!\w)")


def _is_no_version_of_project(stated: re.Match[str], text: str) -> bool:
    """Returns whether a version is a former one, or belongs to a title, a command or no package, as
    in "from v0.1 to v0.2"."""
    start = stated.start()
    if stated["name"].lower() in function_words() or is_in_longer_code(stated, code_spans(text)):
        return True
    former = _PAST.search(text, max(0, start - _REACH), start)
    told = former or _NEWS.match(text, stated.end())
    return told is not None or _is_in_title(start, text)


def _is_in_title(at: int, text: str) -> bool:
    """Returns whether a version is in the label of a link, as in the title of an article."""
    labels = _labels(text)
    before = bisect_left(labels, (at,)) - 1
    return before >= 0 and at < labels[before][1]


@lru_cache(maxsize=1)
def _labels(text: str) -> list[tuple[int, int]]:
    return [link.span() for link in _LABEL.finditer(text)]


class _Listed(Struct, frozen=True):
    """A manifest that lists a package with a version."""

    path: str
    name: str
    version: str


def answer_package(asked: Reference, tree: Tree, own: Set[str]) -> TreeAnswer | None:
    """Compares a stated version of a package with the manifests. Returns None if no manifest lists
    the package, or if the name may mean several packages. `own` are the repository's names."""
    stated = _decoded(asked)
    listed = [one for name in stated.names for one in _listed(name, tree)]
    if len({one.name for one in listed}) != 1:
        return None
    if cited := [one for one in listed if _is_meant(one.path, stated.manifest, asked.path)]:
        return _compare(asked, cited, cited=True)
    if stated.task and own.isdisjoint(map(plain_name, stated.words)):
        listed = [one for one in listed if not _is_below(one.version, asked.name)]
    return _compare(asked, listed, cited=False)


def _is_meant(manifest: str, named: str, document: str) -> bool:
    """Returns whether a text means a manifest: the text names the manifest or its folder, or names
    none and the document is beside the manifest of one of several packages."""
    if named:
        return f"/{manifest}".endswith(f"/{named}") or manifest.startswith(f"{named}/")
    home = dirname(document)
    return home != "" and home == dirname(manifest)


def _compare(asked: Reference, listed: Sequence[_Listed], *, cited: bool) -> TreeAnswer | None:
    """Compares a stated version with those of manifests. The manifest of an example or a test
    answers only if the claim names it (`cited`)."""
    if not listed:
        return None
    compare = begins_at if asked.name.startswith(_LEAST) else allows
    allowed = [compare(one.version, asked.name) for one in listed]
    nearest = max(listed, key=lambda one: _nearness(asked.path, one.path))
    target, near = f"{nearest.path}#{nearest.name}", _nearness(asked.path, nearest.path)
    if any(allowed):
        return TreeAnswer(Verdict.CONFIRMED, target, loose=True)
    if None in allowed or (_ASIDE.search(nearest.path) and not (cited or near)):
        return None
    claimed = asked.name.lstrip(_LEAST) or asked.name
    why = f"{nearest.path} has {nearest.name} {nearest.version}, not {claimed}"
    return TreeAnswer(Verdict.REFUTED, target, why)


def _is_below(spec: str, stated: str) -> bool:
    """Returns whether the lowest version of a specification is below a stated minimum."""
    low = lowest(spec)
    return bool(low) and min(low) < numbers(stated)


def _listed(name: str, tree: Tree) -> list[_Listed]:
    """Returns the manifests that list a package, with the versions."""
    keys = (_key(name), _plain(name), name, _IMAGES.get(_key(name), ""))
    found = (names.get(key) for names in _named_packages(tree) for key in keys)
    listed = next(filter(None, found), [])
    if _key(name) in _SERVERS:  # a package of the same name is only the client
        listed = [one for one in listed if one.path.endswith(COMPOSE)]
    return listed


def _nearness(document: str, manifest: str) -> int:
    """Returns how near a manifest is to the document: the length of its folder's path plus one if
    the folder contains the document, else 0."""
    home = dirname(manifest)
    return len(home) + 1 if not home or document.startswith(f"{home}/") else 0


def _key(name: str) -> str:
    return _plain(re.sub(r"(?i)(?:\.js| SDK| CSS Framework)$", "", name))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


@lru_cache(maxsize=2)
def _own_names(tree: Tree) -> Set[str]:
    manifests = manifests_of(tree)
    paths = manifests.everywhere(("pyproject.toml", "Cargo.toml", "go.mod"))[:MOST]
    return {own_name(p, manifests.text(p) or "") for p in paths} | manifests.node_packages.keys()


@lru_cache(maxsize=2)
def _packages(tree: Tree) -> tuple[_Listed, ...]:
    manifests = manifests_of(tree)
    paths = manifests.everywhere(VERSION_LISTING)[:MOST]
    paths += [p for p in tree.files if p.endswith(PROJECT_FILE)][:MOST]
    texts = {path: manifests.text(path) or "" for path in paths}
    own = _own_names(tree)
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
