"""Where claims stand: exact lines and columns, over everything Markdown can do to a text."""

from __future__ import annotations

import random
import re
import unicodedata

import pytest

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import Claim, DocClass, Form

PORT, OPEN = "The port is 80.", "It is open."

TABLE = [
    ("LF", f"{PORT} {OPEN}\n", [(PORT, 1, 1, 1), (OPEN, 1, 17, 1)]),
    ("CRLF", f"{PORT}\r\n{OPEN}\r\n", [(PORT, 1, 1, 1), (OPEN, 2, 1, 2)]),
    ("CR", f"{PORT}\r{OPEN}\r", [(PORT, 1, 1, 1), (OPEN, 2, 1, 2)]),
    ("no final newline", PORT, [(PORT, 1, 1, 1)]),
    ("byte order mark", f"\ufeff{PORT}\n", [(PORT, 1, 2, 1)]),
    ("tabs", f"-\t{PORT}\n\n\t{OPEN}\n", [(PORT, 1, 3, 1), (OPEN, 3, 2, 3)]),
    ("non-ASCII", f"Café is x. {OPEN}\n", [("Café is x.", 1, 1, 1), (OPEN, 1, 12, 1)]),
    ("combining", f"Cafe\u0301 is x. {OPEN}\n", [("Café is x.", 1, 1, 1), (OPEN, 1, 13, 1)]),
    ("emoji", f"🙂 is up. {OPEN}\n", [("🙂 is up.", 1, 1, 1), (OPEN, 1, 10, 1)]),
    (
        "CJK",
        "数据库使用 PostgreSQL。端口是 5432。\n",
        [("数据库使用 PostgreSQL。", 1, 1, 1), ("端口是 5432。", 1, 18, 1)],
    ),
    (
        "nested lists",
        "- a is 1.\n  - b is 2.\n    - c is 3. It is 4.\n",
        [("a is 1.", 1, 3, 1), ("b is 2.", 2, 5, 2), ("c is 3.", 3, 7, 3), ("It is 4.", 3, 15, 3)],
    ),
    ("ordered list", "1. a is 1.\n2. b is 2.\n", [("a is 1.", 1, 4, 1), ("b is 2.", 2, 4, 2)]),
    ("list item", f"- The port\n  is 80. {OPEN}\n", [(PORT, 1, 3, 2), (OPEN, 2, 10, 2)]),
    ("block quote", f"> The port\n> is 80. {OPEN}\n", [(PORT, 1, 3, 2), (OPEN, 2, 10, 2)]),
    ("lazy quote", f"> The port\nis 80. {OPEN}\n", [(PORT, 1, 3, 2), (OPEN, 2, 8, 2)]),
    ("alert", f"> [!NOTE]\n> {PORT}\n", [(PORT, 2, 3, 2)]),
    (
        "table",
        "| Key | Value |\n|---|---|\n| a \\| b | `p \\| q` is 3 |\n",
        [("Key: a | b; Value: `p | q` is 3", 3, 3, 3)],
    ),
    ("table, first cell empty", f"|a|b|\n|-|-|\n||{PORT}|\n", [(f"b: {PORT}", 3, 3, 3)]),
    ("tasks", f"- [x] {PORT}\n- [ ] {OPEN}\n", [(PORT, 1, 7, 1), (OPEN, 2, 7, 2)]),
    (
        "footnote",
        f"The port is 80.[^n] {OPEN}\n\n[^n]: It is old.\n",
        [("The port is 80.[^n]", 1, 1, 1), (OPEN, 1, 21, 1), ("It is old.", 3, 7, 3)],
    ),
    (
        "reference link",
        f"See [the docs][d] now. {OPEN}\n\n[d]: x.md\n",
        [("See [the docs](x.md) now.", 1, 1, 1), (OPEN, 1, 24, 1)],
    ),
    ("entities", f"A &amp; B is 1. {OPEN}\n", [("A & B is 1.", 1, 1, 1), (OPEN, 1, 17, 1)]),
    ("escapes", f"1\\*2 is 2. {OPEN}\n", [("1*2 is 2.", 1, 1, 1), (OPEN, 1, 12, 1)]),
    (
        "hard breaks",
        f"{PORT}  \n{OPEN}\\\n{PORT}\n",
        [(PORT, 1, 1, 1), (OPEN, 2, 1, 2), (PORT, 3, 1, 3)],
    ),
    (
        "setext heading",
        f"It is set.\n=====\n\n{PORT}\n",
        [("It is set.", 1, 1, 1), (PORT, 4, 1, 4)],
    ),
    (
        "nested emphasis",
        "***The** port* is 80. *It **is** open.*\n",
        [(PORT, 1, 4, 1), (OPEN, 1, 24, 1)],
    ),
    (
        "code",
        "``a ` b`` is set. `c` is 2.\n",
        [("``a ` b`` is set.", 1, 1, 1), ("`c` is 2.", 1, 19, 1)],
    ),
    (
        "code over lines",
        f"The `a\nb` is 80. {OPEN}\n",
        [("The `a b` is 80.", 1, 1, 2), (OPEN, 2, 11, 2)],
    ),
    ("code at the end", "The port is `a\nb`\n", [("The port is `a b`", 1, 1, 2)]),
    (
        "autolink",
        f"<https://e.com/a> is up. {OPEN}\n",
        [("[https://e.com/a](https://e.com/a) is up.", 1, 1, 1), (OPEN, 1, 26, 1)],
    ),
    ("struck out", f"~~{PORT}~~ {OPEN}\n", [(f"~~{PORT}~~", 1, 1, 1), (OPEN, 1, 21, 1)]),
    (
        "ragged blanks",
        f"The  port\u00a0\u00a0is 80.  {OPEN}\n",
        [(PORT, 1, 1, 1), (OPEN, 1, 20, 1)],
    ),
    ("HTML", f"<p>\n  {PORT} {OPEN}\n</p>\n", [(PORT, 2, 3, 2), (OPEN, 2, 19, 2)]),
    ("HTML in a quote", f"> <p>\n> {PORT}\n> </p>\n", [(PORT, 2, 3, 2)]),
    (
        "HTML entities",
        f"<p>\nA &amp; B is 1.\n{OPEN}\n</p>\n",
        [("A & B is 1.", 2, 1, 2), (OPEN, 3, 1, 3)],
    ),
    ("comment", f"<!-- {PORT}\n\n     {OPEN} -->\n", [(PORT, 1, 6, 1), (OPEN, 3, 6, 3)]),
    ("comment in a quote", "> <!--\n> The port\n> is 80.\n> -->\n", [(PORT, 2, 3, 3)]),
    (
        "comment in a text",
        "It is <!-- The port\nis 80. --> x.\n",
        [("It is x.", 1, 1, 2), (PORT, 1, 12, 2)],
    ),
    (
        "front matter",
        f"---\nx: '{PORT} {OPEN}'\n---\n{PORT}\n",
        [(PORT, 2, 5, 2), (OPEN, 2, 21, 2), (PORT, 4, 1, 4)],
    ),
    ("front matter, CRLF", f"---\r\nx: 1\r\n---\r\n{PORT}\r\n", [(PORT, 4, 1, 4)]),
    ("front matter, mark", f"\ufeff---\né: 1\n---\n{PORT}\n", [(PORT, 4, 1, 4)]),
    ("alt text", "![The port is 80](a.png)\n", [("The port is 80", 1, 3, 1)]),
    (
        "title",
        'é [It is x](a.md "The port is 80") now\n',
        [("é [It is x](a.md) now", 1, 1, 1), ("The port is 80", 1, 19, 1)],
    ),
    (
        "definition",
        "é is x.\n\n[//]: # (The port is 80.)\n",
        [("é is x.", 1, 1, 1), (PORT, 3, 10, 3)],
    ),
]


