"""Hostile shapes: texts, records, configurations, logs and queries that grow in one way each.

A shape makes the files of a repository of size n; what it costs has to grow no faster than it does
(tests/test_growth.py). A new shape is a line in one of the tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from math import isqrt
from pathlib import Path
from typing import NamedTuple

from repos import NOTES, Files

from grounded_ingest.api import ground, recall
from grounded_ingest.code.definitions import definitions_in
from grounded_ingest.code.manifest_facts import ci_pins, own_version, pins
from grounded_ingest.code.python_programs import declared_options
from grounded_ingest.config.syntax import read_toml
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.heading_anchors import anchors_of
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.references.adr_status import read_status
from grounded_ingest.references.manifests import RUNNERS
from grounded_ingest.repository import lookup
from grounded_ingest.verify.text_judge import NamedSource, check_text

Text = Callable[[int], str]
SAID = "The ledger keeps its rows in the {} store of the gateway."


class Shape(NamedTuple):
    """`make` gives what is staged at size n, `landed` what stood before; `n` is where to begin:
    where a cap bounds a product (cells of a row, characters of a header), beyond that cap."""

    name: str
    n: int
    make: Callable[[int], Files]
    landed: Callable[[int], Files] = lambda _: {}


def word(n: int) -> str:
    """A word of its own for each number."""
    letters = ""
    while True:
        n, rest = divmod(n, 20)
        letters += "bcdfghjklmnpqrstvwxz"[rest] + "aeiou"[rest % 5]
        if not n:
            return f"q{letters}"


def words(n: int, start: int = 0) -> str:
    return " ".join(word(i) for i in range(start, start + n))


def lines(n: int, text: str) -> str:
    """`text` n times, `{}` a word of its own and `#N` its number."""
    return "".join(text.replace("{}", word(i)).replace("#N", str(i)) for i in range(n))


def code(n: int, name: str = "value") -> str:
    return "".join(f"{name}_{i} = {i}\n" for i in range(n))


def notes(text: Text) -> Callable[[int], Files]:
    return lambda n: {NOTES: f"# Notes\n\n{text(n)}\n"}


def files(n: int, text: str, name: str = "src/{}.py") -> Files:
    return {name.replace("{}", word(i)): text for i in range(n)}


def said(*parts: Callable[[int], Files]) -> Callable[[int], Files]:
    def made(n: int) -> Files:
        found: Files = {}
        for part in parts:
            found |= part(n)
        return found

    return made


def fact(text: str) -> Callable[[int], Files]:
    """One sentence with `text` n times."""
    return notes(lambda n: f"The ledger keeps its rows here{lines(n, text)} for the gateway.")


TEXTS = (
    # one claim and what it cites
    Shape(
        "one file cited by many lines",
        50,
        said(fact(", `src/a.py:#N`")),
        lambda n: {"src/a.py": code(4 * n)},
    ),
    Shape(
        "many files cited in a sentence",
        70,
        said(fact(", `src/{}.py:3`"), lambda n: files(n, code(40))),
    ),
    Shape(
        "many whole files cited in a sentence",
        60,
        said(fact(", `src/{}.py`"), lambda n: files(n, code(40))),
    ),
    Shape(
        "many decisions cited in a sentence",
        25,
        fact(", ADR-#N"),
        lambda n: {
            f"docs/adr/{i:04}-{word(i)}.md": f"# ADR-{i}: {word(i)}\n\nStatus: accepted\n\nThe ledger is {word(i)}.\n"
            for i in range(n)
        },
    ),
    Shape(
        "a long list of decisions",
        280,
        notes(lambda n: "The ledger stays here, ADRs " + ", ".join(map(str, range(1, n))) + "."),
    ),
    Shape("many issues in a sentence", 360, fact(", #1#N")),
    Shape("many URLs in a sentence", 400, fact(", https://example.com/{}")),
    Shape("many anchors in a sentence", 1_000, notes(lambda n: "[a](#b) " * n)),
    Shape("many versions in a sentence", 1_000, notes(lambda n: "Built with " + "zod 3.2, " * n)),
    Shape(
        "many linked versions in a sentence",
        500,
        notes(lambda n: "Built with " + "[zod](a) 3.2, zod 3.2, " * n),
    ),
    Shape(
        "a file named many times in a sentence",
        2_000,
        notes(lambda n: "the `L` is in `x.md` " * n),
        lambda _: {"src/x.md": "x\n"},
    ),
    Shape(
        "wrong commands in many blocks",
        2_000,
        notes(lambda n: "```sh\nmake a\n```\n" * n),
        lambda _: {"Makefile": "b:\n\ttrue\n"},
    ),
    Shape("many links in a sentence", 160, fact(", [{}](../src/{}.py)")),
    Shape(
        "many commits in a sentence",
        220,
        notes(
            lambda n: (
                "The ledger moved in "
                + ", ".join(f"commit {i * 2654435761 % 2**40:010x}" for i in range(n))
                + "."
            )
        ),
    ),
    Shape(
        "citations of a paragraph of many sentences",
        30,
        notes(lambda n: lines(n, "The ledger keeps {} in `src/a.py:#N` of it. ")),
    ),
    Shape("few large files", 2, said(fact(", `src/{}.py`"), lambda n: files(n, code(4000)))),
    Shape(
        "many claims of one large file",
        2,
        said(notes(lambda n: lines(n, "- The ledger keeps {} at 8443 in the `src/a.py`.\n"))),
        lambda n: {"src/a.py": code(4000)},
    ),
    Shape(
        "many claims of lines of a long file",
        47,
        notes(lambda n: lines(n, "- The ledger keeps {} (`src/a.py:#N`).\n")),
        lambda n: {"src/a.py": code(10 * n)},
    ),
    Shape(
        "a file of one long line",
        330,
        notes(lambda n: "The ledger keeps its 8443 rows here (`src/a.py:1`)."),
        lambda n: {"src/a.py": "x = [" + ", ".join(map(str, range(n))) + "]\n"},
    ),
    Shape(
        "files of one name",
        100,
        notes(lambda n: lines(n, "- The ledger keeps {} (`index.ts`).\n")),
        lambda n: files(n, "x\n", "src/{}/index.ts"),
    ),
    Shape(
        "decisions of one number",
        70,
        notes(lambda n: lines(n, "- The ledger keeps {} (ADR-7).\n")),
        lambda n: files(n, "# ADR-7\n\nStatus: accepted\n", "docs/adr/0007-{}.md"),
    ),
    Shape(
        "decisions that replace each other",
        29,
        notes(lambda n: lines(n, "- The ledger keeps {} (ADR-#N).\n")),
        lambda n: {
            f"docs/adr/{i:04}-x.md": f"# ADR-{i}\n\nStatus: superseded by ADR-{i + 1}\n\nThe ledger is {word(i)}.\n"
            for i in range(n)
        },
    ),
    Shape(
        "a chain of documents",
        25,
        notes(lambda n: "The ledger is as `docs/0.md:1` says it."),
        lambda n: {
            f"docs/{i}.md": f"The ledger is as `docs/{i + 1}.md:1` says it.\n" for i in range(n)
        },
    ),
    Shape(
        "missing paths",
        30,
        notes(lambda n: lines(n, "- The ledger keeps rows in `src/{}/gone.py` today.\n")),
        lambda n: files(n, "x\n"),
    ),
    Shape(
        "dead directories",
        30,
        notes(lambda n: lines(n, "- The ledger keeps rows in `lib/{}/` today.\n")),
        lambda n: files(n, "x\n"),
    ),
    # words
    Shape("a long word", 50_000, notes(lambda n: f"The ledger is {'a' * n} in the store.")),
    Shape(
        "a long word of marks", 31_730, notes(lambda n: f"The ledger is {'a-' * n} in the store.")
    ),
    Shape(
        "a long word of dots", 15_350, notes(lambda n: f"The ledger is {'a.' * n} in the store.")
    ),
    Shape("a line of one word of dots", 15_350, notes(lambda n: "a." * n)),
    Shape(
        "a long word of slashes", 20_000, notes(lambda n: f"The ledger is {'a/' * n} in the store.")
    ),
    Shape("a long sentence", 820, notes(lambda n: f"The ledger is {words(n)} in the store.")),
    Shape(
        "a long cited sentence",
        500,
        notes(lambda n: f"The ledger is {words(n)} in the store (`src/a.py:1`)."),
        lambda n: {"src/a.py": "x = 1\n"},
    ),
    Shape(
        "a long sentence beside many lines",
        60,
        notes(lambda n: f"The ledger is {words(n)} in the store (`src/a.py`)."),
        lambda n: {"src/a.py": code(10 * n)},
    ),
    Shape(
        "many numbers",
        1_020,
        notes(lambda n: "The ledger has " + ", ".join(map(str, range(n))) + " rows."),
    ),
    Shape(
        "many dates",
        1_000,
        notes(lambda n: "The ledger has rows of " + "2024-01-02 and " * n + "later."),
    ),
    Shape(
        "many clauses",
        650,
        notes(
            lambda n: "The ledger has rows, " + lines(n, "but {} has none, and ") + "that is all."
        ),
    ),
    Shape("many commas", 950, notes(lambda n: "The ledger has rows" + lines(n, ", {}") + " here.")),
    Shape(
        "many semicolons",
        940,
        notes(lambda n: "The ledger has rows" + lines(n, "; the {} is slow") + " here."),
    ),
    Shape("many denials", 3_000, notes(lambda n: "The ledger is " + "not " * n + "here.")),
    Shape(
        "many hedges", 2_000, notes(lambda n: "The ledger is " + "maybe probably " * n + "here.")
    ),
    Shape(
        "many changes",
        390,
        notes(lambda n: "The ledger is " + lines(n, "now {}, previously {}x, ") + "here."),
    ),
    Shape(
        "many capitals",
        960,
        notes(
            lambda n: "The ledger is of " + " ".join(word(i).title() for i in range(n)) + " here."
        ),
    ),
    Shape("many abbreviations", 3_000, notes(lambda n: "The ledger is " + "e.g. " * n + "here.")),
    Shape("many full stops", 3_000, notes(lambda n: "The ledger is " + ". " * n + "here.")),
    Shape("many question marks", 20_000, notes(lambda n: "Is the ledger here" + "?" * n)),
    Shape("many colons", 5_000, notes(lambda n: "The ledger is: " + "a: " * n + "here.")),
    Shape("hex", 33_670, notes(lambda n: f"The ledger is {'a1' * n} in the store.")),
    Shape(
        "many hex words",
        230,
        notes(
            lambda n: (
                "The ledger is "
                + " ".join(f"{i * 2654435761 % 2**28:07x}" for i in range(n))
                + " here."
            )
        ),
    ),
    Shape("digits", 50_000, notes(lambda n: f"The ledger has {'7' * n} rows in the store.")),
    Shape(
        "digits and dots", 20_000, notes(lambda n: f"The ledger has {'7.' * n}7 rows in the store.")
    ),
    Shape(
        "digits and underscores",
        20_000,
        notes(lambda n: f"The ledger has {'7_' * n}7 rows in the store."),
    ),
    Shape("products", 5_000, notes(lambda n: f"The ledger has {'7 * ' * n}7 rows in the store.")),
    Shape(
        "a long URL",
        50_000,
        notes(lambda n: f"The ledger is at https://example.com/{'a' * n} today."),
    ),
    Shape(
        "a URL of brackets",
        20_000,
        notes(lambda n: f"The ledger is at https://example.com/{'(' * n}{')' * n} today."),
    ),
    Shape("a long path", 20_000, notes(lambda n: f"The ledger is at `src/{'a/' * n}b.py` today.")),
    Shape("quotation marks", 7_860, notes(lambda n: 'The ledger is "' + 'a" "' * n + "here.")),
    Shape("open quotation marks", 1_440, notes(lambda n: "The ledger is “ " * n)),
    Shape("apostrophes", 9_170, notes(lambda n: "The ledger is " + "'a " * n + "here.")),
    Shape("open brackets", 20_000, notes(lambda n: "The ledger is " + "(" * n + "here.")),
    Shape(
        "brackets in words",
        4_230,
        notes(lambda n: "The ledger is " + "(a " * n + ") " * n + "here."),
    ),
    Shape("spaces", 50_000, notes(lambda n: "The ledger is" + " " * n + "here.")),
    Shape("tabs in code", 20_000, notes(lambda n: "The ledger is `" + "\t" * n + "` here.")),
    Shape("combining marks", 20_000, notes(lambda n: "The ledger is a" + "\u0301" * n + " here.")),
    Shape(
        "hidden characters",
        10_000,
        notes(lambda n: "The ledger is" + "\u200b\U000e0041" * n + " here."),
    ),
    Shape("decomposed text", 3_440, notes(lambda n: "The ledger is " + "e\u0301 " * n + "here.")),
    Shape("text without spaces", 5_000, notes(lambda n: "台帳は" * n + "。")),
    # Markdown
    Shape("emphasis marks", 12_450, notes(lambda n: "The ledger is " + "*" * n + "here.")),
    Shape("open emphasis", 1_210, notes(lambda n: "The ledger is " + "*a **b _c " * n + "here.")),
    Shape(
        "nested emphasis",
        3_000,
        notes(lambda n: "The ledger is " + "*a " * n + "b*" * n + " here."),
    ),
    Shape("backticks", 20_000, notes(lambda n: "The ledger is " + "`" * n + "here.")),
    Shape(
        "growing backticks",
        20_000,
        notes(
            lambda n: "The ledger is " + " ".join("`" * i for i in range(isqrt(2 * n))) + " here."
        ),
    ),
    Shape("open backticks", 2_090, notes(lambda n: "The ledger is " + "`a ``b " * n + "here.")),
    Shape("open links", 4_020, notes(lambda n: "The ledger is " + "[a](" * n + "here.")),
    Shape("square brackets", 7_670, notes(lambda n: "The ledger is " + "[" * n + "here" + "]" * n)),
    Shape(
        "nested images",
        500,
        notes(lambda n: "The ledger is " + "![a " * n + "here" + "](b)" * n + "."),
    ),
    Shape("entities", 4_340, notes(lambda n: "The ledger is " + "&amp; " * n + "here.")),
    Shape("escapes", 7_170, notes(lambda n: "The ledger is " + "\\*" * n + "here.")),
    Shape("hard breaks", 1_020, notes(lambda n: lines(n, "The ledger {}  \n"))),
    Shape("a long paragraph", 240, notes(lambda n: lines(n, "The ledger keeps {} in it.\n"))),
    Shape("many paragraphs", 130, notes(lambda n: lines(n, SAID + "\n\n"))),
    Shape(
        "nested lists",
        60,
        notes(
            lambda n: "".join(
                "  " * i + f"- The ledger keeps {word(i)} in the store.\n" for i in range(n)
            )
        ),
    ),
    Shape("nested lists of one mark", 2_000, notes(lambda n: "- " * n + "The ledger keeps it.")),
    Shape("nested quotes", 2_000, notes(lambda n: "> " * n + "The ledger keeps it.")),
    Shape(
        "quotes nested line by line",
        45,
        notes(lambda n: "".join("> " * i + "The ledger keeps it.\n" for i in range(n))),
    ),
    Shape("long lists", 200, notes(lambda n: lines(n, "- The ledger keeps {} in it.\n"))),
    Shape(
        "a list item of many paragraphs",
        220,
        notes(lambda n: "- The ledger:\n" + lines(n, "\n  The ledger keeps {} in it.\n")),
    ),
    Shape(
        "a table of many rows",
        150,
        notes(lambda n: "| store | is |\n|---|---|\n" + lines(n, "| {} | the ledger of {} |\n")),
    ),
    Shape(
        "a table of many columns",
        400,
        notes(
            lambda n: (
                "|" + lines(n, "{}|") + "\n|" + "---|" * n + "\n|" + lines(n, "is {} here|") + "\n"
            )
        ),
    ),
    Shape(
        "a table with a long header",
        72,
        notes(lambda n: f"| {words(n)} | is |\n|---|---|\n" + lines(n, "| {} | the ledger |\n")),
    ),
    Shape("headings", 1_000, notes(lambda n: lines(n, "## The {}\n\n"))),
    Shape("headings with claims", 190, notes(lambda n: lines(n, "## The {}\n\n" + SAID + "\n\n"))),
    Shape(
        "a long heading", 170, notes(lambda n: f"## The {words(n)}\n\n" + lines(n, SAID + "\n\n"))
    ),
    Shape(
        "footnotes",
        80,
        notes(
            lambda n: (
                lines(n, "The ledger keeps {} in it[^#N].\n\n")
                + lines(n, "[^#N]: See `src/a.py:#N`.\n\n")
            )
        ),
    ),
    Shape(
        "one footnote of many claims",
        32,
        notes(
            lambda n: (
                lines(n, "The ledger keeps {} in it[^1].\n\n")
                + "[^1]: See "
                + lines(n, "`src/{}.py:1`, ")
                + "it.\n"
            )
        ),
    ),
    Shape(
        "many footnotes of one claim",
        140,
        notes(
            lambda n: (
                "The ledger keeps it"
                + lines(n, "[^#N]")
                + ".\n\n"
                + lines(n, "[^#N]: See `src/{}.py:1`.\n\n")
            )
        ),
    ),
    Shape(
        "footnotes of footnotes",
        140,
        notes(
            lambda n: (
                "The ledger keeps it[^0].\n\n"
                + "".join(f"[^{i}]: The ledger has more[^{i + 1}].\n\n" for i in range(n))
            )
        ),
    ),
    Shape(
        "link definitions",
        100,
        notes(
            lambda n: (
                lines(n, "[{}]: src/{}.py\n") + "\n" + lines(n, "The ledger keeps it in [{}].\n\n")
            )
        ),
    ),
    Shape("HTML tags", 3_000, notes(lambda n: "<div>" * n + "\n\nThe ledger keeps it.\n")),
    Shape("HTML in text", 3_000, notes(lambda n: "The ledger " + "<b>is " * n + "here.")),
    Shape("open tags", 3_750, notes(lambda n: "The ledger " + "<a b='" * n + "here.")),
    Shape("HTML blocks", 240, notes(lambda n: lines(n, "<p>The ledger keeps {} in it.</p>\n\n"))),
    Shape(
        "a long HTML block",
        330,
        notes(lambda n: "<div>\n" + lines(n, "<p>The ledger keeps {} in it.</p>\n") + "</div>\n"),
    ),
    Shape("comments", 190, notes(lambda n: lines(n, "<!-- The ledger keeps {} in it. -->\n\n"))),
    Shape("open comments", 3_370, notes(lambda n: "The ledger " + "<!-- a " * n)),
    Shape("open comments in blocks", 1_830, notes(lambda n: "<!-- a\n" * n)),
    Shape(
        "ignore comments",
        140,
        notes(
            lambda n: lines(
                n,
                '<!-- grounded: ignore[speculation] reason="it is {}" -->\nI think the ledger keeps {} in it.\n\n',
            )
        ),
    ),
    Shape(
        "ignore comments on one line",
        170,
        notes(
            lambda n: (
                lines(n, '<!-- grounded: ignore[speculation] reason="{}" -->')
                + "\n\n"
                + lines(n, "I think the ledger keeps {} in it.\n\n")
            )
        ),
    ),
    Shape(
        "rules of one ignore comment",
        1_000,
        notes(
            lambda n: (
                "<!-- grounded: ignore["
                + "speculation, " * n
                + 'duplicate] reason="x" -->\nI think the ledger keeps it.\n'
            )
        ),
    ),
    Shape("code blocks", 1_000, notes(lambda n: lines(n, "```py\n{} = 1\n```\n\n"))),
    Shape("open fences", 2_000, notes(lambda n: "```\n" * n + "The ledger keeps it.")),
    Shape("thematic breaks", 3_000, notes(lambda n: "---\n" * n)),
    Shape(
        "imports",
        300,
        notes(lambda n: lines(n, "@docs/{}.md\n")),
        lambda n: files(n, SAID, "docs/{}.md"),
    ),
    # what is said before
    Shape("claims of the same words", 170, notes(lambda n: (SAID + "\n\n") * n)),
    Shape(
        "near duplicates",
        50,
        notes(
            lambda n: lines(
                n,
                "The ledger keeps the rows of all of its tables and of all of its views in the big store of the old gateway, beside the logs of the new {}.\n\n",
            )
        ),
    ),
    Shape(
        "claims that differ by a number",
        100,
        notes(
            lambda n: lines(n, "The timeout of the ledger is #N seconds for all of its rows.\n\n")
        ),
    ),
    Shape(
        "claims that differ by two numbers",
        190,
        notes(
            lambda n: lines(n, "The timeout of the ledger is #N seconds for #N1 of its rows.\n\n")
        ),
    ),
    Shape(
        "claims that landed and differ by a number",
        80,
        notes(
            lambda n: lines(n, "The timeout of the ledger is #N seconds for all of its rows.\n\n")
        ),
        lambda n: {
            "memory-bank/old.md": lines(
                n, "The timeout of the ledger is #N7 seconds for all of its rows.\n\n"
            )
        },
    ),
    Shape("values of one slot", 190, notes(lambda n: lines(n, "The database is {} now.\n\n"))),
    Shape(
        "wordier claims",
        60,
        notes(
            lambda n: (
                "The ledger keeps the rows of its tables in the store.\n\n"
                + lines(
                    n, "The ledger keeps the rows of its tables in the store, and it {} them.\n\n"
                )
            )
        ),
    ),
    Shape(
        "changed claims",
        46,
        notes(
            lambda n: lines(n, "The ledger keeps {} rows in the store, previously {}x rows.\n\n")
        ),
        notes(lambda n: lines(n, "The ledger keeps {}x rows in the store.\n\n")),
    ),
    Shape(
        "rewritten claims",
        44,
        notes(lambda n: lines(n, "The ledger of the gateway keeps {} safe now.\n\n")),
        notes(lambda n: lines(n, "The ledger of the gateway keeps {}x safe.\n\n")),
    ),
    Shape("documents", 100, lambda n: files(n, SAID, "memory-bank/{}.md")),
    Shape(
        "documents of other words",
        80,
        lambda n: {f"memory-bank/{word(i)}.md": SAID.format(word(i)) for i in range(n)},
    ),
    Shape(
        "documents that mirror each other",
        20,
        lambda n: files(n, lines(6, SAID + "\n\n"), "memory-bank/{}.md"),
    ),
    Shape(
        "removed files",
        140,
        lambda n: dict.fromkeys(files(n, ""), None),
        lambda n: files(n, "x\n") | {NOTES: lines(n, "- The ledger keeps {} (`src/{}.py`).\n")},
    ),
    Shape(
        "moved files",
        150,
        lambda n: (
            dict.fromkeys(files(n, ""), None)
            | {f"lib/{word(i)}.py": f"x = {i}\n" * 9 for i in range(n)}
        ),
        lambda n: (
            {f"src/{word(i)}.py": f"x = {i}\n" * 9 for i in range(n)}
            | {NOTES: lines(n, "- The ledger keeps {} (`src/{}.py`).\n")}
        ),
    ),
)


SOURCE = "".join(
    f"The ledger {word(i)} keeps {i} rows of the {word(i + 7)} store and the gateway.\n\n"
    for i in range(1250)
)
MORE = (
    Shape(
        "large documents cited in a sentence",
        3,
        notes(
            lambda n: (
                "The ledger keeps 8443 rows, not 30, of the store in "
                + lines(n, "`data/{}.txt`, ")
                + "and it is slow; the gateway waits 30 seconds, and the rows are sent in March 2024."
            )
        ),
        lambda n: files(n, SOURCE, "data/{}.txt"),
    ),
    Shape(
        "large files cited in a sentence",
        2,
        notes(
            lambda n: (
                "The ledger keeps 8443 rows, not 30, of the store in "
                + lines(n, "`src/{}.py`, ")
                + "and it is slow; the gateway waits 30 seconds, and the rows are sent in March 2024."
            )
        ),
        lambda n: files(n, code(4000, "ledger_rows")),
    ),
    Shape(
        "a growing document cited in a sentence",
        100,
        notes(
            lambda n: (
                "The ledger keeps 8443 rows, not 30, of the store in `data/a.txt`, and it is slow; the gateway waits 30 seconds, and the rows are sent in March 2024."
            )
        ),
        lambda n: {"data/a.txt": SOURCE[: 70 * n]},
    ),
    Shape(
        "many files with cited lines of one text",
        32,
        notes(lambda n: lines(n, "- The ledger keeps {} (`data/{}.txt:3`).\n")),
        lambda n: files(n, SOURCE[:9000], "data/{}.txt"),
    ),
    Shape(
        "many claims of lines of a long document",
        200,
        notes(lambda n: lines(n, "- The ledger keeps {} (`docs/a.md:#N`).\n")),
        lambda n: {"docs/a.md": lines(n, SAID + "\n\n")},
    ),
    Shape(
        "lines of a long text",
        70,
        notes(lambda n: lines(n, "- The ledger keeps {} (`data/a.txt:#N`).\n")),
        lambda n: {"data/a.txt": lines(3 * n, SAID + "\n\n")},
    ),
    Shape(
        "lines of a new file",
        120,
        said(
            notes(lambda n: lines(n, "- The ledger keeps {} (`src/a.py:#N`).\n")),
            lambda n: {"src/a.py": lines(3 * n, "    {} = 1  # the ledger\n")},
        ),
    ),
    Shape(
        "doubts that stood before",
        24,
        notes(
            lambda n: lines(
                n, "I think the ledger of the gateway keeps {} safe in the store now.\n\n"
            )
        ),
        notes(
            lambda n: lines(n, "I think the ledger of the gateway keeps {}x safe in the store.\n\n")
        ),
    ),
    Shape(
        "changed rows",
        110,
        notes(lambda n: "| a | b |\n|---|---|\n" + lines(n, "| x | {} is here |\n")),
        notes(lambda n: "| a | b |\n|---|---|\n" + lines(n, "| x | {}y was |\n")),
    ),
    Shape(
        "many tables",
        2,
        notes(
            lambda n: (
                (
                    "|"
                    + "a|" * 200
                    + "\n|"
                    + "---|" * 200
                    + "\n"
                    + "| the ledger is here |\n" * 200
                    + "\n\n"
                )
                * n
            )
        ),
    ),
    Shape(
        "a table of few cells and many columns",
        480,
        notes(
            lambda n: (
                "|" + lines(n, "{}|") + "\n|" + "---|" * n + "\n" + "| the ledger is here |\n" * n
            )
        ),
    ),
    Shape(
        "a link definition used often",
        140,
        notes(lambda n: f"[a]: src/{'a' * n}.py\n\n" + "The ledger keeps it in [a]. " * n),
    ),
    Shape(
        "CODEOWNERS",
        500,
        said(notes(lambda n: SAID), lambda n: {".github/CODEOWNERS": lines(n, "/{}/ @a\n")}),
    ),
    Shape(
        "gitattributes",
        500,
        said(notes(lambda n: SAID), lambda n: {".gitattributes": lines(n, "{} text\n")}),
    ),
    Shape(
        "configuration globs",
        60,
        said(
            lambda n: {".grounded-ingest.yaml": "exclude:\n" + lines(n, "  - '{}/**/*.md'\n")},
            lambda n: files(n, SAID, "memory-bank/{}.md"),
        ),
    ),
    Shape(
        "a configuration of stars",
        20,
        said(
            lambda n: {".grounded-ingest.yaml": "exclude:\n  - '" + "*a" * n + "b'\n"},
            lambda n: {f"memory-bank/{'a' * n}.md": SAID},
        ),
    ),
    Shape(
        "a configuration of double stars",
        20,
        said(
            lambda n: {".grounded-ingest.yaml": "exclude:\n  - '" + "**/" * n + "b'\n"},
            lambda n: {f"memory-bank/{'a/' * n}a.md": SAID},
        ),
    ),
    Shape(
        "configured mirrors",
        30,
        said(
            lambda n: {
                ".grounded-ingest.yaml": "mirrors:\n"
                + lines(n, "  - ['memory-bank/{}.md', 'memory/{}.md']\n")
            },
            lambda n: files(n, SAID, "memory-bank/{}.md") | files(n, SAID, "memory/{}.md"),
        ),
    ),
    Shape(
        "a long review log",
        300,
        notes(lambda n: lines(n, SAID + "\n\n")),
        lambda n: {
            ".grounded/reviews/" + NOTES + ".jsonl": lines(
                n,
                json.dumps(
                    {
                        "id": "0123456789abcdef",
                        "section": "Notes",
                        "ordinal": 0,
                        "claim": SAID,
                        "action": "approve",
                        "reviewer": "a@example.org",
                        "reviewed_at": "2026-01-01T00:00:00Z",
                        "reason": "read",
                    }
                )
                + "\n",
            )
        },
    ),
    Shape(
        "a long sidecar",
        300,
        notes(lambda n: lines(n, SAID + "\n\n")),
        lambda n: {
            ".grounded/evidence/" + NOTES + ".jsonl": lines(
                n, json.dumps({"id": "0123456789abcdef", "claim": SAID}) + "\n"
            )
        },
    ),
    Shape(
        "a deep sidecar",
        3_000,
        notes(lambda n: SAID),
        lambda n: {".grounded/evidence/" + NOTES + ".jsonl": '{"a":' + "[" * n + "]" * n + "}\n"},
    ),
    Shape(
        "a deep log",
        3_000,
        notes(lambda n: SAID),
        lambda n: {".grounded/reviews/" + NOTES + ".jsonl": '{"a":' + "[" * n + "]" * n + "}\n"},
    ),
)


def record(text: Text, name: str = "memory/a.json") -> Callable[[int], Files]:
    return lambda n: {name: text(n)}


def front(text: Text) -> Callable[[int], Files]:
    return lambda n: {NOTES: f"---\n{text(n)}---\n\n# Notes\n\n{SAID}\n"}


def aliases(n: int) -> str:
    """n levels of nine aliases each of the level below."""
    rows = ["a0: &a0 [The ledger keeps its rows here]\n"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, n)]
    return "".join(rows)


RECORDS = (
    Shape(
        "records",
        110,
        record(lambda n: json.dumps([{"text": SAID.format(word(i))} for i in range(n)])),
    ),
    Shape(
        "records by line",
        120,
        record(lambda n: lines(n, '{"text": "The ledger keeps its {} rows."}\n'), "memory/a.jsonl"),
    ),
    Shape(
        "records of one id",
        110,
        record(
            lambda n: lines(n, '{"id": "a", "text": "The ledger keeps its {} rows."}\n'),
            "memory/a.jsonl",
        ),
    ),
    Shape(
        "observations",
        80,
        record(
            lambda n: (
                json.dumps(
                    {
                        "type": "entity",
                        "name": "a",
                        "observations": [SAID.format(word(i)) for i in range(n)],
                    }
                )
                + "\n"
            ),
            "memory/a.jsonl",
        ),
    ),
    Shape("deep JSON", 3_000, record(lambda n: "[" * n + "]" * n)),
    Shape("deep objects", 3_000, record(lambda n: '{"text":' * n + "1" + "}" * n)),
    Shape(
        "deep JSON lines",
        180,
        record(lambda n: ("[" * 100 + "]" * 100 + "\n") * n, "memory/a.jsonl"),
    ),
    Shape("broken JSON lines", 1_000, record(lambda n: "{\n" * n, "memory/a.jsonl")),
    Shape(
        "JSON keys",
        2_000,
        record(lambda n: "{" + lines(n, '"{}": 1, ') + '"text": "The ledger keeps its rows."}'),
    ),
    Shape(
        "the same JSON key",
        1_470,
        record(lambda n: "{" + '"text": "The ledger keeps its rows.", ' * n + '"id": 1}'),
    ),
    Shape(
        "a long JSON number",
        20_000,
        record(lambda n: '{"text": "The ledger keeps its rows.", "trust": ' + "1" * n + "}"),
    ),
    Shape(
        "a long JSON string",
        2_690,
        record(lambda n: json.dumps({"text": "The ledger keeps " + '\u00e9\\"\n' * n})),
    ),
    Shape(
        "escaped text",
        20_000,
        record(lambda n: '{"text": "The ledger keeps ' + "\\u0061" * n + '"}'),
    ),
    Shape(
        "YAML records",
        80,
        record(lambda n: lines(n, "- text: The ledger keeps its {} rows.\n"), "memory/a.yaml"),
    ),
    Shape("YAML aliases", 2, record(lambda n: aliases(2 * n), "memory/a.yaml")),
    Shape(
        "YAML aliases of one text",
        300,
        record(
            lambda n: "- &a {text: The ledger keeps its rows.}\n" + "- *a\n" * n, "memory/a.yaml"
        ),
    ),
    Shape(
        "YAML documents",
        150,
        record(lambda n: lines(n, "---\ntext: The ledger keeps its {} rows.\n"), "memory/a.yaml"),
    ),
    Shape("deep YAML", 2_000, record(lambda n: "[" * n + "]" * n, "memory/a.yaml")),
    Shape(
        "deep YAML blocks",
        50,
        record(lambda n: "".join("  " * i + "a:\n" for i in range(n)), "memory/a.yaml"),
    ),
    Shape("open YAML", 2_000, record(lambda n: "{" * n, "memory/a.yaml")),
    Shape(
        "YAML keys of aliases",
        300,
        record(lambda n: "a: &a text\n" + "? *a\n: 1\n" * n, "memory/a.yaml"),
    ),
    Shape(
        "YAML merges",
        300,
        record(
            lambda n: "- &a {text: The ledger keeps its rows.}\n" + "- {<<: *a}\n" * n,
            "memory/a.yaml",
        ),
    ),
    Shape("front matter", 160, front(lambda n: lines(n, "{}: The ledger keeps its {} rows.\n"))),
    Shape("front matter of aliases", 2, front(lambda n: aliases(2 * n))),
    Shape(
        "front matter with one text under many aliases",
        120,
        front(lambda n: "a: &a The ledger keeps its rows.\n" + lines(n, "{}: *a\n")),
    ),
    Shape(
        "front matter of comments",
        220,
        front(lambda n: lines(n, "# The ledger keeps its {} rows.\n")),
    ),
    Shape(
        "front matter that is no YAML", 170, front(lambda n: lines(n, "{}: *.py of the ledger\n"))
    ),
    Shape("front matter without end", 1_650, lambda n: {NOTES: "---\n" + "a: b\n" * n}),
    Shape("deep front matter", 2_000, front(lambda n: "a: " + "[" * n + "]" * n + "\n")),
)

SHAPES = (*TEXTS, *MORE, *RECORDS)

KNOWN: Files = {
    NOTES: "# Notes\n\n"
    + lines(100, SAID + "\n\n")
    + "The port of the gateway is 8443 (`src/a.py:1`).\n",
    "src/a.py": "PORT = 8443\n",
}


class Query(NamedTuple):
    """A question to the repository of KNOWN, or to none, of size n."""

    name: str
    n: int
    ask: Callable[[Path, int], object]


def recalled(text: Text) -> Callable[[Path, int], object]:
    return lambda root, n: recall(text(n), str(root), pending=True)


def explained(text: Text) -> Callable[[Path, int], object]:
    def ask(root: Path, n: int) -> object:
        with Opened(str(root), own=False) as repo:
            tree = CommitTree(repo, repo.head())
            return lookup.parse_place(text(n), repo.root, tree) or tree.submodule_above(text(n))

    return ask


def verified(
    text: Text, memories: Text = lambda _: "Ada lives in Turin.\n"
) -> Callable[[Path, int], object]:
    def ask(_: Path, n: int) -> object:
        rows = memories(n).splitlines()
        return ground(text(n), [{"id": str(i), "text": row} for i, row in enumerate(rows)])

    return ask


def compared(text: Text, source: Text) -> Callable[[Path, int], object]:
    return lambda _, n: check_text(text(n), [NamedSource("source.md", source(n))])


LIVES = "I live in {}.\n"
ROWS = "The ledger keeps #N rows in {}.\n\n"
QUERIES = (
    Query("recall of a long word", 10_000, recalled(lambda n: f"Where is {'a' * n} kept?")),
    Query(
        "recall of a long word of accents", 10_000, recalled(lambda n: f"Where is {'é' * n} kept?")
    ),
    Query("recall of capitals", 10_000, recalled(lambda n: f"Where is {'A' * n} kept?")),
    Query("recall of a long name", 10_000, recalled(lambda n: f"Where is {'aB' * n} kept?")),
    Query("recall of many names", 3_000, recalled(lambda n: f"Where is {'a_' * n} kept?")),
    Query("recall of digits", 10_000, recalled(lambda n: f"Where is {'1' * n} kept?")),
    Query("recall of many words", 100, recalled(lambda n: f"Where is {words(n)} kept?")),
    Query("recall of one word often", 1_000, recalled(lambda n: f"Where is {'ledger ' * n} kept?")),
    Query("explain of a long path", 300, explained(lambda n: "a/" * n + "b.md:1")),
    Query("explain of a path from the root", 300, explained(lambda n: "/etc" * n + "/passwd:1")),
    Query("explain of a path above", 300, explained(lambda n: "../" * n + "b.md:1")),
    Query("explain of a long text", 5_000, explained(lambda n: "The ledger is " + words(n))),
    Query(
        "verify of many sentences", 200, verified(lambda n: lines(n, "The ledger keeps {} in it. "))
    ),
    Query(
        "verify of a long sentence",
        2_000,
        verified(lambda n: f"The ledger keeps {words(n)} in it."),
    ),
    Query(
        "verify of a long word", 20_000, verified(lambda n: f"The ledger keeps {'a' * n} in it.")
    ),
    Query("verify of many names", 1_000, verified(lambda n: f"Ada likes {words(n).title()}.")),
    Query(
        "verify of numbers", 300, verified(lambda n: "Ada has " + lines(n, "#N, ") + "and 7 rows.")
    ),
    Query("verify of many facts", 100, verified(lambda n: lines(n, "I live in {}. "))),
    Query("verify of quotation marks", 2_000, verified(lambda n: 'The ledger "' * n)),
    Query("verify of brackets", 1_000, verified(lambda n: "The ledger (" * n)),
    Query(
        "verify by many memories",
        100,
        verified(lambda _: "I live in Turin.", lambda n: lines(n, LIVES)),
    ),
    Query(
        "verify by a long memory",
        1_000,
        verified(lambda _: "I live in Turin.", lambda n: f"I live in {words(n)}."),
    ),
    Query(
        "a long text beside a source",
        240,
        compared(lambda n: lines(n, ROWS), lambda _: lines(50, ROWS)),
    ),
    Query("a text beside a long source", 200, compared(lambda _: ROWS, lambda n: lines(n, ROWS))),
    Query("a source of one long line", 1_000, compared(lambda _: ROWS, lambda n: lines(n, "#N, "))),
    Query(
        "a source of lifetimes",
        300,
        compared(lambda _: "Ada died in 1852.", lambda n: "(1815-1852) " * n),
    ),
)


def read_file(path: str, text: str) -> None:
    """Has every reader of files that claims lead to read a text of that name."""
    name = path.rpartition("/")[2]
    for read in (definitions_in, pins, own_version):
        read(path, text)
    for runner in RUNNERS.values():
        if name in runner.files:
            runner.parse(text, path)
    if name.endswith(".py"):
        declared_options([text])
    elif name.endswith(".md"):
        anchors_of(text)
        read_status(text)
    elif name.endswith(".yml"):
        ci_pins(text)
    elif name == "pyproject.toml":
        with suppress(GroundedIngestError):
            read_toml(text, path, ("tool", "grounded-ingest"))


def file(path: str, n: int, text: Text) -> Query:
    shown = " ".join(repr(text(2))[1:25].split())
    return Query(f"{path} of {shown}", n, lambda _, size: read_file(path, text(size)))


def script(text: str) -> Text:
    """A package.json with one long script."""
    return lambda n: json.dumps({"scripts": {"a": text * n}})


FILES_READ = (
    # blank lines, before and behind what a pattern looks for
    *(
        file(path, 4_000, lambda n, before=before: before + "\n" * n)
        for path, before in {
            ".github/workflows/ci.yml": "a: 1", "go.mod": "go ", "Gemfile": "", "setup.cfg": "[tox]",
            "Dockerfile": "FROM ", "Makefile": "a:", "justfile": "a:", "tox.ini": "[tox]",
            "docs/adr/0001-a.md": "# A", ".env.example": "A=1", "Taskfile.yml": "tasks:",
            "requirements.txt": "a", ".tool-versions": "go 1", "a.sh": "a", "a.rb": "a",
        }.items()
    ),
    file(".github/workflows/ci.yml", 4_000, lambda n: " \n" * n + "x"),
    file(".github/workflows/ci.yml", 1_000, lambda n: "node-version:\n" + "  - 1\n\n" * n),
    file(".github/workflows/ci.yml", 500, lambda n: "a:\n" + lines(n, "  - ${A_#N}\n")),
    file("go.mod", 4_000, lambda n: "a." * n),
    file("go.mod", 1_000, lambda n: "require a.b/c\n" * n),
    file("go.mod", 2_000, lambda n: "go 1\n" * n),
    file("Gemfile", 4_000, lambda n: "ruby '1'\n" * n),
    file("Gemfile", 4_000, lambda n: "gem\n" * n),
    file("Dockerfile", 2_000, lambda n: "FROM node:1\n" * n),
    file("Dockerfile", 4_000, lambda n: "FROM " + "a/" * n),
    file("Dockerfile", 2_000, lambda n: "ENV A=1\n" * n),
    file(".env.example", 4_000, lambda n: "A=1\n" * n),
    file("setup.cfg", 4_000, lambda n: "[tox]\na" + " " * n + "b"),
    file("setup.cfg", 1_000, lambda n: "[tox]\n" + lines(n, "{} = 1\n")),
    file("setup.cfg", 4_000, lambda n: "[tox]\nenvlist = " + "{" * n),
    file("package.json", 20_000, lambda n: json.dumps({"engines": {"node": " " * n}})),
    file("package.json", 80_000, lambda n: json.dumps({"engines": {"node": "1." * n}})),
    file("package.json", 4_000, script('"')),
    file("package.json", 20_000, script("\\")),
    file("package.json", 20_000, lambda n: '{"a":' * n),
    file("package.json", 4_000, lambda n: "{" + lines(n, '"{}": {}, ') + '"a": 1}'),
    file("justfile", 4_000, lambda n: "a" + " " * n + "b"),
    file("justfile", 4_000, lambda n: 'a "' + '\\"' * n),
    file("justfile", 1_000, lambda n: lines(n, "{}:\n  a\n")),
    file("Makefile", 2_000, lambda n: "a \\\n" * n),
    file("Makefile", 1_000, lambda n: lines(n, "{}: a\n\tb\n")),
    file("Makefile", 2_000, lambda n: "A += $(A)\n" * n),
    file("pyproject.toml", 20_000, lambda n: "a." * n + "a = 1"),
    file("pyproject.toml", 20_000, lambda n: "[" + "a." * n + "a]"),
    file("pyproject.toml", 20_000, lambda n: "a = " + "[" * n),
    file("pyproject.toml", 20_000, lambda n: "a = " + "{a = " * n),
    file("pyproject.toml", 2_000, lambda n: lines(n, "[{}]\na.b.c = 1\n")),
    file("pyproject.toml", 10_000, lambda n: '"""\\' * n),
    file("Cargo.toml", 2_000, lambda n: "[dependencies]\n" + lines(n, "{} = {a = '1'}\n")),
    file("Taskfile.yml", 500, lambda n: "tasks:\n" + lines(n, "  {}: a\n")),
    file("noxfile.py", 500, lambda n: "@nox.session\ndef a(): ...\n" * n),
    file("a.py", 1_000, lambda n: "env" + ".a()" * n),
    file("a.py", 1_000, lambda n: "A = env['A']\n" * n),
    file("a.py", 500, lambda n: "import argparse\n" + "p.add_argument('--a')\n" * n),
    *(
        file("docs/a.md", 2_000, lambda n, piece=piece: "# A\n\n" + piece * n)
        for piece in ("<", "< id", "<h1>", "<h1 ", "{#a", "#a", "![", "{", "# a\n")
    ),
    file("docs/a.md", 4_000, lambda n: "# a" + " " * n + "{"),
    # parsers by tree-sitter; what costs little more than code does is cut short at some 20 kB
    file("a.cs", 8_000, lambda n: "< case" * n),
    file("a.sh", 4_000, lambda n: "A=1\n" * n),
    file("a.java", 4_000, lambda n: "throw => (a)\n" * n),
    *(
        file(path, 800, lambda n, piece=piece: piece * n)
        for path, piece in (
            ("a.rb", "<!--"), ("a.rb", "<`\n"), ("a.rb", "& /a/ %q{ "), ("a.rb", "<<a "),
            ("a.rb", "def a\nend\n"), ("a.sh", "if(a)"), ("a.sh", "$("),
            ("a.sh", "export A\n"), ("a.sh", "<<a "), ("a.js", "a=>"), ("a.js", "a();\n"),
            ("a.js", "a.option('--a')"), ("a.ts", "a<"), ("a.tsx", "*a=>* "), ("a.tsx", "- ;"),
            ("a.tsx", "<a>"), ("a.java", "a<"), ("a.java", "class A {}\n"), ("a.cs", "a<"),
("a.cs", "class A {}\n"), ("a.go", "a["), ("a.go", "func a() {}\n"),
            ("a.rs", "a<"), ("a.rs", "fn a() {}\n"), ("a.rs", "struct A {}\n"),
        )
    ),
)  # fmt: skip
"""Files that claims lead to, in every format that has a reader."""
