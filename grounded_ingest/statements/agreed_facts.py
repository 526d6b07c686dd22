"""Reads the facts on which all files that agents load have to agree: package manager, runtime
version, ports, test framework and branches.

Skips sentences about a single environment, sentences with a condition, and examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from grounded_ingest.code.command_lines import commands
from grounded_ingest.code.manifest_facts import RUNTIMES
from grounded_ingest.model.claims import DocClass, Form, MemoryType, Place
from grounded_ingest.text.dated_paths import is_current, is_current_path
from grounded_ingest.text.lexicon import conflict_words as words
from grounded_ingest.text.lexicon import manifest_words
from grounded_ingest.text.patterns import compiled

_CUE = compiled(words.CUE)
_IN_SOME_CASE = compiled(words.IN_SOME_CASE)
_READ_AS = compiled(words.READ_AS)
_NARROWED = compiled(words.NARROWED)
_RUNTIME = compiled(manifest_words.RUNTIME)
_ASKS = compiled(manifest_words.ASKS)
_LEAST = compiled(manifest_words.LEAST_VERSION)
_RUNS = compiled(words.RUNS)
_ASIDE = compiled(words.ASIDE)
_CONDITION = compiled(words.CONDITION)
_NAMES = ("main", "master", "trunk", "branch", "dev", "next", "staging")
_BRANCHES = {
    slot: compiled("(?i)" + pattern, needs=_NAMES) for slot, pattern in words.BRANCHES.items()
}
_FORBIDDEN = compiled("(?i)" + words.FORBIDDEN)
_SPAN = compiled(r"`([^`\n]{2,120})`")
_ORDERED = compiled("(?i)" + words.ORDERED)
_PORT = compiled(words.PORT)
_TESTS = tuple(map(compiled, words.TESTS))
_RIVALS = tuple(frozenset(row.split()) for row in (*words.MANAGERS, *words.RUNNERS))
_RIVAL_SLOTS = frozenset(("package manager", "script runner", "testing"))
_MANAGERS = frozenset(" ".join(words.MANAGERS).split())
_INSTALLING = frozenset(words.INSTALLING.split())
_RUNNING = frozenset(words.RUNNING.split())
_ALONE = compiled(words.ALONE)
_OTHER_USE = compiled(words.OTHER_USE)
_SOMEWHERE = compiled(words.SOMEWHERE)
_PACKAGES = compiled(words.PACKAGES)


_Thing = tuple[str, str]
"""The slot and the subject of a fact, such as ("port", "gateway")."""


class StatedFact(Struct, frozen=True):
    """A fact in a claim, in three parts: what it is about (`subject`, such as a service), which
    property (`slot`, such as `port`), and its value (`value`, such as 8080).

    `at` is the offset of the value in the claim's text. `polarity` is false if the claim forbids
    the value. `firm` is false if the claim only uses the value in passing, as in a command.
    """

    slot: str
    value: str
    at: int
    subject: str = ""
    polarity: bool = True
    firm: bool = True


class Agreed(Struct, frozen=True):
    """A fact, and the claim that states it."""

    place: Place
    fact: StatedFact


class AgreedFacts:
    """The facts in one document, in the order of the text."""

    def __init__(self, found: Iterable[Agreed]) -> None:
        self._of_claim: dict[tuple[str, str, int], list[Agreed]] = {}
        self._of_thing: dict[_Thing, list[Agreed]] = {}
        for one in found:
            self._of_claim.setdefault(one.place.claim.key, []).append(one)
            self._of_thing.setdefault(_thing(one.fact), []).append(one)

    def of_claim(self, key: tuple[str, str, int]) -> Sequence[Agreed]:
        """Returns the facts in the claim that has this key in its document."""
        return self._of_claim.get(key, ())

    def of_thing(self, fact: StatedFact) -> Sequence[Agreed]:
        """Returns the facts in this document with the same slot and subject as `fact`."""
        return self._of_thing.get(_thing(fact), ())


def _thing(fact: StatedFact) -> _Thing:
    return fact.slot, fact.subject


@cache
def loaded_for(path: str) -> str | None:
    """Returns the directory for which agents load this file automatically: `web/` for
    `web/AGENTS.md`. Returns None if agents do not load a file with this name automatically."""
    found = _READ_AS.match(path)
    return found["scope"] if found and is_current_path(path) else None


def is_scoped_kind(path: str) -> bool:
    """Returns whether front matter can limit the file at `path` to some paths, as in Cursor rules
    and Copilot instructions."""
    return path.endswith((".mdc", ".instructions.md")) or "/rules/" in path


def is_narrowed(text: str) -> bool:
    """Returns whether the front matter of a file limits it to some paths."""
    return bool(_NARROWED.search(text[:2000]))


@lru_cache(maxsize=4096)  # a claim is read for itself and for its document
def agreed_facts(place: Place) -> tuple[Agreed, ...]:
    """Returns the facts in a memory claim that are current and not limited by a condition."""
    claim = place.claim
    if place.doc_class is not DocClass.MEMORY or not _CUE.search(claim.text):
        return ()
    if claim.form not in (Form.PROSE, Form.RECORD, Form.ROW):
        return ()
    if claim.memory_type is MemoryType.EPISODIC or claim.doubt:
        return ()
    text = claim.text
    facts = (*_stated(place), *_commands(text), *_versions(place), *_branches(text))
    return tuple(Agreed(place, fact) for fact in facts if is_current(claim.section))


def _stated(place: Place) -> Iterator[StatedFact]:
    text = place.claim.text
    limited = _IN_SOME_CASE.search(text) or _SOMEWHERE.search(text)
    if place.claim.form is Form.ROW or limited:
        return
    for found in _PORT.finditer(text):
        yield StatedFact("port", found["value"], found.start("value"), found["subject"].lower())
    for found in (m for pattern in _TESTS for m in pattern.finditer(text)):
        yield StatedFact("testing", found["value"].lower(), found.start("value"))
    for order in _ORDERED.finditer(text):
        yield from _package_manager(
            text, order["value"], order.start("value"), polarity=not order["not"]
        )


def _package_manager(text: str, value: str, at: int, *, polarity: bool) -> Iterator[StatedFact]:
    """Yields the package manager that a claim names, also as the script runner if the claim allows
    no other tool ("Always use pnpm, never npm")."""
    if _OTHER_USE.search(text) and not _PACKAGES.search(text):
        return
    yield StatedFact("package manager", value, at, polarity=polarity)
    if _ALONE.search(text) and ("script" in text or not _PACKAGES.search(text)):
        yield StatedFact("script runner", value, at, polarity=polarity)


def _commands(text: str) -> Iterator[StatedFact]:
    """Yields the package managers in commands in code spans. These facts are not `firm`, because a
    text may show a command for another reason. A forbidden command does not state a fact."""
    for span in _SPAN.finditer(text):
        for command in commands(span[1]):
            arguments = [w.text for w in command.words]
            slot = _slot_of_command(arguments)
            if slot and not _FORBIDDEN.search(text[: span.start()]):
                yield StatedFact(slot, arguments[0], span.start(1), firm=False)


def _slot_of_command(arguments: list[str]) -> str:
    if len(arguments) < 2 or arguments[0] not in _MANAGERS:
        return ""
    if arguments[1] in _RUNNING:
        return "script runner"
    # `npm install -g tsx` installs one package for the machine; `npm install` those of the project.
    return "package manager" if arguments[1] in _INSTALLING and len(arguments) == 2 else ""


def _versions(place: Place) -> Iterator[StatedFact]:
    text = place.claim.text
    head = place.claim.section.rpartition(" > ")[2]
    found = list(_RUNTIME.finditer(text)) if any(c.isdigit() for c in text) else []
    if len(found) != len({m["name"].lower() for m in found}) or _ASIDE.search(text):
        return
    if not _ASKS.search(f"{head}\n{text}"):
        return
    part = _part(text)
    for m in found:
        runtime = m["name"].lower()
        before = text[max(0, m.start() - 40) : m.start()]
        least = m["sign"] in (">=", "≥", "=>") or m["more"] or runtime == "msrv"
        version = m["version"] + ("+" if least or _LEAST.search(before) else "")
        name = RUNTIMES[runtime] + part
        yield StatedFact("runtime version", version, m.start("version"), name)


def _part(text: str) -> str:
    """Returns the part of the project whose runtime a sentence is about, such as " of the worker".
    Returns an empty string for the whole project."""
    found = _RUNS.match(text)
    name = found["part"].lower() if found else ""
    return f" of the {name}" if name and name not in manifest_words.WHOLE else ""


def _branches(text: str) -> Iterator[StatedFact]:
    if _CONDITION.search(text):
        return
    for slot, pattern in _BRANCHES.items():
        for m in pattern.finditer(text):
            if not _FORBIDDEN.search(text[: m.start()]):
                yield StatedFact(slot, m["value"], m.start("value"))


def disagree(one: StatedFact, other: StatedFact) -> bool:
    """Returns whether two facts about the same thing exclude each other."""
    if _thing(one) != _thing(other):
        return False
    if one.slot == "runtime version":
        return _versions_disagree(one.value, other.value)
    same = one.value.lower() == other.value.lower()
    if one.polarity != other.polarity:
        return same
    if same or not one.polarity:
        return False
    return one.slot not in _RIVAL_SLOTS or bool(rivals(one) and rivals(one) == rivals(other))


def rivals(fact: StatedFact) -> str:
    """Returns the tools for one language of which a project uses only one: "bun npm pnpm yarn" for
    npm. Returns an empty string if the fact is not about a tool."""
    if fact.slot not in _RIVAL_SLOTS:
        return ""
    return next((" ".join(sorted(row)) for row in _RIVALS if fact.value.lower() in row), "")


def _versions_disagree(one: str, other: str) -> bool:
    """Returns whether two versions exclude each other: "3.12+" and "3.10+", "3.10" and "3.12+", but
    not "20" and "20.11"."""
    mine, theirs = (tuple(map(int, v.rstrip("+").split("."))) for v in (one, other))
    if one.endswith("+") and other.endswith("+"):
        size = max(len(mine), len(theirs))
        return (*mine, *(0,) * (size - len(mine))) != (*theirs, *(0,) * (size - len(theirs)))
    if one.endswith("+") or other.endswith("+"):
        least, pinned = (mine, theirs) if one.endswith("+") else (theirs, mine)
        return pinned < least[: len(pinned)]
    return any(a != b for a, b in zip(mine, theirs, strict=False))
