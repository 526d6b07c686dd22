"""Proves claims about where things are kept: "Decisions live in `docs/adr`". The subject has to
repeat the name of the directory or file as a plural, and nothing else in the tree may have this
name. Such a claim says only that the path exists.
"""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.path_resolution import is_whole_path, resolve_path
from grounded_ingest.references.proofs.proof_frames import names_it
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PROOF
FORM = "place"

_SENTENCE = compiled(
    r"(?:(?:The|Our) )?(?P<label>[A-Za-z][\w -]{1,60}?s) (?:live|are|are kept|sit|belong) "
    r"(?:in|under|at) (?:the )?`(?P<path>[^`\s:#*?]+)`(?: (?:directory|folder))?\.?$"
)


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the claim if its subject repeats the name of the path in it, such as "Templates" for
    `src/templates`."""
    match = _SENTENCE.fullmatch(claim.text.strip()) if "`" in claim.text else None
    if (
        match is None
        or not claim.text.isascii()
        or not names_it(match["label"], match["path"].rstrip("/").rpartition("/")[2])
    ):
        return ()
    return (Reference(KIND, path, match["path"], 0, len(claim.text), FORM),)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns "confirmed" for each existing path whose file name is unique in the tree, and
    "unknown" if another path has the same file name. A missing path gets no result here, because
    the check of paths reports it."""
    found: Answers = {}
    for reference in asked:
        request = Request(reference.path, Citation(CitationKind.PATH, reference.name))
        paths = resolve_path(request, context.tree) if reference.of == FORM else ()
        if len(paths) == 1 and is_whole_path(
            reference.name, paths[0], reference.path, context.tree
        ):
            other = _other_place(paths[0].rstrip("/"), context.tree)
            verdict = Verdict.UNKNOWN if other else Verdict.CONFIRMED
            why = f"the claim may mean {other}, which has the same name" if other else ""
            found[reference] = TreeAnswer(verdict, paths[0], why)
    return found


def _other_place(path: str, tree: Tree) -> str:
    stem = _stem(path)
    for file in tree.files:
        parts = file.split("/")
        for n, part in enumerate(parts, 1):
            there = "/".join(parts[:n])
            if _stem(part) == stem and there != path:
                return there
    return ""


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()
