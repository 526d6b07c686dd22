"""Which lines of a source file are comments, in the languages agents cite."""

from __future__ import annotations

import pytest

from grounded_ingest.verify.admissibility import commentary, is_subject_matter


@pytest.mark.parametrize(
    ("extension", "text", "lines"),
    [
        ("py", '# a\nx = 1 # b\n"""doc\nmore\n"""\ny=2\n', [1, 3, 4, 5]),
        ("py", 'x = """\nprose\n"""\n# c\ny\n', [4]),
        ("py", 'def f():\n    r"""Doc."""\n    return "#"\n', [2]),
        ("py", 'x = \'"""\'\n# c\n', [2]),
        ("py", '"""a""" + x\n"""a"""\n', [2]),
        ("js", '// a\nfoo("src/**/*.ts");\nx; /* long\nprose\n*/ y\n/* a */\n', [1, 4, 6]),
        ("js", "const re = 'it'; // tr\n * x\n", []),
        ("js", "/**\n * The timeout\n */\nfoo()\n", [1, 2, 3]),
        ("ts", "const a = `/`;\n// b\n", [2]),
        ("c", "#include <x>\nint x; // y\n", []),
        ("yaml", "# a\nb: 1 # c\n", [1]),
        ("sql", "-- a\nselect 1;\n/* x\ny */\n", [1, 3, 4]),
        ("rs", "#[derive(X)]\n/// doc\nfn a() {}\n", [2]),
        ("bat", "REM a\nremove x\n@REM b\n", [1, 3]),
        ("hs", "{- a\n b -}\n-- c\nx = 1\n", [1, 2, 3]),
        ("rb", "=begin\ntext\n=end\nx=1\n", [1, 2, 3]),
        ("vb", "' a\nx = \"'\" \n", [1]),
        ("ml", "(* a\nb *) let x\n", [1]),
        ("css", "/* a */\nb {}\n", [1]),
        ("", "# a\nall: x\n", [1]),
    ],
)
def test_commentary(extension: str, text: str, lines: list[int]) -> None:
    assert sorted(commentary(extension, text)) == lines


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("src/a.py", True), ("a.ts", True), ("Makefile", True), ("conf/a.yaml", True),
        ("package.json", True), ("requirements.txt", True), ("CMakeLists.txt", True),
        (".env.example", True), ("go.mod", True), ("A.PY", True),
        ("a.md", False), ("a.txt", False), ("a.json", False), ("a.csv", False), ("a.rst", False),
        ("a.html", False), ("a.ipynb", False), ("LICENSE", False), ("NOTICE", False),
        ("noext", False), (".cursorrules", False), ("py", False), ("a.py.md", False),
    ],
)  # fmt: skip
def test_subject_matter(path: str, wanted: bool) -> None:
    assert is_subject_matter(path) is wanted
