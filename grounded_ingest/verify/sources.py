"""The texts behind citations, each read once and bounded, as far as they may bear witness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from grounded_ingest.config.settings import classify
from grounded_ingest.git.quoted_lines import LARGEST, text_of
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import DocClass
from grounded_ingest.model.origin import Origin
from grounded_ingest.support import excerpt as reading
from grounded_ingest.support.budget import Budget
from grounded_ingest.support.source import SourceText
from grounded_ingest.verify.admissibility import commentary, is_subject_matter, without_prose
from grounded_ingest.verify.adr import is_decision
from grounded_ingest.verify.comparison_cache import Judgements
from grounded_ingest.verify.context import Context

if TYPE_CHECKING:
    from grounded_ingest.git.commit_text import CommitSize

_PARSED_FOR_LIFE = (".py", ".pyi", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".m", ".yaml", ".yml")
"""Ends of the files whose dead code `code.dead_lines` knows."""
WHOLE = 100_000
"""Bytes of the largest file that is compared as a whole."""


class UnreadError(Exception):
    """A source whose text cannot be had; says why."""


class Sources:
    """Reads for one context; what was read is kept for the run. `jobs` processes compare, 0: as
    many as pay."""

    def __init__(self, context: Context, jobs: int = 1) -> None:
        self.context, self.jobs = context, jobs
        self.judgements = Judgements(context.ledger)
        self._read: dict[Origin, SourceText | UnreadError] = {}
        self.budget = Budget()
        self._landed: dict[tuple[str, str], str] = {}

    def of(self, origin: Origin) -> SourceText:
        """The text behind a citation. Raises UnreadError."""
        self.fetch([origin])
        if origin not in self._read:
            try:
                self._read[origin] = self._of(origin)
            except UnreadError as why:
                self._read[origin] = why
        held = self._read[origin]
        if isinstance(held, UnreadError):
            raise held
        return held

    def is_document(self, origin: Origin) -> bool:
        """Whether only grounded claims of it bear witness: a document of class memory or docs."""
        path = origin.path
        return (
            origin.kind == "file"
            and not is_decision(self.context.config, path, self.context.tree)
            and self.context.document(path)
            and classify(self.context.config, path) is not DocClass.DECISIONS
        )

    def _of(self, origin: Origin) -> SourceText:
        match origin.kind:
            case "commit":
                return self._commit(origin.commit)
            case "adr":
                return reading.adr_excerpt(origin.path, self._text(self._base, origin.path))
            case "file":
                return self._file(origin)
            case _:
                raise AssertionError("pages and issues are fetched")

    def fetch(self, origins: Iterable[Origin]) -> None:
        """Read pages and issues, all of them at once; others are left to `of`."""
        wanted = [o for o in dict.fromkeys(origins) if o not in self._read]
        if pages := [o for o in wanted if o.kind == "page"]:
            from grounded_ingest.verify.page_text import PageText, pages_of

            texts = pages_of([o.path for o in pages], self.context)
            for origin in pages:
                page = texts[origin.path]
                if isinstance(page, PageText):
                    read = SourceText("page", page.text, title=page.title, code=page.code)
                    self._read[origin] = read
                else:
                    self._read[origin] = UnreadError(page.reason)
        if issues := [o for o in wanted if o.kind == "issue"]:
            from grounded_ingest.verify.issue import issue_texts

            said = issue_texts([o.path for o in issues], self.context)
            for origin in issues:
                if issue := said[origin.path]:
                    text = f"{issue.title}.\n\nThe {issue.kind} is {issue.state}.\n\n{issue.body}"
                    self._read[origin] = SourceText("issue", text, title=issue.title)
                else:
                    self._read[origin] = UnreadError("its text is not there")

    @property
    def _base(self) -> Tree:
        return self.context.base.tree

    def _commit(self, oid: str) -> SourceText:
        from grounded_ingest.git.commit_text import commit_text

        found = commit_text(self.context.repo, oid)
        if found is None:
            raise UnreadError("its content is not in this clone")
        return reading.commit(found.message, found.paths, found.diff, found.dates)

    def sizes(self, oid: str) -> tuple[CommitSize, ...]:
        """How much a commit changes, in the ways that git counts it."""
        from grounded_ingest.git.commit_text import commit_sizes

        return commit_sizes(self.context.repo, oid)

    def _file(self, origin: Origin) -> SourceText:
        path, lines = origin.path, origin.lines
        tree = CommitTree(self.context.repo, origin.commit) if origin.commit else self.context.tree
        code = is_subject_matter(path) and not self.is_document(origin)
        if not code and lines is None:  # testimony: as base has it
            if origin.commit:
                raise UnreadError("what a document once said is no evidence")
            tree = self._base
        text = _alive(path, self._text(tree, path, LARGEST if lines else WHOLE), lines)
        landed = tree is self._base or self._has_landed(path, tree)
        if code and not landed:
            text = self._landed_words(path, text)
        if lines is None:
            section = reading.section_excerpt(path, text, origin.anchor) if origin.anchor else None
            return section or reading.whole_file(path, text, code=code)
        alone = not code and (self.is_document(origin) or not landed)
        return reading.cited_lines(path, text, *lines, code=code, alone=alone)

    def _has_landed(self, path: str, tree: Tree) -> bool:
        """Whether base has the file just so."""
        now, then = tree.entry(path), self._base.entry(path)
        return now is not None and then is not None and now.oid == then.oid

    def _landed_words(self, path: str, text: str) -> str:
        """A file of code without the words that base does not have: comments, and what lines tell
        beside assignments, definitions and calls of names and short values; made once."""
        if (path, text) not in self._landed:
            extension = path.rpartition("/")[2].rpartition(".")[2].lower()
            said = commentary(extension, text, beside_code=True)
            known = self._known_rows(path)
            self._landed[path, text] = "\n".join(
                row if row.strip() in known else "" if n in said else without_prose(row)
                for n, row in enumerate(text.split("\n"), 1)
            )
        return self._landed[path, text]

    def _known_rows(self, path: str) -> set[str]:
        try:
            return {row.strip() for row in self._text(self._base, path, LARGEST).split("\n")}
        except UnreadError:
            return set()

    def _text(self, tree: Tree, path: str, largest: int = LARGEST) -> str:
        if tree.size(path) > largest:
            raise UnreadError("too large to compare")
        text = text_of(tree, path)
        if text is None:
            raise UnreadError("its content is not in this clone, or no text")
        if text.startswith("version https://git-lfs"):
            raise UnreadError("stored in LFS")
        return text.removeprefix("\ufeff")


def _alive(path: str, text: str, lines: tuple[int, int] | None) -> str:
    """A text of code, the dead ones of what is cited left blank."""
    if path.endswith(_PARSED_FOR_LIFE):
        from grounded_ingest.code.dead_lines import dead_lines

        first, last = lines or (1, text.count("\n") + 1)
        if dead := dead_lines(path, text, first, last):
            if len(dead) > last - first:
                raise UnreadError("dead code: nothing runs or reads the cited lines")
            rows = text.split("\n")
            return "\n".join("" if n in dead else row for n, row in enumerate(rows, 1))
    return text
