"""Writes the questions to a judge model, and checks and caches its answers.

Strangers can influence a judge model through the texts that it reads. So claim and source are JSON
strings that no text inside them can end. An answer counts only if its quote is in the source."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

import msgspec
from msgspec import Struct

from grounded_ingest.model.digests import NOT_JSON, sha256
from grounded_ingest.references.response_cache import Answers, ConfirmedAnswer
from grounded_ingest.references.sources import SourceText
from grounded_ingest.text.lexicon.judge_prompt import SCHEMA, SYSTEM
from grounded_ingest.text.patterns import compiled

MAX_CLAIM, MAX_SOURCE = 4_000, 60_000
"""Maximum number of characters of a claim, and of a source. The judge model is not asked about a
longer text, because a shortened text could lose the decisive word."""
MAX_CONTEXT = 2_000
"""Maximum number of characters of headings and lead-ins above a claim. If there are more, the judge
model does not get the outermost headings."""
MAX_ANSWER = 262_144
"""Maximum number of bytes in an answer."""
MAX_MISSING = 300
"""Maximum number of characters that a report shows of the words in `JudgeAnswer.missing`."""
MAX_QUOTE, MIN_QUOTE = 2_000, 8
"""Maximum and minimum number of characters in a quote. A shorter quote has to be a whole line,
because a few letters occur in every source."""
MAX_OCCURRENCES = 1_000
"""Maximum number of occurrences of one quote that are checked, because a hostile text may repeat a
quote endlessly."""
BATCH = 16
"""Number of questions that are asked at once. After an error that concerns all questions, no more
questions are asked."""
BUDGET_SPENT = "the run has used up the seconds in judge.budget"
REQUESTS_SPENT = "the run has asked as many questions as judge.max_requests allows"
QUESTION = "grounded-ingest/judge-question/1"

# Some servers obey marks of chat templates (`<|im_end|>`, `</s>`, `[INST]`) inside of a text.
_CHAT_MARK = compiled(r"<|\[(?=/?[A-Z_]{3,}\])")
# Models replace typographic quotation marks and no-break spaces.
_STRAIGHT = str.maketrans("‘’“”\xa0", "''\"\" ")

OpinionVerdict = Literal["", "supported", "unsupported", "contradicted", "nothing-to-compare"]


class ComparedPair(Struct, frozen=True):
    """A claim and a source that the judge model compares. `claim` is the text of the claim without
    its citations. `context` has the headings and introducing texts above the claim as pairs (kind,
    text), the outermost first."""

    claim: str
    source: SourceText
    context: tuple[tuple[str, str], ...] = ()


class Opinion(Struct, frozen=True):
    """The opinion of the judge model on whether a source supports a claim, after its answer was
    checked.

    If there is no valid answer, `verdict` is empty and `reason` says why. `line` is the number of
    the line in the source where `quote` begins. `line` is 0 if that part of the source has no line
    numbers, such as a diff."""

    verdict: OpinionVerdict
    quote: str = ""
    line: int = 0
    reason: str = ""


class JudgeAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a judge model to one question, in the form of docs/judge-answer.schema.json."""

    quote: str
    verdict: Literal["supported", "unsupported", "contradicted", "nothing-to-compare"]
    missing: list[str]


class Unusable(Exception):  # noqa: N818 - not an error in the run: the opinion is unknown
    """Raised if an answer of the judge model cannot be used. The message says why."""


def unknown(reason: str) -> Opinion:
    return Opinion("", reason=f"judge: {reason}")


