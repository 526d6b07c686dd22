"""A reference of the claim could not be looked up. Reported by preset `strict` alone."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="unknown-reference",
    tier=0,
    fixed=True,
    severity="warning",
    summary="A reference could not be looked up, so it is neither right nor wrong.",
    way_out="Make it unambiguous, or ignore it with a reason.",
)

EXAMPLES = (
    Examples(
        flags=(
            Example(
                "Settings are read from `conf/local/settings.toml` at start.",
                config="preset: strict",
            ),
            Example("The lock is taken in `vendor/other/lock.py`.", config="preset: strict"),
            Example("The images lie in `cdn/images/`.", config="preset: strict"),
        ),
        passes=(
            "Settings are read from `conf/local/settings.toml` at start.",
            Example(
                "Read `src/missing.py` first.",
                base={"src/app.py": "A = 1\n"},
                config="preset: strict",
            ),
            Example("The gateway keeps its sessions in Redis.", config="preset: strict"),
        ),
    ),
)
