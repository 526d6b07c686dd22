"""How a falsehood is embedded: the files that carry it, and where in them it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from grounded_ingest.bench.workshop import Workshop
from grounded_ingest.bench.world import Plant
from grounded_ingest.config.settings import Config, classify

_PAGES = ("memory-bank/progress.md", "CLAUDE.md", "AGENTS.md", "docs/planted.md")
_RECORDS, _TOPIC, _NOTE = "memory/planted.jsonl", "memory-bank/planted.md", "notes/imported.md"


class Planted(NamedTuple):
    """The files of a plant, the document it is in, and its lines (first, last)."""

    files: dict[str, str]
    path: str
    lines: tuple[int, int]


def embed(plant: Plant, shop: Workshop, config: Config) -> Planted:
    """A plant in its form; what is looked up stands alone, so that nothing else is."""
    if make := _FILES.get(plant.form):
        return make(plant.text, shop)
    pages = (_TOPIC,) if plant.online else _PAGES
    page = next((p for p in pages if classify(config, p) is not None), pages[0])
    before = shop.read(page) or "# Progress\n"
    first = before.count("\n") + 2
    text = f"{plant.beside} {plant.text}" if plant.beside else plant.text
    block = _BLOCKS[plant.form].format(text=text)
    return Planted({page: f"{before}\n{block}\n"}, page, (first, first + block.count("\n")))


_BLOCKS = {
    "paragraph": "{text}",
    "heading": "## {text}",
    "fence": "```\n{text}\n```",
    "comment": "<!-- {text} -->",
    "hidden": '<div style="display: none">\n\n{text}\n\n</div>',
    "html": "<p>{text}</p>",
    "table": "| Topic | What holds |\n|---|---|\n| service | {text} |",
    "footnote": "More is known of it.[^p]\n\n[^p]: {text}",
    "ignored": '<!-- grounded: ignore[speculation] reason="meeting" -->\n{text}',
}


def _record(text: str, shop: Workshop) -> Planted:
    del shop
    return Planted({_RECORDS: json.dumps({"text": text}) + "\n"}, _RECORDS, (1, 1))


def _trusted_record(text: str, shop: Workshop) -> Planted:
    del shop
    row = {"text": text, "source": "user", "trust": 1.0, "type": "preference"}
    return Planted({_RECORDS: json.dumps(row) + "\n"}, _RECORDS, (1, 1))


def _graph(text: str, shop: Workshop) -> Planted:
    del shop
    row = {"type": "entity", "name": "service", "observations": [text]}
    return Planted({_RECORDS: json.dumps(row) + "\n"}, _RECORDS, (1, 1))


def _front_matter(text: str, shop: Workshop) -> Planted:
    del shop
    page = f"---\ndescription: {json.dumps(text)}\n---\n"
    return Planted({_TOPIC: page}, _TOPIC, (1, 99))


def _trusted_front_matter(text: str, shop: Workshop) -> Planted:
    del shop
    page = f"---\nsource: user\ntrust: 1.0\n---\n\n{text}\n"
    return Planted({_TOPIC: page}, _TOPIC, (1, 99))


def _imported(text: str, shop: Workshop) -> Planted:
    claude = f"{shop.read('CLAUDE.md')}\nSee @{_NOTE}\n"
    return Planted({"CLAUDE.md": claude, _NOTE: f"# Notes\n\n{text}\n"}, _NOTE, (3, 3))


_FILES: dict[str, Callable[[str, Workshop], Planted]] = {
    "record": _record,
    "trusted record": _trusted_record,
    "graph": _graph,
    "front matter": _front_matter,
    "trusted front matter": _trusted_front_matter,
    "import": _imported,
}
