"""Finds the sentences that an ADR decides."""

from __future__ import annotations

from functools import lru_cache

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import Claim, DocClass, Form, Verdict
from grounded_ingest.references.adr import adr_files, judge_adr_file
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.disclaimers import disowned
from grounded_ingest.text.patterns import compiled

_PER = compiled(r"(?i)per ADR[-_ #]?(?P<number>\d{1,5}), (?P<said>.+)")
_DECIDES = compiled(
    r"(?i)^(?:\d+[.)] *)?(?:the |our )?(?:decisions?|decision outcome|chosen option|outcome|"
    r"consequences?|resolution)\b"
)
_HEAD = compiled(r"(?i)\W*(?:status|date|deciders?|authors?|supersed\w+( by)?)\W*:")


def is_decided(claim: Claim, path: str, context: Context) -> bool:
    """Whether a claim reads "Per ADR-N, S", where S is a whole sentence that the one accepted ADR
    of number N decides on base.

    S is compared letter for letter, but for emphasis, white space and the case of its first
    letter. An ADR with sections decides in "Decision", "Decision Outcome" and "Consequences"; one
    without sections decides in its body.
    """
    found = _PER.fullmatch(claim.text)
    if found is None or not context.base.known:
        return False
    files = adr_files(int(found["number"]), context.tree, context.config)
    if len(files) != 1:
        return False
    own = next((c for c in claim.citations if c.own), None)
    if own is None or path == files[0]:
        return False
    if judge_adr_file(Request(path, own), files[0], context).verdict is not Verdict.CONFIRMED:
        return False
    content = context.base.tree.read(files[0])
    return content is not None and _plain(found["said"]) in _decided(content, files[0])


@lru_cache(maxsize=64)
def _decided(content: bytes, path: str) -> frozenset[str]:
    read = extract(content, path, DocClass.DECISIONS)
    below_title = [c for c in read.claims if " > " in c.section]
    chosen = (
        [c for c in below_title if any(map(_DECIDES.search, c.section.split(" > ")[1:]))]
        if below_title
        else read.claims
    )
    return frozenset(
        _plain(c.text)
        for c in chosen
        if c.form is Form.PROSE and not c.doubt and not _HEAD.match(c.text)
        if not _framed(read.context(c)) and not disowned(c, read.context(c))
    )


def _framed(context: tuple[tuple[str, str], ...]) -> bool:
    """Whether a lead-in, parent item, table or check box stands over a sentence, so that the
    sentence is no whole statement by itself. A status line is no lead-in."""
    return any(
        kind != "paragraph" and not (kind == "lead-in" and _HEAD.match(text))
        for kind, text in context
    )


def _plain(text: str) -> str:
    bare = text.strip().rstrip(".")
    return bare[:1].lower() + bare[1:]
