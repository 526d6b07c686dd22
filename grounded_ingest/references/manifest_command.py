"""Checks `command` references: `npm run x`, `make x`, `just x` and commands of the tree's own
programs.

A command is right if the nearest manifest of the runner defines its name, or if the program's code
declares it. If other manifests define the name, the message for a wrong command lists them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import filterfalse
from posixpath import basename, dirname, join, normpath

from grounded_ingest.code.build_tasks import compose_services
from grounded_ingest.code.command_lines import RUNNERS as RUNNER_PROGRAMS
from grounded_ingest.code.command_lines import Call, Word, calls, commands, is_placeholder
from grounded_ingest.code.manifest_entries import Entry, Offer, just_recipes, make_targets
from grounded_ingest.extract.code_blocks import code_blocks
from grounded_ingest.git.commit_text import last_removal
from grounded_ingest.git.trees import CommitTree, Tree, text_of
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.command_path import entered_folders
from grounded_ingest.references.commit import dated_subject
from grounded_ingest.references.context import Context
from grounded_ingest.references.manifests import MOST, RUNNERS, Manifests, manifests_of
from grounded_ingest.references.option_name import is_option_name
from grounded_ingest.references.program_flag import program_of, program_words
from grounded_ingest.references.programs import OwnPrograms, Program, own_programs
from grounded_ingest.references.receipts import fate_of_path, removals_of
from grounded_ingest.references.reference import (
    Answers,
    Reference,
    TreeAnswer,
    add_fates,
    find_in_commands,
)
from grounded_ingest.references.site_pages import is_site_page
from grounded_ingest.references.unused_tool import answer_without_file
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.names import is_same_but_for_signs, near_name
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.COMMAND

ELSEWHERE = 2
"""Maximum number of other manifests that may define a missing name. If more manifests define the
name, each package probably has its own command, and the reference is not wrong."""
_LOOKS = 40
"""Maximum number of names in one run that are searched in history."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the commands in the code spans of a claim. A directory behind or before a command, as
    in "`npm test` in `web/`", becomes `Reference.of`. It is `.` for "in the root", `~` for a
    submodule or another repository, and begins with `?` if the text does not show that it is a
    directory."""
    found = find_in_commands(path, claim, commands_in)
    return [r if r.of else r._replace(of=_directory_beside(r, claim.text)) for r in found]


def _directory_beside(command: Reference, text: str) -> str:
    if behind := _IN_DIRECTORY.match(text, command.end):
        return _directory_in(behind)
    before = _FROM_DIRECTORY.search(text, max(0, command.start - _CLAUSE), command.start)
    return f"{_MAYBE}{before['named']}" if before else ""


def _directory_in(found: re.Match[str]) -> str:
    if found["elsewhere"] or found["root"]:
        return "~" if found["elsewhere"] else "."
    return found["below"] or f"{_MAYBE}{found['named']}"


_MAYBE = "?"
"""Precedes a name in `Reference.of` that may be no directory, as in "`npm test` in `CI`"."""
_IN_DIRECTORY = compiled(
    r"[^`\n]*`(?:,?(?: and| or| then)+ `[^`\n]+`)*\s+(?:running )?(?:in|from|inside) (?:the )?(?:"
    r"`(?P<below>[\w@.-]+(?:/[\w@.-]+)*)/`"
    r"|(?P<elsewhere>(?:`[\w@./-]+`|\[[^][]+\]) (?:submodule|repo(?:sitory)?)\b)"
    r"|(?P<root>(?:(?:repo(?:sitory)?|project|workspace) )?root(?: directory| folder)?)"
    r"(?=[.,;:)]|$)"
    r"|[`*]*(?P<named>[\w@-]+(?:/[\w@.-]+)*)[`*]*(?:(?<=`)|(?= (?:directory|folder|package)\b)))"
)
"""Matches where a command runs, behind it: in the root, another directory or repository."""
_FROM_DIRECTORY = compiled(
    r"(?:\b(?i:(?:cd|change|go|move|switch) (?:in)?to|enter)|(?:^|[.:;] )(?:From|In|Inside)) "
    r"(?:the )?`(?P<named>[\w@-]+(?:/[\w@.-]+)*)/?`(?: (?:directory|folder|package))?,? "
    r"(?:and |then |just )*(?:call|execute|run|use) `$"
)
"""Matches the directory before a command: "go to the `web` directory and run `"."""
_CLAUSE = 120
"""Maximum number of characters that are read before a command."""


def is_of_runner(reference: Reference) -> bool:
    """Returns whether the command calls a command runner such as npm or make, and not a program in
    the tree."""
    return reference.name.partition(" ")[0] in RUNNER_PROGRAMS


def commands_in(path: str, line: str, start: int) -> list[Reference]:
    """Returns the commands in a command line. The `name` of a reference is the text from the start
    of the command to the script or target that is looked up: `npm -C web run build`."""
    found, configured = [], False
    for command in commands(line):
        runner, first = command.words[0].text, command.words[0].start
        if configured and runner == "make":
            continue  # cmake wrote the Makefile
        configured |= runner == "cmake"
        ends = [call.last.end for call in calls(command)]
        if not ends and runner not in RUNNER_PROGRAMS:
            ends = [end] if (end := _end_of_program(command.words)) else []
        found += [
            Reference(KIND, path, line[first:end], start + first, start + end, command.directory)
            for end in ends
        ]
    return found


_MODULE = compiled(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_DEPTH = 4
"""Maximum number of words after a program that name a command or subcommand."""
_WORD = compiled(r"_?[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
"""Matches the name of a command."""


def _end_of_program(words: Sequence[Word]) -> int:
    """Returns the offset after the subcommands of a program, or after the module that `python -m`
    runs. Returns 0 if there is neither."""
    at = program_words(words)
    module = at and words[at - 1].text if "-m" in [w.text for w in words[:at]] else ""
    end = words[at - 1].end if module and _MODULE.fullmatch(module) else 0
    for word in words[at : at + _DEPTH] if at else ():
        if not _WORD.fullmatch(word.text) or is_placeholder(word.text):
            break
        end = word.end
    return end


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Looks up commands in manifests and in the tree's programs. Returns a result for each command
    that is certainly right or wrong. At most `_LOOKS` missing names are searched in history."""
    manifests = manifests_of(context.tree)
    found, removed = _in_this_tree(asked, manifests, context)
    if context.brief:
        return _without_readers(found, removed, context)
    # `yarn lint` may run a program, unless history shows that it was a script.
    unsure = {
        r: answer
        for r in _called(asked, manifests)
        if r not in found and is_of_runner(r) and (answer := _answer(r, manifests, sure=True))
        if not _is_shown(r, answer, context)
    }
    both = found | unsure
    fates = add_fates(both, lambda r, a: _with_fate(r, a, manifests, context), _LOOKS)
    ours = {*removed, *(r for r, a in fates.items() if a != both[r])}
    fates = {r: a for r, a in fates.items() if r in found or r in ours}
    return _without_readers(fates, ours, context)


