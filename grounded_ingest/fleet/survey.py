"""One repository as rows of the tables: its check at a commit, and what it mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from grounded_ingest.config.settings import Config
from grounded_ingest.fleet.elsewhere import cited_elsewhere
from grounded_ingest.fleet.instruction_versions import versions_of
from grounded_ingest.fleet.keys import digest, key, moment, origin_of
from grounded_ingest.fleet.tables import SCHEMA
from grounded_ingest.git.repository import Repo, epoch_seconds
from grounded_ingest.model.claims import CitationKind, Decision, Form, Place, Tier
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.records.authority import OWNER_FILES, CodeOwners
from grounded_ingest.references.registry import references_in
from grounded_ingest.report.findings import (
    ReportItem,
    decision_reason,
    finding_of_problem,
    findings_of_decision,
    list_findings,
)
from grounded_ingest.report.horizons import add_expired
from grounded_ingest.repository.scope import Asked
from grounded_ingest.statements.agreed_facts import agreed_facts, rivals
from grounded_ingest.statements.near_duplicates import equal_key, leads_on, set_keys, word_hash
from grounded_ingest.text.reading import read_claim

Row = Mapping[str, Any]

DEDUP = Config().dedup
"""What counts as a repetition among repositories, whatever each of them says of its own."""


LONGEST_TEXT, LONGEST_CLAIM, MOST_OWNERS, LONGEST_OWNER = 10_000, 500, 100, 200
"""Characters of a text in a row; words of a claim that is compared with others; owners of a
document, and characters of one. More of them would cost every repository of a fleet."""


class Survey(NamedTuple):
    """What the check of a commit found, `expired` claims included. `name` is the repository's in
    its fleet."""

    name: str
    run: str
    commit: str
    committed_at: str
    origin: str
    result: Result

    @property
    def head(self) -> dict[str, Any]:
        """The first columns of every row."""
        return {
            "schema": SCHEMA, "run": self.run, "repository": self.name, "commit": self.commit,
        }  # fmt: skip

    def at(self, place: Place) -> dict[str, Any]:
        """The first columns of a row about a claim."""
        claim = place.claim
        uid = digest(self.name, place.path, claim.section, claim.id, str(claim.ordinal))
        return {**self.head, "claim": uid, "path": place.path, "line": claim.line}


def survey_of(repo: Repo, name: str, started: str, options: Options) -> Survey:
    """Checks HEAD's commit, whatever stands in a work tree. Raises GroundedIngestError."""
    result = add_expired(run(repo, Asked("all", committed=True), options))
    commit = result.scoped.head
    when = epoch_seconds(repo.run("show", "-s", "--format=%ct", commit)) if commit else 0
    return Survey(name, started, commit, moment(when) if when else "", origin_of(repo), result)


def survey_rows(survey: Survey) -> dict[str, Iterable[Row]]:
    """The rows of every table of a repository."""
    tables: dict[str, Iterable[Row]] = {
        "documents": _documents(survey),
        "claims": _claims(survey),
        "decisions": _decisions(survey),
        "evidence": _evidence(survey),
        "findings": _findings(survey),
        "references": _references(survey),
        "elsewhere": _elsewhere(survey),
        "versions": ({**survey.head, **row} for row in versions_of(survey.result)),
    }
    return {name: map(_bounded, rows) for name, rows in tables.items()}


def _bounded(row: Row) -> Row:
    """The same, its texts cut."""
    long = {
        name: f"{value[: LONGEST_TEXT - 1]}…"
        for name, value in row.items()
        if isinstance(value, str) and len(value) > LONGEST_TEXT
    }
    return {**row, **long} if long else row


def survey_counts(survey: Survey) -> dict[str, Any]:
    """What the table `repositories` counts of it."""
    report = survey.result.report
    items = list_findings(report)
    return {
        "commit": survey.commit, "committed_at": survey.committed_at, "origin": survey.origin,
        "documents": report.documents, "claims": len(report.decisions),
        **_sums(report.decisions), "blocked": report.tier(Tier.BLOCK),
        "wrong": sum(e.severity == "error" for e in items),
    }  # fmt: skip


def _is_checkable(decision: Decision) -> bool:
    return decision.rule != "nothing-to-check"


