"""The texts that a passage is read under.

Frames are lead-ins, parent items, header rows, the rest of a paragraph, footnotes. They form trees
that hold every text once, keyed by the digests of all texts above, so that two claims have the same
context exactly if their digests are equal. Structure alone decides what a frame is, never a list of
words, because approvals are bound to frames.

Labels of doubt are headings, lead-ins, run-ins and headers that mark the text below as open ("Open
questions"). Labelled doubt is honest: it waits for review, while the same words unlabelled stop a
commit.
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
"""Words of the longest paragraph that is a label without a colon."""


class Frames:
    """The frames of a document. `boxes` maps frames to the state of the check box above them."""

    def __init__(self) -> None:
        self.known: dict[str, Frame] = {}
        self.boxes: dict[str, str] = {}

    def add(self, kind: str, text: str, under: str, notes: Iterable[str] = ()) -> str:
        """Returns the digest of a frame, new or not."""
        frame = Frame(kind, text, under, tuple(notes))
        parts = "\0".join((kind, under, *frame.notes, text))
        digest = sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()
        self.known[digest] = frame
        if box := text if kind == "check box" else self.boxes.get(under, ""):
            self.boxes[digest] = box
        return digest


def is_label(text: str) -> bool:
    """Whether a paragraph names the text below it rather than stating something."""
    bare = text.rstrip("*_~` ")
    if bare.endswith((":", "：")):
        return True
    closed = bare.endswith((".", "!", "。", "！"))
    return not closed and 0 < len(bare.split()) <= LABEL_WORDS


class _Level:
    """One list, item, quote or table, or the document. `under` frames all of it, `label` the rest
    of it. `before` is the paragraph that ended last."""

    def __init__(self, under: str, *, item: bool = False) -> None:
        self.under, self.item = under, item
        self.label = self.before = ""

    @property
    def inner(self) -> str:
        """The frame of the next passage."""
        return self.label or self.under


class Framing:
    """Follows a parser through containers, and knows the frame of each passage."""

    def __init__(self, frames: Frames, under: str = "") -> None:
        self.frames = frames
        self._levels = [_Level(under)]
        self._leading: str | None = None

    @property
    def inner(self) -> str:
        """The frame of the next passage."""
        self._settle()
        return self._levels[-1].inner

    def open(self, kind: str) -> None:
        """Enters a container. The paragraph right before a list, table or quote is its lead-in."""
        self._settle()
        level = self._levels[-1]
        under = level.inner
        if kind == "FootnoteDefinition":
            under = ""  # a footnote belongs to its calls
        elif level.before and kind != "Item":
            under = self.frames.add("lead-in", level.before, under)
        level.before = ""
        self._levels.append(_Level(under, item=kind == "Item"))

    def close(self) -> None:
        """Leaves a container."""
        self._leading = None
        if len(self._levels) > 1:
            self._levels.pop()

    def header(self, text: str) -> None:
        """Frames the rows of a table by its header row."""
        if text:
            self._levels[-1].under = self.frames.add("header", text, self._levels[-1].inner)

    def check_box(self, *, done: bool) -> None:
        """Frames an item by its check box."""
        state = "done" if done else "open"
        self._levels[-1].under = self.frames.add("check box", state, self._levels[-1].under)

    def paragraph_end(self, text: str) -> None:
        """Ends a paragraph of the present container."""
        self._settle()
        level = self._levels[-1]
        level.before = text
        if level.item or is_label(text):
            self._leading = text  # it becomes a frame only if something follows

    def break_lead(self) -> None:
        """The last paragraph does not lead in the next block: a heading, a rule, code."""
        self._leading = None
        self._levels[-1].before = ""

    def end_labels(self) -> None:
        """Ends the labels of the present container: a heading or a rule follows."""
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
"""The label of a block that quotes somebody's words."""

_QUOTES = ('"', "“", "«", "„")
CONDITION = compiled(
    r"(?i)\b(?:if|when|whenever|unless)\b[^.!?]{0,60}:$", needs=("if", "when", "unless")
)
"""The end of a lead-in whose items are conditions, and no statements of the author."""

_LONGEST = 100
"""Characters of the longest label of doubt."""
# "[open] …", "Open question: …", "Unclear – …".
_PREFIX = compiled(
    r"\W{0,8}(?:[\[(](?P<tag>[^\[\]()]{1,40})[\])]|(?P<label>[^:;.!?\n\0—–]{1,80}?)(?::(?!\S)|\s[—–-]+\s))"
)
_FRAME = compiled(r"^[\W\d_]+|[\W_]+$")
_PARTS = compiled(r":(?!\S)|\s[—–-]+\s")
_SPACE = compiled(r"\s+")
_FINITE = compiled(r"\b(?:is|are|was|were)\b|[\d:;]")


