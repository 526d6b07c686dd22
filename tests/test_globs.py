from __future__ import annotations

import time

import pytest

from grounded_ingest.config.globs import matches
from grounded_ingest.errors import GroundedIngestError

CASES = [
    # glob, what it matches, what it does not
    ("*.md", ["README.md", ".md"], ["docs/README.md", "README.mdx", "README.MD"]),
    ("README", ["README"], ["README.md", "x/README", "README/x"]),
    ("**/x", ["x", "a/x", "a/b/x"], ["ax", "x/a", "a/x/b"]),
    ("**/*.md", ["a.md", "a/b.md", "a/b/c.md"], ["a.txt", "a.md/b"]),
    ("dir/**", ["dir/a", "dir/a/b", "dir/.x"], ["dir", "dirt/a", "a/dir/b"]),
    ("dir/", ["dir/a", "dir/a/b"], ["dir", "a/dir/b"]),
    ("**", ["a", "a/b", ".x"], []),
    ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "a/b/c", "x/a/b"]),
    ("**/a/**/b/**", ["a/b/c", "x/a/y/b/z/q", "a/a/b/b/c"], ["a/b", "b/a/c"]),
    ("**/**/a", ["a", "x/y/a"], ["a/x"]),
    ("docs/*/x.md", ["docs/a/x.md"], ["docs/x.md", "docs/a/b/x.md"]),
    ("docs/v[0-9]*/**", ["docs/v1/a.md", "docs/v12.x/a/b.md"], ["docs/va/a.md", "docs/v/a.md"]),
    ("a?c", ["abc", "a.c"], ["ac", "a/c", "abbc"]),
    ("a*c", ["ac", "abc", "abcc", "abcabc"], ["a/c", "acb"]),
    ("*a*b*", ["ab", "xaybz", "aab"], ["ba", "a/b"]),
    ("*ab*ab", ["abab", "ababab", "xabyab"], ["ab", "abx"]),
    ("a**b", ["ab", "axb"], ["a/b"]),
    ("[abc].md", ["a.md", "c.md"], ["d.md", "ab.md"]),
    ("[!a-c]", ["d", "A"], ["a", "b", "/"]),
    ("[^a]", ["b"], ["a"]),
    ("[]a]", ["]", "a"], ["b"]),
    ("[!]a]", ["b"], ["]", "a"]),
    ("[*]?[?]", ["*x?"], ["xx?", "*xx"]),
    ("[a^&&~|[]", ["^", "&", "[", "|"], ["b"]),
    ("{a,b}.md", ["a.md", "b.md"], ["c.md", "{a,b}.md"]),
    ("*{a,ab}c", ["xac", "xabc", "abc"], ["xc", "abcd"]),
    ("x{,.local}.md", ["x.md", "x.local.md"], ["x..md"]),
    ("{,docs/**/}N{a,b{1,2}}*", ["Na", "docs/Nb1", "docs/x/Nb2.md"], ["Nb", "x/Na", "docsNa"]),
    ("{docs,doc}/**", ["docs/a", "doc/a"], ["docs", "dox/a"]),
    ("{[,],x}", [",", "x"], ["[", "]"]),
    ("a,b", ["a,b"], ["a", "b"]),
    ("a}b", ["a}b"], ["ab"]),
    ("a.b+c(d)$^|", ["a.b+c(d)$^|"], ["axb+c(d)$^|"]),
    ("naïve/日本*.md", ["naïve/日本語.md"], ["naive/日本.md"]),
]


@pytest.mark.parametrize(("glob", "path"), [(g, p) for g, yes, _ in CASES for p in yes])
def test_matches(glob: str, path: str) -> None:
    assert matches((glob,), path)


@pytest.mark.parametrize(("glob", "path"), [(g, p) for g, _, no in CASES for p in no])
def test_does_not_match(glob: str, path: str) -> None:
    assert not matches((glob,), path)


@pytest.mark.parametrize(
    ("globs", "path", "expected"),
    [
        ((), "a", False),
        (("a", "b"), "b", True),
        (("a", "b"), "c", False),
        (("a|b",), "a", False),
        (("docs/**", "!docs/x/**"), "docs/y", True),
        (("docs/**", "!docs/x/**"), "docs/x/y", False),
        (("!docs/x", "docs/**"), "docs/x", False),
        (("!a",), "b", False),
    ],
)
def test_several_globs(globs: tuple[str, ...], path: str, expected: bool) -> None:
    assert matches(globs, path) is expected


@pytest.mark.parametrize(
    ("glob", "path", "fold", "below"),
    [
        ("docs/ADR/*.md", "Docs/adr/X.MD", True, False),
        ("docs/gen", "docs/gen", False, True),
        ("docs/gen", "docs/gen/a/b.md", False, True),
        ("**/gen", "x/gen/b.md", False, True),
        ("v*", "v1/b.md", False, True),
        ("{a,b}", "b/c", False, True),
    ],
)
def test_fold_and_below(glob: str, path: str, fold: bool, below: bool) -> None:
    assert matches((glob,), path, fold=fold, below=below)
    assert matches((glob,), path) is (glob == path)


def test_below_is_not_beside() -> None:
    assert not matches(("docs/gen",), "docs/generated/b.md", below=True)
    assert not matches(("docs/gen",), "docs/gen.md", below=True)


@pytest.mark.parametrize(
    ("glob", "why"),
    [
        ("", "must have 1 to"),
        ("a" * 501, "must have 1 to"),
        ("[a", "bracket is not closed"),
        ("a[]", "bracket is not closed"),
        ("{a,b", "brace is not closed"),
        ("{a,{b}", "brace is not closed"),
        ("[z-a]", "bad character range"),
        ("a\\b", "forward slashes"),
        ("/docs/**", "the glob starts with a slash"),
        ("a//b", "match no file"),
        ("../x", "match no file"),
        ("./x", "match no file"),
        ("{a,b}" * 12, "alternatives"),
        ("{a/,b/}" * 12, "alternatives"),
        ("{a/,b/}" * 8 + "{a,b}" * 8, "alternatives"),
        ("{a,b}" * 8 + "x" * 400, "alternatives"),
    ],
)
def test_malformed(glob: str, why: str) -> None:
    with pytest.raises(GroundedIngestError, match=why):
        matches((glob,), "x")


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a" * 100 + "b", "a" * 4000),
        ("?*" * 100 + "b", "a" * 4000),
        ("**/" * 100 + "x*y", "a/" * 2000 + "z"),
        ("**/*a*b/" * 20 + "**/*c", "ab/" * 1300 + "d"),
        ("{a,aa}/" * 8 + "**/z", "a/" * 2000 + "y"),
        ("*{a,aa}{a,aa}{a,aa}{a,aa}b", "a" * 4000),
    ],
)
def test_hostile_globs_take_no_time(glob: str, path: str) -> None:
    begin = time.perf_counter()
    assert not matches((glob,), path)
    assert time.perf_counter() - begin < 2
