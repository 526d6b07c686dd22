"""True pairs of claim and source, and the false ones made of them: what gets past support."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from benchmarks.quality.support import example_half
from grounded_ingest.bench import sentences
from grounded_ingest.bench.figures import wilson
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.language.reading import uncited
from grounded_ingest.model.claims import Support
from grounded_ingest.support.claim_view import claim_view, numbered, only_points
from grounded_ingest.support.excerpt import adr_excerpt, cited_lines, commit, whole_file
from grounded_ingest.support.multi_source import judge_together
from grounded_ingest.support.source import SourceText, SourceVerdict
from grounded_ingest.support.verdict import CLAUSE, COVERAGE

VALUES = ("number", "port", "version", "date", "unit")
WORDS = ("obligation", "negation", "entity")
HALF = "half"
TRUE = "true"
CURVE = (0.3, 0.4, 0.5, 0.6, 0.7)
"""Coverage thresholds at which write-back and friction are shown."""


class Cited(Struct, frozen=True):
    """A source as a pairs file holds it: a file's whole text with the cited lines."""

    kind: str
    text: str
    path: str = ""
    lines: tuple[int, int] | None = None
    code: bool = False
    paths: tuple[str, ...] = ()
    diff: str = ""
    dates: tuple[str, ...] = ()

    def read(self) -> SourceText:
        match self.kind:
            case "lines" if self.lines:
                return cited_lines(self.path, self.text, *self.lines, code=self.code)
            case "adr":
                return adr_excerpt(self.path, self.text)
            case "commit":
                return commit(self.text, self.paths, self.diff, self.dates)
            case _:
                return whole_file(self.path, self.text, code=self.code)


class Pair(Struct, frozen=True):
    """A true claim, the source it truly cites, what it cites `also`, and `others` beside the source
    that it does not cite."""

    id: str
    claim: str
    source: Cited
    cited: tuple[str, ...] = ()
    others: tuple[Cited, ...] = ()
    also: tuple[Cited, ...] = ()

    @property
    def repository(self) -> str:
        return self.id.partition(":")[0]


class Tried(NamedTuple):
    """One claim beside one source: how it was made and what came of it."""

    id: str
    way: str
    kind: str
    claim: str
    judged: SourceVerdict

    @property
    def passed(self) -> bool:
        """Whether the support stage lets the citation count. A file without lines and a range
        need what section 6 asks: a strict quote."""
        if self.kind == "file":
            return self.judged.strict or self.judged.support is Support.NOTHING_TO_COMPARE
        return self.judged.support in (Support.SUPPORTED, Support.NOTHING_TO_COMPARE)


class Row(NamedTuple):
    """Trials of one way: how many passed, how many were called contradicted."""

    way: str
    kind: str
    trials: int
    passed: int
    contradicted: int

    @property
    def rate(self) -> float:
        return self.passed / self.trials if self.trials else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.passed, self.trials)


def read_pairs(path: str, half: str = "") -> list[Pair]:
    """Pairs of a JSON Lines file, or one half of them. Raises GroundedIngestError for a line that
    is none."""
    try:
        with open(path, "rb") as file:
            read = [msgspec.json.decode(line, type=Pair) for line in file if line.strip()]
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise GroundedIngestError(f"{path}: {error}") from None
    return [p for p in read if not half or example_half(p.id) == half]


def trials(
    pairs: Sequence[Pair], *, coverage: float = COVERAGE, clause: float = CLAUSE
) -> Iterator[Tried]:
    """Every true pair, and the false ones made of it, beside what the claim cites also; the same
    every time."""
    names = _names(pairs)
    for pair in pairs:
        for way, claim, source in _made(pair, pairs, names):
            text = uncited(claim, pair.cited)
            sources = [s.read() for s in (source, *pair.also)]
            judged = judge_together(text, sources, coverage=coverage, clause=clause)[0]
            yield Tried(pair.id, way, source.kind, text, judged)


def _made(
    pair: Pair, pairs: Sequence[Pair], names: dict[str, list[str]]
) -> Iterator[tuple[str, str, Cited]]:
    yield TRUE, pair.claim, pair.source
    changes = {
        "number": sentences.number, "port": sentences.port, "version": sentences.version,
        "date": sentences.date, "unit": sentences.unit, "obligation": sentences.obligation,
        "negation": sentences.negation, "entity": sentences.other_entity(names[pair.repository]),
    }  # fmt: skip
    bare = uncited(pair.claim, pair.cited)
    if only_points(claim_view(bare)):
        return  # a pointer states nothing that could be false
    own, stated = numbered(bare)  # a row's number in its own table is no statement
    for way, change in changes.items():
        made = change(stated, random.Random(f"{pair.id} {way}"))
        if made:
            yield way, own + made, pair.source
    for other in pair.others:
        yield f"other {other.kind}", pair.claim, other
    rng = random.Random(pair.id)
    told = [p for p in pairs if p.repository != pair.repository and 6 <= len(p.claim.split()) <= 30]
    if told:
        half = uncited(rng.choice(told).claim).rstrip(".")
        join = rng.choice([", and {}.", "; {}.", ", so {}.", " because {}."])
        yield HALF, bare.rstrip(". ") + join.format(half[:1].lower() + half[1:]), pair.source


def _names(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    """Names that can be confused with each other, by repository."""
    found: dict[str, set[str]] = {}
    for pair in pairs:
        words = re.findall(
            r"(?<=[a-z,] )[A-Z](?:[a-z]+[A-Z0-9]\w*|[A-Z0-9]+\b|[a-z]{3,})",
            uncited(pair.claim, pair.cited),
        )
        found.setdefault(pair.repository, set()).update(w for w in words if len(w) > 2)
    every = set().union(*found.values()) if found else set()
    return {r: sorted(own if len(own) > 3 else every) for r, own in found.items()}


def rows(tried: Iterable[Tried]) -> list[Row]:
    """A row for each way and kind of source."""
    groups: dict[tuple[str, str], list[Tried]] = {}
    for one in tried:
        groups.setdefault((one.way, one.kind), []).append(one)
        groups.setdefault((one.way, ""), []).append(one)
    return [
        Row(
            way,
            kind,
            len(all_),
            sum(t.passed for t in all_),
            sum(t.judged.support is Support.CONTRADICTED for t in all_),
        )
        for (way, kind), all_ in sorted(groups.items())
    ]
