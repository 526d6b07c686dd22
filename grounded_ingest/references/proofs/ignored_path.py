"""Answers whether git ignores a path: "`Notes/` is gitignored"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from grounded_ingest.git.trees import Tree, text_of
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
    """Returns "yes" for each path that a `.gitignore` lists, and "no" for each tracked path.

    Other paths are open: only git knows what patterns match, and a rule on the reader's machine
    proves nothing.
    """
    own = {r: r.name.removeprefix("./").strip("/") for r in asked if r.of == FORM}
    return {r: _answer(name, context.tree) for r, name in own.items() if name}


def _answer(name: str, tree: Tree) -> TreeAnswer:
    if tree.has(name) or tree.is_dir(name):
        return TreeAnswer(Verdict.REFUTED, name, "git tracks it")
    above = ["", *(f"{d}/" for d in accumulate(name.split("/")[:-1], "{}/{}".format))]
    for directory in above:
        text = text_of(tree, f"{directory}.gitignore") or ""
        rules = [line.rstrip() for line in text.splitlines()]
        if any(rule.startswith("!") for rule in rules):
            return TreeAnswer(Verdict.UNKNOWN, name, f"{directory}.gitignore has exceptions")
        inside = name.removeprefix(directory)
        if {rule.strip("/") for rule in rules} & {inside, f"**/{inside}"}:
            return TreeAnswer(Verdict.CONFIRMED, name)
    return TreeAnswer(Verdict.UNKNOWN, name, "no .gitignore lists it by its name")
