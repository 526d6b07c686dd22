"""docs/messages.md holds what is printed for the examples of every rule, each line once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from examplerepo import Yard

from grounded_ingest.rules.problems import EVERY_RULE, EXAMPLES

PAGE = Path(__file__).parents[2] / "docs/messages.md"
SIGNALS = {
    "wrong": "Something is wrong",
    "doubt": "Something may be wrong",
    "note": "Said about the run",
}
HEAD = """# Messages

What `check` prints, a line for each finding after its place: rule, what is wrong, the way out. Listed are the lines
that the rules' own examples bring about (`grounded-ingest rule NAME` shows those), in the order in which findings
are printed. Rules that only approve, or that nobody can act on, print nothing. `tests/rules/test_messages.py`
compares this page with the program.
"""


def lines(yard: Yard) -> Iterator[str]:
    """The page, derived."""
    yield HEAD
    for signal, title in SIGNALS.items():
        yield f"## {title}\n"
        for rule, meta in EVERY_RULE.items():
            if meta.signal == signal:
                yield f"### {rule}\n"
                yield from (f"    {said}" for said in _said(yard, rule))
                yield ""


def _said(yard: Yard, rule: str) -> list[str]:
    """The lines of a rule, of those that differ by their quoted words alone the first."""
    found: dict[str, str] = {}
    for group in EXAMPLES[rule]:
        for example in group.flags:
            for name, said in yard.show(example).said:
                if name == rule:
                    found.setdefault(re.sub("^“[^”]*”", "", said), said)
    return list(found.values())


def test_the_page_lists_what_is_printed(tmp_path: Path) -> None:
    text = "\n".join(lines(Yard(tmp_path)))
    if os.environ.get("REGOLD"):
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text


def test_a_message_is_one_line_that_says_what_to_do() -> None:
    for rule in EVERY_RULE.values():
        assert "\n" not in rule.way_out
        assert rule.way_out.endswith(".")
        assert rule.way_out.count(". ") == 0, f"{rule.id}: one sentence"
