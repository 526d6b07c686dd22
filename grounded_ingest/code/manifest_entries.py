"""Reads the names that manifests define: scripts, targets, recipes, tasks, sessions, commands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from msgspec import Struct

from grounded_ingest.code.manifest_facts import (
    json_value,
    mapping_at,
    toml_value,
    with_lines,
    yaml_value,
)
from grounded_ingest.text.patterns import compiled

LARGEST = 256 * 1024
"""Maximum length of a manifest that is read, in characters."""


class Entry(Struct, frozen=True):
    """A script, target or task in a manifest.

    `line` is the defining line (1-based), and `body` is the text of the commands. `body` is empty
    if the entry runs no command."""

    line: int
    body: str = ""


class Include(Struct, frozen=True):
    """A manifest that another manifest includes.

    `prefix` is put before the names of the included entries. If `optional` is true, the included
    file may be missing."""

    path: str
    prefix: str = ""
    optional: bool = False


class Offer(Struct, frozen=True):
    """The scripts, targets or tasks that a manifest defines.

    `patterns` match more names, with `%` for any text. `includes` are manifests that define more
    names. `whole` is false if the manifest may define names that this program cannot read. `free`
    patterns match names that the manifest need not define, because the runner may then run a
    program. With `common-%` in `renames`, the target `common-test` is also called `test`."""

    entries: Mapping[str, Entry]
    whole: bool = True
    patterns: Sequence[str] = ()
    includes: Sequence[Include] = ()
    free: Sequence[str] = ()
    renames: Sequence[str] = ()


NOTHING = Offer({}, whole=False)
"""The result for a manifest that cannot be parsed. Such a manifest may define any name."""


def _key_lines(text: str, keys: re.Pattern[str], start: int = 0) -> dict[str, int]:
    """Returns the line (1-based) of each key. The first group in the pattern `keys` is a key."""
    found: dict[str, int] = {}
    for line, key in with_lines(keys.finditer(text, start), text, group=1):
        found.setdefault(key[1], line)
    return found


# Readers for package.json, composer.json and deno.json.

# The pattern also matches strings that are not keys, but then the group is empty. Otherwise, the
# search would take an escaped quote inside a string for the beginning of a string.
_JSON_KEY = compiled(r'"((?:[^"\\]|\\.)*+)"\s*+:|"(?:[^"\\]|\\.)*+"')


class NodePackage(Struct, frozen=True):
    """The name, the scripts and the installed commands (`bins`) in a package.json."""

    name: str
    scripts: Offer
    bins: tuple[str, ...]


def node_package(text: str) -> NodePackage:
    """Returns the name, scripts and commands in a package.json. If the text is not valid JSON, the
    scripts are `NOTHING`: any name may exist."""
    read = json_value(text)
    if not isinstance(read, dict):
        return NodePackage("", NOTHING, ())
    name = read.get("name")
    name = name if isinstance(name, str) else ""
    bins = read.get("bin")
    if isinstance(bins, str):
        bins = {name.rpartition("/")[2]: bins}
    scripts = _json_scripts(text, read, "scripts")
    return NodePackage(name, scripts, tuple(bins) if isinstance(bins, dict) else ())


def composer_scripts(text: str) -> Offer:
    """Returns the scripts in a composer.json."""
    return _json_scripts(text, json_value(text), "scripts")


def deno_tasks(text: str) -> Offer:
    """Returns the tasks in a deno.json."""
    return _json_scripts(text, json_value(text), "tasks")


def _json_scripts(text: str, read: Any, key: str) -> Offer:
    if not isinstance(read, dict):
        return NOTHING
    scripts = read.get(key)
    if scripts is None:
        return Offer({})
    if not isinstance(scripts, dict):
        return NOTHING
    lines = _key_lines(text, _JSON_KEY, max(text.find(f'"{key}"'), 0))
    return Offer(
        {name: Entry(lines.get(name, 0), _json_body(body)) for name, body in scripts.items()}
    )


def _json_body(body: Any) -> str:
    if isinstance(body, dict):
        body = body.get("command") or body.get("script")
    if isinstance(body, list):
        return " && ".join(str(part) for part in body)
    return body if isinstance(body, str) else ""


# A reader for justfiles. The grammar: https://just.systems/man/en/grammar.html

_JUST_STRING = compiled(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|`[^`]*`|\([^()]*\)")
_LONGEST_JUST_LINE = 2_000
"""Maximum length of a line in a justfile, in characters. The search for strings takes quadratic
time in the number of quotes."""
_RECIPE = compiled(r"^@?([A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)")
_ALIAS = compiled(r"^alias\s+([A-Za-z_][\w-]*)\s*:=\s*([\w:-]+)")
_IMPORT = compiled(r"^import(\?)?\s+['\"]([^'\"]+)['\"]")
_MODULE = compiled(r"^mod(\?)?\s+([A-Za-z_][\w-]*)(?:\s+['\"]([^'\"]+)['\"])?\s*(?:#.*)?$")
_FALLBACK = compiled(r"^set\s+fallback(?:\s*:=\s*true)?\s*$")


def just_recipes(text: str) -> Offer:
    """Returns the recipes, aliases and modules in a justfile."""
    entries: dict[str, Entry] = {}
    includes: list[Include] = []
    whole = True
    rows = text.replace("\r\n", "\n").split("\n")
    for at, line in enumerate(rows):
        if not line[:1].strip() or line.startswith(("#", "[")):
            continue
        if len(line) > _LONGEST_JUST_LINE:
            whole = False
        elif found := _ALIAS.match(line):
            entries[found[1]] = Entry(at + 1, found[2])
        elif found := _IMPORT.match(line):
            includes.append(Include(found[2], "", bool(found[1])))
        elif found := _MODULE.match(line):
            path = found[3] or f"{found[2]}.just"
            entries.setdefault(found[2], Entry(at + 1))  # in `just npm sync`, for `npm::sync`
            includes.append(Include(path, f"{found[2]}::", bool(found[1])))
        elif _FALLBACK.match(line):
            whole = False
        elif found := _RECIPE.match(_JUST_STRING.sub("_", line).partition("#")[0]):
            body = "\n".join(row.strip() for row in _rows_below(rows, at + 1, (" ", "\t"))).strip()
            entries.setdefault(found[1], Entry(at + 1, body))
    return Offer(entries, whole, includes=includes)


def _rows_below(rows: list[str], at: int, signs: tuple[str, ...]) -> list[str]:
    """Returns the rows from `at` up to the first that is not empty and does not begin with one of
    `signs`."""
    end = at
    while end < len(rows) and (rows[end][:1] in signs or not rows[end].strip()):
        end += 1
    return rows[at:end]


# A reader for makefiles. The syntax of rules:
# https://www.gnu.org/software/make/manual/html_node/Rule-Syntax.html

_ASSIGNS = compiled(
    r"^(?:(?:export|override|private|unexport)\s+)*([\w.-]+)\s*(\?|\+|::?:?|!)?=\s*(.*)$"
)
_INCLUDE = compiled(r"^(-|s)?include\s+(.*)$")
_VARIABLE = compiled(r"\$(?:\(([\w.-]+)\)|\{([\w.-]+)\}|\$)")
_DEFINE = compiled(r"^(?:override\s+)?define\b")
_CONDITION = compiled(r"^(?:ifeq|ifneq|ifdef|ifndef|else|endif|vpath|undefine|export|unexport)\b")
_STATIC = compiled(r"([^:%]*%[^:%]*):")
"""Matches the pattern of the targets in `$(ARCHS): docker-%: build`, behind the first colon."""
_RENAMES = compiled(r"%\s*:\s*([\w-]+%[\w-]*|%[\w-]+)[\s;]*$")
"""Matches a rule that gives each target another name: `%: common-% ;`."""
_SPECIAL = compiled(r"\.[A-Z_]+|\.[a-z]+\.[a-z]+")
"""Matches special targets (`.PHONY`, `.SUFFIXES`) and suffix rules (`.c.o`)."""
_CALLS = compiled(
    r"^\$[({](?:(?:error|info|warning)\b.*"
    r"|(?!.*(?:\b(?:call|eval)\b|[)}]\s*:))(?:shell\b.*"
    r"|(?:and|foreach|if|or)\b[^:]*(?:\$[({](?:error|info|shell|warning)\b.*)?))[)}]$"
)
"""Matches a line that only calls functions of make which define no targets: `$(if $(X),$(info y))`.
"""
_HERE = ("CURDIR", "MAKEFILE_DIR", "ROOT_DIR")
_MOST_EXPANSIONS = 8
_LONGEST_MAKE_LINE = 4_000
"""Maximum length of a makefile line after its variables are expanded, in characters."""


def make_targets(text: str) -> Offer:
    """Returns the targets in a makefile.

    `whole` is false in the result if a target name cannot be resolved."""
    make = _Makefile()
    for rule in _make_rules(text):
        make.read(*rule)
    return Offer(make.entries, make.whole, make.patterns, make.includes, renames=make.renames)


_UNKNOWN = compiled(r"\$\(.*\)")
"""Matches calls and variables of make in parentheses."""


class _Makefile:
    """A reader of makefile lines that collects targets and variables."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.patterns: list[str] = []
        self.renames: list[str] = []
        self.includes: list[Include] = []
        self.variables: dict[str, str | None] = {}
        self.several: set[str] = set()
        self.whole = True

    def read(self, number: int, line: str, recipe: str) -> None:
        if _CALLS.match(line):
            return
        if found := _INCLUDE.match(line):
            paths = self._expand(found[2])
            self.whole = self.whole and paths is not None
            self.includes += [Include(p, "", bool(found[1])) for p in (paths or "").split()]
        elif found := _ASSIGNS.match(line):
            self._assign(found[1], found[2] or "", found[3])
        elif line.startswith("$") and ":" not in line:  # `$(eval …)` may create rules
            self.whole = self.whole and self._expand(line) == ""
        elif line.startswith((".include", "!include")):
            self.whole = False  # BSD's and Microsoft's make
        elif found := _RENAMES.match(line):
            self.renames.append(found[1])
        elif ":" in line:
            self._rule(number, line, recipe)

    def _rule(self, number: int, line: str, recipe: str) -> None:
        targets, _, prerequisites = line.partition(":")
        names = self._expand(targets)
        if names is None:
            static = _STATIC.match(prerequisites)
            names = static[1] if static else " ".join(map(self._pattern_of, targets.split()))
        several = any(name.count("%") > 1 for name in names.split())  # `deploy-%-%`
        if several or "$" in names or not {".DEFAULT", "%"}.isdisjoint(names.split()):
            self.whole = False
            return
        for name in names.rstrip("&").split():
            if "%" in name:
                self.patterns.append(name)
            elif not _SPECIAL.fullmatch(name):
                known = self.entries.get(name)
                if known is None or not known.body:
                    self.entries[name] = Entry(number, recipe)

    def _assign(self, name: str, operator: str, value: str) -> None:
        """Sets a make variable from an assignment, or to None if its value depends on a shell
        command. A variable that is set again, such as in `ifeq`, keeps all its values."""
        before = self.variables.get(name, "")
        if operator != "+" and name in self.variables:
            self.several.add(name)
        if operator == "!" or before is None:
            self.variables[name] = None
        else:
            self.variables[name] = f"{before} {value}".strip()[:_LONGEST_MAKE_LINE]

    def _expand(self, text: str) -> str | None:
        """Returns a text with the make variables replaced by their values.

        Returns None if the value of a variable is unknown, and for a variable with several values
        inside of a word."""
        for _ in range(_MOST_EXPANSIONS):
            if "$" not in text:
                return text
            found = _VARIABLE.search(text)
            if found is None:
                return None
            name = found[1] or found[2] or ""
            value = "." if name in _HERE else self.variables.get(name)
            if value is None or len(text) + len(value) > _LONGEST_MAKE_LINE:
                return None
            around = text[: found.start()][-1:] + text[found.end() :][:1]
            if name in self.several and around.strip():
                return None
            text = text[: found.start()] + value + text[found.end() :]
        return None if "$" in text else text

    def _pattern_of(self, target: str) -> str:
        """Returns a pattern for a target, such as `target/%` for `target/$(BINARY)`, if a variable
        is unknown. Known variables are expanded first: `$(LINT)` is `$(BIN)/lint`, so `%/lint`."""
        for _ in range(_MOST_EXPANSIONS):
            found = _VARIABLE.search(target)
            name = (found[1] or found[2] or "") if found else ""
            value = self.variables.get(name) or ""
            if not found or not value or " " in _UNKNOWN.sub("", value):
                break
            if name in self.several and found[0] != target:
                break
            target = target[: found.start()] + value + target[found.end() :]
        start, end = target.find("$"), max(target.rfind(")"), target.rfind("}"))
        return f"{target[:start]}%{target[end + 1 :]}" if start >= 0 else target


