"""Parsers of manifests: the names, whether these are all, and what cannot be decided."""

from __future__ import annotations

import time

import pytest

from grounded_ingest.code.manifest_entries import (
    Entry,
    Offer,
    composer_scripts,
    console_scripts,
    hatch_scripts,
    just_recipes,
    make_targets,
    node_package,
)
from grounded_ingest.code.manifest_facts import ci_pins, pins


@pytest.mark.parametrize(
    ("text", "names", "whole"),
    [
        ("all: a b\n\techo\n", "all", True),
        ("a b: c\n", "a b", True),
        (".PHONY: x y\nx:\n\ttrue\n", "x y", True),
        ("A = one two\n$(A): z\n", "one two", True),
        ("A := one\nA += two\n$(A):\n", "one two", True),
        ("${A}: z\nb:\n", "b", False),
        ("$(foreach x,a b,$(eval $(x):))\nb:\n", "b", False),
        ("$(eval $(call T,a))\nb:\n", "b", False),
        ("$(info hello)\nb:\n", "b", True),
        ("define T\nnot: a target\nendef\nb:\n", "b", True),
        ("x = a:b\nb: ; true\n", "b", True),
        ("x ?= a\nexport y := b:c\nb:\n", "b", True),
        ("a: \\\n  b: c\nd:\n", "a d", True),
        ("ifeq ($(X),1)\na:\nelse\nb:\nendif\n", "a b", True),
        ("# no: comment\na: # b: c\n", "a", True),
        (".c.o:\n\tcc\n.SUFFIXES:\na::\n", "a", True),
        (".DEFAULT:\n\ttrue\na:\n", "a", False),
        ("a:\r\n\techo\r\nb:\r\n", "a b", True),
        ("include $(OTHER)\na:\n", "a", False),
        ("\tindented: no\na:\n", "a", True),
    ],
)
def test_make(text: str, names: str, whole: bool) -> None:
    found = make_targets(text)
    assert (sorted(found.entries), found.whole) == (sorted(names.split()), whole)


def test_a_makefile_names_its_patterns_and_includes() -> None:
    found = make_targets("D = mk\nbuild-%:\n\ttrue\n-include .env a.mk\ninclude $(D)/*.mk\n")
    assert found.patterns == ("build-%",)
    assert [(i.path, i.optional) for i in found.includes] == [
        (".env", True), ("a.mk", True), ("mk/*.mk", False),
    ]  # fmt: skip


def test_the_recipe_and_the_line_of_a_target() -> None:
    found = make_targets("# first\n\ntest: a\n\tpytest -q\n\truff check\n\nb:\n").entries["test"]
    assert (found.line, found.body) == (3, "pytest -q\n\truff check")


@pytest.mark.parametrize(
    ("text", "names", "whole"),
    [
        ("build:\n  cargo build\n", "build", True),
        ("@test *args='':\n  x\n", "test", True),
        ("run name='a:b' $port=(x + 'c'): build\n  x\n", "run", True),
        ("version := '1:2'\nexport X := 'y'\na:\n", "a", True),
        ("alias b := build\nbuild:\n", "b build", True),
        ("[private]\n[group('x')]\n_hidden:\n", "_hidden", True),
        ("set fallback\na:\n", "a", False),
        ("set shell := ['bash', '-c']\na:\n", "a", True),
        ("# no: comment\na: b # c: d\n", "a", True),
        ("a:\n  echo b: c\n  #!x: y\n", "a", True),
    ],
)
def test_just(text: str, names: str, whole: bool) -> None:
    found = just_recipes(text)
    assert (sorted(found.entries), found.whole) == (sorted(names.split()), whole)


def test_a_justfile_names_what_it_imports() -> None:
    found = just_recipes("import 'a.just'\nimport? 'b.just'\nmod docs\nmod? x 'y/z.just'\n")
    assert [(i.path, i.prefix, i.optional) for i in found.includes] == [
        ("a.just", "", False), ("b.just", "", True), ("docs.just", "docs::", False),
        ("y/z.just", "x::", True),
    ]  # fmt: skip


def names_of(offer: Offer) -> str:
    return " ".join(sorted(offer.entries)) + ("" if offer.whole else " ...")


@pytest.mark.parametrize(
    ("offer", "names"),
    [
        (node_package('{"scripts": {"a": "x", "b:c": "y"}}').scripts, "a b:c"),
        (node_package("{}").scripts, ""),
        (node_package('{"scripts": []}').scripts, " ..."),
        (node_package("// no json").scripts, " ..."),
        (composer_scripts('{"scripts": {"t": ["x", "y"]}}'), "t"),
        (hatch_scripts("[tool.hatch.envs.default.scripts]\na = 'x'\n"), "a default:a"),
        (hatch_scripts("[tool.hatch.env]\nrequires = ['x']\n[tool.hatch.envs.b.scripts]\na = 'x'\n"), "b:a ..."),
    ],
)  # fmt: skip
def test_what_is_offered(offer: Offer, names: str) -> None:
    assert names_of(offer) == names


