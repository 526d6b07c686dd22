"""The shipped repository is the same everywhere, and what it says of itself is true."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.quality.courier import TrueClaim
from benchmarks.quality.friction import friction
from benchmarks.quality.shipped import Shipped, build


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    return build(str(tmp_path_factory.mktemp("shipped")))


def git(shipped: Shipped, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=shipped.root, capture_output=True, check=True)
    return done.stdout.decode().strip()


def test_every_build_has_the_same_commits(
    shipped: Shipped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    monkeypatch.setenv("HOME", str(tmp_path))
    again = build(str(tmp_path))
    assert again.commits == shipped.commits
    assert len(set(again.commits.values())) == len(again.commits)


def test_documents_say_the_claims_and_base_is_there(shipped: Shipped) -> None:
    for claim in shipped.claims:
        assert claim.text in (Path(shipped.root) / claim.path).read_text("utf-8")
    assert git(shipped, "rev-parse", "origin/main") == git(shipped, "rev-parse", "main")
    assert git(shipped, "rev-list", "--merges", "--count", "main") == "1"
    assert len(set(git(shipped, "log", "--format=%ae").split())) == 3


# What a claim's words have to find at its citation: words of the text -> words of the source.
SAID = {
    "OverflowError": "OverflowError", "named deliveries": "deliveries", "level is info": "info",
    "is v2": "v2", "PostgreSQL 15": "15", "never runs as one": "replicas: 3",
    "appended to the queue": "items.append", "status ok": '"ok"', "10000 items": "10_000",
    "1048576": "1_048_576", "512 MiB": "512Mi",
}  # fmt: skip


def cited_lines(shipped: Shipped) -> Iterator[tuple[TrueClaim, str]]:
    for claim in shipped.claims:
        if found := re.search(r"`([\w/.]+):(\d+)`", claim.text):
            source = (Path(shipped.root) / found[1]).read_text("utf-8")
            yield claim, source.splitlines()[int(found[2]) - 1]


def test_cited_lines_bear_the_claims_out(shipped: Shipped) -> None:
    checked = 0
    for claim, line in cited_lines(shipped):
        known = [source for words, source in SAID.items() if words in claim.text]
        said = re.sub(r"`[^`]*`", "", claim.text)
        wanted = known or [re.search(r"\d[\d-]*", said)[0]]  # type: ignore[index]
        assert all(re.search(rf"(?<!\d){re.escape(w)}(?!\d)", line) for w in wanted), (claim, line)
        checked += 1
    assert checked > 20


# What a decision has to say so that a claim that cites it is true.
DECIDED = {
    1: "PostgreSQL 15 for the ledger", 2: "one bounded queue in memory", 3: "JSON over HTTP",
    5: "OAuth2 is required for every endpoint", 6: "kept in PostgreSQL for 14 days",
    8: "retried 5 times with backoff",
}  # fmt: skip


def test_cited_decisions_stand_and_say_so(shipped: Shipped) -> None:
    cited = {int(n) for c in shipped.claims for n in re.findall(r"ADR-0*(\d+)", c.text)}
    assert cited == set(DECIDED)
    for number, words in DECIDED.items():
        (path,) = (Path(shipped.root) / "docs/adr").glob(f"{number:04}-*.md")
        text = path.read_text("utf-8")
        assert words in text
        assert "Status: accepted" in text


# A word of each claim that cites a commit -> a path that this commit has to touch.
TOUCHED = {
    "settings": "src/courier/config.py", "delivery queue": "src/courier/queue.py",
    "HTTP endpoints": "src/courier/api.py", "service configuration": "config/service.yaml",
    "decisions": "docs/adr/0001-postgresql-for-the-ledger.md",
    "renamed": "src/courier/delivery.py", "session work": "src/courier/sessions.py",
    "version of the queue": "src/courier/queue.py", "health": "src/courier/api.py",
}  # fmt: skip


def test_cited_commits_did_what_is_claimed(shipped: Shipped) -> None:
    claims = [(c, m[1]) for c in shipped.claims if (m := re.search(r"commit (\w+)\.", c.text))]
    assert len(claims) == 9
    for claim, oid in claims:
        (path,) = [path for word, path in TOUCHED.items() if word in claim.text]
        touched = git(shipped, "show", "-m", "--first-parent", "--name-only", "--format=", oid)
        assert path in touched.splitlines()


@pytest.mark.parametrize("path", ["src/courier/delivery.py", "src/courier/sessions.py"])
def test_cited_files_are_there(shipped: Shipped, path: str) -> None:
    assert os.path.isfile(f"{shipped.root}/{path}")
    assert any(f"`{path}`" in c.text for c in shipped.claims)


def test_every_true_claim_is_in_the_friction_table(shipped: Shipped) -> None:
    rows = {row.citation: row for row in friction(shipped)}
    assert sum(row.claims for row in rows.values()) == len(shipped.claims)
    assert set(rows) == {"path:line", "path", "link", "adr", "commit"}
    for kind in ("path:line", "link", "adr", "commit"):
        assert set(rows[kind].rules) <= {"verified-citation", "unsupported"}
    approved = sum(rows[kind].approved for kind in rows)
    assert approved >= 0.5 * len(shipped.claims)
