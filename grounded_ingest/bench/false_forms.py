"""Falsehoods without a source: hidden, in other forms, or claiming an authority they lack."""

from __future__ import annotations

import random
from collections.abc import Callable

from grounded_ingest.bench.false_sources import false
from grounded_ingest.bench.sentences import inside_sentence, number
from grounded_ingest.bench.world import Plant, Seed, World

Mutation = Callable[[Seed, World, random.Random], Plant | None]


def in_form(form: str) -> Mutation:
    """The falsehood embedded in this form."""

    def mutation(seed: Seed, world: World, rng: random.Random) -> Plant | None:
        text = false(seed, world, rng)
        return Plant(f"{text}.", form=form) if text else None

    return mutation


def in_heading(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    """As headings are written: without a full stop."""
    text = false(seed, world, rng)
    return Plant(text, form="heading") if text else None


def cited_in(form: str) -> Mutation:
    """The falsehood with a source that exists, in a form that no citation redeems."""

    def mutation(seed: Seed, world: World, rng: random.Random) -> Plant | None:
        text = false(seed, world, rng)
        if not text or not world.files:
            return None
        return Plant(f"{text} (`{rng.choice(world.files)}:1`).", form=form)

    return mutation


def ignored(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    return Plant(f"I think {inside_sentence(text, world.names)}.", form="ignored") if text else None


def dressed_hedge(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    dress = rng.choice(["It is certain and verified that", "It is a fact that", "Without doubt,"])
    return Plant(f"{dress} {inside_sentence(text, world.names)}.") if text else None


def changed_copy(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    """An existing claim again, one value changed and its citation left out."""
    del world
    changed = number(seed.bare, rng)
    return Plant(changed) if changed else None