def _in_this_tree(
    asked: Sequence[Reference], manifests: Manifests, context: Context
) -> tuple[Answers, Answers]:
    """Returns all results, and those for names that the current change removes."""
    asked = [*_called(asked, manifests)]
    found = {r: answer for r in asked if (answer := _answer(r, manifests))}
    found |= _answer_missing_modules([r for r in asked if r not in found], context)
    right = {r for r, a in found.items() if a.verdict is Verdict.CONFIRMED}
    removed = _answer_removed([r for r in asked if r not in right], manifests, context)
    left = [r for r in filter(is_of_runner, asked) if r not in found]
    found |= answer_without_file(left, context)
    shown = (removed | found).items()
    return {r: a for r, a in shown if not _is_shown(r, a, context)}, removed


def _called(asked: Sequence[Reference], manifests: Manifests) -> Iterator[Reference]:
    """Yields the references that are commands, and no names of options. `just build release` is
    none if no manifest has a module `build`: its last word is an argument."""
    for reference in filterfalse(is_option_name, asked):
        call = _call_of(reference)
        if call is None or "::" not in call.name or "::" in reference.name:
            yield reference
            continue
        module = f"{call.name.partition('::')[0]}::"
        offers = [manifests.offer("just", p) for p in _manifests_for(call, reference, manifests)]
        if any(name.startswith(module) for offer in offers for name in offer.entries):
            yield reference


