"""`default`: "`TIMEOUT` defaults to 30" is so when every line of the tree that gives the name a
value, or what stands in for one, gives this one. Never refuted."""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.language.lexicon import reference_words as lexicon
from grounded_ingest.model.claims import CitationKind, Claim
from grounded_ingest.references.given_places import Stated, same_value, stated_in
from grounded_ingest.references.reference import Answers, Reference
from grounded_ingest.verify.context import Context

KIND = CitationKind.DEFAULT

_STATED = Stated(KIND, lexicon.DEFAULTS, default=True)


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    if "`" not in claim.text or "efault" not in claim.text:
        return ()
    return stated_in(path, claim, _STATED)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    return same_value(asked, context, default=True)
