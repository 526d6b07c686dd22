"""Finds the frames of a passage: the texts above it that a reader needs to understand it.

Frames are lead-ins, parent items, header rows, paragraphs and footnotes. Frames form trees, so that
every text is stored only once. The digest of a frame covers the frame and all frames above it. Two
claims have the same context exactly if their digests are equal. Approvals depend on the digests, so
only a document's structure decides what a frame is, and not a list of words.

A doubt label is a heading, lead-in or column header that marks the text below as open ("Open
questions"). A doubtful claim below a doubt label waits for review. A doubtful claim without a doubt
label above stops the commit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from grounded_ingest.extract.passage import Passage
from grounded_ingest.model.claims import Frame
from grounded_ingest.model.digests import sha256
from grounded_ingest.text.lexicon import doubt_labels as words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import sentences

LABEL_WORDS = 8
"""Maximum number of words in a paragraph without a colon that counts as a label."""


class Frames:
    """The frames of a document: texts above or beside claims that give them context. `known` maps
    digests to frames. `boxes` maps the digest of each frame below a check box to the state of the
    check box."""

    def __init__(self) -> None:
        self.known: dict[str, Frame] = {}
        self.boxes: dict[str, str] = {}

    def add(self, kind: str, text: str, under: str, notes: Iterable[str] = ()) -> str:
        """Stores a text above claims as a frame and returns its digest. `kind` is for example
        `item` or `header`. `under` is the digest of the frame above, or empty. `notes` are the
        digests of the footnotes in the text."""
        frame = Frame(kind, text, under, tuple(notes))
        parts = "\0".join((kind, under, *frame.notes, text))
        digest = sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()
        self.known[digest] = frame
        if box := text if kind == "check box" else self.boxes.get(under, ""):
            self.boxes[digest] = box
        return digest


def is_label(text: str) -> bool:
    """Returns whether a paragraph is a label for the text below it and states nothing."""
    bare = text.rstrip("*_~` ")
    if bare.endswith((":", "：")):
        return True
    closed = bare.endswith((".", "!", "。", "！"))
    return not closed and 0 < len(bare.split()) <= LABEL_WORDS


class _Level:
    """A list, list item, quote, table or footnote that the parser is inside, or the whole document.

    `under` is the digest of the text above this part of the document. `label` is the digest of the
    last lead-in in this part, or empty. `before` is the last complete paragraph in this part."""

    def __init__(self, under: str, *, item: bool = False) -> None:
        self.under, self.item = under, item
        self.label = self.before = ""

    @property
    def inner(self) -> str:
        """Returns the digest of the nearest text above the next passage: the last lead-in, or else
        the text above the list, table or quote."""
        return self.label or self.under


class Framing:
    """Finds for each passage the texts above it, such as lead-ins, parent items and header rows.

    The Markdown reader calls `open` and `close` at the beginning and end of each list, item, quote,
    table and footnote."""

    def __init__(self, frames: Frames, under: str = "") -> None:
        self.frames = frames
        self._levels = [_Level(under)]
        self._leading: str | None = None

    @property
    def inner(self) -> str:
        """Returns the digest of the nearest text above the next passage, or an empty string if
        there is none."""
        self._settle()
        return self._levels[-1].inner

    def open(self, kind: str) -> None:
        """Records that a list, item, quote, table or footnote begins. `kind` is the parser's name
        for it, such as `Item`.

        The paragraph right before a list, table or quote becomes a lead-in for the texts inside."""
        self._settle()
        level = self._levels[-1]
        under = level.inner
        if kind == "FootnoteDefinition":
            under = ""  # a footnote is read with the text that refers to it
        elif level.before and kind != "Item":
            under = self.frames.add("lead-in", level.before, under)
        level.before = ""
        self._levels.append(_Level(under, item=kind == "Item"))

    def close(self) -> None:
        """Records that the innermost list, item, quote, table or footnote ends."""
        self._leading = None
        if len(self._levels) > 1:
            self._levels.pop()

    def header(self, text: str) -> None:
        """Records that `text` is the header row of a table. The header row becomes the text above
        all other rows."""
        if text:
            self._levels[-1].under = self.frames.add("header", text, self._levels[-1].inner)

    def check_box(self, *, done: bool) -> None:
        """Records the state of a list item's check box (done or open) as a frame above the item."""
        state = "done" if done else "open"
        self._levels[-1].under = self.frames.add("check box", state, self._levels[-1].under)

    def paragraph_end(self, text: str) -> None:
        """Records that a paragraph with this text ends.

        A paragraph that introduces other text becomes the text above the next blocks. Labels such
        as "For Windows:" and the first paragraph in a list item introduce other text.
        """
        self._settle()
        level = self._levels[-1]
        level.before = text
        if level.item or is_label(text):
            self._leading = text  # the text becomes a frame only if another block follows

    def break_lead(self) -> None:
        """Records that the last paragraph does not introduce a list or table, because a heading, a
        horizontal rule or code follows."""
        self._leading = None
        self._levels[-1].before = ""

    def end_labels(self) -> None:
        """Records that a heading or a horizontal rule follows. The lead-ins before a heading or
        rule do not apply to the text after it."""
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


