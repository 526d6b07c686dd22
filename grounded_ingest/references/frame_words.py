"""Whether a claim says no more of what it mentions than that it is there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from grounded_ingest.model.claims import CitationKind, Claim
from grounded_ingest.references.reference import Reference
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.force import force_words
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.patterns import compiled

_WORD = compiled(r"[^\W_]+(?:['’][^\W_]+)?")
_UNTOLD = compiled(r"[^\w\s.,;:!()&/|`'\"*\[\]_–—-]|~~")
"""What is no word and may deny or ask: `?`, `≠`, `✗`, `~~`."""
_LISTED = compiled(r"[\s,;/&|`]*(?:and|or)?[\s,;/&|`]*$")


def is_framed(claim: Claim, confirmed: Sequence[Reference]) -> bool:
    """Whether every other word of the claim is frame of the kind that is mentioned ("the command
    is"), and none is a word of force. Other code is no frame, and neither is what relates two
    things that are mentioned: of several it is a list."""
    frame = _frame({r.kind for r in confirmed})
    if frame is None or any(_LISTED.match(t) is None for t in _between(claim.text, confirmed)):
        return False
    if any(r.kind is CitationKind.SYMBOL and not r.of for r in confirmed):
        return False  # that there is such a name says nothing; where it is does
    rest = _rest(claim.text, confirmed)
    if (
        _UNTOLD.search(rest)
        or force_words(rest)
        or any(_WORD.search(span.text) for span in code_spans(rest))
    ):
        return False
    return frame.issuperset(w.lower() for w in _WORD.findall(rest))


def _frame(kinds: set[CitationKind]) -> frozenset[str] | None:
    """The words that state nothing beside what is mentioned; None where its kinds have no frame."""
    known = {lexicon.FRAMES.get(kind) for kind in kinds}
    if len(known) != 1 or (words := known.pop()) is None:
        return None
    return frozenset(f"{lexicon.GLUE} {words}".split())


def _between(text: str, confirmed: Sequence[Reference]) -> list[str]:
    return [text[one.end : other.start] for one, other in pairwise(confirmed)]


def _rest(text: str, confirmed: Sequence[Reference]) -> str:
    for reference in sorted(confirmed, key=lambda r: -r.start):
        text = f"{text[: reference.start]} {text[reference.end :]}"
    return text
