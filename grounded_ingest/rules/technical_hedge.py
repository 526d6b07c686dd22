"""The claim qualifies itself. The words stand in `lexicon/technical_hedges.py`."""

from __future__ import annotations

from grounded_ingest.model.claims import DocClass
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="technical-hedge",
    tier=2,
    fixed=False,
    severity="quiet",
    summary=(
        "The claim qualifies itself (“usually”, “roughly”, “unclear”), so what it states is open."
    ),
    way_out="State the exact condition or value with its source.",
    yields_in=(DocClass.DOCS,),
)


def applies(case: Case) -> bool:
    return case.shows(META)


EXAMPLES = (
    Examples(
        group="possibility",
        flags=(
            "The server may timeout under load.",
            "The service might restart on failure.",
            "This could cause a deadlock.",
            "The token may not be valid after an hour.",
        ),
        passes=(
            "The release of May 2024 introduced the parser.",
            "We tested the importer thoroughly in May.",
            "On 5 May 2024 it shipped.",
            "Callers may pass a token.",
            "You may only use port 8443.",
            "Clients may not call this endpoint.",
            "A server MAY close the connection.",
            "The migration couldn't run twice.",
            "The migration couldn’t run twice.",
            "The migration could not run twice.",
            "The retry limit should be 5.",
            "The mighty parser dismays nobody.",
        ),
    ),
    Examples(
        group="frequency",
        flags=(
            "Connections typically complete in <100ms.",
            "The limit is usually 5.",
            "This often fails.",
            "The worker tends to retry.",
        ),
        passes=(
            "The interval says how often the job runs.",
            "The feature is generally available.",
            "The process exits normally.",
            "The term is unusually long.",
            Example("The limit is usually 5.", path="docs/limits.md"),
        ),
    ),
    Examples(
        group="likelihood",
        flags=(
            "The cache probably expires after 5 minutes.",
            "The worker is likely misconfigured.",
            "Presumably the worker retries.",
            "Possibly a race in the worker.",
        ),
        passes=(
            "`likely()` marks the hot branch.",
            "The likelihood is stored as a float.",
            "Never write 'probably' in a commit message.",
            "Hedge words such as probably are forbidden.",
        ),
    ),
    Examples(
        group="appearance",
        flags=(
            "The cache seems stale.",
            "The worker appears to retry.",
            "It looks like the worker retries.",
        ),
        passes=(
            "The token looks like `abc:def`.",
            "The output looks like this:",
            "The name appears in both lists.",
            "The banner appears to users.",
        ),
    ),
    Examples(
        group="approximation",
        flags=(
            "The queue holds approximately 500 jobs.",
            "Around 500 jobs are queued.",
            "It takes about five minutes.",
            "The image has ~2GB.",
            "It takes 5 minutes or so.",
        ),
        passes=(
            "The job runs around the clock.",
            "Read about 5 rules of the parser here.",
            "The range is ~1.2.3 in that file.",
            "A wrapper around 3 clients.",
            "Files below ~/cache are removed.",
        ),
    ),
    Examples(
        group="open-doubt",
        flags=(
            "It is unclear whether the worker retries.",
            "It is not known yet which port is used.",
            "The endpoint is unverified.",
            "The retry limit is TBD.",
            "That is an open question.",
        ),
        passes=(
            "If a commit is unclear, read it in full.",
            "Ask if the scope is unclear.",
            "The verdict is UNCLEAR below 0.5.",
            "The linter flags untested functions.",
            "Resolved all open questions of the review.",
            "Uncertainty is stored as a float.",
        ),
    ),
    Examples(
        group="working-assumption",
        flags=(
            "We assume that all examples live in one crate.",
            "Here we assume the lock is held.",
        ),
        passes=(
            "If we assume a lock, the claim follows.",
            "The parser assumes UTF-8.",
        ),
    ),
)
