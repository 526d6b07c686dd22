"""The laws of the house: one order of folders, no circles, one name for one thing, small functions,
and who may touch git, the network, processes and the exit. docs/architecture.md says why."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from radon.complexity import cc_visit

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "grounded_ingest"
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    .removesuffix("__init__")
    .rstrip("."): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
"""Modules by name inside the package; `` is the package's face."""

ORDER = (
    "errors", "version", "model", "text.lexicon", "text", "code", "extract", "statements", "rules",
    "config", "git", "net", "repository", "references", "records", "judge", "decide",
    "pipeline", "report", "verify", "retrieval", "review", "api", "", "fleet", "servers", "agents",
    "bench", "cli",
    "__main__", "action",
)  # fmt: skip
"""Folders, and the modules of the root among them. Each imports from those before it, and from
itself: imports inside functions and for type checking count like any other."""

ROOT, FOLDERS, COMPLEXITY = 6, 27, 15

INTERFACES = {
    "answers": "what the tree says of the references of a kind",
    "as_json": "a result as JSON",
    "as_text": "a result as text",
    "command": "the click command of a module",
    "main": "a way in",
    "mentions": "the references of a kind in a claim",
    "render": "a report in one format",
}
"""Names that several modules give the same public function, and what it is everywhere."""

NOUNS = {"licensing", "reading", "stemming"}
"""Names of modules that end as participles do."""

ONLY = {
    "subprocess": {
        "git.repository", "git.object_reader", "git.process", "git.hooks", "records.signatures",
        "judge.command", "fleet.jobs",
    },
    "git": {"git.log_walk"},
    "gitdb": {"git.log_walk"},
    "httpx": {"net.conversations"},
    "httpcore": {"net.conversations"},
    "tree_sitter": {"code.grammars"},
    "tomllib": {"text.toml_text"},
    "duckdb": {"fleet.tables"},
    "pygls": {"servers.lsp_server"},
    "lsprotocol": {"servers.lsp_server"},
    "onnxruntime": {"retrieval.embeddings"},
    "tokenizers": {"retrieval.embeddings"},
    "mcp": {"servers.mcp_server"},
    "anyio": {"servers.mcp_server"},
    "pydantic": {"servers.mcp_server", "servers.mcp_answers"},
    "numpy": {"retrieval.embeddings"},
}  # fmt: skip
"""What is imported in these modules alone."""

TIMELESS = ("code", "extract", "rules", "git", "references", "text", "statements")
"""Folders that answer by the repository alone: what a run finds does not depend on its speed."""
CLOCKS = {
    "git.hooks": "waits for a hook of the user's",
    "references.issue": "asks the network",
    "references.url": "asks the network",
    "references.response_cache": "keeps answers of the network with their time",
}

EXITS = {"__main__", "action.__main__", *(n for n in MODULES if n.startswith("cli."))}
DATA = (
    ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.JoinedStr, ast.FormattedValue,
    ast.Name, ast.BinOp, ast.Add, ast.UnaryOp, ast.USub, ast.expr_context,
)  # fmt: skip


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def folder(name: str) -> str:
    """The entry of the order a module belongs to."""
    return "text.lexicon" if name.startswith("text.lexicon") else name.split(".")[0]


@cache
def imports(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """The modules of this project, and the others, that a module imports anywhere in it."""
    ours, others = set(), set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}: a relative import"
            found = [_known(f"{node.module}.{a.name}", node.module or "") for a in node.names]
        else:
            continue
        for module in found:
            (ours if module.split(".")[0] == PACKAGE.name else others).add(module)
    return frozenset(m.removeprefix(PACKAGE.name).lstrip(".") for m in ours), frozenset(others)


def _known(deeper: str, module: str) -> str:
    """`from package import module` names the module; `from module import name` does not."""
    return deeper if deeper.removeprefix(f"{PACKAGE.name}.") in MODULES else module


def definitions(kind: type[ast.AST]) -> dict[str, list[str]]:
    """Names that modules define at their top, with the modules."""
    found = defaultdict(list)
    for name in MODULES:
        for node in tree(name).body:
            if isinstance(node, kind):
                found[node.name].append(name)  # type: ignore[attr-defined]
    return found


