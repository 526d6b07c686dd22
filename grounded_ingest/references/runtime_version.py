"""Checks `version` references: a minimum runtime, a pinned runtime, or the project's own version.

The manifest or toolchain file nearest to the document decides. A stated minimum is wrong if every
minimum in the tree is higher.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import cache, lru_cache
from itertools import chain, filterfalse, islice
from posixpath import basename, dirname, join

from msgspec import Struct, json

from grounded_ingest.code.manifest_facts import (
    PINNING,
    RUNTIMES,
    Pin,
    ci_pins,
    numbers,
    own_name,
    own_version,
)
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.model.claims import CitationKind, Claim, Form, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.manifests import MOST, Manifests, manifests_of
from grounded_ingest.references.other_project import GUIDE
from grounded_ingest.references.own_names import own_names, plain_name
from grounded_ingest.references.package_version import (
    AMONG,
    PACKAGE,
    answer_package,
    manifest_before,
    manifest_names,
    package_mentions,
)
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.references.pinned_version import (
    PINNED,
    action_mentions,
    answer_pinned,
    is_of_ci,
    pinned_mentions,
    tool_mentions,
)
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.code_spans import code_spans, is_in_longer_code
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.words import function_words

KIND = CitationKind.VERSION

_DIGIT = compiled(r"\d")
_RUNTIME = compiled(words.RUNTIME)
_ASKS, _ASKING_TITLES = compiled(words.ASKS), compiled(words.ASKING_TITLES)
_LEAST = compiled(words.LEAST_VERSION)
_IN_BRACKETS = compiled(
    r" ?\([^()]{1,60}\)|,? as (?:declared|given|pinned|required|set|specified|stated) in \S{1,60}"
    r"|, (?:which|that) is the (?:minimum|version|one) (?:declared |given )?in \S{1,60}"
)
"""Matches the words behind a version that may name its manifest: "(see go.mod)"."""
_MANIFEST = manifest_names(PINNING)
_PATH_OF_MANIFEST = compiled(rf"(?<![\w./-])(?:[\w.-]+/)+(?:{'|'.join(map(re.escape, PINNING))})")
"""Matches a manifest in a folder: `desk/Cargo.toml`."""
_CI = "CI"
_OWN = [compiled(p, needs=("version", " of ")) for p in words.OWN_VERSIONS]
_ENDS = compiled(r"\]|[.,;:]?$|[.,;:]? ?[(—–-]|[.,;] ")
_REQUIRES = compiled(
    r"(?:^|[.;:|] )([^.;:|]*?)\s*\b(?:requires?|needs?|depends? on|supports?)\b[^.;:|]*$"
)
_OF_WORK = compiled(
    r"\b(?:requires?|needs?|supports?) (?:\w+ly )?\w+ing\b[^.;:|]*$", needs=("ing",)
)
"""Matches a clause about what is done: "supports formatting Python 2 code"."""
_POSSESSIVE = compiled(r"['’]s$")
_OF_READER = compiled(
    r"(?i)\b(?:your (?:own )?(?:app|application|code|library|package|plugin|project)\b[^.;:|]*"
    r"|if you (?:need|want) |if the (?:latest|newest)\b(?:[^.;:|]|\.\d)*)$",
    needs=("your", "Your", "f you ", "f the "),
)
"""Matches a clause before a version about the reader's project or wish, or about a case."""
_OF_RELEASES = compiled(
    r"(?i)(?:: |; )[`*]*(?:(?:up to|until|<=?|≤|~) ?)?v?\d+(?:\.\d+)*"
    r"(?:\.x\b| ?[-–] ?(?:v?\d|[a-z]))"
)
"""Matches a cell with a series of releases in a table of versions: "node: 0.10; shop: up to 8.x",
"node: 18; shop: 1.2 - 2.0"."""
_IN_CASE = compiled(r"[`*]* (?:on|for|with|to|if|when|in|since)\b")
_MANIFESTS = ("package.json", "pyproject.toml", "Cargo.toml")
_OWN_NAME = "own version"


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the versions that a claim states."""
    if not _DIGIT.search(claim.text):
        return ()
    pinned = [*pinned_mentions(path, claim)]
    named = pinned or package_mentions(path, claim)
    own = [*_runtimes(path, claim), *_own_versions(path, claim)]
    tools = () if own or pinned else tool_mentions(path, claim)
    return [*own, *named, *tools, *action_mentions(path, claim)]


_MOST = 50
"""Maximum number of runtimes that are read in a claim."""


class _Stated(Struct, frozen=True, omit_defaults=True):
    """What a claim states about the version of a runtime. `Reference.of` has it as JSON.

    `source` is the manifest that the claim is about, or `_CI` for the workflows. `asker` is the
    word that requires the runtime, if it may be the repository's name, and "" if there is no word.
    It is None if the claim is not about requirements of the repository. `limited` is true for a
    requirement of one case. `cited` is the only manifest that a requirement names."""

    runtime: str
    minimum: bool
    source: str = ""
    asker: str | None = None
    limited: bool = False
    cited: str = ""


def required_runtime(reference: Reference) -> str:
    """Returns the runtime of which a claim requires one exact version, or "" for any other claim.
    `reference` is one of `mentions`."""
    if not reference.of.startswith("{"):
        return ""  # the version of a package, of a tool or of the repository itself
    stated = json.decode(reference.of, type=_Stated)
    return stated.runtime if stated.asker is not None and not stated.minimum else ""


def _runtimes(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields the versions of runtimes in a claim. In each reference, `of` has a `_Stated`."""
    stated = [*islice(_RUNTIME.finditer(claim.text), _MOST)]
    if not stated or (claim.form is Form.ROW and _has_releases(claim.text, stated)):
        return
    spans = list(code_spans(claim.text))
    head = claim.section.rpartition(" > ")[2]
    asking = _is_item(stated[0], claim.text) or bool(
        _ASKING_TITLES.search(head) or _ASKS.search(claim.text)
    )
    for m in stated:
        before = claim.text[max(0, m.start() - 40) : m.start()]
        asked = asking or (GUIDE.search(path) is not None and _is_open_ended(m, before))
        if is_in_longer_code(m, spans) or _is_of_feature(m, before):
            continue
        at_least = m["sign"] in (">=", "≥", "=>") or m["more"] or m["name"] == "MSRV"
        minimum = bool(at_least or _LEAST.search(before))
        of = json.encode(_read_stated(claim.text, m, minimum=minimum, asked=asked)).decode()
        yield Reference(KIND, path, m["version"], m.start(), m.end(), of)


