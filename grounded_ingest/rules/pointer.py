"""Row `pointer`: the claim says "See X" and no more, and X is there."""

from __future__ import annotations

from posixpath import basename

from grounded_ingest.model.claims import Claim, Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_claim

META = Rule(
    id="pointer",
    tier=1,
    fixed=True,
    severity="quiet",
    summary="The claim only points to something that is there.",
    way_out="Nothing to do.",
)

_BEGINS = compiled(
    r"(?i)[^\w~]*(?:please )?(?:see\b|refer to\b|(?:further |more )?details (?:are )?in\b"
    r"|for (?:more |further )?(?:details|information)\b)"
)
_WORD = compiled(r"\w+")
_FRAME = frozenset(
    "please see also refer to for more further details information are in and or adr adrs commit"  # noqa: SIM905
    " commits issue issues file files line lines".split()
)


def points_only(claim: Claim) -> bool:
    """Whether nothing is left of a claim beside its references but a frame such as "See"."""
    own = [c for c in claim.citations if c.own]
    if not own or not all(_names_itself(c.label, c.raw) for c in own if c.link):
        return False
    said = read_claim(claim).uncited.text
    for citation in own:
        if citation.label:
            said = said.replace(citation.label.strip("`"), " ")
    words = frozenset(_WORD.findall(said.lower()))
    return words <= _FRAME and bool(_BEGINS.match(claim.text))


def _names_itself(label: str, target: str) -> bool:
    """Whether a link's text is its own target: any other text is a statement about the target."""
    bare = label.strip("`*_ ")
    name = basename(target.rstrip("/"))
    return bare in (target, target.lstrip("./"), name, name.rpartition(".")[0])


def applies(case: Case) -> bool:
    own = case.own
    return (
        bool(own)
        and all(e.verdict is Verdict.CONFIRMED for e in own)
        and points_only(case.place.claim)
    )


_GUIDE = {"docs/guide.md": "# Guide\n\nUnpack it.\n"}

EXAMPLES = (
    Examples(
        flags=(
            Example("See `docs/guide.md`.", base=_GUIDE),
            Example("For more details, see [guide.md](docs/guide.md).", base=_GUIDE),
            Example("See ADR-1.", adr="The ledger is kept in PostgreSQL."),
        ),
        passes=(
            Example("See `docs/guide.md` for the ports.", base=_GUIDE),
            Example("See [production runs in Oslo](docs/guide.md).", base=_GUIDE),
            "See `docs/guide.md`.",
            Example("~~See `docs/guide.md`.~~", base=_GUIDE),
        ),
    ),
)
