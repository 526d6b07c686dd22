"""Falsehoods with sources that are not there, no longer hold, or cannot bear witness."""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import sha256

from msgspec.structs import replace

from grounded_ingest.bench.sentences import falsified
from grounded_ingest.bench.world import Plant, Seed, World


def false(seed: Seed, world: World, rng: random.Random) -> str | None:
    """A seed's sentence made false, without a citation and without its full stop."""
    text = falsified(seed.bare, world.names, rng)
    return text.rstrip(".") if text else None


def commit_digit(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    oid = rng.choice(world.commits)[: rng.choice([7, 10, 12, 40])]
    at = rng.randrange(len(oid))
    other = rng.choice([c for c in "0123456789abcdef" if c != oid[at]])
    return _commit(seed, oid[:at] + other + oid[at + 1 :], world, rng)


def commit_foreign(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    oid = sha256(f"another repository {rng.random()}".encode()).hexdigest()
    return _commit(seed, oid[: rng.choice([8, 12, 40])], world, rng)


def commit_of_a_name(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _commit(seed, rng.choice(world.named), world, rng)


def commit_unreachable(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _commit(seed, world.unreachable[: rng.choice([8, 40])], world, rng)


def _commit(seed: Seed, oid: str, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    frame = rng.choice(["{}, as of commit {}.", "{} (commit `{}`).", "{} since commit {}."])
    return Plant(frame.format(text, oid)) if text else None


def adr_absent(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _adr(seed, [n for n in range(1, 990) if n not in world.adrs.known], world, rng)


def adr_superseded(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _adr(seed, world.adrs.gone, world, rng)


def adr_ambiguous(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _adr(seed, world.adrs.ambiguous, world, rng)


def _adr(seed: Seed, numbers: Sequence[int], world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    if not numbers or not text:
        return None
    frame = rng.choice(["{} ({}).", "{}, per {}.", "{}, see {}."])
    return Plant(frame.format(text, world.adrs.name(rng.choice(numbers))))


def adr_range(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text, last = false(seed, world, rng), max(world.adrs.known, default=0)
    if not text or not last:
        return None
    return Plant(f"{text} ({world.adrs.name(last)} to {world.adrs.name(last + 3)}).")


def path_absent(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    folder, slash, name = rng.choice(world.files).rpartition("/")
    stem, dot, extension = name.rpartition(".")
    path = f"{folder}{slash}{stem or 'main'}_impl{dot}{extension}"
    return _path(seed, [path] if path not in world.files else [], world, rng)


def path_moved(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _path(seed, world.moved, world, rng)


def path_deleted(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _path(seed, world.deleted, world, rng)


def _path(seed: Seed, paths: Sequence[str], world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    return Plant(f"{text} (`{rng.choice(paths)}:{rng.randint(1, 9)}`).") if paths and text else None


def line_out_of_range(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    if not text or not world.files:
        return None
    return Plant(f"{text} (`{rng.choice(world.files)}:{rng.randint(90_000, 99_999)}`).")


def dead_url(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    page = f"{world.server}/gone/{rng.randint(1, 99)}"
    return Plant(rng.choice([f"{text} ([report]({page})).", f"{text}, see <{page}>."]), online=True
                 ) if text else None  # fmt: skip


def same_change_adr(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    if not text:
        return None
    name = world.adrs.name(871)
    path = f"docs/adr/{name.removeprefix('ADR-')}-settled.md"
    adr = f"# 871. Settled\n\nStatus: accepted\n\n{text}.\n"
    return Plant(f"{text} ({name}).", files={path: adr})


def same_change_prose(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    path = "notes/findings.txt"
    return Plant(f"{text} (`{path}:1`).", files={path: f"{text}.\n"}) if text else None


def same_change_comment(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    path = "src/extra_notes.py"
    return Plant(f"{text} (`{path}:1`).", files={path: f"# {text}.\n"}) if text else None


def two_commit_adr(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    plant = same_change_adr(seed, world, rng)
    return replace(plant, files={}, landed=plant.files) if plant else None


def two_commit_memory(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = false(seed, world, rng)
    path = "memory-bank/facts.md"
    landed = {path: f"# Facts\n\n{text}.\n"}
    return Plant(f"{text} (`{path}:3`).", landed=landed) if text else None


def inherited(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    """A sentence after a true and truly cited one, in its paragraph."""
    text = false(seed, world, rng)
    others = [s for s in world.cited if s.bare != seed.bare and s.text.endswith(".")]
    return Plant(f"{text}.", beside=rng.choice(others).text) if text and others else None
