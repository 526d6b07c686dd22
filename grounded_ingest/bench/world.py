"""What a falsehood can be made of: the repository's own sentences, commits, files and decisions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.bench.sentences import readable, without_citations
from grounded_ingest.bench.workshop import Workshop
from grounded_ingest.config.settings import Config, is_adr
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import Citation, CitationKind, Decision, DocClass, Form, Verdict
from grounded_ingest.verify.admissibility import is_subject_matter
from grounded_ingest.verify.adr import adr_number
from grounded_ingest.verify.adr_status import standing


class Seed(NamedTuple):
    """A readable sentence of the repository. `bare` is its text without what it cites, empty where
    it cannot be read without; `cited` its one citation, if it has one."""

    text: str
    bare: str
    cited: Citation | None = None


class Plant(Struct, frozen=True):
    """A falsehood as it comes in.

    `text` is what is written, `form` how it is embedded, `beside` the true sentence before it;
    `files` come in the same change, `landed` in an earlier commit of the same branch.
    """

    text: str
    form: str = "paragraph"
    files: dict[str, str] = {}
    landed: dict[str, str] = {}
    beside: str = ""
    online: bool = False


class Decided(NamedTuple):
    """ADR numbers by what became of them, and how many digits the repository writes."""

    accepted: Sequence[int] = ()
    gone: Sequence[int] = ()
    ambiguous: Sequence[int] = ()
    width: int = 4

    @property
    def known(self) -> frozenset[int]:
        return frozenset((*self.accepted, *self.gone, *self.ambiguous))

    def name(self, number: int) -> str:
        return f"ADR-{number:0{self.width}}"


class World(NamedTuple):
    """A repository for trials.

    `cited` are claims that truly cite one source, `stated` sentences to make a falsehood of.
    `files` are source and configuration; `named` refs that look like object ids; `server` is a
    page server's base URL; `names` are what can be confused with each other.
    """

    cited: Sequence[Seed]
    stated: Sequence[Seed]
    commits: Sequence[str]
    unreachable: str
    named: Sequence[str]
    files: Sequence[str]
    moved: Sequence[str]
    deleted: Sequence[str]
    adrs: Decided
    server: str
    names: Sequence[str]


_ENOUGH = 30
"""Sentences to state; where cited ones are fewer, the repository's other sentences join them."""


def survey(
    decisions: Sequence[Decision], tree: Tree, config: Config, shop: Workshop, server: str
) -> World:
    """The world of a repository whose whole knowledge base was judged offline."""
    cited = [s for d in decisions if (s := _cited(d))]
    stated = [s for s in cited if s.bare]
    if len(stated) < _ENOUGH:
        stated += [s for d in decisions if (s := _stated(d))]
    moved, deleted = _left(shop, tree)
    return World(
        cited=_once(cited),
        stated=_once(stated),
        commits=shop.git("log", "--no-merges", "--format=%H", "-n", "300", shop.head).split(),
        unreachable=shop.unreachable,
        named=shop.named,
        files=[p for p in tree.files if is_subject_matter(p)],
        moved=moved,
        deleted=deleted,
        adrs=_decided(tree, config),
        server=server,
        names=_names(d.place.claim.text for d in decisions if d.place.claim.form is Form.PROSE),
    )


def _cited(decision: Decision) -> Seed | None:
    """A sentence that its one citation grounds."""
    claim = decision.place.claim
    own = [c for c in claim.citations if c.own]
    if decision.rule != "verified-citation" or claim.form is not Form.PROSE or len(own) != 1:
        return None
    return (
        Seed(claim.text, without_citations(claim.text) or "", own[0])
        if readable(claim.text)
        else None
    )


def _stated(decision: Decision) -> Seed | None:
    """A sentence without a source, of a document that weighs no alternatives."""
    claim = decision.place.claim
    if decision.place.doc_class is DocClass.DECISIONS or decision.rule != "ungrounded":
        return None
    if claim.form is not Form.PROSE or claim.citations:
        return None
    return Seed(claim.text, claim.text) if without_citations(claim.text) == claim.text else None


def _once(seeds: Iterable[Seed]) -> list[Seed]:
    return list({s.text: s for s in seeds}.values())


def _left(shop: Workshop, tree: Tree) -> tuple[list[str], list[str]]:
    """Former paths of source files: moved, deleted. Left out where a path still leads somewhere, as
    one does whose file moved below another directory."""
    said = shop.git(
        "log", "--no-merges", "-M", "--diff-filter=DR", "--name-status", "--format=", "-n", "3000",
        shop.head,
    )  # fmt: skip
    moved: set[str] = set()
    deleted: set[str] = set()
    for line in said.splitlines():
        status, _, paths = line.partition("\t")
        path = paths.partition("\t")[0]
        if is_subject_matter(path) and not path.startswith('"') and not _leads(path, tree):
            (moved if status.startswith("R") else deleted).add(path)
    return sorted(moved), sorted(deleted - moved)


def _leads(path: str, tree: Tree) -> bool:
    return path in tree.files or any(p.endswith(f"/{path}") for p in tree.files)


def _decided(tree: Tree, config: Config) -> Decided:
    by_number: dict[int, list[str]] = {}
    for path in tree.files:
        if is_adr(config, path) and (number := adr_number(path)) is not None:
            by_number.setdefault(number, []).append(path)
    found: dict[str, list[int]] = {"accepted": [], "gone": [], "ambiguous": []}
    for number, paths in sorted(by_number.items()):
        verdict = standing((tree.read(paths[0]) or b"").decode(errors="replace"))[0]
        gone = "gone" if verdict is Verdict.REFUTED else "accepted"
        found["ambiguous" if len(paths) > 1 else gone].append(number)
    written = (
        re.search(r"\d+", path.rpartition("/")[2]) for paths in by_number.values() for path in paths
    )
    widths = Counter(len(m[0]) for m in written if m)
    return Decided(**found, width=widths.most_common(1)[0][0] if widths else 4)


def _names(texts: Iterable[str]) -> list[str]:
    """Proper names and acronyms: capitalised in mid-sentence, and never written small."""
    texts = list(texts)
    small = {w for text in texts for w in re.findall(r"\b[a-z]+\b", text)}
    pattern = r"(?<=[a-z,] )[A-Z](?:[a-z]+[A-Z0-9]\w*|[A-Z0-9]+\b|[a-z]{3,})(?![\w.]*\()"
    found = {w for text in texts for w in re.findall(pattern, text) if len(w) > 2}
    no_name = r"ADRs?\b|(?:[KMG]i?B|OK|TODO|NOT|API)$|\w*(?:Error|Exception)$"
    return sorted(w for w in found if w.lower() not in small and not re.match(no_name, w))


def is_line(seed: Seed) -> bool:
    """Whether a seed cites lines of a file."""
    return bool(seed.cited and seed.cited.kind is CitationKind.PATH and seed.cited.lines)


def citing(seed: Seed, text: str, adrs: Decided) -> str:
    """Another statement before a seed's citation."""
    assert seed.cited is not None
    text, raw = text.rstrip("."), seed.cited.raw
    match seed.cited.kind:
        case CitationKind.PATH:
            at = f":{seed.cited.lines[0]}" if seed.cited.lines else ""
            target = f"[the record]({raw})" if seed.cited.link else f"`{raw}{at}`"
            return f"{text} ({target})."
        case CitationKind.ADR:
            return f"{text} ({adrs.name(int(raw)) if raw.isdigit() else raw})."
        case CitationKind.COMMIT:
            return f"{text}, as of commit {raw}."
        case _:
            return f"{text} ({raw})."
