"""Held-out figures of visible data: each fold judged with entries that other folds show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from benchmarks.quality import groundingbench as bench
from benchmarks.quality.grounding_scores import extraction
from benchmarks.quality.lexicon_entries import Entry, entries, occurrences, without
from grounded_ingest.facts.extraction import facts
from grounded_ingest.facts.fact import Fact

NAMES = ("technologies.", "names.", "people.")
"""Tables of names that stand in any directory."""


class Item(NamedTuple):
    """One example: its set, its number in it, its fold, all text of it."""

    of: str
    number: int
    fold: int
    texts: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.of}:{self.number}"


class Data(NamedTuple):
    native: Sequence[bench.Example]
    templates: Sequence[bench.Example]
    rows: Sequence[dict[str, Any]]


def folds(data: Data, count: int) -> dict[str, Any]:
    """Figures by where an entry may be drawn from: other folds of all data, or of its own set, of
    which names of products, places and occupations are left alone in the last."""
    items = _items(data, count)
    listed = list(entries())
    where = occurrences((i.name, i.texts) for i in items)
    used = {entry: found for entry, words in listed if (found := where(words))}
    return {
        "folds": count,
        "entries": {"all": len(listed), "in_examples": len(used)},
        "from_all": _judged(data, items, used, count, alone=False),
        "from_own": _judged(data, items, used, count, alone=True),
        "from_own_names_kept": _judged(
            data,
            items,
            {e: found for e, found in used.items() if not e[0].startswith(NAMES)},
            count,
            alone=True,
        ),
    }


def _items(data: Data, count: int) -> list[Item]:
    """Examples dealt out category by category; texts of one template stay together."""
    found: list[Item] = []
    for of, examples in (("native", data.native), ("templates", data.templates)):
        dealt: dict[str, dict[str, int]] = {}
        for number, example in enumerate(examples):
            rows = dealt.setdefault(example.category, {})
            fold = rows.setdefault(example.id.partition(":")[0], len(rows) % count)
            texts = (example.text, *(m.text for m in example.memories))
            found.append(Item(of, number, fold, texts))
    found.extend(Item("facts", n, n % count, (row["text"],)) for n, row in enumerate(data.rows))
    return found


def _judged(
    data: Data, items: list[Item], used: dict[Entry, set[str]], count: int, *, alone: bool
) -> dict[str, Any]:
    judged: dict[str, bench.Judgement] = {}
    stated: dict[str, tuple[Fact, ...]] = {}
    removed: list[int] = []
    for of in ("native", "templates", "facts") if alone else ("",):
        known = [i for i in items if i.of == of or not alone]
        for fold in range(count):
            mine = [i for i in known if i.fold == fold]
            others = {i.name for i in known if i.fold != fold}
            gone = _only_in({i.name for i in mine}, others, used)
            removed.append(len(gone))
            with without(gone):
                for item in mine:
                    if item.of == "facts":
                        stated[item.texts[0]] = facts(item.texts[0], persons=True)
                    else:
                        examples = data.native if item.of == "native" else data.templates
                        judged[item.name] = bench.ours(examples[item.number])
    return _figures(data, judged, stated.__getitem__, removed)


def _only_in(mine: set[str], others: set[str], used: dict[Entry, set[str]]) -> frozenset[Entry]:
    """The entries that occur in some examples and in none of the others."""
    return frozenset(e for e, found in used.items() if found & mine and not found & others)


def _figures(
    data: Data,
    judged: dict[str, bench.Judgement],
    stated: Callable[[str], tuple[Fact, ...]],
    removed: list[int],
) -> dict[str, Any]:
    hits = {
        of: [bench.right(e, judged[f"{of}:{n}"]) for n, e in enumerate(examples)]
        for of, examples in (("native", data.native), ("templates", data.templates))
    }
    certain = [
        hit
        for hit, e in zip(hits["native"], data.native, strict=True)
        if e.id not in bench.DISPUTED
    ]
    return {
        "native": sum(hits["native"]),
        "undisputed": sum(certain),
        "templates": sum(hits["templates"]),
        "extraction_f1": extraction(data.rows, stated)["f1"] if data.rows else None,
        "entries_removed": removed,
    }