def _make_rules(text: str) -> Iterator[tuple[int, str, str]]:
    rows = text.replace("\r\n", "\n").split("\n")
    at, depth, has_rule = 0, 0, False
    while at < len(rows):
        first, line = at + 1, rows[at] if has_rule else rows[at].lstrip()  # a recipe needs a rule
        while line.endswith("\\") and at + 1 < len(rows) and len(line) < _LONGEST_MAKE_LINE:
            at += 1
            line = f"{line[:-1]} {rows[at].strip()}"
        at += 1
        if _DEFINE.match(line.strip()):
            depth += 1
        elif line.strip() == "endef":
            depth = max(depth - 1, 0)
        elif not depth and line.strip() and not line.startswith("\t"):
            plain = re.sub(r"(?<!\\)#.*", "", line).strip()
            if plain and not _CONDITION.match(plain):
                has_rule = has_rule or (":" in plain and not _ASSIGNS.match(plain))
                yield first, plain, "\n".join(_rows_below(rows, at, ("\t",))).strip()


# A reader for Taskfiles. The schema: https://taskfile.dev/reference/schema/

_TASK_KEY = compiled(r"(?m)^[ \t]+[\"']?([\w:.*-]+)[\"']?:")


def taskfile_tasks(text: str) -> Offer:
    """Returns the tasks in a Taskfile."""
    read = yaml_value(text)
    if not isinstance(read, dict) or not isinstance(read.get("tasks", {}) or {}, dict):
        return NOTHING
    entries: dict[str, Entry] = {}
    patterns: list[str] = []
    lines = _key_lines(text, _TASK_KEY, max(text.find("tasks:"), 0))
    for name, task in mapping_at(read, "tasks").items():
        entry = Entry(lines.get(str(name), 0), _task_body(task))
        aliases = mapping_at(task).get("aliases")
        for other in (str(name), *(aliases if isinstance(aliases, list) else ())):
            if "*" in str(other):
                patterns.append(str(other).replace("*", "%"))
            else:
                entries[str(other)] = entry
    includes = list(_task_includes(mapping_at(read, "includes")))
    return Offer(entries, None not in includes, patterns, [i for i in includes if i])


