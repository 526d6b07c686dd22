"""Finds the frames of a passage: the texts above or beside it that a reader needs to understand it.

Frames are paragraphs that introduce a list or table (lead-ins), parent list items, header rows,
paragraphs and footnotes. Each frame is stored once, under a digest of its text and of all frames
above it. Two claims have the same context exactly if their digests are equal. Approvals depend on
the digests, so only a document's structure decides what a frame is, and not a list of words.

A doubt label is a heading, lead-in or column header such as "Open questions", which marks the text
below as not settled. A guess below a doubt label waits for review; other guesses stop the commit.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from grounded_ingest.extract.passage import Passage
from grounded_ingest.model.claims import Frame
from grounded_ingest.model.digests import sha256
from grounded_ingest.text.lexicon import doubt_labels as words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import sentences

LABEL_WORDS = 8
"""Maximum number of words in a paragraph without a colon that counts as a label."""


class Frames:
    """The frames of a document: texts above or beside claims that give them context, such as a
    header row. `known` maps a digest of each frame and all frames above it to the frame. `boxes`
    maps the digest of each frame below a check box to the state of the check box. `doubts` maps the
    digest of each frame with or below a label such as "Open questions" to the label."""

    def __init__(self) -> None:
        self.known: dict[str, Frame] = {}
        self.boxes: dict[str, str] = {}
        self.doubts: dict[str, str] = {}

    def add(self, kind: str, text: str, under: str, notes: Iterable[str] = ()) -> str:
        """Stores a text that gives context to the claims below, and returns its digest. `kind` is
        for example `item`. `under` is the digest of the text above, or empty. `notes` are the
        digests of the footnotes in the text."""
        frame = Frame(kind, text, under, tuple(notes))
        parts = "\0".join((kind, under, *frame.notes, text))
        digest = sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()
        self.known[digest] = frame
        if box := text if kind == "check box" else self.boxes.get(under, ""):
            self.boxes[digest] = box
        leads = kind in ("lead-in", "item")
        if doubt := self.doubts.get(under) or (leading_doubt(text) if leads else ""):
            self.doubts[digest] = doubt
        return digest


def is_label(text: str) -> bool:
    """Returns whether a paragraph only introduces the text below, such as "For Windows:"."""
    bare = text.rstrip("*_~` ")
    if bare.endswith((":", "：")):
        return True
    closed = bare.endswith((".", "!", "。", "！"))
    return not closed and 0 < len(bare.split()) <= LABEL_WORDS


class _Level:
    """A list, list item, quote, table or footnote that the parser is inside, or the whole document.

    `under` is the digest of the text above this part of the document. `label` is the digest of the
    last lead-in in this part, or empty. `before` is the last complete paragraph in this part. If
    `ends_label` is true, the lead-in of this part does not go on behind it."""

    def __init__(self, under: str, *, item: bool = False, ends_label: bool = False) -> None:
        self.under, self.item, self.ends_label = under, item, ends_label
        self.label = self.before = ""

    @property
    def inner(self) -> str:
        """Returns the digest of the nearest text above the next passage: the paragraph that
        introduces it, or else the text above the whole list, table or quote."""
        return self.label or self.under


QUOTED = ">"
"""The doubt label of a block quote, whose words may not be the author's opinion."""


class Framing:
    """Finds for each passage the texts above it, such as parent items and header rows. The Markdown
    reader calls `open` and `close` around each list, item, quote, table and footnote."""

    def __init__(self, frames: Frames, under: str = "") -> None:
        self.frames = frames
        self._levels = [_Level(under)]
        self._leading: str | None = None

    @property
    def inner(self) -> str:
        """Returns the digest (key in `Frames`) of the nearest text above the next passage, or an
        empty string."""
        self._settle()
        return self._levels[-1].inner

    def open(self, kind: str) -> None:
        """Records that a list, item, quote, table or footnote begins. `kind` is the parser's name
        for it, such as `Item`.

        The paragraph right before a list, table or quote becomes the context of the texts inside.
        With a colon at its end, it introduces nothing else.
        """
        leads = (self._leading or "").endswith((":", "："))
        self._settle()
        level = self._levels[-1]
        under = level.inner
        if kind == "FootnoteDefinition":
            under = ""  # a footnote is read with the text that refers to it
        elif level.before and kind != "Item":
            under = self.frames.add("lead-in", level.before, under)
        if kind == "BlockQuote" and under and self.frames.known[under].text.endswith(":"):
            self.frames.doubts.setdefault(under, QUOTED)
        level.before = ""
        self._levels.append(_Level(under, item=kind == "Item", ends_label=leads))

    def close(self) -> None:
        """Records that the innermost list, item, quote, table or footnote ends."""
        self._leading = None
        if self._levels.pop().ends_label:
            self._levels[-1].label = ""

    def header(self, text: str) -> None:
        """Records `text`, the header row of a table, as the context of all other rows."""
        if text:
            self._levels[-1].under = self.frames.add("header", text, self._levels[-1].inner)

    def check_box(self, *, done: bool) -> None:
        """Records the state of a list item's check box (done or open) as the context of the
        item."""
        state = "done" if done else "open"
        self._levels[-1].under = self.frames.add("check box", state, self._levels[-1].under)

    def paragraph_end(self, text: str) -> None:
        """Records that a paragraph with this text ends. A label such as "For Windows:" and the
        first paragraph in a list item become the context of the texts that follow."""
        self._settle()
        level = self._levels[-1]
        level.before = text
        if level.item or is_label(text):
            self._leading = text  # the text becomes a frame only if another block follows

    def break_lead(self) -> None:
        """Records that a heading, a horizontal rule or code follows, so that the last paragraph
        does not introduce a list or table."""
        self._leading = None
        self._levels[-1].before = ""

    def end_labels(self) -> None:
        """Records that a heading or a horizontal rule ends labels such as "For Windows:"."""
        self.break_lead()
        self._levels[-1].label = ""

    def _settle(self) -> None:
        text, self._leading = self._leading, None
        if text is None:
            return
        level = self._levels[-1]
        level.before = ""
        if level.item:
            level.item = False
            level.under = self.frames.add("item", text, level.under)
        else:
            level.label = self.frames.add("lead-in", text, level.under)


