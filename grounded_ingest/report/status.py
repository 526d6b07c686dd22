"""The state of a knowledge base: what it holds, how far it is grounded, what is in order."""

from __future__ import annotations

import os
from collections import Counter
from datetime import date
from typing import Any

from msgspec import to_builtins

from grounded_ingest.config.settings import DEFAULTS, Config
from grounded_ingest.git.hooks import find_hook
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import DocClass, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.report.horizons import count_expired
from grounded_ingest.report.sidecar_plan import make_plan

SCHEMA = "grounded-ingest/status/1"
_INDEX = "grounded-ingest/index.sqlite"


def status(repo: Repo, result: Result, today: date | None = None) -> dict[str, Any]:
    """What `status` shows, of a run over the whole knowledge base, as on a day (in UTC, today if
    not said)."""
    report = result.report
    hook = find_hook(repo)
    return {
        "schema": SCHEMA,
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
        "classes": {c.value: _held(c, result) for c in DocClass},
        "claims": len(report.decisions),
        "references": to_builtins(report.references),
        "tiers": {f"tier_{t.value}": report.tier(t) for t in Tier},
        "rules": dict(Counter(d.rule for d in report.decisions).most_common()),
        "evidence": _evidence(result),
        "hook": {"configured": list(hook.configured), "installed": hook.installed},
        "index": _index(repo),
        "expired": count_expired(result, today),
        "problems": [
            {"path": p.path, "line": p.line, "rule": p.rule, "message": p.message, "tier": p.tier}
            for p in report.problems
        ],
    }


def _reach(repo: Repo, config: Config) -> dict[str, Any]:
    """What the user of this machine grants, what the configuration asks for beyond it, and which
    tracker is asked with which variable. Of a secret only whether it is set."""
    from grounded_ingest.references.grants import grants_of, shown_grants, within_reach
    from grounded_ingest.references.tracker import tracker_from, variable_of

    granted, reach = grants_of(repo, os.environ), within_reach(repo, config, os.environ)
    settings, remote = reach.config.tracker, repo.remote_url()
    tracker = tracker_from(settings, remote, os.environ)
    asked = None
    if tracker is not None:
        asked = {
            "kind": tracker.kind,
            "api": tracker.api,
            "repository": tracker.repository,
            "variable": variable_of(settings, remote, os.environ),
            "set": bool(tracker.token),
        }
    refused = list(dict.fromkeys((*reach.refused, *granted.passed_over)))
    return {
        "tracker": asked,
        "grants": shown_grants(granted.grants, os.environ),
        "refused": refused,
    }


def _held(doc_class: DocClass, result: Result) -> dict[str, Any]:
    held = [d for d in result.documents if d.doc_class is doc_class]
    return {
        "documents": len(held),
        "claims": sum(len(d.extraction.claims) for d in held),
    }


def _evidence(result: Result) -> dict[str, Any]:
    """Evidence files by state; `behind` names documents and why, `missing` documents alone."""
    plan = make_plan(result, heal=False)
    missing = [p.path for p in plan.stale if p.message.endswith("is missing")]
    behind = {p.path: p.message for p in plan.stale if p.path not in missing}
    return {
        "present": plan.present,
        "missing": missing,
        "behind": behind,
        "orphaned": list(plan.orphans),
    }


def _index(repo: Repo) -> dict[str, Any]:
    path = f"{repo.common_dir}/{_INDEX}"
    size = os.path.getsize(path) if os.path.exists(path) else 0
    return {"path": path, "bytes": size}
