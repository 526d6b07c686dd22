"""Summarizes a repository for `status`: documents, references, tiers, evidence and set-up."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import to_builtins

from grounded_ingest.config.settings import DEFAULTS, Config
from grounded_ingest.git.cache import FILE
from grounded_ingest.git.hooks import find_hook
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import DocClass, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.references.grants import grants_of, shown_grants, within_reach
from grounded_ingest.references.tracker import tracker_from, variable_of
from grounded_ingest.report.evidence_files import plan_evidence
from grounded_ingest.report.formats import Look
from grounded_ingest.report.horizons import count_expired
from grounded_ingest.rules.registry import EVERY_RULE
from grounded_ingest.text.printable import number_of, printable

MOST = 5
"""Maximum number of names that the text lists for each state. Further names are only counted."""


def status_json(repo: Repo, result: Result, today: date | None = None) -> dict[str, Any]:
    """Returns the status as a JSON-ready record, after a check of all documents. today: the date
    (UTC) for finding expired claims; None for the current date."""
    report = result.report
    hook, index = find_hook(repo), f"{repo.cache_directory}/{FILE}"
    return {
        "schema": "grounded-ingest/status/1",
        "base": {
            "commit": report.scope.base,
            "reason": report.scope.base_reason,
            "known": result.scoped.base.known,
        },
        "configuration": {
            "file": "" if result.config.origin == DEFAULTS.origin else result.config.origin,
            "preset": result.config.preset,
        },
        **_reach(repo, result.config),
        "online": report.scope.online,
        "classes": {
            kind.value: {
                "documents": sum(d.doc_class is kind for d in result.documents),
                "claims": sum(
                    len(d.extraction.claims) for d in result.documents if d.doc_class is kind
                ),
            }
            for kind in DocClass
        },
        "claims": len(report.decisions),
        "references": to_builtins(report.references),
        "tiers": {f"tier_{t.value}": report.tier(t) for t in Tier},
        "rules": dict(Counter(d.rule for d in report.decisions).most_common()),
        "evidence": _evidence(result),
        "hook": {"configured": list(hook.configured), "installed": hook.installed},
        "index": {"path": index, "bytes": os.path.getsize(index) if os.path.exists(index) else 0},
        "expired": count_expired(result, today),
        "problems": to_builtins(list(report.problems)),
    }


def _reach(repo: Repo, config: Config) -> dict[str, Any]:
    """Returns the settings that the user of this machine granted or did not grant, and the issue
    tracker. For a secret, the record only says whether the secret is set."""
    grants, passed_over = grants_of(repo, os.environ)
    reach = within_reach(repo, config, os.environ)
    settings, remote = reach.config.tracker, repo.remote_url()
    tracker = tracker_from(settings, remote, os.environ)
    asked = tracker and {
        "kind": tracker.kind,
        "api": tracker.api,
        "repository": tracker.repository,
        "variable": variable_of(settings, remote, os.environ),
        "set": bool(tracker.token),
    }
    refused = list(dict.fromkeys((*reach.refused, *passed_over)))
    return {"tracker": asked, "grants": shown_grants(grants, os.environ), "refused": refused}


def _evidence(result: Result) -> dict[str, Any]:
    plan = plan_evidence(result, heal=False)
    missing = [p.path for p in plan.stale if p.message.endswith("is missing")]
    behind = {p.path: p.message for p in plan.stale if p.path not in missing}
    orphaned = list(plan.orphans)
    return {"present": plan.present, "missing": missing, "behind": behind, "orphaned": orphaned}


def status_lines(found: Mapping[str, Any], hook: str, look: Look) -> Iterator[str]:
    """Yields the status as text lines. found: the record from `status_json`. hook: a description of
    the commit hook."""
    base, configuration = found["base"], found["configuration"]
    commit = base["commit"][:12] or "none"
    doubt = "" if base["known"] else ", unknown"
    yield _row("base", f"{commit} ({printable(base['reason'])}{doubt})", look)
    where = printable(configuration["file"]) or "defaults (no file)"
    yield _row("configuration", f"{where}, preset {configuration['preset']}", look)
    yield _row("hook", printable(hook), look)
    yield from _reach_rows(found, look)
    index = found["index"]
    size = f"{index['bytes'] / 1e6:.1f} MB" if index["bytes"] else "not built"
    yield _row("cache", f"{printable(index['path'])} ({size})", look)
    for name, counted in found["classes"].items():
        documents = number_of(counted["documents"], "document")
        yield _row(name, f"{documents}, {number_of(counted['claims'], 'claim')}", look)
    refs = found["references"]
    checked = f"{refs['hold']} hold, {refs['wrong']} wrong, {refs['unknown']} unknown"
    yield _row("references", f"{checked}, {refs['skipped']} skipped", look)
    yield from _tier_rows(found, look)
    yield from _evidence_rows(found["evidence"], look)
    if expired := found["expired"]:
        claims = "1 claim has" if expired == 1 else f"{expired} claims have"
        command = look.commands("list: `grounded-ingest audit`")
        yield _row("expired", f"{claims} expired ({command})", look)
    for problem in found["problems"]:
        at = f"{printable(problem['path'])}:{problem['line']}: " if problem["path"] else ""
        rule = look.rule(problem["rule"], "error" if problem["tier"] == 3 else "note")
        yield _row("problem", f"{at}{rule}: {printable(problem['message'], 300)}", look)
    if not found["online"]:
        yield "offline: URLs and issues were not looked up; look them up with status --online"


def _row(name: str, text: str, look: Look) -> str:
    return f"{look.paint(name, 'bold')}{' ' * (14 - len(name))}{text}"


def _reach_rows(found: Mapping[str, Any], look: Look) -> Iterator[str]:
    tracker = found["tracker"]
    if tracker:
        secret = _secret(tracker) or " without a token"
        yield _row("tracker", printable(f"{tracker['api']}{secret}", 300), look)
    for grant in found["grants"]:
        text = f"{grant['what']} {grant['where']}{_secret(grant)}; {grant['said']}"
        yield _row("granted", printable(text, 300), look)
    for line in found["refused"]:
        yield _row("not granted", printable(line, 300), look)


def _secret(row: Mapping[str, Any]) -> str:
    state = "" if row["set"] else " (not set)"
    return f" {row['variable']}{state}" if row["variable"] else ""


def _tier_rows(found: Mapping[str, Any], look: Look) -> Iterator[str]:
    tiers = found["tiers"]
    named = f"{tiers['tier_1']} approved, {tiers['tier_2']} open, {tiers['tier_3']} blocked"
    yield _row("claims", f"{found['claims']}: {named}", look)
    for rule, count in found["rules"].items():
        yield f"{' ' * 14}{count:>7} {look.rule(rule, EVERY_RULE[rule].severity)}"


def _evidence_rows(evidence: Mapping[str, Any], look: Look) -> Iterator[str]:
    missing, behind, orphaned = evidence["missing"], evidence["behind"], evidence["orphaned"]
    counts = f"{len(missing)} missing, {len(behind)} outdated, {len(orphaned)} orphaned"
    yield _row("evidence", f"{evidence['present']} present, {counts}", look)
    yield from _names("missing", missing)
    yield from _names("outdated", [f"{path}: {why}" for path, why in behind.items()])
    yield from _names("orphaned", orphaned)


def _names(state: str, names: Sequence[str]) -> Iterator[str]:
    for name in names[:MOST]:
        yield f"{' ' * 14}{state} {printable(name, 200)}"
    if len(names) > MOST:
        yield f"{' ' * 14}{state} {len(names) - MOST} more"