def exits(name: str) -> Iterator[str]:
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("sys.exit", "exit", "quit", "os._exit", "ctx.exit"):
                yield f"line {node.lineno}: {called}"
        elif isinstance(node, ast.Raise) and node.exc and "SystemExit" in ast.unparse(node.exc):
            yield f"line {node.lineno}: SystemExit"


def test_the_house_is_small_enough_to_be_known() -> None:
    at_root = [name for name in MODULES if "." not in name and MODULES[name].parent == PACKAGE]
    folders = {path.parent for path in MODULES.values()} - {PACKAGE}
    assert len(at_root) <= ROOT
    assert len(folders) <= FOLDERS
    assert {folder(name) for name in MODULES} == set(ORDER)


# Each law looks at all modules in one case: a case for each module and law made 2,600, which cost
# more to collect and to report than to look at.


def test_imports_point_one_way() -> None:
    assert [
        f"{name} imports {module}"
        for name in MODULES
        for module in imports(name)[0]
        if ORDER.index(folder(module)) > ORDER.index(folder(name))
    ] == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    needs = {name: set(imports(name)[0]) for name in MODULES}
    while leaves := {n for n, others in needs.items() if not others & needs.keys()}:
        for leaf in leaves:
            del needs[leaf]
    assert not needs


def test_the_face_of_a_folder_is_its_description() -> None:
    for name in (n for n in MODULES if MODULES[n].name == "__init__.py" and n):
        assert ast.get_docstring(tree(name)), f"{name}: one line says what the folder holds"
        assert len(tree(name).body) == 1, name


def test_a_class_name_means_one_thing() -> None:
    assert {n: where for n, where in definitions(ast.ClassDef).items() if len(where) > 1} == {}


def test_a_public_function_name_means_one_thing() -> None:
    found = definitions(ast.FunctionDef)
    assert {
        name: where
        for name, where in found.items()
        if len(where) > 1 and not name.startswith("_") and name not in INTERFACES
    } == {}
    assert all(len(found[name]) > 1 for name in INTERFACES)


def test_modules_are_named_for_what_they_are() -> None:
    for name in (n for n in MODULES if MODULES[n].name != "__init__.py"):
        last = name.rpartition(".")[2]
        assert last == "__main__" or last not in sys.stdlib_module_names, name
        assert last not in {"utils", "helpers", "manager", "base", "data", "misc", "common"}, name
        assert last in NOUNS or not re.search(r"(?:ed|ing|held)$", last), name


def test_functions_can_be_read_at_once() -> None:
    found = [(n, f) for n in MODULES for f in cc_visit(MODULES[n].read_text(encoding="utf-8"))]
    blocks = [
        (name, b)
        for name, f in found
        for b in (f, *getattr(f, "methods", ()), *getattr(f, "closures", ()))
    ]
    assert [
        f"{name}, {b.name}, line {b.lineno}: {b.complexity}"
        for name, b in blocks
        if b.letter in "FM" and b.complexity > COMPLEXITY
    ] == []


def test_only_the_edges_touch_git_network_and_exit() -> None:
    for name in MODULES:
        others = {module.split(".")[0] for module in imports(name)[1]}
        if folder(name) == "bench":  # plays the user: builds repositories, starts the command
            others.discard("subprocess")
        assert {m for m in others if m in ONLY and name not in ONLY[m]} == set(), name
        assert name in EXITS or not list(exits(name)), name


@pytest.mark.parametrize("name", [n for n in MODULES if n.split(".")[0] in TIMELESS])
def test_no_clock_decides_what_the_repository_answers(name: str) -> None:
    """A limit of two seconds once lost 8 of 22 findings, and the silence was kept."""
    if name in CLOCKS:
        return
    assert "time" not in imports(name)[1]
    calls = [n for n in ast.walk(tree(name)) if isinstance(n, ast.Call)]
    waits = [n for n in calls if ast.unparse(n.func) != "sqlite3.connect"]  # else in memory
    given = {k.arg for n in waits for k in n.keywords}
    assert name == "git.repository" or not given & {"timeout", "seconds"}


@pytest.mark.parametrize("name", [n for n in MODULES if n != "git.process"])
def test_a_command_line_of_git_is_begun_in_one_place(name: str) -> None:
    """`git.process.GIT` has the options without which a repository's configuration runs
    programs."""
    assert [
        f"line {node.lineno}: {ast.unparse(node)[:60]}"
        for node in ast.walk(tree(name))
        if isinstance(node, ast.List | ast.Tuple)
        and [*map(ast.unparse, node.elts[:1])] == ["'git'"]
    ] == []


