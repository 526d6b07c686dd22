"""Whether a claim says no more of what it mentions than that it is there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from grounded_ingest.language.force import force_words
from grounded_ingest.language.lexicon import reference_words as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import CitationKind, Claim
from grounded_ingest.references.code_spans import code_spans
from grounded_ingest.references.reference import Reference

_WORD = compiled(r"[^\W_]+(?:['’][^\W_]+)?")
_LISTED = compiled(r"[\s,;/&|`]*(?:and|or)?[\s,;/&|`]*$")


def is_framed(claim: Claim, confirmed: Sequence[Reference]) -> bool:
    """Whether every other word of the claim is frame of the kind that is mentioned ("the command
    is"), and none is a word of force. Other code is no frame, and neither is what relates two
    things that are mentioned: of several it is a list."""
    kinds = {r.kind for r in confirmed}
    if not kinds <= lexicon.FRAMES.keys() or not all(r.end > r.start for r in confirmed):
        return False
    if len({lexicon.FRAMES[kind] for kind in kinds}) != 1:
        return False
    if CitationKind.SYMBOL in kinds and not all(r.of for r in confirmed):
        return False  # that there is such a name says nothing; where it is does
    if any(not _LISTED.match(claim.text[a.end : b.start]) for a, b in pairwise(confirmed)):
        return False
    rest = _rest(claim.text, confirmed)
    if force_words(rest) or any(_WORD.search(span.text) for span in code_spans(rest)):
        return False
    frame = frozenset(f"{lexicon.GLUE} {lexicon.FRAMES[min(kinds)]}".split())
    return all(w.lower() in frame for w in _WORD.findall(rest))


def _rest(text: str, confirmed: Sequence[Reference]) -> str:
    for reference in sorted(confirmed, key=lambda r: -r.start):
        text = f"{text[: reference.start]} {text[reference.end :]}"
    return text
