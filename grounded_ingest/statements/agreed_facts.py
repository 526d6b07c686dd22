"""What files that agents load have to agree on: package manager, runtime, ports, tests, branches.

An agent is given all of them together, and follows the one it read last. Facts are compared as a
file states them: one that names two values, or a part of the project, takes no side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from grounded_ingest.model.claims import DocClass, Form, MemoryType, Place
from grounded_ingest.statements.present_state import holds_in_some_case, is_current, is_current_path
from grounded_ingest.text.lexicon import agent_rules as words
from grounded_ingest.text.lexicon import manifest_words
from grounded_ingest.text.lexicon.agent_rules import CUE
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    import re

_CUE = compiled(CUE)
_READ_AS = compiled(words.READ_AS)
_NARROWED = compiled(words.NARROWED)
_RUNTIME = compiled(manifest_words.RUNTIME)
_ASKS = compiled(manifest_words.ASKS)
_LEAST = compiled(manifest_words.LEAST_VERSION)
_RUNS = compiled(words.RUNS)
_ASIDE = compiled(words.ASIDE)
_CONDITION = compiled(words.CONDITION)
_TRUNK = ("main", "master", "trunk")
_DIRECT = compiled("(?i)" + words.DIRECT, needs=_TRUNK)
_ON = compiled("(?i)" + words.NEVER_ON, needs=_TRUNK)
_FORBIDDEN = compiled("(?i)" + words.FORBIDDEN)
_SPAN = compiled(r"`([^`\n]{2,120})`")
_ORDERED = compiled("(?i)" + words.ORDERED)
_PORT = compiled(words.PORT)
_TESTS = tuple(map(compiled, words.TESTS))
_RIVALS = tuple(frozenset(row.split()) for row in (*words.MANAGERS, *words.RUNNERS))
_OF_RIVALS = frozenset(("package manager", "script runner", "testing"))
_MANAGERS = frozenset(" ".join(words.MANAGERS).split())
_INSTALLING = frozenset(words.INSTALLING.split())
_RUNNING = frozenset(words.RUNNING.split())
_ALONE = compiled(words.ALONE)
_OTHER_USE = compiled(words.OTHER_USE)
_SOMEWHERE = compiled(words.SOMEWHERE)
_PACKAGES = compiled(words.PACKAGES)


_Thing = tuple[str, str]
"""Slot and subject of a fact."""


class StatedFact(Struct, frozen=True):
    """A value that a claim states of a thing. `at` is where the value stands in the claim's text;
    `polarity` is false for what the claim forbids; `firm` is false for a value that is only used
    in passing, as in a command."""

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
    """What a document's claims state, in order, by claim and by the thing it is of."""

    def __init__(self, found: Iterable[Agreed]) -> None:
        self._of_claim: dict[tuple[str, str, int], list[Agreed]] = {}
        self._of_thing: dict[_Thing, list[Agreed]] = {}
        for one in found:
            self._of_claim.setdefault(one.place.claim.key, []).append(one)
            self._of_thing.setdefault(_thing(one.fact), []).append(one)

    def of_claim(self, key: tuple[str, str, int]) -> Sequence[Agreed]:
        return self._of_claim.get(key, ())

    def of_thing(self, fact: StatedFact) -> Sequence[Agreed]:
        """Returns the facts of the same slot and subject."""
        return self._of_thing.get(_thing(fact), ())


def _thing(fact: StatedFact) -> _Thing:
    return fact.slot, fact.subject


@cache
def loaded_for(path: str) -> str | None:
    """The directory for which agents load a file by its name; None for other files."""
    found = _READ_AS.match(path)
    return found["scope"] if found and is_current_path(path) else None


def is_scoped_kind(path: str) -> bool:
    """Whether a file's front matter can say for which paths it is loaded."""
    return path.endswith((".mdc", ".instructions.md")) or "/rules/" in path


def is_narrowed(text: str) -> bool:
    """Whether a file's front matter has it loaded for some paths only."""
    return bool(_NARROWED.search(text[:2000]))


def agreed_facts(place: Place) -> Iterator[Agreed]:
    """What a claim states of what files for agents have to agree on."""
    claim = place.claim
    if place.doc_class is not DocClass.MEMORY or not _CUE.search(claim.text):
        return
    if claim.form not in (Form.PROSE, Form.RECORD, Form.ROW) or not is_current(claim.section):
        return
    if claim.memory_type is MemoryType.EPISODIC or claim.doubt:
        return
    for fact in (*_stated(place), *_called(claim.text), *_versions(place), *_branches(claim.text)):
        yield Agreed(place, fact)


