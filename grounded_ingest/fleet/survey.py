"""Checks HEAD of one repository and writes a survey: rows for the tables in `tables.SURVEYED`."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from grounded_ingest.config.settings import Config
from grounded_ingest.git.repository import Repo, epoch_seconds
from grounded_ingest.model.claims import CitationKind, Decision, Place, Tier
from grounded_ingest.model.digests import blake2b
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.records.authority import OWNER_FILES, CodeOwners
from grounded_ingest.references.registry import references_in
from grounded_ingest.references.tracker import host_and_path
from grounded_ingest.report.as_sarif import render
from grounded_ingest.report.findings import (
    ReportItem,
    decision_reason,
    finding_of_problem,
    findings_of_decision,
    list_findings,
)
from grounded_ingest.report.horizons import add_expired
from grounded_ingest.repository.scope import Asked
from grounded_ingest.statements.near_duplicates import equal_key, leads_on
from grounded_ingest.text.reading import read_claim

Row = Mapping[str, Any]

DEDUP = Config().dedup
"""Limits for finding texts that several repositories repeat. They replace the `dedup` settings of
the repositories.
"""

LONGEST_TEXT, LONGEST_CLAIM, MOST_OWNERS, LONGEST_OWNER = 10_000, 500, 100, 200
"""Limits against hostile repositories: characters of a text in a table, words of a claim that is
compared with other claims, owners of a document, and characters of an owner's name."""
_COUNTS = "counts.json"


class Survey(NamedTuple):
    """The result of checking a commit of a repository. `name` is the name of the repository in the
    fleet. `origin` is its address in the form `host/owner/name`."""

    name: str
    origin: str
    result: Result

    def columns(self, place: Place) -> dict[str, Any]:
        """Returns the columns `claim`, `path` and `line` of a row about a claim."""
        claim = place.claim
        uid = digest(self.name, place.path, claim.section, claim.id, str(claim.ordinal))
        return {"claim": uid, "path": place.path, "line": claim.line}


def digest(*parts: str) -> str:
    """Returns a digest of the parts as 16 hexadecimal digits."""
    joined = "\0".join(parts).encode(errors="surrogateescape")
    return blake2b(joined, digest_size=8).hexdigest()


def origin_of(url: str) -> str:
    """Returns `host/owner/name` from the URL of a remote, in lower case. Returns an empty string
    for an empty URL."""
    return "/".join(part for part in host_and_path(url) if part).lower()


def survey_id(name: str, commit: str, settings: str) -> str:
    """Returns the name of the directory for a survey. `settings` is a digest of the settings."""
    return digest(name, commit, settings)


def read_counts(directory: str) -> dict[str, str | int] | None:
    """Returns the counts from a finished survey in a directory, or None."""
    try:
        with open(f"{directory}/{_COUNTS}", "rb") as file:
            return msgspec.json.decode(file.read(), type=dict[str, str | int])
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def write_survey(
    repo: Repo, name: str, options: Options, directory: str, sarif: str = ""
) -> dict[str, str | int]:
    """Checks HEAD of a repository and writes the survey to a directory. Ignores the work tree.

    Returns the columns of the table `repositories` that contain counts. Raises GroundedIngestError
    if the repository cannot be checked.
    """
    result = add_expired(run(repo, Asked("all", committed=True), options))
    survey = Survey(name, origin_of(repo.remote_url()), result)
    counts = _counts(repo, survey)
    new = f"{directory}.{secrets.token_hex(8)}.new"
    os.makedirs(new)
    tables = _tables(survey)
    try:
        for table, rows in tables.items():
            with open(f"{new}/{table}.jsonl", "wb") as file:
                file.writelines(encode_row(row) + b"\n" for row in rows)
        with open(f"{new}/{_COUNTS}", "wb") as file:
            file.write(encode_row(counts))
        if sarif:
            os.makedirs(os.path.dirname(sarif), exist_ok=True)
            with open(sarif, "w", encoding="utf-8") as file:
                file.write(render(result.report))
        # The file with the counts is moved last, because it marks the survey as complete. If a
        # survey is written again, its rows are the same. So earlier runs can still read the survey.
        os.makedirs(directory, exist_ok=True)
        for file_name in (*(f"{table}.jsonl" for table in tables), _COUNTS):
            os.replace(f"{new}/{file_name}", f"{directory}/{file_name}")
    finally:
        shutil.rmtree(new, ignore_errors=True)
        result.kb.index.close()
    return counts


def encode_row(row: Row) -> bytes:
    """Returns a row as JSON. Long texts are cut, and bytes in a path that are not UTF-8 are
    escaped."""
    return msgspec.json.encode({name: _bounded(value) for name, value in row.items()})


