"""Proves claims that git ignores a path: "`Notes/` is gitignored"."""

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
    """Confirms each path that a `.gitignore` lists by its name, and refutes each tracked path.

    Other paths are unknown, because they may match a pattern, or a rule on the reader's machine.
    """
    own = {r: r.name.removeprefix("./").strip("/") for r in asked if r.of == FORM}
    return {
        r: _answer(name, context.tree, folder=r.name.endswith("/"))
        for r, name in own.items()
        if name
    }


def _answer(name: str, tree: Tree, *, folder: bool) -> TreeAnswer:
    if tree.has(name) or tree.is_dir(name):
        return TreeAnswer(Verdict.REFUTED, name, "git tracks the path")
    rules = {p: (text_of(tree, p) or "").splitlines() for p in tree.ending_with(".gitignore")}
    if any(rule.startswith("!") for own in rules.values() for rule in own):
        return TreeAnswer(Verdict.UNKNOWN, name, "a .gitignore has exceptions (`!…`)")
    for directory in ("", *(f"{d}/" for d in accumulate(name.split("/")[:-1], "{}/{}".format))):
        inside = name.removeprefix(directory)
        forms = {inside, f"/{inside}", f"**/{inside}"}
        forms |= {f"{form}/" for form in forms} if folder else set()
        if forms & {rule.rstrip() for rule in rules.get(f"{directory}.gitignore", ())}:
            return TreeAnswer(Verdict.CONFIRMED, name)
    return TreeAnswer(Verdict.UNKNOWN, name, "no .gitignore lists the path by its name")
