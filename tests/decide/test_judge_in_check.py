"""A configured judge in the pipeline: its opinions decide, what fails waits, and that is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from modelserver import ModelServer, opinion, saying, sound
from repos import NOTES, Repo, page

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.language.lexicon.judge_prompt import DENIAL
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, run

QUOTE = "PORT = 8443"
CLAIMS = (
    "The port is 8443 (`src/app.py:1`).",
    "The port is 9443 (`src/app.py:1`).",
    "Tenants never share a gateway (`src/app.py:1`).",
    "See `src/app.py:1` for more.",
    "Clients reach the port 8443 (`src/app.py:1`).",
    "Clients reach the port 8443 of `LISTEN_PORT` (`src/app.py:1`).",
    "Tenants share a disk (`src/app.py:1`).",
)
RULES = [
    "verified-citation", "contradicted-by-source", "unsupported", "verified-citation",
    "unsupported", "unsupported", "unsupported",
]  # fmt: skip


def report(
    tmp_path: Path,
    server: ModelServer | None,
    more: str = "",
    top: str = "",
    *,
    online: bool = True,
) -> Report:
    repo = Repo(tmp_path / "repo")
    url = f"{server.url}/v1" if server else "https://models.example/v1"
    allowed = f"network: {{allow: ['{server.host}']}}\n" if server else ""
    config = f"judge: {{kind: openai, base_url: '{url}', model: small{more}}}\n{allowed}{top}"
    repo.commit({"src/app.py": f"{QUOTE}\n", ".grounded-ingest.yaml": config})
    repo.commit({NOTES: page(*CLAIMS)})
    variable = more.partition("key_env: ")[2]
    grants = [f"judge {url} {variable}", *([f"allow {server.host}"] if server else [])]
    with pytest.MonkeyPatch.context() as patch, Opened(str(repo.root), own=False) as opened:
        patch.setenv("GROUNDED_INGEST_GRANT", "\n".join(grants))
        result = run(opened, Asked("all"), Options(online=online))
        result.kb.index.close()
    return result.report


def rules(told: Report) -> list[str]:
    return [d.rule for d in told.decisions if d.place.path == NOTES]


@pytest.mark.parametrize(
    ("verdict", "first"),
    [
        ("supported", "verified-citation"),
        ("unsupported", "unsupported"),
        ("contradicted", "contradicted-by-source"),
    ],
)
def test_an_opinion_lowers_what_the_rules_support(tmp_path: Path, verdict: str, first: str) -> None:
    quote, missing = "" if verdict == "unsupported" else QUOTE, ("8443",)
    said = opinion(verdict, quote, *(missing if verdict != "supported" else ()))
    with ModelServer(saying(said)) as server:
        told = report(tmp_path, server)
    assert rules(told) == [first, *RULES[1:]]
    changed = [e.network for d in told.decisions for e in d.evidence if d.place.path == NOTES]
    assert changed == [verdict != "supported", *[False] * 6]
    assert len(server.posted) == 1


@pytest.mark.parametrize(
    ("top", "lifted"),
    [
        ("", "verified-citation"),
        ("preset: strict\n", "verified-citation"),
        ("approve_at: quote\n", "unsupported"),
    ],
)
def test_only_where_it_is_configured_a_paraphrase_is_lifted(
    tmp_path: Path, top: str, lifted: str
) -> None:
    """Not what force forbids (3), what names what the source does not (6), nor by a quote of
    something else (7)."""
    with ModelServer(sound(opinion("supported", QUOTE))) as server:
        told = report(tmp_path, server, ", may_support: true", top)
    assert rules(told) == [*RULES[:4], lifted, "unsupported", "unverified-citation"]
    asked = [json.loads(p["messages"][1]["content"])["untrusted"] for p in server.posted]
    assert sorted(a["claim"] for a in asked) == [
        "Clients reach the port 8443.",
        f"{DENIAL}Clients reach the port 8443.",
        "Tenants share a disk.",
        "The port is 8443.",
    ]
    assert {"kind": "heading", "text": "Notes"} in asked[0]["context"]
    (one,) = [
        d for d in told.decisions if d.place.claim.text.startswith("Clients reach the port 8443 (")
    ]
    assert one.strength == ("judge" if lifted == "verified-citation" else None)


def test_a_judge_that_says_yes_to_everything_lifts_nothing(tmp_path: Path) -> None:
    with ModelServer(saying(opinion("supported", QUOTE))) as server:
        told = report(tmp_path, server, ", may_support: true")
    assert rules(told) == [*RULES[:4], "unverified-citation", "unsupported", "unverified-citation"]


@pytest.mark.parametrize("answer", ["I think it is supported.", opinion("supported", "PORT = 1")])
def test_an_answer_that_is_none_leaves_the_claim_waiting(tmp_path: Path, answer: str) -> None:
    with ModelServer(saying(answer)) as server:
        told = report(tmp_path, server)
    assert rules(told) == ["unverified-citation", *RULES[1:]]
    (first, *_) = [e for d in told.decisions for e in d.evidence if d.place.path == NOTES]
    assert first.reason.startswith("judge: ")
    assert first.network


def test_offline_the_rules_decide_and_that_is_said(tmp_path: Path) -> None:
    told = report(tmp_path, None, online=False)
    assert rules(told) == RULES
    assert [(p.rule, p.tier) for p in told.problems] == [("judge", 0)]


def test_a_missing_key_leaves_claims_waiting_and_is_said(tmp_path: Path) -> None:
    told = report(tmp_path, None, ", key_env: NOT_SET_JUDGE_KEY")
    assert rules(told) == ["unverified-citation", *RULES[1:]]
    assert "NOT_SET_JUDGE_KEY" in next(p.message for p in told.problems if p.rule == "judge")