class AskedJudge:
    """Base class for judge models. A subclass implements how a question is sent.

    The class caches valid answers. The key in the cache is a digest of the question and of
    `identity`, which names the program or server. So the same question is sent only once. A new
    version of the program gets the question again."""

    def __init__(self, identity: bytes, kept: Answers | None) -> None:
        self._identity = identity
        self._kept = kept

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        """Returns one opinion for each pair of claim and source, in the order of `pairs`. Never
        raises an exception: if a question fails, its opinion has no verdict."""
        data = [question_data(pair) for pair in pairs]
        questions = [self._question(asked) if asked else b"" for asked in data]
        names = [self._name(question) if question else "" for question in questions]
        asked = {n: (q, p) for n, q, p in zip(names, questions, pairs, strict=True) if n}
        found = {"": unknown("the claim or the source is too long"), **self._kept_opinions(asked)}
        open_ = [name for name in asked if name not in found]
        for start in range(0, len(open_), BATCH):
            found |= self._ask({name: asked[name] for name in open_[start : start + BATCH]})
        return [found[name] for name in names]

    def _question(self, data: dict[str, Any]) -> bytes:
        raise NotImplementedError

    def _answers(self, questions: Mapping[str, bytes]) -> Mapping[str, JudgeAnswer | str]:
        raise NotImplementedError

    def _name(self, question: bytes) -> str:
        return f"judge:{sha256(self._identity + b' ' + question).hexdigest()}"

    def _kept_opinions(self, asked: Mapping[str, tuple[bytes, ComparedPair]]) -> dict[str, Opinion]:
        """Returns cached opinions from earlier runs. Checks the cached answers again, because
        another program may have edited the cache file."""
        found = {}
        for name, kept in (self._kept.get(asked) if self._kept else {}).items():
            try:
                answer = msgspec.json.decode(kept.reason, type=JudgeAnswer)
            except NOT_JSON:
                continue
            opinion = opinion_of(answer, asked[name][1].source)
            if opinion.verdict:
                found[name] = opinion
        return found

    def _ask(self, asked: Mapping[str, tuple[bytes, ComparedPair]]) -> dict[str, Opinion]:
        found, keep = {}, {}
        answers = self._answers({name: question for name, (question, _) in asked.items()})
        for name, answer in answers.items():
            if isinstance(answer, str):
                found[name] = unknown(answer)
                continue
            found[name] = opinion_of(answer, asked[name][1].source)
            if found[name].verdict:
                keep[name] = ConfirmedAnswer(time.time(), msgspec.json.encode(answer).decode())
        if self._kept:
            self._kept.put(keep)
        return found


# The question


def question_data(pair: ComparedPair) -> dict[str, Any] | None:
    """Returns the claim, its context and the source as a dictionary for a question. All three are
    untrusted text. Returns None if the claim or the source is too long."""
    parts = source_parts(pair.source)
    if len(pair.claim) > MAX_CLAIM or sum(map(len, parts.values())) > MAX_SOURCE:
        return None
    shown = {name: part for name, part in parts.items() if name != "text"}
    source = {"kind": pair.source.kind, **shown, **_numbered_lines(pair.source)}
    return {"claim": pair.claim, "context": _context(pair), "source": source}


def chat_request(data: dict[str, Any], model: str) -> bytes:
    """Returns the question as the body of a POST request for a chat completion."""
    body = {
        "model": model,
        "temperature": 0,
        "seed": 0,
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": _escaped_json({"untrusted": data})},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "opinion", "strict": True, "schema": SCHEMA},
        },
    }
    return json.dumps(body).encode("ascii")


def program_input(data: dict[str, Any]) -> bytes:
    """Returns the question as one line of JSON for a program (docs/judge-question.schema.json)."""
    whole = {"schema": QUESTION, "instructions": SYSTEM, "answer": SCHEMA, "untrusted": data}
    return f"{_escaped_json(whole)}\n".encode("utf-8", "replace")


def _escaped_json(data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False)
    return _CHAT_MARK.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)


def _context(pair: ComparedPair) -> list[dict[str, str]]:
    shown: list[dict[str, str]] = []
    left = MAX_CONTEXT
    for kind, text in reversed(pair.context):
        left -= len(text)
        if left < 0:
            break
        shown.insert(0, {"kind": kind, "text": text})
    return shown


def source_parts(source: SourceText) -> dict[str, str]:
    """Returns the parts of a source by name: for example, its path, title, text and diff. The judge
    model reads the parts and may quote them."""
    parts = {
        "path": source.path,
        "title": source.title,
        "definitions": "\n".join(source.enclosing),
        "touched": "\n".join(source.paths),
        "text": source.text,
        "diff": source.diff,
    }
    return {name: part for name, part in parts.items() if part}


