"""Questions over the tables of a fleet, in SQL that reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.run_tables import RunTables, all_rows, runs_of
from grounded_ingest.fleet.tables import TABLES, Database, connected, sql_name, sql_string


class FleetQuestion(NamedTuple):
    """A question that comes with the program. `parameters` are what it is asked about."""

    name: str
    asks: str
    sql: str
    parameters: tuple[str, ...]


class QueryAnswer(NamedTuple):
    """Rows under the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def questions() -> dict[str, FleetQuestion]:
    """The questions by their names."""
    found = {}
    for file in sorted(files(__package__).joinpath("questions").iterdir(), key=lambda f: f.name):
        name, _, kind = file.name.partition(".")
        if kind == "sql":
            first, _, sql = file.read_text(encoding="utf-8").partition("\n")
            parameters = tuple(dict.fromkeys(re.findall(r"\$(\w+)", sql)))
            found[name] = FleetQuestion(name, first.removeprefix("-- "), sql, parameters)
    return found


class FleetTables(NamedTuple):
    """The tables of a run, opened for questions. `runs` are the finished ones, the oldest first."""

    run: str
    runs: tuple[str, ...]
    database: Database

    def answer(self, sql: str, given: Mapping[str, str] | None = None) -> QueryAnswer:
        """The answer of one SELECT. Raises GroundedIngestError."""
        import duckdb

        try:
            _only_reads(self.database.extract_statements(sql))
            found = self.database.execute(sql, dict(given) if given else None)
            columns = tuple(column[0] for column in found.description)
            return QueryAnswer(columns, tuple(found.fetchall()))
        except duckdb.Error as error:
            raise GroundedIngestError(f"the query fails: {str(error).strip()}") from None


@contextmanager
def opened_tables(out: str, run: str = "") -> Iterator[FleetTables]:
    """The tables of a run, the last one if not said: a view for each with the run's rows, and
    `every_TABLE` with those of all runs; nothing else can be read. Raises GroundedIngestError."""
    runs = runs_of(out)
    if not runs:
        raise GroundedIngestError(f"{out}: no finished run in it", "run: grounded-ingest fleet")
    if run and run not in runs:
        raise GroundedIngestError(f"no run {run}", f"runs: {', '.join(runs)}")
    tables = RunTables(out, run or runs[-1])
    with connected() as database:
        for table in TABLES:
            for name, rows in (
                (table, tables.rows(table)),
                (f"every_{table}", all_rows(out, table)),
            ):
                database.execute(f"CREATE VIEW {sql_name(name)} AS {rows}")
        database.execute(f"SET allowed_directories = [{sql_string(out)}]")
        database.execute("SET enable_external_access = false")
        database.execute("SET lock_configuration = true")
        yield FleetTables(tables.run, tuple(runs), database)


def answer_query(out: str, sql: str, given: Mapping[str, str], run: str = "") -> QueryAnswer:
    """The answer of a query over the run (`opened_tables`); it writes nothing. Raises
    GroundedIngestError."""
    with opened_tables(out, run) as tables:
        return tables.answer(sql, given)


def _only_reads(statements: list[Any]) -> None:
    import duckdb

    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise GroundedIngestError("a query is one SELECT", "it reads tables, and changes nothing")
