"""Instruction files that several repositories had in the same words, and which of them moved on."""

from __future__ import annotations

from grounded_ingest.fleet.bucket_queries import Joining
from grounded_ingest.fleet.components import write_components
from grounded_ingest.fleet.tables import SCHEMA, parquet_rows, sql_string

EMPTY = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
"""A blob of no bytes, by SHA-1 and SHA-256: what files begin as is no common text."""


def join_drift(joining: Joining) -> list[str]:
    """Write `drift`; the files that say of which family each file is.

    The ancestor of a file is the newest of its versions that a file of another repository has, or
    had. It is compared with all files that were that text, wherever they are now: a standard that
    moved on twice leaves behind whoever kept its first version.
    """
    versions = joining.projected(
        "versions", "versions",
        "text_key, blob, repository, path, position, written_at,"
        # No `hash`, which may be another one on a worker with another DuckDB.
        " ('0x' || md5(repository || chr(0) || path)[:15])::BIGINT AS file_key",
        f"blob NOT IN ({', '.join(map(sql_string, EMPTY))})",
    )  # fmt: skip
    left = joining.queries(
        "left",
        [
            f"SELECT *, coalesce(lag(written_at) OVER f, '') AS left_at FROM {rows}"
            " WINDOW f AS (PARTITION BY repository, path ORDER BY position)"
            " QUALIFY row_number() OVER (PARTITION BY text_key, repository, path"
            " ORDER BY position) = 1"  # a file that came back to a text did not move
            for rows in joining.by_key("versions", versions, "file_key")
        ],
    )
    shared = joining.queries(
        "shared",
        [
            "SELECT *, count(*) OVER t AS files, count(*) FILTER (position > 0) OVER t AS moved"
            f" FROM {rows} WINDOW t AS (PARTITION BY text_key)"
            " QUALIFY min(repository) OVER t <> max(repository) OVER t"
            for rows in joining.by_key("left", left, "text_key")
        ],
    )
    newest = joining.queries(
        "newest",
        [
            "SELECT arg_min(v, position) AS version, list(text_key ORDER BY position) AS texts"
            f" FROM {rows} v GROUP BY repository, path"
            for rows in joining.by_key("shared", shared, "file_key")
        ],
    )
    links = f"SELECT unnest(texts) AS one, texts[1] AS other FROM {parquet_rows(newest)}"
    families = joining.spread("families", write_components, [{"pairs": links}] if newest else [])
    files = joining.queries("related", [_related(f, families, joining.tables.run) for f in newest])
    drifted = [f"SELECT * FROM {parquet_rows([f])} WHERE moved > 0" for f in files]
    joining.write("drift", joining.queries("drift", drifted))
    return files


def _related(file: str, families: list[str], run: str) -> str:
    return (
        f"SELECT {SCHEMA}::INTEGER AS schema, {sql_string(run)} AS run,"
        " version.text_key AS ancestor, l.label AS family, version.repository AS repository,"
        " version.path AS path, version.blob AS blob,"
        " CASE WHEN version.position = 0 THEN 'stayed' ELSE 'moved' END AS side,"
        " version.position AS versions_since, version.left_at AS moved_at,"
        " version.files::INTEGER AS files, version.moved::INTEGER AS moved"
        f" FROM {parquet_rows([file])} JOIN {parquet_rows(families)} l ON l.node = version.text_key"
    )
