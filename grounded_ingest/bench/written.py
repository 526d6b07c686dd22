"""Sentences that somebody wrote over real sources, false ones beside true ones: what of each is
approved, and how strongly."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from grounded_ingest.bench.figures import wilson
from grounded_ingest.bench.second_opinions import BenchJudge, SecondOpinions, second_opinions
from grounded_ingest.bench.workshop import Workshop
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Decision, Strength
from grounded_ingest.model.digests import sha256
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.as_json import pretty

Part = Literal["open", "held", "all"]
SCHEMA = "grounded-ingest/bench-written/1"
KINDS = ("false", "near", "free")
"""A falsehood; its true twin near the source's words; the same truth in other words."""


class WrittenItem(Struct, frozen=True, rename={"sentence_class": "class"}):
    """A line of the file: three sentences that cite one place. Nobody looks at those that are
    `held` while the rules are mended. `read` is what a second reader, who was not told, made of
    `false` and `near`."""

    id: str
    repo: str
    commit: str
    kind: str
    source: str
    sentence_class: str
    false: str
    near: str
    free: str
    why: str = ""
    split: Literal["open", "held"] = "open"
    read: dict[str, str] = field(default_factory=dict)

    @property
    def agreed(self) -> bool:
        """Whether the second reader, where there was one, found the same."""
        return all(self.read.get(k, v) == v for k, v in (("false", "false"), ("near", "true")))


class WrittenTrial(Struct, frozen=True, rename={"sentence_class": "class"}):
    """What became of a sentence. `tier` 0: no claim stands where it was written."""

    id: str
    sentence_class: str
    kind: str
    tier: int
    rule: str
    strength: str
    reason: str
    text: str
    judge: bool | None = None
    both: bool | None = None
    opinion: str = ""

    @property
    def approved(self) -> bool:
        return self.tier == 1

    @property
    def quoted(self) -> bool:
        """Whether it is approved where `approve_at` is `quote`."""
        told = self.approved and self.strength not in ("", Strength.POINTER)
        return told and Strength(self.strength).rank >= Strength.QUOTE.rank


class WrittenRow(Struct, frozen=True):
    """Sentences of a class and a kind: how many, approved at `match`, at `quote`."""

    name: str
    kind: str
    sentences: int
    approved: int
    quoted: int
    interval: tuple[float, float]


class JudgedRow(Struct, frozen=True):
    """Sentences of a class and a kind: how many, approved by the rules alone, by the judge alone,
    and by both together; and those the judge did not judge."""

    name: str
    kind: str
    sentences: int
    rules: int
    judge: int
    both: int
    unknown: int


class WrittenRun(Struct, frozen=True):
    schema: str
    part: Part
    repositories: tuple[str, ...]
    left_out: int
    rows: tuple[WrittenRow, ...]
    totals: tuple[WrittenRow, ...]
    trials: tuple[WrittenTrial, ...]
    judge: str = ""
    judged: tuple[JudgedRow, ...] = ()


def read_items(path: str) -> list[WrittenItem]:
    """The lines of a file. Raises GroundedIngestError, naming the line."""
    decode, items, number = msgspec.json.Decoder(WrittenItem).decode, list[WrittenItem](), 0
    try:
        with open(path, "rb") as file:
            for row in file:
                number += 1
                if row.strip():
                    items.append(decode(row))
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise GroundedIngestError(f"{path}:{number}: {error}") from None
    return items


def written(
    items: Sequence[WrittenItem],
    repositories: Iterable[str],
    part: Part = "all",
    judge: BenchJudge | None = None,
    each: int = 0,
) -> WrittenRun:
    """Every sentence whose repository is at hand, staged in a clone at its commit and judged as the
    hook judges it, the network left alone; a judge is asked about each, where one is given. `each`:
    so many of a class at most, in the order of a digest of their ids."""
    wanted = [i for i in items if part == "all" or i.split == part]
    at_hand = _at_hand([i for i in wanted if i.agreed], repositories, each)
    trials: list[WrittenTrial] = []
    names: list[str] = []
    for source, there in at_hand.items():
        names += dict.fromkeys(i.repo for i in there)
        trials += _tried(source, there, judge)
    if not trials:
        raise GroundedIngestError(
            "no sentence of the file is of these repositories",
            "name a clone that has the commits of the file with --repo",
        )
    disputed = sum(not i.agreed for i in wanted)
    return WrittenRun(
        SCHEMA, part, tuple(names), disputed, tuple(_rows(trials)), tuple(_totals(trials)),
        tuple(trials), judge.name if judge else "", tuple(_judged_rows(trials)) if judge else (),
    )  # fmt: skip


