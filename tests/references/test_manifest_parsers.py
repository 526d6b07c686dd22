"""Parsers of manifests: the names, whether these are all, and what cannot be decided."""

from __future__ import annotations

import time

import pytest

from grounded_ingest.code.build_tasks import (
    compose_services,
    fastlane_lanes,
    maven_modules,
    rake_tasks,
)
from grounded_ingest.code.manifest_entries import (
    Entry,
    Offer,
    composer_scripts,
    console_scripts,
    deno_tasks,
    hatch_scripts,
    just_recipes,
    make_targets,
    node_package,
    nox_sessions,
    pdm_scripts,
    poe_tasks,
    taskfile_tasks,
    tox_environments,
)
from grounded_ingest.code.manifest_facts import ci_pins, own_version, pins


@pytest.mark.parametrize(
    ("text", "names", "whole"),
    [
        ("all: a b\n\techo\n", "all", True),
        ("a b: c\n", "a b", True),
        (".PHONY: x y\nx:\n\ttrue\n", "x", True),
        ('.PHONY: x y\n.include "y.mk"\nx:\n\ttrue\n', "x", False),
        ("A = one two\n$(A): z\n", "one two", True),
        ("A := one\nA += two\n$(A):\n", "one two", True),
        ("${A}: z\nb:\n", "b", False),
        ("$(foreach x,a b,$(eval $(x):))\nb:\n", "b", False),
        ("$(eval $(call T,a))\nb:\n", "b", False),
        ("$(info hello)\nb:\n", "b", True),
        ("$(if $(X),,$(error a: b))\n$(foreach x,a,$(info x))\n$(shell a: b)\nb:\n", "b", True),
        ("$(foreach x,a b,$(x): ;)\nb:\n", "b", False),
        ("$(if $(X),$(call T,a))\nb:\n", "b", False),
        ("$(shell ls): $(X)\nb:\n", "b", False),
        ("define T\nnot: a target\nendef\nb:\n", "b", True),
        ("x = a:b\nb: ; true\n", "b", True),
        ("x ?= a\nexport y := b:c\nb:\n", "b", True),
        ("a: \\\n  b: c\nd:\n", "a d", True),
        ("ifeq ($(X),1)\na:\nelse\nb:\nendif\n", "a b", True),
        ("ifdef X\n\tA = a\nelse\n\tA = b\nendif\n$(A): c\n\tD = e\n", "a b", True),
        ("A = a\nA = b\n$(A)-c:\n", "", True),
        ("# no: comment\na: # b: c\n", "a", True),
        (".c.o:\n\tcc\n.SUFFIXES:\na::\n", "a", True),
        (".DEFAULT:\n\ttrue\na:\n", "a", False),
        ("a:\r\n\techo\r\nb:\r\n", "a b", True),
        ("include $(OTHER)\na:\n", "a", False),
        ("a:\n\tindented: no\n", "a", True),
        ("target/$(BINARY) $(X)-test:\na:\n", "a", True),
        ("$(BINARY):\na:\n", "a", False),
        ("$(ARCHS): docker-%: build\na:\n", "a", True),
        ("LINT =\nLINT = $(BIN)/lint\n$(LINT):\na:\n", "a", True),
        ("%: common-% ;\ncommon-a:\n", "common-a", True),
        ("%: all\na:\n", "a", False),
        ("deploy-$(ENV)-%:\na:\n", "a", False),
        ("$(wildcard *.c):\na:\n", "a", False),
    ],
)
def test_make(text: str, names: str, whole: bool) -> None:
    found = make_targets(text)
    assert (sorted(found.entries), found.whole) == (sorted(names.split()), whole)


