"""The README's picture shows what the program prints today. `REGOLD=1` draws it again."""

from __future__ import annotations

import os
import re
from html import escape, unescape

from test_docs import code, example
from worktrees import PROJECT, WorkTree

__all__ = ["example"]

IMAGES = PROJECT / "docs" / "images"
TERMINAL = IMAGES / "terminal.svg"
COLUMNS, LINE, LETTER = 100, 19, 8.4
COLOURS = {"1": "#fff", "2": "#8b949e", "32": "#7ee787", "33": "#e3b341", "1;31": "#ff7b72"}
COMMAND = "grounded-ingest check --staged --offline"


def rows_of(text: str) -> list[list[tuple[str, str]]]:
    """Returns the lines of a terminal as (colour, text), folded at its width."""
    rows: list[list[tuple[str, str]]] = []
    for line in text.splitlines():
        rows.append([])
        left, colour = COLUMNS, ""
        for part in re.split(r"(\033\[[\d;]*m)", line):
            if part.startswith("\033"):
                colour = COLOURS.get(part[2:-1], "")
                continue
            while part:
                if not left:
                    rows.append([])
                    left = COLUMNS
                rows[-1].append((colour, part[:left]))
                part, left = part[left:], left - len(part[:left])
    return rows


def drawn(text: str) -> str:
    """Returns coloured output as SVG; its text is what was printed."""
    rows = [[("#fff", f"$ {COMMAND}")], *rows_of(text)]
    height, width = LINE * (len(rows) + 1), round(LETTER * COLUMNS) + 32
    spans = "\n".join(
        f'<text x="16" y="{LINE * (n + 1)}" xml:space="preserve">'
        + "".join(f'<tspan fill="{c or "#c9d1d9"}">{escape(t)}</tspan>' for c, t in row)
        + "</text>"
        for n, row in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14" role="img">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n{spans}\n</svg>\n'
    )


def printed(example: WorkTree, *flags: str) -> str:
    ran = example.ask("check", "--staged", "--offline", *flags)
    return re.sub(r"(?<=^Why: )\S+", "grounded-ingest", ran.out, flags=re.MULTILINE)


def test_the_terminal(example: WorkTree) -> None:
    svg = drawn(printed(example, "--color", "always"))
    if os.environ.get("REGOLD"):
        TERMINAL.write_text(svg, encoding="utf-8")
    assert TERMINAL.read_text("utf-8") == svg
    shown = "".join(map(unescape, re.findall(r"<tspan[^>]*>([^<]*)", svg)))
    assert shown == f"$ {COMMAND}" + code("docs/commands.md", "text", 1).replace("\n", "")


def test_the_picture_is_small_and_shown() -> None:
    assert TERMINAL.stat().st_size < 200_000
    assert f"](docs/images/{TERMINAL.name})" in (PROJECT / "README.md").read_text("utf-8")
