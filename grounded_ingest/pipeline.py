"""The one pipeline: documents -> claims -> findings, evidence -> decisions -> Report."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.settings import Config, Wishes
from grounded_ingest.decide.approvals import advisory, broken_logs, vouchers
from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.decide.engine import Changed, Engine
from grounded_ingest.decide.former_references import FormerReferences
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import VERSION
from grounded_ingest.git.history import RemovalHistory
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import ClaimKey, Decision, Document, Place, Problem
from grounded_ingest.model.report import LeftOut, Report, Scope
from grounded_ingest.references.context import Context
from grounded_ingest.references.skip_reasons import skipped_references
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.repository.former_documents import FormerDocuments
from grounded_ingest.repository.index import Index
from grounded_ingest.repository.judging_config import (
    Judging,
    agent_at_work,
    configured_base,
    judging_config,
)
from grounded_ingest.repository.left_out import left_out
from grounded_ingest.repository.scope import Asked, Scoped, resolve_scope
from grounded_ingest.rules.registry import all_index_keys

if TYPE_CHECKING:
    from grounded_ingest.judge.judge import ModelJudge

HOOK_BUDGET_S, CI_BUDGET_S = 5.0, 60.0


class Options(Struct, frozen=True):
    """How a check runs, beside its scope. `budget` in seconds for all of the network; `landed`:
    base's configuration judges whatever the scope is; `granted`: what the user granted is used;
    `patient`: a long history may be read for names, which a hook never waits for; `impacted`:
    claims that rest on what changes are listed; `show_skipped`: so is what was left out."""

    config: str = ""
    isolated: bool = False
    landed: bool = False
    granted: bool = True
    online: bool = True
    budget: float | None = None
    cache: bool = True
    patient: bool = True
    impacted: bool = False
    show_skipped: bool = False


class Result(Struct, frozen=True):
    """A report and what writing its evidence needs."""

    report: Report
    scoped: Scoped
    config: Config
    documents: tuple[Document, ...]
    kb: KnowledgeBase
    judge: Engine

    @property
    def writable(self) -> bool:
        """Whether evidence of this scope may be written: not of a range, nor where the hook found
        nothing staged and read the whole tree instead."""
        return self.scoped.mode != "range" and not self.scoped.notes

    @property
    def undocumented(self) -> tuple[str, ...]:
        """The paths asked about in which no document is."""
        held = [d.path for d in self.documents]
        asked = (p for p in self.scoped.paths if p != ".")
        return tuple(p for p in asked if not any(d == p or d.startswith(f"{p}/") for d in held))


Progress = Callable[[str], None]


def run(
    repo: Repo,
    asked: Asked,
    options: Options,
    progress: Progress = lambda _: None,
    judged_by: Config | None = None,
) -> Result:
    """Check a scope of a repository. Raises GroundedIngestError for bad setup.

    `judged_by` is the configuration of a caller that brings its own.
    """
    if judged_by is not None:
        wanted = judged_by.base
    else:
        wanted = "" if asked.base or options.isolated else configured_base(repo, asked)
    scoped = resolve_scope(repo, asked, wanted, os.environ)
    if judged_by is not None:
        judging = Judging.given(judged_by)
    else:
        judging = judging_config(
            scoped,
            explicit=options.config,
            isolated=options.isolated,
            landed=options.landed,
        )
    progress("reading documents")
    return _judge(repo, scoped, judging, options, progress)


def _index(repo: Repo, config: Config, options: Options) -> Index:
    threshold = config.dedup.threshold
    directory = repo.common_dir if options.cache else ""
    keys = partial(all_index_keys, threshold=threshold)
    return Index(directory, f"{VERSION}:{threshold}", keys)


def _judge(
    repo: Repo, scoped: Scoped, judging: Judging, options: Options, progress: Progress
) -> Result:
    config = judging.config
    index = _index(repo, config, options)
    kb = KnowledgeBase(scoped.tree, config, index, proposed=judging.proposed)
    found = _judge_documents(repo, scoped, judging, kb, options, progress)
    if kb.index.changed_hands():
        kb.index.close()
        return _judge(repo, scoped, judging, replace(options, cache=False), progress)
    return found


def _judge_documents(
    repo: Repo,
    scoped: Scoped,
    judging: Judging,
    kb: KnowledgeBase,
    options: Options,
    progress: Progress,
) -> Result:
    config, refused = _within_reach(repo, scoped, judging.config, options)
    said = [*judging.said, *refused]
    context = _context(repo, scoped, config, options, kb.index)
    former = FormerDocuments(kb, judging.then)
    standing = BaseView(kb, context, scoped.renamed, former, vouchers(kb, context, scoped))
    model = _model_judge(repo, scoped, config, options, said)
    agent = agent_at_work(repo, scoped, config)
    may = config.judge.may_support
    judge = Engine(standing, agent=agent, judge=model, may_support=may, progress=progress)
    paths = _in_scope(scoped, kb, standing)
    documents = [d for p in paths if (d := kb.document(p)) is not None]
    before = None if scoped.changes is None else FormerReferences(scoped, standing)
    changed = {d.path: _changed(d, before) for d in documents}
    decisions = judge.decide(documents, changed, before)
    elsewhere, lost = _elsewhere(scoped, judge, before, decisions, impacted=options.impacted)
    shown = [*documents, *lost.documents]
    problems = [
        *said,
        *_problems(documents, scoped),
        *_shown(shown, before, context),
        *lost.problems,
        *_old_settings(config),
    ]
    problems += _unread(kb, scoped)
    problems += advisory(standing, scoped, paths)
    problems += [Problem("", 0, "scope", gap) for gap in context.removals.gaps.values()]
    unread, skipped = _left_out(kb, scoped, documents, decisions, context, options)
    context.removals.close()
    problems += broken_logs(standing)
    named = {p.path for p in problems}.difference(paths)
    others = [d for p in named if (d := kb.document(p)) is not None]
    problems = judge.ignores.left(documents, problems, others)
    repo.demand_answers()
    report = Report(
        _scope(scoped, options),
        tuple(decisions),
        tuple(problems),
        len(documents),
        {d.path: d.extraction.frames for d in documents},
        config.preset == "strict",
        config.fail_on,
        unread,
        skipped,
        tuple(elsewhere),
    )
    return Result(report, scoped, config, tuple(documents), kb, judge)


def _left_out(
    kb: KnowledgeBase,
    scoped: Scoped,
    documents: list[Document],
    decisions: Sequence[Decision],
    context: Context,
    options: Options,
) -> tuple[int, tuple[LeftOut, ...]]:
    """Returns how many documents a run over everything did not read, and what was left out, if that
    is asked for."""
    if scoped.mode != "all" and not options.show_skipped:
        return 0, ()
    unread = [left for left in left_out(kb) if _is_in_scope(left.path, scoped)]
    counted = len(unread) if scoped.mode == "all" else 0
    if not options.show_skipped:
        return counted, ()
    return counted, (*unread, *skipped_references(documents, decisions, context))


def _within_reach(
    repo: Repo, scoped: Scoped, config: Config, options: Options
) -> tuple[Config, Iterable[Problem]]:
    """The configuration as far as the user of this machine grants it; offline nothing is asked."""
    wishes = config.wishes
    if not options.online or not options.granted or wishes == Wishes():
        return config, ()
    from grounded_ingest.references.grants import within_reach

    judge = scoped.mode != "staged" or wishes.judge.in_hook
    reach = within_reach(repo, config, os.environ, judge=judge)
    return reach.config, [Problem(config.origin, 1, "not-granted", r) for r in reach.refused]


def _model_judge(
    repo: Repo, scoped: Scoped, config: Config, options: Options, said: list[Problem]
) -> ModelJudge | None:
    """Returns the configured judge; adds a note to `said` if it cannot be asked."""
    if config.judge.kind == config.wishes.judge.kind == "rules":
        return None
    from grounded_ingest.judge.judge import choose_judge

    kept = f"{repo.common_dir}/grounded-ingest" if options.cache else None
    judge, reason = choose_judge(
        config, mode=scoped.mode, online=options.online, cache_dir=kept, root=repo.root
    )
    if reason:
        said.append(Problem("", 0, "judge", reason))
    return judge


def _old_settings(config: Config) -> Iterable[Problem]:
    if config.old:
        named = ", ".join(f"`{name}`" for name in config.old)
        yield Problem(config.origin, 1, "old-setting", f"{named} has no effect any more")


def _scope(scoped: Scoped, options: Options) -> Scope:
    base = scoped.base
    return Scope(scoped.mode, scoped.head, base.commit, base.reason, scoped.range, options.online)


def _context(repo: Repo, scoped: Scoped, config: Config, options: Options, index: Index) -> Context:
    web = answers = None
    if options.online:
        from grounded_ingest.net.client import Web
        from grounded_ingest.references.response_cache import Answers

        budget = options.budget if options.budget is not None else config.network.budget
        if budget is None:
            budget = HOOK_BUDGET_S if scoped.mode == "staged" else CI_BUDGET_S
        web = Web(config.network, budget)
        kept, ttl = f"{repo.common_dir}/grounded-ingest", config.network.cache_ttl
        # Without a cache, texts are held for this run, so that none is asked for twice.
        answers = Answers(kept, ttl) if options.cache else Answers("", 0)
    return Context(
        repo,
        config,
        scoped.tree,
        scoped.base,
        web,
        answers,
        gone=scoped.gone,
        ledger=index if options.cache else None,
        history=RemovalHistory(
            repo,
            f"{repo.common_dir}/grounded-ingest" if options.cache else "",
            patient=options.patient and scoped.mode != "staged",
        ),
        staged=scoped.mode == "staged" and not scoped.notes,
        blames=scoped.mode not in ("staged", "range"),
    )


def _in_scope(scoped: Scoped, kb: KnowledgeBase, standing: BaseView) -> list[str]:
    """The documents that a run judges: those that changed, and of the others those that the change
    puts into a stricter class."""
    if scoped.changes is not None:
        changed = {c.path for c in scoped.changes if c.new is not None and c.path in kb.documents}
        before = standing.tree_of(scoped.parents[0])
        moved = standing.former.newly_classed(scoped, before) if scoped.changes else ()
        return sorted(changed.union(moved))
    if not scoped.paths:
        return sorted(kb.documents)
    wanted = [p.rstrip("/") for p in scoped.paths]
    return sorted(d for d in kb.documents if is_below(d, wanted))


def is_below(path: str, wanted: list[str]) -> bool:
    """Whether a path is one of these, or lies below it; `` and `.` are the root."""
    return any(w in ("", ".", path) or path.startswith(w + "/") for w in wanted)


def _changed(document: Document, before: FormerReferences | None) -> Changed | None:
    """Claims of a document that no parent has, as a difference of multisets, so that reflowed and
    moved text is not new; and the claims they may have taken the place of. None: all are new."""
    if before is None:
        return None
    former = [read.claims for _, _, read in before.documents(document.path)]
    old: Counter[tuple[str, bool]] = Counter()
    for claims in former:
        old |= Counter((c.id, bool(c.doubt)) for c in claims)
    new: set[int] = set()
    for number, claim in enumerate(document.extraction.claims):
        # What was open and is not labelled so any more is asserted anew.
        said = [(claim.id, True), (claim.id, False)] if claim.doubt else [(claim.id, False)]
        if stood := next((s for s in said if old[s] > 0), None):
            old[stood] -= 1
        else:
            new.add(number)
    gone = (c for claims in former for c in claims if old[c.id, bool(c.doubt)] > 0)
    return Changed(frozenset(new), tuple(gone))


def _shown(
    documents: list[Document], before: FormerReferences | None, context: Context
) -> list[Problem]:
    """What the tree refutes of the commands that documents show; in a change what was not wrong
    before."""
    from grounded_ingest.references.code_blocks import refuted_lines

    try:
        found = refuted_lines(documents, context)
        known = before.shown(documents, found) if before is not None else Counter()
    except GroundedIngestError:
        raise
    except Exception as error:  # noqa: BLE001  said, and nothing else lost
        said = f"code blocks could not be checked: {type(error).__name__}: {error}"
        return [Problem("", 0, "check-failed", said)]
    new: list[Problem] = []
    for problem, text in found:
        if known[key := (problem.path, problem.rule, text)]:
            known[key] -= 1
        else:
            new.append(problem)
    return new


def _problems(documents: list[Document], scoped: Scoped) -> Iterable[Problem]:
    for note in scoped.notes:
        yield Problem("", 0, "scope", note)
    if not scoped.base.known:
        what = "what judges is unknown, so nothing that had to land before counts"
        yield Problem("", 0, "scope", f"{what}: {scoped.base.reason}")
    for document in documents:
        for problem in document.extraction.problems:
            yield replace(problem, path=document.path)


def _unread(kb: KnowledgeBase, scoped: Scoped) -> Iterable[Problem]:
    """Text of memory places in scope that is in no document."""
    return [p for p in kb.unread if _is_in_scope(p.path, scoped)]


def _is_in_scope(path: str, scoped: Scoped) -> bool:
    """Whether a file is one of those that changed, or lies where the run looks."""
    if scoped.changes is not None:
        return any(c.path == path and c.new is not None for c in scoped.changes)
    return is_below(path, [p.rstrip("/") for p in scoped.paths] or [""])


class _Left(NamedTuple):
    """What a change does to documents that it leaves as they are: problems, and the documents whose
    code blocks may show a command that it removes."""

    problems: tuple[Problem, ...] = ()
    documents: tuple[Document, ...] = ()


def _elsewhere(
    scoped: Scoped,
    judge: Engine,
    before: FormerReferences | None,
    decisions: Iterable[Decision],
    *,
    impacted: bool,
) -> tuple[list[Decision], _Left]:
    """Returns the claims of other documents whose references the change makes wrong, and what else
    it does to them."""
    if before is None or not scoped.changes:
        return [], _Left()
    from grounded_ingest.decide import lost_sources as lost
    from grounded_ingest.decide.touched_files import (
        TouchedFiles,
        claims_at_risk,
        documents_at_risk,
    )

    standing = judge.standing
    change = TouchedFiles(scoped, standing)
    elsewhere = judge.decide_elsewhere(claims_at_risk(change, standing), before)
    new = {_name(d.place) for d in decisions if d.changed}
    reported = new | {_name(d.place) for d in (*decisions, *elsewhere) if d.newly_wrong}
    problems = [*lost.changed_lines(change, standing, lambda place: _name(place) in reported)]
    if impacted:
        problems += lost.impacted(change, standing, lambda place: _name(place) in new)
    return elsewhere, _Left(tuple(problems), tuple(documents_at_risk(change, standing)))


def _name(place: Place) -> tuple[str, ClaimKey]:
    return place.path, place.claim.key
