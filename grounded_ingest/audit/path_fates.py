"""Citations of files: ok, moved, changed, gone or missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from posixpath import dirname, join, normpath
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.audit.citation_inventory import (
    CitationFate,
    InventoryItem,
    by_verdict,
    shares_a_word,
    superseding,
)
from grounded_ingest.audit.file_history import Fate, Fates, PastTrees
from grounded_ingest.audit.model import EvidenceState
from grounded_ingest.audit.quote_fates import (
    Elsewhere,
    LineRange,
    Quote,
    Stands,
    quote_places,
    quoted,
    stands,
)
from grounded_ingest.git.quoted_lines import LARGEST, rows_of, text_of
from grounded_ingest.git.repository import SYMLINK, Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.language.lexicon.past import DATED, GONE, PAST, RECORD, REMOVED, REMOVING
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import CitationKind, Verdict
from grounded_ingest.records.sidecar import CitationLine
from grounded_ingest.verify.context import Request, as_cited, fingerprint
from grounded_ingest.verify.path import resolve_path

_SHORT = 12


class _Then(NamedTuple):
    """What a citation meant in the commit that wrote it: its file, and the lines it quotes."""

    path: str = ""
    quote: Quote | None = None


class Paths:
    """Answers for one tree. `look_up` asks history about all citations at once."""

    def __init__(self, repo: Repo, tree: Tree, head: CommitTree, fates: Fates) -> None:
        self.repo, self.tree, self.head, self.fates = repo, tree, head, fates
        self.elsewhere = Elsewhere(repo, head, tree)
        self._then: dict[InventoryItem, _Then] = {}
        self._ignored: set[str] = set()

    def look_up(self, asked: Sequence[InventoryItem]) -> None:
        """Read what each citation meant, one commit after the other, then ask for their fates."""
        by_commit = sorted(
            asked, key=lambda a: a.origin.commit if a.origin and not a.origin.cut else ""
        )
        past = PastTrees(self.repo, self.head.commit)
        tree: CommitTree | None = None
        for one in by_commit:
            origin = one.origin
            if origin is None or origin.cut:
                continue
            if tree is None or tree.commit != origin.commit:
                tree = past.at(origin.commit)
            self._then[one] = self._meant(one, origin.path, tree)
        self.elsewhere.look_up(then.quote for then in self._then.values() if then.quote)
        lost = [p for a in asked for p in self._lost(a)]
        self.fates.look_up(lost)
        self._ignored = self.repo.ignored(lost)

    def _meant(self, asked: InventoryItem, document: str, tree: CommitTree) -> _Then:
        citation = asked.citation
        now = resolve_path(asked.request, self.tree)
        if now and citation.lines is None:
            return _Then()
        # The file that is meant now was as a rule meant then: the listing is spared.
        if len(now) == 1 and tree.has(now[0]):
            path = now[0]
        else:
            then = resolve_path(Request(document, citation), tree)
            path = then[0] if len(then) == 1 and not _lies_elsewhere(asked, then[0]) else ""
        if not path or citation.lines is None or path.endswith("/"):
            return _Then(path)
        text = _text(tree, path)
        if text is None:
            return _Then(path)
        return _Then(path, quoted(text, citation.lines))

    def _lost(self, asked: InventoryItem) -> Iterable[str]:
        """The paths whose fate tells what became of a citation."""
        if resolve_path(asked.request, self.tree):
            return ()
        then = self._then.get(asked)
        if then and then.path:
            return (then.path,)
        return () if asked.doubtful else self._as_written(asked)

    def _as_written(self, asked: InventoryItem) -> list[str]:
        raw, here = asked.citation.raw, dirname(asked.document)
        slash = "/" if raw.endswith("/") else ""
        relative = normpath(join(here, raw)) + slash
        rooted = normpath(raw.lstrip("/")) + slash
        only = asked.citation.link or raw.startswith(("./", "../"))
        paths = (relative,) if only else (rooted, relative)
        return [p for p in dict.fromkeys(paths) if p not in (".", "..") and p[:3] != "../"]

    def judge(self, asked: InventoryItem) -> CitationFate:
        now = resolve_path(asked.request, self.tree)
        if not now:
            return self._absent(asked)
        if len(now) > 1 and asked.evidence.verdict is Verdict.UNKNOWN:
            return CitationFate(
                EvidenceState.UNKNOWN, asked.evidence.reason, candidates=tuple(now[:5])
            )
        if asked.evidence.kind is CitationKind.ADR and asked.evidence.verdict is Verdict.REFUTED:
            return superseding(asked, now[0])
        if asked.evidence.kind is CitationKind.SYMBOL:
            return _of_definition(asked)
        if asked.citation.lines is None or len(now) > 1 or now[0].endswith("/"):
            return by_verdict(asked, EvidenceState.MISSING)
        return self._lines(asked, now[0], asked.citation.lines, CitationFate(EvidenceState.OK))

    def _absent(self, asked: InventoryItem) -> CitationFate:
        then = self._then.get(asked)
        was = then.path if then else ""
        meant = [was] if was else self._as_written(asked)
        if any(p in self._ignored for p in meant):
            return CitationFate(EvidenceState.UNKNOWN, "ignored by git")
        if then is not None and not was and asked.evidence.verdict is not Verdict.REFUTED:
            return self._never(asked)  # it was not there either when it was written
        for path in meant:
            if was and self._stands(path):
                return self._left_behind(asked, path)
            fate = self.fates.of(path)
            if fate is not None:
                return self._fate(asked, path, fate)
            if self._stood(path):
                return CitationFate(EvidenceState.GONE, "removed in the work tree", path)
        if was and not self.fates.failed:
            return CitationFate(EvidenceState.GONE, "history does not show what removed it", was)
        return self._never(asked)

    def _stands(self, path: str) -> bool:
        return self.tree.is_dir(path) if path.endswith("/") else self.tree.has(path)

    def _stood(self, path: str) -> bool:
        return self.head.is_dir(path) if path.endswith("/") else self.head.has(path)

    def _left_behind(self, asked: InventoryItem, path: str) -> CitationFate:
        """The document moved, and its relative link leads nowhere from there."""
        reason = "the document moved, the file did not"
        found = CitationFate(
            EvidenceState.MOVED, reason, as_cited(asked.citation), path, path=path, certain=True
        )
        if asked.citation.lines is None or path.endswith("/"):
            return found
        return self._lines(asked, path, asked.citation.lines, found)

    def _fate(self, asked: InventoryItem, path: str, fate: Fate) -> CitationFate:
        cited = as_cited(replace(asked.citation, raw=path))
        if not fate.to:
            renamed = "" if fate.last in ("", path) else f"was renamed to {fate.last}, which "
            reason = f"{path} {renamed}was removed in {fate.commit[:_SHORT]}"
            if says_it_is_gone(asked):
                return CitationFate(EvidenceState.OK, f"{reason}, and the sentence says so", cited)
            return CitationFate(EvidenceState.GONE, reason, cited, "", fate.commit, fate.candidates)
        commit = fate.commit[:_SHORT]
        reason = f"removed in {commit}; another file has its content"
        if fate.renamed:
            reason = f"renamed in {commit} ({fate.similarity}% alike)"
        certain = fate.certain and not self._of_the_past(asked, fate)
        found = CitationFate(
            EvidenceState.MOVED, reason, cited, fate.to, fate.commit, path=fate.to, certain=certain
        )
        if asked.citation.lines is None or fate.to.endswith("/"):
            return found
        return self._lines(asked, fate.to, asked.citation.lines, found)

    def _of_the_past(self, asked: InventoryItem, fate: Fate) -> bool:
        """Whether a sentence may well mean the old name: it speaks of what was, or was written
        when the file had its new name, or beside that."""
        if is_of_the_past(asked) or is_record(asked):
            return True
        origin = asked.origin
        wrote = origin.commit if origin else ""
        return not wrote or self.repo.merge_base(wrote, fate.commit) != wrote

    def _lines(
        self, asked: InventoryItem, path: str, lines: LineRange, renamed: CitationFate
    ) -> CitationFate:
        """Compare the quote with what stands in its place."""
        if self.tree.mode(path) == SYMLINK or self.tree.size(path) > LARGEST:
            return by_verdict(asked, EvidenceState.MISSING) if not renamed.path else renamed
        text = text_of(self.tree, path)
        if text is None:
            return CitationFate(
                EvidenceState.UNKNOWN, asked.evidence.reason or "not in this clone, or no text"
            )
        rows = rows_of(text)
        there = "\n".join(rows[lines[0] - 1 : lines[1]]) if lines[1] <= len(rows) else ""
        mark = fingerprint(there) if there else ""
        then = self._then.get(asked, _Then())
        quote = _quote(then, asked.recorded, lines, mark, text)
        if quote is not None:
            return self._elsewhere(asked, path, quote, text, renamed)
        if renamed.path:
            return renamed._replace(
                to=as_cited(replace(asked.citation, raw=path)),
                certain=renamed.certain and bool(there),
            )
        if not there:
            return CitationFate(EvidenceState.MISSING, f"{path} has {len(rows)} lines")
        return by_verdict(asked, EvidenceState.MISSING)

    def _elsewhere(
        self, asked: InventoryItem, path: str, quote: Quote, text: str, renamed: CitationFate
    ) -> CitationFate:
        """Where a quote that does not stand in its place went: in its file, or to another."""
        at = stands(quote, text)
        cited = renamed.cited or as_cited(replace(asked.citation, raw=path))
        if len(at.places) == 1:
            return self._shifted(asked, path, at, text, renamed._replace(cited=cited))
        changed = CitationFate(EvidenceState.CHANGED, cited=cited, commit=renamed.commit)
        moved = changed._replace(state=EvidenceState.MOVED)
        if at.places:
            names = [as_cited(replace(asked.citation, raw=path, lines=p)) for p in at.places[:5]]
            reason = f"the quoted lines stand in {len(at.places)} places"
            return moved._replace(reason=reason, candidates=tuple(names))
        found = self.elsewhere.places(quote, path)
        others = [(p, lines) for p, lines in found if not self._had_it(asked, p, quote)]
        names = [as_cited(replace(asked.citation, raw=p, lines=lines)) for p, lines in others]
        if len(names) == 1 and not shares_a_word(asked, quote.said):
            return _unmeant(cited, renamed, names[0])
        moved = moved._replace(reason=f"the quoted lines left {path}")
        if names:
            one = len(names) == 1
            return moved._replace(to=names[0]) if one else moved._replace(candidates=tuple(names))
        near = (as_cited(replace(asked.citation, raw=path, lines=at.near)),) if at.near else ()
        reason = "were changed" if near else f"stand nowhere in {path}"
        return changed._replace(reason=f"the quoted lines {reason}", candidates=near)

    def _shifted(
        self, asked: InventoryItem, path: str, at: Stands, text: str, renamed: CitationFate
    ) -> CitationFate:
        """A quote that stands in one other place of its file, if that is what was meant."""
        first, last = at.places[0]
        to = as_cited(replace(asked.citation, raw=path, lines=at.places[0]))
        if not shares_a_word(asked, "\n".join(rows_of(text)[first - 1 : last])):
            return _unmeant(renamed.cited, renamed, to)
        return CitationFate(
            EvidenceState.MOVED,
            renamed.reason or "the quoted lines stand elsewhere",
            renamed.cited,
            to,
            renamed.commit,
            (),
            path,
            at.places[0],
            at.certain and not is_record(asked) and (renamed.certain or not renamed.path),
        )

    def _had_it(self, asked: InventoryItem, path: str, quote: Quote) -> bool:
        """Whether a file had the quote already when it was cited: then it did not go there."""
        then = self.repo.objects.read(f"{asked.origin.commit}:{path}") if asked.origin else None
        return then is not None and bool(quote_places(quote, then.decode(errors="replace")))

    def _never(self, asked: InventoryItem) -> CitationFate:
        evidence = asked.evidence
        if self.repo.shallow or self.fates.failed:
            why = "this clone is shallow (fetch-depth: 0)" if self.repo.shallow else "too long"
            return CitationFate(
                EvidenceState.UNKNOWN, f"{evidence.reason}; history was not looked at: {why}"
            )
        if evidence.verdict is Verdict.REFUTED:
            return CitationFate(
                EvidenceState.MISSING, "nothing of this name in the tree or its history"
            )
        return CitationFate(EvidenceState.UNKNOWN, evidence.reason)


def _lies_elsewhere(asked: InventoryItem, path: str) -> bool:
    """Whether a claim names its directory, and a file found by its bare name alone is not in it."""
    if "/" in asked.citation.raw:
        return False
    cited = asked.decision.place.claim.citations
    named = [c.raw for c in cited if c.kind is CitationKind.PATH and c.raw.endswith("/")]
    return bool(named) and not any(f"/{d.strip('./')}/" in f"/{path}" for d in named)


def _unmeant(cited: str, renamed: CitationFate, place: str) -> CitationFate:
    """What stood at the cited lines stands elsewhere, but was never what the claim speaks of: the
    place is no more than a hint."""
    reason = "what stood there stands elsewhere, and shares no word with the claim"
    if renamed.reason:
        reason = f"{renamed.reason}; {reason}"
    return CitationFate(EvidenceState.MOVED, reason, cited, renamed.to, renamed.commit, (place,))


def _of_definition(asked: InventoryItem) -> CitationFate:
    """`path::name`: it may stand anywhere in its file, and reads as it did when it was recorded."""
    held = asked.recorded.fingerprint if asked.recorded is not None else ""
    mark = asked.evidence.fingerprint
    if held and mark and held != mark:
        return CitationFate(EvidenceState.CHANGED, "the definition reads differently now")
    return by_verdict(asked, EvidenceState.MISSING)


def _quote(
    then: _Then, recorded: CitationLine | None, lines: LineRange, mark: str, text: str
) -> Quote | None:
    """What was quoted, where something else stands there now: by the commit that wrote the
    citation, else as its sidecar remembers it."""
    held = None
    if recorded is not None and recorded.fingerprint and recorded.kind == CitationKind.PATH:
        held = Quote(recorded.fingerprint, lines)
    if then.quote is None:
        return held if held and held.fingerprint != mark else None
    if then.quote.fingerprint != mark:
        return then.quote
    # A line that was only wrapped anew counts as written then; its sidecar may know better.
    return held if held and held.fingerprint != mark and stands(held, text).places else None


def _text(tree: CommitTree, path: str) -> str | None:
    """The text of a file of the past; None for what is too large, no text or not in this clone."""
    entry = tree.entry(path)
    if entry is None or entry.mode == SYMLINK or tree.size(path) > LARGEST:
        return None
    content = tree.read(path)
    if content is None or b"\0" in content[:8000]:
        return None
    return content.decode(errors="replace")


_PAST, _GONE = compiled(PAST), compiled(GONE)
_REMOVING, _REMOVED = compiled(REMOVING), compiled(REMOVED)
_DATED, _RECORD = compiled(DATED), compiled(RECORD)


def is_of_the_past(asked: InventoryItem) -> bool:
    """Whether a claim tells of what was, or of a change."""
    return bool(_PAST.search(asked.decision.place.claim.text))


def is_record(asked: InventoryItem) -> bool:
    """Whether a claim records a day: it carries a date, or its document is a log or an archive."""
    claim = asked.decision.place.claim.text
    return bool(_DATED.search(claim) or _RECORD.search(asked.document))


def says_it_is_gone(asked: InventoryItem) -> bool:
    """Whether a claim itself says of what it cites that it is gone, or is to go."""
    text = asked.decision.place.claim.text
    if _GONE.search(text):
        return True
    before, *after = text.split(asked.citation.raw)
    for rest in after:
        if _REMOVING.search(before) or _REMOVED.search(rest):
            return True
        before = rest
    return False
