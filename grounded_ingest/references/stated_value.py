"""Checks a number beside the name that has it in code: "at most 250 results (`MAX_RESULTS` in
`src/api.ts`)", "`RETRIES` (3)", "The default timeout is 30 seconds" (`DEFAULT_TIMEOUT`).

The number is wrong only if all files that define the name give it the same other number. A number
that differs by a usual factor (1000, 60, 1024 …) may be in another unit, and is not wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from fractions import Fraction
from itertools import chain, filterfalse, takewhile
from math import isclose
from posixpath import basename, dirname
from typing import cast

from grounded_ingest.code.assigned_values import INDIRECT, AssignedValue, named, values_in
from grounded_ingest.code.data_values import format_of
from grounded_ingest.code.grammars import language_of
from grounded_ingest.code.manifest_facts import with_lines
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
_HOMES = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "build.gradle")
"""Files in the directory of a package. Words in its documents mean names of this package."""
_ASIDE = compiled(ASIDE_FOLDERS)
_ENTRY = compiled(
    r"(?m)^[^\S\n]*[\"']?(?:[\w-]+\.)*([A-Za-z][\w-]*)[\"']?[^\S\n]*[:=][^\S\n]*[\"']?"
    r"(\d[\d_.]*)\b(?!\.\d)"
)
"""Matches a key with a number in a data file: JSON, YAML, TOML, INI or `.env`."""
_PARTS = compiled(r"[A-Z]?[a-z\d]+|[A-Z\d]+(?![a-z])")
_STOPS = frozenset(words.VALUE_STOPS.split())
_VAGUE = compiled(words.VAGUE)
_WRITTEN = compiled(words.WRITTEN_AMOUNT)
_WORDS = ("?", "*")
"""Stand for the file in a reference whose words have to be spelled as a name: all words, or the
first of the words behind the number."""
_Place = tuple[str, AssignedValue]
"""A value with the file that has it."""
_PORT = f"{FORM} port ?"
_FILES = 20
"""Maximum number of files that are searched for the definition of a name."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the numbers in a claim that are beside the name of a constant, variable or setting,
    or beside its words."""
    text = claim.text
    if not any(map(str.isdigit, text)) or read_sentence(text) is not None:
        return ()  # an assertion of the whole claim is a proof
    found = dict(_in_words(path, claim)) if claim.form is not Form.ROW else {}
    for m in chain(_AFTER.finditer(text), _BEFORE.finditer(text)) if "`" in text else ():
        if (file := m["path"] or m["in"] or "") or _LONG.match(m["name"]):
            found[m.start("n")] = _reference(path, m, f"{FORM} {m['name']} {file}")
    return list(found.values())


def _in_words(path: str, claim: Claim) -> Iterator[tuple[int, Reference]]:
    """Yields the numbers that a claim gives a setting in words, each with its place. The words are
    those between the number and the next function word."""
    for name, pattern in _IN_WORDS:
        for m in pattern.finditer(claim.masked):
            parts = (m.groupdict().get("words") or "").lower().replace("-", " ").split()
            behind = bool(parts) and m.start("n") < m.start("words")
            kept = [words.SHORT_FORMS.get(w, w) for w in parts if w not in _STOPS]
            near = [*takewhile(_is_content, kept if behind else reversed(kept))]
            of = "_".join(filter(None, (name, *(near if behind else reversed(near)))))
            if of in words.SETTINGS or ("_" in of and not _VAGUE.fullmatch(of)):
                yield m.start("n"), _reference(path, m, f"{FORM} {of} {'?*'[behind]}")


def _is_content(word: str) -> bool:
    return word not in function_words()


def _reference(path: str, found: re.Match[str], of: str) -> Reference:
    name = f"{found['n']} {(found['unit'] or '').strip(' -').lower()}".strip()
    return Reference(KIND, path, name, found.start(), found.end(), of)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a result for each number that the code gives or contradicts."""
    names = {r: _names(r) for r in asked if r.of.startswith(FORM)}
    searched = {n for some in names.values() for n in some}
    searched |= {r.name for r in names if r.of == _PORT}
    try:
        files = files_with(context.repo, context.tree, searched, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        files = {}
    found: Answers = {}
    for reference, some in names.items():
        held = {p for n in some for p in files.get(n, ())}
        paths = _defining_files(reference, held, context.tree)
        answer = _compare(reference, _values(paths, some, context.tree))
        # Another program of the repository may have the port.
        if answer and not (reference.of == _PORT and files.get(reference.name)):
            found[reference] = answer
    return found


def _names(reference: Reference) -> frozenset[str]:
    """Returns the names in code that a reference may mean: the name itself, or the spellings of its
    words, with "default" before them and a unit behind them."""
    _, name, file = reference.of.split(" ")
    if file not in _WORDS:
        return frozenset((name,))
    if name in words.SETTINGS:
        return frozenset(words.SETTINGS[name].split())
    said, dimension = name.split("_"), _quantity(reference.name).dimension
    fewest = 2 + (said[0] == "max") if file == "*" else len(said)
    starts = [said[:n] for n in range(fewest, len(said) + 1)]
    starts += [["default", *s] for s in starts if s[0] != "default"]
    ends = [[], *([unit] for unit in words.UNIT_ENDINGS.get(dimension, "").split())]
    return frozenset(n for s in starts for end in ends for n in _spellings([*s, *end]))


def _spellings(parts: list[str]) -> tuple[str, ...]:
    snake, title = "_".join(parts), "".join(map(str.title, parts))
    return snake, snake.upper(), "-".join(parts), title, title[0].lower() + title[1:]


def _defining_files(reference: Reference, held: Set[str], tree: Tree) -> Iterator[str]:
    """Yields the files that may define a name: the file that the document names, or those that
    contain the name (`held`). Words only mean names in the document's package, and keys of data
    files above the document."""
    _, name, file = reference.of.split(" ")
    if file not in ("", *_WORDS):
        yield from resolve_path(Request(reference.path, Citation(CitationKind.PATH, file)), tree)
        return
    above = list(directories_from(dirname(reference.path)))
    homes = (f"{d}/" for d in above if d and any(tree.has(f"{d}/{f}") for f in _HOMES))
    home = next(homes, "")
    for path in filterfalse(is_test_or_sample, held):
        inside = path.startswith(home) and not _ASIDE.search(path)
        key = name in words.SETTINGS or dirname(path) in above
        if not file or (inside and (key or not _is_data(path))):
            yield path


def _values(paths: Iterable[str], names: Set[str], tree: Tree) -> list[_Place]:
    """Returns the values that files give the names, or nothing if there are too many files."""
    read = sorted({p for p in paths if language_of(p) or _is_data(p)})
    return [(p, v) for p in read for v in _values_in(p, names, tree)] if len(read) <= _FILES else []


def _is_data(path: str) -> bool:
    return bool(format_of(path)) or basename(path)[0] == "."  # as `.prettierrc`


def _values_in(path: str, names: Set[str], tree: Tree) -> Iterator[AssignedValue]:
    text = (text_of(tree, path) or "") if tree.size(path) <= LARGEST else ""
    if language_of(path):
        code = values_in(path, text) or ()
        yield from (value for name in names for value in named(code, name))
        return
    for line, m in with_lines(_ENTRY.finditer(text), text):
        if m[1] in names:
            yield AssignedValue(m[1], (), line, ("int", m[2].replace("_", "")), m[2])


def _quantity(text: str) -> Quantity:
    found = quantity(text.lower().replace("%", " %").split())
    return found[0] if found else Quantity(0.0, "")


def _number_of(value: AssignedValue) -> tuple[Fraction, Quantity] | None:
    """Returns the number that the code gives a name, as it is written and with its unit, or None if
    it is not certain. Code that may change any name (`INDIRECT`) does not make a constant
    uncertain."""
    certain = not value.open or (value.open == INDIRECT and value.name.isupper())
    if certain and (m := _WRITTEN.match(value.written)):
        unit, digits = sorted(filter(None, m.groups()), reverse=True)
        return _with_unit(Fraction(digits.replace("_", "")), unit)
    kind, *content = (value.value if certain else None) or value.default or ("",)
    if kind == "text" and content[0].isdecimal():
        kind = "int"
    if kind not in _NUMBERS:
        return None
    end = "s" if kind == "duration" else _PARTS.findall(f"x_{value.name}")[-1]
    return _with_unit(Fraction(content[0]) / _NUMBERS[kind], end)


def _with_unit(number: Fraction, unit: str) -> tuple[Fraction, Quantity]:
    known = unit.lower() in " ".join(words.UNIT_ENDINGS.values()).split()
    return number, _quantity(f"{float(number)} {unit if known else ''}")


def _compare(reference: Reference, stated: Sequence[_Place]) -> TreeAnswer | None:
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
