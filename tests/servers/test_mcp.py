"""The MCP server, asked by the SDK's own client: every tool, resource, prompt, error and limit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from repos import Repo
from servers import Server, liar

from grounded_ingest import check
from grounded_ingest.config.files import FILE as CONFIG
from grounded_ingest.servers.mcp_server import MOST, mcp_server
from grounded_ingest.servers.session import Session
from grounded_ingest.version import __version__

PROJECT = Path(__file__).parents[2]
DOCUMENT = "memory-bank/progress.md"
GROUNDED = "The gateway listens on port 8443 (`src/app.py:2`)."
UNGROUNDED = "Sessions are stored in PostgreSQL for one day."
GUESS = "I think we should use Redis for the session cache."
PAGE = f"# Progress\n\n{GROUNDED}\n\n{UNGROUNDED}\n"
SOURCE = 'HOST = "db"\nGATEWAY_PORT = 8443\n'
QUOTED = "Per ADR-1, the retry limit is 5."
DECIDED = {
    "docs/adr/0001-retries.md": "# 1. Retries\n\nStatus: Accepted\n\n## Decision\n\nThe retry limit is 5.\n",
    "memory-bank/tech.md": f"# Tech\n\n{QUOTED}\n",
}
TOOLS = {"check_text", "check", "explain", "prove", "recall", "verify", "status"}
T = TypeVar("T")
Asked = Callable[[Client], Awaitable[T]]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A source and a document that cites it, committed; the process stands in it."""
    for name in [n for n in os.environ if n.startswith(("GIT_", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    made = Repo(tmp_path / "work")
    made.git("config", "user.email", "ada@example.org")
    made.commit({"src/app.py": SOURCE})
    made.commit({DOCUMENT: PAGE})
    monkeypatch.chdir(made.root)
    return made


def asked(repo: Repo, ask: Asked[T]) -> T:
    """What a client gets from a server of the repository, in this process."""

    async def main() -> T:
        async with Client(mcp_server(Session(str(repo.root)), "grounded-ingest")) as client:
            return await ask(client)

    return anyio.run(main)


def called(repo: Repo, tool: str, **arguments: Any) -> Any:
    """The structured answer of a tool that answers; it is what its schema says."""

    async def ask(client: Client) -> Any:
        schemas = {t.name: t.output_schema for t in (await client.list_tools()).tools}
        done = await client.call_tool(tool, arguments)
        assert not done.is_error, done.content
        found = done.structured_content
        Draft202012Validator(schemas[tool] or {}).validate(found)
        assert json.loads(done.content[0].text) == found
        return found

    return asked(repo, ask)


def refused(repo: Repo, tool: str, **arguments: Any) -> str:
    """What a tool says that does not answer."""

    async def ask(client: Client) -> str:
        done = await client.call_tool(tool, arguments)
        assert done.is_error
        assert done.structured_content is None
        return str(done.content[0].text)

    return asked(repo, ask)


def resource(repo: Repo, uri: str) -> str:
    async def ask(client: Client) -> str:
        return str((await client.read_resource(uri)).contents[0].text)

    return asked(repo, ask)


def rules(answer: Any) -> list[str]:
    return [f["rule"] for f in answer["findings"]]


def test_tools_that_only_read(repo: Repo) -> None:
    tools = asked(repo, lambda client: client.list_tools()).tools
    assert {t.name for t in tools} == TOOLS
    for tool in tools:
        assert tool.description
        assert tool.annotations
        assert tool.annotations.read_only_hint
        assert tool.annotations.idempotent_hint
        assert tool.annotations.destructive_hint is tool.annotations.open_world_hint is False
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema or {})
        assert (tool.output_schema or {})["properties"]


def test_a_text_is_judged_before_it_is_written(repo: Repo) -> None:
    said = called(repo, "check_text", path=DOCUMENT, text=f"{PAGE}\n{GUESS}\n\nTea is green.\n")
    assert rules(said) == ["speculation"]
    assert (said["documents"], said["errors"], said["warnings"]) == (1, 1, 0)
    (finding,) = said["findings"]
    assert finding["severity"] == "error"
    assert (finding["path"], finding["line"], finding["claim"]) == (DOCUMENT, 7, GUESS)
    assert "label it as open" in finding["message"]
    assert (repo.root / DOCUMENT).read_text("utf-8") == PAGE


def test_a_true_text_is_passed_in_silence(repo: Repo) -> None:
    text = f"{PAGE}\nThe host is `db` (`src/app.py:1`).\n"
    said = called(repo, "check_text", path=str(repo.root / DOCUMENT), text=text)
    assert (said["errors"], said["findings"], said["notes"]) == (0, [], [])
    assert said["references"] == {"hold": 1, "wrong": 0, "unknown": 0, "skipped": 0}


def test_a_text_of_code_says_what_it_makes_wrong(repo: Repo) -> None:
    said = called(repo, "check_text", path="src/app.py", text='HOST = "db"\n')
    assert rules(said) == ["refuted-citation[line]"]
    assert said["findings"][0]["path"] == DOCUMENT
    assert "src/app.py is not a document, so its claims were not checked" in said["notes"][0]


def test_a_check_is_of_one_scope(repo: Repo) -> None:
    assert called(repo, "check")["documents"] == 0
    whole = called(repo, "check", paths=["."])
    assert (whole["documents"], whole["references"]["hold"]) == (1, 1)
    assert called(repo, "check", paths=["nope.md"])["notes"] == [
        "nope.md: not a document of this repository"
    ]
    assert called(repo, "check", range="HEAD~1..HEAD")["references"]["hold"] == 1
    repo.write({DOCUMENT: f"{PAGE}\n{GUESS}\n"})
    assert rules(called(repo, "check")) == ["speculation"]
    repo.git("add", "-A")
    staged = called(repo, "check", staged=True)
    assert (rules(staged), staged["references"]["hold"]) == (["speculation"], 0)


def test_a_long_answer_is_cut_and_counted(repo: Repo) -> None:
    guesses = "\n\n".join(f"I think port {n} is free on host {n}." for n in range(MOST + 4))
    said = called(repo, "check_text", path="memory-bank/new.md", text=f"# New\n\n{guesses}\n")
    assert len(said["findings"]) == MOST
    assert said["left_out"] == 4
    assert said["errors"] == MOST + 4


def test_what_is_muted_for_the_command_is_muted_here(repo: Repo) -> None:
    settings = "per_file_ignores:\n  memory-bank/**: [speculation]\n"
    repo.commit({".grounded-ingest.yaml": settings, DOCUMENT: f"{PAGE}\n{GUESS}\n"})
    assert rules(called(repo, "check", paths=["."])) == []


def test_explain_says_why(repo: Repo) -> None:
    (decided,) = called(repo, "explain", place=f"{DOCUMENT}:3")["decisions"]
    assert (decided["rule"], decided["tier"]) == ("cited", 2)
    assert decided["citations"][0]["quote"] == "GATEWAY_PORT = 8443"
    assert decided["places"]["src/app.py:2"] == [[1, 'HOST = "db"'], [2, "GATEWAY_PORT = 8443"]]
    by_id = called(repo, "explain", place=decided["id"][:8])["decisions"]
    by_words = called(repo, "explain", place=UNGROUNDED)["decisions"]
    assert ([d["rule"] for d in by_id], [d["rule"] for d in by_words]) == (
        ["cited"],
        ["ungrounded"],
    )
    none = called(repo, "explain", place=f"{DOCUMENT}:1")
    assert (none["note"], none["decisions"]) == (
        f"{DOCUMENT}:1 does not contain a claim: a heading",
        [],
    )


def test_recall_answers_from_what_is_grounded_or_not_at_all(repo: Repo) -> None:
    question = "what is the retry limit?"
    repo.commit(DECIDED)
    found = called(repo, "recall", question=question)
    assert [r["claim"] for r in found["results"]] == [QUOTED]
    assert found["results"][0]["evidence"][0]["target"] == "ADR-0001"
    none = called(repo, "recall", question="where are sessions stored?")
    assert (none["answered"], none["results"]) == (False, [])
    assert none["reason"].startswith("no grounded claim answers the question")
    assert not called(repo, "recall", question=question, types=["episodic"])["answered"]
    assert not called(repo, "recall", question=question, budget=3)["results"]


def test_verify_goes_by_the_repository_or_by_what_is_given(repo: Repo) -> None:
    repo.commit(DECIDED)
    assert called(repo, "verify", text=QUOTED)["grounded"]
    assert not called(repo, "verify", text=UNGROUNDED)["grounded"]
    memories = [{"id": 1, "text": "I live in Paris."}]
    said = called(repo, "verify", text="I live in Rome.", memories=memories)
    assert (said["verdict"], said["corrected"]) == ("ungrounded", "I live in Paris.")
    assert said["hallucinations"][0]["memory_ids"] == ["1"]
    memories = [
        {"id": "old", "text": "I work at Microsoft.", "timestamp": "2020-01-01"},
        {"id": "new", "text": "I work at Amazon.", "timestamp": 1704067200},
    ]
    said = called(repo, "verify", text="I work at Amazon.", memories=memories)
    assert said["expected_disclosure"] == "Amazon (changed from Microsoft)"
    assert said["contradictions"][0]["memory_ids"] == ["old", "new"]


def test_status_counts(repo: Repo) -> None:
    found = called(repo, "status")
    assert found["classes"]["memory"]["documents"] == 1
    assert found["references"] == {"hold": 1, "wrong": 0, "unknown": 0, "skipped": 0}
    assert found["rules"] == {"cited": 1, "ungrounded": 1}
    assert (found["configuration"]["preset"], found["hook"]["installed"]) == ("default", "")


def test_resources(repo: Repo) -> None:
    templates = asked(repo, lambda client: client.list_resource_templates()).resource_templates
    assert [t.uri_template for t in templates] == ["grounded://rule/{name}"]
    assert resource(repo, "grounded://rule/speculation").startswith(
        "speculation (tier 3, block; severity error)"
    )


def test_a_resource_that_is_not_there_names_the_one_that_is(repo: Repo) -> None:
    async def ask(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("grounded://rule/dupicate")
        return caught.value.error.message

    assert asked(repo, ask) == "unknown rule: dupicate\ndid you mean duplicate?"


def test_the_prompt_asks_the_tools_there_are(repo: Repo) -> None:
    async def ask(client: Client) -> str:
        (prompt,) = (await client.list_prompts()).prompts
        assert [(a.name, a.required) for a in prompt.arguments or ()] == [
            ("fact", True),
            ("path", False),
        ]
        arguments = {"fact": "The port is 8443.", "path": DOCUMENT}
        return str((await client.get_prompt(prompt.name, arguments)).messages[0].content.text)

    text = asked(repo, ask)
    assert text.startswith(f"Write this into `{DOCUMENT}`: The port is 8443.")
    assert set(re.findall(r"Call `(\w+)`", text)) <= TOOLS


OUTSIDE = ("../beside.md", "/etc/passwd", "{beside}", "leads/beside.md", "src/../../beside.md")


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_the_repository_is_looked_at(path: str, repo: Repo) -> None:
    beside = repo.root.parent / "beside.md"
    beside.write_text("# Beside\n\nThe secret is 4711.\n", encoding="utf-8")
    (repo.root / "leads").symlink_to(repo.root.parent)
    path = path.format(beside=beside)
    for said in (
        refused(repo, "check_text", path=path, text="Tea is green.\n"),
        refused(repo, "check", paths=[DOCUMENT, path]),
    ):
        assert "outside the repository" in said
        assert "give the path of a file in this repository" in said
    lines = asked(repo, lambda client: client.call_tool("explain", {"place": f"{path}:3"}))
    assert "4711" not in lines.content[0].text
    assert lines.is_error == (path != "leads/beside.md")  # of a link only that it is one


def test_roots_of_the_client_open_nothing(repo: Repo) -> None:
    """A client that lists another directory as its root is answered from here."""
    other = Repo(repo.root.parent / "other")
    other.commit({"CLAUDE.md": f"# Other\n\n{GUESS}\n"})

    async def roots(_: Any) -> Any:
        from mcp.types import ListRootsResult, Root

        return ListRootsResult(roots=[Root(uri=other.root.as_uri())])

    async def main() -> Any:
        server = mcp_server(Session(str(repo.root)), "grounded-ingest")
        async with Client(server, list_roots_callback=roots) as client:
            whole = await client.call_tool("check", {"paths": ["."]})
            there = await client.call_tool("check", {"paths": [str(other.root)]})
            return whole.structured_content, there.content[0].text

    whole, there = anyio.run(main)
    assert rules(whole) == []
    assert "outside the repository" in there


ERRORS: dict[str, tuple[str, dict[str, Any], str]] = {
    "two scopes": ("check", {"staged": True, "range": "A..B"}, "pass only one of paths, staged and"),
    "no range": ("check", {"range": "main"}, "expected A..B"),
    "no such revision": ("check", {"range": "nope..HEAD"}, "unknown revision: nope"),
    "no such claim": ("explain", {"place": "purple elephants"}, "give a claim's id, words from a claim"),
    "no question": ("recall", {"question": " "}, "ask in words"),
    "no such type": ("recall", {"question": "port", "types": ["nope"]}, "'semantic', 'episodic'"),
    "no budget": ("recall", {"question": "port", "budget": 0}, "greater than or equal to 1"),
    "no text": ("check_text", {"path": DOCUMENT}, "Field required"),
    "an empty memory": ("verify", {"text": "x", "memories": [{"id": 1, "text": ""}]}, "a memory is"),
    "too much trust": ("verify", {"text": "x", "memories": [{"id": 1, "text": "y", "trust": 2}]}, "trust"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_the_way_out(name: str, repo: Repo) -> None:
    tool, arguments, way_out = ERRORS[name]
    assert way_out in refused(repo, tool, **arguments)


def test_a_crash_is_no_answer_and_ends_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr("grounded_ingest.servers.mcp_server.status_of", crash)

    async def ask(client: Client) -> tuple[Any, Any]:
        return await client.call_tool("status", {}), await client.call_tool("check", {})

    crashed, after = asked(repo, ask)
    assert crashed.is_error
    assert not after.is_error


def test_a_check_tells_how_far_it_is(repo: Repo) -> None:
    told: list[tuple[float, str | None]] = []

    async def heard(done: float, total: float | None, message: str | None) -> None:
        assert total is None
        told.append((done, message))

    async def ask(client: Client) -> Any:
        return await client.call_tool("check", {"paths": ["."]}, progress_callback=heard)

    asked(repo, ask)
    assert [n for n, _ in told] == list(range(1, len(told) + 1))
    assert told[0][1] == "reading documents"


def test_questions_at_once_are_answered(repo: Repo) -> None:
    async def ask(client: Client) -> list[Any]:
        found: list[Any] = []

        async def one(place: str) -> None:
            found.append(await client.call_tool("explain", {"place": place}))

        async with anyio.create_task_group() as group:
            for line in (1, 3, 5) * 3:
                group.start_soon(one, f"{DOCUMENT}:{line}")
        return found

    assert [a.is_error for a in asked(repo, ask)] == [False] * 9


def test_nothing_is_written_and_nothing_approved(repo: Repo) -> None:
    def state() -> dict[str, bytes]:
        files = (p for p in repo.root.rglob("*") if p.is_file())
        kept = ".git/grounded-ingest"  # the index, which every command keeps
        paths = {p.relative_to(repo.root).as_posix(): p for p in files}
        return {n: p.read_bytes() for n, p in paths.items() if not n.startswith(kept)}

    before = state()
    text = f"{PAGE}\n{GUESS}\n"
    called(repo, "check_text", path=DOCUMENT, text=text)
    called(repo, "check_text", path="memory-bank/new.md", text=text)
    for arguments in ({}, {"paths": ["."]}, {"staged": True}, {"range": "HEAD~1..HEAD"}):
        called(repo, "check", **arguments)
    called(repo, "explain", place=f"{DOCUMENT}:5")
    called(repo, "recall", question="which port?")
    called(repo, "verify", text=UNGROUNDED)
    called(repo, "status")
    for uri in ("grounded://rule/ungrounded",):
        resource(repo, uri)
    assert state() == before
    assert called(repo, "status")["tiers"]["tier_1"] == 0


def test_the_network_is_left_alone(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though it is granted what the command then asks."""
    with Server(liar) as site:
        monkeypatch.setenv("GROUNDED_INGEST_GRANT", f"allow {site.host}")
        text = f"{PAGE}\nThe page is at {site.url}/ok now.\n"
        repo.commit({CONFIG: f'network: {{allow: ["{site.host}"]}}\n'})
        repo.stage({DOCUMENT: text})
        called(repo, "check_text", path=DOCUMENT, text=f"{text}\nSee {site.url}/ok for more.\n")
        called(repo, "check")
        called(repo, "explain", place=f"{DOCUMENT}:7")
        called(repo, "recall", question="which page?")
        called(repo, "verify", text=f"The page is at {site.url}/ok now.")
        called(repo, "status")
        assert site.seen == []
        check(str(repo.root))
        assert site.seen


def started(repo: Repo, where: str = ".") -> StdioServerParameters:
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = ["-W", "error", "-m", "grounded_ingest", "mcp"]
    return StdioServerParameters(
        command=sys.executable, args=command, env=env, cwd=repo.root / where
    )


def test_the_command_serves_its_repository_on_standard_input(repo: Repo) -> None:
    """Started below the root as well: paths count from the root."""

    async def main() -> tuple[Any, Any, Any]:
        async with Client(started(repo, "src")) as client:
            assert client.server_info
            assert (client.server_info.name, client.server_info.version) == (
                "grounded-ingest",
                __version__,
            )
            assert "check_text" in (client.instructions or "")
            return (
                await client.call_tool("check_text", {"path": DOCUMENT, "text": PAGE + GUESS}),
                await client.call_tool("check", {"paths": [str(repo.root.parent)]}),
                await client.call_tool("explain", {"place": f"{DOCUMENT}:3"}),
            )

    text, outside, explained = anyio.run(main)
    assert rules(text.structured_content) == ["speculation"]
    assert outside.is_error
    assert explained.structured_content["decisions"][0]["rule"] == "cited"


def ran(code: str, where: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    start = "import sys; sys.argv = ['grounded-ingest', 'mcp']\n"
    end = "\nfrom grounded_ingest.__main__ import main; main()"
    return subprocess.run(
        [sys.executable, "-c", start + code + end], cwd=where, env=env, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("module", ["mcp", "pydantic"])
def test_without_the_extra_it_says_what_to_install(module: str, repo: Repo) -> None:
    done = ran(f"sys.modules[{module!r}] = None", repo.root)
    assert (done.returncode, done.stdout) == (2, "")
    first, second = done.stderr.splitlines()
    assert first == f"grounded-ingest: the MCP server needs the Python package {module}"
    assert second.startswith("  install it: ")
    assert "[mcp]" in second


def test_outside_of_a_repository_it_does_not_start(tmp_path: Path) -> None:
    done = ran("", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not in a git repository\n  run: git init" in done.stderr


def test_it_ends_with_its_client(repo: Repo) -> None:
    done = ran("", repo.root)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


ODD = {
    "NUL": "memory-bank/a\0b.md", "half a character": "\ud800.md", "outside": "/etc/passwd",
    "above": "../../x.md", "digits": f"memory-bank/progress.md:{'9' * 5000}",
    "huge": "a/" * 50_000, "nothing": "", "an option": "--all", "git's own": ".git/config",
}  # fmt: skip


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_any_text_ends_in_an_answer_or_an_error_of_ours(repo: Repo, text: str) -> None:
    asks: tuple[tuple[str, dict[str, Any]], ...] = (
        ("check_text", {"path": text, "text": "x"}),
        ("check_text", {"path": "memory-bank/new.md", "text": text}),
        ("check", {"paths": [text]}),
        ("check", {"range": f"{text}..HEAD"}),
        ("explain", {"place": text}),
        ("recall", {"question": text}),
        ("verify", {"text": text}),
        ("verify", {"text": "x", "memories": [{"id": text, "text": text, "timestamp": text}]}),
    )

    async def main(client: Client) -> list[str]:
        answers = [await client.call_tool(tool, arguments) for tool, arguments in asks]
        return [a.content[0].text for a in answers if a.is_error]

    for said in asked(repo, main):
        assert re.match(r"Error executing tool \w+: .", said), said
        assert "this is a bug" not in said
        assert len(said) < 1200


def test_a_bug_in_us_is_an_error_that_says_so(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Session, path: str) -> str:
        raise ZeroDivisionError("\x1b[31m")

    monkeypatch.setattr(Session, "from_root", fail)
    said = refused(repo, "check_text", path="a.md", text="x")
    assert "this is a bug (ZeroDivisionError: \\u001b[31m); please report it" in said
