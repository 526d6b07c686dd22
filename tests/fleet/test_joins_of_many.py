"""What joins find in rows that are many, that hang together, or that only look alike."""

from __future__ import annotations

import json
import random
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from planted_tables import asked, claim, fact, history, joined, planted

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet import near_texts, repetitions
from grounded_ingest.fleet.bucket_queries import Joining
from grounded_ingest.fleet.components import write_components
from grounded_ingest.fleet.contradicting_facts import join_contradictions
from grounded_ingest.fleet.drift import join_drift
from grounded_ingest.fleet.near_texts import DistinctText, near_pairs
from grounded_ingest.fleet.queries import answer_query, questions
from grounded_ingest.fleet.repetitions import join_repetitions
from grounded_ingest.fleet.tables import connected, parquet_rows
from grounded_ingest.statements.near_duplicates import jaccard

# Compares joins of thousands of planted rows with every pair; test_joins.py has each join.
pytestmark = pytest.mark.slow

LONG = " ".join(f"word{n}" for n in range(30))


def test_a_text_of_two_thousand_repositories_is_one_row(tmp_path: Path) -> None:
    tables = planted(tmp_path, claims=(claim(f"r{n:04d}", LONG) for n in range(2000)))
    joined(tables, join_repetitions)
    assert asked(tables, "repetitions", "claims, repositories, len(named), place") == [
        (2000, 2000, 20, "r0000:AGENTS.md")
    ]
    assert asked(tables, "near_repetitions", "*") == []


def test_a_template_in_two_thousand_wordings_is_as_many_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any two of them are nearly equal: two million pairs."""
    compared = 0

    def counted(one: frozenset[int], other: frozenset[int]) -> float:
        nonlocal compared
        compared += 1
        return jaccard(one, other)  # type: ignore[arg-type]

    monkeypatch.setattr(near_texts, "similarity", counted)
    tables = planted(tmp_path, claims=(claim(f"r{n}", f"{LONG} name{n}") for n in range(2000)))
    joined(tables, join_repetitions)
    found = asked(tables, "near_repetitions", 'count(*), count(DISTINCT "group")')
    keys = 4  # that two texts of 31 words can share
    assert 1999 <= found[0][0] <= 1999 * keys
    assert found[0][1] == 1
    assert compared < 10 * 2000


@pytest.mark.parametrize("seed", range(4))
def test_groups_are_those_of_all_pairs(tmp_path: Path, seed: int) -> None:
    """Against every pair compared one by one: the same groups, and no row that is no pair."""
    chance = random.Random(seed)
    texts = {}
    for n in range(60):
        words = [f"w{chance.randrange(900)}" for _ in range(chance.randrange(6, 60))]
        for copy in range(chance.randrange(8)):
            texts[f"r{n}-{copy}"] = " ".join(words)
            words[chance.randrange(len(words))] = f"o{copy}{chance.randrange(3)}"
    tables = planted(tmp_path, claims=(claim(r, t) for r, t in texts.items()))
    joined(tables, join_repetitions)
    rows = asked(tables, "near_repetitions", 'said, other, "group", similarity')
    sets = {claim("", t)["said"]: frozenset(t.split()) for t in texts.values()}
    long = {s: w for s, w in sets.items() if len(w) >= 7}
    true = {(a, b) for a, b in combinations(sorted(long), 2) if jaccard(long[a], long[b]) >= 0.92}
    assert len(true) > 40
    assert {(r[0], r[1]) for r in rows} <= true
    assert all(r[3] == pytest.approx(jaccard(sets[r[0]], sets[r[1]])) for r in rows)
    group = {node: r[2] for r in rows for node in r[:2]}
    assert {*group} == {node for pair in true for node in pair}
    assert all(group[a] == group[b] for a, b in true)
    assert all(label == min(n for n in group if group[n] == label) for label in group.values())


def test_a_row_of_a_table_does_not_hide_prose_of_its_words(tmp_path: Path) -> None:
    """Whichever of them comes first: rows have no keys for what is only nearly equal."""
    claims = [claim("a", LONG, "row"), claim("b", LONG), claim("c", f"{LONG} more")]
    for number, order in enumerate((claims, claims[::-1])):
        tables = planted(tmp_path / str(number), claims=order)
        joined(tables, join_repetitions)
        assert asked(tables, "near_repetitions", "count(*)") == [(1,)]


def test_two_texts_of_the_same_repositories_are_no_pair(tmp_path: Path) -> None:
    """A page and its index, copied as they are; `d` has an index of its own."""
    page, index, other = LONG, f"{LONG} index", f"{LONG} own"
    claims = [claim(r, t) for r in ("a", "b", "c") for t in (page, index)]
    tables = planted(tmp_path / "copies", claims=claims)
    joined(tables, join_repetitions)
    assert asked(tables, "near_repetitions", "*") == []
    tables = planted(tmp_path / "own", claims=[*claims, claim("d", other)])
    joined(tables, join_repetitions)
    found = asked(tables, "near_repetitions", "text, other_text")
    assert found
    assert all(other in pair for pair in found)


def test_a_pair_that_the_keys_miss_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = planted(tmp_path, claims=[claim("a", LONG), claim("b", f"{LONG} more")])
    monkeypatch.setattr(repetitions, "near_pairs", lambda *_: iter(()))
    with pytest.raises(GroundedIngestError, match="does not find two texts of the sample"):
        joined(tables, join_repetitions)


def test_a_pair_that_is_none_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = " ".join(f"word{n}" for n in range(27))
    texts = [LONG, f"{others} x y z", f"{LONG} more"]
    tables = planted(tmp_path, claims=[claim(f"r{n}", t) for n, t in enumerate(texts)])
    monkeypatch.setattr(
        repetitions,
        "near_pairs",
        lambda texts, _: ((a, b, 0.95) for a, b in combinations(texts, 2)),
    )
    with pytest.raises(GroundedIngestError, match="is wrong about two texts of the sample"):
        joined(tables, join_repetitions)


def test_texts_that_share_words_but_too_few_are_not_all_compared() -> None:
    """A template with three words of each one's own: one group of the keys, and no pair."""
    common = range(20)
    texts = [
        DistinctText(n, frozenset((*common, 1000 + n, 5000 + n, 9000 + n)), {}) for n in range(3000)
    ]
    assert [*near_pairs(texts, 0.92)] == []