def claims(source: str, doc_class: DocClass = DocClass.MEMORY) -> tuple[Claim, ...]:
    found = extract(source.encode(), "a.md", doc_class).claims
    return tuple(c for c in found if not c.only_refers)


@pytest.mark.parametrize(("source", "expected"), [t[1:] for t in TABLE], ids=[t[0] for t in TABLE])
def test_claims_know_their_lines_and_columns(
    source: str, expected: list[tuple[str, int, int, int]]
) -> None:
    assert [(c.text, c.line, c.column, c.end_line) for c in claims(source)] == expected


@pytest.mark.parametrize("source", [t[1] for t in TABLE], ids=[t[0] for t in TABLE])
def test_the_source_at_a_position_begins_with_the_claim(source: str) -> None:
    for claim in claims(source):
        assert_stands(source, claim)


def assert_stands(source: str, claim: Claim) -> None:
    """The source at the claim's place begins with its first visible characters."""
    lines = re.split(r"\r\n|\n|\r", source)
    assert 1 <= claim.line <= claim.end_line <= len(lines)
    there = lines[claim.line - 1][claim.column - 1 :]
    said = re.sub(r"^[^:;]*: ", "", claim.text) if claim.form is Form.ROW else claim.text
    if there[:1] in "&\\<" or not there:
        return
    there = unicodedata.normalize("NFC", re.sub(r"(?<!^)[*_]", "", there))
    word = re.match(r"\w+|.", said)
    assert word is not None
    assert there.startswith(word[0]), (there, claim)