@cache
def _labels() -> tuple[re.Pattern[str], ...]:
    """Returns the patterns of the three kinds of label: noun phrases, states, clauses. Of a noun
    phrase, the part up to its noun matters."""
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


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text.lower().replace("’", "'"))


@lru_cache(maxsize=4096)
def doubt_of(text: str) -> str:
    """Returns a text that is a label of doubt; otherwise an empty text."""
    if not text or len(text) > _LONGEST:
        return ""
    folded = _folded(text)
    if not any(map(folded.__contains__, words.TRIGGERS)):
        return ""
    folded = _FRAME.sub("", folded)
    is_doubt = any(label.match(folded) for label in _labels()) and not _denial().search(folded)
    return text.strip() if is_doubt else ""


def heading_doubt(title: str) -> str:
    """Returns the label of doubt in a heading: all of it, or its part before or behind a colon or
    dash."""
    parts = _PARTS.split(title) if _PARTS.search(title) else ()
    return next((label for part in (title, *parts) if (label := doubt_of(part))), "")


def is_doubt_label(text: str) -> bool:
    """Whether a sentence is nothing but a label of doubt: it asserts nothing."""
    if not doubt_of(text):
        return False
    folded = _FRAME.sub("", _folded(text))
    return any(label.fullmatch(folded) for label in _labels()) and not _FINITE.search(folded)


def own_doubt(text: str) -> str:
    """Returns the label of doubt that begins a text, before a colon or dash or in brackets."""
    found = _PREFIX.match(text)
    return doubt_of((found["tag"] or found["label"] or "").strip()) if found else ""


class _LabelLevel:
    """One container of labels. `over` holds for all of it. `lasting` holds from a label on that
    stood alone. `lead` holds for the next list, table or quote. `introduces`: the last passage ends
    in a colon. `fresh`: the container is still empty."""

    __slots__ = ("fresh", "introduces", "kind", "lasting", "lead", "over")

    def __init__(self, kind: str, over: str) -> None:
        self.kind, self.over, self.fresh = kind, over, True
        self.lasting, self.lead, self.introduces = "", "", False


class Labels:
    """Follows a parser through containers, and knows the label of doubt above each passage.
    Containers have their names in Markdown: `Item`, `BlockQuote`."""

    def __init__(self) -> None:
        self._levels = [_LabelLevel("", "")]

    @property
    def over(self) -> str:
        """The label above the next block, if that is a list, a table or a quote."""
        level = self._levels[-1]
        return level.over or level.lasting or level.lead

    def open(self, kind: str) -> None:
        """Enters a container."""
        quotes = kind == "BlockQuote" and self._levels[-1].introduces
        self._levels.append(_LabelLevel(kind, self.over or (QUOTED if quotes else "")))

    def close(self) -> None:
        """Leaves a container."""
        self._levels.pop()
        self._levels[-1].lead, self._levels[-1].introduces = "", False

    def heading(self) -> None:
        """Ends the labels of the present container: a heading follows."""
        level = self._levels[-1]
        level.lasting, level.lead, level.introduces = "", "", False

    def passage(self, passage: Passage) -> str:
        """Returns the label above a passage. Its own label may hold for the passages below."""
        level = self._levels[-1]
        text, masked = passage.text, passage.masked.strip()
        run_in = passage.run_in
        if run_in:
            own = doubt_of(text[:run_in])
            level.lasting = own if run_in >= len(text.rstrip(": ")) else ""
        else:
            own = own_doubt(masked) or (masked if is_doubt_label(masked) else "")
        if level.fresh and not level.over:
            level.over = _of_container(level.kind, masked, own)
        level.fresh, level.introduces = False, masked.endswith(":")
        last = masked[[*sentences(masked)][-1][0] :] if level.introduces else ""
        level.lead = doubt_of(last) or own or (last if CONDITION.search(last) else "")
        return level.over or level.lasting or (own if run_in else "")


def _of_container(kind: str, text: str, own: str) -> str:
    """Returns the label that the first passage of a container gives all of it."""
    if kind == "BlockQuote" and text.startswith(_QUOTES):
        return QUOTED
    return own if kind == "Item" else ""
