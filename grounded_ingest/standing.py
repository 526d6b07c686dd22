"""What the knowledge base holds, and what of it is grounded on base. Answers the detectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grounded_ingest.config import classify, source_of
from grounded_ingest.detect.hedges import find_hedges
from grounded_ingest.extract import extract
from grounded_ingest.globs import matches
from grounded_ingest.index import Key
from grounded_ingest.knowledge_base import KnowledgeBase
from grounded_ingest.model import Extraction, Finding, Form, Place, Tier
from grounded_ingest.policy import Case, decide
from grounded_ingest.review.log import DIRECTORY as REVIEWS
from grounded_ingest.review.log import ClaimKey, Review, read_log
from grounded_ingest.support import support
from grounded_ingest.verify import Context, Request, verify


class Standing:
    """Implements `detect.Knowledge`. `renamed` maps documents to their paths on base."""

    def __init__(self, kb: KnowledgeBase, context: Context, renamed: Mapping[str, str]) -> None:
        config = context.config
        self.kb, self.context, self.renamed = kb, context, renamed
        self.threshold = config.dedup.threshold
        self.exact_words, self.near_words = config.dedup.exact_words, config.dedup.near_words
        self._base_ids: dict[str, frozenset[str]] = {}
        self._base_keys: dict[str, frozenset[ClaimKey]] = {}
        self._grounded: dict[tuple[str, ClaimKey], bool] = {}
        self._ids: dict[str, frozenset[str]] = {}
        self._logs: dict[str, dict[ClaimKey, Review]] = {}

    def sharing(self, keys: Iterable[int]) -> Iterable[Place]:
        return self.kb.at_rows(self.kb.index.sharing(keys))

    def on_base(self, place: Place) -> bool:
        if place.path not in self._base_ids:
            claims = self.base_extraction(place.path).claims
            self._base_ids[place.path] = frozenset(c.id for c in claims)
            self._base_keys[place.path] = frozenset(c.key for c in claims)
        return place.claim.id in self._base_ids[place.path]

    def base_extraction(self, path: str) -> Extraction:
        """Claims of a document as base has it; none where it has not."""
        base = self.context.base
        old = self.renamed.get(path, path)
        entry = base.tree.entry(old) if base.known and base.commit else None
        key = self.kb.documents.get(path)
        doc_class = key.doc_class if key else classify(self.context.config, path)
        if entry is None or doc_class is None:
            return Extraction()
        return self.extraction_of(
            old, entry.oid, Key(entry.oid, doc_class, old.rpartition(".")[2].lower())
        )

    def extraction_of(self, path: str, oid: str, key: Key) -> Extraction:
        """Claims of a blob, indexed like every other."""

        def read(_: Key) -> Extraction:
            content = self.context.repo.objects.read(oid)
            return Extraction() if content is None else extract(content, path, key.doc_class)

        self.kb.index.ensure([key], read)
        return self.kb.index.extraction(key)

    def mirrored(self, one: str, other: str) -> bool:
        for group in self.context.config.mirrors:
            if matches(group, one) and matches(group, other):
                return True
        mine, theirs = self._ids_of(one), self._ids_of(other)
        common = len(mine & theirs)
        return common >= 5 and 2 * common >= min(len(mine), len(theirs))

    def _ids_of(self, path: str) -> frozenset[str]:
        if path not in self._ids:
            self._ids[path] = frozenset(p.claim.id for p in self.kb.places(path))
        return self._ids[path]

    def reviews(self, path: str, *, base: bool) -> dict[ClaimKey, Review]:
        """The review log of a document, on base or in the tree after the change."""
        tree = self.context.base.tree if base else self.context.tree
        if base and not self.context.base.commit:
            return {}
        log = f"{REVIEWS}/{self.renamed.get(path, path) if base else path}.jsonl"
        name = f"{'base:' if base else ''}{log}"
        if name not in self._logs:
            content = tree.read(log) if tree.entry(log) is not None else None
            self._logs[name] = read_log(content, log) if content else {}
        return self._logs[name]

    def reviewed(self, place: Place) -> str:
        """`approve` where base holds the approval and the claim, `reject` where anybody rejected."""
        now = self.reviews(place.path, base=False).get(place.claim.key)
        landed = self.reviews(place.path, base=True).get(place.claim.key)
        if any(r is not None and r.action == "reject" for r in (now, landed)):
            return "reject"
        if (
            landed is None
            or landed.action != "approve"
            or (now is not None and now.action != "approve")
        ):
            return ""
        self.on_base(place)
        return "approve" if place.claim.key in self._base_keys[place.path] else ""

    def grounded(self, place: Place) -> bool:
        """Whether a claim of base is grounded, judged on base alone. Cycles do not ground."""
        name = (place.path, place.claim.key)
        if name not in self._grounded:
            self._grounded[name] = False
            self._grounded[name] = self._judge_on_base(place)
        return self._grounded[name]

    def _judge_on_base(self, place: Place) -> bool:
        context = self.context._replace(tree=self.context.base.tree)
        found = verify((Request(place.path, c) for c in place.claim.citations), context)
        evidence = support(place, tuple(e for e in found.values() if e is not None))
        case = Case(
            place,
            self_findings(place),
            evidence,
            review="approve" if self.reviewed(place) == "approve" else "",
            configured=source_of(context.config, place.path),
            trusted=context.config.trusted_sources,
        )
        return decide(case, context.config.policy).tier is Tier.APPROVE

    def witness(self, path: str, lines: tuple[int, int]) -> bool:
        """Whether every claim that stands in these lines of a document on base is grounded."""
        first, last = lines
        claims = [
            c for c in self.base_extraction(path).claims if c.line <= last and c.end_line >= first
        ]
        key = self.kb.documents.get(path)
        if not claims or key is None:
            return False
        return all(self.grounded(Place(path, key.doc_class, c)) for c in claims)


def self_findings(place: Place) -> tuple[Finding, ...]:
    """What a claim's own words show, without the rest of the knowledge base."""
    hidden = (Finding("hidden-text", ""),) if place.claim.form is Form.HIDDEN else ()
    return (*find_hedges(place.claim), *hidden)
