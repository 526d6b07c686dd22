"""What `language/lexicon/wordnet.py` holds, drawn from a WordNet 3.0 database.

    python -m benchmarks.quality.wordnet_entries DIR > grounded_ingest/language/lexicon/wordnet.py

DIR holds `data.noun` and its like and `cntlist.rev` (Debian: package wordnet-base, in
/usr/share/wordnet).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
KINDS = {
    "colour": ("n", "chromatic_color"), "country": ("n", "country state land"),
    "american_state": ("n", "American_state"), "season": ("n", "season time_of_year"),
    "multiple": ("v", "multiply manifold"),
}  # fmt: skip
"""Kinds of which a thing has one at a time, and the words of the synset that heads each."""
SHARED = 5
"""Letters that two words end in alike, where only the heads of their synsets are opposites:
inbound, outbound."""
HEAD = '''\
"""Opposites, and values of one kind, drawn from WordNet 3.0.

Written by `python -m benchmarks.quality.wordnet_entries`. WordNet 3.0 Copyright 2006 by Princeton
University. All rights reserved. Permission to use, copy, modify and distribute this software and
database and its documentation for any purpose and without fee or royalty is hereby granted,
provided that you agree to comply with the following copyright notice and statements, including the
disclaimer, and that the same appear on ALL copies of the software, database and documentation,
including modifications that you make for internal use or for distribution. THIS SOFTWARE AND
DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES,
EXPRESS OR IMPLIED. BY WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO
REPRESENTATIONS OR WARRANTIES OF MERCHANTABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE
USE OF THE LICENSED SOFTWARE, DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS,
COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS. The name of Princeton University or Princeton may not be
used in advertising or publicity pertaining to distribution of the software and/or database. Title
to copyright in this software, database and any associated documentation shall at all times remain
with Princeton University and LICENSEE agrees to preserve same.
"""
'''


class Pointer(NamedTuple):
    """A relation to another synset, of single words where they are numbered from 1."""

    kind: str
    to: tuple[str, str]
    word: int
    other: int


class Synset(NamedTuple):
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


Database = dict[tuple[str, str], Synset]


def read_database(folder: Path) -> Database:
    """Every synset by its part of speech and offset."""
    found: Database = {}
    for pos, name in FILES.items():
        for line in (folder / f"data.{name}").read_text("ascii").splitlines():
            if not line.startswith(" "):
                offset, synset = _read(line.split(" | ")[0].split())
                found[pos, offset] = synset
    return found


def _read(fields: list[str]) -> tuple[str, Synset]:
    count = int(fields[3], 16)
    words = tuple(re.sub(r"\(\w+\)$", "", w) for w in fields[4 : 4 + 2 * count : 2])
    rest = fields[5 + 2 * count :]
    pointers = []
    for n in range(int(fields[4 + 2 * count])):
        kind, offset, pos, ends = rest[4 * n : 4 * n + 4]
        pos = "a" if pos == "s" else pos
        pointers.append(Pointer(kind, (pos, offset), int(ends[:2], 16), int(ends[2:], 16)))
    return fields[0], Synset(words, tuple(pointers))


def opposites(database: Database, known: frozenset[str]) -> list[tuple[str, str]]:
    """Pairs of single words, one of them at least in use."""
    used = (p for p in _direct(database) if not known.isdisjoint(p))
    pairs = {(min(p), max(p)) for p in (*used, *_indirect(database))} - {("all", "some")}
    plain = ((a, b, a + b) for a, b in pairs if a != b)
    return sorted((a, b) for a, b, both in plain if both.isalpha() and both.islower())


def _direct(database: Database) -> Iterator[tuple[str, str]]:
    for synset in database.values():
        for p in synset.pointers:
            if p.kind == "!" and p.word:
                yield synset.words[p.word - 1], database[p.to].words[p.other - 1]


def _indirect(database: Database) -> Iterator[tuple[str, str]]:
    """Words beside two opposite adjectives that end alike."""
    for synset in database.values():
        for p in synset.pointers:
            if p.kind != "!" or p.to[0] != "a":
                continue
            for one in _beside(synset, database):
                for other in _beside(database[p.to], database):
                    if one[-SHARED:] == other[-SHARED:] and len(one) > SHARED:
                        yield one, other


def _beside(synset: Synset, database: Database) -> list[str]:
    return [w for p in synset.pointers if p.kind == "&" for w in database[p.to].words]


def kinds(database: Database) -> dict[str, list[str]]:
    """The words of each kind, several words of one thing joined by `=`."""
    return {
        kind: sorted(_one_each(_members(database, pos, heads.split())))
        for kind, (pos, heads) in KINDS.items()
    }


def _one_each(members: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Members that share a word are one."""
    found: list[list[str]] = []
    for words in members:
        same = [f for f in found if not set(f).isdisjoint(words)]
        found = [f for f in found if f not in same]
        found.append(list(dict.fromkeys((*(w for f in same for w in f), *words))))
    return ("=".join(words) for words in found)


