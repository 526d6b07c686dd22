"""Contradictions as if every claim were trusted: pairs to read, and recall of planted ones.

Trusted claims are rare. What the detector would report if all were shows how precise it is on
text that was not written for it (docs/verify.md).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from posixpath import dirname, join

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.quality.restated_real import restated_within
from grounded_ingest.config.settings import Config
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.knowledge.documents import KnowledgeBase
from grounded_ingest.knowledge.index import Index
from grounded_ingest.knowledge.judging_config import read_config
from grounded_ingest.language.printable import printable
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import DocClass, Finding, Form, Place
from grounded_ingest.rules.agreed_facts import AgreedFacts
from grounded_ingest.rules.masked_sequences import masks
from grounded_ingest.rules.registry import DETECTORS, detect_all
from grounded_ingest.rules.settled_facts import facts_of, is_settled, settled_path, slot_keys

_FIND = DETECTORS["conflicting-update contradiction"]


class Pair(Struct, frozen=True):
    """A claim of HEAD and the one it would contradict. `commit`: where that one stood, empty for
    HEAD."""

    rule: str
    path: str
    line: int
    claim: str
    other_path: str
    other_line: int
    other: str
    message: str
    commit: str = ""


class Planted(Struct, frozen=True):
    """A claim of HEAD, another value of its slot in other words, and what became of it: `found`,
    or why not."""

    path: str
    line: int
    claim: str
    text: str
    outcome: str


class Run(Struct, frozen=True):
    """`stating`: claims of HEAD that state what could be contradicted."""

    head: str
    claims: int
    stating: int
    older: int
    pairs: tuple[Pair, ...]
    planted: tuple[Planted, ...]


class AsTrusted:
    """Implements `detect.Knowledge`: everything landed but one claim, all of it trusted."""

    trusted = 0.75

    def __init__(self, config: Config) -> None:
        self.threshold = config.dedup.threshold
        self.exact_words, self.near_words = config.dedup.exact_words, config.dedup.near_words
        self.new: Place | None = None
        self._under: dict[int, list[Place]] = {}
        self._ids: dict[str, set[str]] = {}

    def land(self, place: Place) -> None:
        """From now on this claim is one of base."""
        self._ids.setdefault(place.path, set()).add(place.claim.id)
        keys = {m.key for m in masks(read_claim(place.claim))}
        if stating(place):
            keys.update(slot_keys(place, read_claim(place.claim)))
        for key in keys:
            self._under.setdefault(key, []).append(place)

    def against(self, place: Place) -> Iterable[Finding]:
        """What a claim would contradict of all that has landed."""
        self.new = place
        return detect_all(place, self, [_FIND])

    def sharing(self, keys: Iterable[int]) -> Iterator[Place]:
        seen: set[int] = set()
        for place in (p for key in keys for p in self._under.get(key, ())):
            if id(place) not in seen:
                seen.add(id(place))
                yield place

    def alone(self, place: Place) -> bool:
        del place
        return False

    def on_base(self, place: Place) -> bool:
        return place is not self.new

    def grounded(self, place: Place) -> bool:
        del place
        return True

    def trust(self, place: Place) -> float:
        del place
        return 1.0

    def vouched(self, slots: Iterable[str]) -> Iterable[Place]:
        del slots
        return ()

    def agreed(self, path: str) -> AgreedFacts:
        del path
        return AgreedFacts(())

    def loaded_with(self, path: str) -> tuple[()]:
        del path
        return ()

    def beside(self, place: Place) -> Iterable[Place]:
        del place
        return ()

    def mirrored(self, one: str, other: str) -> bool:
        mine, theirs = self._ids.get(one, set()), self._ids.get(other, set())
        common = len(mine & theirs)
        return common >= 5 and 2 * common >= min(len(mine), len(theirs))


def stating(place: Place) -> bool:
    """Whether a claim states what could be contradicted in other words."""
    return settled_path(place.path) and is_settled(place) and bool(facts_of(place))


def measured(repo: Repo, *, older: int, seed: int | None) -> Run:
    """Pairs within HEAD, against what up to `older` commits held and HEAD does not, and what is
    planted with `seed`, if any."""
    head = repo.head()
    config = read_config(CommitTree(repo, head))
    index = Index("", "", lambda _: set())
    places = _places(repo, head, config, index)
    knowledge = AsTrusted(config)
    pairs = []
    for place in places:
        pairs += [_pair(place, f) for f in knowledge.against(place)]
        knowledge.land(place)
    commits = _older(repo, older)
    former = AsTrusted(config)
    stood = _land_former(former, places, repo, commits, config, index)
    for place in places if stood else ():
        pairs += [_pair(place, f, stood) for f in former.against(place)]
    rng = random.Random(seed)
    planted = () if seed is None else tuple(_planted(places, knowledge, rng))
    index.close()
    stated = sum(stating(p) for p in places)
    return Run(head, len(places), stated, len(commits), tuple(pairs), planted)


def _places(repo: Repo, commit: str, config: Config, index: Index) -> list[Place]:
    kb = KnowledgeBase(CommitTree(repo, commit), config, index)
    return [place for path in sorted(kb.documents) for place in kb.places(path)]


def _older(repo: Repo, count: int) -> list[str]:
    """Up to `count` commits, evenly over the history behind HEAD, newest first."""
    commits = [oid for oid, *_ in repo.history()] if count else []
    step = max(1, len(commits) // count) if count else 1
    return commits[step::step][:count]


def _land_former(
    former: AsTrusted,
    places: list[Place],
    repo: Repo,
    commits: list[str],
    config: Config,
    index: Index,
) -> dict[int, str]:
    """Land what older commits held and HEAD does not; the commit of each such claim."""
    known = {place.claim.id for place in places}
    stood: dict[int, str] = {}
    for commit in commits:
        for found in _places(repo, commit, config, index):
            if found.claim.id not in known:
                known.add(found.claim.id)
                # Blocks are numbered anew in every version.
                place = replace(found, claim=replace(found.claim, block=-1))
                stood[id(place)] = commit
                former.land(place)
    return stood


def _pair(place: Place, finding: Finding, stood: dict[int, str] | None = None) -> Pair:
    other = finding.other
    assert other is not None
    return Pair(
        finding.rule,
        place.path,
        place.claim.line,
        place.claim.text,
        other.path,
        other.claim.line,
        other.claim.text,
        finding.message,
        (stood or {}).get(id(other), ""),
    )


def _planted(places: list[Place], knowledge: AsTrusted, rng: random.Random) -> Iterator[Planted]:
    """Beside the document, below a heading of the same words: those can name the subject."""
    for place in places:
        text = None if place.claim.form is Form.ROW else restated_within(place.claim.text, rng)
        if not text:
            continue
        path = join(dirname(place.path), "grounded-notes.md")
        heading = place.claim.section.rpartition(" > ")[2] or "Notes"
        written = extract(f"# Notes\n\n## {heading}\n\n{text}\n".encode(), path, DocClass.MEMORY)
        for claim in written.claims[-1:]:
            new = Place(path, DocClass.MEMORY, claim)
            outcome = "found" if [*knowledge.against(new)] else _why_not(place, new)
            yield Planted(place.path, place.claim.line, place.claim.text, text, outcome)


def _why_not(place: Place, new: Place) -> str:
    for name, one in (("true", place), ("planted", new)):
        if not settled_path(one.path):
            return f"{name}: path"
        if not is_settled(one):
            return f"{name}: unsettled"
        if not facts_of(one):
            return f"{name}: no fact that counts"
    return "facts do not meet"


def as_json(run: Run) -> str:
    whole = {"schema": "grounded-ingest/bench-contradictions/1", **msgspec.structs.asdict(run)}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def as_text(run: Run) -> str:
    """The pairs, for reading, and the figures."""
    lines = []
    for n, pair in enumerate(run.pairs, 1):
        lines += [
            f"{n}. {pair.rule}: {printable(pair.path)}:{pair.line}: {printable(pair.claim, 400)}",
            f"   {pair.commit[:12] or 'HEAD'} {printable(pair.other_path)}:{pair.other_line}: "
            f"{printable(pair.other, 400)}",
            f"   {printable(pair.message, 400)}",
        ]
    lines += [_missed(p) for p in run.planted if p.outcome != "found"]
    outcomes = Counter(p.outcome for p in run.planted)
    lines.append(
        f"{run.head[:12]}: {run.claims} claims, {run.stating} state what could be contradicted; "
        f"{sum(not p.commit for p in run.pairs)} pairs within HEAD, "
        f"{sum(bool(p.commit) for p in run.pairs)} against {run.older} older commits"
    )
    if run.planted:
        lines.append(f"planted {len(run.planted)}, found {outcomes['found']}")
        lines += [f"  {n:5} {why}" for why, n in outcomes.most_common() if why != "found"]
    return "".join(f"{line}\n" for line in lines)


def _missed(planted: Planted) -> str:
    return (
        f"missed ({planted.outcome}): {printable(planted.path)}:{planted.line}: "
        f"{printable(planted.claim, 200)} | {printable(planted.text, 200)}"
    )
