"""The evidence that a tree holds, by document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from grounded_ingest.git.trees import Tree
from grounded_ingest.records.sidecar import (
    DIRECTORY,
    Line,
    evidence_path,
    is_file_of_one_claim,
    parse_lines,
)


class DocumentEvidence:
    """What is recorded of one document. `path` is where its evidence belongs, `paths` are the files
    that it has: that one, and those of the former form with a file for each claim."""

    def __init__(self, tree: Tree, path: str, paths: Iterable[str]) -> None:
        self._tree = tree
        self.path = path
        # The file of the second of equal claims, `<id>-1.jsonl`, comes behind that of the first.
        self.paths = sorted(paths, key=lambda p: (len(p), p))

    @cached_property
    def files(self) -> dict[str, bytes]:
        return {p: self._tree.read(p) or b"" for p in self.paths}

    @cached_property
    def lines(self) -> list[Line] | None:
        """Its lines in their order; None if a file cannot be parsed. The former form counts only
        if nothing lies where the evidence belongs."""
        files = [self.files[self.path]] if self.path in self.files else self.files.values()
        parsed = [parse_lines(content) for content in files]
        return None if None in parsed else [line for lines in parsed for line in lines or ()]


class EvidenceTree:
    """The evidence files of a tree: those of live documents, and `orphans`."""

    def __init__(self, tree: Tree, documents: Iterable[str]) -> None:
        self._tree = tree
        twins: dict[str, list[str]] = {}
        for path in documents:
            twins.setdefault(path.lower(), []).append(path)
        self._twins = twins
        below = [p for p in tree.below(DIRECTORY) if p.endswith(".jsonl")]
        homes = {evidence_path(d, t) for t in twins.values() for d in t} if below else set()
        self._files: dict[str, list[str]] = {}
        orphans = []
        for path in below:
            above = f"{path.rpartition('/')[0]}.jsonl"
            home = above if path not in homes and is_file_of_one_claim(path) else path
            if home in homes:
                self._files.setdefault(home, []).append(path)
            else:
                orphans.append(path)
        self.orphans = tuple(orphans)

    def of(self, document: str) -> DocumentEvidence:
        path = evidence_path(document, self._twins.get(document.lower(), ()))
        return DocumentEvidence(self._tree, path, self._files.get(path, ()))
