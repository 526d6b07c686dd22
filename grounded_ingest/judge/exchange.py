"""Questions to a judge and its answers: how they are written, checked and kept.

A judge is a program or a server that strangers can influence through the texts it reads. So claim
and source travel as JSON strings that their text cannot close, and an answer counts only if its
quote stands in the source.
"""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from grounded_ingest.model.digests import NOT_JSON, sha256
from grounded_ingest.references.response_cache import ConfirmedAnswer
from grounded_ingest.references.sources import SourceText
from grounded_ingest.text.lexicon.judge_prompt import SCHEMA, SYSTEM
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.references.response_cache import Answers

MAX_CLAIM, MAX_SOURCE = 4_000, 60_000
"""Characters. A longer claim or source is not judged: a cut text could lose the decisive word."""
MAX_CONTEXT = 2_000
"""Characters of headings and lead-ins above a claim; beyond, the outermost are left out."""
MAX_ANSWER = 262_144
"""Bytes of an answer."""
MAX_MISSING = 300
"""Characters of the words that a judge did not find, as reports show them."""
MAX_QUOTE, MIN_QUOTE = 2_000, 8
"""Characters of a quote. A few letters stand in every source, so a shorter quote has to be a whole
line."""
MAX_OCCURRENCES = 1_000
"""Occurrences of one quote that are checked; hostile texts repeat a quote endlessly."""
BATCH = 16
"""Questions that are asked at once. An error that concerns all questions stops the next batch."""
QUESTION = "grounded-ingest/judge-question/1"

# Marks of chat templates (`<|im_end|>`, `</s>`, `[INST]`): some servers obey them inside content.
_CHAT_MARK = compiled(r"<|\[(?=/?[A-Z_]{3,}\])")
# Models replace typographic quotation marks and no-break spaces.
_STRAIGHT = str.maketrans("‘’“”\xa0", "''\"\" ")

OpinionVerdict = Literal["", "supported", "unsupported", "contradicted", "nothing-to-compare"]


class ComparedPair(Struct, frozen=True):
    """A claim's text without its citations, one source, and the text above the claim as (kind,
    text), outermost first."""

    claim: str
    source: SourceText
    context: tuple[tuple[str, str], ...] = ()


class Opinion(Struct, frozen=True):
    """A judge's valid answer, or why there is none (`verdict` is empty). `quote` stands in the
    source from `line` on; 0 if it stands in a part without line numbers, as in a diff."""

    verdict: OpinionVerdict
    quote: str = ""
    line: int = 0
    reason: str = ""


class JudgeAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer in the form that was asked for (docs/judge-answer.schema.json)."""

    quote: str
    verdict: Literal["supported", "unsupported", "contradicted", "nothing-to-compare"]
    missing: list[str]


class Unusable(Exception):  # noqa: N818 - no error of the run: the opinion is unknown
    """Says why an answer is no opinion."""


def unknown(reason: str) -> Opinion:
    return Opinion("", reason=f"judge: {reason}")


class AskedJudge:
    """Base of judges that answer question by question; a subclass says how it asks.

    Keeps valid answers by the digest of the whole question and of `identity`, the program or server
    asked. So equal questions are asked once, and another version of a program is asked anew.
    """

    def __init__(self, identity: bytes, kept: Answers | None) -> None:
        self._identity = identity
        self._kept = kept

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        """Returns one opinion for each pair, in their order. Raises nothing: whatever fails makes
        the opinion unknown."""
        data = [question_data(pair) for pair in pairs]
        questions = [self._question(asked) if asked else b"" for asked in data]
        names = [self._name(question) if question else "" for question in questions]
        asked = {n: (q, p) for n, q, p in zip(names, questions, pairs, strict=True) if n}
        found = {"": unknown("claim or source is too long"), **self._kept_opinions(asked)}
        open_ = [name for name in asked if name not in found]
        for start in range(0, len(open_), BATCH):
            found |= self._ask({name: asked[name] for name in open_[start : start + BATCH]})
        return [found[name] for name in names]

    def _question(self, data: dict[str, Any]) -> bytes:
        raise NotImplementedError

    def _answers(self, questions: Mapping[str, bytes]) -> Mapping[str, JudgeAnswer | str]:
        """Returns the answer to each question, or the reason why there is none."""
        raise NotImplementedError

    def _name(self, question: bytes) -> str:
        return f"judge:{sha256(self._identity + b' ' + question).hexdigest()}"

    def _kept_opinions(self, asked: Mapping[str, tuple[bytes, ComparedPair]]) -> dict[str, Opinion]:
        """Returns opinions of earlier runs. Their answers are checked again like new ones, since
        anybody may have written into the file."""
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
    """Returns claim, context and source, all written by strangers; None if they are too long."""
    parts = source_parts(pair.source)
    if len(pair.claim) > MAX_CLAIM or sum(map(len, parts.values())) > MAX_SOURCE:
        return None
    shown = {name: part for name, part in parts.items() if name != "text"}
    source = {"kind": pair.source.kind, **shown, **_numbered_lines(pair.source)}
    return {"claim": pair.claim, "context": _context(pair), "source": source}


def chat_request(data: dict[str, Any], model: str) -> bytes:
    """Returns the question as the body of a request for a chat completion."""
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
    """Returns the question as a program reads it: one line (docs/judge-question.schema.json)."""
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
    """Returns the parts of a source that a judge reads and may quote, by name."""
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
    """Returns the text as [number, line]; cited lines are kept apart from those around them."""
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
    """Returns the answer that a text consists of. Raises Unusable if there is any other text."""
    try:
        plain = json.loads(text, object_pairs_hook=_without_repeated_keys)
        return msgspec.convert(plain, JudgeAnswer)
    except (ValueError, RecursionError):
        raise Unusable("the answer is not the JSON object that was asked for") from None


def _without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def opinion_of(answer: JudgeAnswer, source: SourceText) -> Opinion:
    """Returns the opinion that an answer gives. Unknown if the answer contradicts itself or its
    quote does not stand in the source."""
    verdict = answer.verdict
    needs_quote = verdict in ("supported", "contradicted")
    quote = " ".join(answer.quote.split())
    missing = _one_line(", ".join(filter(None, map(_one_line, answer.missing))))
    if needs_quote and not quote:
        return unknown("the answer has no quote")
    if verdict == "contradicted" and not missing:
        return unknown("the answer does not say what differs")
    if verdict == "supported" and missing:
        return unknown("the answer supports the claim and says that words are missing")
    begins = (
        "the judge says otherwise about" if verdict == "contradicted" else "the judge does not find"
    )
    reason = f"{begins}: {missing}" if missing else ""
    if not quote:
        return Opinion(verdict, reason=reason or "the judge does not find it in the source")
    line = quoted_line(answer.quote, source, focused=needs_quote)
    if line is None:
        return unknown("its quote is not in the source")
    return Opinion(verdict, quote, line, reason)


def _one_line(text: str) -> str:
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:MAX_MISSING]


def quoted_line(quote: str, source: SourceText, *, focused: bool) -> int | None:
    """Returns the number of the line in which a quote begins; 0 if it stands in a part without line
    numbers, None if it does not stand in the source.

    Words and numbers have to be whole; white space and line ends are equal. With `focused` the
    quote has to overlap the cited lines, if the source has any.
    """
    wanted = _flat(quote)[0]
    if not wanted or len(quote) > MAX_QUOTE:
        return None
    for first, last in _occurrences(wanted, source.text):
        first, last = source.line + first, source.line + last
        cited = source.cited or (first, last)
        if not focused or (first <= cited[1] and last >= cited[0]):
            return first
    if focused and source.cited is not None:
        return None
    parts = source_parts(source)
    others = [parts.get(name, "") for name in ("title", "definitions", "touched", "diff")]
    return 0 if any(True for text in others for _ in _occurrences(wanted, text)) else None


def _flat(text: str) -> tuple[str, list[int], list[int]]:
    """Returns the text on one line with single spaces, where each line that is not blank begins
    there, and the numbers of these lines, counted from 0."""
    parts, starts, numbers, at = [], [], [], 0
    for number, line in enumerate(text.translate(_STRAIGHT).split("\n")):
        if plain := " ".join(line.split()):
            parts.append(plain)
            starts.append(at)
            numbers.append(number)
            at += len(plain) + 1
    return " ".join(parts), starts, numbers


def _occurrences(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    """Yields the first and last line, counted from 0, of each occurrence of a quote."""
    flat, starts, numbers = _flat(text)
    start = -1
    for _ in range(MAX_OCCURRENCES):
        start = flat.find(wanted, start + 1)
        if start < 0:
            return
        end = start + len(wanted)
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, end - 1) - 1
        line_ends = (*starts[last + 1 : last + 2], len(flat) + 1)[0] - 1
        whole_lines = (start, end) == (starts[first], line_ends)
        if (whole_lines or len(wanted) >= MIN_QUOTE) and _has_whole_words(flat, start, end):
            yield numbers[first], numbers[last]


def _has_whole_words(text: str, start: int, end: int) -> bool:
    """Whether no word and no number goes on before or after: `5%` is no quote of `1.5%`, nor
    `existing` of `pre-existing`."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    first, last = text[start], text[end - 1]
    if _in_word(first) and _continues(before[::-1], "-", first):
        return False
    return not (_in_word(last) and _continues(after, "", last))


def _continues(beside: str, joints: str, edge: str) -> bool:
    """Whether the word that ends with the character `edge` goes on in `beside`, whose nearest
    character comes first. `joints` are characters that join two words into one."""
    if beside[:1] and _in_word(beside[0]):
        return True
    joints += ".," if edge.isdigit() else ""
    if len(beside) < 2 or beside[0] not in joints:
        return False
    return beside[1].isdigit() if beside[0] in ".," else _in_word(beside[1])


def _in_word(char: str) -> bool:
    return char == "_" or char.isalnum()
