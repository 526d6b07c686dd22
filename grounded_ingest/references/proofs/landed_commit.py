"""Answers which commit did something: "Fixed in commit `4f9c1d2e`".

The commit has to be on the base branch, and its subject has to say the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.commit import verify_commits
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PROOF
FORM = "commit"

_SENTENCE = compiled(
    r"(?i)(?:it (?:was|is) |was )?(?P<verb>fixed|added|introduced|removed|deleted|reverted) "
    r"(?:in|by) (?:commit )?`?(?P<commit>[0-9a-f]{7,40})`?\.?$"
)
_SUBJECTS = {
    "fixed": compiled(r"(?i)\bfix(?:es|ed)?\b"),
    "added": compiled(r"(?i)\b(?:add(?:s|ed)?|introduc(?:e|es|ed)|feat)\b"),
    "introduced": compiled(r"(?i)\b(?:add(?:s|ed)?|introduc(?:e|es|ed)|feat)\b"),
    "removed": compiled(r"(?i)\b(?:remov(?:e|es|ed)|delet(?:e|es|ed)|drop(?:s|ped)?)\b"),
    "deleted": compiled(r"(?i)\b(?:remov(?:e|es|ed)|delet(?:e|es|ed)|drop(?:s|ped)?)\b"),
    "reverted": compiled(r"(?i)\brevert(?:s|ed)?\b"),
}


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the claim if it says what one commit did, and nothing more."""
    match = _SENTENCE.fullmatch(claim.text.strip())
    if match is None:
        return ()
    of = f"{FORM} {match['verb'].lower()}"
    return (Reference(KIND, path, match["commit"].lower(), 0, len(claim.text), of),)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns "yes" for each commit on the base branch whose subject says what the claim says, and
    otherwise "open": a subject rarely tells everything that a commit does."""
    own = {
        Request(r.path, Citation(CitationKind.COMMIT, r.name)): r
        for r in asked
        if r.of.startswith(f"{FORM} ")
    }
    found: Answers = {}
    for request, evidence in (verify_commits([*own], context) if own else {}).items():
        if evidence is None or evidence.verdict is not Verdict.CONFIRMED:
            continue  # the commit is a reference of its own, and is reported as one
        verb = own[request].of.removeprefix(f"{FORM} ")
        yes = _SUBJECTS[verb].search(evidence.quote) is not None
        verdict = Verdict.CONFIRMED if yes else Verdict.UNKNOWN
        why = "" if yes else f"its subject does not say that it {verb} something"
        found[own[request]] = TreeAnswer(verdict, evidence.target, why)
    return found
