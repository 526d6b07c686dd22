"""Checks `symbol` references: names of code in backticks.

A name is right if the tree defines the name exactly once. A name is wrong if a commit removed the
last definition and no code file contains the name now.
"""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from grounded_ingest.code.definitions import (
    CodeDefinition,
    body_of,
    definitions_in,
    definitions_of,
    has_parser,
)
from grounded_ingest.code.grammars import language_of
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.extract.code_blocks import code_blocks
from grounded_ingest.git.trees import CommitTree, Tree, text_of
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.kept_parses import KeptParses
from grounded_ingest.references.own_member import ROOT, TWO_WORDS, place_without
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.prefixed_name import ENVIRONMENT, absent_names
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.references.site_pages import is_site_page
from grounded_ingest.text.code_spans import CodeSpan, blank_code, code_spans
from grounded_ingest.text.dated_paths import is_current_path, is_test_or_sample
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.lexicon.citation_cues import PROPS
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.references.removal_history import NameRemoval

KIND = CitationKind.SYMBOL

FILES = 60
"""Maximum number of files that are parsed for one name. If more files contain the name, only those
with a keyword such as `class` before it are parsed."""
MOST_FILES = 300
"""Maximum number of files that contain a name. A name in more files is not looked up."""

TOGETHER = 8
"""Number of cited names that one commit may have removed. If it removed more, it dropped a package
or version, so the names are reported only on pages that are mostly about the current code."""
CURRENT = 2 / 3
"""Share of a page's code names that code files contain if the page is about the current code."""
LONGEST = 120
"""Maximum number of characters in a name."""

_NAME = compiled(r"(?:[^\W\d][\w$]*(?:\.|::|#))*[^\W\d][\w$]{2,}(?:\(\))?!?$")
_MEMBER = compiled(r"((?:[A-Z]\w*::)*[A-Z]\w*[a-z]\w*)(?:\.|::|#)[^\W\d][\w$]*")
_BASES = compiled(
    r"\s*(?:final\s*)?(?:\((?P<bases>[\w\s,=.]*)\)|extends (?P<one>\w+)|:(?P<more>[\w\s,]*))?\s*"
    r"(?:implements [\w\s,.]+)?(?:struct)?\s*"
)
"""Matches the text between the name of a class with plain bases and its body, such as
`(Base, Other)`, `extends Base` and `: public Base`, or of a struct in Go."""
_IN_BRACKETS = compiled(r"<[^<>]*>")
_PARAMETERS = compiled(r"\([^()]*\)")
_BASE = compiled(r"[\w.:]+")
_INCLUDED = compiled(r"(?m)^\s+include ([A-Z][\w:]*(?:, *[A-Z][\w:]*)*)")
"""Matches the modules that a class in Ruby includes."""
_ANY_MEMBER = compiled(
    r"__getattr__|setattr|method_missing|define_method(?! ?\(?:)|__call\b|__get\b|"
    r"dynamicMemberLookup|(?m:^\s+(?:extend|prepend) [A-Z])|"
    r"(?m:^\s+use [\w\\]+(?:, [\w\\]+)* ?[;{])|@(?:Data|Getter|Setter|Value|Builder)\b|"
    r"\[\w+(?: ?: ?(?:string|number)| in \w+)\]|\bthis\[\w+\] ?=(?!=)|"
    r"(?m:^\t+\*?[\w.]+(?:\[.*\])?(?: +[`/].*)?$)"
)
"""Matches code that gives a class members that its body does not name. In Go, a line with only a
type embeds the members of the type."""
_STATE = compiled(r"(?ms)^    def __setstate__.*?(?=^    \S|\Z)", needs=("__setstate__",))
"""Matches `__setstate__`, whose `setattr` only restores attributes, and so adds no member."""
_MADE = compiled(r"= new (\w+)\([^()]*\);?$")
"""Matches the definition of an instance of a class: `store = new StoreSingleton()`."""
_NO_MEMBERS = frozenset((
    "ABC", "Enum", "Protocol", "object", "type", "metaclass", "public", "protected", "private",
    "virtual",
))  # fmt: skip
_OF_EVERY_TYPE = frozenset(lexicon.OF_EVERY_TYPE.split())
_LAST = compiled(r"[^\W\d][\w$]*")
_SHAPED = compiled(r"_|[a-z\d][A-Z]|[A-Z]{2,}\d*$|\(\)$|[.:#]|^[A-Z][a-z]+[A-Z]")
DEFINES = compiled(
    r"\b(?:class|module|interface|trait|def|fn|func|function|const|let|type|struct|enum)"
    r"(?= +(?:[A-Z]\w*::)*([\w$]+))"
)
_TO_WRITE = compiled(
    r"(?i)\b(?:add|create|define|put|write|implement|introduce|declare)\s+(?:(?:a|an|the|your|new)\s+)*`$"
)
"""Matches the words before a name that does not exist yet: "add `x` in `app.py`"."""
_IN = (
    r"`?(?: (?:class|component|constant|decorator|enum|fixture|function|helper|hook|interface|macro"
    r"|method|mixin|struct|trait|type|variable))?\s*"
    r"(?:\((?:see |in )?|(?:,? which )?(?:is |are |lives? |stands? )?"
    r"(?:defined |found |declared |implemented )?in\s+|"
    r"of\s+|from\s+)`?"
)
_DEFINED = compiled(
    r"`[\s,]*(?:which )?(?:(?:is |are )?(?:defined|declared|implemented)\b|(?:is|lives?) in `)"
)
"""Matches words that say that the file behind a name defines it, and does not only use it."""
_DEFINED_FAR = compiled(
    r"` (?:(?:class|constant|enum|function|helper|interface|list|macro|map|method|struct|table"
    r"|trait|type) (?:[a-z-]+ ){0,6}?(?:is|are|lives?) in"
    r"|(?:[a-z-]+ ){1,8}?(?:is|are) (?:defined|declared|implemented) in) `$",
    needs=(" in `",),
)
"""Matches these words in "the `LIMITS` table of all limits is in `src/limits.rs`"."""
_SUBJECT = compiled(r"(?:^|[.;:] |\b(?:[Tt]he|our|and) )`+$")
"""Matches the text before the subject of a sentence: not "the type that `LIMITS` uses is in …"."""
_BEFORE_FILE = compiled(rf"{_IN}\s*$")
"""Matches the words between a name and its file in backticks."""
_IN_PLAIN_FILE = compiled(
    rf"{_IN}(?P<file>(?:[\w.-]+/)+[\w-]+\.\w+)(?![\w`/])|`? \((?:in )?(?P<bare>[\w-]+\.\w+)\)",
    needs=("in ", "of ", "from ", "("),
)
"""Matches these words with a file without backticks."""
_GIVES = compiled(
    r"`? (?:also |only )?(?:exports|defines|declares|contains|provides|offers) (?:(?:a|an|the) )?"
    r"(?:(?:class|constant|enum|function|helper|interface|method|struct|trait|type) )?`?$",
    needs=("exports", "defines", "declares", "contains", "provides", "offers"),
)
"""Matches the words between a file and a name that it has: "`src/a.js` exports `name`"."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the names in code spans that look like code, and the names that link to code. In each
    reference, `of` is the file that the text names beside the name, or the link's target, or an
    empty string."""
    spans = list(code_spans(claim.text))
    found = [*_linked(path, claim)]
    linked = {r.start for r in found}
    for n, span in enumerate(spans):
        if span.start in linked:
            continue
        of = _file_of(n, spans, claim.text)
        if name := _symbol(span.text, shaped=not of):
            if owner := _owner_behind(n, spans, claim.text) if not of else "":
                name = f"{owner}.{name}"
            # The reference includes a file behind the name.
            behind = claim.text.find(of, span.start) if of else -1
            end = behind + len(of) if behind >= 0 else span.start + len(span.text)
            between = claim.text[span.start + len(span.text) : max(0, behind)]
            if of and (_DEFINED.match(f"{between}`") or _DEFINED_FAR.match(between)):
                of = f"{_HOME}{of}"
            of = of or ENVIRONMENT * _is_called_variable(claim.text, span, name)
            found.append(Reference(KIND, path, name, span.start, end, of))
        found += _calls_inside(path, span)
    return [*found, *_plain_variables(path, claim.text), *_plain_members(path, claim.text)]