def _task_includes(includes: dict[str, Any]) -> Iterator[Include | None]:
    """Yields the files that a Taskfile includes.

    Yields None for a file whose path is computed or is a URL."""
    for name, value in includes.items():
        detail = value if isinstance(value, dict) else {"taskfile": value}
        path, aliases = detail.get("taskfile"), detail.get("aliases")
        if not isinstance(path, str) or "{{" in path or "://" in path:
            yield None
            continue
        optional = bool(detail.get("optional"))
        prefixes = [name, *(aliases if isinstance(aliases, list) else ())]
        for prefix in [""] if detail.get("flatten") else [f"{p}:" for p in prefixes]:
            yield Include(path, prefix, optional)


def _task_body(task: Any) -> str:
    if isinstance(task, dict):
        task = mapping_at(task).get("cmds") or mapping_at(task).get("cmd")
    parts = task if isinstance(task, list) else [task]
    return "\n".join(str(part) for part in parts if part is not None)


# Readers for pyproject.toml, tox, nox and Hatch.

_TOML_KEY = compiled(r"(?m)^[ \t]*(?:\[[\w.-]*?\.)?[\"']?([\w:-]+)[\"']?[ \t]*[\]=.]")
_LONGEST_INI_LINE = 2_000
"""Maximum length of a line in an INI file, in characters. configparser takes quadratic time for
long lines."""


