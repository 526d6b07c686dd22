"""`grounded-ingest verify`: input of every sort, exit codes, JSON, the repository's own
memories."""

from __future__ import annotations

import json

import pytest
from clirepo import Repo

MEMORIES = [
    {"id": "a", "text": "User works at Nokia", "trust": 0.9, "timestamp": "2024-01-01"},
    {"id": "b", "text": "User lives in Turin", "trust": 0.9},
]


@pytest.fixture
def place(repo: Repo) -> Repo:
    (repo.root / "m.json").write_text(json.dumps(MEMORIES), "utf-8")
    return repo


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("You work at Nokia", 0, "grounded:"),
        ("You work at Ericsson", 1, "“Ericsson”: the memories state another value: Nokia [a]"),
        ("Hello!", 0, "nothing could be checked"),
        ("Вы работаете в компании Нокиа", 0, "nothing could be checked"),
        ("Nokia fired you.", 1, "“fired”: no memory states this"),
    ],
)
def test_the_verdict_is_the_exit_code(place: Repo, text: str, code: int, said: str) -> None:
    ran = place.ask("verify", "--text", text, "--memories", "m.json")
    assert (ran.code, said in ran.out) == (code, True), ran


def test_json_has_every_field(place: Repo) -> None:
    ran = place.ask(
        "verify",
        "--text",
        "You work at Ericsson",
        "--memories",
        "m.json",
        "--output-format",
        "json",
    )
    assert ran.code == 1
    found = ran.json
    assert found["schema"] == "grounded-ingest/verification/1"
    assert set(found) >= {
        "grounded", "checked", "hallucinations", "contradictions", "requires_disclosure", "expected_disclosure",
        "corrected", "grounding_map", "confidence", "facts", "scope",
    }  # fmt: skip
    assert found["hallucinations"][0]["expected"] == "Nokia"
    assert found["corrected"] == "You work at Nokia"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--text", "x"], "there is nothing to compare the text with"),
        (["--memories", "m.json"], "expected exactly one text to verify"),
        (
            ["--text", "x", "-", "--memories", "m.json"],
            "expected exactly one text to verify",
        ),
        (["--text", "x", "--memories", "gone.json"], "gone.json"),
        (["--text-file", "gone.txt", "--memories", "m.json"], "gone.txt"),
        (["--text", "x", "--source", "gone.md"], "gone.md"),
        (["--text", "x", "--source", "binary.md"], "binary.md"),
        (
            ["--text", "x", "--memories", "m.json", "--memories", "m.json"],
            "the id 'a' is already used at",
        ),
        (["--text", "x", "--memories", "bad.json"], "`trust` is 7"),
    ],
)
def test_bad_input_is_exit_code_2(place: Repo, args: list[str], said: str) -> None:
    (place.root / "binary.md").write_bytes(b"\0\1\2\xff")
    (place.root / "bad.json").write_text('[{"id": "a", "text": "x", "trust": 7}]', "utf-8")
    ran = place.ask("verify", *args)
    assert (ran.code, said in ran.err) == (2, True), ran


def test_the_rule_of_trust_is_the_repositorys(place: Repo) -> None:
    place.commit("src/server.py", "GATEWAY_PORT = 8443\nGATEWAY_PORT = 9000\n")
    off = "policy: {contradiction: 'off'}\n"  # else the second claim would be no memory
    place.commit(".grounded-ingest.yaml", off)
    claims = (
        "- The gateway listens on port 8443 (`src/server.py:1`).\n",
        "- The port of the gateway is 9000 (`src/server.py:2`).\n",
    )
    place.commit("docs/facts.md", f"# Facts\n\n{claims[0]}")
    place.commit("docs/more.md", f"# More\n\n{claims[1]}")
    ask = ("verify", "--knowledge-base", "--text", "The gateway listens on port 8443")
    before = place.ask(*ask)
    place.commit(".grounded-ingest.yaml", f"{off}trust: {{threshold: 0.95}}\n")
    assert (before.code, place.ask(*ask).code) == (1, 0), before


def test_the_knowledge_base_is_what_landed_with_its_places(place: Repo) -> None:
    place.commit("src/server.py", "GATEWAY_PORT = 8443\nTIMEOUT = 30\n")
    claim = "- The gateway listens on port 8443 (`src/server.py:1`).\n"
    place.commit("memory/facts.md", f"# Facts\n\n{claim}")
    ran = place.ask(
        "verify",
        "--text",
        "The gateway listens on port 8443",
        "--knowledge-base",
        "--output-format",
        "json",
    )
    assert ran.code == 0, ran
    assert "memory/facts.md:3" in str(ran.json["grounding_map"])
    ran = place.ask("verify", "--text", "The gateway listens on port 9000", "--knowledge-base")
    assert (ran.code, "8443" in ran.out) == (1, True)


TERMS = "Payment shall be made within thirty (30) days. A late fee of 1.5% per month is charged.\n"


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("The late fee is 1.5%.", 0, "supported (quantitative)"),
        ("The late fee is 5%.", 1, "the source says 1.5%, the claim 5%"),
        ("Payment is due within 30 days.", 0, "supported (temporal)"),
        ("Payment is due within 60 days.", 1, "the source says 30 days, the claim 60 days"),
        ("The moon is full.", 1, "unsupported"),
        ("Payment is due within 30 days. The moon is full.", 1, "1 supported, 1 unsupported"),
        ("", 1, "nothing to compare"),
    ],
)
def test_only_a_text_whose_claims_are_all_supported_exits_with_0(
    repo: Repo, text: str, code: int, said: str
) -> None:
    """A text of which nothing is said in the source used to pass."""
    (repo.root / "terms.txt").write_text(TERMS, "utf-8")
    asked = ("verify", "--text", text, "--source", "terms.txt")
    ran = repo.ask(*asked)
    assert (ran.code, said in ran.out) == (code, True), ran
    as_json = repo.ask(*asked, "--output-format", "json").json
    assert (as_json["schema"], as_json["method"]) == ("grounded-ingest/support/1", "by words")
    assert as_json["should_return"] is (code == 0)


def test_all_sources_are_read(repo: Repo) -> None:
    (repo.root / "terms.txt").write_text(TERMS, "utf-8")
    (repo.root / "other.txt").write_text("Invoices are sent in euros.\n", "utf-8")
    for sources in (("terms.txt", "other.txt"), ("other.txt", "terms.txt")):
        given = [option for name in sources for option in ("--source", name)]
        assert repo.ask("verify", "--text", "Payment is due within 30 days.", *given).code == 0


def test_a_source_does_not_work_together_with_memories(place: Repo) -> None:
    ran = place.ask("verify", "--text", "x", "--source", "m.json", "--memories", "m.json")
    assert (ran.code, "once with --source" in ran.err) == (2, True)
