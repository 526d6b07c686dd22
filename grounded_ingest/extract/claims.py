"""Turns passages into claims: splits sentences, skips texts that state nothing, makes claim ids."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.extract.citations import URL, find_citations, with_pointers
from grounded_ingest.extract.frames import (
    Frames,
    heading_doubt,
    is_doubt_label,
    own_doubt,
    passage_doubt,
)
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
from grounded_ingest.text.lexicon import manifest_words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import Reading
from grounded_ingest.text.sentences import no_statement, sentences

_STANDING = (CitationKind.PATH, CitationKind.URL)
"""Citation kinds that are looked up in a text that states nothing. Other kinds are not looked up,
because a number in such a text is often only a label."""
INHERITED = 32
"""Maximum number of citations that a claim takes over from other sentences of its passage, and from
a footnote. The nearest citations before and after the claim are taken."""

# Matches pairs of straight, curly, angle and single quotes. An apostrophe inside a word does not
# open a quotation.
_QUOTED = compiled(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,2000}”|«[^»\n]{1,2000}»|(?<![\w'’])['‘][^'’\n]{2,120}['’](?!\w)"
    # A quotation of more than 300 characters must begin and end at a word boundary. Otherwise, a
    # single quote sign could start a quotation by mistake.
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
# Every match of `_DECISION` and `_PREFERENCE` has one of these parts. A search for the parts is
# cheaper than a search for the patterns.
_CHOOSING = ("deci", "chose", "agreed", "settled", "opted", "prefer", "favo", "would")
_NAMED = compiled(
    manifest_words.RUNTIME + r"|[A-Za-z][`*]*(?: to)? v?\d+\.\d|\b[A-Z]\w{2,} \d+(?![\w.]|,\d)"
    r"|\b[a-z]\w+\.(?:[A-Z][a-z]+[A-Z]|[\w.]{1,80}\()"
    r"|\b[A-Z][A-Z\d]*_[A-Z]|\b[A-Z]\w+(?:Timeout|Duration|Interval|Delay|Size|Capacity)\b"
    r"|\b(?:npm|pnpm|yarn|bun|uv|poetry|pdm|hatch) run \w|\b(?:tox|nox) -[es] "
    r"|\bcargo [a-z]+ --|\bmake \w+[-:]\w"
)
"""Matches a version behind a name ("ruff v0.6", "TypeScript 6"), a qualified name of code, a
constant, and a command without backticks."""
# Matches tag characters outside of regional flags, marks that change the text direction, and
# variation selectors that do not follow an ideograph.
_INVISIBLE = compiled(
    r"(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]|[\u202a-\u202e\u2066-\u2069]|"
    r"(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)

Locate = Callable[[int], tuple[int, int]]
"""A function that maps a byte offset to (line, column)."""
UNJUDGED = "hidden text, which is checked only in agent memory"
_DEPTH = 3
"""Maximum number of nested comments that are read."""


def claim_id(text: str) -> str:
    """Returns the id of a claim: the first 16 hex digits of SHA-256 over its canonical text."""
    return sha256(text.encode()).hexdigest()[:16]


def lexical_kind(text: str) -> Kind:
    """Returns whether a claim is a decision, a preference or a fact, judged by its words such as
    "decided" or "prefer"."""
    if text.isascii() and not any(map(text.lower().__contains__, _CHOOSING)):
        return Kind.FACT
    if _DECISION.search(text):
        return Kind.DECISION
    return Kind.PREFERENCE if _PREFERENCE.search(text) else Kind.FACT


class Collector:
    """Collects the claims in a document. `locate` maps byte offsets to lines and columns. If
    `other` is true, the document has class `other`: no sentence becomes a claim, and only the
    references are looked up. If `wary` is true, a claim with invisible characters counts as hidden
    text. `role` is the purpose of the document, such as `rules` (see `role_of`)."""

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
        """Adds each sentence in a passage as a claim. A sentence that is not a claim is only
        searched for references. `locate` maps the passage's offsets to lines and columns. `fields`
        are set on all claims. `notes` maps the labels of footnotes to their content. `around` are
        the headings and introducing texts above. `stated` makes even a short text a claim, `whole`
        takes the passage as a single sentence, and with `bare` no sentence becomes a claim."""
        locate, notes = locate or self.locate, notes or {}
        views = _PassageViews(passage, whole=whole or fields["form"] is Form.ROW)
        over = self.frames.doubts.get(fields.get("context", "")) or heading_doubt(fields["section"])
        over = over or passage_doubt(passage)
        calls = [m for m in reversed(passage.marks) if m.kind == "footnote"]
        fields = self._with_context(fields, views, calls, notes)
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
            here["doubt"] = over or own_doubt(views.masked[start:end])
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
        """Adds a text that is not a claim, so that its references are looked up. A text without
        references is skipped. `reason` says why the text is not a claim."""
        if fields["form"] is Form.HIDDEN or not (own or views.refers(start, end)):
            self.skip(fields["line"], fields["end_line"], reason)
            return
        citations = tuple(c for c in own if self.other or c.kind in _STANDING)
        fields = {**fields, "nothing": "reference"}
        self.claim(views.text[start:end], views.hedgeless[start:end], citations, **fields)

    def _with_context(
        self,
        fields: dict[str, Any],
        views: _PassageViews,
        calls: Sequence[PassageMark],
        notes: Mapping[str, Footnote],
    ) -> dict[str, Any]:
        """Returns `fields` with the context of the claims in a passage. If the passage has several
        claims or footnotes, the whole text of the passage becomes a part of this context."""
        paragraph = views.text.strip() if len(views.spans) > 1 else ""
        noted = [notes[m.target].frame for m in reversed(calls) if m.target in notes]
        if not paragraph and not noted:
            return fields
        context = self.frames.add("paragraph", paragraph, fields.get("context", ""), noted)
        return {**fields, "context": context}

    def _why_unread(self, *, bare: bool) -> str:
        if self.other:
            return "the document has no configured class, so only its references are looked up"
        return "the text states nothing, so only its references are looked up" if bare else ""

    def claim(
        self,
        text: str,
        masked: str,
        citations: tuple[Citation, ...],
        nothing: str = "",
        **fields: Any,
    ) -> None:
        """Adds a claim. In `masked`, code, URLs and quotations are replaced by NUL characters.
        `nothing` says why the claim has nothing to check, or is empty."""
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
            fields["memory_type"], fields["cues"], fields["split"] = found[:3]
            box = self.frames.boxes.get(fields.get("context", ""), "")
            fields["nothing"] = nothing_to_check(text, tokens, found, fields["form"], box)
        citations = tuple(dict.fromkeys(citations))
        self.claims.append(
            Claim(identity, text, masked, ordinal=ordinal, citations=citations, **fields)
        )

    def skip(self, line: int, end_line: int, reason: str) -> None:
        """Records a range of lines without a claim, and the reason."""
        self.skipped.append(Skipped(line, max(line, end_line), reason))

    def problem(self, line: int, rule: str, message: str, tier: int = 0) -> None:
        """Adds a problem with its rule, message and tier on a line of the document."""
        self.problems.append(Problem("", line, rule, message, tier))

    @property
    def found(self) -> Extraction:
        """Returns the claims, skipped lines and problems that were collected."""
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
    """The citations in a footnote.

    `frame` is the digest (the key in `Frames`) under which the footnote's text is stored."""

    citations: tuple[Citation, ...]
    frame: str


