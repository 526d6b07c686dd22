"""The house in order: who imports whom, who touches git, network and exit, what is only data."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "grounded_ingest"
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}

# What a module or package may import of this project, itself left aside (DESIGN 15). `rules` are
# the table's words, `lexicon` the detectors'; imports for type checking count like any other.
ALLOWED = {
    "origin": "",
    "model": "origin",
    "reported": "model",
    "memory": "model lexicon patterns digests detect support extract.statements grounding errors"
    " knowledge_base",
    "indexed": "model memory.roles",
    "errors": "",
    "lexicon": "",
    "rules": "model",
    "policy": "model rules",
    "sidecar": "model patterns digests",
    "support": "model lexicon values patterns extract.statements",
    "yaml_text": "",
    "extract": "model lexicon patterns digests memory yaml_text",
    "detect": "model lexicon extract.statements patterns digests grounding",
    "values": "lexicon patterns",
    "grounding": "lexicon patterns values errors report.plain",
    "report": "__init__ model reported lexicon patterns rules support digests memory.times",
    "review": "model reported errors sidecar patterns config globs lexicon git tree digests staging pipeline"
    " conversation web verify standing detect extract report scope settings lookup knowledge_base"
    " keyring reach",
    "keyring": "errors",
    "reach": "address config errors git located verify",
    "adoption": "config rules",
    "audit": "model reported errors lexicon patterns config git tree extract detect verify report scope settings"
    " sidecar evidence staging pipeline",
    "globs": "errors patterns",
    "config": "model globs digests",
    "address": "",
    "conversation": "",
    "dial": "address conversation config",
    "connections": "dial",
    "web": "address conversation config connections dial",
    "judges": "model lexicon support config conversation address web verify.answers digests dial"
    " patterns",
    "patterns": "",
    "digests": "",
    "running": "errors",
    "cat_file": "errors",
    "git": "cat_file errors history running",
    "ancestry": "errors git patterns",
    "index_entries": "git running",
    "history": "",
    "tree": "git",
    "verify": "model origin lexicon extract.citations config git ancestry tree web address ledger"
    " conversation patterns digests pages sqlite_files",
    "pages": "lexicon patterns",
}
ONLY = {
    "subprocess": {"git", "cat_file", "running", "pages.reading", "keyring"},
    "git": {"history"},
    "gitdb": {"history"},
    "httpx": {"web", "connections"},
    "httpcore": {"web", "connections"},
    "selectolax": {"pages.html_text"},
    "onnxruntime": {"memory.embedding"},
    "tokenizers": {"memory.embedding"},
    "numpy": {"memory.embedding", "memory.semantic"},
}
EXITS = {"__main__", "action.__main__", *(name for name in MODULES if name.split(".")[0] == "cli")}
OUTERMOST = {
    "cli": {"__main__", "action"},
    "action": set(),
    "api": {"__init__"},
    "bench": {"cli", "bench"},
}
"""What nothing inside imports, and who does."""
DATA = (
    ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.JoinedStr, ast.FormattedValue,
    ast.Name, ast.BinOp, ast.Add, ast.UnaryOp, ast.USub, ast.expr_context,
)  # fmt: skip


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def own(name: str) -> str:
    """The unit of the table a module belongs to."""
    return name.split(".")[0]


@cache
def imports(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """The modules of this project, and the others, that a module imports anywhere in it."""
    ours, others = set(), set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                inside = alias.name.split(".")[0] == PACKAGE.name
                (ours if inside else others).add(alias.name)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(name, node)
            if module.split(".")[0] == PACKAGE.name:
                ours |= {_known(f"{module}.{alias.name}", module) for alias in node.names}
            else:
                others.add(module)
    inside = {m.removeprefix(PACKAGE.name).removeprefix(".") or "__init__" for m in ours}
    return frozenset(inside), frozenset(others)


def _absolute(name: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    where = [PACKAGE.name, *MODULES[name].relative_to(PACKAGE).parts[:-1]]
    where = where[: len(where) - node.level + 1]
    return ".".join([*where, *([node.module] if node.module else [])])


def _known(deeper: str, module: str) -> str:
    """`from package import module` names the module; `from module import name` does not."""
    return deeper if deeper.removeprefix(f"{PACKAGE.name}.") in MODULES else module


def exits(name: str) -> Iterator[str]:
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("sys.exit", "exit", "quit", "os._exit", "ctx.exit"):
                yield f"line {node.lineno}: {called}"
        elif isinstance(node, ast.Raise) and node.exc and "SystemExit" in ast.unparse(node.exc):
            yield f"line {node.lineno}: SystemExit"


def test_the_table_names_what_exists() -> None:
    named = {name for allowed in ALLOWED.values() for name in allowed.split()} | ALLOWED.keys()
    assert named <= MODULES.keys()


@pytest.mark.parametrize("name", [n for n in MODULES if own(n) in ALLOWED])
def test_imports_point_inward(name: str) -> None:
    allowed = {own(name), *ALLOWED[own(name)].split()}
    wrong = {m for m in imports(name)[0] if m not in allowed and own(m) not in allowed}
    assert not wrong


@pytest.mark.parametrize("name", MODULES)
def test_only_the_edges_touch_git_network_and_exit(name: str) -> None:
    others = {module.split(".")[0] for module in imports(name)[1]}
    if own(name) == "bench":  # plays the user: builds repositories, starts the installed command
        others.discard("subprocess")
    assert {m for m in others if m in ONLY and name not in ONLY[m]} == set()
    assert name in EXITS or not list(exits(name))


@pytest.mark.parametrize("name", MODULES)
def test_nothing_inside_imports_the_edge(name: str) -> None:
    for edge, allowed in OUTERMOST.items():
        inward = {m for m in imports(name)[0] if own(m) == edge}
        assert not inward or own(name) in allowed | {edge}


@pytest.mark.parametrize("name", [n for n in MODULES if n.startswith("lexicon")])
def test_a_lexicon_holds_words_and_nothing_else(name: str) -> None:
    """Literals, put together from literals of the same module at most."""
    for node in tree(name).body:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.ImportFrom(module="__future__"):
                continue
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                if isinstance(value, ast.Call) and ast.unparse(value.func) == "frozenset":
                    (value,) = value.args
                assert not [ast.unparse(n) for n in ast.walk(value) if not isinstance(n, DATA)]
            case _:
                pytest.fail(f"line {node.lineno}: {ast.unparse(node)[:60]}")


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_named_for_what_they_are(name: str) -> None:
    last = name.rpartition(".")[2]
    assert last == "__main__" or last not in sys.stdlib_module_names
    assert last not in {"utils", "helpers", "manager", "base", "data"}


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    """At run time: imports inside functions and for type checking are left aside."""
    at_top = {name: set(_at_top(name)) for name in MODULES}
    while leaves := {n for n, needs in at_top.items() if not needs & at_top.keys()}:
        for leaf in leaves:
            del at_top[leaf]
    assert not at_top


def _at_top(name: str) -> Iterator[str]:
    for node in tree(name).body:
        if isinstance(node, ast.ImportFrom):
            module = _absolute(name, node).removeprefix(PACKAGE.name).removeprefix(".")
            for alias in node.names:
                deeper = f"{module}.{alias.name}".removeprefix(".")
                found = deeper if deeper in MODULES else module
                if found in MODULES and found != name:
                    yield found
