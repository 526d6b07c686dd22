"""Citations to evidence. All I/O towards git, files and network is behind these verifiers.

A new verifier is a file, a line in VERIFIERS, its tests and its section in the docs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.references.adr import verify_adrs
from grounded_ingest.references.commit import verify_commits
from grounded_ingest.references.context import BROKEN, Context, Request, evidence
from grounded_ingest.references.path import verify_paths
from grounded_ingest.repository.scope import Base

_SHOWN = ("/blob/", "/tree/", "/raw/", "/blame/", "/src/", "/commit", "/changes/", "//raw.")
"""What pages of files and commits have in their URLs; only these may be of our own forge."""

Verifier = Callable[[Sequence[Request], Context], Mapping[Request, Evidence | None]]


def _urls(requests: Sequence[Request], context: Context) -> Mapping[Request, Evidence | None]:
    from grounded_ingest.references.placeholder_urls import is_citable
    from grounded_ingest.references.url import verify_urls

    network, wished = context.config.network, context.config.wishes.allow
    # What is a citation is the repository's to say; whether its host is asked is not.
    real = [r for r in requests if is_citable(r.citation.raw, (*network.allow, *wished))]
    here: Mapping[Request, Evidence | None] = {}
    if shown := [r for r in real if any(step in r.citation.raw for step in _SHOWN)]:
        from grounded_ingest.references.own_forge import in_clone

        here = in_clone(shown, context)
    rest = [r.citation.raw for r in real if r not in here]
    found = verify_urls(
        rest,
        context.web if rest else None,
        context.answers,
        witness_hosts=network.witness_hosts,
        only_witness_hosts=context.config.only_witness_hosts,
    )
    asked = {r: _said(found.get(r.citation.raw), r) for r in requests}
    return {**asked, **here}


def _said(found: Evidence | None, request: Request) -> Evidence | None:
    """Returns a server's answer as evidence for a request."""
    return None if found is None else replace(found, own=request.citation.own)


def _issues(requests: Sequence[Request], context: Context) -> Mapping[Request, Evidence | None]:
    from grounded_ingest.references.issue import verify_issues
    from grounded_ingest.references.tracker import target_of, tracker_from

    remote = context.repo.remote_url()
    tracker = tracker_from(context.config.tracker, remote, os.environ)
    # `!12` is a merge request where there are merge requests; elsewhere it is an exclamation.
    gitlab = tracker is not None and tracker.kind == "gitlab"
    pages = {r: target_of(r.citation.raw, tracker, remote) for r in requests if _is_url(r)}
    targets = {
        r: pages.get(r, r.citation.raw)
        for r in requests
        if pages.get(r, gitlab or not r.citation.raw.startswith("!"))
    }
    found = verify_issues(list(targets.values()), tracker, context.web, context.answers)
    asked = {r: _said(found.get(targets.get(r, "")), r) for r in requests}
    # What another server calls an issue is a page, and nothing that our tracker knows of.
    if elsewhere := [r for r, target in pages.items() if not target]:
        asked |= _urls(elsewhere, context)
    return asked


def _is_url(request: Request) -> bool:
    """Whether an issue is cited by the URL of a page, which says whose issue it is."""
    return request.citation.raw.startswith(("http://", "https://"))


VERIFIERS: dict[CitationKind, Verifier] = {
    CitationKind.PATH: verify_paths,
    CitationKind.ADR: verify_adrs,
    CitationKind.COMMIT: verify_commits,
    CitationKind.ISSUE: _issues,  # before URLs: they share one budget of time, and are fewer
    CitationKind.URL: _urls,
}


def verify_citations(
    requests: Iterable[Request], context: Context
) -> dict[Request, Evidence | None]:
    """Returns the evidence for every citation; None for what its verifier found to be none. A
    verifier that raises an error makes its citations unknown."""
    by_kind: dict[str, list[Request]] = {}
    for request in dict.fromkeys(requests):
        by_kind.setdefault(request.citation.kind, []).append(request)
    found: dict[Request, Evidence | None] = {}
    for kind, verifier in VERIFIERS.items():
        asked = by_kind.get(kind)
        if not asked:
            continue
        try:
            found.update(verifier(asked, context))
        except Exception as error:  # noqa: BLE001  never approved by accident, never lost
            said = str(error).partition("\n")[0] or type(error).__name__
            found.update((r, evidence(r, Verdict.UNKNOWN, f"{BROKEN}: {said}")) for r in asked)
    return found


__all__ = ["VERIFIERS", "Base", "Context", "Request", "verify_citations"]