def _is_open_ended(found: re.Match[str], before: str) -> bool:
    """Returns whether later versions are named too, as in "Go 1.16+". `io/fs` (Go 1.16+) and "a
    newer Node (18.3 and above)" tell the version of a feature."""
    return bool(found["more"]) and before[-1:] != "(" and "(" not in found[0]


def _has_releases(row: str, stated: Sequence[re.Match[str]]) -> bool:
    """Returns whether another cell than those with runtimes has a series of releases."""
    cells = row[: stated[0].start()], row[stated[-1].end() :]
    return any(map(_OF_RELEASES.search, cells))


_FEATURE = compiled(
    r"(?i)\b(?:features?|syntax|added|introduced|available|new|supported|included|bundled) "
    r"(?:only )?(?:in|to|since|with) $"
)


def _is_of_feature(found: re.Match[str], before: str) -> bool:
    """Returns whether a version is that of a feature ("supported since Python 3.3", "Rust 1.77 is
    required for `a::b`"), or none: the text names the command `go`."""
    command = found["name"] == "go" and not found["sign"]
    other = _OF_OTHER.match(found.string, found.end())
    return command or bool(other or _FEATURE.search(before))


_OF_OTHER = compiled(
    r",? (?:is (?:needed|required) for `"
    r"|(?:and (?:below|older) )?(?:which )?(?:is|are)(?:n['’]t| not| no longer) supported\b(?! on)"
    r"|(?:adds?|comes|deprecates?|introduces?|provides?|removes?|respects?|ships|supports?)\b)"
)
"""Matches the words behind a version that is one of a feature, or that is not supported."""


def _read_stated(text: str, found: re.Match[str], *, minimum: bool, asked: bool) -> _Stated:
    """Returns what a text states about a runtime. `asked` says whether it is about requirements."""
    runtime, before = RUNTIMES[found["name"].lower()], text[: found.start()]
    if manifest := _manifest_beside(text, found):
        return _Stated(runtime, minimum, manifest)
    of_reader = _OF_READER.search(before)
    if not of_reader and is_of_ci(text, found.start()):
        return _Stated(runtime, minimum, _CI)
    asker = None if of_reader else _asking_subject(before)
    if asker is None or not (asker or asked):
        return _Stated(runtime, minimum)
    # "Shop 2 requires" and "on Windows" tell of a case.
    case = _REQUIRES.search(before) if asker else None
    limited = case and (_DIGIT.search(case[1]) or _IN_CASE.match(text, found.end()))
    named = {*_MANIFEST.findall(text)}
    cited = named.pop() if len(named) == 1 else ""
    return _Stated(runtime, minimum, "", asker, bool(limited), cited)


