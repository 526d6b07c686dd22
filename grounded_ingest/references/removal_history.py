"""Finds the commit that removed a name in code or an environment variable.

`git.history` finds the commits that removed a line with the name. This module parses the file
before and after the commit to decide whether the definition was removed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct
from msgspec.msgpack import decode, encode

from grounded_ingest.code.definitions import (
    CodeDefinition,
    body_of,
    definitions_in,
    definitions_of,
    has_parser,
)
from grounded_ingest.code.grammars import LANGUAGES, language_of
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.commit_walk import NameReader, Removal
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import LARGEST, CommitTree, text_of
from grounded_ingest.git.word_search import files_with
from grounded_ingest.model.claims import Verdict
from grounded_ingest.references.commit import dated_subject
from grounded_ingest.references.context import Context
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.rules.reference_rules import BY_CHANGE
from grounded_ingest.text.patterns import compiled

_KEYWORDS = (
    rb"def|class|func|function\*?|fn|struct|enum|union|trait|type|interface|const|let|var|val|mod|"
    rb"module|namespace|static|record|macro_rules!|attr_\w+|fun|protocol|extension|actor|object|"
    rb"typealias|typedef|mixin|using|case|#define"
)
_MODIFIERS = (
    rb"export|default|async|public|private|protected|internal|static|final|readonly|abstract|"
    rb"override|virtual|pub(?:\([^)\n]*\))?|unsafe|extern|get|set|declare|local"
)
_WORD = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]{2,119}"
_AFTER_KEYWORD = re.compile(
    rb"(?<!\w)(?:%s)[ \t]++(?:\([^()\n]{0,200}\)[ \t]*+|self\.)?:?(%s)" % (_KEYWORDS, _WORD)
)
_FIRST = re.compile(
    rb"(?m)^[ \t]*+(?:(?:%s)[ \t]++)*+(?:(?:self|cls|this)\.)?[#@*]{0,2}(%s)"
    rb"(?![\w$.\x80-\xff])[ \t]*+(\(?)(.*)" % (_MODIFIERS, _WORD)
)
_AFTER_TYPE = re.compile(
    rb"(?m)^[ \t]*+(?:[\w@][\w<>\[\],.?:*&]{0,100}[ \t]++){1,8}[*&]*(?:\w++::){0,4}(%s)"
    rb"[ \t]*+[({=;\[]" % _WORD
)
"""Matches definitions that begin with their type: `private static final int LIMIT =`, `Map<String,
Row> load(`, `int *Store::rows(`."""
_TYPES_FIRST = (".java", ".cs", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx")

UNREAD = "no file contains this name, and only a part of the history was searched"

_DEFINITIONS = "definitions 6"
"""Prefix of the cache keys for results from history. Raise the number if a parser changes."""
_ALIKE = 0.5
"""Share of lines that a renamed and changed definition must keep."""
_FILES = 60
"""Maximum number of files that are parsed to find a removal in the current change."""

Words = dict[str, Reference]
"""Maps each word that is searched for in history to the reference with this word."""


class RemovingChange(Struct, frozen=True):
    """A file that a commit changes. `before` and `after` are the texts of the file before and after
    the commit. A text is empty if the file did not exist."""

    commit: str
    path: str
    before: str
    after: str


class NameRemoval(Struct, frozen=True):
    """Says whether a name was removed, renamed or perhaps neither (`answer`), and by which commit.
    `commit` is empty if the checked change removed the name, or if the commit is unknown."""

    commit: str
    answer: TreeAnswer


Removed = dict[Reference, NameRemoval]


_INSTALLED = compiled(r"(?:^|/)(?:node_modules|site-packages|\.?venv|vendor|third_party)/")
"""Matches the paths of other people's code."""


def _names_on(path: str, lines: bytes) -> Collection[str]:
    """Returns the names that removed lines may have defined. The result may contain too
    many names, because each name is checked by a parser later."""
    found: set[bytes] = set()
    in_c = language_of(path) == "cpp"
    if has_parser(path) and not _INSTALLED.search(path):
        found.update(_AFTER_KEYWORD.findall(lines))
        for name, opens, rest in _FIRST.findall(lines):
            # `load(rows)` is a call. `load(rows) {` and `load(` may begin a definition, and in C a
            # definition may begin in the line below its type.
            if in_c or not opens or (rest.rstrip() or opens).endswith((b"{", b"(")):
                found.add(name)
        if path.endswith(_TYPES_FIRST):
            found.update(_AFTER_TYPE.findall(lines))
    return {name.decode(errors="replace") for name in found}


@cache
def _reader() -> NameReader:
    return NameReader("names 5", tuple(f"*.{end}" for end in sorted(LANGUAGES)), _names_on)


def find_removals(lost: Words, context: Context) -> Removed:
    """Finds out whether the current change or an earlier commit removed the names in `lost`, which
    the tree does not have.

    The reason of a result is "removed" or "renamed to x". If history was not read to its end
    (`RemovalHistory.gaps`), a name that was not found is unknown.
    """
    found = _removed_by_change(lost, context)
    left = {w: r for w, r in lost.items() if r not in found}
    if left and context.start:
        found |= _removed_by_commits(left, context)
    return found


