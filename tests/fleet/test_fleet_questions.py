"""docs/fleet-questions.md: every question and its answer on the example fleet."""

from __future__ import annotations

import json
import os

from click.testing import CliRunner

from grounded_ingest.cli.fleet import command
from grounded_ingest.fleet.tables import TABLES, FleetQuestion, list_runs, read_questions
from tests.fleet.conftest import PROJECT, Example

PAGE = PROJECT / "docs/fleet-questions.md"
GIVEN = {"runtime": "node", "version": "16", "standard": "standards", "since": "RUN"}
HEAD = """\
# Eight questions to a fleet

This page shows the questions in `grounded-ingest fleet query` and their results for an example fleet. The fleet has seven small repositories of three
teams, checked twice, a week apart. A test generates this page from the [SQL](../grounded_ingest/fleet/questions). To run the questions yourself:

    python3 examples/fleet.py example
    grounded-ingest fleet --manifest example/fleet.toml --out example/tables
    python3 examples/fleet.py example --later
    grounded-ingest fleet --manifest example/fleet.toml --out example/tables
    grounded-ingest fleet query --out example/tables disagreements

In the results, `RUN` is the second run and `example` is the directory. The columns for time and memory are left out.
"""


def test_the_page_has_the_answers_of_the_example_fleet(example: Example) -> None:
    """To write it anew: GROUNDED_INGEST_WRITE=1."""
    page = "\n".join([HEAD, *(_section(q, example) for q in read_questions().values())])
    if os.environ.get("GROUNDED_INGEST_WRITE"):
        PAGE.write_text(page, "utf-8")
    assert PAGE.read_text("utf-8") == page


def test_every_table_and_column_is_described() -> None:
    """To write docs/fleet-tables.json anew: GROUNDED_INGEST_WRITE=1."""
    described = {
        name: {c.name: f"{c.type}: {c.meaning}" for c in columns if c.name != "run"}
        for name, columns in TABLES.items()
    }
    if os.environ.get("GROUNDED_INGEST_WRITE"):
        text = json.dumps(described, indent=1, ensure_ascii=False)
        (PROJECT / "docs/fleet-tables.json").write_text(text + "\n", "utf-8")
    assert json.loads((PROJECT / "docs/fleet-tables.json").read_text("utf-8")) == described
    page = (PROJECT / "docs/fleet.md").read_text("utf-8")
    assert [q.name for q in read_questions().values() if f"`{q.name}`" not in page] == []


def _section(question: FleetQuestion, example: Example) -> str:
    set_to = [f"{name}={GIVEN[name]}" for name in question.parameters]
    shown = "".join(f" --set {value}" for value in set_to)
    command = f"    grounded-ingest fleet query --out example/tables {question.name}{shown}\n\n"
    return (
        f"## {question.name}\n\n{question.asks}\n\n{command if set_to else ''}"
        f"```text\n{_answer(question.name, set_to, example)}```\n"
    )


def _answer(name: str, set_to: list[str], example: Example) -> str:
    """As the command prints it, without what is another one on each machine."""
    run = list_runs(str(example.out))[-1]
    given = [part for value in set_to for part in ("--set", value.replace("RUN", run))]
    done = CliRunner().invoke(command, ["query", "--out", str(example.out), name, *given])
    assert done.exit_code == 0, done.output
    rows = done.stdout.replace(str(example.base), "example").splitlines()
    if "  seconds  peak_mb" in rows[0]:
        rows = [row.rsplit(maxsplit=2)[0].rstrip() for row in rows]
    return "".join(f"{row}\n" for row in rows)