def test_a_long_chain_is_one_component(tmp_path: Path) -> None:
    nodes = [*range(3000)]
    random.Random(1).shuffle(nodes)
    chain = ", ".join(f"({a}, {b})" for a, b in pairwise(nodes))
    pairs = f"SELECT * FROM (VALUES {chain}, (5000, 5001)) p(one, other)"
    out = tmp_path / "labels.parquet"
    write_components(json.dumps({"pairs": pairs, "out": str(out)}))
    with connected() as database:
        found = database.execute(
            f"SELECT label, count(*) FROM {parquet_rows([str(out)])} GROUP BY label ORDER BY label"
        ).fetchall()
    assert found == [(0, 3000), (5000, 2)]


def contradictions(joining: Joining) -> None:
    join_contradictions(joining, join_drift(joining))


def test_what_each_has_for_itself_is_told_from_what_is_shared(tmp_path: Path) -> None:
    tables = planted(
        tmp_path,
        references=[
            fact("a", "node", "runtime version", "16"), fact("b", "node", "runtime version", "20"),
            fact("a", "server", "port", "3000"), fact("b", "server", "port", "8080"),
            fact("a", "billing gateway", "port", "8443"), fact("b", "billing gateway", "port", "9443"),
            fact("a", "core", "language", "Go"), fact("billing-gateways", "core", "language", "Rust"),
            fact("a", "", "package manager", "npm"), fact("b", "", "package manager", "pnpm"),
        ],
    )  # fmt: skip
    joined(tables, contradictions)
    assert asked(tables, "contradictions", "shared, slot, value") == [
        (False, "language", "Go"), (False, "language", "Rust"), (False, "package manager", "npm"), (False, "package manager", "pnpm"),
        (False, "port", "3000"), (False, "port", "8080"),
        (False, "runtime version", "16"), (False, "runtime version", "20"),
        (True, "port", "8443"), (True, "port", "9443"),
    ]  # fmt: skip


def test_values_that_agree_or_are_one_repositorys_are_no_contradiction(tmp_path: Path) -> None:
    tables = planted(
        tmp_path,
        references=[
            fact("a", "postgresql", "version", "15"), fact("b", "postgresql", "version", "15.2"),
            fact("a", "node", "runtime version", "20+"), fact("b", "node", "runtime version", "22"),
            fact("c", "ledger", "port", "1000"), fact("c", "ledger", "port", "2000"),
            *(fact(copy, "wiki", "port", v) for copy in ("d", "e", "f") for v in ("1", "2")),
        ],
    )  # fmt: skip
    joined(tables, contradictions)
    assert asked(tables, "contradictions", "slot, value") == []


