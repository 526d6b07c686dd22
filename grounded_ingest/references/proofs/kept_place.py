"""Answers where something is kept: "Decisions live in `docs/adr`".

The name has to be the name of the directory or file, so that its existence is all that the claim
says. Other claims about places are not proved by a path that exists.
"""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.proofs.proof_frames import names_it
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PROOF
FORM = "place"

_SENTENCE = compiled(
    r"(?:(?:The|All|Our) )?(?P<label>[A-Za-z][\w -]{1,60}?) "
    r"(?:lives?|is|are|is kept|are kept|sits?|belongs?) "
    r"(?:in|under|at) (?:the )?`(?P<path>[^`\s:#*?]+)`(?: (?:directory|folder))?\.?$"
)


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the claim if it says where the thing is that a directory or file is named after."""
    match = _SENTENCE.fullmatch(claim.text.strip()) if "`" in claim.text else None
    if match is None or not names_it(match["label"], match["path"].rstrip("/").rpartition("/")[2]):
        return ()
    return (Reference(KIND, path, match["path"], 0, len(claim.text), FORM),)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns "yes" for each place that exists. A missing path is a wrong reference anyway."""
    found: Answers = {}
    for reference in asked:
        if reference.of == FORM:
            request = Request(reference.path, Citation(CitationKind.PATH, reference.name))
            paths = resolve_path(request, context.tree)
            if len(paths) == 1:
                found[reference] = TreeAnswer(Verdict.CONFIRMED, paths[0])
    return found
