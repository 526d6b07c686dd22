"""Gives the rules access to other claims: those that may repeat or contradict a claim, and those
that are approved or proved by references on the base branch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from grounded_ingest.config.settings import Config, classify, source_of
from grounded_ingest.decide.table import decide
from grounded_ingest.model.claims import (
    ClaimKey,
    DocClass,
    Evidence,
    Finding,
    Form,
    Place,
    Source,
    Tier,
    Verdict,
)
from grounded_ingest.records.rulings import Rulings
from grounded_ingest.references.context import Context
from grounded_ingest.references.registry import is_quoted, judge_references
from grounded_ingest.repository.documents import KnowledgeBase, Mirrors
from grounded_ingest.repository.former_documents import FormerDocuments
from grounded_ingest.rules.rule import Case
from grounded_ingest.statements.agreed_facts import (
    AgreedFacts,
    agreed_facts,
    is_narrowed,
    is_scoped_kind,
    loaded_for,
)
from grounded_ingest.statements.hedges import find_hedges
from grounded_ingest.statements.knowledge_protocol import position
from grounded_ingest.statements.operations import StoredMemories

_MANY_CLAIMS = 16
"""If at least this many claims share an index key, their list is kept in memory, because each of
them will need the list."""
_HEAD = 4_000
"""Number of bytes at the start of a document in which its front matter is looked for. The front
matter says for which files agents load the document."""


class BaseView:
    """Gives the rules access to other claims, after the change and on the base branch. Implements
    the protocol `Knowledge`, which describes the methods."""

    def __init__(
        self, kb: KnowledgeBase, context: Context, former: FormerDocuments, rulings: Rulings
    ) -> None:
        config = context.config
        self.kb, self.former, self.rulings = kb, former, rulings
        self.context = context._replace(document=self._is_document)
        self.threshold = config.dedup.threshold
        self.exact_words, self.near_words = config.dedup.exact_words, config.dedup.near_words
        self.mirrored = Mirrors(kb, config).mirrored
        self.agreed = cache(
            lambda path: AgreedFacts(f for p in self._places_in(path) for f in agreed_facts(p))
        )
        self._accompanied = cache(kb.accompanied)
        self._base_ids = cache(
            lambda path: frozenset(id_ for _, id_, _ in former.base_claims(path))
        )
        self._memories = cache(self._memories_of)
        self._rows: dict[int, list[tuple[int, int]]] = {}
        self._many: dict[int, list[Place]] = {}
        self._grounded: dict[tuple[str, ClaimKey], bool] = {}
        self._base_evidence: dict[tuple[str, ClaimKey], tuple[Evidence, ...]] = {}

    def _is_document(self, path: str) -> bool:
        return path in self.kb.documents or classify(self.context.config, path) is not None

    def sharing(self, keys: Iterable[int]) -> Iterator[Place]:
        """Yields the claims that have one of the index keys, in a stable order."""
        wanted = list(dict.fromkeys(keys))  # in order: rules read only the first claims
        self._rows.update(self.kb.index.sharing(k for k in wanted if k not in self._rows))
        seen: set[tuple[str, int, int]] = set()
        for key in wanted:
            for place in self._many.get(key) or self._places(key):
                if position(place) not in seen:
                    seen.add(position(place))
                    yield place

    def _places(self, key: int) -> list[Place]:
        places = self.kb.at_rows(self._rows[key])
        if len(places) >= _MANY_CLAIMS:
            self._many[key] = places
        return places

    def alone(self, place: Place) -> bool:
        known = self._accompanied(place.path)
        return known is not None and (not known or place.claim.key not in known)

    def memories(self, place: Place) -> StoredMemories:
        """Returns the memories on the base branch to compare with a new memory: those of its
        document, or of all if its path is empty. A claim in another document has none."""
        return self._memories(place.path if place.doc_class is DocClass.MEMORY else None)

    def _memories_of(self, path: str | None) -> StoredMemories:
        places = () if path is None else self._places_in(path)
        return StoredMemories(
            p for p in places if p.doc_class is DocClass.MEMORY and self.on_base(p)
        )

    def _places_in(self, path: str) -> Iterator[Place]:
        for one in [path] if path else sorted(self.kb.documents):
            yield from self.kb.places(one)

    def on_base(self, place: Place) -> bool:
        return place.claim.id in self._base_ids(place.path)

    def grounded(self, place: Place) -> bool:
        name = place_key(place)
        if name not in self._grounded:
            self._grounded[name] = self._is_grounded(place)
        return self._grounded[name]

    def _is_grounded(self, place: Place) -> bool:
        context = self.context._replace(
            tree=self.context.base.tree,
            web=None,  # a server's answer of today is not part of the base branch
            answers=None,
            brief=True,
        )
        evidence = self._evidence_on_base(place, context)
        own = [e for e in evidence if e.own]
        if own and all(e.verdict is Verdict.CONFIRMED for e in own):
            return True
        claim = place.claim
        hidden = (Finding("hidden-text", ""),) if claim.form is Form.HIDDEN else ()
        approved = self.rulings.ruling(place).action == "approve"
        case = Case(
            place,
            (*find_hedges(claim), *hidden),
            evidence,
            review="approve" if approved else "",
            configured=configured_source(context.config, place),
            trusted=context.config.trusted_sources,
            quoted=is_quoted(place, self.kb.context_of(place), context),
        )
        return decide(case, context.config.policy).tier is Tier.APPROVE

    def _evidence_on_base(self, place: Place, context: Context) -> tuple[Evidence, ...]:
        """Returns the evidence about a claim's references on the base branch. Looks up those of the
        whole document at once, because every search of the tree starts a git process."""
        name = place_key(place)
        if name not in self._base_evidence:
            claims = self.former.on_base(place.path).claims
            document = [Place(place.path, place.doc_class, c) for c in claims]
            places = list({place_key(p): p for p in (*document, place)}.values())
            found = judge_references(places, lambda n: self.kb.context_of(places[n]), context, {})
            self._base_evidence.update(zip(map(place_key, places), found, strict=True))
        return self._base_evidence[name]

    def loaded_with(self, path: str) -> tuple[str, ...]:
        together = self._loaded.get(loaded_for(path) or "", [])
        return tuple(p for p in together if p != path) if path in together else ()

    @cached_property
    def _loaded(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for document in sorted(self.kb.documents):
            scope = loaded_for(document)
            if scope is not None and not is_narrowed(self._head_of(document)):
                found.setdefault(scope, []).append(document)
        return found

    def _head_of(self, path: str) -> str:
        if not is_scoped_kind(path):
            return ""
        return (self.context.tree.read(path) or b"")[:_HEAD].decode(errors="replace")


def configured_source(config: Config, place: Place) -> Source:
    """Returns the source of a claim, such as `user` or `chat`. The configuration gives the document
    a source, and a record can state its own; the less trusted of the two is returned."""
    configured, declared = source_of(config, place.path), place.claim.declared_source
    if declared is Source.UNKNOWN:
        return configured
    weaker = _weight(config, declared) < _weight(config, configured)
    return declared if weaker else configured


def _weight(config: Config, source: Source) -> int:
    """Returns how much a source is trusted: 3 if all its claims are trusted, 2 if only decisions
    and preferences, 1 if only preferences, 0 if no claim."""
    if source in config.trusted_sources:
        return 3
    return {Source.CONVERSATION: 2, Source.CHAT: 1}.get(source, 0)


def place_key(place: Place) -> tuple[str, ClaimKey]:
    """Returns what identifies a claim in the repository: its document, and its key in there."""
    return (place.path, place.claim.key)
