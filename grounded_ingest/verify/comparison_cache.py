"""What comparing claims with sources gave, kept beside the index: nothing is compared twice.

A judgement is a function of the claim's words, the sources' texts and this code, and is kept under
a digest of the three: nothing else can make it stale, and nothing has to be forgotten.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import groupby

import msgspec
from msgspec import Struct

from grounded_ingest.knowledge.ledger import Ledger
from grounded_ingest.knowledge.worker_pool import how_many, shared, shares_of
from grounded_ingest.model.digests import blake2b
from grounded_ingest.support.source import SourceText, SourceVerdict
from grounded_ingest.version import code_stamp

_JUDGING = ("language", os.path.join("language", "lexicon"), "support")
"""The folders a judgement is made by."""
WORTH_A_PROCESS = 200_000
"""Compared words from which on another process pays: about half a second."""

_decode = msgspec.msgpack.Decoder(tuple[SourceVerdict, ...]).decode
_decode_group = msgspec.msgpack.Decoder(dict[bytes, bytes]).decode
_encode = msgspec.msgpack.Encoder().encode


class Comparison(Struct, frozen=True):
    """A claim, its citations left out, the sources it cites itself, and others; `words` is how much
    there is to compare."""

    claim: str
    own: tuple[SourceText, ...]
    others: tuple[SourceText, ...]
    words: int = 0

    @property
    def source(self) -> tuple[str, ...]:
        """What is sorted by it stands together by source."""
        first = (*self.own, *self.others)[0]
        return first.kind, first.path, first.title, first.text


class Judgements:
    """Judges, or recalls. Without a ledger nothing is kept beyond the run."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self._ledger = ledger
        self._digests: dict[SourceText, bytes] = {}
        self._new: dict[bytes, bytes] = {}

    def ahead(self, asked: Iterable[Comparison], jobs: int) -> None:
        """Judge many claims, those of a source one after the other, by several processes where
        there is much to compare. What fails here is judged, and told, when it is asked for."""
        unknown = {self._key(a): a for a in asked}
        unknown = {key: a for key, a in unknown.items() if self._known(key) is None}
        groups = [
            [*own] for _, own in groupby(sorted(unknown.items(), key=_by_source), key=_by_source)
        ]
        words = sum(a.words for a in unknown.values())
        count = min(how_many(jobs, words, WORTH_A_PROCESS), len(groups))
        shares = shares_of(groups, lambda g: sum(a.words for _, a in g), count)
        for found in shared(_judged_group, shares):
            self._new.update(_decode_group(found))

    def only_points(self, claim: str) -> bool:
        """Whether a claim, its citations left out, only says where something is told."""
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
        key = self._key(Comparison(claim, tuple(own), tuple(others)))
        with suppress(msgspec.MsgspecError):  # damaged: judged again
            judged = _decode(self._known(key) or b"")
            if len(judged) == len(own) + len(others):
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

    def _key(self, asked: Comparison) -> bytes:
        digests = [self._digest(source) for source in (*asked.own, *asked.others)]
        return _key(asked.claim, b"%d" % len(asked.own), *digests)

    def _digest(self, source: SourceText) -> bytes:
        if source not in self._digests:
            self._digests[source] = blake2b(_encode(source), digest_size=16).digest()
        return self._digests[source]


def _by_source(one: tuple[bytes, Comparison]) -> tuple[str, ...]:
    return one[1].source


def _judged_group(group: Sequence[tuple[bytes, Comparison]]) -> bytes:
    """The verdicts on some claims by key, but for those that cannot be judged."""
    found = {}
    for key, asked in group:
        with suppress(Exception):
            found[key] = _encode(_judged(asked.claim, asked.own, asked.others))
    return _encode(found)


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
    return blake2b(_encode((_code(), said, parts)), digest_size=16).digest()


@cache
def _code() -> bytes:
    return blake2b(code_stamp(*_JUDGING).encode(), digest_size=16).digest()
