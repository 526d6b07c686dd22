"""The write-back rate: planted falsehoods that end approved without a person, or never judged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from grounded_ingest.bench.mutations import MUTATIONS, Way
from grounded_ingest.bench.pages import Pages
from grounded_ingest.bench.plants import Planted, embed
from grounded_ingest.bench.workshop import Workshop
from grounded_ingest.bench.world import Plant, Seed, survey
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.knowledge.judging_config import read_config
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.model.claims import Decision, Tier
from grounded_ingest.pipeline import Options, run

_ROUNDS = 8
"""How often a sentence may serve one mutation."""


class Trial(NamedTuple):
    """One planted falsehood and what became of it. `tier` 0: never judged."""

    id: str
    mutation: str
    plant: Plant
    tier: int
    rules: tuple[str, ...]

    @property
    def written_back(self) -> bool:
        return self.tier in (0, Tier.APPROVE)


class ShownTrial(NamedTuple):
    """A trial for reading: what was staged, and all that was decided of its documents."""

    trial: Trial
    planted: Planted
    decisions: tuple[Decision, ...]


class Bench:
    """Trials on a clone of a repository. Raises GroundedIngestError where it has no true claims."""

    def __init__(self, workshop: Workshop, pages: Pages) -> None:
        self.workshop = workshop
        with Repo(workshop.root, own=False) as repo:
            tree = CommitTree(repo, repo.head())
            self.config = pages.known_to(read_config(tree))
            whole = run(repo, Asked("staged"), Options(online=False), judged_by=self.config)
            decisions = whole.report.decisions
            whole.kb.index.close()
            self.world = survey(decisions, tree, self.config, workshop, pages.url)
        if not self.world.cited or not self.world.stated:
            raise GroundedIngestError(
                "no true cited claims found to make falsehoods of",
                "it takes sentences in documents whose one citation is verified",
            )

    def trials(self, seed: int, each: int) -> Iterator[Trial]:
        """Up to `each` trials of every mutation, the same for the same seed and repository."""
        for name, way in MUTATIONS.items():
            for identity, plant in self._plants(name, way, seed, each):
                yield self._run(identity, name, plant).trial

    def reproduce(self, seed: int, identity: str) -> ShownTrial:
        """One trial again. Raises GroundedIngestError for an id that names none."""
        name, number, turn = [*identity.rsplit("-", 2), "", ""][:3]
        way = MUTATIONS.get(name)
        seeds = self._seeds(way) if way else ()
        if way and number.isdecimal() and turn.isdecimal() and int(number) < len(seeds):
            plant = way.make(seeds[int(number)], self.world, _rng(seed, identity))
            if plant:
                return self._run(identity, name, plant)
        raise GroundedIngestError(
            f"no trial {identity} with seed {seed} on this repository",
            "the misses of a run with the same --repo and --seed carry their ids",
        )

    def _seeds(self, way: Way) -> list[Seed]:
        return list(self.world.cited if way.cited else self.world.stated)

    def _plants(self, name: str, way: Way, seed: int, each: int) -> Iterator[tuple[str, Plant]]:
        """Different plants, sentences in random order, each sentence once before any twice."""
        seeds = self._seeds(way)
        order = list(range(len(seeds)))
        _rng(seed, name).shuffle(order)
        seen = set[str]()
        for turn, number in ((t, n) for t in range(_ROUNDS) for n in order):
            if len(seen) == each:
                return
            identity = f"{name}-{number}-{turn}"
            plant = way.make(seeds[number], self.world, _rng(seed, identity))
            if plant and plant.text not in seen:
                seen.add(plant.text)
                yield identity, plant

    def _run(self, identity: str, name: str, plant: Plant) -> ShownTrial:
        shop = self.workshop
        try:
            if plant.landed:
                shop.land(plant.landed)
            planted = embed(plant, shop, self.config)
            shop.stage({**plant.files, **planted.files})
            decisions = self._decided(plant)
        finally:
            shop.restore()
        found = [d for d in decisions if _is_planted(d, planted, plant)]
        tier = min((int(d.tier) for d in found), default=0)
        rules = tuple(sorted({d.rule for d in found}))
        return ShownTrial(Trial(identity, name, plant, tier, rules), planted, decisions)

    def _decided(self, plant: Plant) -> tuple[Decision, ...]:
        with Repo(self.workshop.root, own=False) as repo:
            options = Options(online=plant.online)
            result = run(repo, Asked("staged"), options, judged_by=self.config)
            result.kb.index.close()
            return result.report.counted


def _rng(seed: int, what: str) -> random.Random:
    return random.Random(f"{seed}:{what}")  # noqa: S311


def _is_planted(decision: Decision, planted: Planted, plant: Plant) -> bool:
    claim = decision.place.claim
    return (
        decision.place.path == planted.path
        and claim.line <= planted.lines[1]
        and claim.end_line >= planted.lines[0]
        and (not plant.beside or claim.text not in plant.beside)
    )
