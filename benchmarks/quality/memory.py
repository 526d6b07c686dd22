"""What is extracted, on labelled lines: recall, weighted recall, target precision, accuracy, F1.

The measures are those of HaluMem (arXiv:2511.03506, section 4 and its evaluation script), which has
them judged by a language model on dialogues. Here the memories are claims, the reference is a
line that somebody read and labelled, and the scores, 0, half or 1 as there, are counted in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from benchmarks.quality.labels import Split, clone_below, fingerprint
from grounded_ingest.config.settings import classify
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import Claim, Form
from grounded_ingest.repository.judging_config import read_config
from grounded_ingest.text.patterns import compiled

WHOLE, FAITHFUL = 0.9, 0.8
"""Share of a line's words from which on it counts as extracted in full; share of a claim's words
from which on it counts as half faithful to its lines."""

_WORD = compiled(r"[^\W\d_][\w'-]*")
_MARKER = compiled(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_LINK_FILE = "120000"

T = TypeVar("T", bound=Struct)


class Sentence(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="memory-sentence"
):
    """A line that was read: does what stands on it belong to a claim, and how much would a wrong
    version of it mislead (`weight` 1 to 3, 0 for no claim). `first` is the first reading where the
    second, which stands, differs."""

    repo: str
    commit: str
    path: str
    line: int
    sha256: str
    label: Literal["claim", "none"]
    weight: int = 0
    first: bool | None = None
    first_weight: int | None = None
    split: Split = "open"

    @property
    def claim(self) -> bool:
        return self.label == "claim"


class Read(NamedTuple):
    """A labelled line and what extraction made of it: the share of its words inside claims, and a
    score for the faithfulness of each of these claims."""

    sentence: Sentence
    text: str
    covered: float
    faithful: tuple[float, ...] = ()

    @property
    def extracted(self) -> bool:
        return self.covered > 0

    @property
    def score(self) -> float:
        return 1.0 if self.covered >= WHOLE else 0.5 if self.extracted else 0.0


class Labelled(Protocol):
    """A label of either half of the corpus."""

    @property
    def split(self) -> Split: ...


L = TypeVar("L", bound=Labelled)


def of_half(labels: Sequence[L], half: str) -> list[L]:
    """The labels of half `open` or `held`; all of them for ``."""
    return [x for x in labels if half in ("", x.split)]


def extracted(sentences: Sequence[Sentence], repos: str) -> tuple[list[Read], list[str]]:
    """Every line with what is extracted of it, and in words what was left out: clones, commits and
    lines that are not there."""
    done, left_out = list[Read](), list[str]()
    ordered = sorted(sentences, key=lambda s: (s.repo, s.commit, s.path))
    for (name, commit), group in groupby(ordered, key=lambda s: (s.repo, s.commit)):
        labelled = list(group)
        if not (clone := clone_below(repos, name)):
            left_out.append(f"{name}: no clone below {repos}: {len(labelled)} left out")
            continue
        with Repo(clone, own=False) as repo:
            for found in _of_commit(repo, commit, labelled):
                if isinstance(found, str):
                    left_out.append(found)
                else:
                    done.append(found)
    return done, left_out


def _of_commit(repo: Repo, commit: str, sentences: Sequence[Sentence]) -> Iterator[Read | str]:
    if not repo.objects.get(commit):
        yield f"{sentences[0].repo}: {commit[:12]} is not there: {len(sentences)} left out"
        return
    tree = CommitTree(repo, commit)
    config = read_config(tree)
    for path, group in groupby(sentences, key=lambda s: s.path):
        entry, doc_class = tree.entry(path), classify(config, path)
        content = (repo.objects.read(entry.oid) if entry else None) or b""
        lines = content.decode(errors="replace").split("\n")
        claims: tuple[Claim, ...] = ()
        if entry is not None and doc_class is not None and entry.mode != _LINK_FILE:
            claims = extract(content, path, doc_class).claims
        for sentence in group:
            yield _read(sentence, lines, claims)


def _read(sentence: Sentence, lines: Sequence[str], claims: Sequence[Claim]) -> Read | str:
    at = sentence.line
    if at > len(lines) or fingerprint(lines[at - 1]) != sentence.sha256:
        return f"{sentence.repo}:{sentence.path}:{at}: the line is another: left out"
    words = _words(_MARKER.sub("", lines[at - 1]))
    over = [(c, _words(c.text)) for c in claims if c.line <= at <= c.end_line]
    over = [(c, own) for c, own in over if own & words or not words]
    inside = frozenset[str]().union(*(own for _, own in over))
    covered = (len(words & inside) / len(words) if words else 1.0) if over else 0.0
    faithful = tuple(_faithful(c, own, lines) for c, own in over)
    return Read(sentence, lines[at - 1], covered, faithful)


def _words(text: str) -> frozenset[str]:
    return frozenset(w.lower() for w in _WORD.findall(text))


def _faithful(claim: Claim, words: frozenset[str], lines: Sequence[str]) -> float:
    """1 where every word of a claim stands on its lines (of a row: or at the head of its table)."""
    first = claim.line - 1
    source = "\n".join(lines[first : claim.end_line])
    if claim.form is Form.ROW:
        while first > 0 and lines[first - 1].strip():
            first -= 1
        source += "\n" + "\n".join(lines[first : first + 2])
    share = len(words & _words(source)) / len(words) if words else 1.0
    return 1.0 if share == 1 else 0.5 if share >= FAITHFUL else 0.0
