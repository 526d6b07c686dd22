"""The tables of a fleet: what their columns are, and how rows become Parquet (docs/fleet.md)."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from grounded_ingest.errors import GroundedIngestError

if TYPE_CHECKING:
    import duckdb

Database: TypeAlias = "duckdb.DuckDBPyConnection"

SCHEMA = 1
"""In the column `schema` of every row. Columns are added under the same number; what changes a
column's meaning, or takes one away, changes it."""


LARGEST_ROW = 4 << 20
"""Bytes of a row as JSON; what reads rows holds twice as much."""


class Column(NamedTuple):
    """A column: its name, its type as DuckDB writes it, and what it holds."""

    name: str
    type: str
    holds: str


_SCHEMA = Column("schema", "INTEGER", "version of these tables")
_RUN = Column("run", "VARCHAR", "run that wrote the row, its start in UTC: `20261123T120000Z`")
_REPOSITORY = Column("repository", "VARCHAR", "name in the manifest, unique in a fleet")
_COMMIT = Column("commit", "VARCHAR", "commit that was judged")
_CLAIM = Column("claim", "VARCHAR", "the claim, unique in a fleet: digest of its place")
_PATH = Column("path", "VARCHAR", "document, from the root of its repository")
_LINE = Column("line", "INTEGER", "first line, from 1")

_OF_REPOSITORY = (_SCHEMA, _RUN, _REPOSITORY, _COMMIT)
_OF_CLAIM = (*_OF_REPOSITORY, _CLAIM, _PATH, _LINE)

SURVEYED: Mapping[str, tuple[Column, ...]] = {
    "documents": (
        *_OF_REPOSITORY, _PATH,
        Column("class", "VARCHAR", "`memory`, `docs` or `decisions`"),
        Column("blob", "VARCHAR", "its object id"),
        Column("owners", "VARCHAR[]", "by the repository's CODEOWNERS, as written"),
        Column("claims", "INTEGER", "claims in it"),
        Column("checkable", "INTEGER", "of these, what can be checked"),
        Column("grounded", "INTEGER", "of these, tier 1"),
    ),
    "claims": (
        *_OF_CLAIM,
        Column("class", "VARCHAR", "class of its document"),
        Column("section", "VARCHAR", "headings above it, the outermost first"),
        Column("text", "VARCHAR", "what it says"),
        Column("said", "BIGINT", "equal for claims of the same set of words"),
        Column("kind", "VARCHAR", "`fact`, `decision` or `preference`"),
        Column("memory_type", "VARCHAR", "`semantic`, `episodic` or `procedural`"),
        Column("form", "VARCHAR", "`prose`, `row`, `record`, …"),
        Column("words", "BIGINT[]", "hashes of its words, sorted; empty if too short or long"),
        Column("keys", "BIGINT[]", "what near-duplicates share at least one of"),
    ),
    "decisions": (
        *_OF_CLAIM,
        Column("tier", "INTEGER", "1 approve, 2 review, 3 block"),
        Column("rule", "VARCHAR", "the rule that decided"),
        Column("reason", "VARCHAR", "why, in words"),
        Column("checkable", "BOOLEAN", "whether it states something that can be checked"),
        Column("source", "VARCHAR", "who said it: `user`, `ai_synthesis`, …"),
        Column("operation", "VARCHAR", "`ADD`, `UPDATE` or `SKIP`"),
    ),
    "evidence": (
        *_OF_CLAIM,
        Column("kind", "VARCHAR", "`path`, `commit`, `symbol`, …"),
        Column("target", "VARCHAR", "what was cited or mentioned, normalised"),
        Column("verdict", "VARCHAR", "`confirmed`, `refuted` or `unknown`"),
        Column("reason", "VARCHAR", "why it is not confirmed"),
    ),
    "findings": (
        *_OF_CLAIM,
        Column("rule", "VARCHAR", "the rule that found it"),
        Column("message", "VARCHAR", "what is wrong"),
        Column("words", "VARCHAR", "the words that decided"),
        Column("severity", "VARCHAR", "`error`, `warning` or `note`"),
    ),
    "references": (
        *_OF_CLAIM,
        Column("kind", "VARCHAR", "`fact`: it states it; else what it mentions: `command`, …"),
        Column("subject", "VARCHAR", "what it is said of; empty for the repository itself"),
        Column("slot", "VARCHAR", "what is said of it: `runtime version`, `port`, …"),
        Column("value", "VARCHAR", "the value as written"),
        Column("normal", "VARCHAR", "the value's normal form, equal for equal values"),
        Column("polarity", "BOOLEAN", "false where it is denied"),
        Column("setting", "VARCHAR", "where it holds: `production`"),
        Column("many", "BOOLEAN", "whether several values can hold at once"),
        Column("about", "BIGINT", "equal for what is said of the same thing"),
    ),
    "elsewhere": (
        *_OF_CLAIM,
        Column("origin", "VARCHAR", "the other repository: `host/owner/name`, lower case"),
        Column("cited", "VARCHAR", "the citation as written"),
        Column("kind", "VARCHAR", "`path`, `symbol`, `adr` or `commit`"),
        Column("target", "VARCHAR", "path, name, number or commit there"),
        Column("first", "INTEGER", "first line cited; 0 for none"),
        Column("last", "INTEGER", "last line cited; 0 for none"),
        Column("at", "VARCHAR", "branch or commit it names; empty for none"),
    ),
    "versions": (
        *_OF_REPOSITORY, _PATH,
        Column("position", "INTEGER", "0 for what stands now, 1 for what stood before, …"),
        Column("blob", "VARCHAR", "object id of that text"),
        Column("text_key", "BIGINT", "equal for texts that are the same byte for byte"),
        Column("written_at", "VARCHAR", "when a commit brought it, ISO 8601 in UTC"),
        Column("by", "VARCHAR", "that commit"),
    ),
}  # fmt: skip
"""What a repository is asked, a table each."""

