"""Explains the decisions about claims, for the command `explain` and for the servers."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from grounded_ingest.config.syntax import nearest
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Decision, Finding, Place
from grounded_ingest.pipeline import Result
from grounded_ingest.references.skip_reasons import skipped_in, skipped_references
from grounded_ingest.report.as_json import finding_json
from grounded_ingest.report.explanation import explain_decision
from grounded_ingest.report.findings import list_findings
from grounded_ingest.report.kept_report import LAST_RUN
from grounded_ingest.report.selection import mute_explained
from grounded_ingest.repository import lookup
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.repository.scope import NOTHING
from grounded_ingest.review.context_view import source_excerpts
from grounded_ingest.rules.reference_rules import WRONG, family, reference_rule
from grounded_ingest.rules.registry import EVERY_RULE
from grounded_ingest.rules.rule_selectors import REFERENCE_RULES
from grounded_ingest.statements.relations import INVERSES, Edge, edges
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import number_of, quoted_name

_OTHER_LINES = (
    (
        compiled(
            r"Found \d+ problems? \(|"
            r"\d+ (?:warnings?|references? holds?)(?: in \d+ documents?\b|[;,]|$)"
        ),
        "this line counts what a check found: problems, warnings, the checked documents, and the"
        " references that hold, are unknown or were skipped",
    ),
    (
        compiled(r"(?:(?:…|\.\.\.) \d+ more|No error is certain; \d+ other) lines?: run\b"),
        "this line counts findings that were not printed: run `grounded-ingest check --all`",
    ),
)
"""Matches the lines of a report that are not findings, with what they say."""


def explain_claims(repo: Repo, result: Result, what: str) -> dict[str, Any]:
    """Returns the decisions about the claims that `what` names by their id, their text or a place
    (`PATH` or `PATH:LINE`). For a place or the name of a rule, also returns the findings.

    The result has the form of `explain --json`. If there is no claim at the place, the result
    contains the reason. Raises GroundedIngestError if nothing is found."""
    if note := next((note for form, note in _OTHER_LINES if form.match(what)), ""):
        return _answer("knowledge base", [], note)
    found = lookup.parse_place(what, repo.root, result.scoped.tree)
    if found is not None:
        return _explain_printed(repo, result, found)
    if what in (*EVERY_RULE, *REFERENCE_RULES):
        rule = EVERY_RULE[family(what)]
        lines = _printed_lines(repo, result, lambda i: what in (i["rule"], family(i["rule"])))
        return _answer("knowledge base", [], f"{what}: {rule.summary} {rule.way_out}", lines)
    places = lookup.by_id(result.kb, what)
    if places:
        return _answer("knowledge base", _decide(result, places))
    former = [d for d in read_last_run(repo)["decisions"] if _is_named(d, what)]
    if former:
        return _answer("last run", former)
    places, share = lookup.by_text(result.kb, what)
    if not places:
        near = nearest(what, (*EVERY_RULE, *REFERENCE_RULES))
        general = "give a claim's id, words from a claim, PATH:LINE, or a rule"
        raise GroundedIngestError(
            f"no claim found for {what}", f"did you mean {near}?" if near else general
        )
    note = f"the most similar claim, which contains {share:.0%} of the given words"
    return _answer("knowledge base", _decide(result, places), "" if share == 1 else note)


def _explain_printed(repo: Repo, result: Result, spot: lookup.FileLine) -> dict[str, Any]:
    """Returns the explanation of a place, with the printed lines that no decision explains."""

    def is_here(item: dict[str, Any]) -> bool:
        last = max(item["line"], item["end_line"])
        return bool(item["path"] == spot.path and item["line"] <= spot.line <= last)

    lines = _printed_lines(repo, result, is_here)
    try:
        answer = _explain_place(result, spot, {line["message"] for line in lines})
    except GroundedIngestError:
        if not lines:
            raise
        return _answer("last run", [], lines=lines)
    explained = {d["rule"] for d in answer["decisions"]}
    explained |= {c["rule"] for d in answer["decisions"] for c in d["citations"] if c["rule"]}
    left = [line for line in lines if line["rule"] not in explained]
    # A change is checked for more than old text. Beside its finding, "nothing to do" is false.
    shown = [d for d in answer["decisions"] if not left or d["rule"] != "nothing-to-check"]
    return {**answer, "decisions": shown, "lines": left}


def _printed_lines(
    repo: Repo, result: Result, is_asked: Callable[[dict[str, Any]], bool]
) -> list[dict[str, Any]]:
    """Returns the findings of this run and of the last run that printed findings, and those that a
    setting hides in this run. Drops repeats."""
    muted, muting = mute_explained(result)
    now = [("this check", finding_json(item)) for item in list_findings(muted.report)]
    hint = "; a check of a change reports more than a check of old text"
    last = "the last run" if result.scoped.paths == NOTHING.paths else f"the last run{hint}"
    then = [(last, item) for item in read_last_run(repo)["findings"]]
    every = map(finding_json, list_findings(result.report))
    hidden = [(f"no check: {muting(i['rule'], i['path'])} hides it", i) for i in every]
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for run, item in now + hidden + then:
        if is_asked(item):
            about = EVERY_RULE[family(item["rule"])]
            keys = ("rule", "severity", "path", "line", "message")
            known = {key: item[key] for key in keys}
            way_out = item["way_out"] or about.way_out
            more = {"summary": about.summary, "way_out": way_out, "found_in": run}
            found.setdefault((item["path"], item["rule"], item["message"]), known | more)
    return list(found.values())


def _explain_place(result: Result, spot: lookup.FileLine, known: Collection[str]) -> dict[str, Any]:
    """Returns the explanation of a place: the decisions about its claims, or why there is no claim.
    Leaves out the problems whose message is in `known`."""
    path, line = spot
    named = quoted_name(path)
    document = result.kb.document(path)
    if document is None:
        why = lookup.why_no_document(result.scoped.tree, result.config, path)
        if not why:
            raise GroundedIngestError(
                f"{named}: the file does not exist",
                "give a path relative to the current directory or the root",
            )
        return _answer("knowledge base", [], f"{named} is not a document: {why}")
    problems = [
        f"{named}:{p.line}: {p.rule}: {p.message}"
        for p in document.extraction.problems
        if (line in (0, p.line) or p.rule == "unreadable") and p.message not in known
    ]
    if not line:
        count = number_of(len(document.extraction.claims), "claim")
        note = f"{named} is a document of class {document.doc_class} with {count}"
        return _answer("knowledge base", [], "; ".join([note, *problems]))
    places = lookup.at_line(document, line)
    note = "; ".join(problems)
    if not places:
        why = lookup.why_no_claim(document, line, result.scoped.tree.read(path) or b"")
        if not why:
            raise GroundedIngestError(f"{named} has no line {line}")
        note = note or f"{named}:{line} does not contain a claim: {why}"
    return _answer("knowledge base", _decide(result, places), note)


def _answer(
    where: str,
    decisions: list[dict[str, Any]],
    note: str = "",
    lines: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    return {"found_in": where, "note": note, "decisions": decisions, "lines": [*lines]}


def _decide(result: Result, places: Iterable[Place]) -> list[dict[str, Any]]:
    """Returns the decisions about the claims at these places. Judges whole documents, because
    claims in a document affect each other."""
    keys: dict[str, set[tuple[str, str, int]]] = {}
    for place in places:
        keys.setdefault(place.path, set()).add(place.claim.key)
    documents = [d for p in keys if (d := result.kb.document(p)) is not None]
    decided = result.engine.decide(documents, dict.fromkeys(keys))
    report = replace(result.report, decisions=tuple(decided), elsewhere=(), problems=())
    muted, muting = mute_explained(replace(result, report=report))
    own = [n for n, d in enumerate(decided) if d.place.claim.key in keys[d.place.path]]
    asked = [muted.report.decisions[n] for n in own]
    hidden = [_hidden_rules(decided[n], muted.report.decisions[n], muting) for n in own]
    findings = ((d.place, f) for d in decided for f in d.findings)
    known = relations_of(result.kb, [d.place for d in asked], findings)
    tree = result.scoped.tree
    skipped = skipped_references(documents, asked, result.engine.context)
    return [
        {
            **explain_decision(d),
            "skipped": skipped_in(d.place, skipped),
            "relations": of,
            "places": dict(source_excerpts(d, tree)),
            **({"hidden": by} if by else {}),
        }
        for d, of, by in zip(asked, known, hidden, strict=True)
    ]


def _hidden_rules(
    decision: Decision, muted: Decision, muting: Callable[[str, str], str]
) -> dict[str, str]:
    """Maps the rules whose findings about a claim are hidden to what hides them."""
    pairs = zip(decision.evidence, muted.evidence, strict=True)
    rules = {reference_rule(e) for e, now in pairs if now.muted and not e.muted}
    if muted.muted and not decision.muted and decision.rule != WRONG:
        rules.add(decision.rule)
    return {rule: muting(rule, decision.place.path) for rule in sorted(rules)}


def read_last_run(repo: Repo) -> dict[str, Any]:
    """Returns the decisions and findings of the last run that printed findings, and whether that
    run was online. Both lists are empty if no such report can be read."""
    try:
        with open(f"{repo.git_dir}/{LAST_RUN}", encoding="utf-8") as file:
            kept = json.load(file)
        lists = {
            key: [row for row in kept[key] if isinstance(row, dict)]
            for key in ("decisions", "findings")
        }
        return {**lists, "online": bool(kept["scope"]["online"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {"decisions": [], "findings": [], "online": False}


def _is_named(decision: dict[str, Any], what: str) -> bool:
    if lookup.is_id(what):
        return str(decision["id"]).startswith(what)
    return bool(decision["claim"] == " ".join(what.split()))


def relations_of(
    kb: KnowledgeBase, places: Sequence[Place], findings: Iterable[tuple[Place, Finding]]
) -> list[list[dict[str, Any]]]:
    """Returns, for each claim, its relations to other claims with the place and text of the other
    claim."""
    documents = {path: d for path in kb.documents if (d := kb.document(path)) is not None}
    number = {
        (p.path, p.claim.key): (p.path, n)
        for path in {p.path for p in places}
        for n, p in enumerate(kb.places(path))
    }
    wanted = [number[p.path, p.claim.key] for p in places]
    found: dict[tuple[str, int], list[dict[str, Any]]] = {end: [] for end in wanted}

    def note(this: tuple[str, int], kind: str, other: tuple[str, int], edge: Edge) -> None:
        claim = documents[other[0]].extraction.claims[other[1]]
        found[this].append(
            {"kind": kind, "path": other[0], "line": claim.line, "id": claim.id,
             "claim": claim.text, "words": edge.words}
        )  # fmt: skip

    for edge in edges(documents.values(), findings):
        if edge.source in found:
            note(edge.source, edge.kind, edge.target, edge)
        if edge.target in found:
            note(edge.target, INVERSES[edge.kind], edge.source, edge)
    return [found[end] for end in wanted]