def test_a_script_has_its_line_and_its_body() -> None:
    text = '{\n  "test": 1,\n  "scripts": {\n    "a": "x",\n    "test": "vitest"\n  }\n}\n'
    assert node_package(text).scripts.entries["test"] == Entry(5, "vitest")


def test_a_package_says_its_name_and_commands() -> None:
    one = node_package('{"name": "@s/p", "bin": "x.js"}')
    other = node_package('{"name": "p", "bin": {"q": "x"}}')
    assert (one.name, one.bins) == ("@s/p", ("p",))
    assert other.bins == ("q",)


def test_console_scripts() -> None:
    text = "[project.scripts]\na = 'm:f'\n[tool.poetry.scripts]\nb = 'n:g'\n"
    assert console_scripts(text) == {"a": "m:f", "b": "n:g"}


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("package.json", '{"engines": {"node": ">=18.12 <21"}}', [("node", (18, 12), True)]),
        ("package.json", '{"engines": {"node": "^18.12 || >=20"}}', [("node", (18, 12), True)]),
        ("package.json", '{"engines": {"node": "<21"}}', []),
        ("package.json", '{"packageManager": "pnpm@9.1.2+sha"}', [("pnpm", (9, 1, 2), False)]),
        ("package.json", '{"volta": {"node": "20.1.0"}}', [("node", (20, 1, 0), False)]),
        ("pyproject.toml", "[project]\nrequires-python = '>=3.10,<4'\n", [("python", (3, 10), True)]),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = '^3.11'\n", [("python", (3, 11), True)]),
        ("setup.py", "setup(python_requires=V)", []),
        ("go.mod", "module x\n\ngo 1.22\ntoolchain go1.22.3\n", [("go", (1, 22), True), ("go", (1, 22, 3), False)]),
        ("Cargo.toml", "[package]\nrust-version = '1.75'\n", [("rust", (1, 75), True)]),
        ("Cargo.toml", "[workspace.package]\nrust-version = '1.70.0'\n", [("rust", (1, 70, 0), True)]),
        ("rust-toolchain.toml", "[toolchain]\nchannel = '1.80'\n", [("rust", (1, 80), False)]),
        ("rust-toolchain.toml", "[toolchain]\nchannel = 'stable'\n", []),
        ("rust-toolchain", "1.80.1\n", [("rust", (1, 80, 1), False)]),
        (".nvmrc", "v20.11.0\n", [("node", (20, 11, 0), False)]),
        (".nvmrc", "lts/iron\n", []),
        (".python-version", "3.12\n3.11\n", [("python", (3, 12), False), ("python", (3, 11), False)]),
        ("Dockerfile", "FROM --platform=x node:20-alpine AS a\nFROM python:3.12\n", [("node", (20,), False), ("python", (3, 12), False)]),
        ("Dockerfile", "FROM ubuntu:22.04\n", []),
        ("composer.json", '{"require": {"php": "^8.1"}}', [("php", (8, 1), True)]),
        ("Gemfile", "ruby '3.2.2'\n", [("ruby", (3, 2, 2), False)]),
    ],
)  # fmt: skip
def test_versions(path: str, text: str, found: list[tuple[str, tuple[int, ...], bool]]) -> None:
    assert [(p.runtime, p.version, p.minimum) for p in pins(path, text)] == found


def test_versions_of_workflows() -> None:
    text = "      matrix:\n        python-version: ['3.10', \"3.11\"]\n        node-version:\n          - 18\n          - 20\n"
    found = [(p.runtime, p.version) for p in ci_pins(text)]
    assert found == [("python", (3, 10)), ("python", (3, 11)), ("node", (18,)), ("node", (20,))]


DEEP = 100_000


@pytest.mark.parametrize(
    "read",
    [
        lambda: node_package("[" * DEEP),
        lambda: node_package('{"scripts": ' * DEEP),
        lambda: node_package('{"scripts": {' + ",".join(f'"s{n}": "x"' for n in range(20_000)) + "}}"),
        lambda: pins("pyproject.toml", "x = " + "{a=" * DEEP),
        lambda: make_targets("A = $(A) $(A)\n$(A): b\n" * 2000),
        lambda: make_targets("a: \\\n" * 50_000),
        lambda: make_targets("x" * 200_000 + ": y\n"),
        lambda: make_targets("".join(f"V{n} = $(V{n + 1}) $(V{n + 1})\n" for n in range(40)) + "$(V0): a\n"),
        lambda: just_recipes("a" * 200_000 + " '" * 1000 + ":\n"),
        lambda: just_recipes("a (" * 50_000),
        lambda: ci_pins("node-version: [" + "1, " * 50_000),
    ],
)  # fmt: skip
def test_what_was_made_to_harm_is_read_in_time(read: object) -> None:
    start = time.process_time()
    read()  # type: ignore[operator]
    assert time.process_time() - start < 2
