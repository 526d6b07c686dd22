"""The configured judge in a check: whom it is asked about, what its answers do, what fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from modelserver import ModelServer, Poster, asked_of, completion, opinion, reply, saying, scripted
from repos import NOTES, Repo, page

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Decision
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.as_text import render
from grounded_ingest.report.formats import PLAIN
from grounded_ingest.repository.scope import Asked
from grounded_ingest.text.lexicon.judge_prompt import DENIAL

QUOTE = "PORT = 8443"
CODE = {"src/app.py": f"{QUOTE}\n"}
REACH = "Clients reach the port 8443."
CITED = "Clients reach the port 8443 (`src/app.py:1`)."
YES = opinion("supported", QUOTE)


def check(
    repo: Repo, server: ModelServer | None, more: str = "", *, since: str = "", online: bool = True
) -> Report:
    """Checks everything, or a range, with the judge behind a server granted."""
    url = f"{server.url}/v1" if server else "https://models.example/v1"
    variable = more.partition("key_env: ")[2]
    grants = [f"judge {url} {variable}", *([f"allow {server.host}"] if server else [])]
    asked = Asked("range", start=since) if since else Asked("all")
    with pytest.MonkeyPatch.context() as patch, Opened(str(repo.root), own=False) as opened:
        patch.setenv("GROUNDED_INGEST_GRANT", "\n".join(grants))
        result = run(opened, asked, Options(online=online))
        result.kb.index.close()
    return result.report


def configured(server: ModelServer | None, more: str = "") -> str:
    url = f"{server.url}/v1" if server else "https://models.example/v1"
    allowed = f"network: {{allow: ['{server.host}']}}\n" if server else ""
    return f"judge: {{kind: openai, base_url: '{url}', model: small{more}}}\n{allowed}"


def report(
    tmp_path: Path,
    server: ModelServer | None,
    *claims: str,
    more: str = ", may_support: true",
    online: bool = True,
) -> list[Decision]:
    """Checks a repository whose base holds the code and the configuration."""
    repo = Repo(tmp_path / "repo")
    repo.commit({**CODE, ".grounded-ingest.yaml": configured(server, more)})
    repo.commit({NOTES: page(*claims)})
    told = check(repo, server, more, online=online)
    return [d for d in told.decisions if d.place.path == NOTES]


def rules(decisions: list[Decision]) -> list[str]:
    return [d.rule for d in decisions]


def test_a_confirmed_yes_is_tier_1_where_base_says_that_it_counts(tmp_path: Path) -> None:
    """A yes approves if base's configuration sets `may_support`; the denial is asked too."""
    with ModelServer(scripted({REACH: YES})) as server:
        found = report(tmp_path, server, CITED)
        assert asked_of(server) == [REACH, f"{DENIAL}{REACH}"]
    assert rules(found) == ["judged"]
    assert int(found[0].tier) == 1


def test_without_may_support_a_yes_changes_nothing(tmp_path: Path) -> None:
    """By default a yes changes no decision."""
    with ModelServer(scripted({REACH: YES})) as server:
        found = report(tmp_path, server, CITED, more="")
    assert rules(found) == ["cited"]


@pytest.mark.parametrize(
    "claim",
    [
        "See `src/app.py:1`.",
        "Clients reach the port 9443 (`src/app.py:1`).",
        "Clients reach the port 844 (`src/app.py:1`).",
        "Clients reach the port 8443 of `LISTEN_PORT` (`src/app.py:1`).",
        "Clients reach the port 8443.",
        "Clients reach the port 8443 (`src/gone.py:1`).",
    ],
    ids=["a pointer", "a number", "part of a number", "a code span", "no source", "a wrong source"],
)
def test_what_it_is_not_asked_about(tmp_path: Path, claim: str) -> None:
    """A pointer says nothing; a number or a code span has no other words, and a model overlooks
    that it is missing."""
    with ModelServer(saying(YES)) as server:
        found = report(tmp_path, server, claim)
    assert server.posted == []
    assert "judged" not in rules(found)


def test_who_says_yes_to_the_denial_too_approves_nothing(tmp_path: Path) -> None:
    """A model that says yes to everything approves nothing."""
    with ModelServer(saying(YES)) as server:
        (found,) = report(tmp_path, server, CITED)
    assert found.rule == "cited"
    assert (
        found.evidence[0].reason == "judge: no verdict: the model supports the claim and its denial"
    )


def test_a_yes_whose_denial_got_no_answer_approves_nothing(tmp_path: Path) -> None:
    """The control question has to be answered."""

    def fails_then(handler: Poster) -> None:
        denied = DENIAL in handler.asked["messages"][1]["content"]
        reply(handler, completion("" if denied else YES))

    with ModelServer(fails_then) as server:
        (found,) = report(tmp_path, server, CITED)
    assert found.rule == "cited"
    assert found.evidence[0].reason == "judge: the answer has no text"


def test_a_no_with_a_quote_is_a_warning_that_shows_it(tmp_path: Path) -> None:
    """Also without `may_support`: a doubt approves nothing."""
    with ModelServer(scripted({REACH: opinion("contradicted", QUOTE, "reach")})) as server:
        repo = Repo(tmp_path / "repo")
        repo.commit({**CODE, ".grounded-ingest.yaml": configured(server)})
        repo.commit({NOTES: page(CITED)})
        told = check(repo, server)
    (line,) = (row for row in render(told, PLAIN).splitlines() if "judge-denies" in row)
    assert (
        "src/app.py:1: “PORT = 8443”; the judge model finds that the source contradicts these words: reach."
        in line
    )
    assert "1 warning in" in render(told, PLAIN)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            "I think it is supported.",
            "judge: the answer is not a JSON object with exactly the keys `quote`, `verdict`, `missing`",
        ),
        (opinion("supported", "PORT = 1"), "judge: the quote in the answer is not in the source"),
        (opinion("contradicted", ""), "judge: the answer has no quote"),
        (
            opinion("unsupported", "", "reach"),
            "the judge model does not find these words in the source: reach",
        ),
    ],
)
def test_what_fails_leaves_the_claim_as_it_is_and_says_why(
    tmp_path: Path, answer: str, reason: str
) -> None:
    """An answer that does not count changes no decision; `explain` shows why."""
    with ModelServer(saying(answer)) as server:
        (found,) = report(tmp_path, server, CITED)
    assert (found.rule, found.evidence[0].reason) == ("cited", reason)