def _manifest_beside(text: str, found: re.Match[str]) -> str:
    """Returns the manifest that a text names as the source of a version: `go.mod` in "go.mod
    declares Go 1.20", or in brackets right behind the version. Returns "" if there is none."""
    behind = _IN_BRACKETS.match(text, found.end())
    beside = behind[0] if behind else ""
    inside = _PATH_OF_MANIFEST.search(beside) or _MANIFEST.search(beside)
    return manifest_before(text, found.start(), _MANIFEST) or (inside[0] if inside else "")


def _is_item(found: re.Match[str], text: str) -> bool:
    """Returns whether a text begins with a runtime that is all the text or is explained, as in
    "[Go 1.25+](https://go.dev)"."""
    return text[: found.start()] in ("", "[") and _ENDS.match(text, found.end()) is not None


def _own_versions(path: str, claim: Claim) -> Iterator[Reference]:
    for m in chain.from_iterable(pattern.finditer(claim.text) for pattern in _OWN):
        if _EXAMPLE.search(claim.text, max(0, m.start() - _CLAUSE), m.start()):
            continue
        of = f"{_OWN_NAME} {m['of']}".strip()
        yield Reference(KIND, path, m["version"], m.start("version"), m.end(), of)


_EXAMPLE = compiled(
    r"(?i)\b(?:if|for example|e\.g\.)[ ,][^.;:]*$", needs=("if", "If", "example", "e.g.")
)
"""Matches the text before the version of a case or an example."""
_CLAUSE = 100
"""Maximum number of characters that are read before the repository's own version."""


def _asking_subject(before: str) -> str | None:
    """Returns the word that requires a runtime: "storybook" in "Storybook requires Node 20".
    Returns an empty string for words such as "the project", and None for several names and for
    "supports formatting Python". `before` is the text before the runtime."""
    if _OF_WORK.search(before):
        return None
    found = _REQUIRES.search(before)
    # "Shop 4 requires Node 20": the number is the version of the subject.
    subject = [w for w in found[1].split() if not w[0].isdigit()] if found else []
    if len(subject) == 2 and subject[1].istitle() and subject[0].istitle():
        return plain_name("".join(subject))  # "Shop Queue requires Node 20"
    if any(not w.islower() for w in subject[1:]):
        return None
    first = _POSSESSIVE.sub("", subject[0].lower()) if subject else ""
    return "" if first in _subjects() else first