def test_a_makefile_names_its_patterns_and_includes() -> None:
    found = make_targets("D = mk\nbuild-%:\n\ttrue\n-include .env a.mk\ninclude $(D)/*.mk\n")
    assert found.patterns == ["build-%"]
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
        (deno_tasks('{"tasks": {"t": {"command": "x"}}}'), "t"),
        (taskfile_tasks("version: '3'\ntasks:\n  a: {cmds: [x], aliases: [b]}\n  'c:d': x\n"), "a b c:d"),
        (taskfile_tasks("includes: {x: 'https://e.org/T.yml'}\ntasks: {a: b}\n"), "a ..."),
        (taskfile_tasks("tasks: {t*: a}\n"), ""),
        (taskfile_tasks("- no tasks\n"), " ..."),
        (poe_tasks("[tool.poe.tasks]\na = 'x'\n[tool.poe.tasks.b]\ncmd = 'y'\n"), "a b"),
        (poe_tasks("[tool.poe]\ninclude = 'x.toml'\n[tool.poe.tasks]\na = 'x'\n"), "a ..."),
        (poe_tasks("[project]\n"), " ..."),
        (pdm_scripts("[tool.pdm.scripts]\na = 'x'\n"), "a ..."),
        (hatch_scripts("[tool.hatch.envs.default.scripts]\na = 'x'\n"), "a default:a"),
        (hatch_scripts("[tool.hatch.env]\nrequires = ['x']\n[tool.hatch.envs.b.scripts]\na = 'x'\n"), "b:a ..."),
        (tox_environments("[tox]\nenvlist = a, b\n[testenv:c]\n", "tox.ini"), "a b c"),
        (tox_environments("[tox]\nenvlist = py{39,310}-{a,b}\n[testenv:c]\n", "tox.ini"),
         "c py310-a py310-b py39-a py39-b"),
        (tox_environments("[tox]\nenvlist = {[base]envlist}\n[testenv:c]\n", "tox.ini"), " ..."),
        (tox_environments("env_list = ['a']\n[env.b]\n", "tox.toml"), "a b"),
        (tox_environments("[tool.tox]\nenv_list = ['a']\n[tool.tox.env.b]\n", "pyproject.toml"), "a b"),
        (tox_environments("no ini", "tox.ini"), " ..."),
        (nox_sessions("import nox\n@nox.session\ndef a(s): ...\n@nox.session(name='b')\ndef c(s): ...\n"), "a b"),
        (nox_sessions("@nox.session(name=x)\ndef c(s): ...\n"), " ..."),
        (nox_sessions("def ("), " ..."),
        (rake_tasks("task :a do\nend\ntask 'b', [:x] => :a\ntask(c: :a)\nfile 'd.o' => []\n"), "a b c d.o"),
        (rake_tasks("namespace :db do\n  task :up\n  namespace 'x' do\n    task :y\n  end\nend\ntask :a\n"),
         "a db:up db:x:y"),  # the namespaces are found by their indentation
        (rake_tasks("%w[a b].each { |n|\ntask n }\n"), " ..."),
        (rake_tasks("task \"test:#{x}\"\n"), " ..."),
        (rake_tasks("Dir['t/*.rake'].each { |r| load r }\nload 'x.rake'\ntask :a\n"), "a ..."),
        (rake_tasks("require 'bundler/gem_tasks'\nrequire 'fileutils'\ntask :a\n"), "a"),
        (rake_tasks("require 'pkg/rake_tasks'\ntask :a\n"), "a ..."),
        (rake_tasks("Rails.application.load_tasks\n"), " ..."),
        (fastlane_lanes("platform :ios do\n  lane :beta do |o|\n  end\n  private_lane :x do\n  end\nend\n"), "beta x"),
        (fastlane_lanes("import '../Fastfile'\nlane :a do\nend\n"), "a ..."),
        (fastlane_lanes("lane name do\nend\n"), " ..."),
        (maven_modules("<modules><module>a</module>\n<module> b/c </module></modules>"), "a b/c"),
        (maven_modules("<project/>"), " ..."),
        (compose_services("services:\n  web: {image: x}\n  db:\n    image: y\n"), "db web"),
        (compose_services("include: [x.yml]\nservices: {web: {}}\n"), "web ..."),
        (compose_services("volumes: {}\n"), " ..."),
    ],
)  # fmt: skip
def test_what_is_offered(offer: Offer, names: str) -> None:
    assert names_of(offer) == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("RuboCop::RakeTask.new", "rubocop:autocorrect"),
        ("RuboCop::RakeTask.new(:lint)", "lint"),
        ("Rake::TestTask.new do |t|", "test"),
        ("Minitest::TestTask.create(:'test:core')", "test:core"),
        ("require 'bundler/gem_tasks'", "release"),
    ],
)
def test_a_library_may_define_tasks(text: str, name: str) -> None:
    offer = rake_tasks(f"{text}\ntask :a\n")
    known = (*offer.entries, *offer.free)
    assert any(name == p or (p[-1] == "%" and name.startswith(p[:-1])) for p in known if p != "%")
    assert "check" not in offer.free


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
        ("pyproject.toml", "[tool.hatch.envs.docs]\npython = '3.12'\n", []),
        ("pyproject.toml", "[tool.poetry.dependencies]\r\na = '1'\r\n\r\n[tool.x]\r\npython = '3.1'\r\n", []),
        ("setup.cfg", "[options]\npython_requires = >=3.8\n", [("python", (3, 8), True)]),
        ("setup.py", "setup(python_requires='>=3.7')", [("python", (3, 7), True)]),
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
        (".tool-versions", "nodejs 20.1.0 # x\nerlang 26\n", [("node", (20, 1, 0), False)]),
        ("mise.toml", "[tools]\ngo = '1.23'\n", [("go", (1, 23), False)]),
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


