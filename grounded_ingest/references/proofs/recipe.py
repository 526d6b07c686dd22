"""Proves what a script or target runs: "`npm run build` runs `tsc -p .`". The answer is "yes" if
the only recipe in the nearest manifest is exactly the claimed command. The answer is "no" only if
the recipe is another single command.
"""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import dirname, join

from grounded_ingest.code.command_lines import RUNNERS, Word, commands
from grounded_ingest.code.data_values import DataValue, value_at
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.manifest_command import commands_in, recipe_of
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PROOF
FORM = "recipe"

_SENTENCE = compiled(r"`(?P<call>[^`]+)` (?:runs|executes|calls) `(?P<recipe>[^`]+)`\.?$")
_CALL = compiled(r"(?:(?:npm|pnpm|yarn|bun) run |npm (?=(?:test|start)$)|make |just )[\w:.-]+")
"""Matches a call without options, because an option could choose another manifest."""
_JOINED = compiled(r"[;&|\n`$]")


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the claim as a reference if the whole claim says what one script or target runs:
    "`npm run build` runs `tsc -p .`"."""
    match = _SENTENCE.fullmatch(claim.text.strip()) if "`" in claim.text else None
    if match is None or _CALL.fullmatch(match["call"].strip()) is None:
        return ()
    if len(commands_in(path, match["call"], 0)) != 1:
        return ()
    called = commands_in(path, match["call"], 0)[0]
    if called.name.strip() != match["call"].strip():
        return ()
    return (
        Reference(KIND, path, called.name, 0, len(claim.text), f"{FORM} {match['recipe'].strip()}"),
    )


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns confirmed, refuted or unknown for each claim about what a script or target runs."""
    own = [r for r in asked if r.of.startswith(f"{FORM} ")]
    return {r: answer for r in own if (answer := _answer(r, context))}


def _answer(reference: Reference, context: Context) -> TreeAnswer | None:
    found = recipe_of(reference._replace(of=""), context)
    if found is None:
        return None
    target, recipe, line = found
    manifest, _, name = target.partition("#")
    if not _is_plain(manifest, name, reference.path, context.tree):
        reason = f"{manifest} may define the command elsewhere, or run it differently"
        return TreeAnswer(Verdict.UNKNOWN, target, reason, line)
    claimed = reference.of.removeprefix(f"{FORM} ")
    target = f"{target} runs {claimed}"
    if recipe == claimed:
        return TreeAnswer(Verdict.CONFIRMED, target, line=line)
    if not _program(recipe) or _may_shorten(claimed, recipe):
        return TreeAnswer(Verdict.UNKNOWN, target, "the recipe may run the claimed command", line)
    instead = "" if "\n" in recipe or "`" in recipe else recipe
    return TreeAnswer(Verdict.REFUTED, target, f"the recipe is {recipe}", line, instead=instead)


def _is_plain(path: str, name: str, document: str, tree: Tree) -> bool:
    """Returns whether the nearest manifest defines a recipe once, for all operating systems, and
    nothing runs before or after it."""
    directory, _, file = path.rpartition("/")
    of_node = file == "package.json"
    files = ("package.json",) if of_node else (*_MAKEFILES, *_JUSTFILES)
    above = (join(d, f) for d in directories_from(dirname(document)) for f in files)
    near = [p for p in above if tree.has(p)]
    if near[:1] != [path] or directory in map(dirname, near[1:]):
        return False
    text = text_of(tree, path) or ""
    if of_node:
        return _has_one_script(name, path, text)
    there = join(directory, name)  # make does not run a target that is a file
    made = file in _JUSTFILES or not (tree.has(there) or tree.is_dir(there))
    phony = name in " ".join(_PHONY.findall(text)).split()
    return (made or phony) and _has_one_rule(name, text) and _COMPUTED.search(text) is None


def _has_one_script(name: str, path: str, text: str) -> bool:
    """Returns whether package.json has no `pre…` or `post…` script for `name` and no key twice."""
    scripts = value_at(path, text, ("scripts",))  # None if a key occurs twice
    has = scripts.members if isinstance(scripts, DataValue) else None
    return has is not None and not {f"pre{name}", f"post{name}"} & {*has}


def _has_one_rule(name: str, text: str) -> bool:
    """Returns whether a Makefile or justfile has exactly one rule for a target, without
    prerequisites, and no computed target names."""
    rules = _RULE.findall(text)
    plain = all(_TARGET.fullmatch(word) for names, _ in rules for word in names.split())
    return plain and [needs for names, needs in rules if name in names.split()] == [""]


_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_RULE = compiled(r"(?m)^@?([^\s#:=][^:=#\n]*?)[ ]*:(?![:=])[ ]*([^=\n]*)$")
_TARGET = compiled(r"\.?[\w./-]+")
_PHONY = compiled(r"(?m)^\.PHONY[ ]*:(.*)$")
_COMPUTED = compiled(
    r"(?m)^[ ]*-?s?include\b|^[ ]*(?:ifn?eq|ifn?def|define|override|unexport|load)\b|::"
    r"|^[ ]*\.(?!PHONY\b)[A-Z]+|\$\((?:eval|call|foreach|shell)|MAKEFLAGS|SHELL\b"
    r"|^(?:import|mod|set|export|alias|!include)\b|^\["
)
"""Matches statements that may define a recipe elsewhere, run it differently or on some systems."""


def _program(command: str) -> str:
    """Returns the program of a single command. Returns an empty string if there are several
    commands, or if the program starts others, such as `npm` and `make`."""
    if _JOINED.search(command) or len(found := list(commands(command))) != 1:
        return ""
    program = found[0].words[0].text
    return "" if program in RUNNERS or program in _STARTERS else program


def _may_shorten(claimed: str, recipe: str) -> bool:
    """Returns whether a claimed command may be a short form of a recipe, as `tsc` is of `tsc -p .`
    and of `vue-tsc`. A short form has no word that the recipe lacks."""
    program = _program(claimed)
    if program != _program(recipe):
        return program in recipe
    return {w.text for w in _words(claimed)} <= {w.text for w in _words(recipe)}


def _words(command: str) -> Sequence[Word]:
    return [word for found in commands(command) for word in found.words]


_STARTERS = frozenset(
    "npx pnpx bunx turbo nx lerna sh bash zsh env sudo time cross-env dotenv uv poetry pipenv hatch"  # noqa: SIM905
    " docker concurrently run-s run-p npm-run-all wireit tox nox node python python3".split()
)
"""Programs that run other programs. If a recipe starts with one of them, such as `npx`, the recipe
may run the claimed program after all."""