REPOSITORIES = (
    _SCHEMA, _RUN, _REPOSITORY,
    Column("origin", "VARCHAR", "`host/owner/name` of its remote, lower case, if it has one"),
    Column("owner", "VARCHAR", "who owns it, by the manifest, or else by `origin`"),
    Column("place", "VARCHAR", "directory or URL it was read from"),
    Column("commit", "VARCHAR", "commit that was judged; empty where there is none"),
    Column("committed_at", "VARCHAR", "when it was made, ISO 8601 in UTC"),
    Column("state", "VARCHAR", "`ok`, `empty`, or what failed: `clone`, `time`, `memory`, `error`"),
    Column("reason", "VARCHAR", "why, in words"),
    Column("surveyed_in", "VARCHAR", "run whose rows hold it: an earlier one if nothing changed"),
    Column("settings", "VARCHAR", "digest of the version and options it was judged by"),
    Column("seconds", "DOUBLE", "time it took, by the clock"),
    Column("peak_mb", "DOUBLE", "most memory it held"),
    Column("disk_mb", "DOUBLE", "what its clone takes in the cache; 0 where it is not ours"),
    Column("documents", "INTEGER", "documents read"),
    Column("claims", "INTEGER", "claims in them"),
    Column("checkable", "INTEGER", "of these, what can be checked"),
    Column("grounded", "INTEGER", "of these, tier 1"),
    Column("blocked", "INTEGER", "claims of tier 3"),
    Column("wrong", "INTEGER", "findings that something is wrong"),
)  # fmt: skip
"""A row for each repository in each run."""


_OF_RUN = (_SCHEMA, _RUN)

JOINED: Mapping[str, tuple[Column, ...]] = {
    "repetitions": (
        *_OF_RUN,
        Column("said", "BIGINT", "the text: `claims.said`"),
        Column("text", "VARCHAR", "one of its wordings"),
        Column("claims", "INTEGER", "claims that say it"),
        Column("repositories", "INTEGER", "repositories that say it, two at least"),
        Column("named", "VARCHAR[]", "the first twenty of them"),
        Column("place", "VARCHAR", "`repository:path` of one of them"),
    ),
    "near_repetitions": (
        *_OF_RUN,
        Column("said", "BIGINT", "a text"),
        Column("other", "BIGINT", "another one, of nearly the same words"),
        Column("group", "BIGINT", "equal for all texts that such pairs connect: the smallest"),
        Column("text", "VARCHAR", "what the one says"),
        Column("other_text", "VARCHAR", "what the other says"),
        Column("similarity", "DOUBLE", "Jaccard of their words"),
        Column("repository", "VARCHAR", "the first repository that has the one"),
        Column("other_repository", "VARCHAR", "the first that has the other"),
    ),
    "contradictions": (
        *_OF_RUN,
        Column("about", "BIGINT", "the thing: `references.about`"),
        Column("slot", "VARCHAR", "what is said of it: `runtime version`, `port`, …"),
        Column("subject", "VARCHAR", "what it is said of; empty for a repository itself"),
        Column("setting", "VARCHAR", "where it holds"),
        Column("shared", "BOOLEAN", "whether it is of one of them, by its name, or of a family"),
        Column("family", "BIGINT", "family of files (`drift`) that state it; else 0"),
        Column("value", "VARCHAR", "a value that disagrees with another one"),
        Column("normal", "VARCHAR", "its normal form"),
        Column("polarity", "BOOLEAN", "false where it is denied"),
        Column("claims", "INTEGER", "claims that state it"),
        Column("repositories", "INTEGER", "repositories that state it"),
        Column("repository", "VARCHAR", "one of them"),
        Column("path", "VARCHAR", "where it states it"),
        Column("line", "INTEGER", "in which line"),
    ),
    "drift": (
        *_OF_RUN,
        Column("ancestor", "BIGINT", "the last text it had in common: `versions.text_key`"),
        Column("family", "BIGINT", "equal for files that common texts connect"),
        _REPOSITORY, _PATH,
        Column("blob", "VARCHAR", "object id of that text"),
        Column("side", "VARCHAR", "`stayed` where it is that text still, else `moved`"),
        Column("versions_since", "INTEGER", "versions since then"),
        Column("moved_at", "VARCHAR", "when it moved on, ISO 8601 in UTC"),
        Column("files", "INTEGER", "files that are, or were, that text"),
        Column("moved", "INTEGER", "of these, how many moved on"),
    ),
    "elsewhere_verdicts": (
        *_OF_CLAIM,
        Column("origin", "VARCHAR", "the other repository: `host/owner/name`"),
        Column("cited", "VARCHAR", "the citation as written"),
        Column("kind", "VARCHAR", "`path`, `symbol`, `adr` or `commit`"),
        Column("target", "VARCHAR", "what is cited there"),
        Column("verdict", "VARCHAR", "`confirmed`, `refuted` or `unknown`"),
        Column("reason", "VARCHAR", "why it is not confirmed"),
        Column("there", "VARCHAR", "its name in the fleet; empty where it is in none"),
        Column("there_commit", "VARCHAR", "commit that was asked"),
    ),
}  # fmt: skip
"""What only all repositories together tell, a table for each join."""

