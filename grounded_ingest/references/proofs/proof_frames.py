"""Decides whether a claim says only what its proofs say.

What is left of the claim beside its proofs has to be one of the FRAMES, or a label: all words of
the name that the proof is about. A claim with any other word says more than its proofs.
"""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.model.claims import Claim, Form
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.words import points_aside

_PROOF = "\1"
FRAMES = compiled(
    rf"see {_PROOF}|(?:(?:the|our) )?(?:(?P<label>[a-z0-9 ]+?)(?: (?:is|is set to|equals)|:)? )?"
    rf"{_PROOF}(?:,? (?:and )?{_PROOF})*"
)
"""The only words that may stand beside proofs, in lower case and without a final stop: "the port
is `…`", "port: `…`", "`…` and `…`", "see `…`"."""

_WORD = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ALIASES = {"decisions": ("adr", "adrs"), "adrs": ("decisions",), "documentation": ("docs",)}
_SPACE = compiled(r"\s+")


def names_it(text: str, name: str) -> bool:
    """Returns whether a text consists of all words of a name, in their order: "max retries" for
    `MAX_RETRIES` and for `maxRetries`."""
    words, named = _words(text), _words(name.rpartition(".")[0] or name)
    return (
        words == named
        or words == _words(name)
        or named[:1]
        in ([alias] for word in words[:1] for alias in _ALIASES.get(word, ()) if len(words) == 1)
    )


def _words(text: str) -> list[str]:
    return [w.lower() for w in _WORD.findall(text)]


_ENVIRONMENT = compiled(
    r"(?i)\b(?:prod(?:uction)?|staging|dev(?:elopment)?|local(?:ly|host)?|test(?:s|ing)?|ci|windows|linux"
    r"|mac(?:os)?|docker|kubernetes|k8s|preview|legacy|deprecated|default|override\w*|only|when|if)\b"
)


def has_limits(claim: Claim, over: Sequence[tuple[str, str]], names: str) -> bool:
    """Returns whether something around a claim limits when or where it holds: a heading or lead-in
    such as "In production", the header of a table, a footnote, or a sentence that speaks of it.
    Words of the proofs themselves (`names`) do not count."""
    if claim.form is Form.ROW or any(kind in ("header", "footnote") for kind, _ in over):
        return True
    beside = " ".join(text for kind, text in over if kind == "paragraph")
    if points_aside(beside.replace(claim.text, " ")):
        return True
    above = claim.section.split(" > ")[1:]
    above += [text for kind, text in over if kind != "paragraph"]
    found = (m[0].lower() for text in above for m in _ENVIRONMENT.finditer(text))
    return any(word not in names.lower() for word in found)


def says_only(text: str, proofs: Sequence[tuple[int, int, str]]) -> bool:
    """Returns whether a claim says only what its proofs say. `proofs` are the start and end of each
    proof in the text, and the last name that the proof is about."""
    rest, names = text, {name for _, _, name in proofs}
    for start, end, _ in sorted(proofs, reverse=True):
        rest = f"{rest[:start]}{_PROOF}{rest[end:]}"
    rest = _SPACE.sub(" ", rest.replace(f"`{_PROOF}`", _PROOF)).strip().rstrip(".").lower()
    match = FRAMES.fullmatch(rest)
    if match is None:
        return False
    label = match["label"]
    return not label or (len(names) == 1 and names_it(label, next(iter(names))))
