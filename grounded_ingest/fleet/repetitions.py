"""Texts that several repositories have, and texts that nearly are those of another one.

Equal sets of words are grouped first. Near-duplicates are looked for among what is distinct then,
by keys of which two of them share at least one: a text of five thousand
repositories is one row, a template in five thousand wordings five thousand, and nothing of the
exact answer is missed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any

from grounded_ingest.config.settings import Config
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.bucket_queries import Joining, spilling
from grounded_ingest.fleet.components import write_components
from grounded_ingest.fleet.near_texts import DistinctText, near_pairs, similarity
from grounded_ingest.fleet.tables import (
    SCHEMA,
    Column,
    connected,
    parquet_rows,
    sql_string,
    write_rows,
)

DEDUP = Config().dedup
SAMPLE = 1_000
"""Distinct texts of which every pair is compared in every run."""
SHOWN = 20
"""Repositories that a row names."""

_TOLD = ("text", "repository", "holders")
_PAIR = (
    Column("said", "BIGINT", ""), Column("other", "BIGINT", ""),
    Column("similarity", "DOUBLE", ""), Column("text", "VARCHAR", ""),
    Column("other_text", "VARCHAR", ""), Column("repository", "VARCHAR", ""),
    Column("other_repository", "VARCHAR", ""), Column("holders", "VARCHAR", ""),
    Column("other_holders", "VARCHAR", ""),
)  # fmt: skip


def join_repetitions(joining: Joining) -> None:
    """Write `repetitions` and `near_repetitions`. Raises GroundedIngestError, too, where a sample
    of all pairs and the keys disagree."""
    claims = joining.projected(
        "claims", "claims",
        "said, repository, path, text, words, keys,"
        f" len(words) >= {DEDUP.near_words} AND len(keys) > 1 AS long",
        "len(words) > 0",
    )  # fmt: skip
    texts = joining.queries(
        "texts", [_texts(rows) for rows in joining.by_key("claims", claims, "said")]
    )
    joining.done("claims")
    head = f"{SCHEMA}::INTEGER AS schema, {sql_string(joining.tables.run)} AS run"
    joining.write(
        "repetitions",
        joining.queries(
            "repetitions",
            [
                f"SELECT {head}, said, text, claims, repositories, named, place"
                f" FROM {parquet_rows([f])} WHERE repositories > 1"
                for f in texts
            ],
        ),
    )
    pairs = _pairs(joining, texts)
    links = f"SELECT said AS one, other FROM {parquet_rows(pairs)}"
    labels = joining.spread("groups", write_components, [{"pairs": links}] if pairs else [])
    compare_sample(joining, texts, pairs, labels)
    joining.done("texts")
    joining.write("near_repetitions", _across(joining, head, pairs, labels))


def _texts(rows: str) -> str:
    """Distinct texts, with who has them. Rows of tables have fewer keys than prose of the same
    words."""
    return (
        "SELECT said, min(text) AS text, arg_max(words, len(keys)) AS words,"
        " arg_max(keys, len(keys)) AS keys, bool_or(long) AS long, sum(claims)::INTEGER AS claims,"
        " count(*)::INTEGER AS repositories, list_slice(list_sort(list(repository)), 1,"
        f" {SHOWN}) AS named, md5(list_sort(list(repository))::VARCHAR) AS holders,"
        " min(repository) AS repository, min(place) AS place"
        " FROM (SELECT said, repository, min(text) AS text, arg_max(words, len(keys)) AS words,"
        " arg_max(keys, len(keys)) AS keys, bool_or(long) AS long, count(*) AS claims,"
        f" min(repository || ':' || path) AS place FROM {rows} GROUP BY said, repository)"
        " GROUP BY said"
    )


def _pairs(joining: Joining, texts: Sequence[str]) -> list[str]:
    """Pairs of distinct texts at the threshold or above, which connect all that are."""
    keyed = joining.queries(
        "keyed",
        [
            "SELECT unnest(list_distinct(keys[2:])) AS key, said, words, text, repository,"
            f" holders FROM {parquet_rows([f])} WHERE len(keys) > 1"
            for f in texts
        ],
    )
    found = joining.spread(
        "near", write_near, [{"rows": rows} for rows in joining.by_key("keyed", keyed, "key")]
    )
    joining.done("keyed")
    return joining.queries(
        "pairs",
        [
            f"SELECT DISTINCT ON (said, other) * FROM {rows}"
            for rows in joining.by_key("near", found, "said")
        ],
    )


def write_near(text: str) -> str:
    """Work: the pairs of each key in a directory of equal keys."""
    job = json.loads(text)
    with spilling(job["out"]) as database:
        found = database.execute(
            f"SELECT key, said, words, {', '.join(_TOLD)} FROM {job['rows']} SEMI JOIN (SELECT key"
            f" FROM {job['rows']} GROUP BY key HAVING count(*) > 1) USING (key) ORDER BY key, said"
        )
        write_rows(job["out"], _PAIR, _near(iter(found.fetchone, None)))
    return ""


def _near(rows: Iterator[tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    for _, group in groupby(rows, key=itemgetter(0)):
        texts = [
            DistinctText(said, frozenset(words), dict(zip(_TOLD, told, strict=True)))
            for _, said, words, *told in group
        ]
        for one, other, found in near_pairs(texts, DEDUP.threshold):
            theirs = {f"other_{name}": value for name, value in other.told.items()}
            yield {
                "said": one.said, "other": other.said, "similarity": found, **one.told, **theirs,
            }  # fmt: skip


def _across(joining: Joining, head: str, pairs: Sequence[str], labels: Sequence[str]) -> list[str]:
    """The rows of pairs that not the same repositories have both texts of: those have a page and
    its index, or a text and its quotation, and each of them alone tells that."""
    return joining.queries(
        "near_repetitions",
        [
            f'SELECT {head}, said, other, l.label AS "group", text, other_text, similarity,'
            f" repository, other_repository FROM {parquet_rows([f])} p"
            f" JOIN {parquet_rows(labels)} l ON l.node = p.said"
            " WHERE holders <> other_holders"
            for f in pairs
        ],
    )


def compare_sample(
    joining: Joining, texts: Sequence[str], pairs: Sequence[str], labels: Sequence[str]
) -> int:
    """How many pairs of a sample of texts are near, each compared with each.

    The sample is another one in each run, and taken by the smallest hash of a word, which texts
    that share most words share. Raises GroundedIngestError where the join says otherwise of a pair.
    """
    run = sql_string(joining.tables.run)
    drawn = joining.queries(
        "sample",
        [
            f"SELECT said, words, hash(list_min(words), {run}) AS place FROM {parquet_rows([f])}"
            f" WHERE long ORDER BY place, said LIMIT {SAMPLE}"
            for f in texts
        ],
    )
    if not drawn:
        return 0
    with connected() as database:
        database.execute(
            f"CREATE TABLE sample AS SELECT said, words FROM {parquet_rows(drawn)}"
            f" ORDER BY place, said LIMIT {SAMPLE}"
        )
        sample = database.execute("SELECT said, words FROM sample").fetchall()
        group, found = {}, []
        if pairs:
            in_sample = "IN (SELECT said FROM sample)"
            group = dict(
                database.execute(
                    f"SELECT node, label FROM {parquet_rows(labels)} WHERE node {in_sample}"
                ).fetchall()
            )
            found = database.execute(
                f"SELECT said, other FROM {parquet_rows(pairs)}"
                f" WHERE said {in_sample} AND other {in_sample}"
            ).fetchall()
    near = set(_compared_one_by_one({said: frozenset(words) for said, words in sample}))
    missed = [p for p in sorted(near) if p[0] not in group or group[p[0]] != group.get(p[1])]
    for one, other in (*missed, *sorted({*found} - near)):
        what = "does not find" if (one, other) in near else "is wrong about"
        raise GroundedIngestError(
            f"the join by keys {what} two texts of the sample: claims.said {one} and {other}",
            "this is a bug: please report it with both texts",
        )
    return len(near)


def _compared_one_by_one(words: dict[int, frozenset[int]]) -> Iterator[tuple[int, int]]:
    for (one, mine), (other, theirs) in combinations(sorted(words.items()), 2):
        if similarity(mine, theirs) >= DEDUP.threshold:
            yield one, other
