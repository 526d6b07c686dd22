"""Runs a check from start to end: reads documents, extracts claims, decides them, and builds the
report.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.settings import Config, Wishes
from grounded_ingest.decide import affected_claims as affected
from grounded_ingest.decide.approvals import advisory_approvals, broken_logs, range_approvals
from grounded_ingest.decide.base_view import BaseView, place_key
from grounded_ingest.decide.engine import Changed, Engine
from grounded_ingest.decide.former_references import FormerReferences
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import VERSION
from grounded_ingest.git.history import RemovalHistory
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Decision, Document, Problem
from grounded_ingest.model.report import LeftOut, Report, Scope
from grounded_ingest.net.client import Web
from grounded_ingest.records.rulings import Rulings
from grounded_ingest.references.code_blocks import refuted_lines
from grounded_ingest.references.context import Context
from grounded_ingest.references.response_cache import Answers
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.repository.former_documents import FormerDocuments
from grounded_ingest.repository.index import Index
from grounded_ingest.repository.judging_config import (
    Judging,
    agent_at_work,
    configured_base,
    judging_config,
)
from grounded_ingest.repository.scope import Asked, Scoped, resolve_scope
from grounded_ingest.rules.registry import all_index_keys
from grounded_ingest.text.printable import counted

if TYPE_CHECKING:
    from grounded_ingest.judge.exchange import AskedJudge

HOOK_BUDGET_S, CI_BUDGET_S = 5.0, 60.0
"""Default limits for network time in seconds: in a commit hook, for which a person waits, and in
other runs.
"""

Progress = Callable[[str], None]


class Options(Struct, frozen=True):
    """Options that say how a check runs. The scope is given separately.

    `config` is the path of the only configuration file to read, or empty. `isolated`: read no
    configuration file. `landed`: always use the configuration on the base branch. `granted`: use
    addresses, secrets and programs that the user of this machine has allowed. `online`: use the
    network. `budget` is the time limit for all network requests together, in seconds. `cache`: read
    and write the local cache. `patient`: the check may read a long git history, which is too slow
    for a hook. `show_skipped`: also report unread documents and skipped references. `operations`:
    find out whether a new claim adds, updates or repeats a memory, which JSON and `explain` show.
    """

    config: str = ""
    isolated: bool = False
    landed: bool = False
    granted: bool = True
    online: bool = True
    budget: float | None = None
    cache: bool = True
    patient: bool = True
    show_skipped: bool = False
    operations: bool = True


class Result(Struct, frozen=True):
    """The report of a check, together with the data for writing evidence files and explaining
    decisions.
    """

    report: Report
    scoped: Scoped
    config: Config
    documents: tuple[Document, ...]
    kb: KnowledgeBase
    engine: Engine

    @property
    def undocumented(self) -> tuple[str, ...]:
        """Returns the paths on the command line that contain no document."""
        paths = [d.path for d in self.documents]
        asked = (p for p in self.scoped.paths if p != ".")
        return tuple(p for p in asked if not any(d == p or d.startswith(f"{p}/") for d in paths))


def run(
    repo: Repo,
    asked: Asked,
    options: Options,
    progress: Progress = lambda _: None,
    judged_by: Config | None = None,
) -> Result:
    """Checks a scope in a repository and returns the result.

    `judged_by` is the configuration from a caller that does not use the repository's configuration.
    Raises GroundedIngestError if the usage, the configuration or the environment is wrong.
    """
    if judged_by is not None:
        wanted = judged_by.base
    else:
        wanted = "" if asked.base or options.isolated else configured_base(repo, asked)
    scoped = resolve_scope(repo, asked, wanted, os.environ)
    if judged_by is not None:
        judging = Judging(judged_by, former=(judged_by,))
    else:
        judging = judging_config(
            scoped,
            explicit=options.config,
            isolated=options.isolated,
            landed=options.landed,
            hook=asked.hook,
        )
    progress("reading documents")
    return _check(repo, scoped, judging, options, progress)


def _check(
    repo: Repo, scoped: Scoped, judging: Judging, options: Options, progress: Progress
) -> Result:
    config = judging.config
    threshold = config.dedup.threshold
    directory = repo.cache_directory if options.cache else ""
    keys = partial(all_index_keys, threshold=threshold)
    index = Index(directory, f"{VERSION}:{threshold}", keys)
    kb = KnowledgeBase(scoped.tree, config, index, proposed=judging.proposed)
    result = _check_documents(repo, scoped, judging, kb, options, progress)
    # Another process may have dropped index rows that this run still refers to.
    if kb.index.cache.was_replaced():
        kb.index.close()
        return _check(repo, scoped, judging, replace(options, cache=False), progress)
    return result


def _check_documents(
    repo: Repo,
    scoped: Scoped,
    judging: Judging,
    kb: KnowledgeBase,
    options: Options,
    progress: Progress,
) -> Result:
    config, refused = _granted_config(repo, scoped, judging.config, options)
    problems = [*judging.problems, *refused]
    context = _context(repo, scoped, config, options, kb.index, progress)
    engine = _engine(repo, scoped, judging, kb, context, options, problems, progress)
    paths, is_in_scope = _paths_in_scope(scoped, kb, engine.view.former), scope_test(scoped)
    each = counted(paths, len(paths), "reading documents", progress)
    documents = [d for p in each if (d := kb.document(p)) is not None]
    before = None if scoped.changes is None else FormerReferences(scoped, engine.view)
    changed = {d.path: _changed_claims(d, before) for d in documents}
    decisions = engine.decide(documents, changed, before)
    elsewhere, moved, at_risk = _check_elsewhere(scoped, engine, before, decisions)
    problems += [
        *_scope_problems(scoped, context.removals.gaps.values()),
        *(replace(p, path=d.path) for d in documents for p in d.extraction.problems),
        *_code_block_problems([*documents, *at_risk], before, context),
        *moved,
        *_old_settings(config),
        *(p for p in kb.unread if is_in_scope(p.path)),
        *advisory_approvals(engine.view, scoped, paths),
    ]
    unread, skipped = _left_out(kb, scoped, is_in_scope, documents, decisions, context, options)
    context.removals.close()
    problems += broken_logs(engine.view)
    # Problems can be in documents that this run does not judge. Ignore comments in these documents
    # also apply.
    named = {p.path for p in problems}.difference(paths)
    others = [d for p in named if (d := kb.document(p)) is not None]
    problems = engine.ignores.filter_problems(documents, problems, others)
    repo.raise_if_killed()
    base = scoped.base
    report = Report(
        Scope(scoped.mode, scoped.head, base.commit, base.reason, scoped.range, options.online),
        tuple(decisions),
        tuple(problems),
        len(documents),
        config.preset == "strict",
        config.fail_on,
        unread,
        skipped,
        tuple(elsewhere),
    )
    return Result(report, scoped, config, tuple(documents), kb, engine)


# Building the parts of a check


def _granted_config(
    repo: Repo, scoped: Scoped, config: Config, options: Options
) -> tuple[Config, list[Problem]]:
    """Returns the configuration, reduced to the addresses, secrets and programs that the user of
    this machine has allowed. Also returns a note for each refused setting. An offline run allows
    none.
    """
    wishes = config.wishes
    if not options.online or not options.granted or wishes == Wishes():
        return config, []
    # Imported late for a fast start: the hook is offline and does not need this module.
    from grounded_ingest.references.grants import within_reach

    judge = scoped.mode != "staged" or wishes.judge.in_hook
    reach = within_reach(repo, config, os.environ, judge=judge)
    return reach.config, [Problem(config.origin, 1, "not-granted", r) for r in reach.refused]


def _context(
    repo: Repo, scoped: Scoped, config: Config, options: Options, index: Index, progress: Progress
) -> Context:
    cache = repo.cache_directory if options.cache else ""
    web = answers = None
    if options.online:
        budget = options.budget if options.budget is not None else config.network.budget
        if budget is None:
            budget = HOOK_BUDGET_S if scoped.mode == "staged" else CI_BUDGET_S
        web = Web(config.network, budget)
        # Without a cache file, the texts are kept in memory during the run, so that the run
        # requests each text only once.
        answers = Answers(cache, config.network.cache_ttl if cache else 0)
    patient = options.patient and scoped.mode != "staged"
    return Context(
        repo,
        config,
        scoped.tree,
        scoped.base,
        web,
        answers,
        index.cache,
        gone=scoped.gone,
        history=RemovalHistory(repo, cache, patient=patient, progress=progress),
        staged=scoped.mode == "staged" and not scoped.notes,
        blames=scoped.mode not in ("staged", "range"),
        whole=scoped.changes is None,
    )


def _engine(
    repo: Repo,
    scoped: Scoped,
    judging: Judging,
    kb: KnowledgeBase,
    context: Context,
    options: Options,
    problems: list[Problem],
    progress: Progress,
) -> Engine:
    """Returns the engine that decides claims. Adds a note to `problems` if the configured judge
    model is not available.
    """
    config = context.config
    former = FormerDocuments(kb, repo, scoped.base, scoped.renamed, judging.former)
    rulings = Rulings(context, former, range_approvals(kb, context, scoped))
    judge: AskedJudge | None = None
    if not config.judge.kind == config.wishes.judge.kind == "rules":
        # Imported late for a fast start: most runs use no judge model.
        from grounded_ingest.judge.judge import choose_judge

        cache = repo.cache_directory if options.cache else None
        judge, reason = choose_judge(
            config, mode=scoped.mode, online=options.online, cache_dir=cache, root=repo.root
        )
        problems += [Problem("", 0, "judge", reason)] if reason else []
    return Engine(
        BaseView(kb, context, former, rulings),
        agent=agent_at_work(repo, scoped, config),
        judge=judge,
        may_support=config.judge.may_support,
        operations=options.operations,
        progress=progress,
    )


def _paths_in_scope(scoped: Scoped, kb: KnowledgeBase, former: FormerDocuments) -> list[str]:
    """Returns the paths of the documents to judge. If the check is about a change, returns the
    documents that the change edits or moves to a stricter class. Otherwise returns all documents
    below the requested paths.
    """
    found = set(filter(scope_test(scoped), kb.documents))
    if scoped.changes:
        found.update(former.newly_classed(scoped, former.tree(scoped.parents[0])))
    return sorted(found)


def scope_test(scoped: Scoped) -> Callable[[str], bool]:
    """Returns a function that says whether the change edits the file at a path. If the check is not
    about a change, the function says whether the file is below one of the requested paths.
    """
    if scoped.changes is not None:
        return frozenset(c.path for c in scoped.changes if c.new is not None).__contains__
    wanted = [p.rstrip("/") for p in scoped.paths]
    if not wanted or {"", "."} & {*wanted}:  # the root of the repository
        return lambda _: True
    return lambda path: any(path == w or path.startswith(w + "/") for w in wanted)


def _changed_claims(document: Document, before: FormerReferences | None) -> Changed | None:
    """Returns the claims in the document that no parent commit has, and the earlier claims that
    they may replace. Returns None if all claims are new. A text that occurs as often as before is
    not new, so moved text is not new.
    """
    if before is None:
        return None
    # A merge commit has several parents. A claim that is in one of them is not new.
    former = [extraction.claims for _, _, extraction in before.documents(document.path)]
    left: Counter[tuple[str, bool]] = Counter()
    for claims in former:
        left |= Counter((c.id, bool(c.doubt)) for c in claims)
    new: set[int] = set()
    for number, claim in enumerate(document.extraction.claims):
        # A claim under a heading such as "Open questions" is labelled as not settled. If the change
        # removes this label, the claim counts as new.
        same = [(claim.id, True), (claim.id, False)] if claim.doubt else [(claim.id, False)]
        if found := next((s for s in same if left[s] > 0), None):
            left[found] -= 1
        else:
            new.add(number)
    removed = (c for claims in former for c in claims if left[c.id, bool(c.doubt)] > 0)
    return Changed(frozenset(new), tuple(removed))


# Problems in documents that are not about a single claim


def _scope_problems(scoped: Scoped, gaps: Iterable[str]) -> Iterable[Problem]:
    """Yields a note for each part of the check that was left out and that the user can restore."""
    if not scoped.base.known:
        what = "the base branch is unknown, so its approvals and settings do not count"
        yield Problem("", 0, "scope", f"{what}: {scoped.base.reason}")
    # Nobody can do anything about a history that is longer than what is ever read.
    yield from (Problem("", 0, "scope", gap) for gap in gaps if "run `" in gap or "fetch" in gap)


def _old_settings(config: Config) -> Iterable[Problem]:
    if config.old:
        names = ", ".join(f"`{name}`" for name in config.old)
        yield Problem(
            config.origin,
            1,
            "old-setting",
            f"{names} has no effect in this version; remove it from the file",
        )


def _code_block_problems(
    documents: list[Document], before: FormerReferences | None, context: Context
) -> list[Problem]:
    """Returns a problem for each line in a code block that refers to something that does not exist.
    For a change, returns only the problems that did not exist before the change.
    """
    try:
        wrong = refuted_lines(documents, context)
        known = before.count_shown(documents, wrong) if before is not None else Counter()
    except GroundedIngestError:
        raise
    except Exception as error:  # noqa: BLE001  reported, and everything else is still checked
        message = f"code blocks could not be checked: {type(error).__name__}: {error}"
        return [Problem("", 0, "check-failed", message)]
    new: list[Problem] = []
    # For each wrong line before the change, one equal line after the change is not reported.
    for problem, text in wrong:
        if known[key := (problem.path, problem.rule, text)]:
            known[key] -= 1
        else:
            new.append(problem)
    return new


def _left_out(
    kb: KnowledgeBase,
    scoped: Scoped,
    is_in_scope: Callable[[str], bool],
    documents: list[Document],
    decisions: Sequence[Decision],
    context: Context,
    options: Options,
) -> tuple[int, tuple[LeftOut, ...]]:
    """Returns the number of documents in the scope that the check does not read. With
    `--show-skipped`, also returns the unread documents and the skipped references. The commit hook,
    which prints no counts if it passes, counts nothing."""
    if scoped.mode == "staged" and not options.show_skipped:
        return 0, ()
    from grounded_ingest.references.skip_reasons import skipped_references
    from grounded_ingest.repository.lookup import left_out

    unread = tuple(left_out(kb, is_in_scope))
    if not options.show_skipped:
        return len(unread), ()
    return len(unread), (*unread, *skipped_references(documents, decisions, context))


def _check_elsewhere(
    scoped: Scoped,
    engine: Engine,
    before: FormerReferences | None,
    decisions: Iterable[Decision],
) -> tuple[list[Decision], list[Problem], list[Document]]:
    """Returns what a change causes in documents that the change does not edit: decisions about
    claims that it makes wrong, problems about claims whose cited lines it edits, and documents that
    may show in a code block a command that it removes."""
    if before is None or not scoped.changes:
        return [], [], []
    view = engine.view
    change = affected.TouchedFiles(scoped, view)
    elsewhere = engine.decide_elsewhere(affected.claims_at_risk(change, view), before)
    # A claim appears only once in the report: as changed, as newly wrong, or because the change
    # edits its cited lines.
    reported = {place_key(d.place) for d in decisions if d.changed}
    reported |= {place_key(d.place) for d in (*decisions, *elsewhere) if d.newly_wrong}
    problems = list(affected.changed_lines(change, view, lambda p: place_key(p) in reported))
    return elsewhere, problems, affected.documents_at_risk(change, view)
