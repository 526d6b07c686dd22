"""The support stage on files of claim, evidence and label: figures, beside two plain baselines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.language.reading import uncited
from grounded_ingest.model.claims import Support
from grounded_ingest.support.source import SourceText, SourceVerdict
from grounded_ingest.support.verdict import judge

LABELS = {
    "supports": Support.SUPPORTED, "supported": Support.SUPPORTED, "complete": Support.SUPPORTED,
    "refutes": Support.CONTRADICTED, "refuted": Support.CONTRADICTED,
    "contradicted": Support.CONTRADICTED, "incomplete": Support.UNSUPPORTED,
    "partial": Support.UNSUPPORTED, "unsupported": Support.UNSUPPORTED,
    "not enough info": Support.UNSUPPORTED, "nei": Support.UNSUPPORTED,
}  # fmt: skip
_ADDRESSED = re.compile(r"^\s*(?:\[\d+\]\s*)?(https?://\S+)\s*")
_LEAST = 40
"""Characters of evidence without which there is nothing to compare."""


class Example(NamedTuple):
    """`page` is the title or address of the evidence."""

    id: str
    claim: str
    text: str
    page: str
    label: Support
    addressed: bool

    @property
    def digits(self) -> bool:
        return any(c.isdigit() for c in self.claim)

    @property
    def comparable(self) -> bool:
        return len(self.text) >= _LEAST

    @property
    def source(self) -> SourceText:
        if self.addressed:
            return SourceText("page", self.text, path=self.page)
        return SourceText("text", self.text, title=self.page)


class Scores(Struct, frozen=True):
    """How often a verdict was given (`given`), deserved (`labelled`), and both (`hits`)."""

    verdict: str
    labelled: int
    given: int
    hits: int
    precision: float | None
    recall: float | None
    f1: float | None


class Measured(Struct, frozen=True):
    """One method on one set. `auc` is of its confidence for `supported`; `contradicted_supported`
    the share of supported claims it calls contradicted."""

    method: str
    examples: int
    auc: float | None
    contradicted_supported: float | None
    verdicts: tuple[Scores, ...]


class SupportRun(Struct, frozen=True):
    """What `support --data` found. `coverage` is the share of examples with a text to
    compare; `left_out` counts labels that are none."""

    schema: str
    data: str
    half: str
    examples: int
    coverage: float
    left_out: int
    sets: dict[str, tuple[Measured, ...]]


def read_examples(path: str, half: str = "") -> tuple[list[Example], int]:
    """The examples of a JSON Lines file, or one half of them by the hash of their id (the claim
    where they have none), and how many have no label. Raises GroundedIngestError."""
    try:
        with open(path, "rb") as file:
            rows = [(n, line) for n, line in enumerate(file, 1) if line.strip()]
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None
    found, left_out = [], 0
    for number, line in rows:
        try:
            example = _example(msgspec.json.decode(line))
        except (msgspec.MsgspecError, KeyError, TypeError, AttributeError) as error:
            raise GroundedIngestError(
                f"{path}:{number}: {error}", "claim, evidence and label"
            ) from None
        if half and example_half(_id_of(line)) != half:
            continue
        if example is None:
            left_out += 1
        else:
            found.append(example)
    return found, left_out


def _id_of(line: bytes) -> str:
    row = msgspec.json.decode(line)
    return str(row.get("id") or row["claim"])


def example_half(key: str) -> str:
    """`a` or `b`, the same for a key every time."""
    return "ab"[int(sha256(key.encode()).hexdigest(), 16) % 2]


def _example(row: dict[str, Any]) -> Example | None:
    """A row with `claim`, `evidence` (a text or several) and `label` or `support`."""
    label = LABELS.get(str(row.get("label", row.get("support"))).lower())
    evidence = row["evidence"]
    parts = [evidence] if isinstance(evidence, str) else [str(e) for e in evidence]
    addresses = [m[1] for part in parts if (m := _ADDRESSED.match(part))]
    text = "\n\n".join(_ADDRESSED.sub("", part) for part in parts).strip()
    if label is None:
        return None
    claim = uncited(row["claim"].replace("**", ""))
    page = " ".join(addresses) or str(row.get("page", row.get("title", "")))
    return Example(str(row.get("id") or row["claim"]), claim, text, page, label, bool(addresses))


Method = Callable[[Example], tuple[Support, float]]


def _engine(example: Example) -> tuple[Support, float]:
    judged: SourceVerdict = judge(example.claim, example.source)
    return judged.support, judged.confidence


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def token_coverage(example: Example) -> tuple[Support, float]:
    """Supported when half of the claim's tokens stand in the evidence."""
    said = _words(example.claim)
    share = len(said & _words(example.text)) / len(said) if said else 0.0
    return (Support.SUPPORTED if share >= 0.5 else Support.UNSUPPORTED), share


