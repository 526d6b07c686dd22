"""`value`: "`PORT` is 8443" is so when every line of the tree that gives the name a value gives
this one. Never refuted: what another place says may be of something else."""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.language.lexicon import reference_words as lexicon
from grounded_ingest.model.claims import CitationKind, Claim
from grounded_ingest.references.given_places import Stated, same_value, stated_in
from grounded_ingest.references.reference import Answers, Reference
from grounded_ingest.verify.context import Context

KIND = CitationKind.VALUE

_STATED = Stated(KIND, lexicon.VALUES, default=False)


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    return stated_in(path, claim, _STATED) if "`" in claim.text else ()


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    return same_value(asked, context, default=False)
