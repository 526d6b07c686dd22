"""Text in a memory place that no claim was taken from."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="unread",
    tier=2,
    fixed=True,
    summary=(
        "Agents can read a text in a memory place that no claim was taken from: a format that is"
        " not read, a link or import out of the repository, a submodule, characters nobody sees."
    ),
    way_out=(
        "Write it where it is read (Markdown, text, records), list it in `exclude` when no agent"
        " reads it, or look at it yourself. `preset: strict` makes it fail."
    ),
)

EXAMPLES: tuple[Examples, ...] = ()
