"""Checks the packages that a document lists as those of the project: the row "| GUI | leva |" or
the item "**ORM**: Prisma, for rows" below a heading such as "Tech stack", and `@scope/name` there.

A package is wrong if a commit removed it from a manifest above the document, and only prose
contains its name now. A package that no manifest had may be part of another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from posixpath import dirname, join

from grounded_ingest.code.package_versions import VERSION_LISTING, package_versions
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.commit_text import last_removal
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.commit import dated_subject
from grounded_ingest.references.context import Context
from grounded_ingest.references.package_version import STACK, SUPPORT
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.references.written_options import is_current_prose
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.SYMBOL
_OF = "package"
_NAME = compiled(
    r"(?:^|; )[^:;]{1,40}:[`* ]+(?P<name>@?[A-Za-z][\w./-]+)[`*]*(?=;|\.?$|,| \(| [–—-] )"
    r"|`(?P<scoped>@[a-z][\w-]*/[\w.-]+)`"
)
"""Matches a package behind a label or in a cell, and a package with a scope in a sentence."""
_SERVERS = frozenset(words.SERVERS.split())
_LOOKS = 40
"""Maximum number of names in one run that are searched in history."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the packages that a claim in a section about the project's stack lists."""
    if not STACK.search(claim.section) or SUPPORT.search(claim.section):
        return ()
    found = (
        (m["name"] or m["scoped"], m.start("name" if m["name"] else "scoped"))
        for m in _NAME.finditer(claim.text)
    )
    return [
        Reference(KIND, path, name, at, at + len(name), _OF)
        for name, at in found
        if name.lower() not in _SERVERS
    ]


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a result for each package that a commit removed and that only prose contains."""
    own = [r for r in asked if r.of == _OF and is_current_prose(r.path)]
    spelled = {r: {(name := r.name.rpartition("/")[2]), name.lower()} for r in own}
    if not own or context.brief:
        return {}
    try:
        there = files_with(
            context.repo, context.tree, {*chain(*spelled.values())}, NO_PROSE, cache=context.cache
        )
    except GroundedIngestError:
        return {}
    lost = islice((r for r in own if spelled[r].isdisjoint(there)), _LOOKS)
    return {r: answer for r in lost if (answer := _answer(r, context))}


def _answer(asked: Reference, context: Context) -> TreeAnswer | None:
    for path in _manifests_above(asked.path, context):
        removal = last_removal(context.repo, context.start, path, asked.name, context.cache)
        if removal is None:
            continue
        before, after = (package_versions(path, t) for t in (removal.before, removal.after))
        names = {asked.name, asked.name.lower()}
        if names & {*before} and not names & {*after}:
            known = context.repo.objects.get(removal.commit)
            when = dated_subject(known.oid, context) if known else ""
            why = f"{path} has no {asked.name}: removed in {removal.commit} {when}".rstrip()
            return TreeAnswer(Verdict.REFUTED, asked.name, why)
    return None


def _manifests_above(document: str, context: Context) -> Iterator[str]:
    for folder in directories_from(dirname(document)):
        yield from filter(context.tree.has, (join(folder, name) for name in VERSION_LISTING))