def poe_tasks(text: str) -> Offer:
    """Returns the tasks of Poe the Poet in a pyproject.toml."""
    poe = mapping_at(toml_value(text), "tool", "poe")
    if not poe:
        return NOTHING
    return Offer(_toml_entries(text, mapping_at(poe, "tasks")), "include" not in poe)


def pdm_scripts(text: str) -> Offer:
    """Returns the PDM scripts in a pyproject.toml.

    `whole` is false in the result, because `pdm run` can also run any program."""
    scripts = mapping_at(toml_value(text), "tool", "pdm", "scripts")
    return Offer(_toml_entries(text, scripts), whole=False)


def hatch_scripts(text: str) -> Offer:
    """Returns the Hatch scripts as `environment:name`.

    Scripts in the default environment are also listed as `name`. `hatch run` can also run any
    program, but only in an environment that is defined or built in."""
    read = toml_value(text)
    hatch = mapping_at(read, "tool", "hatch") or read
    environments = mapping_at(hatch, "envs")
    entries: dict[str, Entry] = {}
    for name, environment in environments.items():
        found = _toml_entries(text, mapping_at(environment, "scripts"))
        entries.update((f"{name}:{script}", entry) for script, entry in found.items())
        if name == "default":
            entries.update(found)
    # A plugin may collect further environments. A matrix makes `test.py3.12` from `test`, and
    # `py3.12` from `default`.
    matrix = mapping_at(environments, "default").get("matrix", ())
    free = [f"{name}{end}" for name in environments for end in (":%", ".%")]
    free += ["default:%", "system:%", "hatch-%", *(["py%"] if matrix else [])]
    named = all("python" in m or "py" in m for m in matrix)
    whole = bool(environments) and named and not mapping_at(hatch, "env")
    return Offer(entries, whole, free=free)


