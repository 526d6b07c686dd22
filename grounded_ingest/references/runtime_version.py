"""Checks `version` references: a minimum runtime, a pinned runtime, or the project's own version.

The manifest or toolchain file nearest to the document decides. A stated minimum is wrong if every
minimum in the tree is higher.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, filterfalse
from posixpath import basename, dirname, join

from msgspec import Struct

from grounded_ingest.code.manifest_facts import (
    PINNING,
    RUNTIMES,
    Pin,
    ci_pins,
    own_name,
    own_version,
    runtime_version,
)
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.manifests import MOST, Manifests, manifests_of
from grounded_ingest.references.package_version import (
    PACKAGE,
    answer_package,
    other_subject,
    own_packages,
    package_mentions,
    states_version,
)
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.code_spans import CodeSpan, code_spans
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.VERSION

_DIGIT = compiled(r"\d")
_RUNTIME = compiled(words.RUNTIME)
_ASKS = compiled(words.ASKS)
_LEAST = compiled(words.LEAST_VERSION)
_OWN = [compiled(p, needs=("version", " of ")) for p in words.OWN_VERSIONS]
_IN_CI = compiled(r"\bCI\b|GitHub Actions|\bworkflows?\b|\bpipelines?\b")
_IN_DOCKER = compiled(r"(?i)\bdocker(?:file)?\b|\bcontainers?\b|\bimages?\b")
_WORDS_BEFORE = 5
"""Most words before a runtime in a claim that has no word such as "requires"."""
CI, DOCKER, WORKFLOWS = "CI", "Dockerfile", ".github/workflows/"
_MANIFESTS = ("package.json", "pyproject.toml", "Cargo.toml")
_OWN_NAME = "own version"


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the versions that a claim states."""
    if not _DIGIT.search(claim.text):
        return ()
    runtimes, own = _runtimes(path, claim), _own_versions(path, claim)
    return [*runtimes, *own, *package_mentions(path, claim)]


