"""Passages to claims: split into sentences, leave out what states nothing, give identities."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.extract.citations import (
    URL,
    CitationSpan,
    blanked,
    find_citations,
    with_pointers,
)
from grounded_ingest.extract.frames import Frames
from grounded_ingest.extract.labels import is_doubt_label, own_doubt
from grounded_ingest.extract.markdown import outline
from grounded_ingest.extract.memory_type import typed
from grounded_ingest.extract.nothing_to_check import nothing_to_check
from grounded_ingest.extract.passage import Draft, Passage, PassageMark
from grounded_ingest.extract.surroundings import Surroundings
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    Extraction,
    Form,
    Ignore,
    Kind,
    Problem,
    Skipped,
)
from grounded_ingest.model.digests import sha256
from grounded_ingest.text.code_spans import MASK
from grounded_ingest.text.dates import stated_end
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import Reading
from grounded_ingest.text.sentences import no_statement, sentences

_STANDING = (CitationKind.PATH, CitationKind.URL)
"""Citations that count outside of statements; a number or an id there is a label more often."""
INHERITED = 32
"""Citations a claim takes from its passage, the nearest before and behind, and from its notes."""

_QUOTED = compiled(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,2000}”|«[^»\n]{1,2000}»|(?<![\w'’])['‘][^'’\n]{2,120}['’](?!\w)"
    # So long only from where a word begins to where one ends: half a pair quotes nothing.
    r"|(?<![^\s(])\"(?=\S)[^\"\n]{301,2000}(?<=\S)\"(?!\w)"
)
_QUOTE = compiled(r"[\"“«'‘’]")
_DECISION = compiled(
    r"\b(?:we|the team|team|i)(?:'ve| have)? (?:have )?"
    r"(?:decided|chose|chosen|agreed|settled on|opted)\b|"
    r"^decision:|\bit was decided\b|\bdecided to\b",
    re.IGNORECASE,
)
_PREFERENCE = compiled(r"\bprefer(?:s|red|ence)?\b|\bfavou?rite\b|\bwould rather\b", re.IGNORECASE)
# One of these stands in whatever the two patterns find: a look at them is cheaper.
_CHOOSING = ("deci", "chose", "agreed", "settled", "opted", "prefer", "favo", "would")
# Tags that are no flag of a region, marks that turn the direction of what follows, and selectors of
# variants where no ideograph has any.
_INVISIBLE = compiled(
    r"(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]|[\u202a-\u202e\u2066-\u2069]|"
    r"(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)

Locate = Callable[[int], tuple[int, int]]


def claim_id(text: str) -> str:
    """First 16 hex digits of SHA-256 over a claim's canonical text."""
    return sha256(text.encode()).hexdigest()[:16]


def lexical_kind(text: str) -> Kind:
    if text.isascii() and not any(map(text.lower().__contains__, _CHOOSING)):
        return Kind.FACT
    if _DECISION.search(text):
        return Kind.DECISION
    return Kind.PREFERENCE if _PREFERENCE.search(text) else Kind.FACT


