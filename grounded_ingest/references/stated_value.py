"""Checks a number beside the name that has it in code: "at most 250 results (`MAX_RESULTS` in
`src/api.ts`)", "`RETRIES` (3)".

The number is wrong only if all files that define the name give it the same other number. A number
that differs by a usual factor (1000, 60, 1024 …) may be in another unit, and is not wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from grounded_ingest.code.definitions import has_parser
from grounded_ingest.code.given_values import MEMBER, GivenValue, given_values
from grounded_ingest.code.grammars import language_of
from grounded_ingest.code.literals import Value
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Form, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.lexicon.number_words import CARDINALS
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.COUNT
FORM = "value"

_WORDS = "|".join(w for w in CARDINALS if w not in ("zero", "one"))
_NUMBER = (
    r"(?<![\w.,<>+/~≈-])(?P<n>(?:\d{1,3}(?:,\d{3})+|\d[\d_]*(?:\.\d+)?)[A-Za-z]{0,3}\b"
    rf"|(?:{_WORDS})\b)(?![\w.,]*\d|\s*[-–+%])"
)
_FILE = r"`(?P<{}>[^`\s:#]+\.\w+)`"
_NAME = (
    r"`(?:(?P<path>[^`\s:#]+)::|-\w, )?"
    r"(?P<name>--[a-z][\w.-]*|@{0,2}[A-Za-z_$][\w$-]*(?:[. ][A-Za-z_$][\w$-]*)*)"
    r"(?:[ =][A-Z<\[][^`]*)?`"
    rf"(?:(?: of `[\w.]+`)? (?:in|from) {_FILE.format('in')})?"
)
_TEXT = r"(?:`(?P<t>[^`\s]+)`|\"(?P<q>[^\"`\s]+)\"|(?P<w>true|false|on|off|enabled|disabled)\b)"
_CELL = rf"(?:`?{_NUMBER}`?|`[\"']?(?![^`]*\$[{{(])(?P<t>[!#-&(-_a-~]+)[\"']?`)"
_BEHIND = rf"(?:(?: by default)? \((?:see |in |`[\w.]+` in )?{_FILE.format('behind')})?"
_AFTER = compiled(
    rf"{_NAME}(?:[^`.;()\d]{{0,40}}, which is|, (?:currently|now)"
    rf"|(?:, which)? (?:is|equals|is set to|defaults to)"
    rf"| ?[=:]| \((?:default(?:s to)?:? )?) ?`?{_NUMBER}`?{_BEHIND}"
)
_DEFAULT = compiled(rf"{_NAME} (?:defaults to|\(default(?:s to)?:?) {_TEXT}{_BEHIND}")
_IS = compiled(rf"{_NAME} is (?:set to )?{_TEXT}{_BEHIND}")
_BY_DEFAULT = compiled(r"(?i)\bdefaults?\b")
_ENDS_BY_DEFAULT = compiled(r" by default(?=[.,;)]|$)")
"""Matches "by default" at the end of a clause. "By default in kubectl" is about another program."""
_ROW = compiled(rf"^[^:;]{{1,40}}: {_NAME}(?:;.*?)?; (?i:default(?: value)?): {_CELL}(?=;|$)")
_LISTED = compiled(
    rf"^{_NAME}[^.;]{{0,150}}?[(\[]default(?:s to|:| is)? (?:`?{_NUMBER}`?|{_TEXT})[)\]]"
)
"""Matches an item that explains a name: "`--row-limit N`: at most N rows (default: 20)"."""
_BEFORE = compiled(rf"{_NUMBER}`?(?:[ -][A-Za-z]+){{0,5}} \((?:see )?{_NAME}\)")
_TEXT_BEFORE = compiled(rf"`(?P<t>[^`\s]+)` \((?:see )?{_NAME}\)", needs=("` (",))
_CITED = compiled(
    r"(?:\((?:see )?(?P<whole>the (?:default|value) (?:of|for) )?"
    r"|[,;] (?:see |(?:see|which is) the default (?:value )?(?:of|for) )"
    r"|\b(?:set|given|defined|limited|configured) (?:by|in|through|via) "
    r"|\bunless (?:you |it is )?(?:set|change[sd]?|raise[sd]?|override|pass)(?: by)? )"
    rf"{_NAME}(?(whole)\))"
)
_TO_CHANGE = compiled(
    r"\b(?:raise|lower|increase|decrease|reduce"
    r"|(?:change|override|adjust|configure) (?:this|it|that)"
    rf" (?:with|by|through|via|using)|(?:configurable|adjustable) (?:with|by|through|via)) {_NAME}",
    needs=("raise", "lower", "crease", "reduce", "change", "overrid", "adjust", "configur"),
)
"""Matches words that tell a reader to change a setting: "raise `MAX_ROWS`"."""
_LIMIT = compiled(r"(?i)\bdefaults?\b|\bup to\b|\bat most\b|\bno more than\b|\blimit")
"""Matches words for a default or a limit."""
_OF = compiled(rf"{_NAME} of `?{_NUMBER}`?", needs=("` of ",))
"""Matches a value behind its name: "a `MaxDepth` of 20"."""
_END_OF_CLAUSE = compiled(r"[.;()] ")
_OTHER_CODE = compiled(r"`[\d_,.]*[^`\d_,.][^`]*`")
"""Matches a code span that is not only a number."""
_A_NUMBER = compiled(_NUMBER.replace("+%", "+"))
"""Matches a number, which may be a share in percent."""
_LONG = compiled(
    r"--[a-z]+[-.][a-z]|_*(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[a-z]\w*_\w|[A-Za-z]\w*[a-z0-9][A-Z]\w)"
)
"""Matches a name of several words, which is looked up in all files. For other names the text must
name the file."""
_UNITS = frozenset(
    {7, 12, 24, 60, 100, 168, 365, 1440, 10_080}
    # Minute, hour, day, week, month and year, in seconds and in milliseconds.
    | {n * ms for n in (60, 3600, 86_400, 604_800, 2_592_000, 31_536_000) for ms in (1, 1000)}
    | {1000**n for n in (1, 2, 3)}
    | {1024**n for n in (1, 2, 3)}
)
"""Factors between usual units of time, of size, and of shares."""
_NUMBERS = {"int": 1, "float": 1, "duration": 10**9}
"""Kinds of values that are compared, with the divisor: a duration in Go is compared in seconds."""
_QUANTITY = compiled(r"(\d[\d_]*(?:\.\d+)?) ?[A-Za-z]{0,3}")
"""Matches a text that states a number: `30`, `512K`."""
_IN_BASE = compiled(r"0(?:[xX][\da-fA-F_]+|o[0-7_]+|b[01_]+)")
"""Matches a number such as `0o644` or `0xFF`."""
_OF_RUNTIMES = ("rust-version", "requires-python", "python_requires", "required_ruby_version")
"""Fields whose versions `runtime_version` checks."""
_NOTHING = compiled(r"(?i)null|none|nil|undefined|empty|unset|auto|")
"""Matches words for a missing value, for which programs have many spellings."""
_TOKEN = compiled(r"[-\w.'\"]+")
_SIGNS = compiled(r"[\W_]+")
_TRUTHS = {
    **dict.fromkeys(("true", "on", "enabled"), True),
    **dict.fromkeys(("false", "off", "disabled"), False),
}
_SEVERAL = compiled(r"`?(?:/| or )`")
"""Matches between values that a setting may have: "`tier` (`256`/`480`)"."""
_UNREAD = compiled(r"\.(?:vue|svelte|astro)$")
"""Matches files of code that is not parsed. A name in one of them may be another setting."""
_FILES = 20
"""Maximum number of files that are searched for the definition of a name."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the values in a claim that are beside the name of a constant, variable or setting."""
    text = claim.text
    if "`" not in text:
        return _unset(path, claim)
    stated = (m for pattern in _patterns(claim) for m in pattern.finditer(text))
    every = (*filter(_is_default, stated), *_with_files(text))
    found = {m.start(): r for m in every if (r := _reference(path, m))}
    seen = {r.end for r in found.values()}
    beside = (
        _beside_citation(path, m, before)
        for m, before in _cited(text)
        if seen.isdisjoint((m.end(), m.end() + 1))
    )
    given = (
        _reference(path, m, file=_only_file(text)) for m in filter(_is_default, _OF.finditer(text))
    )
    plain = [*found.values(), *filter(None, (*beside, *given))]
    return plain or _unset(path, claim)


