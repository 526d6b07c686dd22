"""What the knowledge base holds, and what of it is grounded on base. Answers the detectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grounded_ingest.config.settings import Config, classify, source_of
from grounded_ingest.decide.table import decide
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import TreeEntry
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import (
    Claim,
    ClaimKey,
    DocClass,
    Evidence,
    Extraction,
    Finding,
    Form,
    Place,
    Source,
    Tier,
    Verdict,
)
from grounded_ingest.records.rulings import Reviewed, Vouchers
from grounded_ingest.references.adr import is_decided
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import find_withdrawal
from grounded_ingest.references.registry import judge_references
from grounded_ingest.repository.documents import KnowledgeBase, Mirrors
from grounded_ingest.repository.former_documents import FormerDocuments
from grounded_ingest.repository.index_record import ExtractionKey, key_of
from grounded_ingest.rules.rule import Case
from grounded_ingest.statements.agreed_facts import (
    AgreedFacts,
    agreed_facts,
    is_narrowed,
    is_scoped_kind,
    loaded_for,
)
from grounded_ingest.statements.hedges import find_hedges

_Name = tuple[str, ClaimKey]

_CROWD = 16
"""Claims under one key from which on their places are kept."""


class BaseView:
    """Implements `Knowledge`. `renamed` maps documents to their paths on base; `context` is the one
    given, with this view as the one that is asked who bears witness."""

    def __init__(
        self,
        kb: KnowledgeBase,
        context: Context,
        renamed: Mapping[str, str],
        former: FormerDocuments,
        vouchers: Vouchers | None = None,
    ) -> None:
        config = context.config
        self.kb, self.renamed, self.former = kb, renamed, former
        self.context = context._replace(document=self.is_document)
        self.threshold = config.dedup.threshold
        self.exact_words, self.near_words = config.dedup.exact_words, config.dedup.near_words
        self._agreed: dict[str, AgreedFacts] = {}
        self._loaded: dict[str, list[str]] | None = None
        self._base_ids: dict[str, frozenset[str]] = {}
        self._base_keys: dict[str, dict[ClaimKey, str]] = {}
        self._grounded: dict[tuple[str, ClaimKey], bool] = {}
        self._references: dict[_Name, tuple[Evidence, ...]] = {}
        self.people = Reviewed(
            context, renamed, self.base_claims, self._claims_of, self.context_of, vouchers
        )
        self._mirrors = Mirrors(kb, config)
        self._accompanied: dict[str, frozenset[ClaimKey] | None] = {}
        self._rows: dict[int, list[tuple[int, int]]] = {}
        self._trees = {context.base.commit: context.base.tree}
        self._crowds: dict[int, list[Place]] = {}

    def sharing(self, keys: Iterable[int]) -> Iterator[Place]:
        """Claims of the documents under the keys; the same at every run, whatever is cached."""
        wanted = list(dict.fromkeys(keys))
        self._rows.update(self.kb.index.sharing(k for k in wanted if k not in self._rows))
        seen: set[tuple[str, int, int]] = set()
        for key in wanted:
            for place in self._crowds.get(key) or self._places(key):
                at = (place.path, place.claim.line, place.claim.column)
                if at not in seen:
                    seen.add(at)
                    yield place

    def _places(self, key: int) -> list[Place]:
        places = self.kb.at_rows(self._rows[key])
        if len(places) >= _CROWD:  # as many will ask for them
            self._crowds[key] = places
        return places

    def alone(self, place: Place) -> bool:
        if place.path not in self._accompanied:
            self._accompanied[place.path] = self.kb.accompanied(place.path)
        known = self._accompanied[place.path]
        return known is not None and (not known or place.claim.key not in known)

    def on_base(self, place: Place) -> bool:
        if place.path not in self._base_ids:
            self._read_base(place.path)
        return place.claim.id in self._base_ids[place.path]

    def _read_base(self, path: str) -> None:
        claims = self.base_extraction(path).claims
        self._base_ids[path] = frozenset(c.id for c in claims)
        self._base_keys[path] = {c.key: c.context for c in claims}

    def base_extraction(self, path: str) -> Extraction:
        """Claims of a document as base has it; none where it has no such document."""
        base, old = self.context.base, self.renamed.get(path, path)
        if not base.known or not base.commit:
            return Extraction()
        return self.former_extraction(path, base.tree, old, base.tree.entry(old))

    def former_extraction(
        self, path: str, before: CommitTree, old_path: str, entry: TreeEntry | None
    ) -> Extraction:
        """Claims that a document had in a tree before the change, at `old_path`; none where it was
        no document of the same or a stricter class there."""
        doc_class = self._class_of(path)
        if entry is None or doc_class is None:
            return Extraction()
        if not self.former.stood(path, before, old_path, entry):
            return Extraction()
        return self.extraction_of(old_path, entry.oid, key_of(old_path, entry.oid, doc_class))

    def tree_of(self, commit: str) -> CommitTree:
        """The tree of a commit; base's where that is base."""
        if commit not in self._trees:
            self._trees[commit] = CommitTree(self.context.repo, commit)
        return self._trees[commit]

    def _class_of(self, path: str) -> DocClass | None:
        key = self.kb.documents.get(path)
        return key.doc_class if key else classify(self.context.config, path)

    def extraction_of(self, path: str, oid: str, key: ExtractionKey) -> Extraction:
        """Claims of a blob, indexed like every other."""

        def read(_: ExtractionKey) -> Extraction:
            content = self.context.repo.objects.read(oid)
            return Extraction() if content is None else extract(content, path, key.doc_class)

        self.kb.index.ensure([key], read)
        return self.kb.index.extraction(key)

    def mirrored(self, one: str, other: str) -> bool:
        return self._mirrors.mirrored(one, other)

    def reviewed(self, place: Place) -> str:
        """`approve`: an approval counts; `reject`: somebody rejected it."""
        return self.people.ruling(place).action

    def context_of(self, place: Place) -> tuple[tuple[str, str], ...]:
        """What a claim of a document is read with, after the change."""
        document = self.kb.document(place.path)
        return document.extraction.context(place.claim) if document is not None else ()

    def base_claims(self, path: str) -> dict[ClaimKey, str]:
        """The claims a document has on base, with the digests of their contexts."""
        if path not in self._base_keys:
            self._read_base(path)
        return self._base_keys[path]

    def _claims_of(self, path: str, oid: str) -> dict[ClaimKey, str]:
        return {c.key: c.context for c in self.claims_at(path, oid)}

    def claims_at(self, path: str, oid: str) -> tuple[Claim, ...]:
        """Claims of a blob that once was this document."""
        now = next((new for new, old in self.renamed.items() if old == path), path)
        key = key_of(path, oid, self._class_of(now) or DocClass.DOCS)
        return self.extraction_of(path, oid, key).claims

    def grounded(self, place: Place) -> bool:
        """Whether a claim of base is tier 1 there, or has references of its own that all hold."""
        name = _name(place)
        if name not in self._grounded:
            self._grounded[name] = self._judge_on_base(place)
        return self._grounded[name]

    def _judge_on_base(self, place: Place) -> bool:
        context = self.context._replace(
            tree=self.context.base.tree,
            web=None,  # what a server says today is no part of base
            answers=None,
            brief=True,
        )
        evidence = self._evidence_on_base(place, context)
        own = [e for e in evidence if e.own]
        if own and all(e.verdict is Verdict.CONFIRMED for e in own):
            return True
        over = self.context_of(place)
        case = Case(
            place,
            self_findings(place),
            evidence,
            review="approve" if self.reviewed(place) == "approve" else "",
            configured=configured_source(context.config, place),
            trusted=context.config.trusted_sources,
            quoted=is_decided(place.claim, place.path, context)
            and not find_withdrawal(place.claim, over),
        )
        return decide(case, context.config.policy).tier is Tier.APPROVE

    def _evidence_on_base(self, place: Place, context: Context) -> tuple[Evidence, ...]:
        """Returns base's answers to a claim's references; asks for the claim's whole document at
        once."""
        name = _name(place)
        if name not in self._references:
            beside = [
                Place(place.path, place.doc_class, c)
                for c in self.base_extraction(place.path).claims
            ]
            places = list({_name(p): p for p in (*beside, place)}.values())
            found = judge_references(
                places, lambda n: self.context_of(places[n]), context, verified={}
            )
            self._references.update(zip(map(_name, places), found, strict=True))
        return self._references[name]

    def agreed(self, path: str) -> AgreedFacts:
        """What a document's claims state of what agents' files have to agree on."""
        if path not in self._agreed:
            stated = (a for p in self.kb.places(path) for a in agreed_facts(p))
            self._agreed[path] = AgreedFacts(stated)
        return self._agreed[path]

    def loaded_with(self, path: str) -> tuple[str, ...]:
        """The other documents that agents load for the same directory, whatever the path."""
        if self._loaded is None:
            self._loaded = {}
            for known in sorted(self.kb.documents):
                scope = loaded_for(known)
                if scope is not None and not is_narrowed(self._head_of(known)):
                    self._loaded.setdefault(scope, []).append(known)
        together = self._loaded.get(loaded_for(path) or "", [])
        return tuple(p for p in together if p != path) if path in together else ()

    def _head_of(self, path: str) -> str:
        if not is_scoped_kind(path):
            return ""
        return (self.context.tree.read(path) or b"")[:4000].decode(errors="replace")

    def is_document(self, path: str) -> bool:
        """Whether a path is a document, after the change or by its class."""
        return path in self.kb.documents or classify(self.context.config, path) is not None


def configured_source(config: Config, place: Place) -> Source:
    """The source the configuration gives a document; a record may only lower it."""
    configured, declared = source_of(config, place.path), place.claim.declared_source
    if declared is Source.UNKNOWN:
        return configured
    weaker = _worth(config, declared) < _worth(config, configured)
    return declared if weaker else configured


def _worth(config: Config, source: Source) -> int:
    """How much a source may ground: everything, decisions and preferences, preferences, nothing."""
    if source in config.trusted_sources:
        return 3
    return {Source.CONVERSATION: 2, Source.CHAT: 1}.get(source, 0)


def _name(place: Place) -> _Name:
    return (place.path, place.claim.key)


def self_findings(place: Place) -> tuple[Finding, ...]:
    """What a claim's own words show, without the rest of the knowledge base."""
    hidden = (Finding("hidden-text", ""),) if place.claim.form is Form.HIDDEN else ()
    return (*find_hedges(place.claim), *hidden)