class Collector:
    """Gathers a document's claims; `found` is the Extraction.

    `locate` turns byte offsets into (line, column); `wary`: what nobody sees is told apart;
    `role` is what the document is for; `other`: it is read for its references alone.
    """

    def __init__(
        self, locate: Locate, *, wary: bool = False, role: str = "", other: bool = False
    ) -> None:
        self.locate = locate
        self.other = other
        self.wary = wary
        self.role = role
        self.claims: list[Claim] = []
        self.skipped: list[Skipped] = []
        self.ignores: list[Ignore] = []
        self.imports: list[str] = []
        self.problems: list[Problem] = []
        self.links: list[tuple[str, str, str]] = []
        self.frames = Frames()
        self._seen: Counter[tuple[str, str]] = Counter()

    def passage(
        self,
        passage: Passage,
        fields: dict[str, Any],
        *,
        locate: Locate | None = None,
        notes: Mapping[str, Footnote] | None = None,
        around: Surroundings | None = None,
        stated: bool = False,
        whole: bool = False,
        bare: bool = False,
    ) -> None:
        """Take in a passage. `locate` knows its offsets, `fields` are the claims' own; `stated`:
        that it stands where it does makes it a statement, however short; `whole`: it is one;
        `around` is what stands over it; `bare`: it states nothing."""
        locate, notes = locate or self.locate, notes or {}
        read = _PassageViews(passage, whole=whole or fields["form"] is Form.ROW)
        footnotes, noted = _notes_of(passage, notes)
        fields = self._framed(fields, read.text.strip() if len(read.spans) > 1 else "", noted)
        footnotes.reverse()
        for start, end in read.spans:
            line, column = locate(passage.pieces.source(start))
            end_line = max(line, locate(passage.pieces.source(end - 1))[0])
            here = {**fields, "line": line, "column": column, "end_line": end_line}
            own, near = read.citations(start, end)
            reason = read.no_claim(start, end, cites=bool(own), stated=stated)
            reason = reason or self._why_unread(bare=bare)
            if around is not None and own:
                own = around.of(read.cited(start, end), passage, start, end)
            if reason:
                self._references(read, start, end, own, here, reason)
                continue
            noted_here = _cited_in_notes(footnotes, end, notes)
            citations = (*noted_here, *own, *(replace(c, own=False) for c in near))
            here["doubt"] = fields.get("doubt") or own_doubt(read.masked[start:end])
            self.claim(read.text[start:end], read.hedgeless[start:end], citations, **here)

    def _why_unread(self, *, bare: bool) -> str:
        return "of no class: only its references are looked up" if self.other or bare else ""

    def _references(
        self,
        read: _PassageViews,
        start: int,
        end: int,
        own: Sequence[Citation],
        fields: dict[str, Any],
        reason: str,
    ) -> None:
        """Take in what a text that is no statement refers to, if anything; else it is skipped."""
        if fields["form"] is Form.HIDDEN or not (own or read.refers(start, end)):
            self.skip(fields["line"], fields["end_line"], reason)
            return
        citations = tuple(c for c in own if self.other or c.kind in _STANDING)
        fields = {**fields, "doubt": fields.get("doubt", ""), "nothing": "reference"}
        self.claim(read.text[start:end], read.hedgeless[start:end], citations, **fields)

    def _framed(self, fields: dict[str, Any], said: str, noted: list[str]) -> dict[str, Any]:
        """The claims' fields with the paragraph and footnotes they are read in, if any."""
        if not said and not noted:
            return fields
        context = self.frames.add("paragraph", said, fields.get("context", ""), noted)
        return {**fields, "context": context}

    def claim(
        self,
        text: str,
        masked: str,
        citations: tuple[Citation, ...],
        nothing: str = "",
        **fields: Any,
    ) -> None:
        section, identity = fields["section"], claim_id(text)
        ordinal = self._seen[section, identity]
        self._seen[section, identity] += 1
        fields.setdefault("kind", lexical_kind(text))
        if not fields.get("valid_until"):
            fields["valid_until"] = stated_end(masked)
        if self.wary and not nothing and not text.isascii() and _INVISIBLE.search(text):
            fields["form"] = Form.HIDDEN
        fields["nothing"] = nothing
        if not nothing:
            tokens = Reading(text, masked).cues
            found = typed(text, masked, tokens, fields, self.role)
            fields["memory_type"], fields["cues"], fields["certainty"], fields["split"] = found[:4]
            box = self.frames.boxes.get(fields.get("context", ""), "")
            fields["nothing"] = nothing_to_check(text, tokens, found, fields["form"], box)
        citations = tuple(dict.fromkeys(citations))
        self.claims.append(
            Claim(identity, text, masked, ordinal=ordinal, citations=citations, **fields)
        )

    def skip(self, line: int, end_line: int, reason: str) -> None:
        self.skipped.append(Skipped(line, max(line, end_line), reason))

    def problem(self, line: int, rule: str, message: str, tier: int = 0) -> None:
        self.problems.append(Problem("", line, rule, message, tier))

    @property
    def found(self) -> Extraction:
        return Extraction(
            tuple(self.claims),
            tuple(self.skipped),
            tuple(self.ignores),
            tuple(dict.fromkeys(self.imports)),
            tuple(self.problems),
            tuple(self.links),
            self.frames.known,
        )


class Footnote(Struct, frozen=True):
    """A footnote: what it cites, and the digest of its text as a frame."""

    citations: tuple[Citation, ...]
    frame: str


_NO_NOTE = Footnote((), "")


def _notes_of(
    passage: Passage, notes: Mapping[str, Footnote]
) -> tuple[list[PassageMark], list[str]]:
    """The calls of footnotes in a passage, and the frames of those that are known."""
    calls = [m for m in passage.marks if m.kind == "footnote"]
    return calls, [notes[m.target].frame for m in calls if m.target in notes]


