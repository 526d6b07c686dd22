"""Defines the types for references that are found in the text of a claim and looked up in the
repository's files, such as commands and options. Paths and links are found earlier, as citations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from grounded_ingest.extract.code_blocks import CodeBlock
from grounded_ingest.model.claims import CitationKind, Claim, Document, Place, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.text.code_spans import LONGEST, blank_code, code_spans
from grounded_ingest.text.patterns import compiled

Over = Sequence[tuple[str, str]]
"""The texts above a claim, such as lead-ins and parent items, as (kind, text) pairs. The outermost
text comes first."""


class Reference(NamedTuple):
    """A reference that is found in a claim in the document at `path`, such as a command.

    `start` and `end` delimit the reference in the claim's text. `name` is the text that is looked
    up. `of` has more data for the check, such as the file or command that `name` belongs to.
    """

    kind: CitationKind
    path: str
    name: str
    start: int
    end: int
    of: str = ""


class TreeAnswer(NamedTuple):
    """The result of looking up a reference in the tree.

    `target` is the normalised name of the file, command or definition that the reference means.
    `reason` explains why the reference is wrong, or where its target is now. `loose` is true if the
    text has several readings and the reference is right in only one; it then neither refutes nor
    proves the claim. `elsewhere` has names of other folders or packages that define the same name.
    If the claim contains one of them, the reference is not wrong. `instead` is the target that
    `check --fix` writes as the correction.
    """

    verdict: Verdict
    target: str
    reason: str = ""
    line: int = 0
    loose: bool = False
    elsewhere: tuple[str, ...] = ()
    instead: str = ""


class BlockLine(NamedTuple):
    """A reference in a line of a code block.

    `place` has the line as a claim, because the checks of references expect a claim. `over` lists
    the texts above the block as (kind, text). `entered` has the directories that earlier blocks
    enter with `cd`.
    """

    reference: Reference
    place: Place
    over: Over
    entered: str = ""


BlockAnswer = tuple[BlockLine, TreeAnswer]
"""A reference in a line of a code block, and whether the repository confirms or refutes it."""


def block_line(
    document: Document,
    block: CodeBlock,
    row: int,
    reference: Reference,
    text: str,
    beside: str = "",
) -> BlockLine:
    """Returns a reference in a row of a code block, counted from 0. `text` is the part of the row
    with the reference, and `beside` has the words around it."""
    over = (("lead-in", block.lead),) if block.lead else ()
    claim = line_claim(text, beside, block.section, block.line + row)
    return BlockLine(reference, Place(document.path, document.doc_class, claim), over)


def line_claim(text: str, beside: str, section: str, line: int) -> Claim:
    """Returns a line of a document as a `Claim`, so that the exemptions of claims apply to it."""
    return Claim("", text, beside, section, 0, line, 1, line, 0)


Answers = dict[Reference, TreeAnswer]
"""Maps each reference to its result. A reference has no entry if the tree cannot decide about
it."""


def find_in_commands(
    path: str, claim: Claim, find: Callable[[str, str, int], Iterable[Reference]]
) -> list[Reference]:
    """Returns the references that `find` finds in the commands of a claim: in its code spans with a
    space, and in plain text such as "run npm run build first".

    `find` gets the path of the document, the command line, and the offset of the line in the claim.
    """
    spans = [(s.text, s.start) for s in code_spans(claim.text) if " " in s.text]
    likely = len(claim.text) <= LONGEST and _PLAIN.search(claim.text)
    plain = _PLAIN.finditer(blank_code(claim.text)) if likely else ()
    lines = [*spans, *((m["line"], m.start("line")) for m in plain)]
    return [found for line, start in lines for found in find(path, line, start)]


_PLAIN = compiled(
    r"(?<![\w./@:-])(?:(?P<run>(?:re-?)?[Rr]un(?:s|ning)? )?(?P<line>(?:cd [\w./-]+ && )?"
    r"(?:(?:npm|pnpm|yarn|bun|uv|poetry|pdm|hatch) run [\w@:.-]*\w"
    r"|(?:tox|nox) -[es] [\w-]*\w|cargo [a-z]+(?: --?[\w-]+(?:[ =][\w,-]*\w)?){1,4}"
    r"|python3? [\w./-]+\.py(?: [\w.]*\w){0,2}(?: --[\w-]*\w){1,4}"
    r"|(?(run)(?:make|just|task|rake) [A-Za-z\d]+(?:[-_:][A-Za-z\d]+){1,5}|(?!)))(?![\w/])))",
    needs=("run ", "runs ", "running ", "tox -", "nox -", "cargo ", ".py "),
)
"""Matches a command without backticks. A target of make, just, task or rake must have several
words, such as `build-docs`, and stand behind "run": "the tests run just fine" and "make up-to-date
copies" name none."""


def add_fates(
    found: Answers, fate: Callable[[Reference, TreeAnswer], TreeAnswer], most: int
) -> Answers:
    """Adds to each wrong reference what history says about its target, such as "removed in
    97b300c". `fate` searches the git history. At most `most` references are searched, because that
    is slow."""
    refuted = [r for r, answer in found.items() if answer.verdict is Verdict.REFUTED]
    return found | {r: fate(r, found[r]) for r in refuted[:most]}


class ReferenceKind(Protocol):
    """The interface of a module that checks one kind of reference."""

    KIND: CitationKind

    def mentions(self, path: str, claim: Claim) -> Sequence[Reference]:
        """Returns the references of this kind in a claim. The function reads no file."""

    def answers(self, asked: Sequence[Reference], context: Context) -> Answers:
        """Returns the results for all references in `asked`. A run calls this function once."""
