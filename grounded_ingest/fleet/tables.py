"""The tables of a fleet (docs/fleet.md), and SQL over them.

A survey is a directory with one JSON Lines file for each table of `SURVEYED`: what the check of one
repository at one commit found. A run is a directory with the rows of `repositories`, each naming
its survey. Two runs share the survey of a repository that has not changed. DuckDB reads the files
as they are, and `views.sql` joins them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from grounded_ingest.errors import GroundedIngestError

if TYPE_CHECKING:
    import duckdb

LARGEST_ROW = 4 << 20
"""Bytes of one row as JSON. DuckDB reserves twice as much to read a file."""


class Column(NamedTuple):
    """A column: its name, its type in DuckDB, and its meaning for docs/fleet.md."""

    name: str
    type: str
    meaning: str


_OF_REPOSITORY = (
    Column("run", "VARCHAR", "start of the run in UTC: `20261123T120000Z`"),
    Column("repository", "VARCHAR", "name in the manifest, unique in a fleet"),
    Column("commit", "VARCHAR", "commit that was checked; empty if there is none"),
)
_OF_CLAIM = (
    Column("claim", "VARCHAR", "id of the claim, unique in a fleet"),
    Column("path", "VARCHAR", "document, from the root of its repository"),
    Column("line", "INTEGER", "first line, from 1"),
)
_PATH = _OF_CLAIM[1]

SURVEYED: Mapping[str, tuple[Column, ...]] = {
    "documents": (
        _PATH,
        Column("class", "VARCHAR", "`memory`, `docs` or `decisions`"),
        Column("blob", "VARCHAR", "git's id of its content"),
        Column("owners", "VARCHAR[]", "by the repository's CODEOWNERS, as written"),
        Column("claims", "INTEGER", "claims in it"),
        Column("checkable", "INTEGER", "claims that can be checked"),
        Column("grounded", "INTEGER", "claims of tier 1"),
    ),
    "claims": (
        *_OF_CLAIM,
        Column("class", "VARCHAR", "class of its document"),
        Column("section", "VARCHAR", "headings above it, the outermost first"),
        Column("text", "VARCHAR", "its sentence, item or row"),
        Column("said", "BIGINT", "equal for equal sets of words; 0 if too short or too long"),
        Column("kind", "VARCHAR", "`fact`, `decision` or `preference`"),
        Column("memory_type", "VARCHAR", "`semantic`, `episodic`, `procedural`, `unknown`"),
        Column("form", "VARCHAR", "`prose`, `row`, `record`, …"),
    ),
    "decisions": (
        *_OF_CLAIM,
        Column("tier", "INTEGER", "1 approve, 2 review, 3 block"),
        Column("rule", "VARCHAR", "rule that decided"),
        Column("reason", "VARCHAR", "reason of the decision"),
        Column("checkable", "BOOLEAN", "whether it states something that can be checked"),
        Column("source", "VARCHAR", "who said it: `user`, `ai_synthesis`, …"),
        Column("operation", "VARCHAR", "`ADD`, `UPDATE` or `SKIP`"),
    ),
    "evidence": (
        *_OF_CLAIM,
        Column("kind", "VARCHAR", "`path`, `commit`, `symbol`, …"),
        Column("target", "VARCHAR", "the reference, normalised"),
        Column("verdict", "VARCHAR", "`confirmed`, `refuted` or `unknown`"),
        Column("reason", "VARCHAR", "why it is not confirmed"),
    ),
    "findings": (
        *_OF_CLAIM,
        Column("rule", "VARCHAR", "rule that found it"),
        Column("message", "VARCHAR", "what is wrong"),
        Column("words", "VARCHAR", "words of the claim that the rule matched"),
        Column("severity", "VARCHAR", "`error`, `warning` or `note`"),
    ),
    "references": (
        *_OF_CLAIM,
        Column("kind", "VARCHAR", "`fact` for a value it states; else the kind of reference"),
        Column("subject", "VARCHAR", "thing it speaks of; empty for the repository itself"),
        Column("slot", "VARCHAR", "property: `runtime version`, `port`, …"),
        Column("value", "VARCHAR", "value as written"),
        Column("normal", "VARCHAR", "normal form, equal for equal values"),
        Column("polarity", "BOOLEAN", "false if it is denied or forbidden"),
        Column("many", "BOOLEAN", "whether several values can hold at once"),
        Column("about", "BIGINT", "equal for values of the same property of the same thing"),
    ),
    "elsewhere": (
        *_OF_CLAIM,
        Column("origin", "VARCHAR", "the other repository: `host/owner/name`, lower case"),
        Column("cited", "VARCHAR", "citation as written"),
        Column("kind", "VARCHAR", "`path`, `symbol`, `adr` or `commit`"),
        Column("target", "VARCHAR", "path, name, number or commit there"),
        Column("first", "INTEGER", "first line cited; 0 for none"),
        Column("last", "INTEGER", "last line cited; 0 for none"),
        Column("at", "VARCHAR", "branch or commit it names; empty for none"),
    ),
    "versions": (
        _PATH,
        Column("position", "INTEGER", "0 for the newest text, 1 for the one before, …"),
        Column("blob", "VARCHAR", "git's id of that text"),
        Column("written_at", "VARCHAR", "time of the commit that wrote it, ISO 8601 in UTC"),
        Column("by", "VARCHAR", "that commit"),
    ),
}  # fmt: skip
"""Tables of a survey."""

WRITTEN: Mapping[str, tuple[Column, ...]] = {
    "repositories": (
        *_OF_REPOSITORY,
        Column("origin", "VARCHAR", "`host/owner/name` of its remote, lower case; may be empty"),
        Column("owner", "VARCHAR", "owner by the manifest, else by `origin`"),
        Column("place", "VARCHAR", "directory or URL it was read from"),
        Column("committed_at", "VARCHAR", "time of the commit, ISO 8601 in UTC"),
        Column("state", "VARCHAR", "`ok`, `empty`; failures: `clone`, `time`, `memory`, `error`"),
        Column("reason", "VARCHAR", "reason of a failure"),
        Column("survey", "VARCHAR", "its directory below `OUT/surveys`; empty if not read"),
        Column("seconds", "DOUBLE", "time by the clock"),
        Column("peak_mb", "DOUBLE", "most memory its process held"),
        Column("disk_mb", "DOUBLE", "size of its clone in the cache; 0 for a directory"),
        Column("documents", "INTEGER", "documents read"),
        Column("claims", "INTEGER", "claims in them"),
        Column("checkable", "INTEGER", "claims that can be checked"),
        Column("grounded", "INTEGER", "claims of tier 1"),
        Column("blocked", "INTEGER", "claims of tier 3"),
        Column("wrong", "INTEGER", "findings of severity `error`"),
    ),
    "elsewhere_verdicts": (
        *_OF_REPOSITORY,
        *SURVEYED["elsewhere"][:-3],
        Column("verdict", "VARCHAR", "`confirmed`, `refuted` or `unknown`"),
        Column("reason", "VARCHAR", "why it is not confirmed"),
        Column("there", "VARCHAR", "name of that repository in the fleet; empty if in none"),
        Column("there_commit", "VARCHAR", "commit that was asked"),
    ),
}  # fmt: skip
"""Tables of a run, a file each."""

JOINED: Mapping[str, tuple[Column, ...]] = {
    "repetitions": (
        Column("said", "BIGINT", "the text: `claims.said`"),
        Column("text", "VARCHAR", "one of its wordings"),
        Column("claims", "INTEGER", "claims of these words"),
        Column("repositories", "INTEGER", "repositories that have one, at least two"),
        Column("named", "VARCHAR[]", "the first twenty of them"),
        Column("place", "VARCHAR", "`repository:path` of one of them"),
    ),
    "contradictions": (
        Column("about", "BIGINT", "the property: `references.about`"),
        Column("slot", "VARCHAR", "property: `runtime version`, `port`, …"),
        Column("subject", "VARCHAR", "thing; empty for a repository itself"),
        Column("shared", "BOOLEAN", "whether the thing is named after a repository of the fleet"),
        Column("value", "VARCHAR", "value that excludes another one"),
        Column("normal", "VARCHAR", "its normal form"),
        Column("polarity", "BOOLEAN", "false if it is denied or forbidden"),
        Column("claims", "INTEGER", "claims that state it"),
        Column("repositories", "INTEGER", "repositories that state it"),
        Column("repository", "VARCHAR", "one of them"),
        Column("path", "VARCHAR", "document of a claim that states it"),
        Column("line", "INTEGER", "line of that claim"),
    ),
    "drift": (
        Column("ancestor", "VARCHAR", "blob of the newest text that another repository has or had"),
        Column("repository", "VARCHAR", "name in the manifest, unique in a fleet"),
        _PATH,
        Column("blob", "VARCHAR", "git's id of that text"),
        Column("side", "VARCHAR", "`stayed` if the file is that text still, else `moved`"),
        Column("versions_since", "INTEGER", "versions since then"),
        Column("moved_at", "VARCHAR", "time of the first version after it, ISO 8601 in UTC"),
        Column("files", "INTEGER", "files that are, or were, that text"),
        Column("moved", "INTEGER", "how many of these have another text now"),
    ),
}  # fmt: skip
"""Views of `views.sql`, over all repositories of a run."""

TABLES: Mapping[str, tuple[Column, ...]] = {
    "repositories": WRITTEN["repositories"],
    **{name: (*_OF_REPOSITORY, *columns) for name, columns in SURVEYED.items()},
    **JOINED,
    "elsewhere_verdicts": WRITTEN["elsewhere_verdicts"],
}


class FleetQuestion(NamedTuple):
    """A question that comes with the program. `parameters` are the names that `--set` gives."""

    name: str
    asks: str
    sql: str
    parameters: tuple[str, ...]


class QueryAnswer(NamedTuple):
    """Rows, and the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def as_dicts(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class FleetTables(NamedTuple):
    """The tables of one run, opened for questions. `runs` are all finished runs, oldest first."""

    run: str
    runs: tuple[str, ...]
    database: duckdb.DuckDBPyConnection

    def answer(self, sql: str, given: Mapping[str, str] | None = None) -> QueryAnswer:
        """Answers one SELECT. Raises GroundedIngestError."""
        with _named_errors("the query fails"):
            statements = self.database.extract_statements(sql)
            if len(statements) != 1 or statements[0].type.name != "SELECT":
                raise GroundedIngestError("a query is one SELECT", "it reads tables only")
            found = self.database.execute(sql, dict(given) if given else None)
            columns = tuple(column[0] for column in found.description)
            return QueryAnswer(columns, tuple(found.fetchall()))


def read_questions() -> dict[str, FleetQuestion]:
    """Returns the questions under `questions/` by their names."""
    found = {}
    for file in sorted(files(__package__).joinpath("questions").iterdir(), key=lambda f: f.name):
        name, _, suffix = file.name.partition(".")
        if suffix == "sql":
            first, _, sql = file.read_text(encoding="utf-8").partition("\n")
            parameters = tuple(dict.fromkeys(re.findall(r"\$(\w+)", sql)))
            found[name] = FleetQuestion(name, first.removeprefix("-- "), sql, parameters)
    return found


def list_runs(out: str) -> list[str]:
    """Returns the finished runs of a fleet, oldest first."""
    try:
        return sorted(n for n in os.listdir(f"{out}/runs") if not n.startswith("."))
    except FileNotFoundError:
        return []


@contextmanager
def open_tables(out: str, run: str = "", loaded: Collection[str] = ()) -> Iterator[FleetTables]:
    """Opens the tables of a run, the newest by default.

    Each table is a view with the rows of the run. `every_TABLE` has those of all runs, for tables
    that are not joined. Nothing outside `out` can be read. `loaded` names tables that many
    queries read: they are read from the files once. Raises GroundedIngestError.
    """
    runs = list_runs(out)
    if not runs:
        raise GroundedIngestError(f"{out}: no finished run in it", "run: grounded-ingest fleet")
    if run and run not in runs:
        raise GroundedIngestError(f"no run {run}", f"runs: {', '.join(runs)}")
    run = run or runs[-1]
    with connect_database() as database:
        with _named_errors(out):
            _create_views(database, out, runs, run, loaded)
        yield FleetTables(run, tuple(runs), database)


@contextmanager
def _named_errors(where: str) -> Iterator[None]:
    import duckdb  # an extra

    try:
        yield
    except duckdb.Error as error:
        raise GroundedIngestError(f"{where}: {str(error).strip()}") from None


def _create_views(
    database: duckdb.DuckDBPyConnection,
    out: str,
    runs: Sequence[str],
    run: str,
    loaded: Collection[str],
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
            kind = "TABLE" if prefix + table in loaded else "VIEW"
            database.execute(
                f"CREATE {kind} {_name(prefix + table)} AS"
                " SELECT r.run, r.repository, r.commit, t.* EXCLUDE (filename)"
                f" FROM {rows} t JOIN {prefix}repositories r"
                " ON r.survey = regexp_extract(t.filename, '([0-9a-f]+)/[a-z]+[.]jsonl$', 1)"
            )
    database.execute(files(__package__).joinpath("views.sql").read_text(encoding="utf-8"))
    database.execute(f"SET allowed_directories = [{_string(out)}]")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def answer_query(out: str, sql: str, given: Mapping[str, str], run: str = "") -> QueryAnswer:
    """Answers one SELECT over the tables of a run (`open_tables`). Raises GroundedIngestError."""
    with open_tables(out, run) as tables:
        return tables.answer(sql, given)


def connect_database() -> duckdb.DuckDBPyConnection:
    """Opens a database in memory that never fetches an extension. Raises GroundedIngestError if
    the extra `fleet` is not installed."""
    try:
        import duckdb  # an extra
    except ModuleNotFoundError:
        raise GroundedIngestError(
            "fleet query and fleet report need DuckDB", "pip install 'grounded-ingest[fleet]'"
        ) from None
    return duckdb.connect(config={"threads": 1, "autoinstall_known_extensions": False})


def _read_json(paths: Sequence[str], columns: Sequence[Column]) -> str:
    """Returns the SQL source of rows in JSON Lines files, `filename` among the columns."""
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
