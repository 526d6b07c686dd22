"""The joins of a fleet over claims that are made: time, memory, growth.

    python -m benchmarks.fleet_joins 100000 1000000

Claims are sentences of the project's own words (`prose.py`), a hundred to a repository. Of a
hundred claims 30 are popular texts, of which the most popular stands in every repository, 5 are one
of twenty templates with the repository's name in it, 5 nearly repeat another claim, and 60 are
said once. Every repository states its Node version and a port of one of a thousand services, and
has an instruction file that was copied from one of ten, most of which moved on.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

from benchmarks.prose import Prose, project_pages
from benchmarks.rows import exponent, megabytes
from benchmarks.timing import Command, Taken, take
from benchmarks.tools import PROJECT

EACH = 100
"""Claims of a repository."""
PART = 2_000
"""Repositories of a file."""
RUN = "20261124T000000Z"
TEMPLATES = 20
POPULAR = 5_000
WORKERS = 2

Rows = list[dict[str, Any]]


def make_fleet(out: str, claims: int) -> None:
    """Tables of a run as reading repositories leaves them."""
    parts = [
        (n, range(first, min(first + PART, claims // EACH)))
        for n, first in enumerate(range(0, claims // EACH, PART))
    ]
    with ProcessPoolExecutor(WORKERS) as pool:
        list(pool.map(partial(_write_part, out), parts))


def _write_part(out: str, part: tuple[int, range]) -> None:
    from grounded_ingest.fleet.tables import TABLES, write_rows

    number, repositories = part
    made = _tables(repositories, random.Random(number))
    for table, columns in TABLES.items():
        if table in made:
            directory = f"{out}/{table}/run={RUN}"
            os.makedirs(directory, exist_ok=True)
            blank = {c.name: _BLANK.get(c.type, 0) for c in columns}
            rows: Iterator[Mapping[str, Any]] = ({**blank, **row} for row in made[table])
            write_rows(f"{directory}/part-{number}.parquet", columns, rows)


_BLANK = {"VARCHAR": "", "BOOLEAN": True, "VARCHAR[]": [], "BIGINT[]": []}


def _tables(repositories: Sequence[int], chance: random.Random) -> dict[str, Rows]:
    pages = project_pages(PROJECT)
    popular = Prose(pages, 1)
    known = [popular.sentence() for _ in range(POPULAR)]
    frames = [f"{popular.sentence()} {popular.sentence()}" for _ in range(TEMPLATES)]
    prose = Prose(pages, repositories[0] + 2)
    made: dict[str, Rows] = {
        t: [] for t in ("repositories", "claims", "references", "versions", "elsewhere")
    }
    for number in repositories:
        name = f"team{number % 97}/service-{number}"
        head = {"schema": 1, "run": RUN, "repository": name, "commit": f"{number:040x}"}
        made["repositories"].append({**head, "state": "ok", "surveyed_in": RUN})
        texts = _texts(number, chance, prose, known, frames)
        for line, text in enumerate(texts, 1):
            claim = {"claim": f"{number:08x}{line:08x}", "path": "AGENTS.md", "line": line}
            made["claims"].append({**head, **claim, "form": "prose", **_said(text)})
        made["references"] += ({**head, **fact} for fact in _facts(number, chance))
        made["versions"] += ({**head, **version} for version in _versions(number, chance))
    return made


def _texts(
    number: int, chance: random.Random, prose: Prose, known: list[str], frames: list[str]
) -> list[str]:
    texts = [known[0]]
    texts += (known[int(len(known) * chance.random() ** 3)] for _ in range(29))
    texts += (f"{chance.choice(frames)} Written for service-{number}." for _ in range(5))
    texts += (prose.sentence() for _ in range(EACH - 40))
    texts += (f"{text} {prose.sentence()}" for text in texts[-5:])
    texts += (f"{text} Always" for text in texts[-5:])
    return texts[:EACH]


def _said(text: str) -> dict[str, Any]:
    """What a survey says of a claim's words."""
    from grounded_ingest.fleet.repetitions import DEDUP
    from grounded_ingest.text.reading import word_list
    from grounded_ingest.text.word_keys import equal_key, set_keys, word_hash

    words = frozenset(word_list(text))
    said = equal_key(words)
    keys = set_keys(words, DEDUP.threshold) if len(words) >= DEDUP.near_words else (said,)
    hashes = (word_hash(w) for w in words)
    signed = sorted(h - (1 << 64) if h >> 63 else h for h in hashes)
    return {"text": text, "said": said, "words": signed, "keys": [*keys]}


def _facts(number: int, chance: random.Random) -> Rows:
    from grounded_ingest.fleet.keys import key
    from grounded_ingest.text.value_normal_form import normal

    service = f"service{chance.randrange(1000)}"
    said = (
        ("node", "runtime version", chance.choice(("16", "18", "20", "22"))),
        (service, "port", str(8000 + chance.randrange(3))),
    )
    return [
        {
            "claim": f"{number:08x}{line:08x}", "path": "AGENTS.md", "line": line, "kind": "fact",
            "subject": subject, "slot": slot, "value": value, "normal": normal(value).key,
            "polarity": True, "many": False, "about": key(slot, subject, ""),
        }
        for line, (subject, slot, value) in enumerate(said, 1)
    ]  # fmt: skip


def _versions(number: int, chance: random.Random) -> Rows:
    """A text of one of ten families, as it stood at one of fifty times, and what came of it."""
    from grounded_ingest.fleet.keys import key

    family, copied = number % 10, chance.randrange(50)
    texts = [f"{family}-{time}" for time in range(copied, max(-1, copied - 5), -1)]
    texts = [f"{family}-own-{number}", *texts] if chance.random() < 0.7 else texts
    return [
        {
            "path": "AGENTS.md", "position": position, "blob": text, "text_key": key("blob", text),
            "written_at": f"2026-01-{28 - position:02d}T00:00:00Z",
        }
        for position, text in enumerate(texts)
    ]  # fmt: skip


def join_fleet(out: str) -> None:
    """Run the joins over it, as a run does."""
    from grounded_ingest.fleet.bucket_queries import Joining
    from grounded_ingest.fleet.job import JobLimits
    from grounded_ingest.fleet.joins import join_all
    from grounded_ingest.fleet.local_engine import LocalEngine
    from grounded_ingest.fleet.run_tables import RunTables

    with LocalEngine(WORKERS) as engine:
        join_all(Joining(engine, RunTables(out, RUN), {}, JobLimits()), _say)


def _say(_: float, what: str) -> None:
    print(what, flush=True)


def _measured(size: int, directory: str) -> Taken:
    out = f"{directory}/{size}"
    make_fleet(out, size)
    argv = (sys.executable, "-m", "benchmarks.fleet_joins", "join", out)
    taken = take(Command("join", argv, PROJECT, tree=True))
    shutil.rmtree(out)
    return taken


def main() -> None:
    if sys.argv[1] == "join":
        join_fleet(sys.argv[2])
        return
    points = []
    with tempfile.TemporaryDirectory() as directory:
        for size in map(int, sys.argv[1:]):
            taken = _measured(size, directory)
            points.append((float(size), taken.cpu))
            memory = megabytes(taken.memory)
            print(f"{size:>12,} claims {taken.wall:8.1f} s {taken.cpu:8.1f} s CPU {memory:6.0f} MB")
    for before, after in pairwise(points):
        print(f"exponent of CPU from {before[0]:,.0f}: {exponent([before, after]):.2f}")


if __name__ == "__main__":
    main()