PIECES = (
    "The port is 80.",
    "It is open.",
    "café",
    "cafe\u0301",
    "🙂",
    "端口是。",
    "`a.py:3`",
    "``x ` y``",
    "**bold** it is",
    "*em*",
    "~~gone is~~",
    "[link](x.md)",
    "[ref][r]",
    "![alt is here now](i.png)",
    "<https://e.com>",
    "https://e.com/x_(y).",
    "&amp;",
    "\\*",
    "#12",
    "ADR-003/004",
    "3f2a1bc",
    "[^1]",
    "<b>it is</b>",
    "<!-- It is hidden. -->",
    "<span hidden>",
    "</span>",
    "  ",
    "\t",
    "\u00a0",
    "【1†a】",
    "e.g.",
    "1.5",
    "?",
    ":",
    "|",
    "_",
    "`",
    "[",
    "](",
    "<",
    ">",
    "\u0301",
    "\u202e",
    "\U000e0041",
)
STARTS = (
    "",
    "",
    "- ",
    "  - ",
    "1. ",
    "> ",
    "> > ",
    "# ",
    "## ",
    "    ",
    "\t",
    "| ",
    "|---|---|",
    "- [ ] ",
    "---",
    "===",
    "```",
    "<!--",
    "-->",
    "<div>",
    "<div hidden>",
    "</div>",
    "[r]: x.md 'It is a title'",
    "[^1]: ",
    "[//]: # (It is not seen)",
    "\ufeff",
)


def random_document(seed: int) -> str:
    pick = random.Random(seed)
    return "\n".join(
        pick.choice(STARTS) + " ".join(pick.choices(PIECES, k=pick.randrange(6)))
        for _ in range(pick.randrange(1, 30))
    )


@pytest.mark.parametrize("seed", range(300))
def test_generated_documents_are_read_without_errors(seed: int) -> None:
    source = random_document(seed)
    first = extract(source.encode(), "a.md", DocClass.MEMORY)
    assert first == extract(source.encode(), "a.md", DocClass.MEMORY)
    for claim in (c for c in first.claims if not c.only_refers):
        assert len(claim.masked) == len(claim.text)
        assert unicodedata.is_normalized("NFC", claim.text)
        assert claim.text == " ".join(claim.text.split())
    lines = len(re.split(r"\r\n|\n|\r", source))
    assert all(1 <= s.line <= s.end_line <= lines for s in first.skipped)
    assert len({c.key for c in first.claims}) == len(first.claims)


@pytest.mark.parametrize("seed", range(100))
def test_line_ends_do_not_change_the_claims(seed: int) -> None:
    source = random_document(seed)
    ids = [c.id for c in claims(source)]
    assert [c.id for c in claims(source.replace("\n", "\r\n"))] == ids


@pytest.mark.parametrize("seed", range(200))
def test_generated_documents_contain_their_claims(seed: int) -> None:
    pick = random.Random(seed)
    starts = ("", "- ", "1. ", "> ", "- [ ] ", "\n# ", "\n\n")
    pieces = (*PIECES[:15], "&amp;", "\\*", "#12", "<!-- It is hidden. -->")
    source = "\n".join(
        pick.choice(starts) + "Then " + " ".join(pick.choices(pieces, k=4)) for _ in range(12)
    )
    for claim in claims(source):
        assert_stands(source, claim)


@pytest.mark.parametrize("tag", ["<Tab>", "<Tab\n  name='é'\n>"])
def test_a_tag_before_a_code_block_of_mdx_keeps_the_lines(tag: str) -> None:
    source = f"# A\n\n{tag}\n```js\nf()\n\ng()\n```\n</Tab>\n\nRows are cut here.\n"
    (claim,) = extract(source.encode(), "a.mdx", DocClass.DOCS).claims
    assert claim.text == "Rows are cut here."
    assert claim.line == source.count("\n")


@pytest.mark.parametrize(
    ("path", "text", "links"),
    [
        ("a.md", '<!-- <a href="b.md">x</a> --> and <a href="c.md">y</a>', ["c.md"]),
        ("a.md", '<!-- <a href="b.md">', []),
        ("a.mdx", "{/* See [x](b.mdx) */}\n\nSee [y](c.mdx).", ["c.mdx"]),
        ("a.mdx", "See [x](b.mdx). {/* Not [y](c.mdx). */}", ["b.mdx"]),
    ],
)
def test_comments_have_no_links(path: str, text: str, links: list[str]) -> None:
    found = extract(text.encode(), path, DocClass.DOCS).claims
    assert [citation.raw for claim in found for citation in claim.citations] == links