def _is_default(found: re.Match[str]) -> bool:
    """Returns whether a text states what a name always is, and not "if `rows` is set to 3". For an
    option that is its default, and not the value in "make sure that `--max-rows` is 5", in one case
    or of another program."""
    text, start, end = found.string, found.start(), found.end()
    if not found["name"].startswith("--"):
        return not _IF.search(text, max(0, start - _NEAR), start)
    ends = not start and _END.match(text, end)
    told = ends or _BY_DEFAULT.search(text, max(0, start - _NEAR), end)
    around = f"{text[:start]}{found[0].partition('`')[2].partition('`')[2]} {text[end:]}"
    files = (found.groupdict().get(key) for key in ("in", "behind"))
    for file in filter(None, files):
        around = around.replace(f"`{file}`", "")
    return bool(told) and not _CASE.search(around)


_END = compiled(r"`?(?: by default)?\.?$")
_IF = compiled(r"(?i)\b(?:if|when|unless) $")
_CASE = compiled(r"(?i)\b(?:if|when|unless|until|before|version)\b|\b(?:for|in|of|with) `")
"""Matches words of a sentence about one case, version or program."""


def _unset(path: str, claim: Claim) -> list[Reference]:
    """Returns the only number of a sentence that tells what holds unless a variable is set: "unless
    MAX_ROWS is set, it shows 20 rows"."""
    text = claim.text if claim.form is not Form.ROW else ""
    found = _UNSET.search(text)
    if found is None or not _is_long(found["name"]):
        return []
    numbers = [*_A_NUMBER.finditer(_OTHER_CODE.sub(lambda m: " " * len(m[0]), text))]
    behind = text[numbers[0].end() : numbers[0].end() + _NEAR].lower() if len(numbers) == 1 else ""
    if not any(word in behind for word in _words_of(found["name"])):
        return []  # "unless MAX_ROWS is set, it exits with status 2"
    number = numbers[0]
    of = f"{FORM} {found['name']} "
    return [Reference(KIND, path, _with_unit(number), number.start(), number.end(), of)]


