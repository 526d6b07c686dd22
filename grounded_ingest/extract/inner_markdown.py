"""Markdown that stands inside something else: a comment, an attribute, a record."""

from __future__ import annotations

from typing import Any

from grounded_ingest.extract.claims import Collector, Locate
from grounded_ingest.extract.markdown import outline
from grounded_ingest.extract.positions import Excerpt
from grounded_ingest.model.claims import Form

UNJUDGED = "hidden text, judged in agent memory only"
_DEPTH = 3


def take_in(
    collector: Collector,
    text: Excerpt,
    fields: dict[str, Any],
    locate: Locate,
    *,
    stated: bool = False,
    depth: int = _DEPTH,
) -> None:
    """Claims of an excerpt; `locate` knows the offsets of what it was taken from."""
    text = text.flush_left()

    def place(offset: int) -> tuple[int, int]:
        return locate(text.source(offset))

    inner = outline(text.text.encode(), collector.frames, fields.get("context", ""))
    for unit in inner.units:
        form = Form.HIDDEN if unit.form is Form.HIDDEN else fields["form"]
        own = {**fields, "form": form, "context": unit.frame, "doubt": unit.doubt}
        collector.passage(unit.passage, own, locate=place, stated=stated)
    for start, end, what in inner.opaque:
        collector.skip(place(start)[0], place(max(start, end - 1))[0], what)
    for comment in inner.comments:
        if depth and comment.text.length < text.length:
            moved = Excerpt()
            for part, at in comment.text.parts:
                moved.add(part, text.source(at))
            hidden = {**fields, "form": Form.HIDDEN}
            take_in(collector, moved, hidden, locate, depth=depth - 1)
        elif comment.text.text.strip():
            collector.skip(place(comment.start)[0], place(comment.end)[0], "nested too deep")
