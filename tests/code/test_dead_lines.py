"""What no run reaches, or nothing reads, is dead; what only looks so is not."""

from __future__ import annotations

import pytest

from grounded_ingest.code.dead_lines import dead_lines


def dead(path: str, text: str) -> set[int]:
    lines = range(1, text.count("\n") + 2)
    return {n for at in lines for n in dead_lines(path, text, at, at)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if False:\n    PORT = 1\nPORT = 2\n", {2}),
        ("if True:\n    PORT = 1\nelse:\n    PORT = 2\n", {4}),
        ("while 0:\n    run()\n", {2}),
        ("def f():\n    return 1\n    charge()\n", {3}),
        ("try:\n    raise KeyError\n    MODE = 7\nexcept KeyError:\n    MODE = 8\n", {3}),
        ("LIMIT = 500\nLIMIT = 5\n", {1}),
        ("OPEN = True\ndel OPEN\n", {1}),
        ("LIMIT = 500\nprint(LIMIT)\nLIMIT = 5\n", set()),
        ("LIMIT = 5\nLIMIT = LIMIT + 1\n", set()),
        ("LIMIT = 5\nif fast:\n    LIMIT = 6\n", set()),
        ("LIMIT = 5\ndef f():\n    return LIMIT\nLIMIT = 6\n", set()),
        ("if DEBUG:\n    PORT = 1\nPORT = 2\n", set()),
        ("def f():\n    if a:\n        return 1\n    charge()\n", set()),
        ("if False:\n    PORT = (\n", set()),
    ],
)
def test_python(text: str, expected: set[int]) -> None:
    assert dead("src/a.py", text) == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.h", "#if 0\n#define ROWS 9\n#endif\n#define ROWS 4\n", {2}),
        ("a.c", "#if 0\n#if X\nint a;\n#endif\nint b;\n#else\nint c;\n#endif\n", {2, 3, 4, 5}),
        ("a.c", "#if USE_ROWS\n#define ROWS 9\n#endif\n", set()),
        ("q.yaml", "queue:\n  depth: 900\n  depth: 9\n", {2}),
        ("q.yaml", "depth:\n  a: 1\n  b: 2\nother: 1\ndepth: 9\n", {1, 2, 3}),
        ("q.yml", "a:\n  depth: 900\nb:\n  depth: 9\n", set()),
        ("q.yml", "base: &b\n  depth: 1\none:\n  <<: *b\ntwo:\n  <<: *b\n", set()),
        ("q.yml", "a: [" * 5000, set()),
        ("q.yml", "a: 1\na: {{ x }\n", set()),
        ("a.go", "func f() {\n\treturn\n\tx()\n}\n", set()),
    ],
)
def test_other_languages(path: str, text: str, expected: set[int]) -> None:
    assert dead(path, text) == expected