def _bounded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value if len(value) <= LONGEST_TEXT else f"{value[: LONGEST_TEXT - 1]}…"
    return text.encode("utf-8", "backslashreplace").decode()


def _counts(repo: Repo, survey: Survey) -> dict[str, str | int]:
    report, commit = survey.result.report, survey.result.scoped.head
    return {
        "commit": commit, "committed_at": _moment(repo.run("show", "-s", "--format=%ct", commit)),
        "origin": survey.origin, "documents": report.documents, "claims": len(report.decisions),
        **_checkable(report.decisions), "blocked": report.tier(Tier.BLOCK),
        "wrong": sum(e.severity == "error" for e in list_findings(report)),
    }  # fmt: skip


def _moment(seconds: str | bytes) -> str:
    """Returns a time in ISO 8601 and UTC, from seconds since 1970 as git prints them. Returns an
    empty string if there is no time."""
    found = epoch_seconds(seconds)
    return datetime.fromtimestamp(found, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if found else ""


def _is_checkable(decision: Decision) -> bool:
    return decision.rule != "nothing-to-check"


def _checkable(decisions: Iterable[Decision]) -> dict[str, int]:
    found = [d for d in decisions if _is_checkable(d)]
    return {"checkable": len(found), "grounded": sum(d.approved for d in found)}


def _tables(survey: Survey) -> dict[str, Iterable[Row]]:
    return {
        "documents": _documents(survey),
        "claims": _claims(survey),
        "decisions": _decisions(survey),
        "evidence": _evidence(survey),
        "findings": _findings(survey),
        "references": _references(survey),
    }


def _documents(survey: Survey) -> Iterator[Row]:
    result = survey.result
    owners = _code_owners(result)
    by_path: dict[str, list[Decision]] = {}
    for decision in result.report.decisions:
        by_path.setdefault(decision.place.path, []).append(decision)
    for document in result.documents:
        decisions = by_path.get(document.path, [])
        names = owners.owners(document.path)[0] if owners else ()
        yield {
            "path": document.path, "class": document.doc_class, "blob": document.blob,
            "owners": [name[:LONGEST_OWNER] for name in names[:MOST_OWNERS]],
            "claims": len(decisions), **_checkable(decisions),
        }  # fmt: skip


def _code_owners(result: Result) -> CodeOwners | None:
    tree = result.scoped.tree
    path = next((p for p in OWNER_FILES if tree.has(p)), "")
    text = tree.read(path) if path else None
    return CodeOwners(text.decode(errors="replace"), path) if text is not None else None


def _claims(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        place, claim = decision.place, decision.place.claim
        words = read_claim(claim).word_set
        compared = DEDUP.exact_words <= len(words) <= LONGEST_CLAIM
        compared = compared and not (claim.only_refers or leads_on(claim.text))
        yield {
            **survey.columns(place), "class": place.doc_class, "section": claim.section,
            "text": claim.text, "said": equal_key(words) if compared else 0, "kind": claim.kind,
            "memory_type": claim.memory_type, "form": claim.form,
        }  # fmt: skip


def _decisions(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        yield {
            **survey.columns(decision.place), "tier": int(decision.tier), "rule": decision.rule,
            "reason": decision_reason(decision), "checkable": _is_checkable(decision),
            "source": decision.source, "operation": decision.operation.name,
        }  # fmt: skip


def _evidence(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        for found in decision.evidence:
            yield {
                **survey.columns(decision.place), "kind": found.kind, "target": found.target,
                "verdict": found.verdict, "reason": found.reason,
            }  # fmt: skip


def _findings(survey: Survey) -> Iterator[Row]:
    """Yields the rows of the table `findings`, including findings about the configuration."""
    report = survey.result.report
    for decision in report.decisions:
        words = {f.rule: f.words for f in decision.findings}
        for item, _ in findings_of_decision(decision, report):
            found = words.get(item.rule, "")
            yield {**survey.columns(decision.place), **_finding(item), "words": found}
    for item in map(finding_of_problem, report.problems):
        where = {"claim": "", "path": item.path, "line": item.line, "words": ""}
        yield {**where, **_finding(item)}


def _finding(item: ReportItem) -> dict[str, str]:
    return {"rule": item.rule, "message": item.description, "severity": item.severity}


def _references(survey: Survey) -> Iterator[Row]:
    for decision in survey.result.report.decisions:
        place = decision.place
        for found in references_in(place.path, place.claim):
            of = found.of.partition(" ")[0] if found.kind is CitationKind.VERSION else found.of
            yield {
                **survey.columns(place), "kind": found.kind.value, "subject": of,
                "value": found.name,
            }  # fmt: skip
