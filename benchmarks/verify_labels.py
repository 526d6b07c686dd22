"""Figures of `verify` on labelled data: FM2, ExpertQA, GroundingBench and the shipped twins."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import click

from grounded_ingest.bench import groundingbench
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.as_json import format_json
from grounded_ingest.statements.facts import read_facts
from grounded_ingest.text.values import entails, normal, same
from grounded_ingest.verify.result import Memory
from grounded_ingest.verify.text_judge import NamedSource, judge_claim, read_places
from grounded_ingest.verify.verify import verify_text

PAIRS = Path(__file__).parents[1] / "grounded_ingest/bench/judge-pairs.jsonl"
REPOSITORY = Path(__file__).parent / "data/repository-pairs.jsonl"
LABELS = {
    "SUPPORTS": "supported",
    "REFUTES": "contradicted",
    "Complete": "supported",
    "Incomplete": "unsupported",
    "Partial": "unsupported",
}
SHORTEST = 40
"""Characters of evidence without which there is nothing to compare."""
_ADDRESS = re.compile(r"^\s*(?:\[\d+\]\s*)?(https?://\S+)\s*")
_CITATION = re.compile(r"\s*\[\d+\]|\*\*")


class Example(NamedTuple):
    """A claim with its source text, and the verdict that a person gave."""

    id: str
    claim: str
    source: str
    label: str


def half_of(key: str) -> str:
    """Returns `a` or `b`, the same for a key every time. Half a was tuned on."""
    return "ab"[int(sha256(key.encode()).hexdigest(), 16) % 2]


def read_examples(path: str) -> list[Example]:
    """Reads claims with evidence and label. Evidence that is joined is the source; the title of its
    page is a heading above it."""
    found = []
    for row in _rows(path):
        try:
            label = LABELS.get(str(row.get("label") or row.get("support")))
            evidence = [row["evidence"]] if isinstance(row["evidence"], str) else row["evidence"]
            text = "\n\n".join(_ADDRESS.sub("", part) for part in evidence)
            claim = _CITATION.sub("", row["claim"])
        except (AttributeError, KeyError, TypeError) as error:
            raise GroundedIngestError(
                f"{path}: no claim, evidence and label ({error})", "one JSON object a line"
            ) from None
        title = f"# {row['page']}\n\n" if row.get("page") else ""
        if label and len(text) >= SHORTEST:
            found.append(Example(str(row.get("id") or row["claim"]), claim, title + text, label))
    return found


def _rows(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise GroundedIngestError(f"{path}:{number}: not JSON ({error})") from None


def measured(directory: str) -> dict[str, Any]:
    """Measures what of the data the directory holds, and the twins that ship."""
    result: dict[str, Any] = {"schema": "grounded-ingest/bench-verify/1"}
    for name, path in (("fm2", "fm2/dev.jsonl"), ("expertqa", "expertqa/val.jsonl")):
        if os.path.isfile(f"{directory}/{path}"):
            examples = read_examples(f"{directory}/{path}")
            for half in "ab":
                mine = [e for e in examples if half_of(e.id) == half]
                result[f"{name}, half {half}"] = scores(mine)
    twins = [e for e in read_examples(str(PAIRS)) if not e.id.startswith("proof-")]
    result["source-twins"] = scores(twins)
    native = f"{directory}/groundingbench/native100.jsonl"
    if os.path.isfile(native):
        rows = groundingbench.figures(groundingbench.measure(groundingbench.read_examples(native)))
        result["native100"] = {category: row["right"] for category, row in rows.items()}
    result["repository pairs"] = pairs_found(_rows(str(REPOSITORY)))
    slots = f"{directory}/groundcheck/dataset.json"
    if os.path.isfile(slots):
        rows = json.loads(Path(slots).read_text("utf-8"))
        result["groundcheck slots"] = slots_found(r for r in rows if "expected" in r)
    return result


def scores(examples: Iterable[Example]) -> dict[str, Any]:
    """Precision, recall and F1 of `supported` and `contradicted`; `right` counts a false claim as
    right when it is not called supported."""
    pairs: list[tuple[str, str]] = []
    for example in examples:
        best = judge_claim(example.claim, read_places(NamedSource("source", example.source)))
        pairs.append((example.label, best.status if best else "unsupported"))
    count = Counter(pairs)
    false = [said for label, said in pairs if label != "supported"]
    passed = false.count("supported")
    right = count["supported", "supported"] + len(false) - passed
    return {
        "claims": len(pairs),
        "right": right,
        "false": len(false),
        "false called supported": passed,
        "supported called contradicted": count["supported", "contradicted"],
        **{verdict: _score(count, verdict) for verdict in ("supported", "contradicted")},
    }


def _score(count: Mapping[tuple[str, str], int], verdict: str) -> dict[str, float]:
    hits = count[verdict, verdict]
    labelled = sum(n for (label, _), n in count.items() if label == verdict)
    given = sum(n for (_, said), n in count.items() if said == verdict)
    return {
        "precision": round(hits / given, 3) if given else 0.0,
        "recall": round(hits / labelled, 3) if labelled else 0.0,
        "f1": round(2 * hits / (given + labelled), 3) if given + labelled else 0.0,
    }


def pairs_found(rows: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Counts by set the pairs of memory and text in which a contradiction is found."""
    count: Counter[str] = Counter()
    for row in rows:
        result = verify_text(row["text"], [Memory("m", row["memory"])])
        found = any(h.reason != "unsupported" for h in result.hallucinations)
        kind = "contradicting" if row["contradicts"] else "compatible"
        count[f"{kind} {row['set']}"] += found
    return dict(count)


SAME = {
    "programming_language": ("language", "skill", "runtime"),
    "language": ("runtime",),
    "database": ("cache",),
    "backend_framework": ("web_server",),
}
"""Slots of the data by the names that they have here."""


def slots_found(rows: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Counts the labelled slots whose value is found in the sentence."""
    found = labelled = 0
    for row in rows:
        stated = read_facts(row["text"])[1]
        for slot, value in row["expected"].items():
            wanted, slots = normal(str(value)), (slot, *SAME.get(slot, ()))
            mine = [f.normal for f in stated if f.slot in slots and f.time == "now"]
            found += any(same(f, wanted) or entails(f, wanted) for f in mine)
            labelled += 1
    return {"found": found, "labelled": labelled}


def as_json(result: dict[str, Any]) -> str:
    return format_json(result)


def as_text(result: dict[str, Any]) -> str:
    """Writes a line for each set, and for each verdict of it."""
    lines = []
    for name, figures in result.items():
        if not isinstance(figures, dict):
            continue
        plain = ", ".join(f"{k} {v}" for k, v in figures.items() if not isinstance(v, dict))
        lines.append(f"{name}: {plain}")
        for verdict, score in figures.items():
            if isinstance(score, dict):
                told = ", ".join(f"{key} {value:.3f}" for key, value in score.items())
                lines.append(f"  {verdict}: {told}")
    return "\n".join(lines) + "\n"


@click.command()
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False),
    help="The directory with fm2/, expertqa/, groundingbench/ and groundcheck/.",
)
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(data: str, form: str) -> None:
    """Compare the verdicts of `grounded-ingest verify` with labels."""
    click.echo((as_json if form == "json" else as_text)(measured(data)), nl=False)


if __name__ == "__main__":
    command()