def _without_readers(found: Answers, ours: Container[Reference], context: Context) -> Answers:
    """Returns the results without scripts of the readers' projects. The scripts in `ours` were
    removed from this tree."""
    return {r: a for r, a in found.items() if r in ours or not _is_of_reader(r, a, context)}


def _is_of_reader(reference: Reference, answer: TreeAnswer, context: Context) -> bool:
    """Returns whether a missing script may be in the reader's own package.json, because a page of a
    web site names it, or in the package that has it, because old text does not say where to run it:
    of 12 such reports about old text outside of packages, none was useful."""
    at_root = "/" not in answer.target.partition("#")[0]
    if context.whole and answer.elsewhere and at_root and not reference.of:
        return True
    call = _call_of(reference) if answer.verdict is Verdict.REFUTED else None
    own = call is not None and (
        call.runner == "compose" or "package.json" in RUNNERS[call.runner].files
    )
    return own and is_site_page(reference.path, context.tree)


def _is_shown(reference: Reference, answer: TreeAnswer, context: Context) -> bool:
    """Returns whether a code block on the same page defines a missing command, as an example for
    the reader's project, or the page enters a folder whose manifest has the command."""
    text = text_of(context.tree, reference.path) if answer.verdict is Verdict.REFUTED else None
    words = reference.name.split()
    if not text or not words:
        return False
    entered = () if reference.of else map(basename, entered_folders(text))
    return words[-1] in _defined_targets(text).get(words[0], ()) or any(
        folder in answer.elsewhere for folder in entered
    )


def _defined_targets(text: str) -> dict[str, set[str]]:
    """Returns for each command runner the targets that the document's own code blocks define. A
    command in the document may mean a target from a code block."""
    found: dict[str, set[str]] = {}
    for block in code_blocks(text) if _MANIFEST_BLOCK.search(text) else ():
        if parse := _MANIFEST_PARSERS.get(block.language):
            runner = block.language.removesuffix("file")
            found.setdefault(runner, set()).update(parse(block.text).entries)
        elif '"scripts"' in block.text:  # a part of a package.json that the reader has to write
            for runner in ("npm", "pnpm", "yarn", "bun"):
                found.setdefault(runner, set()).update(_JSON_KEY.findall(block.text))
        elif "services:" in block.text:  # a Compose file of the reader
            for runner in ("docker", "docker-compose"):
                found.setdefault(runner, set()).update(compose_services(block.text).entries)
    return found


_MANIFEST_PARSERS = {
    "just": just_recipes, "justfile": just_recipes, "make": make_targets, "makefile": make_targets,
}  # fmt: skip
"""Maps the language of a code block that shows a manifest to the parser for the manifest."""
_MANIFEST_BLOCK = compiled(r"(?mi)^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:just|make|json|ya?ml)")
_JSON_KEY = compiled(r"\"([\w:.-]+)\"\s*:")


def _call_of(reference: Reference) -> Call | None:
    found = [c for command in commands(reference.name) for c in calls(command)]
    return found[-1] if found else None


def _answer(reference: Reference, manifests: Manifests, *, sure: bool = False) -> TreeAnswer | None:
    """Returns the result for a command. If `sure` is true, its name can mean no program."""
    call = _call_of(reference)
    if call is None:
        return _answer_of_program(reference, manifests)
    script = reference.name.partition(" ")[0]
    if script.startswith("./") and not manifests.tree.ending_with(script.removeprefix("./")):
        return None  # `./gradlew` is missing, whatever project it names
    paths = _manifests_for(call, reference, manifests)
    if not paths:
        return None
    for path in paths:
        offer = manifests.offer(call.runner, path)
        if entry := _find_entry(call.name, offer):
            return TreeAnswer(Verdict.CONFIRMED, f"{path}#{call.name}", "", entry.line)
    offers = [manifests.offer(call.runner, path) for path in paths]
    if "/" in call.name and any(_find_entry(n, o) for n in call.name.split("/") for o in offers):
        return None  # `npm run dev/build/preview` names three scripts
    if call.runner == "make" and _is_made(reference, call, paths[0], manifests.tree):
        return None
    return _answer_missing(call._replace(sure=sure or call.sure), paths, manifests)


def _program_words_of(reference: Reference) -> tuple[list[str], list[str]]:
    words = next((c.words for c in commands(reference.name)), ())
    at = program_words(words)
    return [w.text for w in words[:at]], [w.text for w in words[at:]]