def _sums(decisions: Iterable[Decision]) -> dict[str, int]:
    """Counts the claims that state something, and those of tier 1."""
    found = [d for d in decisions if _is_checkable(d)]
    return {"checkable": len(found), "grounded": sum(d.approved for d in found)}


def _documents(survey: Survey) -> Iterator[Row]:
    result = survey.result
    owners = _owners(result)
    by_path: dict[str, list[Decision]] = {}
    for decision in result.report.decisions:
        by_path.setdefault(decision.place.path, []).append(decision)
    for document in result.documents:
        own = by_path.get(document.path, [])
        owned = owners.owners(document.path)[0] if owners else ()
        yield {
            **survey.head, "path": document.path, "class": document.doc_class,
            "blob": document.blob,
            "owners": [o[:LONGEST_OWNER] for o in owned[:MOST_OWNERS]],
            "claims": len(own),
            **_sums(own),
        }  # fmt: skip


def _claims(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        place, claim = decision.place, decision.place.claim
        words = read_claim(claim).word_set
        compared = DEDUP.exact_words <= len(words) <= LONGEST_CLAIM
        repeats = compared and not (claim.only_refers or leads_on(claim.text))
        near = repeats and len(words) >= DEDUP.near_words and claim.form is not Form.ROW
        said = equal_key(words)
        keys = set_keys(words, DEDUP.threshold) if near else (said,)
        yield {
            **survey.at(place), "class": place.doc_class, "section": claim.section,
            "text": claim.text, "said": said, "kind": claim.kind,
            "memory_type": claim.memory_type, "form": claim.form,
            "words": sorted(map(_signed_hash, words)) if repeats else [],
            "keys": [*keys] if repeats else [],
        }  # fmt: skip


def _decisions(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        yield {
            **survey.at(decision.place), "tier": int(decision.tier), "rule": decision.rule,
            "reason": decision_reason(decision), "checkable": _is_checkable(decision),
            "source": decision.source,
            "operation": decision.operation.name,
        }  # fmt: skip


def _evidence(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        for found in decision.evidence:
            yield {
                **survey.at(decision.place), "kind": found.kind, "target": found.target,
                "verdict": found.verdict, "reason": found.reason,
            }  # fmt: skip


def _findings(survey: Survey) -> Iterator[Row]:
    """Yields the findings of the report, each with its severity: the one list of `check`."""
    report = survey.result.report
    for decision in report.decisions:
        words = {f.rule: f.words for f in decision.findings}
        for item, _ in findings_of_decision(decision, report):
            yield {**survey.at(decision.place), **_told(item), "words": words.get(item.rule, "")}
    for item in map(finding_of_problem, report.problems):
        where = {"claim": "", "path": item.path, "line": item.line, "words": ""}
        yield {**survey.head, **where, **_told(item)}


def _told(item: ReportItem) -> dict[str, str]:
    return {"rule": item.rule, "message": item.description, "severity": item.severity}


def _references(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        place = decision.place
        first = survey.at(place)
        for fact in dict.fromkeys(agreed.fact for agreed in agreed_facts(place)):
            yield {
                **first, "kind": "fact", "subject": fact.subject, "slot": fact.slot,
                "value": fact.value, "normal": fact.value.lower(), "polarity": fact.polarity,
                "setting": "", "many": False,
                "about": key(fact.slot, fact.subject, "", rivals(fact)),
            }  # fmt: skip
        for found in references_in(place.path, place.claim):
            slot = found.kind.value
            of = found.of.partition(" ")[0] if found.kind is CitationKind.VERSION else found.of
            yield {
                **first, "kind": slot, "subject": of, "slot": slot, "value": found.name,
                "normal": found.name, "polarity": True, "setting": "", "many": True,
                "about": key(slot, of, found.name),
            }  # fmt: skip


def _elsewhere(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        for cited in cited_elsewhere(decision.place, survey.origin):
            yield {**survey.at(decision.place), **cited._asdict()}


def _owners(result: Result) -> CodeOwners | None:
    tree = result.scoped.tree
    path = next((p for p in OWNER_FILES if tree.has(p)), "")
    text = tree.read(path) if path else None
    return CodeOwners(text.decode(errors="replace"), path) if text is not None else None


def _signed_hash(word: str) -> int:
    """As Parquet's integers are: signed."""
    found = word_hash(word)
    return found - (1 << 64) if found >> 63 else found