def _runtimes(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields the versions of runtimes in a claim. In each reference, `of` has five parts, such as
    `node + asks .nvmrc `. The sign is `+` for a minimum and `=` for an exact version. The third
    part is `asks` if the claim is about the requirements of this repository, or else empty.
    Then come the place (a toolchain file, CI or a Dockerfile) that a claim with only one version
    names, and the package that requires the version. Both may be empty."""
    stated = [m for m in _RUNTIME.finditer(claim.text) if m["name"] != "go" or m["sign"]]
    if not stated:
        return
    head = claim.section.rpartition(" > ")[2]
    asked = _ASKS.search(f"{head}\n{claim.text}") is not None
    spans = list(code_spans(claim.text))
    place = _place(claim.text, spans) if len(stated) == 1 else ""
    for m in stated:
        subject = (m["of"] or other_subject(m, claim.text)).strip("`")
        early = len(claim.text[: m.start()].split()) <= _WORDS_BEFORE
        if (asked or early) and " " not in subject and states_version(m, claim.text):
            asks = "asks" * (asked and not subject)
            of = f"{_runtime(m)} {_sign(m, claim.text)} {asks} {place} {subject}"
            yield Reference(KIND, path, m["version"], m.start(), m.end(), of)


def _runtime(found: re.Match[str]) -> str:
    """Returns the runtime that a match names. "Rust 2021" is an edition, and "go 2" is no version
    of Go."""
    year = found["version"].isdigit() and len(found["version"]) == 4
    runtime = RUNTIMES[found["name"].lower()]
    return "edition" if runtime == "rust" and year else runtime


def _sign(found: re.Match[str], text: str) -> str:
    """Returns `+` if a text states a minimum, and `=` if it states an exact version."""
    at_least = found["sign"] in (">=", "≥", "=>") or found["more"] or found["name"] == "MSRV"
    least = _LEAST.search(text, max(0, found.start() - 40), found.start())
    return "+" if at_least or least else "="


def _own_versions(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields the versions of the project itself that a claim states."""
    for m in chain.from_iterable(pattern.finditer(claim.text) for pattern in _OWN):
        of = f"{_OWN_NAME} {m['of']}".strip()
        yield Reference(KIND, path, m["version"], m.start("version"), m.end(), of)


def _place(text: str, spans: list[CodeSpan]) -> str:
    """Returns the only toolchain file that code spans name, or CI or a Dockerfile if the text is
    about them, or an empty string."""
    files = {name for s in spans if (name := basename(s.text)) in PINNING}
    if files:
        return files.pop() if len(files) == 1 else ""
    return CI if _IN_CI.search(text) else DOCKER * (_IN_DOCKER.search(text) is not None)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Compares the stated versions with manifests and toolchain files. Returns a result for each
    version that is certainly right or wrong."""
    manifests = manifests_of(context.tree)
    return {r: answer for r in asked if (answer := _answer(r, manifests))}


class _FilePin(Struct, frozen=True):
    path: str
    pin: Pin


def _answer(reference: Reference, manifests: Manifests) -> TreeAnswer | None:
    if reference.of.startswith(PACKAGE):
        return answer_package(reference, manifests.tree)
    if reference.of.startswith(_OWN_NAME):
        return _answer_own_version(reference, manifests)
    return _answer_runtime(reference, manifests)


def _answer_runtime(reference: Reference, manifests: Manifests) -> TreeAnswer | None:
    runtime, sign, _, place, subject = reference.of.split(" ")
    own = own_packages(manifests.tree)
    if subject and subject not in own:
        return None
    every, near = _pins_at(own[subject] if subject else place, runtime, reference.path, manifests)
    claimed, least = runtime_version(runtime, reference.name), sign == "+"
    if near and all(_agrees(claimed, one.pin, least=least) for one in near):
        one = next((n for n in near if n.pin.minimum == least), near[0])
        proves = one.pin.minimum or place or not least
        found = TreeAnswer(Verdict.CONFIRMED, f"{one.path}#{runtime}", "", one.pin.line)
        return found if proves else None
    if not every or _is_possible(claimed, [one.pin for one in every], least=least):
        return None
    one = max(near or every, key=lambda n: n.pin.minimum)
    verb, end = ("requires", " or newer") if one.pin.minimum else ("says", "")
    stated = f"{one.path} {verb} {runtime} {'.'.join(map(str, one.pin.version))}{end}"
    reason = f"{stated}, not {reference.name}"
    return TreeAnswer(Verdict.REFUTED, f"{one.path}#{runtime}", reason, one.pin.line)


def _is_possible(claimed: tuple[int, ...], pins: list[Pin], *, least: bool) -> bool:
    """Returns whether a claimed version may be right beside those that files state. A minimum
    allows higher versions, but a claimed minimum (`least`) may not be above all versions in use."""
    stated = [pin.version[: len(claimed)] for pin in pins]
    used = [v for v, pin in zip(stated, pins, strict=True) if not pin.minimum]
    if any(claimed[: len(version)] == version for version in stated):
        return True
    if len(used) == len(stated):
        return least and claimed < max(stated)
    return claimed >= min(stated) and not (least and used and claimed > max(stated))


def _agrees(claimed: tuple[int, ...], pin: Pin, *, least: bool) -> bool:
    """Returns whether a file agrees with a claim. A minimum in the file has to equal the claimed
    version. An exact version in the file has to begin with the claimed version. If the claim states
    a minimum (`least`), the exact version may also be higher."""
    stated = pin.version
    if least and not pin.minimum:
        return stated[: len(claimed)] >= claimed
    if pin.minimum:
        size = max(len(claimed), len(stated))
        return _pad(claimed, size) == _pad(stated, size)
    return stated[: len(claimed)] == claimed


def _pad(version: tuple[int, ...], size: int) -> tuple[int, ...]:
    return (*version, *(0 for _ in range(size - len(version))))


def _pins_at(
    place: str, runtime: str, document: str, manifests: Manifests
) -> tuple[list[_FilePin], list[_FilePin]]:
    """Returns all versions of a runtime that the files at a place state, and those of the files
    that are nearest to the document. `place` is a file, CI, or empty for the whole tree."""
    every = list(_all_pins(runtime, manifests))
    used = [one for one in every if one.path.startswith(WORKFLOWS)]
    if place == CI and used:
        return [one for one in every if not one.pin.minimum], used
    if path := _nearest_file(place, document, manifests):
        pins = [one for one in every if one.path == path]
        if pins or place != DOCKER:
            return pins, pins
    near = (
        [one for one in every if _is_beside(one, d)] for d in directories_from(dirname(document))
    )
    return every, next(filter(None, near), [])


def _nearest_file(place: str, document: str, manifests: Manifests) -> str:
    """Returns the path of a file that a document names, also if the name is its whole path."""
    above = (*directories_from(dirname(document)), "") if place not in ("", CI) else ()
    return next(filter(manifests.tree.has, (join(d, place) for d in above)), "")


def _is_beside(one: _FilePin, directory: str) -> bool:
    return dirname(one.path) == directory and basename(one.path) != DOCKER


def _all_pins(runtime: str, manifests: Manifests) -> Iterator[_FilePin]:
    """Yields every version of a runtime that a file in the tree states, including CI workflows."""
    for path in filterfalse(is_test_or_sample, manifests.everywhere(PINNING)[:MOST]):
        yield from (_FilePin(path, pin) for pin in manifests.pins(path) if pin.runtime == runtime)
    for path in manifests.tree.below(WORKFLOWS)[:50]:
        found = ci_pins(manifests.text(path) or "")
        yield from (_FilePin(path, pin) for pin in found if pin.runtime == runtime)


def _answer_own_version(reference: Reference, manifests: Manifests) -> TreeAnswer | None:
    """Returns the result for the project's version, from the nearest manifest with a version."""
    above = directories_from(dirname(reference.path))
    nearest = ([join(d, name) for name in _MANIFESTS] for d in above)
    held = (list(filter(manifests.tree.has, paths)) for paths in nearest)
    paths = next(filter(None, held), [])
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