def recipe_of(reference: Reference, context: Context) -> tuple[str, str, int] | None:
    """Returns the target of a runner's command, the text of its recipe, and its line. Returns None
    if no manifest defines the command."""
    manifests = manifests_of(context.tree)
    call = _call_of(reference)
    if call is None:
        return None
    for path in _manifests_for(call, reference, manifests):
        if entry := _find_entry(call.name, manifests.offer(call.runner, path)):
            return f"{path}#{call.name}", entry.body, entry.line
    return None


def _answer_of_program(reference: Reference, manifests: Manifests) -> TreeAnswer | None:
    programs = own_programs(manifests.tree)
    own, below = _program_words_of(reference)
    if not own or reference.of == "~":
        return None
    directory = _directory_of(reference, manifests.tree)
    program = program_of(own, reference.path, directory, programs)
    if program is None:
        return None
    if not below:
        return TreeAnswer(Verdict.CONFIRMED, program.path)
    return _answer_subcommand(program, own[-1].rpartition("/")[2], below, programs)


def _answer_subcommand(
    program: Program, title: str, below: list[str], programs: OwnPrograms
) -> TreeAnswer | None:
    tree = programs.commands(program)
    missing, found = tree.missing(below), programs.declares(program)
    if missing is None and (below[0] in found.commands or tree.chains_to(below[0])):
        return TreeAnswer(Verdict.CONFIRMED, f"{program.path}#{title} {below[0]}")
    whole = found.known and found.named and bool(found.commands) and not tree.computed
    whole = whole and found.whole
    number, names = missing or (0, found.commands)
    if (missing is None and not whole) or programs.reads_itself(program, below[number]):
        return None
    called = [title, *below[: number + 1]]
    message = f"{' '.join(called[:-1])} has no command {called[-1]}"
    chains = [f"{title} {chain}" for chain in tree.chains_to(called[-1])[:2]]
    if instead := " and ".join(chains):
        message = f"{message}; there is {instead}"
    elif near := near_name(called[-1], names):
        message = f"{message}; it has {near}"
    return TreeAnswer(Verdict.REFUTED, f"{program.path}#{' '.join(called)}", message)


