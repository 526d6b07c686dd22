"""Tasks of Taskfiles, pyproject.toml, tox, nox and hatch, and the commands a package installs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from grounded_ingest.code.offers import (
    NOTHING,
    Entry,
    Include,
    Offer,
    key_lines,
    mapping_at,
    toml_value,
    yaml_value,
)
from grounded_ingest.text.patterns import compiled


def taskfile_tasks(text: str) -> Offer:
    """https://taskfile.dev/reference/schema/"""
    read = yaml_value(text)
    if not isinstance(read, dict) or not isinstance(read.get("tasks", {}) or {}, dict):
        return NOTHING
    entries: dict[str, Entry] = {}
    patterns: list[str] = []
    lines = key_lines(text, _TASK, max(text.find("tasks:"), 0))
    for name, task in mapping_at(read, "tasks").items():
        entry = Entry(lines.get(str(name), 0), _commands(task))
        aliases = mapping_at(task).get("aliases")
        for other in (str(name), *(aliases if isinstance(aliases, list) else ())):
            if "*" in str(other):
                patterns.append(str(other).replace("*", "%"))
            else:
                entries[str(other)] = entry
    includes = list(_included(mapping_at(read, "includes")))
    return Offer(entries, None not in includes, tuple(patterns), tuple(i for i in includes if i))


def _included(includes: dict[str, Any]) -> Iterator[Include | None]:
    """None for what cannot be followed."""
    for name, said in includes.items():
        detail = said if isinstance(said, dict) else {"taskfile": said}
        path, aliases = detail.get("taskfile"), detail.get("aliases")
        if not isinstance(path, str) or "{{" in path or "://" in path:
            yield None
            continue
        optional = bool(detail.get("optional"))
        prefixes = [name, *(aliases if isinstance(aliases, list) else ())]
        for prefix in [""] if detail.get("flatten") else [f"{p}:" for p in prefixes]:
            yield Include(path, prefix, optional)


def _commands(task: Any) -> str:
    said = (
        mapping_at(task).get("cmds") or mapping_at(task).get("cmd")
        if isinstance(task, dict)
        else task
    )
    parts = said if isinstance(said, list) else [said]
    return "\n".join(str(part) for part in parts if part is not None)


def poe_tasks(text: str) -> Offer:
    poe = mapping_at(toml_value(text), "tool", "poe")
    if not poe:
        return NOTHING
    return Offer(_toml_entries(text, mapping_at(poe, "tasks")), "include" not in poe)


def pdm_scripts(text: str) -> Offer:
    scripts = mapping_at(toml_value(text), "tool", "pdm", "scripts")
    return Offer(_toml_entries(text, scripts), whole=False)  # it runs any program


def hatch_scripts(text: str) -> Offer:
    """Scripts by `environment:name`; those of the default one by their names as well."""
    read = toml_value(text)
    environments = mapping_at(read, "tool", "hatch", "envs") or mapping_at(read, "envs")
    entries: dict[str, Entry] = {}
    for name, environment in environments.items():
        found = _toml_entries(text, mapping_at(environment, "scripts"))
        entries.update((f"{name}:{script}", entry) for script, entry in found.items())
        if name == "default":
            entries.update(found)
    return Offer(entries, whole=False)  # it runs any program


def console_scripts(text: str) -> dict[str, str]:
    """The commands a pyproject.toml installs, and what they call (`package.module:main`)."""
    read = toml_value(text)
    found = {
        **mapping_at(read, "tool", "poetry", "scripts"),
        **mapping_at(read, "project", "gui-scripts"),
        **mapping_at(read, "project", "scripts"),
    }
    return {name: target for name, target in found.items() if isinstance(target, str)}


def tox_environments(text: str, path: str) -> Offer:
    """Environments of tox.ini, setup.cfg or pyproject.toml. Factors make the offer not whole."""
    if path.endswith(".toml"):
        tox = mapping_at(toml_value(text), "tool", "tox")
        if "legacy_tox_ini" in tox:
            return tox_environments(str(tox["legacy_tox_ini"]), "tox.ini")
        names = [
            *mapping_at(tox, "env"),
            *map(str, tox.get("env_list") or tox.get("envlist") or ()),
        ]
        return Offer({n: Entry(0) for n in names}, bool(names))
    from configparser import Error as IniError
    from configparser import RawConfigParser

    if max(map(len, text.split("\n"))) > _LONGEST:
        return NOTHING
    parser = RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except IniError:
        return NOTHING
    said = (parser.get("tox", key, fallback="") for key in ("envlist", "env_list"))
    names = [s.removeprefix("testenv:") for s in parser.sections() if s.startswith("testenv:")]
    names += re.sub(r"\{[^{}]*\}", "{}", " ".join(said)).replace(",", " ").split()
    whole = bool(names) and not any("{" in n for n in names)
    return Offer({n: Entry(0) for n in names if "{" not in n}, whole)


def nox_sessions(text: str) -> Offer:
    """Functions of a noxfile.py that are sessions."""
    import ast

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
            given = {k.arg: k.value for k in getattr(decorator, "keywords", ())}
            name = given.get("name", ast.Constant(node.name))
            if not isinstance(name, ast.Constant):
                whole = False
                continue
            entries[str(name.value)] = Entry(node.lineno)
            patterns += [f"{name.value!s}-%", f"{name.value!s}(%"]
    return Offer(entries, whole, tuple(patterns))


def _toml_entries(text: str, scripts: dict[str, Any]) -> dict[str, Entry]:
    lines = key_lines(text, _KEY) if scripts else {}
    return {name: Entry(lines.get(name, 0), _toml_body(body)) for name, body in scripts.items()}


_LONGEST = 2_000
"""Characters of the longest line of an INI file: configparser takes the square of them."""
_KEY = compiled(r"(?m)^[ \t]*(?:\[[\w.-]*?\.)?[\"']?([\w:-]+)[\"']?[ \t]*[\]=.]")
_TASK = compiled(r"(?m)^[ \t]+[\"']?([\w:.*-]+)[\"']?:")


def _toml_body(body: Any) -> str:
    if isinstance(body, dict):
        body = next((body[k] for k in ("cmd", "shell", "script", "sequence") if k in body), "")
    return "\n".join(map(str, body)) if isinstance(body, list) else str(body)
