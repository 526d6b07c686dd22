"""Defines the tables with the results of a fleet (docs/fleet.md), and runs SQL queries over them.

A survey is a directory with the results for one repository at one commit. The directory has one
JSON Lines file for each table in `SURVEYED`. A run is a directory with the table `repositories`,
which names the survey of each repository. Runs share the survey of a repository that did not
change. DuckDB reads the files directly, and `views.sql` defines views that join them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.version import install_command

if TYPE_CHECKING:
    import duckdb

LARGEST_ROW = 4 << 20
"""Maximum size in bytes of one row as JSON. DuckDB reserves twice this size to read a file."""


class Column(NamedTuple):
    """A column of a table. `type` is the DuckDB type, `meaning` is the description in
    docs/fleet-tables.json."""

    name: str
    type: str
    meaning: str


_OF_REPOSITORY = (
    Column("run", "VARCHAR", "start of the run in UTC: `20261123T120000Z`"),
    Column("repository", "VARCHAR", "name in the manifest, unique in a fleet"),
    Column("commit", "VARCHAR", "checked commit; empty if the repository has no commits"),
)
_OF_CLAIM = (
    Column("claim", "VARCHAR", "id of the claim, unique in a fleet"),
    Column("path", "VARCHAR", "path of the document, from the root of its repository"),
    Column("line", "INTEGER", "first line of the claim, counted from 1"),
)
_PATH = _OF_CLAIM[1]

SURVEYED: Mapping[str, tuple[Column, ...]] = {
    "documents": (
        _PATH,
        Column("class", "VARCHAR", "`memory`, `docs` or `decisions`"),
        Column("blob", "VARCHAR", "git object id of the document's content"),
        Column("owners", "VARCHAR[]", "owners of the document in the repository's CODEOWNERS"),
        Column("claims", "INTEGER", "number of claims in the document"),
        Column("checkable", "INTEGER", "number of claims that can be checked"),
        Column("grounded", "INTEGER", "number of claims with tier 1"),
    ),
    "claims": (
        *_OF_CLAIM,
        Column("class", "VARCHAR", "class of the document"),
        Column("section", "VARCHAR", "headings above the claim, the outermost first"),
        Column("text", "VARCHAR", "sentence, list item or table row of the claim"),
        Column("said", "BIGINT", "hash of the claim's words; 0 if the claim was not compared"),
        Column("kind", "VARCHAR", "`fact`, `decision` or `preference`"),
        Column("memory_type", "VARCHAR", "`semantic`, `episodic`, `procedural`, `unknown`"),
        Column("form", "VARCHAR", "`prose`, `row`, `record`, …"),
    ),
    "decisions": (
        *_OF_CLAIM,
        Column("tier", "INTEGER", "1 approve, 2 review, 3 block"),
        Column("rule", "VARCHAR", "rule that decided"),
        Column("reason", "VARCHAR", "reason of the decision"),
        Column("checkable", "BOOLEAN", "whether the claim can be checked"),
        Column("source", "VARCHAR", "who wrote the claim: `user`, `ai_synthesis`, …"),
        Column("operation", "VARCHAR", "`ADD`, `UPDATE` or `SKIP`"),
    ),
    "evidence": (
        *_OF_CLAIM,
        Column("kind", "VARCHAR", "`path`, `commit`, `symbol`, …"),
        Column("target", "VARCHAR", "cited target in its normal form"),
        Column("verdict", "VARCHAR", "`confirmed`, `refuted` or `unknown`"),
        Column("reason", "VARCHAR", "why the target is not confirmed"),
    ),
    "findings": (
        *_OF_CLAIM,
        Column("rule", "VARCHAR", "rule that reported the finding"),
        Column("message", "VARCHAR", "what is wrong"),
        Column("words", "VARCHAR", "words of the claim that the rule matched"),
        Column("severity", "VARCHAR", "`error`, `warning` or `note`"),
    ),
    "references": (
        *_OF_CLAIM,
        Column("kind", "VARCHAR", "kind of reference"),
        Column("subject", "VARCHAR", "name to which the value belongs, such as a runtime"),
        Column("value", "VARCHAR", "value as written"),
    ),
}  # fmt: skip
"""The tables in a survey."""

WRITTEN: Mapping[str, tuple[Column, ...]] = {
    "repositories": (
        *_OF_REPOSITORY,
        Column("origin", "VARCHAR", "`host/owner/name` of the remote, lower case; may be empty"),
        Column("owner", "VARCHAR", "owner from the manifest, else from `origin`"),
        Column("place", "VARCHAR", "directory or URL of the repository"),
        Column("committed_at", "VARCHAR", "time of the commit, ISO 8601 in UTC"),
        Column("state", "VARCHAR", "`ok`, `empty`; failures: `clone`, `time`, `memory`, `error`"),
        Column("reason", "VARCHAR", "why the check failed"),
        Column("survey", "VARCHAR", "directory below `OUT/surveys`; empty if the check failed"),
        Column("seconds", "DOUBLE", "elapsed time in seconds"),
        Column("peak_mb", "DOUBLE", "peak memory of the process in megabytes"),
        Column("disk_mb", "DOUBLE", "size of the clone in megabytes; 0 for a local directory"),
        Column("documents", "INTEGER", "number of documents"),
        Column("claims", "INTEGER", "number of claims"),
        Column("checkable", "INTEGER", "number of claims that can be checked"),
        Column("grounded", "INTEGER", "number of claims with tier 1"),
        Column("blocked", "INTEGER", "number of claims with tier 3"),
        Column("wrong", "INTEGER", "number of findings with severity `error`"),
    ),
}  # fmt: skip
"""The tables in a run. Each table is one file."""

JOINED: Mapping[str, tuple[Column, ...]] = {
    "repetitions": (
        Column("said", "BIGINT", "hash of the repeated text, as in the column `said` of `claims`"),
        Column("text", "VARCHAR", "the text of one of the claims"),
        Column("claims", "INTEGER", "number of claims with the repeated text"),
        Column("repositories", "INTEGER", "number of repositories with the text, at least 2"),
        Column("named", "VARCHAR[]", "the first twenty repositories with the text"),
        Column("place", "VARCHAR", "`repository:path` of one of the claims"),
    ),
}  # fmt: skip
"""The views that `views.sql` defines over all repositories in a run."""

TABLES: Mapping[str, tuple[Column, ...]] = {
    "repositories": WRITTEN["repositories"],
    **{name: (*_OF_REPOSITORY, *columns) for name, columns in SURVEYED.items()},
    **JOINED,
}


class FleetQuestion(NamedTuple):
    """A query that comes with the program. `asks` describes the query in words. `parameters` lists
    the names whose values the option `--set` gives."""

    name: str
    asks: str
    sql: str
    parameters: tuple[str, ...]


class QueryAnswer(NamedTuple):
    """The result of a query: rows, and the names of the columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def as_dicts(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def read_questions() -> dict[str, FleetQuestion]:
    """Returns the queries in the directory `questions/`, by name."""
    found = {}
    for file in sorted(files(__package__).joinpath("questions").iterdir(), key=lambda f: f.name):
        name, _, suffix = file.name.partition(".")
        if suffix == "sql":
            first, _, sql = file.read_text(encoding="utf-8").partition("\n")
            parameters = tuple(dict.fromkeys(re.findall(r"\$(\w+)", sql)))
            found[name] = FleetQuestion(name, first.removeprefix("-- "), sql, parameters)
    return found


def list_runs(out: str) -> list[str]:
    """Returns the names of the finished runs in the directory `out`, oldest first."""
    try:
        return sorted(n for n in os.listdir(f"{out}/runs") if not n.startswith("."))
    except FileNotFoundError:
        return []


@contextmanager
def _named_errors(where: str) -> Iterator[None]:
    import duckdb  # needs the extra `fleet`

    try:
        yield
    except duckdb.Error as error:
        raise GroundedIngestError(f"{where}: {str(error).strip()}") from None


def _create_views(
    database: duckdb.DuckDBPyConnection,
    out: str,
    runs: Sequence[str],
    run: str,
) -> None:
    for table, columns in WRITTEN.items():
        rows = _read_json([f"{out}/runs/{r}/{table}.jsonl" for r in runs], columns)
        database.execute(
            f"CREATE VIEW {_name(f'every_{table}')} AS SELECT * EXCLUDE (filename) FROM {rows}"
        )
        of_run = f"SELECT * FROM {_name(f'every_{table}')} WHERE run = {_string(run)}"
        database.execute(f"CREATE VIEW {_name(table)} AS {of_run}")
    for prefix in ("", "every_"):
        surveys = database.execute(
            f"SELECT DISTINCT survey FROM {prefix}repositories WHERE survey <> '' ORDER BY ALL"
        ).fetchall()
        for table, columns in SURVEYED.items():
            rows = _read_json([f"{out}/surveys/{s}/{table}.jsonl" for (s,) in surveys], columns)
            database.execute(
                f"CREATE VIEW {_name(prefix + table)} AS"
                " SELECT r.run, r.repository, r.commit, t.* EXCLUDE (filename)"
                f" FROM {rows} t JOIN {prefix}repositories r"
                " ON r.survey = regexp_extract(t.filename, '([0-9a-f]+)/[a-z]+[.]jsonl$', 1)"
            )
    database.execute(files(__package__).joinpath("views.sql").read_text(encoding="utf-8"))
    database.execute(f"SET allowed_directories = [{_string(out)}]")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def answer_query(out: str, sql: str, given: Mapping[str, str], run: str = "") -> QueryAnswer:
    """Returns the result of one SELECT statement over the tables of a run, by default the newest.

    Each table is a view with the rows of the run. The view `every_TABLE` has the rows of all runs.
    Queries cannot read files outside `out`. Raises GroundedIngestError if there is no such run, or
    if the query fails or is another kind of statement.
    """
    runs = list_runs(out)
    if not runs:
        raise GroundedIngestError(
            f"{out}: the directory has no finished run", "run `grounded-ingest fleet` first"
        )
    if run and run not in runs:
        raise GroundedIngestError(
            f"there is no run {run}", f"use one of the runs {', '.join(runs)}"
        )
    with _connect_database() as database:
        with _named_errors(out):
            _create_views(database, out, runs, run or runs[-1])
        with _named_errors("the query fails"):
            statements = database.extract_statements(sql)
            if len(statements) != 1 or statements[0].type.name != "SELECT":
                raise GroundedIngestError(
                    "the query is not a single SELECT statement", "write exactly one SELECT"
                )
            found = database.execute(sql, dict(given) if given else None)
            columns = tuple(column[0] for column in found.description)
            return QueryAnswer(columns, tuple(found.fetchall()))


def _connect_database() -> duckdb.DuckDBPyConnection:
    """Returns a DuckDB database in memory, which never downloads extensions.

    Raises GroundedIngestError if the extra `fleet` is not installed.
    """
    try:
        import duckdb  # needs the extra `fleet`
    except ModuleNotFoundError:
        raise GroundedIngestError(
            "`fleet query` needs the package duckdb",
            f"install it: {install_command('fleet')}",
        ) from None
    return duckdb.connect(config={"threads": 1, "autoinstall_known_extensions": False})


def _read_json(paths: Sequence[str], columns: Sequence[Column]) -> str:
    """Returns the SQL expression that reads rows from JSON Lines files. The column `filename`
    contains the path of the file."""
    types = ", ".join(f"{_name(c.name)}: {_string(c.type)}" for c in columns)
    if not paths:
        nulls = ", ".join(f"NULL::{c.type} AS {_name(c.name)}" for c in columns)
        return f"(SELECT {nulls}, '' AS filename WHERE false)"
    return (
        f"read_json([{', '.join(map(_string, paths))}], format = 'newline_delimited',"
        f" columns = {{{types}}}, maximum_object_size = {LARGEST_ROW}, filename = true)"
    )


def _string(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _name(name: str) -> str:
    return f'"{name}"'