QUOTED = ">"
"""The value of `Claim.doubt` in a block quote, because somebody else wrote the words."""

_QUOTES = ('"', "“", "«", "„")
CONDITION = compiled(
    r"(?i)\b(?:if|when|whenever|unless)\b[^.!?]{0,60}:$", needs=("if", "when", "unless")
)
"""Matches the end of a lead-in such as "If one of these is true:". The items below such a lead-in
are conditions and not statements of the author."""

_LONGEST = 100
"""Maximum length in characters of a label such as “Open questions” that marks doubt."""
# Matches a label before a text: "[open] …", "Open question: …", "Unclear – …".
_PREFIX = compiled(
    r"\W{0,8}(?:[\[(](?P<tag>[^\[\]()]{1,40})[\])]|(?P<label>[^:;.!?\n\0—–]{1,80}?)(?::(?!\S)|\s[—–-]+\s))"
)
_FRAME = compiled(r"^[\W\d_]+|[\W_]+$")
_PARTS = compiled(r":(?!\S)|\s[—–-]+\s")
_SPACE = compiled(r"\s+")
_FINITE = compiled(r"\b(?:is|are|was|were)\b|[\d:;]")


@cache
def _labels() -> tuple[re.Pattern[str], ...]:
    """Returns three regular expressions for doubt labels: noun phrases ("Open questions"), states
    ("Not verified yet") and clauses ("What we do not know").

    In a noun phrase, the expression matches only the part up to the noun."""
    before = rf"(?:(?!(?:{words.BREAKERS})\b)[\w'/&+-]+,? ){{0,4}}?"
    behind = rf"(?!{words.NOT_BEHIND})(?=$|[,:;.(/&+—–|-]| [—–(/&+-]| (?:{words.TAILS})\b)"
    noun = rf"{before}(?:{words.NOUNS}){behind}"
    asserts = r"(?!.*\b(?:is|are|was|were)\b.*\b(?:if|whether|that|how|why|where|what)\b)"
    clause = rf"{asserts}(?:{words.HEADS})\b.{{0,60}}?(?:{words.PREDICATES})(?:\W+\w+){{0,4}}$"
    return (
        compiled(noun, needs=words.OF_NOUNS),
        compiled(rf"(?:{words.STATES}){words.STATE_TAILS}", needs=words.OF_STATES),
        compiled(clause, needs=words.OF_HEADS),
    )


@cache
def _denial() -> re.Pattern[str]:
    return compiled(words.DENIED)


def _fold(text: str) -> str:
    return _SPACE.sub(" ", text.lower().replace("’", "'"))


@lru_cache(maxsize=4096)
def doubt_of(text: str) -> str:
    """Returns the text unchanged if it is a doubt label such as "Open questions".

    Returns an empty string for other texts."""
    if not text or len(text) > _LONGEST:
        return ""
    folded = _fold(text)
    if not any(map(folded.__contains__, words.TRIGGERS)):
        return ""
    folded = _FRAME.sub("", folded)
    is_doubt = any(label.match(folded) for label in _labels()) and not _denial().search(folded)
    return text.strip() if is_doubt else ""


