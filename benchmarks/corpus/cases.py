"""The cases that lines of the corpus make: places in trees, and what is right to say of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from benchmarks.corpus.lines import Line, Twin, Written, files, read

DOCUMENT = "MEMORY.md"
"""Where sentences stand that no repository has: a name that tools for agents' files read."""
WRONG = {
    "agreement": "right", "citation": "false", "lost-source": "right",
    "mention": "refuted", "twin": "REFUTES", "written": "false",
}  # fmt: skip
"""Tasks whose question is whether something is wrong at a place, and the label that says so. In the
other tasks a tool has to give the label."""
EXACT = {"citation", "twin", "written"}
"""Tasks whose line is the one that is meant; in the others a sentence begins there."""
TWINS = "twins"

Place = tuple[str, int]


class Tree(NamedTuple):
    """A commit of a repository, or none, with the sentences of one form."""

    repo: str
    commit: str
    form: str = ""

    @property
    def name(self) -> str:
        at = f"{self.repo.replace('/', '+')}@{self.commit[:12]}" if self.repo else TWINS
        return f"{at}~{self.form}" if self.form else at


class Case(NamedTuple):
    """One place, or two that contradict each other, and its label. `kind` is its class."""

    id: str
    task: str
    split: str
    kind: str
    tree: Tree
    places: tuple[Place, ...]
    label: str


Plants = Mapping[Tree, Mapping[str, str]]
"""The files that a tree has beside those of its commit."""


@cache
def corpus() -> tuple[tuple[Case, ...], Plants]:
    """All cases, in the order of the files, and what has to be written for them. What readers do
    not agree about is none."""
    found, plants = list[Case](), dict[Tree, Mapping[str, str]]()
    for path in files():
        lines = read(path)
        found += _plain(path.stem, lines)
        for own, planted in (_written(lines), _twins(lines)):
            found += own
            plants |= planted
    return tuple(found), plants


def _plain(stem: str, lines: Iterable[Line]) -> Iterator[Case]:
    for number, line in enumerate(lines, 1):
        data = msgspec.to_builtins(line)
        if isinstance(line, Written | Twin) or data["label"] == "unclear":
            continue
        task, tree = data["task"], Tree(data["repo"], data["commit"])
        kind = data.get("kind", task) if task in WRONG else task
        split, label = data["split"], data["label"]
        yield Case(f"{stem}:{number}", task, split, kind, tree, _places(data), label)


def _places(line: Mapping[str, Any]) -> tuple[Place, ...]:
    if "path" in line:
        return ((line["path"], line["line"]),)
    parted = (line[one].rpartition(":") for one in ("one", "other"))
    return tuple((path, int(number)) for path, _, number in parted)


def _written(lines: Iterable[Line]) -> tuple[list[Case], Plants]:
    by_tree: dict[Tree, list[Written]] = defaultdict(list)
    for line in lines:
        if isinstance(line, Written) and line.agreed:
            for form in ("false", "near", "free"):  # twins would contradict each other in one tree
                by_tree[Tree(line.repo, line.commit, form)].append(line)
    found, plants = list[Case](), dict[Tree, Mapping[str, str]]()
    for tree, items in by_tree.items():
        label = "false" if tree.form == "false" else "true"
        for number, item in enumerate(items):
            one, place = f"{item.id}-{tree.form}", (DOCUMENT, _line(number))
            kind = item.sentence_class
            found.append(Case(one, "written", item.split, kind, tree, (place,), label))
        plants[tree] = {DOCUMENT: _document([getattr(item, tree.form) for item in items])}
    return found, plants


def _twins(lines: Iterable[Line]) -> tuple[list[Case], Plants]:
    by_tree: dict[Tree, list[Twin]] = defaultdict(list)
    for line in lines:
        if isinstance(line, Twin):
            by_tree[Tree("", "", line.id.partition("-")[2])].append(line)
    found, plants = list[Case](), dict[Tree, Mapping[str, str]]()
    for tree, items in by_tree.items():
        texts, sources = list[str](), dict[str, str]()
        for number, item in enumerate(items):
            source = f"src/part_{item.id.partition('-')[0]}.py"
            sources[source] = "".join(f"# {text}\n" for text in item.evidence)
            texts.append(f"{item.claim.rstrip('.')} (`{source}:1`).")
            place = (DOCUMENT, _line(number))
            found.append(Case(item.id, "twin", item.split, "twin", tree, (place,), item.label))
        plants[tree] = {DOCUMENT: _document(texts), **sources}
    return found, plants


def _line(number: int) -> int:
    return 3 + 2 * number


def _document(sentences: Sequence[str]) -> str:
    return "\n".join(["# Notes", "", *(s for text in sentences for s in (text, ""))])
