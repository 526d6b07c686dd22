"""What stands around a citation suggests of it: gone, planned, of elsewhere, an example.

Suggestions, never verdicts: the verifier asks the tree and its history first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from grounded_ingest.extract.passage import MASK, Passage
from grounded_ingest.lexicon import citing
from grounded_ingest.model import Around, Citation, CitationKind
from grounded_ingest.patterns import compiled

_GONE = compiled(citing.GONE)
_PLANNED = compiled(citing.PLANNED)
_PLANNING = compiled(citing.PLANNING)
_EXAMPLE = compiled(citing.EXAMPLE)
_FOREIGN = compiled(citing.FOREIGN)
_NAMED = compiled(f"(?i){citing.NAMED_REPOSITORY}")
_COLUMN = compiled(r"(?i)(?:^|; )(?:repo(?:sitory)?|project|upstream): [^;]*\w")

_JUDGED = (CitationKind.PATH, CitationKind.COMMIT)
LABEL = 12
"""Words of the longest text that labels what stands below it without ending in a colon."""
_LONGEST = 2000
"""Characters of a text that is looked into."""


class Surroundings:
    """What stands over a passage: headings, lead-in, parent items, the head of the document."""

    def __init__(
        self, section: str = "", above: Sequence[Passage] = (), head: Sequence[Passage] = (),
        *, unticked: bool = False,
    ) -> None:  # fmt: skip
        self.section, self.above, self.head, self.unticked = section, above, head, unticked

    @cached_property
    def labels(self) -> str:
        """The lead-in and parent items, as far as they label what stands below them."""
        return "\n".join(_label(p.text.strip()) for p in self.above)

    def of(self, citations: Sequence[Citation], text: str, masked: str) -> list[Citation]:
        """The own citations of a sentence with what is suggested of them; `masked` blanks code."""
        if not any(c.kind in _JUDGED for c in citations):
            return list(citations)
        found = tuple(self._suggested(masked[:_LONGEST].replace(MASK, " "), text[:_LONGEST]))
        return [replace(c, around=found) if found and c.kind in _JUDGED else c for c in citations]

    def _suggested(self, sentence: str, written: str) -> Iterator[Around]:
        near = f"{sentence}\n{self.labels}"
        if _GONE.search(near) or _GONE.search(self.section):
            yield "gone"
        if self.unticked or _PLANNED.search(near) or _PLANNING.search(self.section):
            yield "planned"
        if _EXAMPLE.search(near) or _EXAMPLE.search(self.section):
            yield "example"
        if any(map(_is_foreign, (written, self.labels, self.section))) or self._of_elsewhere:
            yield "foreign"

    @cached_property
    def _of_elsewhere(self) -> bool:
        return any(_FOREIGN.search(p.text[:_LONGEST]) for p in self.head)


def _is_foreign(text: str) -> bool:
    if _FOREIGN.search(text) or _COLUMN.search(text):
        return True
    own = citing.OWN.split()
    return any(m["name"].lower() not in own for m in _NAMED.finditer(text))


def _label(text: str) -> str:
    if text.endswith((":", "：")):
        return text[-_LONGEST:].rpartition(". ")[2]
    return text if len(text.split()) <= LABEL else ""
