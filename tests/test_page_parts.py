"""Parts of pages that the program knows are written by the program. `REGOLD=1` writes them anew.

A part stands between `<!-- made: NAME -->` and `<!-- end -->`; `PARTS` says what makes it.
"""

from __future__ import annotations

import enum
import json
import os
import re
import textwrap
import typing
from collections.abc import Callable, Iterator

import click
import pytest
from test_docs import PROJECT

from grounded_ingest.agents.registry import AGENTS
from grounded_ingest.cli.group import COMMANDS, cli
from grounded_ingest.config.settings import Config
from grounded_ingest.model.claims import Decision, Validation
from grounded_ingest.model.report import Report
from grounded_ingest.report.formats import FORMATS
from grounded_ingest.retrieval.answer import Answer
from grounded_ingest.review.desk import ReviewOutcome
from grounded_ingest.rules.registry import EVERY_RULE, ROWS
from grounded_ingest.verify.result import Memory, Verification
from grounded_ingest.verify.text_judge import TextJudgement

PART = re.compile(r"<!-- made: ([\w ]+) -->\n(.*?)<!-- end -->", re.DOTALL)
DEFAULTS = Config()
TIERS = {1: "approve", 2: "review", 3: "block"}


def command(path: str) -> click.Command:
    """The command of a path such as `fleet query`."""
    found: click.Command = cli
    for name in path.split():
        assert isinstance(found, click.Group)
        below = found.get_command(click.Context(found), name)
        assert below is not None, path
        found = below
    return found


def table(head: str, rows: Iterator[str]) -> str:
    return "\n".join([f"| {head} |", "|" + "---|" * (head.count(" | ") + 1), *rows])


def spelling(option: click.Option) -> str:
    """The names of an option with what stands behind them, as code in a cell of a table."""
    kind = option.type
    choices = r"\|".join(kind.choices) if isinstance(kind, click.Choice) else ""
    value = option.metavar or choices or kind.name
    bare = option.is_flag or option.count
    names = [*option.opts, *option.secondary_opts]
    return ", ".join(f"`{name}`" if bare else f"`{name} {value}`" for name in names)


def own_options(path: str) -> list[click.Option]:
    return [p for p in command(path).params if isinstance(p, click.Option) and not p.hidden]


def options_below(path: str) -> list[click.Option]:
    """The options of a group and its commands, each name once."""
    group = command(path)
    assert isinstance(group, click.Group)
    found = [
        *own_options(path),
        *(p for name in group.commands for p in own_options(f"{path} {name}")),
    ]
    return list({p.name: p for p in reversed(found)}.values())[::-1]


def options(found: list[click.Option], known: dict[str, str | None]) -> str:
    """A row for each option. Those that `check` has in the same words, `known`, share one row."""
    shared = [p for p in found if p.name in known and known[p.name] == p.help]
    rows = [f"| {spelling(p)} | {p.help} |" for p in found if p not in shared]
    if shared:
        names = ", ".join(f"`{name}`" for p in shared for name in (*p.opts, *p.secondary_opts))
        rows.append(f"| {names} | as for `check` |")
    return table("option | meaning", iter(rows))


def commands() -> str:
    width = max(map(len, COMMANDS))
    lines = (f"grounded-ingest {name:{width}}  {text}" for name, text in COMMANDS.items())
    return "```text\n" + "\n".join(lines) + "\n```"


def globs(values: tuple[str, ...]) -> str:
    return "```text\n" + "\n".join(f"- {value}" for value in values) + "\n```"


def policy() -> str:
    movable = [(row, EVERY_RULE[row]) for row in ROWS if not EVERY_RULE[row].fixed]
    rows = (
        f"| [`{row}`](rules/{row}.md) | {TIERS[rule.tier]} |"
        f" {', '.join(f'`{a}`' for a in rule.actions if a != TIERS[rule.tier])} |"
        for row, rule in movable
    )
    return table("rule | default | may become", rows)


RESULTS = (Report, Validation, Memory, Verification, TextJudgement, Answer, ReviewOutcome)
"""What the functions of the Python API return, and what `ground` takes."""


def types_below(kind: typing.Any, found: dict[str, type]) -> dict[str, type]:
    """Adds the types of this package that are reached from a type by attributes."""
    for part in typing.get_args(kind):
        types_below(part, found)
    ours = isinstance(kind, type) and kind.__module__.startswith("grounded_ingest")
    if ours and kind.__name__ not in found:
        found[kind.__name__] = kind
        for hint in () if issubclass(kind, enum.Enum) else typing.get_type_hints(kind).values():
            types_below(hint, found)
    return found


def attribute(name: str, hint: typing.Any) -> str:
    """An attribute with the types of this package or the words that it can have."""
    parts = typing.get_args(hint)
    choices = [str(p) or "''" for p in parts] if typing.get_origin(hint) is typing.Literal else []
    named = [p.__name__ for p in (hint, *parts) if isinstance(p, type) and types_below(p, {})]
    ending = "|".join(choices) or "|".join(dict.fromkeys(named))
    return f"{name}: {ending}" if ending else name


