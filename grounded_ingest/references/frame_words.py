"""Whether a claim says no more of what it mentions than that it is there."""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.force import force_words
from grounded_ingest.language.lexicon import reference_words as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Claim
from grounded_ingest.references.code_spans import code_spans
from grounded_ingest.references.reference import Reference

_WORD = compiled(r"[^\W_]+(?:['’][^\W_]+)?")


def is_framed(claim: Claim, confirmed: Sequence[Reference]) -> bool:
    """Whether every other word of the claim is frame ("is defined in", "the command is") or part
    of what is mentioned, and none is a word of force. Other code is no frame."""
    if not confirmed or not all(r.end > r.start for r in confirmed):
        return False
    rest = _rest(claim.text, confirmed)
    if force_words(rest) or any(_WORD.search(span.text) for span in code_spans(rest)):
        return False
    own = {w.lower() for r in confirmed for w in _WORD.findall(f"{r.name} {r.of} {r.kind}")}
    frame = own | function_words() | frozenset(lexicon.FRAME.split())
    frame |= frozenset(w for r in confirmed for w in lexicon.OF_KIND.get(r.kind, "").split())
    return all(w.lower() in frame for w in _WORD.findall(rest))


def _rest(text: str, confirmed: Sequence[Reference]) -> str:
    for reference in sorted(confirmed, key=lambda r: -r.start):
        text = f"{text[: reference.start]} {text[reference.end :]}"
    return text