def heading_doubt(title: str) -> str:
    """Returns the doubt label in a heading, or an empty string if there is none.

    The label may be the whole heading, or its part before or after a colon or dash."""
    parts = _PARTS.split(title) if _PARTS.search(title) else ()
    return next((label for part in (title, *parts) if (label := doubt_of(part))), "")


def is_doubt_label(text: str) -> bool:
    """Returns whether a sentence is only a doubt label such as "Open questions:"."""
    if not doubt_of(text):
        return False
    folded = _FRAME.sub("", _fold(text))
    return any(label.fullmatch(folded) for label in _labels()) and not _FINITE.search(folded)


def own_doubt(text: str) -> str:
    """Returns the doubt label at the beginning of a text: "Open question" for "Open question: is
    …?". Returns an empty string if there is none.

    The label ends at a colon or dash, or the label is in brackets."""
    found = _PREFIX.match(text)
    return doubt_of((found["tag"] or found["label"] or "").strip()) if found else ""


class _LabelLevel:
    """The doubt labels (such as "Open questions") that apply inside a list, item, quote or table.

    `over` applies to all text inside. `lasting` applies to the text after a label in its own
    paragraph. `lead` applies to the next list, table or quote inside. `introduces` is true if the
    last passage ends with a colon. `fresh` is true before the first passage."""

    __slots__ = ("fresh", "introduces", "kind", "lasting", "lead", "over")

    def __init__(self, kind: str, over: str) -> None:
        self.kind, self.over, self.fresh = kind, over, True
        self.lasting, self.lead, self.introduces = "", "", False


class Labels:
    """Finds for each passage the doubt label above it. A doubt label, such as "Open questions",
    marks the text below it as open.

    The Markdown reader calls `open` and `close` at the beginning and end of each list, item, quote
    and table."""

    def __init__(self) -> None:
        self._levels = [_LabelLevel("", "")]

    @property
    def over(self) -> str:
        """Returns the doubt label (such as "Open questions") for the next block, if the block is a
        list, a table or a quote."""
        level = self._levels[-1]
        return level.over or level.lasting or level.lead

    def open(self, kind: str) -> None:
        """Records that a list, item, quote or table begins. `kind` is the parser's name for it,
        such as `Item` or `BlockQuote`."""
        quotes = kind == "BlockQuote" and self._levels[-1].introduces
        self._levels.append(_LabelLevel(kind, self.over or (QUOTED if quotes else "")))

    def close(self) -> None:
        """Records that the innermost list, item, quote or table ends."""
        self._levels.pop()
        self._levels[-1].lead, self._levels[-1].introduces = "", False

    def heading(self) -> None:
        """Records that a heading follows. Doubt labels such as "Open questions" before the heading
        do not apply to the text after it."""
        level = self._levels[-1]
        level.lasting, level.lead, level.introduces = "", "", False

    def passage(self, passage: Passage) -> str:
        """Returns the doubt label that applies to a passage, such as "Open questions", or an empty
        string.

        If the passage contains a doubt label, the label is stored for the passages after it."""
        level = self._levels[-1]
        text, masked = passage.text, passage.masked.strip()
        run_in = passage.run_in
        if run_in:
            own = doubt_of(text[:run_in])
            level.lasting = own if run_in >= len(text.rstrip(": ")) else ""
        else:
            own = own_doubt(masked) or (masked if is_doubt_label(masked) else "")
        if level.fresh and not level.over:
            level.over = _container_label(level.kind, masked, own)
        level.fresh, level.introduces = False, masked.endswith(":")
        last = masked[[*sentences(masked)][-1][0] :] if level.introduces else ""
        level.lead = doubt_of(last) or own or (last if CONDITION.search(last) else "")
        return level.over or level.lasting or (own if run_in else "")


def _container_label(kind: str, text: str, own: str) -> str:
    """Returns the doubt label that the first passage in a list item or quote gives to the whole
    item or quote.

    `kind` is the parser's name: `Item` or `BlockQuote`. `own` is the doubt label in the passage.
    Returns `QUOTED` for a quote that begins with a quotation mark."""
    if kind == "BlockQuote" and text.startswith(_QUOTES):
        return QUOTED
    return own if kind == "Item" else ""