def _at_hand(
    items: Sequence[WrittenItem], repositories: Iterable[str], each: int
) -> dict[str, list[WrittenItem]]:
    """The sentences of each repository."""
    found = {s: [i for i in items if _has(s, i.commit)] for s in repositories}
    if not each:
        return found
    drawn = {i.id for i in _drawn(chain.from_iterable(found.values()), each)}
    return {s: [i for i in there if i.id in drawn] for s, there in found.items()}


def _drawn(items: Iterable[WrittenItem], each: int) -> Iterator[WrittenItem]:
    so_far: Counter[str] = Counter()
    for item in sorted(items, key=lambda i: sha256(i.id.encode()).digest()):
        so_far[item.sentence_class] += 1
        if so_far[item.sentence_class] <= each:
            yield item


def _has(source: str, commit: str) -> bool:
    with Repo(source, own=False) as repo:
        found = repo.objects.get(commit)
    return found is not None and found.type == "commit"


def _tried(
    source: str, items: Sequence[WrittenItem], judge: BenchJudge | None
) -> Iterator[WrittenTrial]:
    by_commit: dict[str, list[WrittenItem]] = {}
    for item in items:
        by_commit.setdefault(item.commit, []).append(item)
    for commit, mine in by_commit.items():
        with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
            shop = Workshop(source, directory, commit)
            for kind in KINDS:  # twins would be near-duplicates of each other
                yield from _of_kind(shop, mine, kind, judge)


def _of_kind(
    shop: Workshop, items: Sequence[WrittenItem], kind: str, judge: BenchJudge | None
) -> Iterator[WrittenTrial]:
    path = "memory-bank/written.md"
    lines = ["# Notes", ""]
    for item in items:
        lines += [getattr(item, kind), ""]
    shop.stage({path: "\n".join(lines)})
    try:
        with Repo(shop.root, own=False) as repo:
            result = run(repo, Asked("staged"), Options(online=False))
            decisions = [d for d in result.report.decisions if d.place.path == path]
            told = second_opinions(result, path, judge) if judge else {}
            result.kb.index.close()
    finally:
        shop.restore()
    for number, item in enumerate(items):
        line = 3 + 2 * number
        here = [d for d in decisions if d.place.claim.line == line]
        trial = _trial(item, kind, here)
        yield _with_judge(trial, told.get(line)) if judge else trial


def _with_judge(trial: WrittenTrial, told: SecondOpinions | None) -> WrittenTrial:
    if told is None:  # what nobody judges is read all the same
        return replace(trial, judge=False, both=False, opinion="never judged")
    return replace(trial, judge=told.alone, both=told.both, opinion=told.reason)


def _trial(item: WrittenItem, kind: str, here: Sequence[Decision]) -> WrittenTrial:
    text = getattr(item, kind)
    if not here:
        return WrittenTrial(item.id, item.sentence_class, kind, 0, "", "", "never judged", text)
    worst = min(here, key=lambda d: d.tier)
    own = [e.reason for e in worst.own_evidence if e.reason]
    return WrittenTrial(
        item.id, item.sentence_class, kind, int(worst.tier), worst.rule,
        worst.strength or "", own[0] if own else "", text,
    )  # fmt: skip


def _rows(trials: Sequence[WrittenTrial]) -> Iterator[WrittenRow]:
    for name in sorted({t.sentence_class for t in trials}):
        for kind in KINDS:
            found = [t for t in trials if t.sentence_class == name and t.kind == kind]
            yield _row(name, kind, found)


def _totals(trials: Sequence[WrittenTrial]) -> Iterator[WrittenRow]:
    for kind in KINDS:
        yield _row("all", kind, [t for t in trials if t.kind == kind])


def _row(name: str, kind: str, found: Sequence[WrittenTrial]) -> WrittenRow:
    # What nobody judged is read by agents all the same.
    approved = sum(t.approved or (kind == "false" and t.tier == 0) for t in found)
    low, high = wilson(approved, len(found))
    interval = (round(low, 4), round(high, 4))
    return WrittenRow(name, kind, len(found), approved, sum(t.quoted for t in found), interval)


def _judged_rows(trials: Sequence[WrittenTrial]) -> Iterator[JudgedRow]:
    for name in (*sorted({t.sentence_class for t in trials}), "all"):
        for kind in KINDS:
            found = [t for t in trials if t.kind == kind and name in (t.sentence_class, "all")]
            counts = (
                sum(_counts(t, t.approved) for t in found),
                sum(_counts(t, bool(t.judge)) for t in found),
                sum(_counts(t, bool(t.both)) for t in found),
                sum(t.opinion.startswith("judge: ") for t in found),
            )
            yield JudgedRow(name, kind, len(found), *counts)


