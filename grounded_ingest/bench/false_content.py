"""Falsehoods whose source exists and says something else."""

from __future__ import annotations

import random

from grounded_ingest.bench import sentences
from grounded_ingest.bench.false_forms import Mutation
from grounded_ingest.bench.false_sources import false
from grounded_ingest.bench.sentences import Falsifier, inside_sentence
from grounded_ingest.bench.world import Plant, Seed, World, citing, is_line
from grounded_ingest.model.claims import CitationKind


def changed(change: Falsifier) -> Mutation:
    """The claim with this change, its citation kept."""

    def mutation(seed: Seed, world: World, rng: random.Random) -> Plant | None:
        del world
        text = change(seed.text, rng)
        return Plant(text) if text else None

    return mutation


def entity(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return changed(sentences.other_entity(world.names))(seed, world, rng)


def citation_moved(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    """Another sentence, made false, before this claim's citation."""
    others = [s for s in world.stated if s.bare and s.bare != seed.bare]
    text = false(rng.choice(others), world, rng) if others else None
    return Plant(citing(seed, text, world.adrs)) if text else None


def false_half(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    """The true claim with its citation, and a falsehood in the same sentence."""
    others = [s for s in world.stated if s.bare != seed.bare]
    text = false(rng.choice(others), world, rng) if others else None
    whole = f"{seed.text.rstrip('.')}, and {inside_sentence(text, world.names)}." if text else ""
    return Plant(whole) if whole else None


def line_of_something_else(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng) if seed.bare else None
    if not text or not is_line(seed) or not seed.cited or not seed.cited.lines:
        return None
    line = seed.cited.lines[0]
    near = rng.choice([n for n in range(max(1, line - 4), line + 3) if n != line])
    return Plant(f"{text} (`{seed.cited.raw}:{near}`).")


def adr_swapped(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    """An accepted decision that has nothing to do with it."""
    own = seed.cited.raw if seed.cited and seed.cited.kind is CitationKind.ADR else ""
    others = [n for n in world.adrs.accepted if not (own.isdigit() and int(own) == n)]
    text = false(seed, world, rng) if seed.bare else None
    if not text or not others:
        return None
    return Plant(f"{text} ({world.adrs.name(rng.choice(others))}).")


def issue_of_another_topic(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng) if seed.bare else None
    return Plant(f"{text} (#{rng.randint(2, 400)}).", online=True) if text else None