def attributes() -> str:
    found: dict[str, type] = {}
    for result in RESULTS:
        types_below(result, found)
    rows = []
    for name, kind in found.items():
        hints = typing.get_type_hints(kind)
        if issubclass(kind, enum.Enum):
            parts = [str(member) for member in kind]
        else:
            above = ["all of Decision"] if issubclass(kind.__bases__[0], Decision) else []
            computed = [n for n, v in vars(kind).items() if isinstance(v, property)]
            fields = [attribute(field, hints[field]) for field in kind.__annotations__]
            parts = [*above, *fields, *computed]
        rows += textwrap.wrap(f"{name}: {', '.join(parts)}", 100, subsequent_indent="    ")
    return "```text\n" + "\n".join(rows) + "\n```"


def worked_examples() -> str:
    """The examples of tests/test_tiers.py, one row for all that the three columns decide alike. Of
    those that no column decides in another way, two stand for all."""
    lines = (PROJECT / "tests/data/tiers.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    found: dict[tuple[str, ...], list[str]] = {}
    for case in cases:
        again = sum(other["claim"] == case["claim"] for other in cases) > 1
        note = f" ({case['note']})" if again and len(case.get("note", "")) > len("the same") else ""
        columns = (case["first"], (case["tier"], case["rule"]), case["existence"])
        decided = tuple(f"{tier} `{rule}`" for tier, rule in columns)
        found.setdefault(decided, []).append(f"`{case['claim']}`{note}")
    rows = []
    for decided, claims in found.items():
        most = 2 if len(set(decided)) == 1 else len(claims)
        more = [f"and {len(claims) - most} more"] if len(claims) > most else []
        rows.append(f"| {'<br>'.join(claims[:most] + more)} | {' | '.join(decided)} |")
    return table("examples | first | default | `existence`", iter(rows))


PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "memory": lambda: globs(DEFAULTS.classes.memory),
    "docs": lambda: globs(DEFAULTS.classes.docs),
    "exclude": lambda: globs(DEFAULTS.exclude),
    "adr dirs": lambda: globs(DEFAULTS.adr_dirs),
    "policy": policy,
    "attributes": attributes,
    "worked examples": worked_examples,
}
PAGES = ("docs/commands.md", "docs/configuration.md", "docs/python.md", "docs/systems.md")


def made(part: str) -> str:
    if part in PARTS:
        return PARTS[part]()
    below = part.startswith("options below ")
    path = part.removeprefix("options below ").removeprefix("options of ")
    known = {} if path == "check" else {str(p.name): p.help for p in own_options("check")}
    return options(options_below(path) if below else own_options(path), known)


@pytest.mark.parametrize("page", PAGES)
def test_parts_say_what_the_program_says(page: str) -> None:
    file = PROJECT / page
    text = file.read_text("utf-8")
    fresh = PART.sub(lambda m: f"<!-- made: {m[1]} -->\n\n{made(m[1])}\n\n<!-- end -->", text)
    if os.environ.get("REGOLD"):
        file.write_text(fresh, "utf-8")
    assert text == fresh or os.environ.get("REGOLD")
    assert text.count("<!-- made: ") == text.count("<!-- end -->") == len(PART.findall(text))


def test_no_part_is_left_out() -> None:
    text = "".join((PROJECT / page).read_text("utf-8") for page in PAGES)
    found = {name for name, _ in PART.findall(text)}
    with_options = {name for name in COMMANDS if own_options(name)}
    assert set(PARTS) <= found
    assert with_options <= {
        name.rpartition(" ")[2] for name in found if name.startswith("options ")
    }


def test_every_agent_has_its_row() -> None:
    page = (PROJECT / "docs/agents.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set(AGENTS)


def test_every_format_has_its_row() -> None:
    page = (PROJECT / "docs/formats.md").read_text("utf-8")
    head = page.partition("| format | read by |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z]+)`", head)) == set(FORMATS)


def test_defaults_on_the_page_are_those_of_the_program() -> None:
    """Numbers, switches and names of choices; a default that is detected or unset is said in words."""
    text = (PROJECT / "docs/configuration.md").read_text("utf-8")
    page = text.partition("\n## Which files are documents\n")[2]
    rows = re.findall(r"^\| `([a-z_.]+)` \| `?([\w.]+)`? \|", page, re.MULTILINE)
    compared = 0
    for key, written in rows:
        value: object = DEFAULTS
        for name in key.split("."):
            value = getattr(value, name, None)
        if written not in ("none", "detected", "unset", "those") and value is not None:
            assert str(value).lower().removesuffix(".0") == written.lower(), key
            compared += 1
    assert compared > 15


@pytest.mark.parametrize(
    "kind",
    [Report, Decision, Validation, Verification, TextJudgement, Answer, ReviewOutcome],
    ids=lambda kind: kind.__name__,
)
def test_attributes_on_the_python_page_exist(kind: type) -> None:
    page = (PROJECT / "docs/python.md").read_text("utf-8")
    (cell,) = re.findall(rf"^\| `{kind.__name__}` \|.*\| (.+) \|$", page, re.MULTILINE)
    named = re.findall(r"`(\w+)`:", cell)
    assert named
    assert [name for name in named if not hasattr(kind, name)] == []
