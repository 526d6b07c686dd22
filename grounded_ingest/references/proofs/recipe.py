"""Answers what a script or target runs: "`npm run build` runs `tsc -p .`".

The answer is "yes" if the recipe in the nearest manifest is the claimed command, letter for letter.
It is "no" only if the recipe is a single command of another program.
"""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.code.command_lines import RUNNERS, commands
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.manifest_command import commands_in, recipe_of
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PROOF
FORM = "recipe"

_SENTENCE = compiled(r"`(?P<call>[^`]+)` (?:runs|executes|calls) `(?P<recipe>[^`]+)`\.?$")
_JOINED = compiled(r"[;&|\n`$]")


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the claim if it says what one command runs, and nothing more."""
    match = _SENTENCE.fullmatch(claim.text.strip()) if "`" in claim.text else None
    if match is None or len(commands_in(path, match["call"], 0)) != 1:
        return ()
    called = commands_in(path, match["call"], 0)[0]
    if called.name.strip() != match["call"].strip():
        return ()
    return (
        Reference(KIND, path, called.name, 0, len(claim.text), f"{FORM} {match['recipe'].strip()}"),
    )


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns the answer for each claim about what a command runs."""
    own = [r for r in asked if r.of.startswith(f"{FORM} ")]
    return {r: answer for r in own if (answer := _answer(r, context))}


def _answer(reference: Reference, context: Context) -> TreeAnswer | None:
    found = recipe_of(reference._replace(of=""), context)
    if found is None:
        return None
    target, recipe, line = found
    claimed = reference.of.removeprefix(f"{FORM} ")
    target = f"{target} runs {claimed}"
    if recipe == claimed:
        return TreeAnswer(Verdict.CONFIRMED, target, line=line)
    if not recipe or _program(recipe) in ("", _program(claimed)) or _program(claimed) in recipe:
        return TreeAnswer(Verdict.UNKNOWN, target, "the recipe is not a single command", line)
    return TreeAnswer(Verdict.REFUTED, target, f"the recipe is {recipe}", line)


def _program(command: str) -> str:
    """Returns the program of a single command. Returns an empty string if there are several
    commands, or if the program starts others, such as `npm` and `make`."""
    if _JOINED.search(command) or len(found := list(commands(command))) != 1:
        return ""
    program = found[0].words[0].text
    return "" if program in RUNNERS or program in _STARTERS else program


_STARTERS = frozenset(
    "npx pnpx bunx turbo nx lerna sh bash zsh env sudo time cross-env dotenv uv poetry pipenv hatch"  # noqa: SIM905
    " docker concurrently run-s run-p npm-run-all wireit tox nox node python python3".split()
)
"""Programs that run other programs, so that a recipe may run the claimed program after all."""