def _counts(trial: WrittenTrial, approved: bool) -> bool:
    return approved or (trial.kind == "false" and trial.tier == 0)


def as_json(told: WrittenRun) -> str:
    return pretty(told)


def _table(told: WrittenRun) -> Iterator[tuple[str, list[str]]]:
    rows: dict[str, dict[str, WrittenRow]] = {}
    for row in (*told.rows, *told.totals):
        rows.setdefault(row.name, {})[row.kind] = row
    for name, kinds in rows.items():
        cells = []
        for kind in KINDS:
            row = kinds[kind]
            cells += [f"{row.approved}/{row.sentences}", str(row.quoted)]
        yield name, cells


_COLUMNS = ("false", "at quote", "near", "at quote", "free", "at quote")


def as_text(told: WrittenRun) -> str:
    """The table, what held the true ones back, and the falsehoods that were approved."""
    lines = [f"{', '.join(told.repositories)}: {told.part}; {told.left_out} disputed left out", ""]
    lines.append(f"{'approved of':<22}" + "".join(f"{c:>10}" for c in _COLUMNS))
    lines += [f"{name:<22}" + "".join(f"{c:>10}" for c in cells) for name, cells in _table(told)]
    lines += map(_in_all, told.totals)
    lines += _judged_text(told)
    lines += ["", "true ones were held back by:"]
    for kind in KINDS[1:]:
        why = Counter(_why(t) for t in told.trials if t.kind == kind and not t.approved)
        lines += [f"  {kind}: {count:>4}  {said}" for said, count in why.most_common(8)]
    return "\n".join([*lines, *(_approved(told) if told.part != "held" else ())]) + "\n"


def _judged_table(told: WrittenRun) -> Iterator[tuple[str, list[str]]]:
    rows: dict[str, list[JudgedRow]] = {}
    for row in told.judged:
        rows.setdefault(row.name, []).append(row)
    for name, kinds in rows.items():
        yield name, [str(c) for r in kinds for c in (r.sentences, r.rules, r.judge, r.both)]


_JUDGED = [c for kind in KINDS for c in (kind, "rules", "judge", "both")]


def _judged_text(told: WrittenRun) -> list[str]:
    """Approved by the rules alone, by the judge alone, by both."""
    if not told.judged:
        return []
    lines = ["", f"with the judge {printable(told.judge, 100)}", ""]
    lines.append(f"{'approved of':<22}" + "".join(f"{c:>7}" for c in _JUDGED))
    lines += [
        f"{name:<22}" + "".join(f"{c:>7}" for c in cells) for name, cells in _judged_table(told)
    ]
    for row in told.judged[-len(KINDS) :]:
        shares = ", ".join(
            f"{who} {100 * n / max(1, row.sentences):.1f}% ({low:.1f} to {high:.1f}%)"
            for who, n in (("rules", row.rules), ("judge", row.judge), ("both", row.both))
            for low, high in [[100 * bound for bound in wilson(n, row.sentences)]]
        )
        lines.append(f"{row.kind}: {shares}; not judged {row.unknown}")
    return lines


def _in_all(row: WrittenRow) -> str:
    share = 100 * row.approved / max(1, row.sentences)
    low, high = (100 * b for b in row.interval)
    return f"{row.kind}: {share:.1f}% approved (95% interval {low:.1f} to {high:.1f}%)"


def _approved(told: WrittenRun) -> list[str]:
    approved = [t for t in told.trials if t.kind == "false" and t.tier in (0, 1)]
    lines = [f"  {t.id} ({t.strength}): {printable(t.text, 160)}" for t in approved]
    return ["", "false ones approved:", *lines] if lines else []


def _why(trial: WrittenTrial) -> str:
    """The rule, or the check of the cross-examination, without the words it names."""
    said = trial.reason.split("; ")[0].removeprefix("paraphrase: ")
    for start, end in (("“", "”"), ("`", "`")):
        while (at := said.find(start)) >= 0 and (to := said.find(end, at + 1)) >= 0:
            said = f"{said[:at]}…{said[to + 1 :]}"
    return f"{trial.rule}: {said.partition(':')[0]}" if said else trial.rule


def _as_markdown(told: WrittenRun) -> str:
    lines = [f"| approved of | {' | '.join(_COLUMNS)} |", "|---|" + "--:|" * len(_COLUMNS)]
    lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in _table(told)]
    if told.judged:
        lines += ["", f"| approved of | {' | '.join(_JUDGED)} |", "|---|" + "--:|" * len(_JUDGED)]
        lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in _judged_table(told)]
    return "\n".join(lines) + "\n"


def shown(told: WrittenRun, form: str) -> str:
    """In a format of `bench writeback`."""
    return {"json": as_json, "markdown": _as_markdown}.get(form, as_text)(told)
