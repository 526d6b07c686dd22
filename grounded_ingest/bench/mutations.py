"""How agents really go wrong: each mutation makes a falsehood out of a true claim.

A mutation returns None where the seed or the repository has nothing for it. `EXISTENCE` are
those that existence, form and authority must catch; `CONTENT` need the source's content.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from hashlib import sha1

from grounded_ingest.bench.world import (
    Plant,
    Seed,
    World,
    change_number,
    citation,
    cites,
    statement,
    with_statement,
)
from grounded_ingest.model import CitationKind

Mutation = Callable[[Seed, World, random.Random], Plant | None]


def _false(seed: Seed, rng: random.Random) -> str:
    """A false statement without any citation."""
    return (
        change_number(statement(seed), rng)
        or f"Contrary to before, {statement(seed)[:1].lower()}{statement(seed)[1:]}"
    )


def commit_digit(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    oid = rng.choice(world.commits)[: rng.choice([7, 10, 12, 40])]
    at = rng.randrange(len(oid))
    other = rng.choice([c for c in "0123456789abcdef" if c != oid[at]])
    return _commit(seed, oid[:at] + other + oid[at + 1 :], rng)


def _commit(seed: Seed, oid: str, rng: random.Random) -> Plant:
    return Plant(f"{_false(seed, rng).rstrip('.')}, fixed in commit {oid}.")


def commit_foreign(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    return _commit(seed, sha1(f"{seed.text}{rng.random()}".encode()).hexdigest()[:12], rng)  # noqa: S324


def commit_of_a_name(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _commit(seed, rng.choice(world.named), rng) if world.named else None


def commit_unreachable(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return (
        _commit(seed, world.unreachable[: rng.choice([8, 40])], rng) if world.unreachable else None
    )


def _adr(seed: Seed, number: int, rng: random.Random) -> Plant:
    return Plant(f"Per ADR-{number:04}, {_false(seed, rng)[:1].lower()}{_false(seed, rng)[1:]}")


def adr_absent(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    known = {n for numbers in world.adrs.values() for n in numbers}
    return _adr(seed, rng.choice([n for n in range(1, 999) if n not in known]), rng)


def adr_superseded(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _adr(seed, rng.choice(world.adrs["gone"]), rng) if world.adrs["gone"] else None


def adr_ambiguous(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _adr(seed, rng.choice(world.adrs["ambiguous"]), rng) if world.adrs["ambiguous"] else None


def adr_in_range(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    known = {n for numbers in world.adrs.values() for n in numbers}
    last = max(known, default=3)
    return Plant(f"Decisions ADR-{last:04} to ADR-{last + 3:04} say: {_false(seed, rng)}")


def _path(seed: Seed, path: str, rng: random.Random) -> Plant:
    return Plant(f"{_false(seed, rng).rstrip('.')} (`{path}:{rng.randint(1, 9)}`).")


def path_absent(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    folder, _, name = rng.choice(world.files).rpartition("/")
    stem, dot, extension = name.rpartition(".")
    return _path(
        seed, f"{folder + '/' if folder else ''}{stem or 'main'}_impl{dot}{extension}", rng
    )


def path_moved(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _path(seed, rng.choice(world.moved), rng) if world.moved else None


def path_deleted(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return _path(seed, rng.choice(world.deleted), rng) if world.deleted else None


def line_out_of_range(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    if not cites(seed, CitationKind.PATH, lines=True):
        return None
    return Plant(
        f"{_false(seed, rng).rstrip('.')} (`{citation(seed)}:{rng.randint(90_000, 99_999)}`)."
    )


def dead_url(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    return Plant(f"{_false(seed, rng).rstrip('.')}, see {world.server}/gone/{rng.randint(1, 99)}.")


def same_change_adr(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    text = _false(seed, rng)
    adr = f"# 871. Settled\n\nStatus: accepted\n\n{text}\n"
    return Plant(f"Per ADR-0871, {text}", files={"docs/adr/0871-settled.md": adr})


def same_change_prose(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    text = _false(seed, rng)
    return Plant(
        f"{text.rstrip('.')} (`notes/findings.txt:1`).", files={"notes/findings.txt": text + "\n"}
    )


def same_change_comment(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    text = _false(seed, rng)
    return Plant(
        f"{text.rstrip('.')} (`src/extra_notes.py:1`).", files={"src/extra_notes.py": f"# {text}\n"}
    )


def two_commit_adr(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    plant = same_change_adr(seed, world, rng)
    return plant._replace(files={}, landed=plant.files) if plant else None


def two_commit_memory(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    text = _false(seed, rng)
    return Plant(
        f"{text.rstrip('.')} (`memory-bank/facts.md:3`).",
        landed={"memory-bank/facts.md": f"# Facts\n\n{text}\n"},
    )


def inherited(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    return Plant(_false(seed, rng), beside=seed.text)


def declared_trust(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    return Plant(_false(seed, rng), form="trusted record")


def declared_front_matter(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    return Plant(_false(seed, rng), form="trusted front matter")


def ignore_comment(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    return Plant(f"I think {_false(seed, rng)}", form="ignored")


def dressed_hedge(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    return Plant(f"It is certain and verified that {_false(seed, rng)}")


def changed_copy(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    changed = change_number(statement(seed), rng)
    return Plant(changed) if changed else None


def _form(form: str) -> Mutation:
    def mutation(seed: Seed, world: World, rng: random.Random) -> Plant | None:
        del world
        return Plant(_false(seed, rng), form=form)

    return mutation


def _changed(change: Callable[[str, random.Random], str | None]) -> Mutation:
    def mutation(seed: Seed, world: World, rng: random.Random) -> Plant | None:
        del world
        changed = change(statement(seed), rng)
        return (
            Plant(with_statement(seed, changed)) if changed and changed != statement(seed) else None
        )

    return mutation


_UNITS = {
    "seconds": "minutes",
    "minutes": "hours",
    "days": "weeks",
    "bytes": "kilobytes",
    "ms": "s",
    "MiB": "GiB",
    "MB": "GB",
    "hours": "days",
}
_STRONG = {
    "must": "may",
    "is required": "is optional",
    "required": "optional",
    "never": "sometimes",
    "always": "sometimes",
    "at most": "at least",
}
_NEGATED = {
    " is ": " is not ",
    " are ": " are not ",
    " uses ": " does not use ",
    " runs ": " does not run ",
    " can ": " cannot ",
    " was ": " was not ",
    " were ": " were not ",
    " holds ": " does not hold ",
}


def _swap_word(table: dict[str, str]) -> Callable[[str, random.Random], str | None]:
    def change(text: str, rng: random.Random) -> str | None:
        hits = [w for w in table if re.search(rf"(?<!\w){re.escape(w.strip())}(?!\w)", text)]
        if not hits:
            return None
        word = rng.choice(hits)
        return text.replace(word, table[word], 1)

    return change


def entity(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    text = statement(seed)
    hits = [n for n in world.names if re.search(rf"(?<!\w){re.escape(n)}(?!\w)", text)]
    others = [n for n in world.names if n not in hits]
    if not hits or not others:
        return None
    return Plant(with_statement(seed, text.replace(rng.choice(hits), rng.choice(others), 1)))


def citation_moved(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    others = [s for s in world.seeds if statement(s) != statement(seed)]
    other = rng.choice(others) if others else None
    return Plant(with_statement(seed, statement(other))) if other else None


def false_half(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    others = [s for s in world.seeds if s.text != seed.text]
    wrong = change_number(statement(rng.choice(others)), rng) if others else None
    return Plant(f"{seed.text.rstrip('.')}, and {wrong[:1].lower()}{wrong[1:]}") if wrong else None


def line_of_something_else(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    del world
    if not cites(seed, CitationKind.PATH, lines=True):
        return None
    own = next(c for c in seed.claim.citations if c.own)
    line = (own.lines or (1, 1))[0]
    near = rng.choice([n for n in range(max(1, line - 4), line + 3) if n != line])
    return Plant(f"{_false(seed, rng).rstrip('.')} (`{own.raw}:{near}`).")


EXISTENCE: dict[str, Mutation] = {
    "commit-digit": commit_digit,
    "commit-foreign": commit_foreign,
    "commit-ref-name": commit_of_a_name,
    "commit-unreachable": commit_unreachable,
    "adr-absent": adr_absent,
    "adr-superseded": adr_superseded,
    "adr-ambiguous": adr_ambiguous,
    "adr-range": adr_in_range,
    "path-absent": path_absent,
    "path-moved": path_moved,
    "path-deleted": path_deleted,
    "line-out-of-range": line_out_of_range,
    "dead-url": dead_url,
    "same-change-adr": same_change_adr,
    "same-change-prose": same_change_prose,
    "same-change-comment": same_change_comment,
    "two-commit-adr": two_commit_adr,
    "two-commit-memory": two_commit_memory,
    "inherited-citation": inherited,
    "declared-trust": declared_trust,
    "declared-front-matter": declared_front_matter,
    "ignore-comment": ignore_comment,
    "dressed-hedge": dressed_hedge,
    "changed-copy": changed_copy,
    "in-heading": _form("heading"),
    "in-fence": _form("fence"),
    "in-comment": _form("comment"),
    "in-hidden-element": _form("hidden"),
    "in-table": _form("table"),
    "in-record": _form("record"),
    "in-graph-record": _form("graph"),
    "in-import": _form("import"),
    "in-front-matter": _form("front matter"),
    "in-footnote": _form("footnote"),
    "in-html": _form("html"),
}

CONTENT: dict[str, Mutation] = {
    "number": _changed(change_number),
    "unit": _changed(_swap_word(_UNITS)),
    "negation": _changed(_swap_word(_NEGATED)),
    "obligation": _changed(_swap_word(_STRONG)),
    "entity": entity,
    "citation-moved": citation_moved,
    "false-half": false_half,
    "line-of-something-else": line_of_something_else,
}

MUTATIONS: dict[str, Mutation] = EXISTENCE | CONTENT
