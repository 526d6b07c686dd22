"""Answers whether git ignores a path: "`Notes/` is gitignored"."""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PROOF
FORM = "ignored"

_SENTENCE = compiled(
    r"(?:The (?:file|folder|directory) )?`(?P<path>[^`\s*?\[\]{}<>]+)` (?:is|are) "
    r"(?:git-?ignored|ignored by git|in (?:the )?`?\.gitignore`?)\.?$"
)


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the claim if it says that git ignores one path, and nothing more."""
    match = _SENTENCE.fullmatch(claim.text.strip()) if "ignore" in claim.text else None
    if match is None:
        return ()
    return (Reference(KIND, path, match["path"], 0, len(claim.text), FORM),)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns for each path whether git's ignore rules match it.

    A directory that does not exist matches `Notes/` only if it is asked for with a slash, so each
    path is asked for with and without one.
    """
    own = {r: r.name.removeprefix("./").strip("/") for r in asked if r.of == FORM}
    names = {n for name in own.values() if name for n in (name, f"{name}/")}
    ignored = context.repo.ignored(sorted(names)) if names else set()
    found: Answers = {}
    for reference, name in own.items():
        if name in ignored or f"{name}/" in ignored:
            found[reference] = TreeAnswer(Verdict.CONFIRMED, name)
        elif name and not context.repo.bare:
            found[reference] = TreeAnswer(Verdict.REFUTED, name, "no rule in .gitignore matches it")
    return found
