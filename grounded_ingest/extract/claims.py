"""Turns passages into claims: splits sentences, skips what states nothing, gives identities."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.extract.citations import URL, find_citations, with_pointers
from grounded_ingest.extract.frames import Frames, is_doubt_label, own_doubt
from grounded_ingest.extract.markdown import outline
from grounded_ingest.extract.memory_type import typed
from grounded_ingest.extract.nothing_to_check import nothing_to_check
from grounded_ingest.extract.passage import CitationSpan, Draft, Passage, PassageMark, blanked
from grounded_ingest.extract.positions import Excerpt
from grounded_ingest.extract.reference_cues import Surroundings
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
"""Kinds of citations that count in a text that states nothing; a number there is often a label."""
INHERITED = 32
"""Citations a claim inherits from its passage, the nearest before and behind, and from a note."""

# Pairs of straight, curly, angle and single quotes; an apostrophe inside a word opens nothing.
_QUOTED = compiled(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,2000}”|«[^»\n]{1,2000}»|(?<![\w'’])['‘][^'’\n]{2,120}['’](?!\w)"
    # Longer ones run from the beginning of a word to the end of one: half a pair quotes nothing.
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
# Every match of the two patterns has one of these parts; looking for them is cheaper.
_CHOOSING = ("deci", "chose", "agreed", "settled", "opted", "prefer", "favo", "would")
# Tag characters that make no flag of a region, marks that change the direction of the text, and
# selectors of variants that belong to no ideograph.
_INVISIBLE = compiled(
    r"(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]|[\u202a-\u202e\u2066-\u2069]|"
    r"(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)

Locate = Callable[[int], tuple[int, int]]
"""Maps a byte offset to (line, column)."""
UNJUDGED = "hidden text, judged in agent memory only"
_DEPTH = 3
"""Comments inside comments that are read."""


def claim_id(text: str) -> str:
    """Returns the first 16 hex digits of SHA-256 over a claim's canonical text."""
    return sha256(text.encode()).hexdigest()[:16]


def lexical_kind(text: str) -> Kind:
    """Returns the kind of a claim by its words."""
    if text.isascii() and not any(map(text.lower().__contains__, _CHOOSING)):
        return Kind.FACT
    if _DECISION.search(text):
        return Kind.DECISION
    return Kind.PREFERENCE if _PREFERENCE.search(text) else Kind.FACT


class Collector:
    """Gathers the claims of a document. `locate` maps its offsets. `other`: only references of the
    document are read. `wary`: invisible characters make a claim hidden text. `role` is the role of
    the document (`role_of`)."""

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
        """Adds the claims of a passage. `locate` maps its offsets, `fields` belong to its claims,
        `around` are the texts above it. `stated`: its place makes it a statement, however short.
        `whole`: it is one claim. `bare`: it states nothing."""
        locate, notes = locate or self.locate, notes or {}
        views = _PassageViews(passage, whole=whole or fields["form"] is Form.ROW)
        calls = [m for m in reversed(passage.marks) if m.kind == "footnote"]
        fields = self._framed(fields, views, calls, notes)
        for start, end in views.spans:
            line, column = locate(passage.pieces.source(start))
            end_line = max(line, locate(passage.pieces.source(end - 1))[0])
            here = {**fields, "line": line, "column": column, "end_line": end_line}
            own, near = views.citations(start, end)
            reason = views.no_claim(start, end, cites=bool(own), stated=stated)
            reason = reason or self._why_unread(bare=bare)
            if around is not None and own:
                own = around.citations(views.cited(start, end), passage, start, end)
            if reason:
                self._references(views, start, end, own, here, reason)
                continue
            from_notes = _cited_in_notes(calls, end, notes)
            citations = (*from_notes, *own, *(replace(c, own=False) for c in near))
            here["doubt"] = fields.get("doubt") or own_doubt(views.masked[start:end])
            self.claim(views.text[start:end], views.hedgeless[start:end], citations, **here)

    def _references(
        self,
        views: _PassageViews,
        start: int,
        end: int,
        own: Sequence[Citation],
        fields: dict[str, Any],
        reason: str,
    ) -> None:
        """Adds a text that states nothing for its references; skips a text without references."""
        if fields["form"] is Form.HIDDEN or not (own or views.refers(start, end)):
            self.skip(fields["line"], fields["end_line"], reason)
            return
        citations = tuple(c for c in own if self.other or c.kind in _STANDING)
        fields = {**fields, "doubt": fields.get("doubt", ""), "nothing": "reference"}
        self.claim(views.text[start:end], views.hedgeless[start:end], citations, **fields)

    def _framed(
        self,
        fields: dict[str, Any],
        views: _PassageViews,
        calls: Sequence[PassageMark],
        notes: Mapping[str, Footnote],
    ) -> dict[str, Any]:
        """Returns fields with the frame of a paragraph of several claims and its footnotes."""
        paragraph = views.text.strip() if len(views.spans) > 1 else ""
        noted = [notes[m.target].frame for m in reversed(calls) if m.target in notes]
        if not paragraph and not noted:
            return fields
        context = self.frames.add("paragraph", paragraph, fields.get("context", ""), noted)
        return {**fields, "context": context}

    def _why_unread(self, *, bare: bool) -> str:
        return "of no class: only its references are looked up" if self.other or bare else ""

    def claim(
        self,
        text: str,
        masked: str,
        citations: tuple[Citation, ...],
        nothing: str = "",
        **fields: Any,
    ) -> None:
        """Adds one claim. `masked` lacks code, URLs and quotations."""
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
        """Notes lines without a claim."""
        self.skipped.append(Skipped(line, max(line, end_line), reason))

    def problem(self, line: int, rule: str, message: str, tier: int = 0) -> None:
        """Adds a problem."""
        self.problems.append(Problem("", line, rule, message, tier))

    @property
    def found(self) -> Extraction:
        """All that was gathered."""
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
    """The citations of a footnote, and the digest of its text as a frame."""

    citations: tuple[Citation, ...]
    frame: str


