"""Keys and nesting of a TOML text are counted before tomllib sees it; ordinary texts are read."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from grounded_ingest.code.manifest_facts import own_name
from grounded_ingest.config.syntax import read_toml
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.text.toml_text import DEPTH, PARTS, TomlError, load_toml

MANY = 50_000
LONG_KEY = "a." * MANY + "a=1"
REFUSED = {
    "a dotted key": (f"b = 1\n{LONG_KEY}", 2, "parts"),
    "a table": (f"[{'a.' * MANY}a]", 1, "parts"),
    "an array of tables": (f"[[{'a.' * MANY}a]]", 1, "parts"),
    "quoted parts": ('"a" . ' * MANY + "'b' = 1", 1, "parts"),
    "quoted parts with dots": ('"a.b".' * MANY + "b = 1", 1, "parts"),
    "a key of an inline table": ("x = {" + LONG_KEY + "}", 1, "parts"),
    "a key behind strings": (f"x = '''\n\"\n'''\ny = \"'\"\n{LONG_KEY}", 5, "parts"),
    "one part too many": ("a." * PARTS + "a = 1", 1, "parts"),
    "arrays": ("a = " + "[" * MANY, 1, "nested deeper"),
    "inline tables": ("a = " + "{a = " * MANY, 1, "nested deeper"),
    "one array too deep": ("a = " + "[" * (DEPTH + 1) + "]" * (DEPTH + 1), 1, "nested deeper"),
    "many values": ("a.b=1\n" * 300_000, 250_001, "more than 500,000 values"),
    "a long number": ("a = 1\nb = " + "9" * 5_000, 1, "not valid TOML"),
    "no TOML": ("a = 1\na = 2\nb = 3", 2, "not valid TOML"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    text, line, message = REFUSED[case]
    with pytest.raises(TomlError, match=message) as refused:
        load_toml(text)
    assert refused.value.line == line


LOCKED = """[[package]]
name = "{n}"
version = "1.2.3"
source = { registry = "https://example.org/simple", "a.b" = 1.5 }
dependencies = [
    { name = "a.b", marker = "python_full_version < '3.11.3' and sys_platform == 'x'" },
]
wheels = [
    { url = "https://example.org/a/b/c-1.2.3-py3-none-any.whl", size = 12 }, # it's [ { . . .
]

[package.metadata."requires.dist".'x.y']
"""
READ = {
    "a lock file of 1 MB": "".join(LOCKED.replace("{n}", str(i)) for i in range(2_300)),
    "dots in strings": f"""a = "{"." * 99}\\"{"[" * 99}"\nb = '{"." * 99}'\n# {"." * 99}{"[" * 99}\n""",
    "dots in long strings": f'''a = """\n{"." * 99}" "" \\""" {"[" * 99}"""""\nb = 1''',
    "dots in long plain strings": f"a = '''\n{'.' * 99}' '' \" \\'''''\n'x.y'.z = 1",
    "as many parts as a key may have": "a." * (PARTS - 1) + "a = 1",
    "as deep as it may be": "a = " + "[" * DEPTH + "]" * DEPTH,
    "many numbers": "a = [" + "1.5, 2024-01-01T00:00:00.5Z,\n" * 999 + "]",
    "many tables": "".join(f"[a{i}.b.c]\nd.e = 1.5\n" for i in range(999)),
}


@pytest.mark.parametrize("case", READ)
def test_ordinary_texts_are_read_as_tomllib_reads_them(case: str) -> None:
    assert load_toml(READ[case]) == tomllib.loads(READ[case])


def test_every_way_to_toml_is_bounded(tmp_path: Path) -> None:
    with pytest.raises(GroundedIngestError, match=r"pyproject\.toml:1: a key has more than"):
        read_toml(LONG_KEY, "pyproject.toml", ("tool", "grounded-ingest"))
    for name in ("pyproject.toml", "Cargo.toml"):
        assert not own_name(name, LONG_KEY)
