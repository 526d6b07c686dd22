"""Finds names with a prefix of this repository, and environment variables, that no file except
prose contains.

`SHOP_PORT` begins with the name of the repository, and `ShopQueue_add` with the name of a code
file. Such a name is absent only if the documents give other names with such prefixes, and the files
contain most of them, or if the text calls it an environment variable. Code that builds names from a
prefix may have any name.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from posixpath import basename

from grounded_ingest.code.definitions import has_parser
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import Verdict
from grounded_ingest.references.code_import import is_invented, is_of_edition
from grounded_ingest.references.context import Context
from grounded_ingest.references.own_names import own_names, plain_name
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.references.written_options import is_current_prose
from grounded_ingest.text.lexicon import manifest_words
from grounded_ingest.text.patterns import compiled

_NAME = compiled(
    r"(?<![\w$/.<{%-])(?P<prefix>_?[A-Z][A-Z\d]{1,}|[A-Z][A-Z\d]*+[a-z][A-Za-z\d]*+)_\w*[^\W_]"
    r"(?![\w$<{*-]|\.\w)"
)
ENVIRONMENT = "environment"
"""The field `of` of a reference that the text calls an environment variable."""
_READ = compiled(r"(?i)env\w*(?:\.get|::var)?[\[(.\"']{1,3}(\w+)")
"""Matches an environment variable that code reads: `os.environ['A_B']`, `process.env.A_B`."""
_BLANK = compiled(r"_(?:[a-zA-Z]|[Xx]{2,}|NAME)$")
_OPEN = manifest_words.ENVIRONMENT_OPEN.split()
_FEWEST = 5
"""Minimum number of documented names with a kind of prefix that the files must contain. Also, the
files must contain more of these names than they lack."""


def absent_names(lost: Sequence[Reference], context: Context) -> Answers:
    """Returns a "refuted" (wrong) result for each name that certainly belongs to this repository,
    but is not in its files. `lost` are names that no file except prose contains. Returns nothing
    about old text: of 28 such reports, 1 seemed right, because programs build such names."""
    if context.whole:
        return {}
    kinds = {r: _kind(r.name, context) for r in lost if _may_be_absent(r, context.tree)}
    asked = {r: kind for r, kind in kinds.items() if kind}
    if not asked:
        return {}
    documented = _documented(context)
    there = _files_with(asked, documented.values(), context)
    known = {kind for kind, names in documented.items() if _are_mostly_there(names, there)}
    open_ended = "name" * (not there.keys().isdisjoint(_OPEN))
    meant = (r for r, kind in asked.items() if kind in known or r.of == ENVIRONMENT)
    return _refuted((r for r in meant if asked[r] != open_ended), there)


def absent_settings(lost: Sequence[Reference], context: Context) -> Answers:
    """Returns a "refuted" (wrong) result for each environment variable that no file except prose
    contains in any spelling. `lost` are settings in code blocks of which files contain most others.
    Returns nothing if code reads every variable with a prefix, or about old text."""
    if context.whole:
        return {}
    asked = [r for r in lost if _may_be_absent(r, context.tree)]
    there = _files_with(asked, (), context) if asked else {}
    return _refuted(asked, there) if there.keys().isdisjoint(_OPEN) else {}


def _files_with(
    asked: Iterable[Reference], others: Iterable[Collection[str]], context: Context
) -> Mapping[str, Sequence[str]]:
    """Maps each spelling of the asked names, each name in `others` and each word in `_OPEN` to the
    files that contain it. If git fails, all of them count as being in a file."""
    words = {*_OPEN, *chain.from_iterable(others), *(w for r in asked for w in _ways(r))}
    try:
        return files_with(context.repo, context.tree, words, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        return dict.fromkeys(words, ())


def _refuted(asked: Iterable[Reference], there: Mapping[str, Sequence[str]]) -> Answers:
    return {
        r: TreeAnswer(Verdict.REFUTED, r.name, f"no code file contains {r.name}")
        for r in asked
        if there.keys().isdisjoint(_ways(r))
    }


def _are_mostly_there(names: Collection[str], there: Container[str]) -> bool:
    found = sum(name in there for name in names)
    return found >= _FEWEST and 2 * found > len(names)


def _may_be_absent(reference: Reference, tree: Tree) -> bool:
    """Returns whether a document states a name as a present one of the program, and not as a
    variable of its reader's shell or of a program that the page shows."""
    name, path = reference.name, reference.path
    text = (text_of(tree, path) or "").replace("${", "$")
    invented = is_invented(name) or _BLANK.search(name)
    used = f"${name}" in text or name in _READ.findall(text)
    return is_current_prose(path) and not (is_of_edition(path) or invented or used)


def _kind(name: str, context: Context) -> str:
    """Returns what a name's prefix is: "name" for the repository's name in capitals, "file" for the
    name of a code file, or an empty string for anything else."""
    match = _NAME.fullmatch(name)
    if match is None:
        return ""
    prefix = match["prefix"]
    if prefix.isupper():
        own = prefix[0] == "_" or plain_name(prefix) in own_names(context)
        return "name" if own else ""
    return "file" if prefix in _code_files(context.tree) else ""


@lru_cache(maxsize=2)
def _code_files(tree: Tree) -> frozenset[str]:
    """Returns the names of the code files in a tree, without their endings."""
    return frozenset(basename(p).partition(".")[0] for p in tree.files if has_parser(p))


def _documented(context: Context) -> dict[str, set[str]]:
    """Returns the names with each kind of prefix that documents about the present contain."""
    found: dict[str, set[str]] = {"name": set(), "file": set()}
    for path in filter(is_current_prose, context.tree.files):
        for match in _NAME.finditer(text_of(context.tree, path) or ""):
            if kind := _kind(match[0], context):
                found[kind].add(match[0])
    return found


def _ways(reference: Reference) -> Iterator[str]:
    """Yields the spellings of a name in code, and the parts from which code may build the name:
    `SHOP_QUEUE_`, `QUEUE_` and `queue_` for `SHOP_QUEUE_SIZE`."""
    name = reference.name
    parts = name.lstrip("_").split("_")
    first, *others = name.lstrip("_").lower().split("_")
    hump = first + "".join(word.capitalize() for word in others)
    yield from (name, name.lower(), name.lower().replace("_", "-"))
    if reference.of != ENVIRONMENT:
        yield from (hump, hump[:1].upper() + hump[1:])
    for end in range(1, len(parts)):
        yield "_".join((*parts[:end], ""))
        behind = "_".join((*parts[1 : end + 1], ""))
        yield from (behind, behind.lower()) if end + 1 < len(parts) else ()