_NO_NOTE = Footnote((), "")


def _cited_in_notes(
    calls: list[PassageMark], end: int, notes: Mapping[str, Footnote]
) -> tuple[Citation, ...]:
    """Removes the calls before `end` from `calls`, which begins with the last, and returns the
    citations of their footnotes."""
    found: tuple[Citation, ...] = ()
    while calls and calls[-1].start < end:
        found = notes.get(calls.pop().target, _NO_NOTE).citations + found
    return found


def footnote_of(label: str, passages: Sequence[Passage], frames: Frames) -> Footnote:
    """Returns a footnote by its passages."""
    cited = tuple(f.citation for p in passages for f in find_citations(p))[:INHERITED]
    text = " ".join(p.text.strip() for p in passages)
    return Footnote(cited, frames.add("footnote", f"[^{label}]: {text}", ""))


class _PassageViews:
    """A passage and its sentences (`spans`). `_plain` lacks the texts of links, `hedgeless` lacks
    URLs and quotations."""

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
        bare = ((end - len(text[start:end].lstrip()), end) for start, end in spans)
        self.spans = [(start, end) for start, end in bare if start < end]
        self.hedgeless = URL.sub(_mask, masked) if "://" in masked else masked
        if _QUOTE.search(self.hedgeless):
            self.hedgeless = _QUOTED.sub(_mask, self.hedgeless)

    def cited(self, start: int, end: int) -> list[CitationSpan]:
        """Returns the citations of a sentence with their places in the passage."""
        return self._cited[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def citations(self, start: int, end: int) -> tuple[list[Citation], list[Citation]]:
        """Returns the citations of a sentence, and those near it in the passage."""
        cited, half = self._cited, INHERITED // 2
        first, behind = bisect_left(self._starts, start), bisect_left(self._starts, end)
        near = cited[max(0, first - half) : first] + cited[behind : behind + half]
        return [f.citation for f in cited[first:behind]], [f.citation for f in near]

    def refers(self, start: int, end: int) -> bool:
        """Whether a sentence has a link or a code span."""
        return any(start <= m.start < end for m in self._marks)

    def no_claim(self, start: int, end: int, *, cites: bool, stated: bool) -> str:
        """Returns the reason why a sentence is no claim; empty if it is one."""
        bare = self.masked[start:end]
        reason = no_statement(
            self.text[start:end], bare, self._plain[start:end], cites=stated or cites
        )
        return reason or ("a label" if not cites and is_doubt_label(bare) else "")


def _inherited(cited: list[CitationSpan], asides: list[tuple[int, int]]) -> list[CitationSpan]:
    """Marks the citations in the headers of a table as inherited by its rows."""
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
    """Returns the claim that a Markdown text makes as a whole; None for an empty text."""
    joined = Draft()
    for unit in outline(text.encode(errors="replace"), Frames()).units:
        joined.add(" ", unit.start, verbatim=False)
        joined.extend(unit.passage)
    collector = Collector(lambda _: (1, 1), wary=True)
    fields = {"section": "", "block": 1, "form": Form.PROSE}
    collector.passage(joined.passage, fields, stated=True, whole=True)
    return collector.claims[0] if collector.claims else None


def add_excerpt(
    collector: Collector,
    text: Excerpt,
    fields: dict[str, Any],
    locate: Locate,
    *,
    stated: bool = False,
    depth: int = _DEPTH,
) -> None:
    """Adds the claims of Markdown inside something else: a comment, an attribute, a record.
    `locate` maps the offsets of the surrounding text."""
    text = text.flush_left()

    def place(offset: int) -> tuple[int, int]:
        return locate(text.source(offset))

    inner = outline(text.text.encode(), collector.frames, fields.get("context", ""))
    for unit in inner.units:
        form = Form.HIDDEN if unit.form is Form.HIDDEN else fields["form"]
        own = {**fields, "form": form, "context": unit.frame, "doubt": unit.doubt}
        collector.passage(unit.passage, own, locate=place, stated=stated)
    for start, end, what in inner.opaque:
        collector.skip(place(start)[0], place(max(start, end - 1))[0], what)
    for comment in inner.comments:
        if depth and comment.text.length < text.length:
            moved = Excerpt()
            for part, at in comment.text.parts:
                moved.add(part, text.source(at))
            hidden = {**fields, "form": Form.HIDDEN}
            add_excerpt(collector, moved, hidden, locate, depth=depth - 1)
        elif comment.text.text.strip():
            collector.skip(place(comment.start)[0], place(comment.end)[0], "nested too deep")
