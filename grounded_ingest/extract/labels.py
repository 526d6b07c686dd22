"""Labels that say of what stands below them that it is open: headings, lead-ins, run-ins, headers.

Labelled doubt is honest: it waits for review, where the same words unlabelled stop a commit.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from grounded_ingest.extract.passage import Passage
from grounded_ingest.text.lexicon import doubt_labels as words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import sentences

QUOTED = ">"
"""Stands for a label where somebody's words are quoted in a block of their own."""

_QUOTES = ('"', "“", "«", "„")
CONDITION = compiled(
    r"(?i)\b(?:if|when|whenever|unless)\b[^.!?]{0,60}:$", needs=("if", "when", "unless")
)
"""The end of a lead-in under which items are conditions, not what the author says."""

_LONGEST = 100
_PREFIX = compiled(
    r"\W{0,8}(?:[\[(](?P<tag>[^\[\]()]{1,40})[\])]|(?P<label>[^:;.!?\n\0—–]{1,80}?)(?::(?!\S)|\s[—–-]+\s))"
)
_FRAME = compiled(r"^[\W\d_]+|[\W_]+$")
_PARTS = compiled(r":(?!\S)|\s[—–-]+\s")
_SPACE = compiled(r"\s+")
_FINITE = compiled(r"\b(?:is|are|was|were)\b|[\d:;]")


@cache
def _labels() -> tuple[re.Pattern[str], ...]:
    """The three kinds of label; of a noun phrase what goes before the end of its noun."""
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
def _denied() -> re.Pattern[str]:
    return compiled(words.DENIED)


@lru_cache(maxsize=4096)
def doubt_of(text: str) -> str:
    """The label, where it names what is open; else nothing."""
    if not text or len(text) > _LONGEST:
        return ""
    said = _SPACE.sub(" ", text.lower().replace("’", "'"))
    if not any(map(said.__contains__, words.TRIGGERS)):
        return ""
    said = _FRAME.sub("", said)
    labelled = any(label.match(said) for label in _labels())
    return text.strip() if labelled and not _denied().search(said) else ""


def heading_doubt(title: str) -> str:
    """The label a heading holds: all of it, or what stands before or behind a dash or colon."""
    parts = _PARTS.split(title) if _PARTS.search(title) else ()
    return next((label for part in (title, *parts) if (label := doubt_of(part))), "")


def is_doubt_label(text: str) -> bool:
    """Whether a sentence is a label of doubt and nothing else: it asserts nothing."""
    if not doubt_of(text):
        return False
    said = _FRAME.sub("", _SPACE.sub(" ", text.lower().replace("’", "'")))
    whole = any(label.fullmatch(said) for label in _labels())
    return whole and not _FINITE.search(said)


def prefix(text: str) -> str:
    """What stands before the first colon or dash of a text, or in brackets at its beginning."""
    found = _PREFIX.match(text)
    return (found["tag"] or found["label"] or "").strip() if found else ""


def own_doubt(text: str) -> str:
    """The label of doubt a text begins with."""
    return doubt_of(prefix(text))


class _Frame:
    """One container. `over` holds for all of it, `held` since a label that stood alone, `lead` for
    the list, table or quotation that comes next. `fresh`: nothing stands in it yet."""

    __slots__ = ("fresh", "held", "introduces", "kind", "lead", "over")

    def __init__(self, kind: str, over: str) -> None:
        self.kind, self.over, self.fresh = kind, over, True
        self.held, self.lead, self.introduces = "", "", False


class Labels:
    """The labels of doubt that stand over the passages of a text, while it is walked. Containers
    have their names in Markdown: `Item`, `BlockQuote`."""

    def __init__(self) -> None:
        self._frames = [_Frame("", "")]

    @property
    def over(self) -> str:
        """The label over what comes next, if that is a list, a table or a quotation."""
        frame = self._frames[-1]
        return frame.over or frame.held or frame.lead

    def open(self, kind: str) -> None:
        """Enter a container."""
        quotes = kind == "BlockQuote" and self._frames[-1].introduces
        self._frames.append(_Frame(kind, self.over or (QUOTED if quotes else "")))

    def close(self) -> None:
        self._frames.pop()
        self._frames[-1].lead, self._frames[-1].introduces = "", False

    def heading(self) -> None:
        """What stood over the text before a heading ends there."""
        frame = self._frames[-1]
        frame.held, frame.lead, frame.introduces = "", "", False

    def passage(self, passage: Passage) -> str:
        """The label over a passage; its own may hold for what follows."""
        frame = self._frames[-1]
        text, masked = passage.text, passage.masked.strip()
        run_in = passage.run_in
        own = doubt_of(text[:run_in]) if run_in else own_doubt(masked) or _whole(masked)
        if run_in:
            frame.held = own if run_in >= len(text.rstrip(": ")) else ""
        if frame.fresh and not frame.over:
            frame.over = _of_all(frame.kind, masked, own)
        frame.fresh, frame.introduces = False, masked.endswith(":")
        last = masked[[*sentences(masked)][-1][0] :] if frame.introduces else ""
        frame.lead = doubt_of(last) or own or (last if CONDITION.search(last) else "")
        return frame.over or frame.held or (own if run_in else "")


def _whole(text: str) -> str:
    return text if is_doubt_label(text) else ""


def _of_all(kind: str, text: str, own: str) -> str:
    """The label over all of a container that its first passage gives."""
    if kind == "BlockQuote" and text.startswith(_QUOTES):
        return QUOTED
    return own if kind == "Item" else ""
