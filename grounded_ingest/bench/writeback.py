"""The write-back rate: planted falsehoods that end approved without a person, or never judged."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

from msgspec.structs import replace

from grounded_ingest.bench.mutations import EXISTENCE, MUTATIONS
from grounded_ingest.bench.workshop import Workshop
from grounded_ingest.bench.world import Plant, Seed, World
from grounded_ingest.config import Config, is_adr
from grounded_ingest.git import Repo
from grounded_ingest.model import Decision, Tier, Verdict
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.scope import Asked
from grounded_ingest.settings import read_config
from grounded_ingest.tree import CommitTree
from grounded_ingest.verify.adr import adr_number, standing
from grounded_ingest.verify.witness import is_subject_matter

MEMORY = "memory-bank/progress.md"


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


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """95% interval of a rate (Wilson, 1927)."""
    if not trials:
        return 0.0, 1.0
    z, rate = 1.959964, hits / trials
    centre = rate + z * z / (2 * trials)
    spread = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


class Bench:
    """Trials on a clone of a repository. `server` is the base URL of a page server."""

    def __init__(self, workshop: Workshop, server: str) -> None:
        self.workshop = workshop
        with Repo(workshop.root, own=False) as repo:
            self.config = self._config(repo, server)
            report = run(repo, Asked("staged"), Options(online=False), judged_by=self.config)
            seeds = [
                Seed(d.place.claim, d.place.path) for d in report.report.decisions if _is_seed(d)
            ]
            self.world = _world(repo, seeds, workshop, server, self.config)
            report.kb.index.close()

    def _config(self, repo: Repo, server: str) -> Config:
        config = read_config(CommitTree(repo, repo.head()))
        host = server.removeprefix("http://")
        return replace(
            config,
            network=replace(config.network, allow=(*config.network.allow, host), timeout=2.0),
        )

    def trials(self, seed: str, each: int, only: str = "") -> Iterator[Trial]:
        """Up to `each` trials of every mutation, the same for the same seed and repository."""
        for name, mutation in MUTATIONS.items():
            if only and not only.startswith(name + "-"):
                continue
            order = list(range(len(self.world.seeds)))
            random.Random(f"{seed}:{name}").shuffle(order)  # noqa: S311
            done = 0
            for number in order * 4:
                if done == each:
                    break
                identity = f"{name}-{number}-{done}"
                rng = random.Random(f"{seed}:{identity}")  # noqa: S311
                plant = mutation(self.world.seeds[number], self.world, rng)
                if plant is None:
                    continue
                done += 1
                if not only or only == identity:
                    yield self._run(identity, name, plant)

    def _run(self, identity: str, name: str, plant: Plant) -> Trial:
        shop = self.workshop
        try:
            if plant.landed:
                shop.land(plant.landed)
            files, path, lines = embed(plant, shop)
            shop.stage({**plant.files, **files})
            with Repo(shop.root, own=False) as repo:
                result = run(
                    repo,
                    Asked("staged"),
                    Options(online="http://" in plant.text),
                    judged_by=self.config,
                )
                found = _planted(result, path, lines, plant)
                result.kb.index.close()
        finally:
            shop.restore()
        tier = min((int(d.tier) for d in found), default=0)
        return Trial(identity, name, plant, tier, tuple(sorted({d.rule for d in found})))


def _is_seed(decision: Decision) -> bool:
    own = decision.own_evidence
    return (
        decision.rule == "verified-citation"
        and len(own) == 1
        and 20 < len(decision.place.claim.text) < 300
    )


def _planted(result: Result, path: str, lines: tuple[int, int], plant: Plant) -> list[Decision]:
    return [
        d
        for d in result.report.counted
        if d.place.path == path
        and d.place.claim.line <= lines[1]
        and d.place.claim.end_line >= lines[0]
        and (not plant.beside or d.place.claim.text not in plant.beside)
    ]


def embed(plant: Plant, shop: Workshop) -> tuple[dict[str, str], str, tuple[int, int]]:
    """The files that carry a plant, the document it is in, and its lines there."""
    text = plant.text
    if plant.form in ("record", "trusted record", "graph"):
        extra = (
            {"source": "user", "trust": 1.0, "type": "preference"}
            if plant.form == "trusted record"
            else {}
        )
        row = (
            {"type": "entity", "name": "service", "observations": [text]}
            if plant.form == "graph"
            else {"text": text, **extra}
        )
        return {"memory/planted.jsonl": json.dumps(row) + "\n"}, "memory/planted.jsonl", (1, 1)
    if plant.form == "import":
        claude = shop.read("CLAUDE.md")
        files = {
            "CLAUDE.md": f"{claude}\nSee @notes/imported.md\n",
            "notes/imported.md": f"# Notes\n\n{text}\n",
        }
        return files, "notes/imported.md", (3, 3)
    if plant.form in ("front matter", "trusted front matter"):
        head = (
            f"description: {json.dumps(text)}\n"
            if plant.form == "front matter"
            else "source: user\ntrust: 1.0\n"
        )
        body = "" if plant.form == "front matter" else f"\n{text}\n"
        return (
            {"memory-bank/planted.md": f"---\n{head}---\n{body}"},
            "memory-bank/planted.md",
            (1, 99),
        )
    before = shop.read(MEMORY) or "# Progress\n"
    first = before.count("\n") + 2
    block = _FORMS.get(plant.form, "{text}").format(
        text=text if not plant.beside else f"{plant.beside} {text}"
    )
    return {MEMORY: f"{before}\n{block}\n"}, MEMORY, (first, first + block.count("\n"))


_FORMS = {
    "heading": "## {text}",
    "fence": "```\n{text}\n```",
    "comment": "<!-- {text} -->",
    "hidden": '<div style="display: none">\n\n{text}\n\n</div>',
    "html": "<p>{text}</p>",
    "table": "| Topic | What holds |\n|---|---|\n| service | {text} |",
    "footnote": "More is known of it.[^p]\n\n[^p]: {text}",
    "ignored": '<!-- grounded: ignore[speculation] reason="meeting" -->\n{text}',
}


def _world(repo: Repo, seeds: Sequence[Seed], shop: Workshop, server: str, config: Config) -> World:
    tree = CommitTree(repo, repo.head())
    files = [p for p in tree.files if is_subject_matter(p)]
    commits, moved, deleted = [], [], []
    for oid, _, _, paths in repo.history():
        commits.append(oid)
        gone = [p for p in paths if p not in tree.files and is_subject_matter(p)]
        (deleted if len(gone) > 1 else moved).extend(gone)
        if len(commits) == 300:
            break
    return World(
        repo, seeds, commits, shop.unreachable, ("deadbee", "facade1"), files, moved or deleted,
        deleted or moved, _adrs(tree, config), server, _names(seeds),
    )  # fmt: skip


def _adrs(tree: CommitTree, config: Config) -> dict[str, list[int]]:
    """ADR numbers by what became of them: accepted, gone (refused by status), ambiguous."""
    by_number: dict[int, list[str]] = {}
    for path in tree.files:
        if is_adr(config, path) and (number := adr_number(path)) is not None:
            by_number.setdefault(number, []).append(path)
    found: dict[str, list[int]] = {"accepted": [], "gone": [], "ambiguous": []}
    for number, paths in by_number.items():
        text = (tree.read(paths[0]) or b"").decode(errors="replace")
        verdict = standing(text)[0]
        state = (
            "ambiguous" if len(paths) > 1 else "gone" if verdict is Verdict.REFUTED else "accepted"
        )
        found[state].append(number)
    return found


def _names(seeds: Sequence[Seed]) -> list[str]:
    """Names that occur in claims of this repository: siblings to confuse."""
    words: dict[str, int] = {}
    for seed in seeds:
        for word in re.findall(r"(?<=\s)[A-Z][A-Za-z0-9]{2,}\b", seed.text):
            words[word] = words.get(word, 0) + 1
    return sorted(w for w in words if not w.startswith("ADR"))


def table(trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """A row per mutation: trials by outcome, the write-back rate and its 95% interval."""
    rows = []
    for name in MUTATIONS:
        mine = [t for t in trials if t.mutation == name]
        hits = sum(t.written_back for t in mine)
        low, high = wilson(hits, len(mine))
        rows.append(
            {
                "mutation": name,
                "group": "existence" if name in EXISTENCE else "content",
                "trials": len(mine),
                **{f"tier_{n}": sum(t.tier == n for t in mine) for n in (1, 2, 3)},
                "unseen": sum(t.tier == 0 for t in mine),
                "write_back_rate": round(hits / len(mine), 4) if mine else None,
                "interval": [round(low, 4), round(high, 4)],
            }
        )
    return rows