@cache
def _subjects() -> frozenset[str]:
    """Returns the words with which a document may refer to its own repository, such as "the" and
    "project"."""
    return function_words() | frozenset(words.SUBJECTS.split())


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Compares the stated versions with manifests and toolchain files. Returns a result for each
    version that is certainly right or wrong."""
    manifests, own = manifests_of(context.tree), {"", *own_names(context)}
    # In old text, such a number is mostly no version: of 15 reports, none was right.
    read = (r for r in asked if not (context.whole and r.of.startswith(AMONG)))
    return {r: answer for r in read if (answer := _answer(r, manifests, own))}


def _answer_manifest(
    reference: Reference, runtime: str, name: str, manifests: Manifests
) -> TreeAnswer | None:
    """Compares a version with the one in the nearest manifest of this name."""
    above = (join(d, name) for d in directories_from(dirname(reference.path)))
    path = next(filter(manifests.tree.has, above), "")
    there = [p for p in manifests.pins(path) if p.runtime == runtime] if path else []
    if len(there) != 1:
        return None
    claimed, found = numbers(reference.name), there[0].version
    target, line = f"{path}#{runtime}", there[0].line
    if found[: len(claimed)] == claimed or _pad(found, len(claimed)) == claimed:
        return TreeAnswer(Verdict.CONFIRMED, target, "", line)
    asked = ".".join(map(str, found))
    why = f"requires {runtime} {asked} or newer" if there[0].minimum else f"has {runtime} {asked}"
    why = f"{path} {why}, not {reference.name}"
    return TreeAnswer(Verdict.REFUTED, target, why, line)


class _FilePin(Struct, frozen=True):
    path: str
    pin: Pin


def _answer(reference: Reference, manifests: Manifests, own: Set[str]) -> TreeAnswer | None:
    if reference.of.startswith((PACKAGE, AMONG)):
        return answer_package(reference, manifests.tree, own)
    if reference.of.startswith(PINNED):
        return answer_pinned(reference, manifests.tree)
    if reference.of.startswith(_OWN_NAME):
        return _answer_own_version(reference, manifests)
    return _answer_runtime(reference, manifests, own)


def _answer_runtime(reference: Reference, manifests: Manifests, own: Set[str]) -> TreeAnswer | None:
    stated = json.decode(reference.of, type=_Stated)
    runtime, least = stated.runtime, stated.minimum
    if stated.source == _CI:
        return None if least else _answer_workflows(reference, runtime, manifests)
    if stated.source:
        return _answer_manifest(reference, runtime, stated.source, manifests)
    near = _nearest_pins(runtime, dirname(reference.path), manifests)
    claimed = numbers(reference.name)
    if not all(_agrees(claimed, one, least=least) for one in near):
        counts = stated.asker is not None and plain_name(stated.asker) in own
        return _answer_other_minimum(reference, near, stated, manifests) if counts else None
    found = [one for one in near if one.pin.minimum or not least]
    one = next((n for n in found if n.pin.minimum == least), found[0] if found else None)
    if one is None:
        return None
    return TreeAnswer(Verdict.CONFIRMED, f"{one.path}#{runtime}", "", one.pin.line)


def _answer_workflows(
    reference: Reference, runtime: str, manifests: Manifests
) -> TreeAnswer | None:
    """Returns a refuted result for a version that no workflow uses, although workflows use others.
    Returns None if a workflow contains the number, or may read its version from another file."""
    pins = [pin for pin in _ci_pins(manifests) if pin.pin.runtime == runtime]
    claimed = numbers(reference.name)
    same = (p for p in pins if all(a == b for a, b in zip(p.pin.version, claimed, strict=False)))
    number = rf"(?<![\w.]){re.escape(reference.name)}(?!\w)"
    written = re.compile(rf"version-file|uses: *\./|\.ya?ml@|{number}")
    if not pins or any(same) or any(map(written.search, _workflows(manifests).values())):
        return None
    path = pins[0].path
    used = dict.fromkeys(".".join(map(str, p.pin.version)) for p in pins if p.path == path)
    why = f"{path} has {runtime} {', '.join(used)}, not {reference.name}"
    return TreeAnswer(Verdict.REFUTED, f"{path}#{runtime}", why, pins[0].pin.line)


def _answer_other_minimum(
    reference: Reference, near: list[_FilePin], stated: _Stated, manifests: Manifests
) -> TreeAnswer | None:
    """Returns a refuted result for a version below the minimum of the files, or above it. The
    manifest that the claim names answers first.

    "Shop requires Ruby 3.0 or newer" also denies 2.7. Without a subject, as in "you need Ruby 3.0",
    the number may be that of one task."""
    wrong = _answer_below_minimum(reference, near, stated.runtime, manifests)
    if not wrong and stated.minimum and stated.asker and not stated.limited:
        wrong = _answer_above_minimum(reference, near, stated.runtime)
    if wrong and stated.cited:
        return _answer_manifest(reference, stated.runtime, stated.cited, manifests) or wrong
    return wrong


@lru_cache(maxsize=64)
def _is_about_versions(path: str, runtime: str, tree: Tree) -> bool:
    """Returns whether a page states so many versions of a runtime that they are those of features,
    and not the one that the repository requires."""
    stated = _RUNTIME.finditer(text_of(tree, path) or "")
    same = (m for m in stated if RUNTIMES[m["name"].lower()] == runtime)
    return len({numbers(m["version"])[:2] for m in same}) >= _MANY


_MANY = 4
"""Minimum number of versions of a runtime on a page about versions."""


def _agrees(claimed: tuple[int, ...], one: _FilePin, *, least: bool) -> bool:
    """Returns whether a file agrees with a claim. A minimum in the file has to equal the claimed
    version. An exact version in the file has to begin with the claimed version. If the claim states
    a minimum (`least`), the exact version may also be higher."""
    if least and not one.pin.minimum:
        return one.pin.version[: len(claimed)] >= claimed
    asked = one.pin.version
    if one.pin.minimum:
        size = max(len(claimed), len(asked))
        return _pad(claimed, size) == _pad(asked, size)
    return asked[: len(claimed)] == claimed


def _pad(version: tuple[int, ...], size: int) -> tuple[int, ...]:
    return (*version, *(0 for _ in range(size - len(version))))


def _answer_below_minimum(
    reference: Reference, near: list[_FilePin], runtime: str, manifests: Manifests
) -> TreeAnswer | None:
    """Returns a refuted result if the claimed version is lower than every version that a file in
    the tree states, or in the package in whose folder the document is. Returns None for any other
    version, if no near file states a minimum, and on a page about several versions."""
    own = dirname(reference.path) == dirname(near[0].path) != ""
    every = near if own else _all_pins(runtime, manifests)
    claimed = numbers(reference.name)
    first = next((one for one in near if one.pin.minimum), None)
    if first is None or any(_allows(one.pin, claimed) for one in every):
        return None
    if _is_about_versions(reference.path, runtime, manifests.tree):
        return None
    least, stated = (".".join(map(str, v)) for v in (first.pin.version, claimed))
    why = f"{first.path} requires {runtime} {least} or newer, not {stated}"
    return TreeAnswer(Verdict.REFUTED, f"{first.path}#{runtime}", why, first.pin.line)


def _answer_above_minimum(
    reference: Reference, near: list[_FilePin], runtime: str
) -> TreeAnswer | None:
    """Returns a refuted result for "Shop requires Ruby 3.0 or newer" if the nearest manifests allow
    an older version. Returns None if one of them does not."""
    claimed, first = numbers(reference.name), near[0]
    if not all(one.pin.minimum and one.pin.version[: len(claimed)] < claimed for one in near):
        return None
    least = ".".join(map(str, first.pin.version))
    why = f"{first.path} requires {runtime} {least} or newer, not {reference.name}"
    return TreeAnswer(Verdict.REFUTED, f"{first.path}#{runtime}", why, first.pin.line)


def _allows(pin: Pin, claimed: tuple[int, ...]) -> bool:
    """Returns whether a pin is at most `claimed`. A shorter pin that is no minimum, such as `1` in
    CI, means the newest 1.x."""
    if not pin.minimum and len(pin.version) < len(claimed):
        return pin.version < claimed[: len(pin.version)]
    return pin.version[: len(claimed)] <= claimed


def _nearest_pins(runtime: str, directory: str, manifests: Manifests) -> list[_FilePin]:
    """Returns the versions of a runtime that the files in one directory state. The search goes from
    `directory` upwards and stops at the first directory with such a file. A manifest in `docs` is
    that of a tool which builds the pages, so it counts only if no directory above has one."""
    places = [_pins_in(d, runtime, manifests) for d in directories_from(directory)]
    found = [pins for pins in places if pins]
    of_code = (pins for pins in found if basename(dirname(pins[0].path)) not in ("doc", "docs"))
    return next(of_code, found[0] if found else [])


def _pins_in(directory: str, runtime: str, manifests: Manifests) -> list[_FilePin]:
    named = (join(directory, name) for name in PINNING if name != "Dockerfile")
    paths = [*filter(manifests.tree.has, named), *filter(None, [manifests.gemspecs.get(directory)])]
    found = ((path, pin) for path in paths for pin in manifests.pins(path))
    return [_FilePin(path, pin) for path, pin in found if pin.runtime == runtime]


def _all_pins(runtime: str, manifests: Manifests) -> Iterator[_FilePin]:
    for path in filterfalse(is_test_or_sample, manifests.everywhere(PINNING)[:MOST]):
        yield from (_FilePin(path, pin) for pin in manifests.pins(path) if pin.runtime == runtime)
    yield from (one for one in _ci_pins(manifests) if one.pin.runtime == runtime)


def _workflows(manifests: Manifests) -> dict[str, str]:
    """Maps the path of each workflow to its text."""
    paths = manifests.tree.below(".github/workflows")[:50]
    return {path: manifests.text(path) or "" for path in paths}


def _ci_pins(manifests: Manifests) -> Iterator[_FilePin]:
    for path, text in _workflows(manifests).items():
        yield from (_FilePin(path, pin) for pin in ci_pins(text))


def _answer_own_version(reference: Reference, manifests: Manifests) -> TreeAnswer | None:
    above = directories_from(dirname(reference.path))
    paths = next(filter(None, (_manifests_in(d, manifests) for d in above)), [])
    name = reference.of.removeprefix(_OWN_NAME).strip().lower()
    texts = {p: manifests.text(p) or "" for p in paths}
    versions = {p: own_version(p, text) for p, text in texts.items()}
    if name and name not in words.WHOLE:
        versions = {p: v for p, v in versions.items() if own_name(p, texts[p]).lower() == name}
    versions = {p: v for p, v in versions.items() if v and v != "0.0.0"}
    if not versions:
        return None
    path, version = next(iter(versions.items()))
    if reference.name in versions.values():
        return TreeAnswer(Verdict.CONFIRMED, f"{path}#version")
    return TreeAnswer(Verdict.REFUTED, f"{path}#version", f"{path} has version {version}")


def _manifests_in(directory: str, manifests: Manifests) -> list[str]:
    paths = (join(directory, name) for name in _MANIFESTS)
    return [p for p in paths if manifests.tree.has(p)]