_NO_NOTE = Footnote((), "")


def _cited_in_notes(
    calls: list[PassageMark], end: int, notes: Mapping[str, Footnote]
) -> tuple[Citation, ...]:
    """Returns the citations in the footnotes that a passage refers to before `end`. Removes the
    used references from the stack `calls`, whose last item is the next reference."""
    found: tuple[Citation, ...] = ()
    while calls and calls[-1].start < end:
        found = notes.get(calls.pop().target, _NO_NOTE).citations + found
    return found


def footnote_of(label: str, passages: Sequence[Passage], frames: Frames) -> Footnote:
    """Joins the passages of a footnote and returns one `Footnote`. Adds its text to `frames`."""
    cited = tuple(f.citation for p in passages for f in find_citations(p))[:INHERITED]
    text = " ".join(p.text.strip() for p in passages)
    return Footnote(cited, frames.add("footnote", f"[^{label}]: {text}", ""))


class _PassageViews:
    """The text of a passage, split into sentences, and copies of the text with some parts masked.

    In `_plain`, links are masked. In `hedgeless`, URLs and quotations are masked."""

    def __init__(self, passage: Passage, *, whole: bool) -> None:
        text, masked = self.text, self.masked = passage.text, passage.masked
        self._marks = [m for m in passage.marks if m.kind in ("link", "code")]
        spans = [(0, len(text.rstrip()))] if whole else list(sentences(masked))
        self._cited = _mark_headers(find_citations(passage), passage.asides)
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
        """Returns the citations in a sentence, each with its offsets in the passage."""
        return self._cited[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def citations(self, start: int, end: int) -> tuple[list[Citation], list[Citation]]:
        """Returns two lists: the citations in a sentence, and the nearest citations in other
        sentences of the passage."""
        cited, half = self._cited, INHERITED // 2
        first, behind = bisect_left(self._starts, start), bisect_left(self._starts, end)
        near = cited[max(0, first - half) : first] + cited[behind : behind + half]
        return [f.citation for f in cited[first:behind]], [f.citation for f in near]

    def refers(self, start: int, end: int) -> bool:
        """Returns whether a sentence has a link, code, a version or a qualified name, and may
        therefore have a reference."""
        marked = any(start <= m.start < end for m in self._marks)
        return marked or _NAMED.search(self.text, start, end) is not None

    def no_claim(self, start: int, end: int, *, cites: bool, stated: bool) -> str:
        """Returns the reason why a sentence is not a claim, or an empty string."""
        bare = self.masked[start:end]
        reason = no_statement(
            self.text[start:end], bare, self._plain[start:end], cites=stated or cites
        )
        return reason or ("a label" if not cites and is_doubt_label(bare) else "")


def _mark_headers(cited: list[CitationSpan], asides: list[tuple[int, int]]) -> list[CitationSpan]:
    """Returns the citations of a table row, with `own` set to false for those that come from the
    table's header. `asides` are the spans of the header cells in the row."""
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
    """Returns a Markdown text as a single claim. Returns None if the text is empty."""
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
    """Adds the claims in a Markdown text inside a comment, an attribute or a record. All claims get
    `fields`. `locate` maps byte offsets in the surrounding document to lines and columns. If
    `stated` is true, even a short text counts as a statement."""
    text = text.flush_left()

    def place(offset: int) -> tuple[int, int]:
        return locate(text.source(offset))

    inner = outline(text.text.encode(), collector.frames, fields.get("context", ""))
    for unit in inner.units:
        form = Form.HIDDEN if unit.form is Form.HIDDEN else fields["form"]
        own = {**fields, "form": form, "context": unit.frame}
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
            first, last = place(comment.start)[0], place(comment.end)[0]
            collector.skip(first, last, "the comment is nested too deeply")