def _owner_behind(number: int, spans: Sequence[CodeSpan], text: str) -> str:
    """Returns the class to which a text says that a member belongs: `Store` in "`max_rows` of the
    `Store`". Returns an empty string if there is none."""
    here, behind = spans[number], next(iter(spans[number + 1 : number + 2]), None)
    if behind is None or not _MEMBER.fullmatch(f"{behind.text}.a") or "." in here.text:
        return ""
    between = text[here.start + len(here.text) : behind.start]
    before = text[max(0, here.start - 20) : here.start]
    # `RwLock` on the `Store` may be a type around it, but one sets only members.
    member = not here.text[0].isupper() or _SETS.search(before)
    other = _NOUN_BEHIND.match(text, behind.start + len(behind.text)) or _NEEDS.search(before)
    return behind.text if member and not other and _BELONGS.fullmatch(between) else ""


# Match the words before a member that is not there yet, and before one that the class has.
_NEEDS = compiled(r"(?i)\b(?:add|define|implement|introduce|needs?|wants?|create)\b[^.;]*$")
_SETS = compiled(r"(?i)\b(?:set|call|override) (?:the )?`$")
_BELONGS = compiled(
    r"`(?: (?:attribute|field|method|option|property|setting))? (?:on|of)"
    r"(?: (?:an?|any|each|every|the))? `"
)
# Matches a noun that makes a class the name of something else: "the `Store` table".
_NOUN_BEHIND = compiled(r"` (?:row|table|module|metric|page|record|column|package|view|file)s?\b")