def _answer_missing_modules(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns the results for modules that `python -m` names and that the tree does not have. The
    reference to a missing module is wrong if the tree has the module's package, or if a commit
    removed the module's file."""
    lacking = {r: missing for r in asked if (missing := _missing_module(r, context)) is not None}
    paths = [] if context.brief else [f for files, _ in lacking.values() for f in files]
    removed = removals_of(paths, context) if paths else {}
    found: Answers = {}
    for reference, (files, package) in lacking.items():
        fates = (fate_of_path(path, removed, context) for path in files if path in removed)
        fate = next((f for f in fates if f.words), None)
        module = _program_words_of(reference)[0][-1]
        message = f"{package} has no module {module.rpartition('.')[2]}" if package else ""
        message = f"no module {module}: {fate.words}" if fate else message
        if message:
            found[reference] = TreeAnswer(Verdict.REFUTED, f"{files[0]}#{module}", message)
    return found


def _missing_module(reference: Reference, context: Context) -> tuple[list[str], str] | None:
    own, _ = _program_words_of(reference)
    if "-m" not in own or reference.of == "~" or any(map(str.isupper, own[-1].split("."))):
        return None  # `python -m shop.COMMAND` has a placeholder
    return own_programs(context.tree).missing_module(own[-1], reference.path, reference.of)


def _answer_missing(call: Call, paths: list[str], manifests: Manifests) -> TreeAnswer | None:
    """Returns a result with the verdict "refuted" (wrong) for a name that the manifests do not
    define.

    Returns None if a manifest could not be read completely, or if the runner accepts a name that no
    manifest defines. Also returns None if many other manifests define the name."""
    first = manifests.offer(call.runner, paths[0])
    every = manifests.everywhere(RUNNERS[call.runner].files)
    if not _has_all_names(first, call) or len(every) > MOST:
        return None
    others = [p for p in every if _find_entry(call.name, manifests.offer(call.runner, p))]
    if len(others) > ELSEWHERE or any(not manifests.offer(call.runner, p).whole for p in paths):
        return None
    if _are_samples(others, paths[0]) or _accepts_undefined(call, paths[0], manifests):
        return None
    reason = _missing_message(call, paths, others, manifests)
    words = _other_places(others, paths[0], manifests)
    return TreeAnswer(Verdict.REFUTED, f"{paths[0]}#{call.name}", reason, elsewhere=words)


def _has_all_names(offer: Offer, call: Call) -> bool:
    """Returns whether the manifest has to define the called name: the manifest could be read
    completely, and the runner cannot take the name for anything else."""
    if not offer.whole or not (call.sure or ":" in call.name):
        return False
    if call.runner == "tox" and call.name in ("py", "py3"):
        return False  # tox runs its basic environment with the Python that it finds
    # tox composes names from its factors: `py312-lint`.
    parts = call.name.split("-") if call.runner == "tox" else [call.name]
    return not all(any(_matches(part, pattern) for pattern in offer.free) for part in parts)


def _are_samples(others: list[str], path: str) -> bool:
    """Returns whether only samples define a name, such as `testdata/go/Makefile`. A document then
    means a command in its reader's own project."""
    return bool(others) and all(map(is_test_or_sample, others)) and not is_test_or_sample(path)


def _answer_removed(asked: Sequence[Reference], manifests: Manifests, context: Context) -> Answers:
    """Returns the results for names that the current change removes from a manifest. Without the
    change, a missing name proves nothing: `yarn lint` and `hatch run lint` can also run a program,
    and tox composes environments from factors."""
    found: Answers = {}
    before = manifests_of(context.base.tree) if asked and context.base.known else manifests
    for reference in asked if before is not manifests else ():
        call = _call_of(reference)
        paths = _manifests_for(call, reference, manifests) if call else []
        if call is None or any(
            _find_entry(call.name, manifests.offer(call.runner, p)) for p in paths
        ):
            continue
        if had := [p for p in paths if _find_entry(call.name, before.offer(call.runner, p))]:
            reason = _missing_message(call, had, [], manifests)
            found[reference] = TreeAnswer(Verdict.REFUTED, f"{had[0]}#{call.name}", reason)
    return found


def _is_made(reference: Reference, call: Call, path: str, tree: Tree) -> bool:
    """Returns whether a build may make the makefile that a command reads, because the command runs
    at the root: `make install` in libuv, whose only makefile is `docs/Makefile` (`path`)."""
    folder = dirname(path)
    inside = not folder or call.directory or reference.path.startswith(f"{folder}/")
    return not inside and any(map(tree.has, _MAKE_MAKEFILES))


def _accepts_undefined(call: Call, path: str, manifests: Manifests) -> bool:
    """Returns whether a runner accepts a name that the manifest does not define, or the repository
    is the runner's own, whose documents describe other projects."""
    if manifests.is_source_of(call.runner):
        return True
    if call.runner == "npm" and call.name == "start":  # npm then runs `node server.js`
        return manifests.tree.has(normpath(join(dirname(path), "server.js")))
    if call.runner in ("make", "mvn") and _is_file(call.name, path, manifests):
        return True
    place = "*" if call.packages == "*" else call.runner
    if place not in _MORE_FILES:
        return False
    others, key = _MORE_FILES[place]
    name = re.escape(call.name.rpartition(":")[2])
    return any(
        re.search(key.format(name), f"{other}\n{manifests.text(other)}")
        for other in manifests.tree.files
        if others.search(other)
    )


_MAKE_MAKEFILES = ("CMakeLists.txt", "configure", "configure.ac", "Makefile.am", "Makefile.in")
"""Files at the root from which a build makes the makefile at the root."""
_MORE_FILES = {
    "*": (compiled(r"(?:^|/)(?:nx|project|turbo)\.jsonc?$"), '"(?:[^"]*#)?{}"'),
    "make": (  # a template from which a program writes the makefile of another project
        compiled(r"(?i)(?:^|/)makefile\.(?:ejs|hbs|j2|jinja2?|mustache|template|tmpl|tpl)$"),
        "(?m)^{}[ \\t]*:",
    ),
    "rake": (compiled(r"\.rake$"), "{}"),
    "compose": (compiled(r"compose[^/]*\.ya?ml$"), "(?m)^[ ]+[\"']?{}[\"']?:"),
}
"""Maps runners, and `*` for scripts of any package, to the paths of other files that may define
their names, and to the form of such a name."""


def _other_places(others: list[str], chosen: str, manifests: Manifests) -> tuple[str, ...]:
    """Returns the names of other manifests' places that are no names of the chosen one's folder: a
    text about `@x/web` does not mean `@x/api`."""
    words = {w for p in others for w in _place_names(p, manifests)}
    return tuple(sorted(words.difference(_place_names(chosen, manifests) if "/" in chosen else ())))


def _place_names(path: str, manifests: Manifests) -> Iterator[str]:
    """Yields the names of a manifest's folders and package, by which a text may refer to it."""
    yield from (folder.lower() for folder in dirname(path).split("/") if folder)
    if path.endswith("package.json") and (name := manifests.package(path).name):
        yield from name.lower().lstrip("@").split("/")


def _is_file(name: str, path: str, manifests: Manifests) -> bool:
    """Returns whether a target is a file or directory, which make accepts as up to date."""
    there = normpath(join(dirname(path), name))
    return manifests.tree.has(there) or manifests.tree.is_dir(there)


_NOUNS = {
    "npm": "script",
    "composer": "script",
    "hatch": "script",
    "make": "target",
    "just": "recipe",
    "nox": "session",
    "tox": "environment",
    "fastlane": "lane",
    "mvn": "module",
    "compose": "service",
}


def _missing_message(call: Call, paths: list[str], others: list[str], manifests: Manifests) -> str:
    """Returns the message for a name that the manifests in `paths` do not define. The message lists
    the manifests in `others`, which define the name."""
    noun, shown = _NOUNS.get(call.runner, "task"), paths[:2]
    has = "has" if len(shown) == 1 else "have"
    message = f"{' and '.join(shown)} {has} no {noun} {call.name}"
    names = {n for p in shown for n in manifests.offer(call.runner, p).entries}
    near = near_name(call.name, names)
    if near and is_same_but_for_signs(call.name, near):
        message = f"{message}: the {noun} is called {near}"
    elif near:
        message = f"{message}; perhaps {near}"
    has = "has" if len(others) == 1 else "have"
    return f"{message}; {' and '.join(others)} {has} it" if others else message


def _find_entry(name: str, offer: Offer) -> Entry | None:
    for way in (name, *(rename.replace("%", name) for rename in offer.renames)):
        if way in offer.entries:
            return offer.entries[way]
        if any(_matches(way, pattern) for pattern in offer.patterns):
            return Entry(0)
    return None


def _matches(name: str, pattern: str) -> bool:
    before, wildcard, after = pattern.partition("%")
    if not wildcard:
        return name == pattern
    long_enough = len(name) > len(before) + len(after)
    return long_enough and name.startswith(before) and name.endswith(after)


def _manifests_for(call: Call, reference: Reference, manifests: Manifests) -> list[str]:
    """Returns the manifests that a call may mean, most likely first. Returns an empty list if the
    meant manifest is unclear."""
    here = dirname(reference.path)
    files = RUNNERS[call.runner].files
    if call.runner == "npm" and not _is_used(reference.name, manifests):
        return []
    if call.packages and call.runner == "npm":
        return _workspaces(call.packages, manifests)
    directory = _directory_of(reference, manifests.tree)
    given = [d for d in (directory, call.directory) if d]
    if not given:
        return list(manifests.nearest(_manifest_names(call.runner, manifests), here))
    wanted = normpath(join(*given))
    for start in dict.fromkeys((normpath(join(here, wanted)), *_folders(wanted, files, manifests))):
        if start.startswith(("..", "/")):
            continue
        if found := _manifest_in(start, files, manifests):
            return [found]
    return []


def _folders(path: str, files: tuple[str, ...], manifests: Manifests) -> Iterator[str]:
    """Yields the folders that a command line may enter. After `cd web && make`, the second `cd` in
    `cd api && make` may start at the root again, so the folder is `api` if `web/api` is missing."""
    yield path
    parts = path.split("/")
    above = ("/".join(parts[:n]) for n in range(1, len(parts)))
    if not manifests.tree.is_dir(path) and any(_manifest_in(p, files, manifests) for p in above):
        yield from ("/".join(parts[n:]) for n in range(1, len(parts)))


def _manifest_in(folder: str, files: tuple[str, ...], manifests: Manifests) -> str:
    """Returns the manifest in a folder, or an empty string."""
    folder = "" if folder == "." else folder
    found = next(manifests.nearest(files, folder), "")
    return found if dirname(found) == folder else ""


def _manifest_names(runner: str, manifests: Manifests) -> tuple[str, ...]:
    """Returns the names of a runner's manifests. For tox, only those that configure it in this
    tree: a pyproject.toml may do so, or not."""
    files = RUNNERS[runner].files
    if runner != "tox":
        return files
    found = manifests.everywhere(files)[:MOST]
    names = {basename(path) for path in found if manifests.offer("tox", path).entries}
    return tuple(filter(names.__contains__, files))


def _directory_of(reference: Reference, tree: Tree) -> str:
    """Returns the directory in which a command runs. Returns an empty string for a name that is no
    directory with a manifest, as in "`npm test` in `CI`"."""
    if not reference.of.startswith(_MAYBE):
        return reference.of
    named = reference.of.removeprefix(_MAYBE)
    places = (named, normpath(join(dirname(reference.path), named)))
    files = {file for runner in RUNNERS.values() for file in runner.files}
    return named if any(tree.has(join(p, f)) for p in places for f in files) else ""


def _is_used(command: str, manifests: Manifests) -> bool:
    """Returns whether the tree has the files of the command's programs, such as a lock file, and is
    not the source of one. A command of another program belongs to another project."""
    named = [word for word in command.split()[:3] if word in _FILES_OF]
    used = all(any(map(manifests.tree.ending_with, _FILES_OF[word])) for word in named)
    return used and not any(word in manifests.node_packages for word in named)


_FILES_OF = {
    "yarn": ("yarn.lock",), "bun": ("bun.lock", "bun.lockb"), "lerna": ("lerna.json",),
    "turbo": ("turbo.json", "turbo.jsonc"),
}  # fmt: skip
"""Maps programs that run scripts to the files by which a project shows that it uses them."""


def _workspaces(packages: str, manifests: Manifests) -> list[str]:
    if packages == "*":
        return [p for paths in manifests.node_packages.values() for p in paths]
    if packages in manifests.node_packages:
        return manifests.node_packages[packages]
    path = normpath(packages)
    if manifests.tree.has(join(path, "package.json")):
        return [join(path, "package.json")]
    ends = [n for n in manifests.node_packages if n.rpartition("/")[2] == packages]
    return manifests.node_packages[ends[0]] if len(ends) == 1 else []


def _with_fate(
    reference: Reference, answer: TreeAnswer, manifests: Manifests, context: Context
) -> TreeAnswer:
    """Adds to the reason what removed or renamed the name: a commit, or the checked change. Returns
    the result unchanged if the manifest's history does not show it."""
    call = _call_of(reference)
    path = answer.target.rpartition("#")[0]
    if call is None:
        return answer
    before, when = _former_entries(call, path, context)
    had = before.get(call.name)
    if had is None or (not call.sure and call.name in had.body):
        return answer
    now = manifests.offer(call.runner, path).entries
    same = [n for n, e in now.items() if had.body and e.body == had.body and n not in before]
    to = same[0] if len(same) == 1 else ""
    fate = f"{f'renamed to {to}' if to else 'removed'} {when}".rstrip()
    reason = f"{path} has no {_NOUNS.get(call.runner, 'task')} {call.name}: {fate}"
    return answer._replace(reason=reason, instead=f"{path}#{to}" if to else "")


def _former_entries(call: Call, path: str, context: Context) -> tuple[Mapping[str, Entry], str]:
    """Returns the entries that a manifest had before the called name was removed, and what removed
    it: "by this change" or "in 1a2b3c4 (…)". There are no entries if nothing removed it."""
    if context.start and not isinstance(context.tree, CommitTree):
        had = manifests_of(CommitTree(context.repo, context.start)).offer(call.runner, path).entries
        if call.name in had:
            return had, "by this change"
    removal = last_removal(context.repo, context.start, path, call.name, context.cache)
    parse = RUNNERS[call.runner].parse
    # The commit may have removed only a use of the name.
    if removal is None or call.name in parse(removal.after, path).entries:
        return {}, ""
    known = context.repo.objects.get(removal.commit)
    when = dated_subject(known.oid, context) if known else ""
    return parse(removal.before, path).entries, f"in {removal.commit} {when}"
