"""Support in the pipeline: what a source says decides, and only what may bear witness is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, page

from grounded_ingest.model.claims import Decision, Support, Tier

ADR = "# 8. Retries with backoff\n\nStatus: accepted\n\n## Decision\n\nA delivery is retried 5 times.\n"
CODE = "HOST = 'db'\nPORT = 8443\n\n\ndef retry(attempts=5):\n    return attempts\n"
LANDED: Files = {
    "src/app.py": CODE,
    "config/limits.yaml": "upload:\n  limit_mb: 20\n",
    "docs/adr/0008-retries.md": ADR,
    "docs/adr/0009-ledger.md": ADR.replace("8. Retries with backoff", "9. Ledger").replace(
        "A delivery is retried 5 times.", "The ledger is kept in PostgreSQL."
    ),
    "docs/guide.md": page(
        "The service has port 8443 (`src/app.py:2`).", "The cache holds 9000 sessions."
    ),
    "data/facts.txt": "The archive keeps 40 volumes.\nThe archive keeps 41 maps.\n",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.commit({"src/queue.py": "LIMIT = 10\n"}, "Add the queue with a limit of 10 jobs")
    repo.commit(LANDED, "Start")
    return repo


def outcome(decided: Decision) -> tuple[str, list[str]]:
    return decided.rule, [e.support.value for e in decided.own_evidence]


S, U, C, N = "supported", "unsupported", "contradicted", "nothing-to-compare"


@pytest.mark.parametrize(
    ("claim", "rule", "support"),
    [
        ("The port is 8443 (`src/app.py:2`).", "verified-citation", [S]),
        ("The port is 9443 (`src/app.py:2`).", "contradicted-by-source", [C]),
        ("The ledger is sharded by tenant (`src/app.py:2`).", "unsupported", [U]),
        ("A delivery is retried 5 times (ADR-8).", "verified-citation", [S]),
        ("A delivery is retried 7 times (ADR-8).", "contradicted-by-source", [C]),
        ("Sessions are kept in Redis (ADR-8).", "contamination", [U]),
        ("See ADR-8.", "verified-citation", [N]),
        ("Uploads have a limit of 20 MB, `config/limits.yaml` says.", "verified-citation", [S]),
        ("Sessions end after 90 days, `config/limits.yaml` says.", "ungrounded", [U]),
        ("The port is 8443 (`src/app.py:2`), and it is retried 5 times (ADR-8).",
         "verified-citation", [S, S]),
        ("The port is 8443 (`src/app.py:2`, ADR-9).", "unsupported", [S, U]),
        ("A delivery is retried 5 times (ADRs 8-9).", "verified-citation", [S, S]),
        ("Sessions are kept in Redis (ADRs 8-9).", "unsupported", [U, U]),
        ("The port is 8443 (`docs/guide.md:3`).", "verified-citation", [S]),
        ("The archive keeps 40 volumes (`data/facts.txt:1`).", "verified-citation", [S]),
        ("The archive keeps 41 maps (`data/facts.txt:1`).", "unsupported", [U]),
    ],
)  # fmt: skip
def test_what_the_source_says_decides(
    repo: Repo, claim: str, rule: str, support: list[str]
) -> None:
    assert outcome(repo.judge(claim)) == (rule, support)


NOT = "# 10. Names\n\nStatus: accepted\n\n## Decision\n\nNames are {}, never typed by a user.\n"


@pytest.mark.parametrize(
    "claim",
    [
        "Names are typed by users (ADR-10).",
        "Names are typed by a user (ADR-10).",
        "`config/limits.yaml` has a limit of 90 MB.",
    ],
)
def test_what_is_denied_elsewhere_is_not_approved(repo: Repo, claim: str) -> None:
    repo.commit({"docs/adr/0010-names.md": NOT.format("derived from content")})
    assert not repo.judge(claim).approved


def test_a_whole_file_stops_no_commit(repo: Repo) -> None:
    decided = repo.judge("The port is 9443, `src/app.py` says.")
    assert outcome(decided) == ("ungrounded", [U])


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        ("guide.md#ports", "verified-citation"),
        ("guide.md#hosts", "ungrounded"),
        ("guide.md#no-such-section", "refuted-citation"),
    ],
)
def test_an_anchor_names_the_section_that_is_read(repo: Repo, target: str, rule: str) -> None:
    said = "The service has port 8443 (`src/app.py:2`)."
    guide = f"# Guide\n\n## Ports\n\n{said}\n\n## Hosts\n\nThe host is `db` (`src/app.py:1`).\n"
    repo.commit({"docs/guide.md": guide})
    decided = repo.judge(f"Its service has port 8443 today, as [the guide](../docs/{target}) says.")
    assert decided.rule == rule, decided.own_evidence


@pytest.mark.parametrize(
    ("action", "tier"), [("", Tier.REVIEW), ("block", Tier.BLOCK), ("off", Tier.REVIEW)]
)
def test_a_contradiction_waits_unless_base_says_otherwise(
    repo: Repo, action: str, tier: Tier
) -> None:
    if action:
        rule = f"policy: {{contradicted-by-source: '{action}'}}\n"
        repo.commit({".grounded-ingest.yaml": rule})
    decided = repo.judge("The port is 9443 (`src/app.py:2`).")
    assert (decided.tier, decided.rule == "contradicted-by-source") == (tier, action != "off")


def test_a_contradiction_names_its_quote(repo: Repo) -> None:
    decided = repo.judge("The port is 9443 (`src/app.py:2`).")
    (found,) = decided.own_evidence
    assert (found.quote, found.line) == ("PORT = 8443", 2)
    assert "8443" in found.reason
    assert "9443" in found.reason


def test_a_commit_bears_witness_by_message_paths_and_lines(repo: Repo) -> None:
    start = repo.git("rev-parse", "HEAD~1")[:12]
    told = {
        "The queue with its limit of 10 jobs came with": S,
        "The queue with its limit of 12 jobs came with": U,
        "The billing exporter was rewritten in": U,
        "Fixed in": N,
    }
    found = {claim: outcome(repo.judge(f"{claim} commit {start}."))[1] for claim in told}
    assert found == {claim: [support] for claim, support in told.items()}


def test_an_inherited_citation_grounds_by_a_strict_quote_alone(repo: Repo) -> None:
    repo.stage({NOTES: page("Its settings are in `src/app.py:2`. The port is 8443.",
                            "Its settings are in `src/app.py:2`. The port is open.")})  # fmt: skip
    told = {d.place.claim.text: d.rule for d in repo.decisions()}
    assert told["The port is 8443."] == "verified-citation"
    assert told["The port is open."] == "ungrounded"


@pytest.mark.parametrize(
    ("staged", "claim"),
    [
        ({"src/app.py": f"# The ledger is sharded by tenant.\n{CODE}"},
         "The ledger is sharded by tenant (`src/app.py:3`)."),
        ({"src/new.py": "# Sessions end after 90 days.\nX = 1\n"},
         "Sessions end after 90 days, `src/new.py` says."),
        ({"data/facts.txt": "The archive keeps 90 volumes.\n"},
         "The archive keeps 90 volumes, `data/facts.txt` says."),
        ({}, "The cache holds 9000 sessions, `docs/guide.md` says."),
        ({}, "The cache holds 9000 sessions (`docs/guide.md:3`)."),
        ({"docs/adr/0008-retries.md": ADR.replace("5 times", "9 times")},
         "A delivery is retried 9 times (ADR-8)."),
    ],
    ids=["comment beside", "comment in a new file", "data", "document", "beside", "decision"],
)  # fmt: skip
def test_words_of_this_change_bear_nothing_out(repo: Repo, staged: Files, claim: str) -> None:
    repo.stage(staged)
    decided = repo.judge(claim)
    assert not decided.approved, decided.own_evidence


def test_a_pointer_bears_no_witness(repo: Repo) -> None:
    repo.commit({"docs/more.md": page("See ADR-8.")})
    decided = repo.judge("See what is said there (`docs/more.md:3`).")
    assert decided.rule == "unverified-citation"
    assert decided.own_evidence[0].support is Support.EXISTENCE_ONLY
