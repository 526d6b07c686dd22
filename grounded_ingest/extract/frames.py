"""What a claim is read with: lead-ins, parent items, header rows, the rest of its paragraph, notes.

Frames form trees that hold every text once and are known by the digests of all they stand under, so
that two claims have the same context exactly if their digests are equal. What is a frame follows
from structure alone, never from a list of words: an approval is bound to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.model.claims import Frame
from grounded_ingest.model.digests import sha256

LABEL_WORDS = 8
"""Words of the longest paragraph that is read as a label without a colon."""


class Frames:
    """The frames of a document; `boxes` is the state of the check box that each stands under."""

    def __init__(self) -> None:
        self.known: dict[str, Frame] = {}
        self.boxes: dict[str, str] = {}

    def add(self, kind: str, text: str, under: str, notes: Iterable[str] = ()) -> str:
        """The digest of a frame, new or not."""
        frame = Frame(kind, text, under, tuple(notes))
        parts = "\0".join((kind, under, *frame.notes, text))
        digest = sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()
        self.known[digest] = frame
        if box := text if kind == "check box" else self.boxes.get(under, ""):
            self.boxes[digest] = box
        return digest


def is_label(text: str) -> bool:
    """Whether a paragraph names what follows it rather than stating something."""
    bare = text.rstrip("*_~` ")
    if bare.endswith((":", "：")):
        return True
    closed = bare.endswith((".", "!", "。", "！"))
    return not closed and 0 < len(bare.split()) <= LABEL_WORDS


class _Level:
    """One list, item, quote or table, or the document. `under` frames all of it, `label` what
    comes from there on; `before` is the paragraph that ended last; `item`: it is one."""

    def __init__(self, under: str, *, item: bool = False) -> None:
        self.under, self.item = under, item
        self.label = self.before = ""

    @property
    def inner(self) -> str:
        return self.label or self.under


class Framing:
    """Follows a parser through containers and tells what frames each passage."""

    def __init__(self, frames: Frames, under: str = "") -> None:
        self.frames = frames
        self._levels = [_Level(under)]
        self._leading: str | None = None

    @property
    def inner(self) -> str:
        """The frame of what comes next."""
        self._settle()
        return self._levels[-1].inner

    def open(self, kind: str) -> None:
        """A container begins. The paragraph right before a list, table or quote leads in."""
        self._settle()
        level = self._levels[-1]
        under = level.inner
        if kind == "FootnoteDefinition":
            under = ""  # it stands wherever it is called
        elif level.before and kind != "Item":
            under = self.frames.add("lead-in", level.before, under)
        level.before = ""
        self._levels.append(_Level(under, item=kind == "Item"))

    def close(self) -> None:
        self._leading = None
        if len(self._levels) > 1:
            self._levels.pop()

    def header(self, text: str) -> None:
        """A table's header row frames its rows."""
        if text:
            self._levels[-1].under = self.frames.add("header", text, self._levels[-1].inner)

    def check_box(self, *, done: bool) -> None:
        state = "done" if done else "open"
        self._levels[-1].under = self.frames.add("check box", state, self._levels[-1].under)

    def passed(self, text: str) -> None:
        """A paragraph of this level has ended."""
        self._settle()
        level = self._levels[-1]
        level.before = text
        if level.item or is_label(text):
            self._leading = text  # a frame only once something follows

    def apart(self) -> None:
        """What comes next is not led in by what came last: a heading, a rule, code."""
        self._leading = None
        self._levels[-1].before = ""

    def anew(self) -> None:
        """A heading or a rule: labels end."""
        self.apart()
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