def _members(database: Database, pos: str, heads: list[str]) -> Iterator[tuple[str, ...]]:
    for (of, _), synset in database.items():
        if of == pos and set(heads) <= set(synset.words[: len(heads)]):
            instances = set(_instances(database, synset))
            for at in sorted(instances or _below(synset)):
                if not _is_part(database[at], instances):
                    yield from _named(database, at)


def _is_part(synset: Synset, wholes: set[tuple[str, str]]) -> bool:
    """Whether it is a part of another of its kind: both may be told of one thing."""
    return any(p.kind == "#p" and p.to in wholes for p in synset.pointers)


def _named(database: Database, at: tuple[str, str]) -> Iterator[tuple[str, ...]]:
    words = (*database[at].words, *_people(database, at))
    kept = tuple(dict.fromkeys(w.lower() for w in words if w.isalpha() and len(w) > 2))
    if kept:
        yield kept


def _below(synset: Synset) -> list[tuple[str, str]]:
    return [p.to for p in synset.pointers if p.kind == "~"]


def _instances(database: Database, synset: Synset) -> Iterator[tuple[str, str]]:
    yield from (p.to for p in synset.pointers if p.kind == "~i")
    for at in _below(synset):
        yield from _instances(database, database[at])


def _people(database: Database, at: tuple[str, str]) -> Iterator[str]:
    """The adjectives that pertain to a place."""
    if database[at].words[0][:1].isupper():
        for synset in _adjectives_of(database).get(at, ()):
            yield from synset.words


_PERTAINING: dict[tuple[str, str], list[Synset]] = {}


def _adjectives_of(database: Database) -> dict[tuple[str, str], list[Synset]]:
    if not _PERTAINING:
        for (pos, _), synset in database.items():
            for p in synset.pointers:
                if pos == "a" and p.kind == "\\":
                    _PERTAINING.setdefault(p.to, []).append(synset)
    return _PERTAINING


def in_use(folder: Path) -> frozenset[str]:
    """Words that the sense-tagged texts hold."""
    lines = (folder / "cntlist.rev").read_text("ascii").splitlines()
    return frozenset(line.partition("%")[0] for line in lines)


def module(folder: Path) -> str:
    database = read_database(folder)
    rows = [f"{a} {b}" for a, b in opposites(database, in_use(folder))]
    text = HEAD + "\nOPPOSITES = (\n" + _wrapped(rows, ", ") + ")\n\nVALUES = {\n"
    for kind, members in kinds(database).items():
        listed = _wrapped(members, " ", 8)
        one_line = listed.count("\n") == 1
        text += f'    "{kind}": ' + (
            f"({listed.strip()}),\n" if one_line else f"(\n{listed}    ),\n"
        )
    return text + "}\n"


def _wrapped(entries: Iterable[str], apart: str, indent: int = 4) -> str:
    lines = [""]
    for entry in entries:
        if len(lines[-1]) > 140:
            lines.append("")
        lines[-1] += entry + apart
    lines[-1] = lines[-1].rstrip(apart)
    return "".join(f'{" " * indent}"{line}"\n' for line in lines)


if __name__ == "__main__":
    sys.stdout.write(module(Path(sys.argv[1])))
