"""Text in a memory place that no claim was taken from."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="unread",
    tier=2,
    fixed=True,
    severity="warning",
    summary=(
        "Agents can read a text in a memory place that no claim was taken from: a format that is"
        " not read, a link or import out of the repository, a submodule, characters nobody sees."
    ),
    way_out=(
        "Write it where it is read (Markdown, text, records), or list it in"
        " `exclude` when no agent reads it."
    ),
)


EXAMPLES = (
    Examples(
        flags=(
            Example("", change={"memory/plan.pdf": b"%PDF-1.4\0\xe9"}),
            Example("", change={"CLAUDE.md": "link:../shared/CLAUDE.md"}),
            "See @~/rules.md for the rules.",
            Example("The release bot may merge.", path="vendor/lib/CLAUDE.md"),
        ),
        passes=(
            Example(
                "", base={"docs/rules.md": "# Rules\n"}, change={"CLAUDE.md": "link:docs/rules.md"}
            ),
            Example("See @docs/rules.md for the rules.", base={"docs/rules.md": "# Rules\n"}),
            Example("", change={"memory/.gitignore": "drafts\n"}),
            Example("The release bot may merge.", path="node_modules/lib/CLAUDE.md"),
        ),
    ),
)