def _toml_entries(text: str, scripts: dict[str, Any]) -> dict[str, Entry]:
    lines = _key_lines(text, _TOML_KEY) if scripts else {}
    return {name: Entry(lines.get(name, 0), _toml_body(body)) for name, body in scripts.items()}


def _toml_body(body: Any) -> str:
    if isinstance(body, dict):
        body = next((body[k] for k in ("cmd", "shell", "script", "sequence") if k in body), "")
    return "\n".join(map(str, body)) if isinstance(body, list) else str(body)


def console_scripts(text: str) -> dict[str, str]:
    """Returns the commands that a pyproject.toml installs.

    Maps the name of a command to the called function: `package.module:function`."""
    read = toml_value(text)
    found = {
        **mapping_at(read, "tool", "poetry", "scripts"),
        **mapping_at(read, "project", "gui-scripts"),
        **mapping_at(read, "project", "scripts"),
    }
    return {name: target for name, target in found.items() if isinstance(target, str)}


def tox_environments(text: str, path: str) -> Offer:
    """Returns the tox environments in a tox.ini, tox.toml, setup.cfg or pyproject.toml. Besides
    these, tox accepts names that consist of their parts (factors), and Python versions such as
    `py312`."""
    if path.endswith(".toml"):
        above = () if path.endswith("tox.toml") else ("tool", "tox")
        tox = mapping_at(toml_value(text), *above)
        if "legacy_tox_ini" in tox:
            return tox_environments(str(tox["legacy_tox_ini"]), "tox.ini")
        listed = tox.get("env_list") or tox.get("envlist") or ()
        return _tox_offer([*mapping_at(tox, "env"), *map(str, listed)])
    from configparser import Error as IniError  # imported late, because few runs read an INI file
    from configparser import RawConfigParser

    if max(map(len, text.split("\n"))) > _LONGEST_INI_LINE:
        return NOTHING
    parser = RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except IniError:
        return NOTHING
    lists = [parser.get("tox", key, fallback="") for key in ("envlist", "env_list")]
    lists += [s.removeprefix("testenv:") for s in parser.sections() if s.startswith("testenv:")]
    # A condition such as `lint: ruff` in the value of a setting makes `lint` a factor.
    lists += re.findall(r"(?m)^[ \t]+([\w{},.!-]+):(?:[ \t]|$)", text)
    return _tox_offer([n.lstrip("!") for names in lists for n in _TOX_NAME.findall(names)])


_TOX_NAME = compiled(r"(?:[^\s,{}]|\{[^{}]*\})+")


def _tox_offer(written: list[str]) -> Offer:
    """Returns the environments for names such as `py{311,312}-lint`."""
    names: set[str] = set()
    for name in written:
        # `{[base]envlist}` and `{env:NAME}` stand for text from elsewhere.
        parts = [p.split(",") for p in re.split(r"[{}]", re.sub(r"\s", "", name))]
        if re.search(r"\{[^{}]*[\[:]", name) or prod(map(len, parts)) > _MOST_TOX_NAMES:
            return Offer({n: Entry(0) for n in names}, whole=False)
        names.update(map("".join, product(*parts)))
    entries = {n: Entry(0) for n in sorted(names)}
    factors = sorted({part for name in names for part in name.split("-")} - {""})
    return Offer(entries, bool(names), free=(*factors, "ALL", "py%", "3.%"))


_MOST_TOX_NAMES = 1000


def nox_sessions(text: str) -> Offer:
    """Returns the sessions that a noxfile.py defines."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return NOTHING
    entries: dict[str, Entry] = {}
    patterns: list[str] = []
    whole = True
    for node in ast.walk(module):
        for decorator in getattr(node, "decorator_list", ()):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if not ast.unparse(called).endswith("session") or not isinstance(node, ast.FunctionDef):
                continue
            keywords = {k.arg: k.value for k in getattr(decorator, "keywords", ())}
            name = keywords.get("name", ast.Constant(node.name))
            if not isinstance(name, ast.Constant):
                whole = False
                continue
            entries[str(name.value)] = Entry(node.lineno)
            patterns += [f"{name.value!s}-%", f"{name.value!s}(%"]
    return Offer(entries, whole, patterns)
