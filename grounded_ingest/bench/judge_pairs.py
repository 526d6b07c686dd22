"""Measures the configured judge model on labelled pairs of claim and source.

The pairs that come with grounded-ingest are invented. Some sources are texts that support or
contradict the claim. Others are proofs (`src/settings.py::PORT = 8443`) that say the same as the
claim or less."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.judge.exchange import AskedJudge, ComparedPair, Opinion
from grounded_ingest.judge.judge import checked_opinions
from grounded_ingest.pipeline import Options, run
from grounded_ingest.references.sources import SourceText
from grounded_ingest.report.as_json import format_json
from grounded_ingest.repository.scope import NOTHING
from grounded_ingest.text.printable import printable

PAIRS = "judge-pairs.jsonl"


class LabelledPair(NamedTuple):
    """A claim and a source, and whether the source supports the claim (`true`). In the shipped
    pairs, `task` is `twin` if the source is a text, and `proof` if it is a proof."""

    task: str
    claim: str
    source: str
    true: bool


class JudgedPair(NamedTuple):
    """A labelled pair, and what the judge model says about it."""

    pair: LabelledPair
    opinion: Opinion

    @property
    def raised(self) -> bool:
        """Returns whether the opinion would approve the claim (tier 1) if `judge.may_support` is
        set."""
        return self.opinion.verdict == "supported"


def read_pairs(path: str = "") -> list[LabelledPair]:
    """Reads labelled pairs from a JSON Lines file with the keys `claim`, `label` (`SUPPORTS` or
    `REFUTES`), `evidence` (a text or a list of texts) and `task`. Reads the shipped pairs if `path`
    is empty. Raises GroundedIngestError with file and line if the file cannot be read."""
    try:
        text = Path(path).read_text() if path else files(__package__).joinpath(PAIRS).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise GroundedIngestError(f"{path} cannot be read: {error}") from None
    pairs = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line)
            evidence = row["evidence"]
            source = evidence if isinstance(evidence, str) else "\n".join(evidence)
            true = {"SUPPORTS": True, "REFUTES": False}[row["label"]]
            task, claim = str(row.get("task", "pair")), str(row["claim"])
            pairs.append(LabelledPair(task, claim, source, true))
        except (ValueError, KeyError, TypeError):
            raise GroundedIngestError(
                f"{path or PAIRS}:{number}: the line is not a labelled pair",
                'write {"claim": "…", "label": "SUPPORTS" or "REFUTES", "evidence": "…"}',
            ) from None
    return pairs


def configured_judge(repo: Repo) -> AskedJudge:
    """Returns the judge model that a check of a repository would ask. Raises GroundedIngestError if
    there is none, or if the user of this machine did not allow it."""
    result = run(repo, NOTHING, Options(online=True))
    result.kb.index.close()
    judge = result.engine.judge
    said = [p.message for p in result.report.problems if p.rule in ("judge", "not-granted")]
    if judge is None or said:
        raise GroundedIngestError(
            said[0] if said else "no judge model is configured on the base branch",
            "set `judge` in the configuration, and grant it (docs/judge.md)",
        )
    return judge


def judge_pairs(judge: AskedJudge, pairs: Sequence[LabelledPair]) -> list[JudgedPair]:
    """Asks the judge model about each pair, and returns its opinions after the same checks as in a
    run."""
    kinds = (SourceText("proof" if p.task == "proof" else "text", p.source) for p in pairs)
    asked = [ComparedPair(p.claim, source) for p, source in zip(pairs, kinds, strict=True)]
    opinions = checked_opinions(judge, asked)
    return [JudgedPair(p, opinion) for p, opinion in zip(pairs, opinions, strict=True)]


def judged_figures(judged: Sequence[JudgedPair]) -> dict[str, dict[str, int]]:
    """Returns for each task the number of true and of false claims, how many of them the judge
    model would approve (`true_raised`, `false_raised`), and the number of pairs without a valid
    answer."""
    found = {}
    for task in dict.fromkeys(j.pair.task for j in judged):
        own = [j for j in judged if j.pair.task == task]
        true, false = [j for j in own if j.pair.true], [j for j in own if not j.pair.true]
        found[task] = {
            "true": len(true),
            "true_raised": sum(j.raised for j in true),
            "false": len(false),
            "false_raised": sum(j.raised for j in false),
            "unanswered": sum(not j.opinion.verdict for j in own),
        }
    return found


def judged_as_json(judged: Sequence[JudgedPair]) -> str:
    """Returns the figures and every pair as one JSON object."""
    rows = [
        {
            "task": j.pair.task,
            "claim": j.pair.claim,
            "label": j.pair.true,
            "verdict": j.opinion.verdict,
            "quote": j.opinion.quote,
            "reason": j.opinion.reason,
        }
        for j in judged
    ]
    return format_json({"summary": judged_figures(judged), "pairs": rows})


def judged_as_text(judged: Sequence[JudgedPair]) -> str:
    """Returns the false claims that the judge model would approve, one in a line, and the figures
    of each task."""
    raised = (j.pair.claim for j in judged if j.raised and not j.pair.true)
    lines = [f"false, but approved: {printable(claim)}" for claim in raised]
    lines += [
        f"{task}: the judge model would approve {found['true_raised']} of {found['true']} true"
        f" and {found['false_raised']} of {found['false']} false claims; no valid answer for"
        f" {found['unanswered']}"
        for task, found in judged_figures(judged).items()
    ]
    reasons = {j.opinion.reason for j in judged if not j.opinion.verdict}
    lines += sorted(map(printable, reasons))[:5]
    return "".join(f"{line}\n" for line in lines)
