"""What a falsehood can be made of: the repository's own commits, files, decisions and names."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import NamedTuple

from grounded_ingest.git import Repo
from grounded_ingest.model import CitationKind, Claim

PAGES = {"dead": "/gone", "live": "/page"}


class Seed(NamedTuple):
    """A true claim that cites its source, and the document it stands in."""

    claim: Claim
    path: str

    @property
    def text(self) -> str:
        return self.claim.text


class World(NamedTuple):
    """A repository for trials. Commits are object ids, `server` a local server's base URL."""

    repo: Repo
    seeds: Sequence[Seed]
    commits: Sequence[str]
    unreachable: str
    named: Sequence[str]
    files: Sequence[str]
    moved: Sequence[str]
    deleted: Sequence[str]
    adrs: dict[str, list[int]]
    server: str
    names: Sequence[str]


class Plant(NamedTuple):
    """A falsehood as it comes in.

    `text` is what is written, `form` how it is embedded, `files` come in the same change,
    `landed` in an earlier commit of the same branch.
    """

    text: str
    form: str = "paragraph"
    files: dict[str, str] = {}
    landed: dict[str, str] = {}
    beside: str = ""


_NUMBER = re.compile(r"(?<![\w.`/:#-])\d[\d_,]*(?:\.\d+)?(?![\w.]*[`)\]]|\w)")


def cites(seed: Seed, kind: CitationKind, *, lines: bool | None = None) -> bool:
    """Whether a seed cites this kind, and only it."""
    own = [c for c in seed.claim.citations if c.own]
    if len(own) != 1 or own[0].kind is not kind:
        return False
    return lines is None or (own[0].lines is not None) == lines


def citation(seed: Seed) -> str:
    """The citation of a seed as it is written in its text."""
    own = next(c for c in seed.claim.citations if c.own)
    if own.kind is CitationKind.ADR:
        found = re.search(
            r"ADRs?[-\s]?0*" + str(int(own.raw)) if own.raw.isdigit() else own.raw, seed.text
        )
        return found[0] if found else own.raw
    return own.raw


def statement(seed: Seed) -> str:
    """A seed's text without what it cites."""
    text = re.sub(r"\s*[(\[][^()\[\]]*`[^`]+`[^()\[\]]*[)\]]", "", seed.text)
    text = re.sub(
        r"\s*\((?:see )?ADR[^)]*\)|(?:Per|per) ADR-?\s?\d+,?\s*|,? per ADR-?\s?\d+", "", text
    )
    text = re.sub(r",? see \[[^\]]*\]\([^)]*\)|\[[^\]]*\]\([^)]*\)", "it", text)
    text = re.sub(r",?(?: (?:in|with|by|as))?(?: commit)? `?\b[0-9a-f]{7,40}\b`?", "", text)
    for cited in seed.claim.citations:
        text = re.sub(rf"`?{re.escape(cited.raw)}(?::\d+(?:-\d+)?)?`?", "it", text)
    return text[:1].upper() + text[1:]


def with_statement(seed: Seed, changed: str) -> str:
    """A seed's citation behind another statement."""
    own = next(c for c in seed.claim.citations if c.own)
    match own.kind:
        case CitationKind.PATH:
            at = f":{own.lines[0]}" if own.lines else ""
            return f"{changed.rstrip('.')} (`{own.raw}{at}`)."
        case CitationKind.ADR:
            return (
                f"{changed.rstrip('.')} (ADR-{int(own.raw):04})." if own.raw.isdigit() else changed
            )
        case CitationKind.COMMIT:
            return f"{changed.rstrip('.')} in commit {own.raw}."
        case CitationKind.URL | CitationKind.ISSUE:
            return f"{changed.rstrip('.')} ({own.raw})."


def change_number(text: str, rng: random.Random) -> str | None:
    """The text with one of its numbers changed; None without one."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    hit = rng.choice(found)
    value = hit[0].replace(",", "").replace("_", "")
    new = (
        f"{float(value) * 2 + 0.5:g}"
        if "." in value
        else str(int(value) * rng.choice([2, 3, 10]) + rng.choice([0, 1]))
    )
    return text[: hit.start()] + new + text[hit.end() :] if new != value else None
