"""What held true claims back, and what one rewrite after the message brings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from benchmarks.quality.references import Judged

_CAUSES = (
    ("other words: too few of its words in one place", r"paraphrase: "),
    ("a word that the place has not", r"does not stand in"),
    ("a word of force", r"is not what the|the place says “|denies|condition|other bound|says more"),
    ("order and roles", r"the place has|the other way round|the place is in"),
    ("names and values apart", r"does not stand with|stands with the other|fits better"),
    ("another scope", r"stands elsewhere|the source is of|speak of themselves"),
    ("a bare path that no one place bears out", r"no one place"),
    ("a source that is not grounded", r"source not grounded"),
)


class HeldBack(Struct, frozen=True):
    """Claims labelled true: how many, approved by strength, the others by cause. `rewritten` were
    rewritten once, `approved_then` of them approved, `twice` are the texts."""

    claims: int
    strengths: dict[str, int]
    causes: dict[str, int]
    rewritten: int
    approved_then: int
    twice: tuple[tuple[str, str], ...]
    other_labels: dict[str, tuple[int, int]]


def held_back(judged: Sequence[Judged]) -> HeldBack:
    """The figures of a run; `other_labels` has claims and approvals of those not labelled true."""
    true = [j for j in judged if j.reference.label == "true"]
    again = [j.again for j in true if j.again]
    then = [(j.text, j.again.text) for j in true if j.again and j.again.approved]
    others = [j for j in judged if j.reference.label != "true"]
    labels = sorted({j.reference.label for j in others})
    return HeldBack(
        len(true),
        dict(Counter(j.strength for j in true if j.approved).most_common()),
        dict(Counter(cause(j) for j in true if not j.approved).most_common()),
        len(again),
        len(then),
        tuple(then),
        {
            name: (len(of), sum(j.approved for j in of))
            for name in labels
            if (of := [j for j in others if j.reference.label == name])
        },
    )


def cause(judged: Judged) -> str:
    """What held a claim back: its rule, of an unsupported one what its first word lacks."""
    if judged.rule != "unsupported":
        return judged.rule
    told = (
        re.split(r"; ", judged.detail)[0] if "paraphrase: " not in judged.detail else "paraphrase: "
    )
    return next((name for name, said in _CAUSES if re.search(said, told)), "other")


def lines(found: HeldBack) -> list[str]:
    """The figures as text."""
    by = ", ".join(f"{n} {name}" for name, n in found.strengths.items())
    approved = sum(found.strengths.values())
    told = [f"{approved} of {found.claims} true claims approved ({by})", "held back by:"]
    told += [f"{n:>5}  {name}" for name, n in found.causes.items()]
    told.append(f"rewritten once: {found.rewritten}, of these approved: {found.approved_then}")
    for name, (claims, wrong) in found.other_labels.items():
        told.append(f"labelled {name}: {wrong} of {claims} approved")
    return told