TABLES: Mapping[str, tuple[Column, ...]] = {
    "repositories": REPOSITORIES, **SURVEYED, **JOINED,
}  # fmt: skip


@contextmanager
def whole(path: str) -> Iterator[str]:
    """A file to write, which becomes `path` at the end. Two workers may write the same one, where
    an engine gave the first up: it is one of theirs then, and no mixture."""
    new = f"{path}.{secrets.token_hex(8)}"
    try:
        yield new
        os.replace(new, path)
    finally:
        with suppress(FileNotFoundError):
            os.remove(new)


def write_rows(path: str, columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]) -> int:
    """A Parquet file of these rows, there whole or not at all; how many they are."""
    count = 0
    with whole(path) as new:
        lines = f"{new}.jsonl"
        with open(lines, "wb") as file:
            for row in rows:
                file.write(_encoded(row) + b"\n")
                count += 1
        with connected() as database:
            source = _from_lines(lines, columns) if count else no_rows(columns)
            database.execute(f"COPY ({source}) TO {sql_string(new)} (FORMAT parquet)")
        os.remove(lines)
    return count


def connected(memory: str = "") -> Database:
    """A database in memory: one thread, the network and extensions off. Raises
    GroundedIngestError where the extra is not installed."""
    try:
        import duckdb
    except ModuleNotFoundError:
        raise GroundedIngestError(
            "a fleet needs DuckDB", "pip install 'grounded-ingest[fleet]'"
        ) from None
    database = duckdb.connect(config={"threads": 1, "autoinstall_known_extensions": False})
    if memory:
        database.execute(f"SET memory_limit = {sql_string(memory)}")
    return database


def sql_string(text: str) -> str:
    """A string in SQL."""
    return "'" + text.replace("'", "''") + "'"


def sql_list(paths: Sequence[str]) -> str:
    """Files for `read_parquet`."""
    return "[" + ", ".join(map(sql_string, paths)) + "]"


def parquet_rows(files: Sequence[str]) -> str:
    """Files as a source of rows in SQL, without columns from their directories' names."""
    return f"read_parquet({sql_list(files)}, hive_partitioning = false)"


def sql_name(name: str) -> str:
    """A column's name in SQL."""
    return f'"{name}"'


def _from_lines(path: str, columns: Sequence[Column]) -> str:
    types = ", ".join(f"{sql_name(c.name)}: {sql_string(c.type)}" for c in columns)
    return (
        f"SELECT * FROM read_json({sql_string(path)}, format = 'newline_delimited',"
        f" columns = {{{types}}}, maximum_object_size = {LARGEST_ROW})"
    )


def no_rows(columns: Sequence[Column]) -> str:
    """A query for no row of these columns."""
    return (
        "SELECT "
        + ", ".join(f"NULL::{c.type} AS {sql_name(c.name)}" for c in columns)
        + " WHERE false"
    )


def _encoded(row: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(row)
    except UnicodeEncodeError:  # paths that are not UTF-8: git has bytes, JSON has not
        return msgspec.json.encode(dict(_whole(row)))


def _whole(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, str):
            yield name, value.encode("utf-8", "backslashreplace").decode()
        else:
            yield name, value
