"""What comparing claims with sources gave, kept beside the index: nothing is compared twice.

A judgement is a function of the claim's words, the sources' texts and this code, and is kept under
a digest of the three: nothing else can make it stale, and nothing has to be forgotten.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import msgspec

from grounded_ingest.knowledge.ledger import Ledger
from grounded_ingest.knowledge.repository_state import code_stamp
from grounded_ingest.model.digests import blake2b
from grounded_ingest.support.source import SourceText, SourceVerdict

_JUDGING = ("language", os.path.join("language", "lexicon"), "support")
"""The folders a judgement is made by."""

_decode = msgspec.msgpack.Decoder(tuple[SourceVerdict, ...]).decode
_encode = msgspec.msgpack.Encoder().encode


class Judgements:
    """Judges, or recalls. Without a ledger nothing is kept."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self._ledger = ledger
        self._digests: dict[SourceText, bytes] = {}
        self._new: dict[bytes, bytes] = {}

    def only_points(self, claim: str) -> bool:
        """Whether a claim, its citations left out, only says where something is told."""
        if self._ledger is None:
            return _only_points(claim)
        key = _key(claim, b"points")
        known = self._known(key)
        if known not in (b"0", b"1"):
            known = self._new[key] = b"1" if _only_points(claim) else b"0"
        return known == b"1"

    def of(
        self, claim: str, own: Sequence[SourceText], others: Sequence[SourceText]
    ) -> tuple[SourceVerdict, ...]:
        """The verdicts on a claim beside the sources it cites itself, which are judged together,
        then beside each of the others."""
        if self._ledger is None:
            return _judged(claim, own, others)
        digests = [self._digest(source) for source in (*own, *others)]
        key = _key(claim, b"%d" % len(own), *digests)
        with suppress(msgspec.MsgspecError):  # damaged: judged again
            judged = _decode(self._known(key) or b"")
            if len(judged) == len(digests):
                return judged
        judged = _judged(claim, own, others)
        self._new[key] = _encode(judged)
        return judged

    def keep(self) -> None:
        """Write what this run added."""
        if self._ledger is not None and self._new:
            self._ledger.keep_judgements(self._new)
            self._new = {}

    def _known(self, key: bytes) -> bytes | None:
        if key in self._new:
            return self._new[key]
        return None if self._ledger is None else self._ledger.judgement(key)

    def _digest(self, source: SourceText) -> bytes:
        if source not in self._digests:
            self._digests[source] = blake2b(_encode(source), digest_size=16).digest()
        return self._digests[source]


def _only_points(claim: str) -> bool:
    from grounded_ingest.support.claim_view import claim_view, only_points

    return only_points(claim_view(claim))


def _judged(
    claim: str, own: Sequence[SourceText], others: Sequence[SourceText]
) -> tuple[SourceVerdict, ...]:
    from grounded_ingest.support.multi_source import judge_together
    from grounded_ingest.support.verdict import judge

    return (*judge_together(claim, own), *map(partial(judge, claim), others))


def _key(said: str, *parts: bytes) -> bytes:
    return blake2b(_encode((code_stamp(*_JUDGING), said, parts)), digest_size=16).digest()
