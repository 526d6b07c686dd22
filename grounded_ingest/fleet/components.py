"""What hangs together: the connected components of pairs, each named by its smallest member.

Their number is that of texts with a twin, not of claims, so one worker finds them: labels of what
is paired are hooked to each other, and paths of labels halved (Shiloach and Vishkin 1982), which
takes a number of rounds that grows with the logarithm of the longest chain.
"""

from __future__ import annotations

import json

from grounded_ingest.fleet.bucket_queries import spilling
from grounded_ingest.fleet.tables import Database, sql_string, whole

_HOOKED = """
CREATE TABLE hooked AS
SELECT node, min(label) AS label FROM (
  SELECT node, label FROM labels
  UNION ALL SELECT greatest(a.label, b.label), least(a.label, b.label)
  FROM pairs p JOIN labels a ON a.node = p.one JOIN labels b ON b.node = p.other
) GROUP BY node"""
_JUMPED = """
CREATE TABLE jumped AS
SELECT h.node, l.label FROM hooked h JOIN hooked l ON l.node = h.label"""
_CHANGED = "SELECT count(*) FROM labels l JOIN jumped j USING (node) WHERE l.label <> j.label"


def write_components(text: str) -> str:
    """Work: of a query `pairs` for `one` and `other`, each `node` and the `label` of its
    component."""
    job = json.loads(text)
    with whole(job["out"]) as new, spilling(new) as database:
        database.execute(f"CREATE TABLE pairs AS {job['pairs']}")
        _label(database)
        database.execute(f"COPY labels TO {sql_string(new)} (FORMAT parquet)")
    return ""


def _label(database: Database) -> None:
    database.execute(
        "CREATE TABLE labels AS SELECT DISTINCT node, node AS label FROM"
        " (SELECT one AS node FROM pairs UNION ALL SELECT other FROM pairs)"
    )
    changed = True
    while changed:
        database.execute(_HOOKED)
        database.execute(_JUMPED)
        changed = bool(database.execute(_CHANGED).fetchall()[0][0])
        database.execute("DROP TABLE labels")
        database.execute("DROP TABLE hooked")
        database.execute("ALTER TABLE jumped RENAME TO labels")
