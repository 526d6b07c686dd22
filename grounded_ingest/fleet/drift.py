"""Instruction files that several repositories had in the same words, and which of them moved on."""

from __future__ import annotations

from grounded_ingest.fleet.joins import Joining
from grounded_ingest.fleet.tables import SCHEMA, sql_string


def join_drift(joining: Joining) -> None:
    """Write `drift`. The ancestor of a file is the newest of its versions that a file of another
    repository has, or had; those of one ancestor stand together."""
    versions = joining.projected(
        "versions", "versions",
        "text_key, blob, repository, path, position, written_at,"
        " hash(repository || chr(0) || path)::UBIGINT::HUGEINT % 9223372036854775807 AS file_key",
        "TRUE",
    )  # fmt: skip
    versions = joining.queries(
        "versioned",
        [
            "SELECT * REPLACE (file_key::BIGINT AS file_key), lag(written_at) OVER w AS left_at"
            f" FROM read_parquet({sql_string(f)})"
            " WINDOW w AS (PARTITION BY repository, path ORDER BY position)"
            for f in versions
        ],
    )
    shared = joining.queries(
        "shared",
        [
            f"SELECT * FROM {rows} WHERE text_key IN (SELECT text_key FROM {rows}"
            " GROUP BY text_key HAVING count(DISTINCT repository) > 1)"
            for rows in joining.by_key("versions", versions, "text_key")
        ],
    )
    newest = joining.queries(
        "newest",
        [
            f"SELECT * FROM {rows} QUALIFY row_number() OVER"
            " (PARTITION BY repository, path ORDER BY position) = 1"
            for rows in joining.by_key("shared", shared, "file_key")
        ],
    )
    files = joining.queries(
        "drift",
        [
            _drifted(rows, joining.tables.run)
            for rows in joining.by_key("newest", newest, "text_key")
        ],
    )
    joining.write("drift", files)


def _drifted(rows: str, run: str) -> str:
    counted = (
        "*, count(*) OVER g AS files, count(*) FILTER (position > 0) OVER g AS moved,"
        " count(DISTINCT repository) OVER g AS owners"
    )
    return (
        f"SELECT {SCHEMA} AS schema, {sql_string(run)} AS run, text_key AS ancestor, repository,"
        " path, blob, CASE WHEN position = 0 THEN 'stayed' ELSE 'moved' END AS side,"
        " position AS versions_since, coalesce(left_at, '') AS moved_at, files::INTEGER AS files,"
        f" moved::INTEGER AS moved FROM (SELECT {counted} FROM {rows}"
        " WINDOW g AS (PARTITION BY text_key)) WHERE owners > 1 AND moved > 0"
    )