def _calls_inside(path: str, span: CodeSpan) -> Iterator[Reference]:
    """Yields the qualified names among the arguments of a call: `shop.WithRows` in
    `shop.New(shop.WithRows(3))` and `Kind::Sale` in `add_row(Kind::Sale)`."""
    for m in _ARGUMENT.finditer(span.text) if "(" in span.text else ():
        yield Reference(KIND, path, m[1], span.start + m.start(1), span.start + m.end(1))


_ARGUMENT = compiled(r"[(,] ?([a-z]\w*\.[A-Z]\w*(?=\()|[A-Z]\w*(?:::|\.)[A-Z]\w{2,}(?=[,)(]))")


def _plain_members(path: str, text: str) -> Iterator[Reference]:
    """Yields the qualified names of two words that a text writes without backticks, such as
    shop.errors.RowError or shop.add_row()."""
    outside = "`".join(text.split("`")[::2])
    dotted = any(part[:1].isalpha() for part in outside.split(".")[1:])
    for m in _PLAIN_MEMBER.finditer(blank_code(text)) if dotted else ():
        if m[0].endswith("(") or not looks_like_path(m["name"]):
            yield Reference(KIND, path, m["name"], m.start(), m.end("name"))


_PLAIN_MEMBER = compiled(
    r"(?<![\w./@:#-])(?P<name>(?:[a-z]\w+\.)+(?:[A-Z][a-z]+[A-Z]\w*"
    r"|[a-z]+_\w+(?=\()))\(?(?![\w/@-]|\.\w)"
)
"""Matches `shop.RowError`, and `shop.add_row` only before a parenthesis: it may be a file."""


def _plain_variables(path: str, text: str) -> Iterator[Reference]:
    """Yields the names that a text calls environment variables and writes without backticks."""
    for m in _PLAIN_VARIABLE.finditer(text):
        yield Reference(KIND, path, m[1], m.start(1), m.end(1), ENVIRONMENT)


_PLAIN_VARIABLE = compiled(
    r"(?i:\benvironment variables?|\benv var) ([A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d])(?![\w`*])",
    needs=("environment variable", "env var"),
)
_VARIABLE = compiled(r"(?i)\b(?:environment |env(?:ironment)? ?)var(?:iable)?s?\b|\bexport\b")


def _is_called_variable(text: str, span: CodeSpan, name: str) -> bool:
    """Returns whether a text calls a name in capitals an environment variable, or sets it."""
    beside = text[max(0, span.start - _BESIDE) : span.start + len(span.text) + _BESIDE]
    return name.isupper() and ("=" in span.text or _VARIABLE.search(beside) is not None)


_BESIDE = 40
"""Maximum distance of the words "environment variable" from the name, in characters."""


_HOME = "home:"
"""Precedes a file in `Reference.of` of which the text says that it defines the name."""
_LINK = "link:"
"""Precedes the target of a link in `Reference.of`. A backtick follows if the label has some."""
PASSES_ON = compiled(r"\b(?:export|import)\s*\*|\bmodule\.exports\b|\bexports\[")
"""Matches code that may have names which the file does not contain."""
_LABEL = compiled(
    r"\[(?P<tick>`?)(?P<name>[\w.$:#()]+)(?P=tick)\]\((?P<file>[^()\s#]+)(?:#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?)?\)"
)


