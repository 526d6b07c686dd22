"""Lines that give a name a value: by their form, and by the parser of their language."""

from __future__ import annotations

import time

import pytest

from grounded_ingest.code.given_values import given_values, literal_value, surely_given


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("PORT = 8443", "8443"),
        ("PORT: int = 8_443  # x", "8443"),
        ("const PORT: u16 = 8443;", "8443"),
        ("export const PORT = '8443';", "8443"),
        ('  "PORT": 8443,', "8443"),
        ("PORT := 80", "80"),
        ("PORT=${PORT:-80}", "80 stands in"),
        ('x = int(os.getenv("PORT", "80"))', "80 stands in"),
        ("const p = process.env.PORT ?? 3000;", "3000 stands in"),
        ('let p = env::var("PORT").unwrap_or("80".into());', "80 stands in"),
        ("getEnv('PORT', 80)", "80 stands in"),
        ('x = os.environ["PORT"]', "?"),
        ("const p = process.env.PORT;", "?"),
        ('setattr(settings, "PORT", 9)', "?"),
        ("PORT = 1 if x else 2", "?"),
        ("PORT += 1", "?"),
        ("PORT: int", "?"),
        ("PORT = OTHER", "?"),
        ("cfg.PORT = 9", "9"),
        ("f(PORT=9)", "9"),
        ("if PORT == 3:", ""),
        ("x = 1 - PORT - 2", ""),
        ("run(PORT or 80)", ""),
        ('__all__ = ["PORT", "HOST"]', ""),
        ("METRICS_PORT = 3", ""),
        ("PORT_MAX = 3", ""),
        ("http::PORT", ""),
    ],
)
def test_a_line(row: str, found: str) -> None:
    (given,) = list(given_values(f"\n{row}\n", "PORT", bare=False)) or [None]
    said = "" if given is None else (given.value or "?") + (" stands in" * given.stands_in)
    assert said == found
    assert given is None or given.line == 2


def test_a_word_without_marks_is_a_text_in_configuration_alone() -> None:
    assert [g.value for g in given_values("MODE: fast", "MODE", bare=True)] == ['"fast']
    assert [g.value for g in given_values("MODE: fast", "MODE", bare=False)] == [None]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1_000", "1000"), ("0x10", "16"), ('"a"', '"a'), ('"30"', "30"), ("True", "true"), ("nil", "none"),
        ("-1", "-1"), ("1.50", "1.5"), ("007", None), ("a", None), ('"a${b}"', None), ("1.2.3", None),
    ],
)  # fmt: skip
def test_literals(written: str, value: str | None) -> None:
    assert literal_value(written) == value


@pytest.mark.parametrize(
    ("path", "text", "name", "line", "way"),
    [
        ("a.py", "PORT = 1\n", "PORT", 1, "PORT"),
        ("a.py", "class A:\n    PORT = 1\n", "PORT", 2, "A.PORT"),
        ("a.py", "def f():\n    PORT = 1\n", "PORT", 2, ""),
        ("a.py", "if x:\n    PORT = 1\n", "PORT", 2, ""),
        ("a.py", "try:\n    PORT = 1\nexcept E:\n    pass\n", "PORT", 2, ""),
        ("a.py", "PORT = 1  # for a while\n", "PORT", 1, ""),
        ("a.py", "# Only for tests.\nPORT = 1\n", "PORT", 2, ""),
        ("a.py", "# Where it listens.\nPORT = 1\n", "PORT", 2, "PORT"),
        ("a.py", '"""\nPORT = 1\n"""\n', "PORT", 2, ""),
        ("a.rs", "#[cfg(unix)]\nconst PORT: u8 = 1;\n", "PORT", 2, ""),
        ("a.go", "//go:build unix\n\npackage m\n\nconst PORT = 1\n", "PORT", 5, ""),
        ("a.go", "package m\n\nconst (\n\tPORT = 1\n)\n", "PORT", 4, "PORT"),
        ("a.yml", "a:\n  PORT: 1\n", "PORT", 2, "a.PORT"),
        ("a.yml", "run: |\n  PORT: 1\n", "PORT", 2, ""),
        ("a.json", '{\n "a": {"PORT": 1}}\n', "a.PORT", 2, "a.PORT"),
        ("a.toml", "[a]\nPORT = 1\n", "PORT", 2, "a.PORT"),
        ("a.toml", "[a]\nPORT = 1\n[b]\nPORT = 1\n", "PORT", 2, ""),
        ("a.toml", 'x = """\nPORT = 1\n"""\n', "PORT", 2, ""),
        ("a.txt", "PORT = 1\n", "PORT", 1, ""),
    ],
)  # fmt: skip
def test_what_surely_gives(path: str, text: str, name: str, line: int, way: str) -> None:
    assert surely_given(path, text, name, line) == way


def test_a_long_line_may_give_anything_and_takes_no_time() -> None:
    for row in ('PORT"' * 20_000, "PORT : a" + " a" * 20_000, "PORT(" * 20_000):
        start = time.process_time()
        assert [g.value for g in given_values(row, "PORT", bare=True)] == [None]
        assert time.process_time() - start < 1