def test_only_what_excludes_what_the_standard_says_differs_from_it(tmp_path: Path) -> None:
    """Each value here disagrees with another one; not each two of them with each other."""
    tables = planted(
        tmp_path,
        references=[
            fact("std", "", "package manager", "pnpm"), fact("a", "", "package manager", "npm"),
            fact("b", "", "package manager", "uv"), fact("c", "", "package manager", "poetry"),
            fact("d", "", "package manager", "pnpm", true=False),
            fact("e", "", "package manager", "npm", true=False),
        ],
    )  # fmt: skip
    joined(tables, contradictions)
    sql = questions()["rules-that-contradict"].sql
    found = answer_query(tables.out, sql, {"standard": "std"}).rows
    assert [(r[0], *r[5:]) for r in found] == [("a", "npm", "pnpm"), ("d", "not pnpm", "pnpm")]


def test_rules_of_one_text_contradict_each_other(tmp_path: Path) -> None:
    """What each repository could say for itself, it says in a copy of what all share."""
    versions = [*history("a", "mine", "standard"), *history("b", "standard"), *history("c", "own")]
    tables = planted(
        tmp_path,
        versions=versions,
        references=[
            fact("a", "", "package manager", "npm"), fact("b", "", "package manager", "pnpm"),
            fact("c", "", "package manager", "yarn"),
        ],
    )  # fmt: skip
    joined(tables, contradictions)
    assert asked(tables, "contradictions", "shared, value", "WHERE family <> 0") == [
        (True, "npm"), (True, "pnpm"),
    ]  # fmt: skip
    assert asked(tables, "contradictions", "value", "WHERE family = 0") == [
        ("npm",), ("pnpm",), ("yarn",),
    ]  # fmt: skip


def test_a_thousand_values_of_one_thing_are_a_thousand_rows(tmp_path: Path) -> None:
    stated = (fact(f"r{n}", "billing gateway", "port", str(1000 + n)) for n in range(1000))
    tables = planted(tmp_path, references=stated)
    joined(tables, contradictions)
    assert asked(tables, "contradictions", "count(*), sum(repositories)") == [(1000, 1000)]


def test_a_standard_that_moved_on_leaves_others_behind(tmp_path: Path) -> None:
    """`old` has its first version, which no other file has as its newest common text."""
    tables = planted(
        tmp_path,
        versions=[
            *history("standard", "s3", "s2", "s1"), *history("new", "s3"),
            *history("changed", "mine", "s2"), *history("old", "s1"), *history("alone", "other"),
        ],
    )  # fmt: skip
    joined(tables, join_drift)
    found = asked(tables, "drift", "repository, side, versions_since, moved_at, files, moved")
    assert found == [
        ("changed", "moved", 1, "2026-01-28T00:00:00Z", 2, 2),
        ("old", "stayed", 0, "", 2, 1),
    ]
    assert asked(tables, "drift", "count(DISTINCT family)") == [(1,)]


def test_a_file_that_came_back_did_not_move_and_empty_files_have_nothing_in_common(
    tmp_path: Path,
) -> None:
    from grounded_ingest.fleet.drift import EMPTY

    back = [*history("a", "s1", "tried", "s1"), *history("b", "s1")]
    begun = [*history("c", "one", EMPTY[0]), *history("d", "two", EMPTY[0])]
    tables = planted(tmp_path, versions=[*back, *begun])
    joined(tables, join_drift)
    assert asked(tables, "drift", "*") == []


def test_a_file_of_two_thousand_repositories_is_as_many_rows(tmp_path: Path) -> None:
    versions = [
        v for n in range(2000) for v in history(f"r{n}", *[f"own{n}"] * (n % 2), "s2", "s1")
    ]
    tables = planted(tmp_path, versions=versions)
    joined(tables, join_drift)
    assert asked(tables, "drift", "side, count(*), min(files), min(moved)", "GROUP BY side") == [
        ("moved", 1000, 2000, 1000), ("stayed", 1000, 2000, 1000),
    ]  # fmt: skip


def test_a_template_that_just_misses_the_threshold_is_not_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twenty-two words of which one is each text's own: every two share a key, none are near."""
    texts = [DistinctText(n, frozenset([*range(21), 100 + n]), {}) for n in range(2_000)]
    compared: list[int] = []
    monkeypatch.setattr(near_texts, "similarity", lambda *_: compared.append(1) or 0.0)
    assert [*near_pairs(texts, 0.92)] == []
    assert compared == []
