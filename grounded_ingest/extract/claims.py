"""Passages to claims: split into sentences, leave out what states nothing, give identities."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from grounded_ingest.extract.citations import Found, find_citations
from grounded_ingest.extract.passage import MASK, Passage
from grounded_ingest.extract.sentences import sentences
from grounded_ingest.extract.statements import no_statement
from grounded_ingest.model import Citation, Claim, Extraction, Form, Ignore, Kind, Problem, Skipped

_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|(?<![\w'’])['‘][^'’\n]{2,120}['’](?!\w)"
)
_DECISION = re.compile(
    r"\b(?:we|the team|team|i)(?:'ve| have)? (?:have )?(?:decided|chose|chosen|agreed|settled on|opted)\b|"
    r"^decision:|\bit was decided\b|\bdecided to\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\bprefer(?:s|red|ence)?\b|\bfavou?rite\b|\bwould rather\b", re.IGNORECASE
)

Locate = Callable[[int], tuple[int, int]]


def claim_id(text: str) -> str:
    """First 16 hex digits of SHA-256 over a claim's canonical text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def lexical_kind(text: str) -> Kind:
    if _DECISION.search(text):
        return Kind.DECISION
    return Kind.PREFERENCE if _PREFERENCE.search(text) else Kind.FACT


class Collector:
    """Gathers a document's claims; `found` is the Extraction."""

    def __init__(self, locate: Locate) -> None:
        self.locate = locate
        self.claims: list[Claim] = []
        self.skipped: list[Skipped] = []
        self.ignores: list[Ignore] = []
        self.imports: list[str] = []
        self.problems: list[Problem] = []
        self._seen: Counter[tuple[str, str]] = Counter()
        self.prose = self.covered = 0

    def passage(
        self,
        passage: Passage,
        *,
        section: str,
        block: int,
        form: Form = Form.PROSE,
        table: int = 0,
        notes: dict[str, list[Passage]] | None = None,
        shift: int = 0,
        whole: bool = False,
        **fields: Any,
    ) -> None:
        """Take in a passage whose offsets are `shift` bytes short; `whole`: it is one statement."""
        text, masked = passage.text, passage.masked
        cited = find_citations(passage)
        hedgeless = _QUOTED.sub(lambda m: MASK * len(m[0]), masked)
        spans = [(0, len(text.rstrip()))] if whole or form is Form.ROW else sentences(masked)
        for start, end in spans:
            start += len(text[start:end]) - len(text[start:end].lstrip())
            if end <= start:
                continue
            self.prose += end - start
            line, column = self.locate(passage.source(start) + shift)
            end_line, _ = self.locate(passage.source(end - 1) + shift)
            own = [f for f in cited if start <= f.start < end]
            statement = text[start:end]
            reason = no_statement(statement, masked[start:end], cites=bool(own))
            if reason:
                self.skipped.append(Skipped(line, max(line, end_line), reason))
                continue
            self.covered += end - start
            labels = [
                m.target for m in passage.marks if m.kind == "footnote" and start <= m.start < end
            ]
            self.claim(
                statement,
                hedgeless[start:end],
                _citations(
                    own, cited, [n for label in labels for n in (notes or {}).get(label, [])]
                ),
                section=section,
                line=line,
                column=column,
                end_line=max(line, end_line),
                block=block,
                form=form,
                table=table,
                **fields,
            )

    def claim(self, text: str, masked: str, citations: tuple[Citation, ...], **fields: Any) -> None:
        section, identity = fields["section"], claim_id(text)
        ordinal = self._seen[section, identity]
        self._seen[section, identity] += 1
        fields.setdefault("kind", lexical_kind(text))
        self.claims.append(
            Claim(identity, text, masked, ordinal=ordinal, citations=citations, **fields)
        )

    def problem(self, offset: int, rule: str, message: str, tier: int = 0) -> None:
        self.problems.append(Problem("", self.locate(offset)[0], rule, message, tier))

    @property
    def found(self) -> Extraction:
        return Extraction(
            tuple(self.claims),
            tuple(self.skipped),
            tuple(self.ignores),
            tuple(dict.fromkeys(self.imports)),
            tuple(self.problems),
            self.prose,
            self.covered,
        )


def _citations(
    own: list[Found], cited: list[Found], notes: Iterable[Passage]
) -> tuple[Citation, ...]:
    mine = [f.citation for f in own]
    mine += [f.citation for note in notes for f in find_citations(note)]
    others = [replace(f.citation, own=False) for f in cited if f not in own]
    return tuple(dict.fromkeys([*mine, *others]))
