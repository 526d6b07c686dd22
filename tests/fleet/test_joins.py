"""What only all repositories together tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet import repetitions
from grounded_ingest.fleet.elsewhere import (
    CitedElsewhere,
    cited_on_page,
    found_there,
    head_context,
)
from grounded_ingest.fleet.job import Found, JobLimits
from grounded_ingest.fleet.joins import Joining
from grounded_ingest.fleet.local_engine import LocalEngine
from grounded_ingest.fleet.queries import answer_query
from grounded_ingest.fleet.repetitions import join_repetitions
from grounded_ingest.fleet.run_tables import RunTables
from grounded_ingest.fleet.tables import REPOSITORIES, SURVEYED, write_rows
from grounded_ingest.fleet.verdicts_elsewhere import unless_behind
from grounded_ingest.git.repository import Repo
from grounded_ingest.statements.near_duplicates import equal_key, jaccard, set_keys, word_hash
from tests.fleet.conftest import Fleet
from tests.repos import Repo as RealRepo


def rows(fleet: Fleet, sql: str) -> list[tuple[Any, ...]]:
    return list(answer_query(str(fleet.out), sql, {}).rows)


def test_equal_texts_are_one_row_and_name_who_has_them(fleet: Fleet) -> None:
    found = rows(fleet, "SELECT text, claims, repositories, named FROM repetitions ORDER BY text")
    assert [(r[0].split()[0], r[1], r[2], r[3]) for r in found] == [
        ("Every", 3, 3, ["gateway", "ledger", "mailer"]),
        ("Never", 3, 3, ["gateway", "ledger", "mailer"]),
    ]


def test_near_texts_are_pairs_of_two_repositories(fleet: Fleet) -> None:
    found = rows(fleet, "SELECT repository, other_repository, similarity FROM near_repetitions")
    assert len(found) == 1
    assert {found[0][0], found[0][1]} == {"gateway", "mailer"}
    assert found[0][2] == pytest.approx(0.9286, abs=0.03)


def test_values_of_a_named_thing_that_cannot_both_hold(fleet: Fleet) -> None:
    found = rows(
        fleet, "SELECT slot, subject, shared, value, repository FROM contradictions ORDER BY value"
    )
    assert found == [
        ("port", "auth gateway", True, "8443", "gateway"),
        ("port", "auth gateway", True, "9443", "mailer"),
    ]


def test_the_side_that_moved_away_from_a_common_text(fleet: Fleet) -> None:
    found = rows(
        fleet, "SELECT repository, path, side, versions_since, files, moved FROM drift ORDER BY ALL"
    )
    assert found == [
        ("gateway", "CLAUDE.md", "stayed", 0, 3, 1),
        ("ledger", "CLAUDE.md", "moved", 1, 3, 1),
        ("mailer", "CLAUDE.md", "stayed", 0, 3, 1),
    ]


def test_what_is_cited_of_another_repository_is_looked_up_there(fleet: Fleet) -> None:
    found = rows(
        fleet, "SELECT target, verdict, reason, there FROM elsewhere_verdicts ORDER BY target"
    )
    assert found == [
        ("list.py", "unknown", "no repository of this fleet", ""),
        ("src/port.py", "confirmed", "", "gateway"),
        ("src/table.py", "refuted", "no such file", "gateway"),
    ]


@pytest.mark.parametrize(
    ("target", "verdict"),
    [("src/port.py", "confirmed"), ("src", "confirmed"), ("src/gone", "refuted"),
     ("tools/gone", "refuted"), ("port.py", "refuted"),
     ("src/<name>", "unknown")],
)  # fmt: skip
def test_a_page_of_a_forge_is_at_its_very_path(fleet: Fleet, target: str, verdict: str) -> None:
    page = cited_on_page(f"https://forge.example/org//gateway/tree/main/{target}")
    assert page is not None
    assert page.origin == "forge.example/org/gateway"
    with Repo(str(fleet.base / "gateway"), own=False) as repo:
        [found] = found_there([page], head_context(repo))
    assert found.verdict == verdict


def test_a_clone_that_may_be_behind_refutes_only_what_it_once_had(tmp_path: Path) -> None:
    root = RealRepo(tmp_path / "gateway")
    root.commit({"tools/scan/run.sh": "true\n"})
    root.commit({"tools/scan/run.sh": None, "README.md": "Moved.\n"})
    pages = [CitedElsewhere("", "", "path", p, at="HEAD") for p in ("tools/scan", "never.md")]
    with Repo(str(root.root), own=False) as repo:
        gone, never = (Found(e.verdict, e.reason) for e in found_there(pages, head_context(repo)))
    assert (gone.verdict, gone.reason[:11]) == ("refuted", "deleted in ")
    assert (never.verdict, never.reason) == ("refuted", "no such file")
    there = {"committed_at": "2026-01-05T12:00:00Z"}
    for cited_at, verdict in (("2026-01-05T11:00:00Z", "refuted"), ("2026-02", "unknown")):
        assert unless_behind(gone, cited_at, there).verdict == "refuted"
        assert unless_behind(never, cited_at, there).verdict == verdict


def planted(out: Path, texts: list[tuple[str, str]]) -> RunTables:
    """Tables of a run that never was: (repository, text)."""
    run, known = "20260101T000000Z", REPOSITORIES
    (out / "claims" / f"run={run}").mkdir(parents=True)
    (out / "work").mkdir()
    told = [
        {"schema": 1, "run": run, "repository": name, "state": "ok", "surveyed_in": run}
        for name in dict.fromkeys(name for name, _ in texts)
    ]
    write_rows(str(out / "work/repositories.parquet"), known, told)
    claims = []
    for number, (name, text) in enumerate(texts):
        words = {w.strip(".,").lower() for w in text.split()}
        hashes = sorted(h - (1 << 64) if (h := word_hash(w)) >> 63 else h for w in words)
        claims.append(
            {"schema": 1, "run": run, "repository": name, "claim": str(number), "path": "CLAUDE.md",
             "line": number, "text": text, "form": "prose", "said": equal_key(words),
             "words": hashes, "keys": [*set_keys(words, 0.92)]}
        )  # fmt: skip
    write_rows(str(out / f"claims/run={run}/part-0.parquet"), SURVEYED["claims"], claims)
    return RunTables(str(out), run, str(out / "work/repositories.parquet"))


def joined(tables: RunTables) -> tuple[list[Any], list[Any]]:
    from grounded_ingest.fleet.tables import connected, sql_list

    with LocalEngine(2) as engine:
        join_repetitions(Joining(engine, tables, {}, JobLimits()))
    with connected() as database:
        return tuple(  # type: ignore[return-value]
            database.execute(f"SELECT * FROM read_parquet({sql_list(tables.files(t))})").fetchall()
            for t in ("repetitions", "near_repetitions")
        )


def test_a_text_of_two_thousand_repositories_is_one_row(tmp_path: Path) -> None:
    text = "Never push to the main branch without a review by its owner."
    equal, near = joined(planted(tmp_path, [(f"r{n}", text) for n in range(2000)]))
    assert [(r[4], r[5], len(r[6])) for r in equal] == [(2000, 2000, 20)]
    assert near == []


def test_pairs_are_those_of_all_pairs(tmp_path: Path) -> None:
    """Against every pair compared in Python, over texts one word of which is another."""
    words = [f"w{n}" for n in range(400)]
    texts = []
    for n in range(300):
        size = 8 + n % 40
        start = (n * 7) % 340
        own = [words[(start + i) % 400] for i in range(size)]
        texts.append((f"r{n}a", " ".join(own)))
        other = [*own[:-1], "other"] if n % 2 else [*own, "more"]
        texts.append((f"r{n}b", " ".join(other)))
    _, near = joined(planted(tmp_path, texts))
    sets = {equal_key(s): s for s in (frozenset(t.split()) for _, t in texts)}
    keys = sorted(sets)
    true = {
        (a, b)
        for i, a in enumerate(keys)
        for b in keys[i + 1 :]
        if jaccard(sets[a], sets[b]) >= 0.92
    }
    assert {(r[2], r[3]) for r in near} == true
    assert len(true) > 100


def test_a_pair_that_the_keys_miss_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(f"word{n}" for n in range(30))
    tables = planted(tmp_path, [("a", text), ("b", f"{text} more")])
    monkeypatch.setattr(repetitions, "_near", lambda _rows: iter(()))
    with pytest.raises(GroundedIngestError, match="does not find two texts of the sample"):
        joined(tables)


def test_work_that_raises_is_named(tmp_path: Path) -> None:
    tables = planted(tmp_path, [("a", "one two three four five six seven eight")])
    with LocalEngine(1) as engine, pytest.raises(GroundedIngestError, match="joining x failed"):
        Joining(engine, tables, {}, JobLimits()).queries("x", ["SELECT nonsense"])
