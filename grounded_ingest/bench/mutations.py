"""Falsehoods to be planted: with bad sources, in odd forms, by borrowed authority, of content."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from msgspec.structs import replace

from grounded_ingest.bench import restatements as restated
from grounded_ingest.bench import sentences
from grounded_ingest.bench.sentences import Falsifier, falsified, inside_sentence, number
from grounded_ingest.bench.world import Plant, Seed, World, citing, is_line
from grounded_ingest.model.claims import CitationKind


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


Group = Literal["existence", "form", "authority", "content"]


class Way(NamedTuple):
    """One way to go wrong. `cited`: it starts from a claim with its citation."""

    group: Group
    make: Mutation
    cited: bool = False


MUTATIONS: Mapping[str, Way] = {
    "commit-digit": Way("existence", commit_digit),
    "commit-foreign": Way("existence", commit_foreign),
    "commit-ref-name": Way("existence", commit_of_a_name),
    "commit-unreachable": Way("existence", commit_unreachable),
    "adr-absent": Way("existence", adr_absent),
    "adr-superseded": Way("existence", adr_superseded),
    "adr-ambiguous": Way("existence", adr_ambiguous),
    "adr-range": Way("existence", adr_range),
    "path-absent": Way("existence", path_absent),
    "path-moved": Way("existence", path_moved),
    "path-deleted": Way("existence", path_deleted),
    "line-out-of-range": Way("existence", line_out_of_range),
    "dead-url": Way("existence", dead_url),
    "in-heading": Way("form", in_heading),
    "in-heading-sentence": Way("form", in_form("heading")),
    "in-fence": Way("form", in_form("fence")),
    "in-comment": Way("form", cited_in("comment")),
    "in-hidden-element": Way("form", cited_in("hidden")),
    "in-table": Way("form", in_form("table")),
    "in-record": Way("form", in_form("record")),
    "in-graph-record": Way("form", in_form("graph")),
    "in-import": Way("form", in_form("import")),
    "in-front-matter": Way("form", in_form("front matter")),
    "in-footnote": Way("form", in_form("footnote")),
    "in-html": Way("form", in_form("html")),
    "changed-copy": Way("form", changed_copy),
    "same-change-adr": Way("authority", same_change_adr),
    "same-change-prose": Way("authority", same_change_prose),
    "same-change-comment": Way("authority", same_change_comment),
    "two-commit-adr": Way("authority", two_commit_adr),
    "two-commit-memory": Way("authority", two_commit_memory),
    "inherited-citation": Way("authority", inherited),
    "declared-trust": Way("authority", in_form("trusted record")),
    "declared-front-matter": Way("authority", in_form("trusted front matter")),
    "ignore-comment": Way("authority", ignored),
    "dressed-hedge": Way("authority", dressed_hedge),
    "number": Way("content", changed(sentences.number), cited=True),
    "port": Way("content", changed(sentences.port), cited=True),
    "version": Way("content", changed(sentences.version), cited=True),
    "date": Way("content", changed(sentences.date), cited=True),
    "unit": Way("content", changed(sentences.unit), cited=True),
    "negation": Way("content", changed(sentences.negation), cited=True),
    "obligation": Way("content", changed(sentences.obligation), cited=True),
    "entity": Way("content", entity, cited=True),
    "contradiction-slot": Way("content", restated.slot, cited=True),
    "contradiction-reversed": Way("content", restated.reversed_claim, cited=True),
    "citation-moved": Way("content", citation_moved, cited=True),
    "false-half": Way("content", false_half, cited=True),
    "line-of-something-else": Way("content", line_of_something_else, cited=True),
    "adr-swapped": Way("content", adr_swapped),
    "issue-of-another-topic": Way("content", issue_of_another_topic),
}
"""By name, in the order of reports."""
