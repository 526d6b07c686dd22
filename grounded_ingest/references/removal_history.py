"""What the commits of a history took out: asked of git at once, and how far it was looked kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from time import monotonic
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.msgpack import decode, encode

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.ancestry import unreachable
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.git.word_search import commits_touching
from grounded_ingest.model.claims import Verdict
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.verify.context import Context

SECONDS = 2.0
"""Time for all looks into history of a run."""
_spent: WeakKeyDictionary[Repo, float] = WeakKeyDictionary()
WORDS = 60
"""Words that are looked for at once; the next run looks for those for which no time is left."""
SPANS = 4
"""Parts of history that are looked into, by how far the names were looked for before."""

Words = dict[str, Reference]


class RemovingChange(Struct, frozen=True):
    """A file that a commit changes in lines with one of the words, and the trees around it."""

    commit: str
    path: str
    before: CommitTree
    after: CommitTree


class HistorySearch(Struct, frozen=True):
    """`key` names what is looked for and by which reading, `patterns` are the pathspecs of the
    files that may have held it, `told_by` says what a change took out of the words."""

    key: str
    patterns: tuple[str, ...]
    told_by: Callable[[RemovingChange, Words], Answers]


class NameRemoval(Struct, frozen=True):
    """What is said of a name that a commit took out."""

    commit: str
    answer: TreeAnswer


class _Searched(Struct, frozen=True, array_like=True):
    """How far a name was looked for: up to `start`; and the commit that took it out, if any."""

    start: str
    commit: str = ""
    target: str = ""
    reason: str = ""


Removals = dict[Reference, NameRemoval]


def removed_up_to(left: Words, start: str, context: Context, search: HistorySearch) -> Removals:
    """What the commits up to `start` took out. How far a word was looked for is kept with what was
    found, so that the next run looks at what came since; also where git did not end in time."""
    ledger = context.ledger
    known = _known(left, start, context, search)
    told = {left[w]: _as_removal(k) for w, k in known.items() if k.commit}
    kept: dict[bytes, bytes] = {}
    for since, asked in _some_at_once(_by_start(left, known)):
        if since != start:
            if _left(context) <= 0:
                context.repo.unfinished = True
                break
            told |= _between(since, start, asked, context, search)
            for reference in asked.values():
                kept[_key(reference, search)] = _as_kept(start, told.get(reference))
    if ledger is not None and kept:
        ledger.keep_judgements(kept)
    return told


def _some_at_once(by_start: Mapping[str, Words]) -> Iterator[tuple[str, Words]]:
    """Words with how far they were looked for, at most WORDS at once."""
    for since, words in by_start.items():
        rest = iter(words.items())
        while some := dict(islice(rest, WORDS)):
            yield since, some


def _known(
    left: Words, start: str, context: Context, search: HistorySearch
) -> dict[str, _Searched]:
    """How far words were looked for by earlier runs, as far as that holds for `start`."""
    ledger, known = context.ledger, dict[str, _Searched]()
    for word, reference in left.items():
        kept = ledger.judgement(_key(reference, search)) if ledger is not None else None
        found = decode(kept, type=_Searched) if kept is not None else None
        if found and (found.start == start or context.repo.objects.get(found.start) is not None):
            known[word] = found
    # What was taken out on another branch may be there on this one.
    taken = {k.commit for k in known.values() if k.commit and k.start != start}
    apart = unreachable(context.repo, taken, start) if taken else set()
    return {word: k for word, k in known.items() if k.start == start or k.commit not in apart}


def _as_removal(kept: _Searched) -> NameRemoval:
    return NameRemoval(kept.commit, TreeAnswer(Verdict.REFUTED, kept.target, kept.reason))


def _as_kept(start: str, told: NameRemoval | None) -> bytes:
    if told is None:
        return encode(_Searched(start))
    return encode(_Searched(start, told.commit, told.answer.target, told.answer.reason))


def _by_start(left: Words, known: Mapping[str, _Searched]) -> dict[str, Words]:
    """The words by the commit up to which they were looked for, "" where they never were."""
    found: dict[str, Words] = {}
    for word, reference in left.items():
        since = known[word].start if word in known else ""
        if since not in found and len(found) >= SPANS:
            since = ""
        found.setdefault(since, {})[word] = reference
    return found


def _left(context: Context) -> float:
    """Seconds that are left of a run's time for history."""
    return SECONDS - _spent.get(context.repo, 0.0)


def _key(reference: Reference, search: HistorySearch) -> bytes:
    return f"{search.key}, history 2:{reference.name}".encode()


def _between(
    since: str, start: str, words: Words, context: Context, search: HistorySearch
) -> Removals:
    """What the commits of a part of history took out, the newest first."""
    told: Removals = {}
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
            answers = search.told_by(RemovingChange(commit, path, before, after), left)
            told |= {r: NameRemoval(commit, answer) for r, answer in answers.items()}
        if all(r in told for r in words.values()):
            break
    return told
