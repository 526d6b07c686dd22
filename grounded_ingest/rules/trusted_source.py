"""The configuration trusts where the document comes from."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="trusted-source",
    tier=1,
    fixed=True,
    severity="quiet",
    summary="The document comes from a source that this repository's configuration trusts.",
    way_out="Nothing to do; see `sources` and `trusted_sources` in the configuration.",
)


def applies(case: Case) -> bool:
    return case.configured in case.trusted


_MANUAL = 'sources: {"docs/manual/**": manual}\ntrusted_sources: [manual]'

EXAMPLES = (
    Examples(
        flags=(
            Example(
                "The staging server runs in Oslo.", path="docs/manual/servers.md", config=_MANUAL
            ),
            Example(
                "Ana owns the billing module.",
                path="memory-bank/people.md",
                config='sources: {"memory-bank/**": conversation}\ntrusted_sources: [conversation]',
            ),
            Example(
                "The staging server runs in Oslo (`docs/servers.md`).",
                path="docs/manual/servers.md",
                base={"docs/servers.md": "# Servers\n"},
                config=_MANUAL,
            ),
        ),
        passes=(
            Example(
                "The staging server runs in Oslo.",
                path="docs/manual/servers.md",
                config='sources: {"docs/manual/**": manual}\ntrusted_sources: [conversation]',
            ),
            Example(
                "The staging server probably runs in Oslo.",
                path="docs/manual/servers.md",
                config=_MANUAL,
            ),
            Example(
                '{"text": "The staging server runs in Oslo.", "source": "manual"}\n',
                path="memory/servers.jsonl",
                config="trusted_sources: [manual]",
            ),
        ),
    ),
)
