"""The evidence that a tree holds, by document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from grounded_ingest.git.trees import Tree
from grounded_ingest.model.digests import blake2b
from grounded_ingest.records.sidecar import (
    DIRECTORY,
    EvidenceKey,
    Line,
    evidence_directory,
    evidence_file,
    evidence_path,
    key_of_file,
    lines_of,
    parse_former,
)


class DocumentEvidence:
    """What is recorded of one document: `paths` are its files, read when they are asked for. Where
    there is but the one file of its former form, that counts."""

    def __init__(self, tree: Tree, document: str, directory: str, paths: tuple[str, ...]) -> None:
        self._tree, self._document = tree, document
        self.directory, self.paths = directory, paths

    def path_of(self, key: EvidenceKey) -> str:
        """The file that a claim is recorded in."""
        own = evidence_file(self.directory, key)
        return own if own in self.files else self.paths[0]

    @cached_property
    def digest(self) -> str:
        """Of its files and their contents."""
        entries = ((p, self._tree.entry(p)) for p in self.paths)
        told = "\0".join(f"{p}\0{e.oid if e else ''}" for p, e in entries)
        return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @cached_property
    def files(self) -> dict[str, bytes]:
        return {p: self._tree.read(p) or b"" for p in self.paths}

    @property
    def _former(self) -> bytes:
        """Its former form; nothing where there is none, or files of claims beside it."""
        lone = len(self.paths) == 1 and key_of_file(self.paths[0]) is None
        return self.files[self.paths[0]] if lone else b""

    @cached_property
    def _parsed(self) -> tuple[dict[EvidenceKey, Line], tuple[str, ...]]:
        """The lines, and the files that are broken."""
        if self._former:
            former = parse_former(self._document, self._former)
            broken = self.paths if former is None else ()
            return {line.key: line for line in former or ()}, broken
        files = [(p, c) for p, c in self.files.items() if key_of_file(p)]
        read = list(lines_of(files))
        return {w.key: w for _, w in read if w}, tuple(p for p, line in read if line is None)

    @property
    def lines(self) -> dict[EvidenceKey, Line]:
        return self._parsed[0]

    @property
    def broken(self) -> tuple[str, ...]:
        return self._parsed[1]

    @property
    def former(self) -> int:
        """How many lines its former form has."""
        return len(self.lines) if self._former else 0

    @property
    def keys(self) -> tuple[EvidenceKey, ...]:
        """The claims of which something is recorded: by the names of files, which are not read."""
        named = tuple(k for p in self.paths if (k := key_of_file(p)))
        return named or tuple(self.lines)


class EvidenceTree:
    """The evidence files of a tree: those of live documents, and `orphans`."""

    def __init__(self, tree: Tree, documents: Iterable[str]) -> None:
        self._tree = tree
        twins: dict[str, list[str]] = {}
        for path in documents:
            twins.setdefault(path.lower(), []).append(path)
        self._twins = twins
        below = [p for p in tree.below(DIRECTORY) if p.endswith(".jsonl")]
        self.has_files = any(key_of_file(p) for p in below)
        self._paths: dict[str, list[str]] = {}
        orphans = []
        homes = self._homes() if below else {}
        for path in below:
            document = homes.get(path) or homes.get(path.rpartition("/")[0])
            if document:
                self._paths.setdefault(document, []).append(path)
            else:
                orphans.append(path)
        self.orphans = tuple(orphans)

    def _homes(self) -> dict[str, str]:
        """Documents by the directory of their evidence, and by the file of its former form."""
        found = {}
        for twins in self._twins.values():
            for document in twins:
                former = evidence_path(document, twins)
                found[former] = found[former.removesuffix(".jsonl")] = document
        return found

    @property
    def documents(self) -> list[str]:
        """The documents of which something is recorded."""
        return list(self._paths)

    def of(self, document: str) -> DocumentEvidence:
        directory = evidence_directory(document, self._twins.get(document.lower(), ()))
        return DocumentEvidence(
            self._tree, document, directory, tuple(self._paths.get(document, ()))
        )