def _removed_by_change(lost: Words, context: Context) -> Removed:
    if not context.start or isinstance(context.tree, CommitTree):
        return {}
    base, start = context.base, context.start
    before = base.tree if base.commit == start else CommitTree(context.repo, start)
    try:
        files = files_with(context.repo, before, lost, has_parser, cache=context.cache)
    except GroundedIngestError:
        return {}
    found: Removed = {}
    for path in dict.fromkeys(p for paths in files.values() for p in paths[:_FILES]):
        texts = (text_of(before, path) or "", text_of(context.tree, path) or "")
        for reference, answer in _removed_names(RemovingChange("", path, *texts), lost).items():
            answer = answer._replace(reason=f"{answer.reason}{BY_CHANGE}")
            found.setdefault(reference, NameRemoval("", answer))
    return found


def _removed_by_commits(left: Words, context: Context) -> Removed:
    found: Removed = {}
    candidates = context.removals.removed_names(context.start, left, _reader())
    kept = _KeptAnswers(context)
    for removal, words in _newest_first(candidates):
        for reference in (left[w] for w in words if left[w] not in found):
            if answer := kept.answer(removal, reference):
                when = f"in {removal.commit[:12]} {dated_subject(removal.commit, context)}".rstrip()
                answer = answer._replace(reason=f"{answer.reason} {when}")
                found[reference] = NameRemoval(removal.commit, answer)
    kept.keep()
    if _reader().version in context.removals.gaps:
        unread = (r for r in left.values() if r not in found)
        found |= {r: NameRemoval("", TreeAnswer(Verdict.UNKNOWN, r.name, UNREAD)) for r in unread}
    return found


class _KeptAnswers:
    """The cached results of a parser about removals. Cached results stay valid, because commits do
    not change."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._new: dict[bytes, bytes] = {}

    def answer(self, removal: Removal, reference: Reference) -> TreeAnswer | None:
        """Returns the result for a name and a commit that removed a line with the name. Returns
        None if the commit did not remove the name's definition."""
        place = f"{removal.commit}:{removal.path}"
        key = f"{_DEFINITIONS}:{reference.name}:{place}".encode(errors="surrogateescape")
        if (known := self._context.cache.get_one("removal", key)) is not None:
            target, reason, to = decode(known, type=tuple[str, str, str])
            return TreeAnswer(Verdict.REFUTED, target, reason, instead=to) if target else None
        change = _change_of(self._context.repo, removal)
        if change is None:
            return None
        answer = _removed_names(change, {reference.name: reference}).get(reference)
        row = (answer.target, answer.reason, answer.instead) if answer else ("", "", "")
        self._new[key] = encode(row)
        return answer

    def keep(self) -> None:
        if self._new:
            self._context.cache.put("removal", self._new)


def _newest_first(
    candidates: Mapping[str, list[Removal]],
) -> Iterator[tuple[Removal, list[str]]]:
    """Yields each removal once, newest first, with the searched words on the removed lines."""
    words: dict[Removal, list[str]] = {}
    for word, removals in candidates.items():
        for removal in removals:
            words.setdefault(removal, []).append(word)
    yield from sorted(words.items(), reverse=True)


def _change_of(repo: Repo, removal: Removal) -> RemovingChange | None:
    commit, path = removal.commit, removal.path
    before, after = (_text(repo, f"{at}:{path}") for at in (f"{commit}^", commit))
    return None if before is None or after is None else RemovingChange(commit, path, before, after)


def _text(repo: Repo, revision: str) -> str | None:
    """Returns the text of a file. Returns an empty string if the file does not exist, and None if
    the file is too large or missing in the clone."""
    found = repo.objects.get(revision)
    if found is None or found.type != "blob":
        return ""
    content = repo.objects.read(found.oid) if found.size <= LARGEST else None
    return None if content is None else content.decode(errors="replace")


def _removed_names(change: RemovingChange, left: Words) -> Answers:
    has = definitions_in(change.path, change.after)
    if has is None:  # the parser failed, so the definitions are unknown
        return {}
    had = definitions_in(change.path, change.before) or ()
    found_answers: Answers = {}
    for reference in left.values():
        if not (was := definitions_of(had, reference.name)) or definitions_of(has, reference.name):
            continue
        to = _renamed(was[0], had, has, change)
        found_answers[reference] = TreeAnswer(
            Verdict.REFUTED,
            f"{change.path}::{reference.name}",
            f"renamed to {to}" if to else "removed",
            instead=f"{change.path}::{to}" if to else "",
        )
    return found_answers


def _renamed(
    was: CodeDefinition,
    had: Iterable[CodeDefinition],
    has: Iterable[CodeDefinition],
    change: RemovingChange,
) -> str:
    """Returns the new name of a removed definition: the only added one with the same body, or, if
    one was removed and one added, the added one with half of its lines. Empty if there is none."""
    gone, new = _of_its_kind(was, had, has), _of_its_kind(was, has, had)
    old = body_of(was, change.before)
    bodies = {d.name: body_of(d, change.after).replace(d.name, was.name) for d in new}
    same = [name for name, body in bodies.items() if body == old]
    if len(same) == 1:
        return same[0]
    if len(gone) != 1 or len(bodies) != 1:
        return ""
    name, body = next(iter(bodies.items()))
    from difflib import SequenceMatcher  # imported late for a fast start

    ratio = SequenceMatcher(None, old.split("\n"), body.split("\n")).ratio()
    return name if ratio >= _ALIKE else ""


def _of_its_kind(
    was: CodeDefinition, some: Iterable[CodeDefinition], without: Iterable[CodeDefinition]
) -> list[CodeDefinition]:
    """Returns the definitions in `some` with the same kind and owner as `was`, except those whose
    qualified name is in `without`."""
    others = {d.qualified for d in without}
    place = was.kind, was.owner
    return [d for d in some if (d.kind, d.owner) == place and d.qualified not in others]
