"""Another value of a slot for sentences as repositories write them: parts of them, and labels.

Written without the engine it is to test, like `restated`, which asks for whole plain sentences.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from grounded_ingest.bench.restatements import other_value, restated
from grounded_ingest.bench.sentences import inside_sentence

_WHO = r"(?P<who>(?:The |Our |This )[\w' -]{2,30}?|We)"
_UNIT = r"(?P<unit> ?(?:ms|milliseconds|s|seconds|sec|min|minutes|h|hours|days))"
_TECHNOLOGY = r"(?P<value>[A-Z]\w+(?:\.js)?)\b(?! (?:and|or)\b|[/,+])"
_SAID: Sequence[tuple[str, tuple[str, ...]]] = (
    (
        rf"^{_WHO} (?:listens?|runs?|starts?|is (?:served|exposed|available))"
        r" on (?:port |`?(?:https?://)?localhost:)(?P<value>\d{2,5})(?P<unit>)\b",
        ("The port of {who} is {value}.", "{Who} uses port {value}."),
    ),
    (
        rf"^{_WHO} (?:uses|use|is built on|is built with) {_TECHNOLOGY}(?P<unit>)",
        ("{Who} is built on {value}.", "{Value} is what {who} uses."),
    ),
    (
        r"^(?:- |✅ )?(?P<who>(?:[Pp]rimary |[Mm]ain |[Ww]eb |[Tt]est )?"
        r"(?:[Dd]atabase|[Cc]ach(?:e|ing)|(?:[Mm]essage )?[Qq]ueue|[Ff]rontend|[Bb]ackend|"
        r"[Rr]untime|[Pp]ackage [Mm]anager|[Tt]esting|[Ff]ramework|ORM|[Ll]icense))(?: is|:) "
        rf"{_TECHNOLOGY}(?P<unit>)",
        ("The {who} is {value}.", "{Value} is the {who}."),
    ),
    (
        r"\b(?:requires?|needs?|targets?|runs? on|uses?) "
        r"(?P<who>Python|Node(?:\.js)?|Go|Java|Ruby|PHP|TypeScript)"
        r" (?:version )?(?P<value>\d+(?:\.\d+)*)(?P<unit>)\b",
        ("The project requires {who} {value}.", "Our {who} version is {value}."),
    ),
    (
        rf"\b(?P<who>[\w-]+ [Tt]imeout)(?: is|:)(?: set to)? (?P<value>\d+){_UNIT}\b",
        ("The {who} is {value}.", "The {who} has been set to {value}."),
    ),
    (
        r"^(?P<who>(?:[\w-]+ )?[Pp]ort)(?: is|:) `?(?P<value>\d{2,5})(?P<unit>)\b",
        ("The {who} is {value}.", "The {who} has been set to {value}."),
    ),
    (
        rf"^{_WHO} (?:(?:is|are) valid for|expires? after|lasts?) (?P<value>\d+){_UNIT}\b",
        ("The lifetime of {who} is {value}.",),
    ),
    (
        r"^(?:Current )?(?P<who>[Vv]ersion)(?: is|:) (?P<value>v?\d+(?:\.\d+)+)(?P<unit>)[ .]*$",
        ("The current {who} is {value}.",),
    ),
)  # fmt: skip


def restated_within(text: str, rng: random.Random) -> str | None:
    """A sentence that states another value of a slot that the text states one of, if any."""
    whole = restated(text, rng)
    if whole:
        return whole
    for pattern, templates in _SAID:
        match = re.search(pattern, text)
        value = other_value(match["value"], rng) if match else None
        if match and value:
            who = inside_sentence(match["who"], ())
            filled = rng.choice(templates).format(
                who=who, Who=who[:1].upper() + who[1:], value=value + match["unit"], Value=value
            )
            return filled[:1].upper() + filled[1:]
    return None