def _numbered_lines(source: SourceText) -> dict[str, list[list[int | str]]]:
    """Returns the text of a source as pairs [number, line]. Separates the cited lines from the
    lines before and after them."""
    numbered: list[list[int | str]] = [
        [source.line + n, line] for n, line in enumerate(source.text.split("\n"))
    ]
    if source.cited is None:
        return {"lines": numbered}
    first = min(max(source.cited[0] - source.line, 0), len(numbered))
    last = min(max(source.cited[1] - source.line + 1, first), len(numbered))
    return {
        "before": numbered[:first], "cited": numbered[first:last], "after": numbered[last:],
    }  # fmt: skip


# The answer


def parse_answer(text: str) -> JudgeAnswer:
    """Returns the answer that a text encodes as JSON. Raises Unusable if the text contains anything
    else."""
    try:
        plain = json.loads(text, object_pairs_hook=_without_repeated_keys)
        return msgspec.convert(plain, JudgeAnswer)
    except (ValueError, RecursionError):
        raise Unusable(
            "the answer is not a JSON object with exactly the keys `quote`, `verdict`, `missing`"
        ) from None


def _without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def opinion_of(answer: JudgeAnswer, source: SourceText) -> Opinion:
    """Checks an answer and returns it as an opinion. The opinion has no verdict if the answer
    contradicts itself or its quote is not in the source."""
    verdict = answer.verdict
    needs_quote = verdict in ("supported", "contradicted")
    quote = " ".join(answer.quote.split())
    missing = _one_line(", ".join(filter(None, map(_one_line, answer.missing))))
    if needs_quote and not quote:
        return unknown("the answer has no quote")
    if verdict == "contradicted" and not missing:
        return unknown("the answer does not say what differs")
    if verdict == "supported" and missing:
        return unknown("the answer supports the claim but lists missing words")
    begins = (
        "the judge model finds that the source contradicts these words"
        if verdict == "contradicted"
        else "the judge model does not find these words in the source"
    )
    reason = f"{begins}: {missing}" if missing else ""
    if not quote:
        return Opinion(
            verdict, reason=reason or "the judge model does not find the claim in the source"
        )
    line = quoted_line(answer.quote, source, focused=needs_quote)
    if line is None:
        return unknown("the quote in the answer is not in the source")
    return Opinion(verdict, quote, line, reason)


def _one_line(text: str) -> str:
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:MAX_MISSING]


def quoted_line(quote: str, source: SourceText, *, focused: bool) -> int | None:
    """Returns the number of the line in the source where a quote begins.

    Returns 0 if the quote is in a part without line numbers, and None if the quote is not in the
    source. The quote has to begin and end at word boundaries. Line ends count as spaces. If
    `focused` is true, the quote has to overlap the cited lines, if the source has cited lines."""
    words = quote.translate(_STRAIGHT).split()
    if not words or len(quote) > MAX_QUOTE:
        return None
    for first, last in _occurrences(words, source.text):
        first, last = source.line + first, source.line + last
        cited = source.cited or (first, last)
        if not focused or (first <= cited[1] and last >= cited[0]):
            return first
    if focused and source.cited is not None:
        return None
    parts = source_parts(source)
    others = [parts.get(name, "") for name in ("title", "definitions", "touched", "diff")]
    return 0 if any(True for text in others for _ in _occurrences(words, text)) else None


def _occurrences(words: list[str], text: str) -> Iterator[tuple[int, int]]:
    """Yields the numbers of the first and the last line, counted from 0, for each occurrence of a
    quote in a text. `5%` is not a quote from `1.5%`, and `existing` is not one from
    `pre-existing`."""
    text, quote = text.translate(_STRAIGHT), " ".join(words)
    if quote not in " ".join(text.split()):  # much faster than the pattern
        return
    before = r"(?<!\w)(?<!\w-)" if re.match(r"\w", quote) else ""
    before += r"(?<!\d[.,])" if quote[0].isdigit() else ""
    after = r"(?!\w)" if re.search(r"\w\Z", quote) else ""
    after += r"(?![.,]\d)" if quote[-1].isdigit() else ""
    if len(quote) < MIN_QUOTE:
        before, after = r"^[^\S\n]*+", r"[^\S\n]*+$"
    spaced = r"\s++".join(map(re.escape, words))
    found_all = re.finditer(f"(?m){before}({spaced}){after}", text)
    for found in islice(found_all, MAX_OCCURRENCES):
        yield text.count("\n", 0, found.start(1)), text.count("\n", 0, found.end(1))