def _linked(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields the names that are the label of a link to a file of code: [`Store`](src/store.py)."""
    for m in _LABEL.finditer(claim.text) if "](" in claim.text else ():
        file = m["file"]
        shaped = not (m["tick"] and m["name"][0].isupper())
        name = _symbol(m["name"], shaped=shaped) if has_parser(file) else ""
        if name and name.lower() not in file.lower():
            yield Reference(KIND, path, name, m.start("name"), m.end(), f"{_LINK}{m['tick']}{file}")


def is_shaped(name: str) -> bool:
    """Returns whether a name looks like a name of code, and not like an ordinary word."""
    return _SHAPED.search(name) is not None


_DECLARED = compiled(
    r"(?:(?:async|export|pub|public|static|def|fn|func|function) )*(?P<name>[A-Za-z_$][\w$]{2,})"
    r"(?:<\w+>)?\((?:[^`()]*\w\??: ?[^`()]*\)(?: ?(?::|->) ?[^`]+)?|[^`()]*\) ?(?::|->) ?[^`\s]+)"
)
"""Matches a function with its types: `is_due(day: date) -> bool`, `slugify(text): string`."""


_ARGUMENTS = compiled(r"(?<=\w)\((?:[^()`]|\([^()`]*\))+\)$")
_NEW = compiled(r"^(?:[a-z]\w*\.)?([A-Z]\w*)(?:\{\}|\(\))(?=\.)", needs=("{}.", "()."))
"""Matches an instance that is made for one call: `shop.Store{}` in `shop.Store{}.close()`."""
_SET = compiled(r"(?:export )?(?P<name>_?[A-Z][A-Z\d]*_[A-Z\d_]*)=\S*")


def _symbol(text: str, *, shaped: bool) -> str:
    """Returns the name in a code span, or an empty string. If `shaped` is true, also returns an
    empty string for a name that looks like an ordinary word."""
    if len(text) <= LONGEST:
        text = text.removeprefix("await ").removeprefix("new ").removesuffix("?")
        if found := _DECLARED.fullmatch(text) or _SET.fullmatch(text):
            return str(found["name"])
        text = _NEW.sub(r"\1", _ARGUMENTS.sub("()", text))
    if len(text) > LONGEST or not _NAME.match(text) or looks_like_path(text):
        return ""
    if has_parser(text.partition("::")[0].partition("#")[0]):
        return ""  # `file.py::name` is a citation
    bare = text.removesuffix("!").removesuffix("()")
    if bare.lower() in (*PROPS.split(), "true", "false", "null", "none"):
        return ""
    if shaped and (not is_shaped(text) or bare.split(".")[0].lower() in _foreign()):
        return ""
    return bare


@cache
def _foreign() -> frozenset[str]:
    return frozenset(lexicon.FOREIGN_OWNERS.split())


def _file_of(number: int, spans: Sequence[CodeSpan], text: str) -> str:
    """Returns the file that the text names right behind or before a name, if the text says that the
    file has the name. Returns an empty string if there is no such file."""
    here = spans[number]
    end = here.start + len(here.text)
    beside = text[end:].lstrip("`").partition("`")[0]
    if "." in beside.rstrip(".") and (plain := _IN_PLAIN_FILE.match(text, end)):
        file = str(plain["file"] or plain["bare"])
        return "" if _is_to_write(text, here) or not has_parser(file) else file
    if number and (given := _file_that_gives(spans[number - 1], here, text)):
        return given
    if number + 1 >= len(spans) or _is_to_write(text, here):
        return ""
    return _file_behind(here, spans[number + 1], text)


def _file_behind(here: CodeSpan, behind: CodeSpan, text: str) -> str:
    """Returns the file in the code span behind a name, if the text says that the name is there."""
    between = text[here.start + len(here.text) : behind.start]
    far = _SUBJECT.search(text, 0, here.start) and _DEFINED_FAR.match(between)
    file = _LINES.sub("", behind.text)
    is_file = has_parser(file) and looks_like_path(file)
    told = "::" not in file and is_file and (far or _BEFORE_FILE.match(between))
    return file if told else ""


_LINES = compiled(r"(?::\d+(?:[-–:]\d+)?|#L\d+(?:-L?\d+)?)$")
"""Matches the lines behind a file: `src/app.py:12-40`."""


def _file_that_gives(before: CodeSpan, here: CodeSpan, text: str) -> str:
    """Returns the file in the code span before a name, if the text says that the file exports,
    defines or contains the name."""
    plain = has_parser(before.text) and looks_like_path(before.text)
    between = text[before.start + len(before.text) : here.start]
    return before.text if plain and _GIVES.match(between) else ""


def _is_to_write(text: str, span: CodeSpan) -> bool:
    return _TO_WRITE.search(text[max(0, span.start - 40) : span.start]) is not None


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Looks up code names in the tree and in the git history. Returns a result for each name that
    is certainly right or wrong."""
    words = {r: _word(r.name) for r in asked}
    owners = (_owner(r) or _class_of(r, context.tree) for r in asked)
    wanted = {*words.values(), *map(_word, filter(None, owners))}
    try:
        found = files_with(context.repo, context.tree, wanted, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        return {}
    tree = DefinedNames(context.tree, context, found)
    found_answers: Answers = {}
    lost: list[Reference] = []
    for reference, word in words.items():
        if answer := _answer(reference, tree):
            found_answers[reference] = answer
        elif (
            word not in found
            and not is_in_path(word, context.tree)
            and not _is_in_page(reference, context)
        ):
            lost.append(reference)
    answered = found_answers | _answer_lost(lost, tree, context)
    tree.keep()
    return answered


def _answer_lost(lost: Sequence[Reference], tree: DefinedNames, context: Context) -> Answers:
    """Returns the results for names that no file except prose contains."""
    # The docs of a site may be about an older version, or about a package that has moved out: of
    # 105 removed names on pages of sites in 28 unread repositories, only 11 were wrong.
    current = [r for r in lost if not _is_of_edition(r, context)]
    removed = answer_removed(current, context) if current else {}
    left = [r for r in lost if not _is_refuted(removed.get(r))]
    invented = {r: answer for r in left if (answer := _answer_invented(r, tree))}
    called = {r: answer for r in left if (answer := _answer_called(r, tree))}
    return called | removed | absent_names(left, context) | invented


def _answer_called(reference: Reference, tree: DefinedNames) -> TreeAnswer | None:
    """Returns a "refuted" (wrong) result for a call such as `store.add_sale()` that a change writes
    and that no file except prose contains. The documents call other functions of `store`, and code
    files contain nearly all of them."""
    receiver, _, word = reference.name.rpartition(".")
    if (
        not receiver
        or not TWO_WORDS.match(word)
        or _is_on_base(reference, tree.context)
        or is_test_or_sample(reference.path)
    ):
        return None
    called = _called_on(receiver, tree.tree)
    others = sorted(called - {word})[:_MOST_CALLED] if word in called else []
    tree.search(others)
    known = [o for o in others if not all(map(is_test_or_sample, tree.files.get(o, ())))]
    if len(known) < _FEWEST or len(others) - len(known) > max(1, len(others) // _UNKNOWN):
        return None
    others_of = f"it has {len(known)} others that documents call on {receiver}"
    why = f"no code file contains {word}, although {others_of}"
    return TreeAnswer(Verdict.REFUTED, reference.name, why)


_MOST_CALLED, _UNKNOWN = 30, 10
"""Maximum number of functions that are looked up. At most one of them, or one in `_UNKNOWN`, may be
in no code file."""
_PROSE = (".md", ".mdx", ".markdown", ".rst", ".adoc")


@lru_cache(maxsize=64)
def _called_on(receiver: str, tree: Tree) -> frozenset[str]:
    """Returns the functions that documents about the present call on a receiver."""
    call = re.compile(rf"(?<![\w.]){re.escape(receiver)}\.([^\W\d]\w{{2,}})\(")
    pages = (p for p in tree.files if p.endswith(_PROSE) and is_current_path(p))
    return frozenset(name for p in pages for name in call.findall(text_of(tree, p) or ""))


def _is_of_edition(reference: Reference, context: Context) -> bool:
    """Returns whether a name may be of another version of the code: it stands on a page of a web
    site, and base's page has it too. A name that the change adds is about the present."""
    return _is_on_base(reference, context) and is_site_page(reference.path, context.tree)


def _is_on_base(reference: Reference, context: Context) -> bool:
    """Returns whether base's page has a name, also under the page's former path."""
    former = (old for old, new in context.gone.items() if new == reference.path)
    pages = (text_of(context.base.tree, p) or "" for p in (reference.path, *former))
    return any(reference.name in page for page in pages)


_FEWEST = 3
"""Minimum number of functions in documents that exist in the code."""


def _answer_of_module(reference: Reference, names: DefinedNames) -> TreeAnswer | None:
    """Returns a "refuted" (wrong) result for a member that a package or module of the tree lacks,
    except in old text: of 19 such reports, none seemed right."""
    if names.context.whole or not is_current_path(reference.path):
        return None
    page, files = text_of(names.tree, reference.path) or "", names.files
    word = _word(reference.name)
    place = "" if files.get(word) else place_without(reference.name, page, names.context)
    if not place or is_in_path(word, names.tree) or _is_in_page(reference, names.context):
        return None
    target = f"{'go.mod' if place == ROOT else place}::{word}"
    return TreeAnswer(Verdict.REFUTED, target, f"{place} has no {word}")


def _is_refuted(answer: TreeAnswer | None) -> bool:
    return answer is not None and answer.verdict is Verdict.REFUTED


def _answer_lacking(reference: Reference, tree: DefinedNames) -> TreeAnswer | None:
    """Returns a "refuted" (wrong) result for a member that other code has, but not the named class.
    Returns None if the class or the member has a name of one word, such as `Store`, which may be
    any other name. The signs in `Shop::Store` or `Store::decode` say which class is meant, if no
    language that writes a dot has such a class. Also returns None if too many files contain the
    member."""
    owner, member = _owner(reference), _word(reference.name)
    distinct = "::" in owner or (TWO_WORDS.match(owner) and TWO_WORDS.match(member))
    if not owner or not (distinct or "::" in reference.name):
        return None
    if not distinct and any(p.endswith(_DOTTED) for p, _ in tree.places(owner)):
        return None
    if not 0 < len(tree.files.get(member, ())) <= FILES or _is_of_edition(reference, tree.context):
        return None
    if any(_may_give(owner, path, defined, tree) for path, defined in tree.places(member)):
        return None
    return _answer_invented(reference, tree)


_DOTTED = (".py", ".js", ".jsx", ".ts", ".tsx", ".go", ".java", ".kt", ".cs", ".swift", ".dart")
"""Endings of languages that write members with a dot and not with `::`."""


def _may_give(owner: str, path: str, defined: CodeDefinition, tree: DefinedNames) -> bool:
    """Returns whether a type has a member outside of its body: in an `impl` in Rust, from a trait,
    or as a method in Go."""
    giver = defined.owner[-1] if defined.owner else ""
    trait = rf"\btrait\s+{re.escape(giver)}\b"
    return giver == _word(owner) or bool(giver and re.search(trait, text_of(tree.tree, path) or ""))


def _answer_invented(reference: Reference, tree: DefinedNames) -> TreeAnswer | None:
    """Returns a "refuted" (wrong) result for a member such as `Store.decode` that the class lacks.
    Returns None if the tree does not define the class, or if the class may inherit the member. In
    old text, also if the tree defines several classes with the name: 8 of 8 reports were wrong."""
    owner, member = _owner(reference) or _class_of(reference, tree.tree), _word(reference.name)
    places = _places_of_class(owner, tree) if owner and not _is_of_every_type(member) else []
    places = [] if tree.context.whole and len(places) > 1 else places
    body = _body_without(member, places, tree)
    if not body or not (_owner(reference) or _is_meant(reference, body, tree.tree)):
        return None
    path, defined = places[0]
    name = defined.qualified.replace(".", "::")
    why = f"{path} has no {owner}.{member}"
    return TreeAnswer(Verdict.REFUTED, f"{path}::{name}::{member}", why)


def _body_without(
    word: str, places: Sequence[tuple[str, CodeDefinition]], tree: DefinedNames
) -> str:
    """Returns the text of the classes at all places and of their bases (`known_body`). Returns an
    empty string if one of them contains the word, or is not known."""
    bodies = [known_body(path, defined, tree) for path, defined in places]
    known = all(body is not None and not _has_word(word, body) for body in bodies)
    return "\n".join(map(str, bodies)) if known else ""


def _is_of_every_type(member: str) -> bool:
    return member in _OF_EVERY_TYPE or member.startswith("_")


def _places_of_class(owner: str, tree: DefinedNames) -> list[tuple[str, CodeDefinition]]:
    """Returns the definitions of a class, without tests, which may imitate a class of a library. A
    variant `Error::Store` of an enum is not `Store`."""
    every = tree.places(owner)
    places = [(path, defined) for path, defined in every if not defined.owner] or every
    return [(path, defined) for path, defined in places if not is_test_or_sample(path)]


def _has_word(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}\b", text) is not None


def _is_meant(reference: Reference, body: str, tree: Tree) -> bool:
    """Returns whether a variable with a method is an instance of the class with its name: the
    method has two words, or the page calls at least two methods of the class by the variable."""
    variable, _, member = reference.name.partition(".")
    page = text_of(tree, reference.path) or ""
    called = {*re.findall(rf"\b{re.escape(variable)}\.(\w+)\(", page)} - {member}
    return bool(TWO_WORDS.match(member)) or sum(_has_word(c, body) for c in called) > 1


def known_body(
    path: str, defined: CodeDefinition, tree: DefinedNames, depth: int = 5
) -> str | None:
    """Returns the source text of a class with the text of all its bases. Returns None if the tree
    does not define each base exactly once, so that the class may have other members."""
    body = _STATE.sub("", body_of(defined, text_of(tree.tree, path) or ""))
    if made := _MADE.search(body) if defined.kind == "value" else None:
        return _only_body(made[1], path, tree, depth)
    if defined.kind not in ("class", "type"):
        return None
    head = _head_of(body.partition(defined.name)[2], path, tree)
    bases = None if _ANY_MEMBER.search(body) else _bases_of(head, body, tree.tree)
    if bases is None:
        return None
    bodies = [_members_of_error(b) or _only_body(b, path, tree, depth) for b in bases]
    return None if None in bodies else "\n".join((body, *filter(None, bodies)))


def _bases_of(head: str, body: str, tree: Tree) -> Set[str] | None:
    """Returns the names of the bases of a class. `head` is the text between the name of the class
    and its body. Returns None if a base is computed, or belongs to another package."""
    found = _BASES.fullmatch(_IN_BRACKETS.sub("", head).rstrip("; "))
    if found is None:
        return None
    named = found["bases"] or found["one"] or found["more"] or ""
    written = [*_BASE.findall(named), *_BASE.findall(" ".join(_INCLUDED.findall(body)))]
    if not all(_is_own_base(base, tree) for base in written):
        return None
    return {re.split(r"[.:]", base)[-1] for base in written} - _NO_MEMBERS


@cache
def _members_of_error(name: str) -> str:
    """Returns the members of a built-in error of Python or JavaScript, and the classes above it.
    Returns an empty string for other names."""
    error = getattr(builtins, name, None)
    if isinstance(error, type) and issubclass(error, BaseException):
        types = ((n, o) for n, o in vars(builtins).items() if isinstance(o, type))
        above = (name for name, base in types if issubclass(error, base))
        return " ".join((*dir(error), *above))
    return "Error name message stack cause toString" if name == "Error" else ""


def _is_own_base(base: str, tree: Tree) -> bool:
    """Returns whether a base with a dot, such as `rows.Base`, may be of a module of the tree."""
    *modules, name = base.split(".")
    return not modules or name in _NO_MEMBERS or bool(tree.ending_with(f"{modules[-1]}.py"))


def _head_of(text: str, path: str, tree: DefinedNames) -> str:
    """Returns the text between the name of a class and its body, without parameters as in `class
    Store(val rows: Int) : Base(rows) {` in Kotlin or `struct Store(Rows);` in Rust."""
    if path.endswith((".py", ".pyi", ".rb")):
        return text.partition("\n")[0].partition(":")[0]
    head = text.partition("{")[0]
    passes_on = path.endswith(".rs") and "Deref" in (text_of(tree.tree, path) or "")
    return head if passes_on else _PARAMETERS.sub("", head)


def _only_body(name: str, user: str, tree: DefinedNames, depth: int) -> str | None:
    """Returns the text of the class that the file `user` means by this name, and of its bases.
    Returns None if the tree does not define the class exactly once in the language of `user`."""
    tree.search([name])
    places = [p for p in tree.places(name) if language_of(p[0]) == language_of(user)]
    return known_body(*places[0], tree, depth - 1) if len(places) == 1 and depth else None


def _owner(reference: Reference) -> str:
    found = _MEMBER.fullmatch(reference.name)
    return found[1] if found else ""


_OF_VARIABLE = compiled(r"(?P<variable>[a-z][a-z\d_]*)\.[^\W\d]\w*")


def _class_of(reference: Reference, tree: Tree) -> str:
    """Returns the class that a variable is named after, as `Schema` for `schema`, if the page calls
    the method, and does not assign the variable. Returns an empty string otherwise."""
    found = _OF_VARIABLE.fullmatch(reference.name) if "." in reference.name else None
    page = text_of(tree, reference.path) or "" if found else ""
    if found is None or f"{reference.name}(" not in page:
        return ""
    variable = str(found["variable"])
    owner = variable.title().replace("_", "")
    # The page may assign the variable, or mean another class: `handle` of a `MockHandle`.
    other = rf"\b{variable}\b *(?::=|=(?!=))|\bas {variable}\b|[a-z]{owner}\b"
    return "" if re.search(other, page) else owner


@lru_cache(maxsize=2)
def _path_names(tree: Tree) -> frozenset[str]:
    files = filter(NO_PROSE, tree.files)
    return frozenset(n.partition(".")[0] for path in files for n in path.split("/"))


def is_in_path(name: str, tree: Tree) -> bool:
    """Returns whether a file or directory is called `name`, apart from its ending. Prose files do
    not count."""
    return name in _path_names(tree)


def _is_in_page(reference: Reference, context: Context) -> bool:
    page = text_of(context.tree, reference.path) or ""
    return _word(reference.name) in _names_in_blocks(page)


@lru_cache(maxsize=4)
def _names_in_blocks(page: str) -> frozenset[str]:
    return frozenset(n for block in code_blocks(page) for n in DEFINES.findall(block.text))


def _word(name: str) -> str:
    return str(_LAST.findall(name)[-1])


class DefinedNames:
    """Finds the definitions in a tree. Only files that contain a searched word are parsed."""

    def __init__(self, tree: Tree, context: Context, files: Mapping[str, Sequence[str]]) -> None:
        self.tree, self.context = tree, context
        self.files: Mapping[str, Sequence[str]] = files
        kept_as: Any = tuple[CodeDefinition, ...] | None
        self._parsed = KeptParses(tree, context.cache, definitions_in, kept_as)
        self.keep = self._parsed.keep
        self._keyword_names: dict[str, frozenset[str]] = {}

    def search(self, words: Iterable[str]) -> None:
        """Adds the files with these `words` to those that `places` searches; none if git fails."""
        with suppress(GroundedIngestError):
            repo, kept = self.context.repo, self.context.cache
            self.files = {**self.files, **files_with(repo, self.tree, words, NO_PROSE, cache=kept)}

    def of(self, path: str) -> tuple[CodeDefinition, ...]:
        """Returns the definitions in a file. Returns an empty tuple if the file could not be
        parsed."""
        return self._parsed.of(path) or ()

    def _after_keywords(self, path: str) -> frozenset[str]:
        """Returns the names after keywords such as `class` in a file, which is searched once."""
        if path not in self._keyword_names:
            found = DEFINES.findall(text_of(self.tree, path) or "")
            self._keyword_names[path] = frozenset(found)
        return self._keyword_names[path]

    def places(self, name: str) -> list[tuple[str, CodeDefinition]]:
        """Returns the definitions of a name with their files. Returns an empty list if too many
        files contain the word."""
        files = [p for p in self.files.get(_word(name), ()) if has_parser(p)]
        if len(files) > FILES:
            word, few = _word(name), files if len(files) <= MOST_FILES else ()
            files = [p for p in few if word in self._after_keywords(p)]
        return [(path, d) for path in files for d in definitions_of(self.of(path), name)]


def _answer(reference: Reference, tree: DefinedNames) -> TreeAnswer | None:
    if reference.of not in ("", ENVIRONMENT):
        return _in_file(reference, tree)
    places = tree.places(reference.name)
    if len({(p, d.owner) for p, d in places}) != 1:
        return _answer_lacking(reference, tree) or _answer_of_module(reference, tree)
    path, defined = places[0]
    return TreeAnswer(
        Verdict.CONFIRMED, f"{path}::{defined.qualified.replace('.', '::')}", line=defined.line
    )


def _in_file(reference: Reference, tree: DefinedNames) -> TreeAnswer | None:
    """Returns the result for a name beside which the text names a file. The name is wrong only if
    the file does not contain the word at all."""
    meant = _files_of(reference, tree)
    if len(meant) != 1 or meant[0].endswith("/"):
        return None
    path, target = meant[0], f"{meant[0]}::{reference.name}"
    if here := definitions_of(tree.of(path), reference.name):
        return TreeAnswer(Verdict.CONFIRMED, target, line=here[0].line)
    return _answer_undefined(reference, path, tree) if tree.of(path) else None


_PASSING = compiled(r"(?:^|/)(?:__init__\.pyi?|index\.[cm]?[jt]sx?|mod\.rs|lib\.rs)$")
"""Matches files that pass on names of others, so that the names are there, too."""


def _answer_undefined(reference: Reference, path: str, tree: DefinedNames) -> TreeAnswer | None:
    """Returns the result for a name that the named file does not define."""
    target = f"{path}::{reference.name}"
    files = tree.files.get(_word(reference.name), ())
    elsewhere = sorted({p for p, _ in tree.places(reference.name)})
    told = _is_told_falsely(reference, path, files, elsewhere)
    if not told and _may_have(path, reference, files, tree):
        return None
    if told or len(elsewhere) == 1:
        lacks = "does not define" if path in files else "has no"
        why = f"{path} {lacks} {reference.name}; {elsewhere[0]} defines it"
        return TreeAnswer(Verdict.REFUTED, target, why)
    gone = {} if files else answer_removed([reference], tree.context)
    answer = gone.get(reference)
    if answer and _is_refuted(answer):
        # The removed name may have been in another file than the one that the text cites.
        former = answer.target if not answer.target.startswith(f"{path}::") else ""
        why = f"{path} has no {reference.name}; {former}: {answer.reason}"
        return answer._replace(target=target, reason=why if former else answer.reason)
    return TreeAnswer(Verdict.REFUTED, target, f"{path} has no {reference.name}")


def _is_told_falsely(
    reference: Reference, path: str, files: Sequence[str], elsewhere: Sequence[str]
) -> bool:
    """Returns whether the text says that the file at `path` defines a name, although only the files
    `elsewhere` define it. Several files may define a name of one word."""
    certain = len(elsewhere) == 1 or (elsewhere and TWO_WORDS.match(reference.name))
    passes_on = _PASSING.search(path) and path in files
    return bool(reference.of.startswith(_HOME) and certain and not passes_on)


def _may_have(path: str, reference: Reference, files: Sequence[str], tree: DefinedNames) -> bool:
    """Returns whether a file has a name, or the text may mean another file. `files` contain the
    name's last word. A link of `Rows#builder()` may lead to the class that it returns, and a label
    without backticks may be a topic, such as "OpenAI"."""
    word, text = _word(reference.name), text_of(tree.tree, path) or ""
    linked, plain = reference.of.startswith(_LINK), word == reference.name
    topic = linked and plain and not files and "`" not in reference.of
    passes_on = linked and PASSES_ON.search(text) is not None
    if path in files or topic or passes_on or f"__{word}__" in text:
        return True
    return linked and not plain and bool(files)


def _files_of(reference: Reference, tree: DefinedNames) -> list[str]:
    file = reference.of.removeprefix(_HOME).removeprefix(_LINK).lstrip("`")
    if "://" in file:
        # Imported late for a fast start.
        from grounded_ingest.references.forge_pages import own_file

        return [*filter(None, [own_file(file, tree.context)])]
    request = Request(reference.path, Citation(CitationKind.PATH, file))
    return resolve_path(request, tree.tree)


def answer_removed(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a result for each name that exists only in history. The verdict of a result is
    "refuted" (wrong), and the reason names the commit that removed the name."""
    from grounded_ingest.references.removal_history import find_removals  # not in most runs

    words = {_word(r.name): r for r in asked}
    found = find_removals(words, context)
    many = Counter(n.commit for n in found.values())
    landed = CommitTree(context.repo, context.base.commit or context.start)
    meant = ((r, found.get(words[_word(r.name)])) for r in asked)
    return {
        r: removal.answer
        for r, removal in meant
        if removal
        and not (
            removal.commit
            and many[removal.commit] > TOGETHER
            and _share_found(r.path, context) < CURRENT
        )
        and not _is_of_trial(r, removal.answer)
        and not _describes_past(r, removal, landed, context)
    }


def _share_found(path: str, context: Context) -> float:
    """Returns the share of the code names in a page's code spans that code files contain."""
    spans = (s for row in (text_of(context.tree, path) or "").split("\n") for s in code_spans(row))
    names = {_word(name) for s in spans if (name := _symbol(s.text, shaped=True))}
    found = files_with(context.repo, context.tree, names, NO_PROSE, cache=context.cache)
    return len(found) / max(1, len(names))


def _is_of_trial(reference: Reference, answer: TreeAnswer) -> bool:
    """Returns whether a name was removed from a test or a sample, and the document is about
    neither. Such a document means something else with the name."""
    asked = f"{reference.of} {reference.path} {reference.name}"
    return is_test_or_sample(answer.target) and not is_test_or_sample(asked)


def _describes_past(
    reference: Reference, removal: NameRemoval, landed: Tree, context: Context
) -> bool:
    """Returns whether the document on the base branch contains the name, but did not contain it
    before the commit that removed the name. Such a document describes the past."""
    word, path = _word(reference.name), reference.path
    if not removal.commit or word not in (text_of(landed, path) or ""):
        return False
    parent = context.repo.objects.get(f"{removal.commit}^")
    before = CommitTree(context.repo, parent.oid) if parent is not None else None
    return before is not None and word not in (text_of(before, path) or "")