def _with_unit(number: re.Match[str]) -> str:
    """Returns a number as it is written, with the unit of time behind it."""
    unit = _OF_TIME.match(number.string, number.end("n"))
    return number["n"] + (unit[0] if unit else "")


_OF_TIME = compiled(r" (?:(?:millisecond|second|minute|hour|day|week)s?|ms|s)\b")


_NEAR = 40
"""Maximum distance of the counted noun behind a number, in characters."""
_UNSET = compiled(
    r"(?i:\bunless|\b(?P<if>if|when)) `?(?P<name>[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)`? is "
    r"(?(if)(?:unset|not (?:set|given|defined)|missing)|set)\b",
    needs=("unless ", "if ", "when "),
)
"""Matches a variable whose default a text tells: "unless MAX_ROWS is set, it shows 20 rows"."""


def _cited(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yields each setting that a text names behind its value, with the text to search for the
    value: the clause before "see `LIMIT`", or all text before "raise `LIMIT`", if it is about a
    default and has a word of the name."""
    for found in _CITED.finditer(text):
        if found["in"] or _is_long(found["name"]):
            yield found, _END_OF_CLAUSE.split(text[: found.start()])[-1]
    for found in _TO_CHANGE.finditer(text):
        before = text[: found.start()]
        named = any(word in before.lower() for word in _words_of(found["name"]))
        if named and _is_long(found["name"]) and _LIMIT.search(before):
            yield found, before


def _words_of(name: str) -> Iterator[str]:
    """Yields the words of a name that say what its value counts: `redirect` for `maxRedirects`."""
    words = (w.lower() for w in re.findall(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}", name))
    yield from (w.rstrip("s") for w in words if w not in _OF_ANY_VALUE)


_OF_ANY_VALUE = ("max", "min", "num", "default", "limit", "count", "time", "size", "get", "set")


def _only_file(text: str) -> str:
    """Returns the file of code in the code spans of a text, if there is only one."""
    files = {s.text for s in code_spans(text) if has_parser(s.text) and looks_like_path(s.text)}
    return files.pop() if len(files) == 1 else ""


def _with_files(text: str) -> Iterator[re.Match[str]]:
    """Yields the values in a text that names their file. A file behind the value needs a word such
    as "default", because the value may otherwise be that of one case."""
    by_default = _BY_DEFAULT.search(text) is not None
    beside = _TEXT_BEFORE.finditer(text)
    for found in (*_IS.finditer(text), *beside):
        switched = found.groupdict().get("w") and _ENDS_BY_DEFAULT.match(text, found.end())
        if (
            found["in"]
            or (by_default and found.groupdict().get("behind"))
            or (switched and _is_long(found["name"]))
        ):
            yield found


def _beside_citation(path: str, found: re.Match[str], before: str) -> Reference | None:
    """Returns the only number in `before`, the text that ends at the name that gives it. A number
    inside of other code, such as `localhost:8080`, does not count."""
    bare = _OTHER_CODE.sub(lambda m: " " * len(m[0]), before)
    numbers = [*_A_NUMBER.finditer(bare)]
    if len(numbers) != 1 or not (reference := _reference(path, found, numbers[0])):
        return None
    return reference._replace(start=found.start() - len(before) + numbers[0].start())


def _patterns(claim: Claim) -> Sequence[re.Pattern[str]]:
    return (_AFTER, _BEFORE, _DEFAULT, _LISTED if claim.form is not Form.ROW else _ROW)


def _reference(
    path: str, found: re.Match[str], number: re.Match[str] | None = None, file: str = ""
) -> Reference | None:
    groups = found.groupdict()
    value = next((groups[g] for g in "tqw" if groups.get(g)), "") or _with_unit(number or found)
    value = value[1:-1] if len(value) > 2 and value[0] == value[-1] in "\"'" else value
    file = _file_of(found) or file
    if (
        _NOTHING.fullmatch(value)
        or found["name"] in _OF_RUNTIMES
        or _SEVERAL.match(found.string, found.end())
        or not (file or _is_long(found["name"]))
    ):
        return None
    of = f"{FORM} {found['name']} {file}"
    return Reference(KIND, path, value, found.start(), found.end(), of)


def _is_long(name: str) -> bool:
    return _LONG.match(_spellings(name)[""]) is not None


def _file_of(found: re.Match[str]) -> str:
    """Returns the file that a text names for a value, or an empty string."""
    return found["path"] or found["in"] or found.groupdict().get("behind") or ""


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a result for each value in the claims that the code confirms or contradicts."""
    values = (r for r in asked if r.of.startswith(FORM))
    own = {r: r.of.removeprefix(f"{FORM} ").rpartition(" ")[::2] for r in values}
    searched = {w for name, file in own.values() if not file for w in _spellings(name).values()}
    try:
        files = files_with(context.repo, context.tree, searched, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        files = {}
    found: Answers = {}
    for reference, (name, file) in own.items():
        code = _code_with(name, file, reference.path, files, context.tree)
        if 0 < len(code) <= _FILES and (answer := _compare(reference, name, code, context)):
            found[reference] = answer
    return found


def _code_with(
    name: str, file: str, document: str, files: Mapping[str, Sequence[str]], tree: Tree
) -> Sequence[str]:
    """Returns the files whose values are compared. Returns nothing if the text names no file, and
    code that is not parsed contains the name."""
    if file:
        return resolve_path(Request(document, Citation(CitationKind.PATH, file)), tree)
    ways = sorted({*_spellings(name).values()})
    found = (p for way in ways for p in files.get(way, ()) if way == _spelling_in(p, name))
    paths = [p for p in found if not is_test_or_sample(p)]
    return [] if any(map(_UNREAD.search, paths)) else list(filter(language_of, paths))


def _spellings(name: str) -> dict[str, str]:
    """Maps languages to the spelling of a name in code: without its owner, and of an option as the
    language declares it. "" stands for all languages that are not in the map."""
    if not name.startswith("--"):
        return {"": name.rpartition(".")[2]}
    return {"": name, "go": name[2:], "rust": name[2:].replace("-", "_")}


def _spelling_in(path: str, name: str) -> str:
    ways = _spellings(name)
    return ways.get(language_of(path), ways[""])


def _number_of(value: Value | None) -> Fraction | None:
    """Returns the number of a literal. The text of a number, such as "30" or "512K", counts too."""
    if value is not None and value[0] == "text" and (m := _QUANTITY.fullmatch(value[1])):
        return Fraction(m[1].replace("_", ""))
    return Fraction(value[1]) / _NUMBERS[value[0]] if value and value[0] in _NUMBERS else None


def _claimed(text: str) -> Value:
    text = text.partition(" ")[0]
    plain = text.replace(",", "").replace("_", "")
    if text in CARDINALS:
        return ("int", Fraction(CARDINALS[text]))
    if _IN_BASE.fullmatch(text):
        return ("int", Fraction(int(text, 0)))
    if plain[:1].isdigit() and (number := _number_of(("text", plain))) is not None:
        return ("int", number)
    truth = _TRUTHS.get(text.lower())
    return ("text", text) if truth is None else ("truth", truth)


def _same_kind(value: Value | None, kind: str) -> Value | None:
    """Returns the value as `kind`, or None if the value is of another kind."""
    if kind == "int":
        number = _number_of(value)
        return None if number is None else ("int", number)
    return value if value is not None and value[0] == kind else None


def _shown(literal: Value, given: GivenValue) -> str:
    """Returns a literal as the file writes it, without the expression around it."""
    # Of a constant, the value is shown.
    named = given.written[:1].isalpha() and given.written.lower() not in _TRUTHS
    named = named and literal[0] in (*_NUMBERS, "truth")
    if literal[0] == "duration" or (_TOKEN.fullmatch(given.written) and not named):
        return given.written
    if literal[0] == "truth":
        return str(literal[1]).lower()
    return f"{float(literal[1]):.12g}" if literal[0] in _NUMBERS else str(literal[1])


def _is_part(one: str, other: str) -> bool:
    """Returns whether one text has the letters and digits of the other, as `Back` of "← Back"."""
    short, long = sorted((_SIGNS.sub("", t.casefold()) for t in (one, other)), key=len)
    return short in long


class _Given(NamedTuple):
    """A literal that a file gives a name: the literal as the kind that is compared, and as it is.
    `literal` is None if only a run can tell the value."""

    path: str
    place: GivenValue
    value: Value | None
    literal: Value | None


def _all_given(name: str, kind: str, paths: Iterable[str], tree: Tree) -> Iterator[_Given]:
    """Yields every literal of a kind that files give a name."""
    for path in paths:
        text = text_of(tree, path) if tree.size(path) <= LARGEST else None
        for place in given_values(path, text or "", _spelling_in(path, name)) or ():
            if name.startswith("--") and path.endswith((".go", ".rs")) and not place.declared:
                continue  # a variable or string with the name of an option
            same = [(_same_kind(v, kind), v) for v in place.literals]
            certain = None not in place.literals and sum(v is not None for v, _ in same) <= 1
            if not certain:
                yield _Given(path, place, None, None)
            yield from (_Given(path, place, value, v) for value, v in same if value)


def _deciding(every: list[_Given]) -> list[_Given]:
    """Returns the literals that decide about a value. If one is declared as a default, uses of the
    name and computed values do not count."""
    if not any(one.place.declared for one in every):
        return every
    return [g for g in every if g.place.declared or (g.value and not g.place.used)]


def _compare(
    reference: Reference, name: str, paths: Iterable[str], context: Context
) -> TreeAnswer | None:
    claimed = _claimed(reference.name)
    given = _deciding(list(_all_given(name, claimed[0], paths, context.tree)))
    named_file = not reference.of.endswith(" ")
    declared = named_file or not all(one.place.used for one in given)
    actual = given[0].value if len({one.value for one in given}) == 1 and declared else None
    # `PORT_VARIABLE = "PORT_VARIABLE"` only names a variable of the environment.
    if actual is None or actual == ("text", name.rpartition(".")[2]):
        return None
    path, place, _, literal = given[-1]
    target = f"{path}::{name}"
    if claimed == actual:
        return TreeAnswer(Verdict.CONFIRMED, target, line=place.line, loose=True)
    # `flag.Int("rows", 0, …)` may stand for a default that the program computes.
    if _may_be_same(claimed, actual) or (name.startswith("--") and not actual[1]):
        return None
    shown = _shown(literal or actual, place)
    if _IN_BASE.fullmatch(reference.name):
        shown = format(int(actual[1]), f"#{reference.name[1].lower()}")
    reason = f"{name} in {path} is {shown}, not {reference.name}"
    instead = "" if " " in reference.name else shown  # the code may count in another unit
    return TreeAnswer(Verdict.REFUTED, target, reason, place.line, instead=instead)


def _may_be_same(claimed: Value, actual: Value) -> bool:
    """Returns whether two different values may mean the same, for example in other units."""
    if claimed[0] == "int":
        small, large = sorted((claimed[1], actual[1]))
        switch = not small and large == 1  # one place may switch on what another switches off
        return bool(small < 0 or switch or (small and large / small in _UNITS))
    if claimed[0] != "text":
        return False
    member = MEMBER.fullmatch(actual[1])
    if member and not claimed[1][:1].isupper():
        return True  # `md` may be the text of `Format.MARKDOWN`
    short = member["name"][:4] if member else ""  # `WARNING` may be another spelling of `WARN`
    return _is_part(claimed[1], actual[1]) or bool(short and short in claimed[1])
