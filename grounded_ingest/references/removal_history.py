"""What the commits of a history took out: asked of git at once, and how far it was looked kept."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from time import monotonic
from typing import NamedTuple
from weakref import WeakKeyDictionary

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.git.word_search import commits_touching
from grounded_ingest.references.reference import Answers, Reference
from grounded_ingest.verify.context import Context

SECONDS = 2.0
"""Time for all looks into history of a run."""
_spent: WeakKeyDictionary[Repo, float] = WeakKeyDictionary()
WORDS = 60
"""Words that are looked for at once; the next run looks for those that are left."""
SPANS = 4
"""Parts of history that are looked into, by how far the names were looked for before."""

Words = dict[str, Reference]


class RemovingChange(NamedTuple):
    """A file that a commit changes in lines with one of the words, and the trees around it."""

    commit: str
    path: str
    before: CommitTree
    after: CommitTree


class HistorySearch(NamedTuple):
    """`key` names what is looked for and by which reading, `patterns` are the pathspecs of the
    files that may have held it, `told_by` says what a change took out of the words."""

    key: str
    patterns: tuple[str, ...]
    told_by: Callable[[RemovingChange, Words], Answers]


def removed_up_to(left: Words, start: str, context: Context, search: HistorySearch) -> Answers:
    """What the commits up to `start` took out. How far a word was looked for in vain is kept, so
    that the next run looks at what came since; also where git did not end in time."""
    told: Answers = {}
    kept: dict[bytes, bytes] = {}
    for since, words in _by_search(left, context, search).items():
        if since != start:
            asked = dict(islice(words.items(), WORDS))
            unsought = _left(context) <= 0
            if context.ledger is not None and (unsought or len(asked) < len(words)):
                context.ledger.owes = True
            if unsought:
                break
            told |= _between(since, start, asked, context, search)
            vain = (word for word, reference in asked.items() if reference not in told)
            kept |= {_searched(word, search): start.encode() for word in vain}
    if context.ledger is not None:
        context.ledger.keep_judgements(kept)
    return told


def _by_search(left: Words, context: Context, search: HistorySearch) -> dict[str, Words]:
    """The words by the commit up to which they were looked for, "" where they never were."""
    found: dict[str, Words] = {}
    ledger = context.ledger
    for word, reference in left.items():
        kept = ledger.judgement(_searched(word, search)) if ledger is not None else None
        since = kept.decode() if kept else ""
        known = since in found or len(found) < SPANS
        if not known or (since and context.repo.objects.get(since) is None):
            since = ""
        found.setdefault(since, {})[word] = reference
    return found


def _left(context: Context) -> float:
    """Seconds that are left of a run's time for history."""
    return SECONDS - _spent.get(context.repo, 0.0)


def _searched(word: str, search: HistorySearch) -> bytes:
    return f"{search.key}, history:{word}".encode()


def _between(
    since: str, start: str, words: Words, context: Context, search: HistorySearch
) -> Answers:
    """What the commits of a part of history took out, the newest first."""
    told: Answers = {}
    span = f"{since}..{start}" if since else start
    began, seconds = monotonic(), _left(context)
    try:
        history = commits_touching(context.repo, span, words, search.patterns, seconds=seconds)
    except GroundedIngestError:
        return {}
    finally:
        _spent[context.repo] = _spent.get(context.repo, 0.0) + monotonic() - began
    for commit, paths in history:
        parent = context.repo.objects.get(f"{commit}^")
        if parent is None:
            continue
        before, after = CommitTree(context.repo, parent.oid), CommitTree(context.repo, commit)
        for path in paths:
            left = {w: r for w, r in words.items() if r not in told}
            told |= search.told_by(RemovingChange(commit, path, before, after), left)
        if all(r in told for r in words.values()):
            break
    return told