CONDITION = compiled(
    r"(?i)\b(?:if|when|whenever|unless)\b[^.!?]{0,60}:$", needs=("if", "when", "unless")
)
"""Matches the end of an introducing text such as "If one of these is true:". The items below are
conditions and not statements of the author."""

_LONGEST = 100
"""Maximum length in characters of a label such as “Open questions” that marks doubt."""
# Matches a label before a text: "[open] …", "Open question: …", "Unclear – …".
_PREFIX = compiled(
    r"\W{0,8}(?:[\[(](?P<tag>[^\[\]()]{1,40})[\])]|(?P<label>[^:;.!?\n\0—–]{1,80}?)(?::(?!\S)|\s[—–-]+\s))"
)
_EDGES = compiled(r"^[\W\d_]+|[\W_]+$")
_PARTS = compiled(r":(?!\S)|\s[—–-]+\s")
_FINITE = compiled(r"\b(?:is|are|was|were)\b|[\d:;]")


_BEFORE = rf"(?:(?!(?:{words.BREAKERS})\b)[\w'/&+-]+,? ){{0,4}}?"
_LABEL = compiled(
    rf"{_BEFORE}(?:{words.NOUNS})(?={words.END}|{words.TAILS})"
    rf"|(?:{words.STATES})(?: yet)?(?={words.END})|{words.CLAUSES}"
)
_SETTLED = compiled(words.SETTLED)


def _fold(text: str) -> str:
    return _EDGES.sub("", " ".join(text.lower().replace("’", "'").split()))


@lru_cache(maxsize=4096)
def doubt_of(text: str) -> str:
    """Returns the text if it is a label such as "Open questions", which marks other text as not
    settled, else an empty string."""
    if not text or len(text) > _LONGEST:
        return ""
    folded = _fold(text)
    return text.strip() if _LABEL.match(folded) and not _SETTLED.search(folded) else ""


@lru_cache(maxsize=1024)
def heading_doubt(section: str) -> str:
    """Returns the heading above a claim that marks the claim as not settled, such as "Open
    questions", or an empty string.

    Also reads the part of a heading before or after a colon or dash."""
    titles = section.split(" > ")
    parts = (part for title in titles for part in (title, *_PARTS.split(title)))
    return next(filter(None, map(doubt_of, parts)), "")


def is_doubt_label(text: str) -> bool:
    """Returns whether a sentence is only a label such as "Open questions:", and not a statement."""
    if not doubt_of(text) or _FINITE.search(text.rstrip(": ")):
        return False
    return _LABEL.fullmatch(_fold(text)) is not None


def own_doubt(text: str) -> str:
    """Returns the label at the beginning of a text that marks the text as not settled: "Open
    question" for "Open question: is …?". Returns an empty string if there is none."""
    found = _PREFIX.match(text)
    return doubt_of((found["tag"] or found["label"] or "").strip()) if found else ""


def leading_doubt(text: str) -> str:
    """Returns what marks the items below a text as not settled: a label such as "Open questions",
    or a last sentence such as "If one of these is true:". Empty if there is neither."""
    spans = [*sentences(text)]
    last = text[spans[-1][0] :] if spans else text
    return doubt_of(last) or own_doubt(text) or (last if CONDITION.search(last) else "")


def passage_doubt(passage: Passage) -> str:
    """Returns the label that marks a whole passage as not settled: the emphasised label at its
    beginning, a column header of a table row, or a cell. Empty if there is none."""
    text, cells = passage.text, passage.asides
    ends = [start for start, _ in cells[1:]] + [len(text)]
    parts = [text[: passage.run_in]] if passage.run_in else []
    for (start, end), behind in zip(cells, ends, strict=False):
        parts += (text[start:end], text[end:behind].rstrip("; "))
    return next(filter(None, map(doubt_of, parts)), "")
