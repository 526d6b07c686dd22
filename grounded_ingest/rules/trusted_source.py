"""The configuration trusts where the document comes from."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="trusted-source",
    tier=1,
    fixed=True,
    summary="The document comes from a source that this repository's configuration trusts.",
    way_out="Nothing to do. See `sources` and `trusted_sources` in the configuration.",
)


def applies(case: Case) -> bool:
    return case.configured in case.trusted


EXAMPLES: tuple[Examples, ...] = ()