@pytest.mark.parametrize(
    ("path", "text", "version"),
    [
        ("package.json", '{"version": "1.2.3"}', "1.2.3"),
        ("pyproject.toml", "[project]\nversion = '2.0.0'\n", "2.0.0"),
        ("pyproject.toml", "[project]\ndynamic = ['version']\n", ""),
        ("pyproject.toml", "[tool.poetry]\nversion = '3.0.0'\n", "3.0.0"),
        ("Cargo.toml", "[package]\nversion = '0.1.0'\n", "0.1.0"),
        ("Cargo.toml", "[package]\nversion.workspace = true\n", ""),
        ("go.mod", "module x", ""),
    ],
)
def test_the_own_version(path: str, text: str, version: str) -> None:
    assert own_version(path, text) == version


DEEP = 100_000


@pytest.mark.parametrize(
    "read",
    [
        lambda: node_package("[" * DEEP),
        lambda: node_package('{"scripts": ' * DEEP),
        lambda: node_package('{"scripts": {' + ",".join(f'"s{n}": "x"' for n in range(20_000)) + "}}"),
        lambda: taskfile_tasks("a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(9)) + "tasks: {}\n"),
        lambda: taskfile_tasks("[" * DEEP),
        lambda: taskfile_tasks("tasks: !!python/object/apply:os.system ['true']\n"),
        lambda: poe_tasks("a = " + "[" * DEEP),
        lambda: pins("pyproject.toml", "x = " + "{a=" * DEEP),
        lambda: nox_sessions("(" * DEEP),
        lambda: nox_sessions("x = " + "-" * DEEP + "1"),
        lambda: make_targets("A = $(A) $(A)\n$(A): b\n" * 2000),
        lambda: make_targets("a: \\\n" * 50_000),
        lambda: make_targets("x" * 200_000 + ": y\n"),
        lambda: make_targets("".join(f"V{n} = $(V{n + 1}) $(V{n + 1})\n" for n in range(40)) + "$(V0): a\n"),
        lambda: just_recipes("a" * 200_000 + " '" * 1000 + ":\n"),
        lambda: just_recipes("a (" * 50_000),
        lambda: pins(".nvmrc", "\n" * 200_000 + "x"),
        lambda: pins("pyproject.toml", "[tool.poetry.dependencies]\n" * 100_000),
        lambda: ci_pins("node-version: [" + "1, " * 50_000),
    ],
)  # fmt: skip
def test_what_was_made_to_harm_is_read_in_time(read: object) -> None:
    start = time.process_time()
    read()  # type: ignore[operator]
    assert time.process_time() - start < 2