@pytest.mark.parametrize("name", [n for n in MODULES if folder(n) == "text.lexicon"])
def test_a_lexicon_holds_words_and_nothing_else(name: str) -> None:
    """Literals, put together from literals of a lexicon at most: a notion is listed once."""
    for node in tree(name).body:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.ImportFrom(module="__future__"):
                continue
            case ast.ImportFrom(module=str(module)):
                assert ".text.lexicon." in module
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                if isinstance(value, ast.Call) and ast.unparse(value.func) in (
                    "frozenset",
                    "' '.join",
                    "'|'.join",
                ):
                    (value,) = value.args
                assert not [ast.unparse(n) for n in ast.walk(value) if not isinstance(n, DATA)]
            case _:
                pytest.fail(f"line {node.lineno}: {ast.unparse(node)[:60]}")


@pytest.mark.parametrize("name", MODULES)
def test_a_late_import_has_its_reason(name: str) -> None:
    """An import inside a function hides what a module needs; start-up has to be worth it."""
    lines = MODULES[name].read_text(encoding="utf-8").split("\n")
    functions = (n for n in ast.walk(tree(name)) if isinstance(n, ast.FunctionDef))
    late = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.Import | ast.ImportFrom)]
    beside = [line for n in late for line in lines[n.lineno - 2 : n.end_lineno]]
    assert not late or any("#" in line for line in beside) or "start-up" in "\n".join(lines)


def test_the_wheel_holds_nothing_that_only_tests_import() -> None:
    """What no way in leads to. Formats and commands are imported by their names."""
    reached = {"", "__main__", "action.__main__", "api", "fleet.repository_process"}
    reached |= {n for n in MODULES if re.match(r"cli\.|report\.as_", n)}
    reached |= {n for n in MODULES if MODULES[n].name == "__init__.py"}
    todo = list(reached)
    while todo:
        for module in imports(todo.pop())[0] - reached:
            reached.add(module)
            todo.append(module)
    assert MODULES.keys() - reached == set()


PAGE = PROJECT / "docs" / "architecture.md"


def test_the_page_names_the_folders_in_their_order() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z/]+)` \| (.*) \|$", page, re.MULTILINE)
    held = {
        name.replace(".", "/"): (ast.get_docstring(tree(name)) or "").partition("\n")[0]
        for name in MODULES
        if MODULES[name].name == "__init__.py" and name
    }
    order = [name.replace(".", "/") for name in ORDER if name.replace(".", "/") in held]
    assert rows == [(name, held[name]) for name in order]


def test_the_diagram_names_every_folder_and_the_tour_what_there_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    diagram = page.partition("```\n")[2].partition("```")[0]
    folders = {name.split(".")[0] for name in ORDER if "." in name or (PACKAGE / name).is_dir()}
    assert {f for f in folders - {""} if not re.search(rf"\b{f}\b", diagram)} == set()
    named = set(re.findall(r"`((?:[a-z]+/)*[a-z_]+\.py)`", page)) - {"src/settings.py"}
    assert {n for n in named if not (PACKAGE / n).exists() and not (PROJECT / n).exists()} == set()
    for path, function in re.findall(r"`([a-z_/]+\.py)`, `([a-z_]+)\(\)`", page):
        module = path.removesuffix(".py").replace("/", ".")
        assert function in {getattr(node, "name", "") for node in tree(module).body}, path


READERS = {"negations_in", "fold", "has_verb", "is_negated", "tokens_of"}
"""Functions that read a whole text. Other folders ask `Reading`, which calls each of them once."""


def test_the_readers_are_those_of_the_language() -> None:
    defined = definitions(ast.FunctionDef)
    assert {r for r in READERS if not any(folder(m) == "text" for m in defined[r])} == set()


def test_a_text_is_read_through_its_reading() -> None:
    taken = {
        (name, alias.name)
        for name in MODULES
        if folder(name) != "text"
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(f"{PACKAGE.name}.text.")
        for alias in node.names
    }
    assert {(name, reader) for name, reader in taken if reader in READERS} == set()
