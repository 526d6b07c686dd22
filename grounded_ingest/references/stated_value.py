"""Checks a number beside the name that has it in code: "at most 250 results (`MAX_RESULTS` in
`src/api.ts`)", "`RETRIES` (3)".

The number is wrong only if all files that define the name give it the same other number. A number
that differs by a usual factor (1000, 60, 1024 …) may be in another unit, and is not wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from grounded_ingest.code.assigned_values import INDIRECT, AssignedValue, named, values_in
from grounded_ingest.code.grammars import language_of
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.assertions import read_sentence
from grounded_ingest.git.trees import LARGEST, text_of
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.COUNT
FORM = "value"

_NUMBER = r"(?<![\w.,<>+/~≈-])(?P<n>\d{1,3}(?:,\d{3})+|\d[\d_]*(?:\.\d+)?)(?![\w.,]*\d|\s*[-–+%])"
_FILE = r"`(?P<{}>[^`\s:#]+\.\w+)`"
_NAME = (
    r"`(?:(?P<path>[^`\s:#]+)::)?(?P<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)`"
    rf"(?: (?:in|from) {_FILE.format('in')})?"
)
_AFTER = compiled(
    rf"{_NAME}(?:[^`.;()\d]{{0,40}}, which is| (?:is|equals|is set to|defaults to)"
    rf"| ?[=:]| \((?:default(?:s to)?:? )?) ?`?{_NUMBER}`?"
)
_BEFORE = compiled(rf"{_NUMBER}`?(?:[ -][A-Za-z]+){{0,3}} \({_NAME}\)")
_LONG = compiled(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[a-z]\w*_\w|[A-Za-z]\w*[a-z0-9][A-Z]\w")
"""Matches a name of several words, which is looked up in all files. For other names the text must
name the file."""
_UNITS = frozenset(
    {7, 10, 12, 24, 60, 100, 3600, 86_400, 60_000, 3_600_000, 86_400_000}
    | {1000**n for n in (1, 2, 3)}
    | {1024**n for n in (1, 2, 3)}
)
"""Factors between usual units of time, of size, and of shares."""
_NUMBERS = {"int": 1, "float": 1, "duration": 10**9}
"""Kinds of values that are compared, with the divisor: a duration in Go is compared in seconds."""
_FILES = 20
"""Maximum number of files that are searched for the definition of a name."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the numbers in a claim that are beside the name of a constant or variable."""
    text = claim.text
    if "`" not in text or read_sentence(text) is not None:
        return ()  # an assertion of the whole claim is a proof
    found = {}
    for pattern in (_AFTER, _BEFORE):
        for m in pattern.finditer(text):
            if (file := m["path"] or m["in"] or "") or _LONG.match(m["name"]):
                of = f"{FORM} {m['name']} {file}"
                found[m.start("n")] = Reference(KIND, path, m["n"], m.start(), m.end(), of)
    return list(found.values())


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a result for each number in the claims that the code confirms or contradicts."""
    own = {r: r.of.split(" ")[1:] for r in asked if r.of.startswith(FORM)}
    searched = {name for name, file in own.values() if not file}
    try:
        files = files_with(context.repo, context.tree, searched, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        files = {}
    found: Answers = {}
    for reference, (name, file) in own.items():
        cited = Request(reference.path, Citation(CitationKind.PATH, file))
        paths = resolve_path(cited, context.tree) if file else files.get(name, ())
        code = [p for p in paths if language_of(p) and (file or not is_test_or_sample(p))]
        if code and len(code) <= _FILES and (answer := _compare(reference, name, code, context)):
            found[reference] = answer
    return found


def _number_of(value: AssignedValue) -> Fraction | None:
    """Returns the number that the code gives a name, or None if it is not certain. Code that may
    change any name (`INDIRECT`) does not make a constant uncertain."""
    certain = not value.open or (value.open == INDIRECT and value.name.isupper())
    found = (value.value if certain else None) or value.default
    if found is None or found[0] not in _NUMBERS:
        return None
    return Fraction(found[1]) / _NUMBERS[found[0]]


def _compare(
    reference: Reference, name: str, paths: Iterable[str], context: Context
) -> TreeAnswer | None:
    places: dict[Fraction, tuple[str, AssignedValue]] = {}
    for path in paths:
        text = text_of(context.tree, path) if context.tree.size(path) <= LARGEST else None
        for value in named(values_in(path, text or "") or (), name):
            if (number := _number_of(value)) is None:
                return None
            places[number] = path, value
    if len(places) != 1:
        return None
    ((actual, (path, value)),) = places.items()
    claimed = Fraction(reference.name.replace(",", "").replace("_", ""))
    target = f"{path}::{name}"
    if claimed == actual:
        return TreeAnswer(Verdict.CONFIRMED, target, line=value.line, loose=True)
    small, large = sorted((claimed, actual))
    if small <= 0 or large / small in _UNITS:
        return None
    written = value.written if value.value else actual
    reason = f"{name} in {path} is {written}, not {reference.name}"
    return TreeAnswer(Verdict.REFUTED, target, reason, value.line)
