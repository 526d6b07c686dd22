"""Checks `flag` references: an option such as `--flag` beside a command or script in this tree.

An option is right if the program's argument parser declares it. An option is wrong if the whole
program was parsed and does not declare the option, or if no file declares it (see
`written_options.py`). Any other option gets no result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, pairwise, takewhile

from grounded_ingest.code.command_lines import UV, Word, commands, is_placeholder
from grounded_ingest.code.declared_options import DeclaredOptions
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.trees import text_of
from grounded_ingest.git.word_search import files_with
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.programs import (
    SCRIPTS,
    CompiledProgram,
    OwnPrograms,
    Program,
    compiled_programs,
    own_programs,
)
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer, find_in_commands
from grounded_ingest.references.written_options import (
    AskedOption,
    absent_options,
    is_current_prose,
)
from grounded_ingest.text.lexicon import manifest_words
from grounded_ingest.text.names import near_name
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.FLAG

_FLAG = compiled(r"-(?:-[A-Za-z]|[A-Za-z]{2})[\w-]*(?:\.[\w-]+)*")
_COMMAND = compiled(r"[a-z][\w-]*")
_STARTERS = compiled(
    r"(?:\S*/)?python[\d.]*|(?:ba)?sh|py|uvx?|poetry|pdm|hatch|rye|pipenv|pipx|npx|bunx|bundle|exec|run|--"
)
"""Matches words that may come before the name of a program."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the options in the commands of a claim."""
    found = find_in_commands(path, claim, flags_in) if " -" in claim.text else []
    return [*found, *_passed_on(path, claim)]


_PASSED = compiled(
    r"`(?P<flag>--[a-z][\w.-]+)` (?:option |flag )?(?:to|of|for|with) (?:`(?P<to>[^`\n]+)`"
    r"|(?P<plain>[a-z][\w-]+)(?=[.,;:)]|$))"
    r"|`(?P<of>[^`\n]+)` (?:with|and pass) `(?P<with>--[a-z][\w.-]+)`",
    needs=("`--",),
)
"""Matches an option beside its command: "pass `--late` to `shop cut`"."""


