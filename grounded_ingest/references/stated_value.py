"""Checks a number beside the name that has it in code: "at most 250 results (`MAX_RESULTS` in
`src/api.ts`)", "`RETRIES` (3)", "The default timeout is 30 seconds" (`DEFAULT_TIMEOUT`).

The number is wrong only if all files that define the name give it the same other number. A number
that differs by a usual factor (1000, 60, 1024 …) may be in another unit, and is not wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import takewhile
from math import isclose
from posixpath import dirname
from typing import cast

from grounded_ingest.code.assigned_values import INDIRECT, AssignedValue, named, values_in
from grounded_ingest.code.data_values import format_of, pairs_in
from grounded_ingest.code.grammars import language_of
from grounded_ingest.code.literals import plain_value
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.assertions import read_sentence
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Form, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.path_resolution import directories_from, resolve_path
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.lexicon import value_words as words
from grounded_ingest.text.lexicon.manifest_words import ASIDE_FOLDERS
from grounded_ingest.text.lexicon.number_words import DIMENSIONS
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.values import Quantity, quantity
from grounded_ingest.text.words import function_words

KIND = CitationKind.COUNT
FORM = "value"

_NUMBER = (
    r"(?<![\w.,<>+/~≈-])(?P<n>\d{1,3}(?:,\d{3})+|\d[\d_]*(?:\.\d+)?)(?![\w.,]*\d|\s*[-–+](?![a-z]))"
)
_KNOWN = " ".join(names for kind in ("time", "size") for names, _ in DIMENSIONS[kind]).split()
_UNIT = rf"(?P<unit> ?%|[ -]?(?i:{'|'.join(_KNOWN)})\b)?"
_FILE = r"`(?P<{}>[^`\s:#]+\.\w+)`"
_NAME = (
    r"`(?:(?P<path>[^`\s:#]+)::)?(?P<name>[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$]*)*)`"
    rf"(?: (?:in|from) {_FILE.format('in')})?"
)
_AFTER = compiled(
    rf"{_NAME}(?:[^`.;()\d]{{0,40}}, which is| (?:is|equals|is set to|defaults to)"
    rf"| ?[=:]| \((?:default(?:s to)?:? )?) ?`?{_NUMBER}`?{_UNIT}"
)
_BEFORE = compiled(rf"{_NUMBER}`?{_UNIT}(?:[ -][A-Za-z]+){{0,3}} \({_NAME}\)")
_IN_WORDS = [(n, compiled(p.replace("{n}", _NUMBER + _UNIT))) for n, p in words.VALUE_FORMS]
_LONG = compiled(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[a-z]\w*[_-]\w|[A-Za-z]\w*[a-z0-9][A-Z]\w")
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
_FORMS: tuple[Callable[[list[str]], str], ...] = (
    "_".join,
    lambda parts: "_".join(parts).upper(),
    "-".join,
    lambda parts: "".join((parts[0], *map(str.title, parts[1:]))),
    lambda parts: "".join(map(str.title, parts)),
)
"""The spellings of a name of several words: `max_rows`, `MAX_ROWS`, `max-rows`, `maxRows`,
`MaxRows`."""
_HOMES = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "build.gradle")
"""Files in the directory of a package. Words in its documents mean names of this package."""
_ASIDE = compiled(ASIDE_FOLDERS)
_PARTS = compiled(r"[A-Z]?[a-z\d]+|[A-Z\d]+(?![a-z])")
_VAGUE = compiled(words.VAGUE)
_WRITTEN = compiled(words.WRITTEN_AMOUNT)
_WORDS = ("?", "*")
"""Stand for the file in a reference whose words have to be spelled as a name: all words, or the
first of the words behind the number."""
_FILES = 20
"""Maximum number of files that are searched for the definition of a name."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the numbers in a claim that are beside the name of a constant, variable or setting,
    or beside its words."""
    text = claim.text
    if not any(map(str.isdigit, text)) or read_sentence(text) is not None:
        return ()  # an assertion of the whole claim is a proof
    found = {}
    for name, pattern in _IN_WORDS if claim.form is not Form.ROW else ():
        for m in pattern.finditer(claim.masked):
            parts = (m.groupdict().get("words") or "").lower().replace("-", " ").split()
            behind = bool(parts) and m.start("n") < m.start("words")
            kept = [words.SHORT_FORMS.get(w, w) for w in parts if w not in words.VALUE_STOPS]
            near = takewhile(lambda w: w not in function_words(), kept if behind else kept[::-1])
            kept = [*near] if behind else [*near][::-1]
            of = "_".join(filter(None, (name, *kept)))
            if of in words.SETTINGS or ("_" in of and not _VAGUE.fullmatch(of)):
                found[m.start("n")] = _reference(path, m, f"{FORM} {of} {'?*'[behind]}")
    for pattern in (_AFTER, _BEFORE) if "`" in text else ():
        for m in pattern.finditer(text):
            if (file := m["path"] or m["in"] or "") or _LONG.match(m["name"]):
                found[m.start("n")] = _reference(path, m, f"{FORM} {m['name']} {file}")
    return list(found.values())


def _reference(path: str, found: re.Match[str], of: str) -> Reference:
    name = f"{found['n']} {(found['unit'] or '').strip(' -').lower()}".strip()
    return Reference(KIND, path, name, found.start(), found.end(), of)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a result for each number that the code gives or contradicts."""
    own = {r: r.of.split(" ")[1:] for r in asked if r.of.startswith(FORM)}
    names = {r: _names(r, name, file) for r, (name, file) in own.items()}
    searched = {n for r, (_, file) in own.items() if file in ("", *_WORDS) for n in names[r]}
    searched |= {r.name for r, (name, _) in own.items() if name == "port"}
    try:
        files = files_with(context.repo, context.tree, searched, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        files = {}
    found: Answers = {}
    for reference, (name, file) in own.items():
        if name == "port" and files.get(reference.name):
            continue  # another program of the repository may have this port
        if file in ("", *_WORDS):
            paths = [p for n in names[reference] for p in files.get(n, ())]
            paths = [p for p in paths if _may_define(p, name, file, reference.path, context.tree)]
        else:
            cited = Request(reference.path, Citation(CitationKind.PATH, file))
            paths = list(resolve_path(cited, context.tree))
        code = {p for p in paths if language_of(p) or format_of(p)}
        if code and len(code) <= _FILES:
            stated = [
                (p, v) for p in sorted(code) for v in _values(p, names[reference], context.tree)
            ]
            if answer := _compare(reference, stated):
                found[reference] = answer
    return found


def _may_define(path: str, name: str, file: str, document: str, tree: Tree) -> bool:
    """Returns whether a file may define a name that a document states without a file. Words only
    mean names in the document's package, and keys of data files above the document."""
    if is_test_or_sample(path) or (file and _ASIDE.search(path)):
        return False
    above = directories_from(dirname(document))
    if file and format_of(path) and name not in words.SETTINGS:
        return dirname(path) in above
    homes = (d for d in above if file and d and any(tree.has(f"{d}/{f}") for f in _HOMES))
    return path.startswith(next((f"{d}/" for d in homes), ""))


def _names(reference: Reference, name: str, file: str) -> frozenset[str]:
    """Returns the names in code that a reference may mean: the name itself, or the spellings of its
    words, with "default" before them and a unit behind them."""
    if file not in _WORDS:
        return frozenset((name,))
    if name in words.SETTINGS:
        return frozenset(words.SETTINGS[name].split())
    said, dimension = name.split("_"), _quantity(reference.name).dimension
    fewest = 2 + (said[0] == "max") if file == "*" else len(said)
    starts = [said[:n] for n in range(fewest, len(said) + 1)]
    starts += [["default", *s] for s in starts if s[0] != "default"]
    ends = [[], *([unit] for unit in words.UNIT_ENDINGS.get(dimension, "").split())]
    return frozenset(form([*s, *end]) for s in starts for end in ends for form in _FORMS)


def _values(path: str, names: frozenset[str], tree: Tree) -> list[AssignedValue]:
    """Returns the values that a file gives the names."""
    text = (text_of(tree, path) or "") if tree.size(path) <= LARGEST else ""
    if format_of(path):
        pairs = ((k, v) for k, v in pairs_in(path, text) if k in names)
        return [AssignedValue(k, (), 0, plain_value(v), str(v)) for k, v in pairs]
    found = values_in(path, text) or ()
    return [value for name in names for value in named(found, name)]


def _quantity(text: str) -> Quantity:
    found = quantity(text.lower().replace("%", " %").split())
    return found[0] if found else Quantity(0.0, "")


def _number_of(value: AssignedValue) -> tuple[Fraction, Quantity] | None:
    """Returns the number that the code gives a name, as it is written and with its unit, or None if
    it is not certain. Code that may change any name (`INDIRECT`) does not make a constant
    uncertain."""
    certain = not value.open or (value.open == INDIRECT and value.name.isupper())
    found = (value.value if certain else None) or value.default
    if certain and (m := _WRITTEN.match(value.written)):
        number = Fraction((m[2] or m[4] or m[5]).replace("_", ""))
        unit = (m["java"] or m["python"] or m["ruby"]).lower()
        return number, _quantity(f"{number} {unit}")
    if found is not None and found[0] == "text" and found[1].isdecimal():
        found = ("int", found[1])
    if found is None or found[0] not in _NUMBERS:
        return None
    number = Fraction(found[1]) / _NUMBERS[found[0]]
    unit = "s" if found[0] == "duration" else _PARTS.findall(f"x_{value.name}")[-1].lower()
    known = any(unit in ends.split() for ends in words.UNIT_ENDINGS.values())
    return number, _quantity(f"{float(number)} {unit}") if known else Quantity(float(number), "")


def _compare(
    reference: Reference, stated: Sequence[tuple[str, AssignedValue]]
) -> TreeAnswer | None:
    numbers = [_number_of(value) for _, value in stated]
    if not numbers or None in numbers or len(set(numbers)) != 1:
        return None
    (path, value), (actual, amount) = stated[0], cast("tuple[Fraction, Quantity]", numbers[0])
    claimed = Fraction(reference.name.split(" ")[0].replace(",", "").replace("_", ""))
    meant, target = _quantity(reference.name), f"{path}::{value.name}"
    if meant.dimension == amount.dimension == "time":
        equal, unclear = isclose(meant.amount, amount.amount), False
    else:
        small, large = sorted((claimed, actual))
        equal, unclear = small == large, small <= 0 or large / small in _UNITS
    if equal:
        return TreeAnswer(Verdict.CONFIRMED, target, line=value.line, loose=True)
    if unclear:
        return None
    written = value.written if value.default is None else str(actual)
    reason = f"{value.name} in {path} is {written}, not {reference.name}"
    return TreeAnswer(Verdict.REFUTED, target, reason, value.line)
