"""Texts that several repositories have, and texts that nearly are those of another one.

Equal sets of words are grouped first. Near-duplicates are looked for among what is distinct then,
by keys of which two of them share at least one (docs/adr/0008), so that a text of five thousand
repositories is one row, and no pair of the exact answer is missed.
"""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.config.settings import Config
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.joins import Joining, count_rows
from grounded_ingest.fleet.tables import SCHEMA, connected, sql_list, sql_string

DEDUP = Config().dedup
SAMPLE = 1_000
"""Distinct texts of which every pair is compared in every run, about."""
SHOWN = 20
"""Repositories that a row names."""


def join_repetitions(joining: Joining) -> None:
    """Write `repetitions` and `near_repetitions`. Raises GroundedIngestError, too, where a sample
    of all pairs and the keys disagree."""
    claims = joining.projected(
        "claims", "claims", "said, repository, path, line, text, words, keys", "len(words) > 0"
    )
    texts = joining.queries(
        "texts", [_texts(rows) for rows in joining.by_key("claims", claims, "said")]
    )
    head = f"{SCHEMA} AS schema, {sql_string(joining.tables.run)} AS run"
    joining.write(
        "repetitions",
        joining.queries(
            "repetitions",
            [
                f"SELECT {head}, said, text, claims, repositories, named, place"
                f" FROM read_parquet({sql_string(f)}) WHERE repositories > 1"
                for f in texts
            ],
        ),
    )
    pairs = _pairs(joining, texts)
    _same_as_all_pairs(texts, pairs)
    joining.write(
        "near_repetitions",
        joining.queries(
            "near",
            [
                f"SELECT {head}, said, other, text, other_text, similarity, repository,"
                f" other_repository FROM read_parquet({sql_string(f)})"
                " WHERE repositories > 1 OR other_repositories > 1"
                " OR repository <> other_repository"
                for f in pairs
            ],
        ),
    )


def _texts(rows: str) -> str:
    """Distinct texts, with who has them."""
    return (
        "SELECT said, min(text) AS text, first(words) AS words, first(keys) AS keys,"
        " count(*)::INTEGER AS claims, count(DISTINCT repository)::INTEGER AS repositories,"
        f" list_slice(list_sort(list_distinct(list(repository))), 1, {SHOWN}) AS named,"
        f" min(repository) AS repository, min(repository || ':' || path) AS place"
        f" FROM {rows} GROUP BY said"
    )


def _pairs(joining: Joining, texts: Sequence[str]) -> list[str]:
    """Pairs of distinct texts at the threshold or above, each once."""
    keyed = joining.queries(
        "keyed",
        [
            "SELECT unnest(keys) AS key, said, words, text, repository, repositories"
            f" FROM read_parquet({sql_string(f)}) WHERE len(keys) > 1"
            for f in texts
        ],
    )
    found = joining.queries(
        "pairs",
        [_near("a.key = b.key AND ", rows) for rows in joining.by_key("keyed", keyed, "key")],
    )
    return joining.queries(
        "distinct",
        [
            f"SELECT DISTINCT ON (said, other) * FROM {rows}"
            for rows in joining.by_key("pairs", found, "said")
        ],
    )


def _near(condition: str, rows: str) -> str:
    """Pairs of these rows whose Jaccard is high enough. Sizes that are too far apart need no look
    at the words."""
    least = DEDUP.threshold
    return (
        "SELECT said, other, text, other_text, repository, other_repository, repositories,"
        " other_repositories, common / (size + other_size - common) AS similarity FROM ("
        "SELECT a.said, b.said AS other, a.text, b.text AS other_text, a.repository,"
        " b.repository AS other_repository, a.repositories, b.repositories AS other_repositories,"
        " len(a.words) AS size, len(b.words) AS other_size,"
        " len(list_intersect(a.words, b.words)) AS common"
        f" FROM {rows} a JOIN {rows} b ON {condition}a.said < b.said"
        f" AND len(a.words) >= {least} * len(b.words) AND len(b.words) >= {least} * len(a.words))"
        f" WHERE common >= {least} * (size + other_size - common)"
    )


def _same_as_all_pairs(texts: Sequence[str], pairs: Sequence[str]) -> None:
    """Compare every pair of a sample one by one. The sample is taken by the smallest hash of a
    word, which texts that share most words share as well."""
    every = max(1, count_rows(texts) // SAMPLE)
    if not texts:
        return
    with connected() as database:
        database.execute(
            f"CREATE TABLE sample AS SELECT * FROM read_parquet({sql_list(texts)})"
            f" WHERE len(keys) > 1 AND list_min(words) % {every} = 0 LIMIT {4 * SAMPLE}"
        )
        true = database.execute(
            f"SELECT said, other FROM ({_near('', 'sample')}) ORDER BY ALL"
        ).fetchall()
        found = (
            database.execute(
                f"SELECT said, other FROM read_parquet({sql_list(pairs)})"
                " WHERE said IN (SELECT said FROM sample) AND other IN (SELECT said FROM sample)"
                " ORDER BY ALL"
            ).fetchall()
            if pairs
            else []
        )
    if true != found:
        raise GroundedIngestError(
            f"the join by keys found {len(found)} pairs of a sample that has {len(true)}",
            "this is a bug: please report it",
        )
