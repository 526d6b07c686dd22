"""One text taken as one claim, for callers that hold no document."""

from __future__ import annotations

from grounded_ingest.extract.claims import Collector
from grounded_ingest.extract.frames import Frames
from grounded_ingest.extract.markdown import outline
from grounded_ingest.extract.passage import Passage
from grounded_ingest.model.claims import Claim, Form


def single_claim(text: str) -> Claim | None:
    """The claim a Markdown text makes as a whole; None where there is no text."""
    joined = Passage()
    for unit in outline(text.encode(errors="replace"), Frames()).units:
        joined.add(" ", unit.start, verbatim=False)
        joined.extend(unit.passage)
    collector = Collector(lambda _: (1, 1), wary=True)
    fields = {"section": "", "block": 1, "form": Form.PROSE}
    collector.passage(joined, fields, stated=True, whole=True)
    return collector.claims[0] if collector.claims else None