def _passed_on(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields a reference for each option that a text passes to a command in another code span."""
    for m in _PASSED.finditer(claim.text):
        flag = m["flag"] or m["with"]
        for one in flags_in(path, f"{m['to'] or m['plain'] or m['of']} {flag}", 0):
            if one.name == flag:
                yield one._replace(start=m.start(), end=m.end())


def flags_in(path: str, line: str, start: int) -> Iterator[Reference]:
    """Yields a reference for each option in a command line. The reference's field `of` contains the
    directory, the number of words that name the program, and the command line."""
    for command in commands(line):
        words = list(command.words)
        program = _launching_words(words) or program_words(words)
        if not program:
            continue
        for word in takewhile(lambda w: w.text != "--", words[program:]):
            flag = word.text.partition("=")[0]
            if _FLAG.fullmatch(flag) and not is_placeholder(flag):
                of = " ".join(w.text for w in words)
                at = start + word.start
                yield Reference(
                    KIND, path, flag, at, at + len(flag), f"{command.directory}\0{program}\0{of}"
                )


def program_words(words: Sequence[Word]) -> int:
    """Returns the number of words up to the program's name: 3 for `python -m shop serve`. Returns 0
    if an option comes first, except for those of `uv run` that leave the directory as it is."""
    rest, of_uv = enumerate(words), [word.text for word in words[:2]] == ["uv", "run"]
    for at, word in rest:
        if word.text == "-m":
            return at + 2 if at + 1 < len(words) else 0
        if of_uv and word.text.partition("=")[0] in UV.valued | UV.bare:
            if word.text in UV.valued:
                next(rest, None)
        elif word.text.startswith("-"):
            return 0
        elif not _STARTERS.fullmatch(word.text):
            return at + 1
    return 0


def _launching_words(words: Sequence[Word]) -> int:
    """Returns the number of words that start a program from its code: `cargo run --`, `go run .`.
    Returns 0 for another command."""
    texts = [word.text for word in words]
    if texts[:2] == ["go", "run"] and len(texts) > 2 and not texts[2].startswith("-"):
        return 3
    return texts.index("--") + 1 if texts[:2] == ["cargo", "run"] and "--" in texts else 0


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Looks up options in the programs of the tree. Returns a result for each option that is
    certainly right or wrong."""
    programs = own_programs(context.tree)
    found: Answers = {}
    searched: dict[Reference, str] = {}
    wanted: dict[Reference, AskedOption] = {}
    for reference in asked:
        directory, own, below = _parts(reference)
        program = program_of(own, reference.path, directory, programs)
        if program is None:
            own = compiled_programs(context.tree).launched(own, directory)
            compiled = _compiled(own, directory, context)
            paths, languages = [p.path for p in compiled], [p.language for p in compiled]
            homes = _homes(compiled)
        else:
            declared = programs.declares(program)
            if answer := _answer(reference, program.path, declared):
                found[reference] = answer
                continue
            # A first word that is no known command may be a command that a plugin adds.
            plain = not (declared.commands and below) or below[0] in declared.commands
            known = plain and programs.uses_parser(program)
            paths, languages, homes = [program.path], ["python"] if known else [], ("",)
        if _is_of_sample(reference, below):
            continue
        if languages and reference.name.lstrip("-") not in (*_EVERYWHERE, *_SAMPLES):
            wanted[reference] = AskedOption(
                _called_name(own),
                reference.name,
                tuple(sorted(set(languages))),
                homes,
                is_current_prose(reference.path),
            )
            searched[reference] = paths[0]
    return found | _search(wanted, searched, context)


def _homes(programs: Iterable[CompiledProgram]) -> tuple[str, ...]:
    """Returns the directories that have to contain the parser of options (`AskedOption.homes`)."""
    return tuple(p.directory if p.language == "rust" else "" for p in programs)


def _is_of_sample(reference: Reference, below: Sequence[str]) -> bool:
    """Returns whether an option belongs to a made-up command such as `my-plugin`."""
    before = reference.of.partition(f" {reference.name}")[0].split(" ")
    return any(_SAMPLE.search(word) for word in below if word in before)


def _compiled(own: Sequence[str], directory: str, context: Context) -> Sequence[CompiledProgram]:
    name = _called_name(own) if own and "-m" not in own and directory != "~" else ""
    return compiled_programs(context.tree).command(name) if name else ()


def _parts(asked: Reference) -> tuple[str, list[str], list[str]]:
    """Returns the directory, the words up to the program's name, and the plain words behind it,
    such as subcommands and values."""
    directory, count, of = asked.of.split("\0")
    words = of.split(" ")
    below = takewhile(lambda w: w != "--", words[int(count) :])
    return directory, words[: int(count)], list(filter(_COMMAND.fullmatch, below))


def _answer(asked: Reference, path: str, found: DeclaredOptions) -> TreeAnswer | None:
    """Looks up an option in the options that the program at `path` declares."""
    _, own, below = _parts(asked)
    name = own[-1].rpartition("/")[2]
    called = " ".join((name, *takewhile(found.commands.__contains__, below)))
    target = f"{path}#{called} {asked.name}"
    choices, value = found.choices.get(asked.name, ()), _value_of(asked)
    if choices and value and value.lower() not in (*choices, *found.commands):
        reason = f"{called} {asked.name} takes {', '.join(sorted(choices))}, not {value}"
        return TreeAnswer(Verdict.REFUTED, f"{target} {value}", reason)
    if found.confirms(asked.name, below):
        return TreeAnswer(Verdict.CONFIRMED, target)
    if not (asked.name.startswith("--") and found.lacks(asked.name, below)):
        return None
    others = sorted(found.owners.get(asked.name, ()))
    near = f"; {name} {others[0]} has it" if others else ""
    near = near or _near(asked.name, found.options_of(below))
    return TreeAnswer(Verdict.REFUTED, target, f"{called} has no option {asked.name}{near}")


def _value_of(asked: Reference) -> str:
    """Returns the word that a command line gives an option, or an empty string if there is none or
    a reader replaces it."""
    words = asked.of.rpartition("\0")[2].split(" ")
    joined = (w.partition("=")[2] for w in words if w.startswith(f"{asked.name}="))
    behind = (b for a, b in pairwise(words) if a == asked.name)
    value = next(chain(joined, behind), "")
    # `--form form` and `--form fmt` stand for any value.
    made_up = value in ("value", "fmt", "type", *asked.name.split("-")) or _SAMPLE.search(value)
    plain = _COMMAND.fullmatch(value) and not (made_up or is_placeholder(value))
    return value if plain else ""


def _search(
    wanted: Mapping[Reference, AskedOption], paths: Mapping[Reference, str], context: Context
) -> Answers:
    try:
        documented = _documented({one.program for one in wanted.values()}, context)
        absent = absent_options(wanted.values(), documented, context)
    except GroundedIngestError:
        return {}
    found: Answers = {}
    for reference, one in wanted.items():
        if one in absent:
            _, _, below = _parts(reference)
            target = f"{paths[reference]}#{' '.join((one.program, *below, reference.name))}"
            reason = f"{one.program} has no option {reference.name}: no code file declares it"
            found[reference] = TreeAnswer(Verdict.REFUTED, target, reason)
    return found


def _documented(programs: Set[str], context: Context) -> dict[str, set[str]]:
    """Maps each program to the options that documents about the present give to it."""
    found: dict[str, set[str]] = {program: set() for program in programs}
    pages = files_with(context.repo, context.tree, programs, is_current_prose, cache=context.cache)
    for program, paths in pages.items():
        lines = (line for path in paths for line in _lines_of_code(path, program, context))
        for reference in (r for line in lines if " -" in line for r in flags_in("", line, 0)):
            if _called_name(_parts(reference)[1]) == program:
                found[program].add(reference.name)
    return found


def _lines_of_code(path: str, program: str, context: Context) -> Iterator[str]:
    """Yields the code spans and the lines of code blocks that contain a program's name."""
    fenced = False
    for row in (text_of(context.tree, path) or "").split("\n"):
        if row.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif program in row:
            indented = row[:1] in (" ", "\t") and "`" not in row
            yield from [row] if fenced or indented else row.split("`")[1::2]


def _called_name(own: Sequence[str]) -> str:
    """Returns the name of a program. `./shop` and `bin/shop` are `shop` after a build."""
    return own[-1].rpartition("/")[2].partition("@")[0]


_EVERYWHERE = ("help", "version", "man", "no-color")
_SAMPLES = ("option", "options", "flag", "flags")
_SAMPLE = compiled(manifest_words.SAMPLE_NAMES)


def program_of(
    words: Sequence[str], document: str, directory: str, programs: OwnPrograms
) -> Program | None:
    """Returns the program that a command with these first words runs. Returns None if the program
    is not in this tree."""
    name = words[-1]
    if "-m" in words:
        return programs.module(name, document, directory)
    if name.endswith(SCRIPTS):
        return programs.script(name.removeprefix("./"), document, directory)
    return programs.command(name) if "/" not in name else None


def _near(option: str, known: frozenset[str]) -> str:
    near = near_name(option, (o for o in known if o.startswith("--")))
    return f"; perhaps {near}" if near else ""