def _cited_in_notes(
    footnotes: list[PassageMark], end: int, notes: Mapping[str, Footnote]
) -> tuple[Citation, ...]:
    """What the footnotes called before `end` cite, the last one first; they are used up."""
    found: tuple[Citation, ...] = ()
    while footnotes and footnotes[-1].start < end:
        found = notes.get(footnotes.pop().target, _NO_NOTE).citations + found
    return found


def note_of(label: str, passages: Iterable[Passage], frames: Frames) -> Footnote:
    """A footnote by its passages."""
    passages = list(passages)
    cited = tuple(f.citation for p in passages for f in find_citations(p))[:INHERITED]
    text = " ".join(p.text.strip() for p in passages)
    return Footnote(cited, frames.add("footnote", f"[^{label}]: {text}", ""))


class _PassageViews:
    """A passage as its sentences are looked at: `plain` without links' texts, `hedgeless` without
    addresses and quotations."""

    def __init__(self, passage: Passage, *, whole: bool) -> None:
        text, masked = self.text, self.masked = passage.text, passage.masked
        self._marks = [m for m in passage.marks if m.kind in ("link", "code")]
        spans = [(0, len(text.rstrip()))] if whole else list(sentences(masked))
        self._cited = _inherited(find_citations(passage), passage.asides)
        self._starts = [f.start for f in self._cited]
        links = [(m.start, m.end) for m in passage.marks if m.kind in ("link", "image")]
        self._plain = blanked(masked, links) if links else masked
        if self._cited:
            spans = with_pointers(spans, self._plain, self._cited)
        self.spans = _trimmed(spans, text)
        """The sentences, or the `whole` passage as one, each with what only names its source."""
        self.hedgeless = URL.sub(_mask, masked) if "://" in masked else masked
        if _QUOTE.search(self.hedgeless):
            self.hedgeless = _QUOTED.sub(_mask, self.hedgeless)

    def cited(self, start: int, end: int) -> list[CitationSpan]:
        """The citations of a sentence with their places in the passage."""
        return self._cited[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def citations(self, start: int, end: int) -> tuple[list[Citation], list[Citation]]:
        """The citations of a sentence, and those near it in the passage."""
        cited, half = self._cited, INHERITED // 2
        first, behind = bisect_left(self._starts, start), bisect_left(self._starts, end)
        near = cited[max(0, first - half) : first] + cited[behind : behind + half]
        return [f.citation for f in cited[first:behind]], [f.citation for f in near]

    def refers(self, start: int, end: int) -> bool:
        """Whether a sentence holds a link or a code span, whatever it states."""
        return any(start <= m.start < end for m in self._marks)

    def no_claim(self, start: int, end: int, *, cites: bool, stated: bool) -> str:
        """Why a sentence is no claim; empty when it is one."""
        bare = self.masked[start:end]
        reason = no_statement(
            self.text[start:end], bare, self._plain[start:end], cites=stated or cites
        )
        return reason or ("a label" if not cites and is_doubt_label(bare) else "")


def _trimmed(spans: Iterable[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Spans without the space they begin with, those of nothing else left out."""
    bare = ((end - len(text[start:end].lstrip()), end) for start, end in spans)
    return [(start, end) for start, end in bare if start < end]


def _inherited(cited: list[CitationSpan], asides: list[tuple[int, int]]) -> list[CitationSpan]:
    """Citations, those of a table's headers no row's own."""
    if not asides:
        return cited
    return [
        f._replace(citation=replace(f.citation, own=False))
        if any(start <= f.start < end for start, end in asides)
        else f
        for f in cited
    ]


def _mask(found: re.Match[str]) -> str:
    return MASK * len(found[0])


def single_claim(text: str) -> Claim | None:
    """The claim a Markdown text makes as a whole; None where there is no text."""
    joined = Draft()
    for unit in outline(text.encode(errors="replace"), Frames()).units:
        joined.add(" ", unit.start, verbatim=False)
        joined.extend(unit.passage)
    collector = Collector(lambda _: (1, 1), wary=True)
    fields = {"section": "", "block": 1, "form": Form.PROSE}
    collector.passage(joined.passage, fields, stated=True, whole=True)
    return collector.claims[0] if collector.claims else None
