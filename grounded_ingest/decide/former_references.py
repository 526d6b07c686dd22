"""Finds the wrong references that were already wrong before the change.

A wrong reference is new if its document now has more wrong references with the same kind and
target. For example, a commit that corrects a typo beside an old dead link gets no report, but a
second copy of the dead link is reported."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property

from msgspec.structs import replace

from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import Claim, Document, Evidence, Extraction, Place, Verdict
from grounded_ingest.references.code_blocks import WrongLine, refuted_lines
from grounded_ingest.references.context import Context
from grounded_ingest.references.reference import Over
from grounded_ingest.references.registry import judge_references, references_in
from grounded_ingest.repository.scope import Scoped
from grounded_ingest.rules.reference_rules import reference_kind
from grounded_ingest.text.patterns import compiled

WrongCounts = Counter[tuple[str, str]]
"""The number of wrong references in a document for each pair of kind and target."""

_FILE = compiled(r"(?s)(.+?)(#.*|::.*|:\d+(?:-\d+)?)")


class FormerReferences:
    """Looks up references in documents before a change, in the tree of each parent commit."""

    def __init__(self, scoped: Scoped, view: BaseView) -> None:
        self._scoped, self._view = scoped, view

    @cached_property
    def _old_paths(self) -> dict[str, str]:
        return {c.path: c.old_path for c in self._scoped.changes or ()}

    def documents(self, path: str) -> Iterator[tuple[CommitTree, str, Extraction]]:
        """Yields the tree of each parent commit, with the document's path and claims in that tree.
        A file that was not a document, or whose class had weaker rules, has no claims."""
        former = self._view.former
        for number, parent in enumerate(self._scoped.parents):
            tree = former.tree(parent)
            # Renames are known against the first parent only.
            old = self._old_paths.get(path, path) if number == 0 else path
            yield tree, old, former.extraction(path, tree, old, tree.entry(old))

    def mark_old(
        self, places: Sequence[Place], found: Sequence[tuple[Evidence, ...]], new: Sequence[bool]
    ) -> list[tuple[Evidence, ...]]:
        """Returns the evidence about claims, with `old` set on references that were already wrong
        before the change. `new` says for each claim whether the change adds it. If a wrong
        reference occurs more often than before, the copies in new claims count as new."""
        marked = list(found)
        by_document: dict[str, list[int]] = defaultdict(list)
        for number, cited in enumerate(found):
            if any(e.own and e.verdict is Verdict.REFUTED for e in cited):
                by_document[places[number].path].append(number)
        before = self._before({p: [places[n] for n in own] for p, own in by_document.items()})
        for path, numbers in by_document.items():
            for number in sorted(numbers, key=new.__getitem__):
                marked[number] = tuple(_mark_one(e, before[path]) for e in found[number])
        return marked

    def _before(self, wrong: Mapping[str, Sequence[Place]]) -> dict[str, WrongCounts]:
        """Returns how often each wrong reference was already in its document before the change.

        `wrong` has the paths of the documents and their claims with wrong references. Counts only
        claims that share a reference with a claim in `wrong`. If a change has several parents, the
        highest count is used.
        """
        most: dict[str, WrongCounts] = {path: Counter() for path in wrong}
        asked: dict[CommitTree, list[tuple[str, Place, Over]]] = defaultdict(list)
        for path, own in wrong.items():
            # Checking the whole former document would double the run time of the hook.
            names = {n for place in own for n in _names(path, place.claim)}
            for tree, old, extraction in self.documents(path):
                asked[tree] += [
                    (path, Place(old, own[0].doc_class, claim), extraction.context(claim))
                    for claim in extraction.claims
                    if not names.isdisjoint(_names(old, claim))
                ]
        for tree, rows in asked.items():
            counts: dict[str, WrongCounts] = defaultdict(Counter)
            over = [above for _, _, above in rows]
            before = [place for _, place, _ in rows]
            found = judge_references(before, over.__getitem__, self._context(tree), {})
            for (path, _, _), cited in zip(rows, found, strict=True):
                counts[path].update(self._key(e) for e in cited if _is_wrong(e))
            for path, count in counts.items():
                most[path] |= count
        return most

    def _context(self, tree: CommitTree) -> Context:
        return self._view.context._replace(tree=tree, gone={}, staged=False)

    def _key(self, evidence: Evidence) -> tuple[str, str]:
        """Returns the kind and target of a former reference. If the change moves the target file,
        the target has the new path."""
        target = evidence.target
        if (named := _FILE.fullmatch(target)) and (to := self._scoped.gone.get(named[1])):
            target = f"{to}{named[2]}"
        return reference_kind(evidence), target

    def count_shown(
        self, documents: Sequence[Document], wrong: Sequence[WrongLine]
    ) -> Counter[tuple[str, str, str]]:
        """Counts the wrong lines that the documents' code blocks had before the change, by (present
        path of the document, rule, text of the line). Counts only documents that have a wrong line
        now."""
        most: Counter[tuple[str, str, str]] = Counter()
        asked: dict[CommitTree, dict[str, Document]] = defaultdict(dict)
        paths = {line.problem.path for line in wrong}
        for document in (d for d in documents if d.path in paths):
            for tree, old, extraction in self.documents(document.path):
                asked[tree][old] = replace(document, extraction=extraction)
        for tree, former in asked.items():
            then = [replace(document, path=old) for old, document in former.items()]
            found = refuted_lines(then, self._context(tree))
            most |= Counter(
                (former[line.problem.path].path, line.problem.rule, line.text) for line in found
            )
        return most


def _is_wrong(evidence: Evidence) -> bool:
    return evidence.own and evidence.verdict is Verdict.REFUTED


def _mark_one(evidence: Evidence, left: WrongCounts) -> Evidence:
    """Returns the evidence about a wrong reference, marked as old if the document had a wrong
    reference with the same kind and target before. `left` counts these former references and is
    lowered for each mark."""
    key = reference_kind(evidence), evidence.target
    if not _is_wrong(evidence) or left[key] <= 0:
        return evidence
    left[key] -= 1
    return replace(evidence, old=True)


def _names(path: str, claim: Claim) -> Set[str]:
    return {c.raw for c in claim.citations} | {r.name for r in references_in(path, claim)}