_NEGATED = re.compile(r"\b(?:not|no|never|none|neither|nor|without)\b|n't\b", re.IGNORECASE)


def number_mismatch(example: Example) -> tuple[Support, float]:
    """Contradicted when a number is not in the evidence, or only one of both holds a negation."""
    numbers = set(re.findall(r"\d[\d.,]*\d|\d", example.claim))
    there = set(re.findall(r"\d[\d.,]*\d|\d", example.text))
    differs = bool(numbers - there) or bool(_NEGATED.search(example.claim)) != bool(
        _NEGATED.search(example.text)
    )
    return (Support.CONTRADICTED if differs else Support.SUPPORTED), 0.0 if differs else 1.0


METHODS: dict[str, Method] = {
    "grounded-ingest": _engine,
    "token coverage": token_coverage,
    "number mismatch": number_mismatch,
}


def measured(path: str, half: str = "") -> SupportRun:
    """Every method on a file, on all its claims and on those with digits."""
    examples, left_out = read_examples(path, half)
    with_text = [e for e in examples if e.comparable]
    sets = {"all": with_text, "digits": [e for e in with_text if e.digits]}
    return SupportRun(
        "grounded-ingest/bench-support/1",
        path.rpartition("/")[2],
        half,
        len(examples),
        round(len(with_text) / len(examples), 4) if examples else 0.0,
        left_out,
        {
            name: tuple(_measure(m, method, held) for m, method in METHODS.items())
            for name, held in sets.items()
        },
    )


def _measure(name: str, method: Method, examples: Sequence[Example]) -> Measured:
    given = [(e.label, *method(e)) for e in examples]
    supported = [g for label, g, _ in given if label is Support.SUPPORTED]
    wrongly = sum(g is Support.CONTRADICTED for g in supported)
    verdicts = (Support.SUPPORTED, Support.UNSUPPORTED, Support.CONTRADICTED)
    return Measured(
        name,
        len(examples),
        auc((sure, label is Support.SUPPORTED) for label, _, sure in given),
        round(wrongly / len(supported), 4) if supported else None,
        tuple(_scores(v, given) for v in verdicts),
    )


def _scores(verdict: Support, given: Sequence[tuple[Support, Support, float]]) -> Scores:
    labelled = sum(label is verdict for label, _, _ in given)
    called = sum(g is verdict for _, g, _ in given)
    hits = sum(label is g is verdict for label, g, _ in given)
    precision = round(hits / called, 4) if called else None
    recall = round(hits / labelled, 4) if labelled else None
    f1 = round(2 * hits / (called + labelled), 4) if called and labelled else None
    return Scores(verdict, labelled, called, hits, precision, recall, f1)


def auc(scored: Iterable[tuple[float, bool]]) -> float | None:
    """Area under the ROC curve: how often a true one scores above a false one, ties by half."""
    ordered = sorted(scored)
    positives = sum(y for _, y in ordered)
    negatives = len(ordered) - positives
    if not positives or not negatives:
        return None
    total, at = 0.0, 0
    while at < len(ordered):
        stop = at
        while stop < len(ordered) and ordered[stop][0] == ordered[at][0]:
            stop += 1
        total += sum(y for _, y in ordered[at:stop]) * (at + stop + 1) / 2
        at = stop
    return round((total - positives * (positives + 1) / 2) / (positives * negatives), 4)
