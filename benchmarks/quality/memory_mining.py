"""Candidates for labelled updates: lines of documents that a commit rewrote in place.

Nothing of the product's own rules for updates is used, so that what they miss can be drawn too.
What is found is only like an update: somebody reads it and says.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from msgspec import Struct

from benchmarks.quality.labels import fingerprint
from grounded_ingest.config.settings import classify
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.repository.judging_config import read_config
from grounded_ingest.text.patterns import compiled

LEAST_WORDS, LEAST_ALIKE = 4, 0.4
"""Words of a line that is drawn, and how alike the two have to be (of difflib)."""

_HUNK = compiled(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_WORD = compiled(r"[\w./-]*\w")


class Candidate(Struct, frozen=True):
    """A line of a document and the one of the parent's that it may revise (`old_line` 0: none)."""

    commit: str
    path: str
    line: int
    sha256: str
    text: str
    old_path: str = ""
    old_line: int = 0
    old_sha256: str = ""
    old_text: str = ""


class _Hunk(NamedTuple):
    old_start: int
    new_start: int
    old: list[str]
    new: list[str]


def candidates(repo: Repo, seed: int, commits: int, *, added: bool = False) -> Iterator[Candidate]:
    """One rewritten line of each of so many commits drawn from history; with `added`, one new line
    that nothing was taken away for."""
    config = read_config(CommitTree(repo, repo.head()))
    touching = [
        (oid, parent)
        for oid, parent, _, paths in repo.history()
        if any(classify(config, p) is not None for p in paths)
    ]
    rng = random.Random(seed)
    rng.shuffle(touching)
    for oid, parent in touching[:commits]:
        found = [
            c
            for change in repo.between(parent, oid)
            if change.old and change.new and classify(config, change.path) is not None
            for c in _of_document(repo, oid, (change.old_path, change.path), parent, added)
        ]
        if found:
            yield rng.choice(found)


def _of_document(
    repo: Repo, oid: str, paths: tuple[str, str], parent: str, added: bool
) -> Iterator[Candidate]:
    for hunk in _hunks(repo, f"{parent}:{paths[0]}", f"{oid}:{paths[1]}"):
        for at, text in enumerate(hunk.new):
            if len(_words(text)) < LEAST_WORDS:
                continue
            of = Candidate(oid, paths[1], hunk.new_start + at, fingerprint(text), text)
            if added:
                if not hunk.old:
                    yield of
            elif former := _nearest(text, hunk.old):
                yield Candidate(
                    *(of.commit, of.path, of.line, of.sha256, text, paths[0]),
                    hunk.old_start + former - 1,
                    fingerprint(hunk.old[former - 1]),
                    hunk.old[former - 1],
                )


def _hunks(repo: Repo, old: str, new: str) -> Iterator[_Hunk]:
    """The differing runs of lines of two blobs."""
    hunk = None
    for line in repo.run("diff", "-U0", "--no-color", "--no-ext-diff", old, new).splitlines():
        text = line.decode(errors="replace")
        if found := _HUNK.match(text):
            if hunk:
                yield hunk
            hunk = _Hunk(int(found[1]), int(found[3]), [], [])
        elif hunk and text[:1] in "+-":
            (hunk.new if text[0] == "+" else hunk.old).append(text[1:])
    if hunk:
        yield hunk


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _nearest(text: str, among: Sequence[str]) -> int:
    """The number, from 1, of the line most like a text, other words in it; 0: none is."""
    words = _words(text)
    alike = [SequenceMatcher(None, words, _words(line)).ratio() for line in among]
    best = max(range(len(alike)), key=alike.__getitem__, default=-1)
    return best + 1 if best >= 0 and LEAST_ALIKE <= alike[best] < 1 else 0