def _stated(place: Place) -> Iterator[StatedFact]:
    text = place.claim.text
    if place.claim.form is Form.ROW or holds_in_some_case(text) or _SOMEWHERE.search(text):
        return
    for found in _PORT.finditer(text):
        yield StatedFact("port", found["value"], found.start("value"), found["subject"].lower())
    for found in (m for pattern in _TESTS for m in pattern.finditer(text)):
        yield StatedFact("testing", found["value"].lower(), found.start("value"))
    for order in _ORDERED.finditer(text):
        yield from _managed(text, order["value"], order.start("value"), polarity=not order["not"])


def _managed(text: str, value: str, at: int, *, polarity: bool) -> Iterator[StatedFact]:
    """What a sentence that tells the package manager states: what installs, and what runs scripts
    where it says that nothing else does."""
    if _OTHER_USE.search(text) and not _PACKAGES.search(text):
        return
    yield StatedFact("package manager", value, at, polarity=polarity)
    if _ALONE.search(text) and ("script" in text or not _PACKAGES.search(text)):
        yield StatedFact("script runner", value, at, polarity=polarity)


def _called(text: str) -> Iterator[StatedFact]:
    """The package manager of a command that contributors are told to run; not `firm`, because
    a command may be named for another reason. A forbidden command forbids nothing else."""
    if "`" not in text:
        return
    from grounded_ingest.code.command_lines import commands

    for span in _SPAN.finditer(text):
        for command in commands(span[1]):
            called = [w.text for w in command.words]
            slot = _asked_for(called)
            if slot and not _FORBIDDEN.search(text[: span.start()]):
                yield StatedFact(slot, called[0], span.start(1), firm=False)


def _asked_for(called: list[str]) -> str:
    if len(called) < 2 or called[0] not in _MANAGERS:
        return ""
    if called[1] in _RUNNING:
        return "script runner"
    # With more behind it, it is of one package, or for the whole machine.
    return "package manager" if called[1] in _INSTALLING and len(called) == 2 else ""


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
        name = manifest_words.OTHER_NAMES.get(runtime, runtime) + part
        yield StatedFact("runtime version", version, m.start("version"), name)


def _part(text: str) -> str:
    """What of the project a sentence says the runtime of, where it names a part."""
    found = _RUNS.match(text)
    name = found["part"].lower() if found else ""
    return f" of the {name}" if name and name not in manifest_words.WHOLE else ""


def _branches(text: str) -> Iterator[StatedFact]:
    if _CONDITION.search(text):
        return
    for slot, pattern in _branch_patterns().items():
        for m in pattern.finditer(text):
            if not _FORBIDDEN.search(text[: m.start()]):
                yield StatedFact(slot, m["value"], m.start("value"))
    for m in (*_DIRECT.finditer(text), *_ON.finditer(text)):
        denied = bool(_FORBIDDEN.search(text[: m.start()]))
        if denied or _DIRECT.match(m[0]):
            yield StatedFact("commits", "directly on main", m.start(), polarity=not denied)


@cache
def _branch_patterns() -> dict[str, re.Pattern[str]]:
    needs = (*_TRUNK, "branch", "dev", "next", "staging")
    return {s: compiled("(?i)" + pattern, needs=needs) for s, pattern in words.BRANCHES.items()}


def disagree(one: StatedFact, other: StatedFact) -> bool:
    """Whether two facts of the same thing cannot both be followed."""
    if _thing(one) != _thing(other):
        return False
    if one.slot == "runtime version":
        return _versions_apart(one.value, other.value)
    same = one.value.lower() == other.value.lower()
    if one.polarity != other.polarity:
        return same
    if same or not one.polarity:
        return False
    return one.slot not in _OF_RIVALS or bool(rivals(one) and rivals(one) == rivals(other))


def rivals(fact: StatedFact) -> str:
    """Returns the values that exclude each other of which a fact states one: a project may have a
    package manager for each language. Empty for other facts."""
    if fact.slot not in _OF_RIVALS:
        return ""
    return next((" ".join(sorted(row)) for row in _RIVALS if fact.value.lower() in row), "")


def _versions_apart(one: str, other: str) -> bool:
    mine, theirs = (tuple(map(int, v.rstrip("+").split("."))) for v in (one, other))
    if one.endswith("+") and other.endswith("+"):
        size = max(len(mine), len(theirs))
        return (*mine, *(0,) * (size - len(mine))) != (*theirs, *(0,) * (size - len(theirs)))
    if one.endswith("+") or other.endswith("+"):
        least, pinned = (mine, theirs) if one.endswith("+") else (theirs, mine)
        return pinned < least[: len(pinned)]
    return any(a != b for a, b in zip(mine, theirs, strict=False))