@pytest.mark.parametrize("title", ["Rejected ideas", "None of this holds any more"])
def test_a_heading_that_takes_the_claim_back_outweighs_a_yes(tmp_path: Path, title: str) -> None:
    """The judge is asked whether the source says it; the document says that it is not so."""
    with ModelServer(scripted({REACH: YES})) as server:
        repo = Repo(tmp_path / "repo")
        config = configured(server, ", may_support: true")
        repo.commit({**CODE, ".grounded-ingest.yaml": config})
        repo.commit({NOTES: f"# Notes\n\n## {title}\n\n- {CITED}\n"})
        told = check(repo, server)
    assert [d.rule for d in told.decisions if d.place.path == NOTES] == ["cited"]


def test_a_judged_claim_proves_nothing_for_another(tmp_path: Path) -> None:
    """The second claim cites the document of the first: a judge's yes is no source."""
    other = f"Ports are told to clients (`{NOTES}:5`)."
    with ModelServer(scripted({REACH: YES})) as server:
        found = report(tmp_path, server, CITED, other)
    assert rules(found) == ["judged", "cited"]


def test_a_change_cannot_write_what_the_judge_reads(tmp_path: Path) -> None:
    """The change edits the cited file so that it says what its new claim says."""
    with ModelServer(scripted({REACH: opinion("supported", "clients reach 8443")})) as server:
        repo = Repo(tmp_path / "repo")
        config = configured(server, ", may_support: true")
        repo.commit({**CODE, ".grounded-ingest.yaml": config, NOTES: page()})
        repo.git("switch", "-q", "-c", "change")
        repo.commit({"src/app.py": f"{QUOTE}  # clients reach 8443\n", NOTES: page(CITED)})
        told = check(repo, server, since="main")
    assert server.posted == []
    assert [d.rule for d in told.decisions if d.place.path == NOTES] == ["cited"]


def test_a_change_cannot_choose_or_trust_its_judge(tmp_path: Path) -> None:
    """`may_support` and the address are read from base's configuration."""
    with ModelServer(saying(YES)) as server:
        repo = Repo(tmp_path / "repo")
        repo.commit({**CODE, NOTES: page()})
        repo.git("switch", "-q", "-c", "change")
        config = configured(server, ", may_support: true")
        repo.commit({".grounded-ingest.yaml": config, NOTES: page(CITED)})
        told = check(repo, server, since="main")
    assert server.posted == []
    assert [d.rule for d in told.decisions if d.place.path == NOTES] == ["cited"]


def test_offline_it_is_not_asked_and_that_is_said(tmp_path: Path) -> None:
    """An offline run reports that the configured judge was not asked."""
    repo = Repo(tmp_path / "repo")
    repo.commit({**CODE, ".grounded-ingest.yaml": configured(None)})
    repo.commit({NOTES: page(CITED)})
    told = check(repo, None, online=False)
    assert [d.rule for d in told.decisions if d.place.path == NOTES] == ["cited"]
    assert [(p.rule, p.tier) for p in told.problems] == [("judge", 0)]


def test_a_missing_key_is_said_once_and_beside_the_claim(tmp_path: Path) -> None:
    """A missing key is one note of the run and a reason at each claim."""
    repo = Repo(tmp_path / "repo")
    more = ", key_env: NOT_SET_JUDGE_KEY"
    repo.commit({**CODE, ".grounded-ingest.yaml": configured(None, more)})
    repo.commit({NOTES: page(CITED)})
    told = check(repo, None, more)
    (found,) = (d for d in told.decisions if d.place.path == NOTES)
    assert found.rule == "cited"
    assert "NOT_SET_JUDGE_KEY" in found.evidence[0].reason
    assert "NOT_SET_JUDGE_KEY" in next(p.message for p in told.problems if p.rule == "judge")


def test_it_is_sent_the_claim_its_headings_and_the_source_and_no_more(tmp_path: Path) -> None:
    """No other text of the repository leaves the machine."""
    with ModelServer(scripted({REACH: YES})) as server:
        report(tmp_path, server, "Something else entirely.", CITED)
    sent = json.loads(server.posted[0]["messages"][1]["content"])["untrusted"]
    assert set(sent) == {"claim", "context", "source"}
    assert sent["claim"] == REACH
    assert {"kind": "heading", "text": "Notes"} in sent["context"]
    assert sent["source"]["cited"] == [[1, QUOTE]]


def test_a_claim_that_says_more_than_its_proofs_is_compared_with_them(tmp_path: Path) -> None:
    """The source is the text of the proofs, and the claim is the whole sentence."""
    claim = "Clients reach the settings' `src/app.py::PORT = 8443`."
    yes = opinion("supported", "src/app.py::PORT = 8443")
    with ModelServer(scripted({claim: yes})) as server:
        found = report(tmp_path, server, claim)
        assert asked_of(server) == [claim, f"{DENIAL}{claim}"]
    assert rules(found) == ["judged"]
    (evidence,) = [e for e in found[0].own_evidence if e.judged]
    assert (evidence.target, evidence.line) == ("src/app.py::PORT = 8443", 1)
