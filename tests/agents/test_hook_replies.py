"""`grounded-ingest hook`: what is wrong reaches the model of each agent, and nothing else does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from payloads import CLINE_IN_AN_EDITOR, COMMAND, START, STOP, WROTE, filled, written
from worktrees import Ran, WorkTree, environment, new_repository

from grounded_ingest.agents.conversation import LONGEST, MOST, skips_the_hook
from grounded_ingest.agents.registry import AGENTS, agent_of
from grounded_ingest.config.files import FILE

SCHEMAS = Path(__file__).parents[3] / "shared" / "data" / "agents" / "codex-hook-schemas.json"
TRUE = "The port is 8443 (`src/app.py:1`)."
FALSE = "The `src/gone.py` file starts the server."


class Spoken:
    """What the process left."""

    def __init__(self, ran: Ran) -> None:
        self.code, self.out, self.err = ran

    @property
    def text(self) -> str:
        """What reaches the model, in whatever field; of those that take none, what is printed."""
        try:
            said = json.loads(self.out)
        except ValueError:
            return self.out + self.err
        return "\n".join(_strings(said))


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [s for v in value.values() for s in _strings(v)]
    return [value] if isinstance(value, str) else []


class Elbow(WorkTree):
    """A repository in which an agent works."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, environment(root.parent))
        new_repository(root)
        self.write("src/app.py", "PORT = 8443\n\n\ndef serve():\n    return PORT\n")
        self.write("CLAUDE.md", f"# Notes\n\n{TRUE}\n")
        self.commit()

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x", "--no-verify")

    def add(self, text: str) -> str:
        """Write at the end of the document. Returns the text."""
        self.write("CLAUDE.md", f"{self.read('CLAUDE.md')}\n{text}\n")
        return text

    def told(self, payload: Any, agent: str = "auto") -> Spoken:
        given = payload if isinstance(payload, bytes) else written(payload)
        return Spoken(self.ask("hook", "--agent", agent, where="..", stdin=given))


@pytest.fixture
def elbow(tmp_path: Path) -> Elbow:
    root = tmp_path / "work"
    root.mkdir()
    return Elbow(root)


@pytest.mark.parametrize("name", AGENTS)
def test_the_payload_tells_the_agent(name: str) -> None:
    for payloads in (WROTE, COMMAND, STOP):
        if name in payloads:
            shape = agent_of(payloads[name])
            assert shape is not None
            assert shape.name == name


@pytest.mark.parametrize("name", AGENTS)
def test_what_is_wrong_with_an_edit_is_told(name: str, elbow: Elbow) -> None:
    text = elbow.add(FALSE)
    told = elbow.told(filled(WROTE[name], elbow.root, text), name)
    assert told.code == 0
    assert "CLAUDE.md:5 refuted-citation[path]: src/gone.py: no such file." in told.text
    assert told.err == ""


def test_clines_extension_and_its_command_line_are_one_agent(elbow: Elbow) -> None:
    payload = filled(CLINE_IN_AN_EDITOR, elbow.root, elbow.add(FALSE))
    assert "CLAUDE.md:5 refuted-citation[path]: src/gone.py" in elbow.told(payload, "cline").text


@pytest.mark.parametrize("name", AGENTS)
def test_nothing_wrong_is_silence(name: str, elbow: Elbow) -> None:
    text = elbow.add("Run the tests before you push.")
    told = elbow.told(filled(WROTE[name], elbow.root, text), name)
    assert (told.code, told.out, told.err) == (0, "", "")


def test_a_warning_is_told_of_what_is_written_and_of_nothing_else(elbow: Elbow) -> None:
    """A name that is gone is a warning: the agent hears it at its own line, once. At the end of a
    turn it hears only what would stop the commit."""
    text = elbow.add("The server is started by `src/app.py::launch`.")
    told = elbow.told(filled(WROTE["claude"], elbow.root, text), "claude")
    assert "CLAUDE.md:5 refuted-citation[symbol]: " in told.text
    assert elbow.told(filled(STOP["claude"], elbow.root, ""), "claude").out == ""
    more = elbow.add("Run the tests before you push.")
    assert elbow.told(filled(WROTE["claude"], elbow.root, more), "claude").out == ""


def test_a_heading_that_the_next_edit_may_write_is_left_to_the_stop(elbow: Elbow) -> None:
    """An agent writes the table of contents first, and the section in its next edit."""
    text = elbow.add("See [the ports](#ports).")
    payload = filled(WROTE["claude"], elbow.root, text)
    assert elbow.told(payload, "claude").out == ""
    assert "has no heading #ports" in elbow.told(filled(STOP["claude"], elbow.root, "")).text
    payload["tool_input"] = {"file_path": str(elbow.root / "CLAUDE.md"), "content": text}
    assert "has no heading #ports" in elbow.told(payload, "claude").text


def test_the_line_says_what_check_says(elbow: Elbow) -> None:
    """One fact, one message: an agent and a person read the same words."""
    text = elbow.add(FALSE)
    told = elbow.told(filled(WROTE["claude"], elbow.root, text), "claude")
    (line,) = [row for row in told.text.splitlines() if row.startswith("CLAUDE.md:5 ")]
    printed = elbow.ask("check", "--offline").out.splitlines()[0]
    rule, _, said = printed.partition(" ")[2].partition(": ")
    assert line == f'CLAUDE.md:5 {rule}: {said} "{FALSE}"'


@pytest.mark.parametrize("name", [n for n in AGENTS if n != "kiro"])
def test_what_somebody_else_wrote_is_not_told(name: str, elbow: Elbow) -> None:
    elbow.add(FALSE)
    text = elbow.add("Run the tests before you push.")
    assert elbow.told(filled(WROTE[name], elbow.root, text), name).out == ""


@pytest.mark.parametrize("name", AGENTS)
def test_a_commit_past_the_hook_is_answered(name: str, elbow: Elbow) -> None:
    elbow.add(FALSE)
    told = elbow.told(filled(COMMAND[name], elbow.root, "git commit --no-verify -am 'done'"), name)
    assert told.code == 0
    assert "--no-verify would skip these problems" in told.text
    assert "src/gone.py" in told.text
    plain = elbow.told(filled(COMMAND[name], elbow.root, "git commit -am 'done -n'"), name)
    assert (plain.code, plain.out, plain.err) == (0, "", "")


@pytest.mark.parametrize("name", AGENTS)
def test_a_strict_repository_refuses_a_commit_past_the_hook(name: str, elbow: Elbow) -> None:
    elbow.write(FILE, "preset: strict\n")
    elbow.commit()
    elbow.add("I think we should use Redis, maybe.")
    told = elbow.told(filled(COMMAND[name], elbow.root, "git commit -nam x"), name)
    refused = {
        "claude": '"permissionDecision": "deny"', "codex": '"permissionDecision": "deny"',
        "copilot": '"permissionDecision": "deny"', "gemini": '"decision": "block"',
        "cursor": '"permission": "deny"', "cline": '"cancel": true', "opencode": '"refused": true',
    }  # fmt: skip
    if name in refused:
        assert refused[name] in told.out
        assert told.code == 0
    else:
        assert (told.code, "speculation" in told.err) == (2, True)


@pytest.mark.parametrize("name", STOP)
def test_at_the_stop_everything_is_told_once(name: str, elbow: Elbow) -> None:
    elbow.add(FALSE)
    payload = filled(STOP[name], elbow.root, "")
    assert "src/gone.py" in elbow.told(payload, name).text
    assert elbow.told(payload, name).out == ""
    elbow.add("The `src/other.py` file stops the server.")
    again = elbow.told(payload | {"prompt": "Go on."}, name)  # Gemini CLI's is told once a turn
    assert "src/other.py" in again.text


@pytest.mark.parametrize("name", STOP)
def test_a_stop_that_a_hook_kept_is_let_go(name: str, elbow: Elbow) -> None:
    elbow.add(FALSE)
    payload = filled(STOP[name], elbow.root, "")
    payload |= {"loop_count": 1} if name == "cursor" else {"stop_hook_active": True}
    assert elbow.told(payload, name).out == ""


@pytest.mark.parametrize("name", START)
def test_a_session_starts_with_one_line(name: str, elbow: Elbow) -> None:
    told = elbow.told(filled(START[name], elbow.root, ""), name)
    assert "claims in 1 document" in told.text
    assert "recall" in told.text
    assert "\n" not in told.text.replace("SessionStart\n", "").strip()


def test_a_falsehood_in_a_strict_repository_is_refused_before_it_is_written(elbow: Elbow) -> None:
    elbow.write(FILE, "preset: strict\n")
    elbow.commit()
    payload = filled(WROTE["claude"], elbow.root, "I think we should use Redis, maybe.")
    payload |= {"hook_event_name": "PreToolUse", "tool_name": "Write"}
    payload["tool_input"] = {
        "file_path": str(elbow.root / "memory.md"), "content": "I think we should use Redis.\n"
    }  # fmt: skip
    (elbow.root / "memory-bank").mkdir()
    payload["tool_input"]["file_path"] = str(elbow.root / "memory-bank" / "notes.md")
    told = json.loads(elbow.told(payload).out)["hookSpecificOutput"]
    assert told["permissionDecision"] == "deny"
    assert "speculation" in told["permissionDecisionReason"]
    assert not (elbow.root / "memory-bank" / "notes.md").exists()
    elbow.write(FILE, "")  # loosened on disk: what has landed judges
    assert "deny" in elbow.told(payload).out


def test_code_that_takes_a_claims_ground_is_told(elbow: Elbow) -> None:
    elbow.add("The server starts in `src/app.py`.")
    elbow.commit()
    elbow.git("mv", "src/app.py", "src/main.py")
    payload = filled(WROTE["claude"], elbow.root, "")
    payload["tool_input"] = {"file_path": str(elbow.root / "src" / "app.py"), "content": ""}
    assert "CLAUDE.md:" in elbow.told(payload).text


def test_a_reply_is_short(elbow: Elbow) -> None:
    lines = [f"The `src/gone_{n}.py` file starts server {n}." for n in range(40)]
    text = elbow.add("\n\n".join(lines))
    said = elbow.told(filled(WROTE["claude"], elbow.root, text)).text
    assert len(said) <= LONGEST + len("PostToolUse\n")
    assert said.count("refuted-citation") <= MOST
    assert "more findings: run `" in said


@pytest.mark.parametrize(
    "given",
    [b"", b"nothing", b"[]", b"{}", b'{"hook_event_name": 7}', b"\xff\xfe", b'{"turn_id": []}'],
)
def test_a_failure_of_ours_is_said_to_the_person(given: bytes, elbow: Elbow) -> None:
    told = elbow.told(given)
    assert (told.code, told.out) == (0, "")
    assert not told.err or "nothing was checked" in told.err


@pytest.mark.parametrize("given", [b"", b"nothing", b"[]", b"{}"])
def test_without_a_payload_one_line_says_what_is_expected(given: bytes, elbow: Elbow) -> None:
    told = elbow.told(given)
    assert "expects on stdin the payload of a known coding agent's hook" in told.err
    assert (told.err.count("\n"), "Error" in told.err) == (1, False)


def test_outside_of_a_repository_nothing_is_told(tmp_path: Path, elbow: Elbow) -> None:
    payload = filled(WROTE["claude"], tmp_path, "x")
    told = elbow.told(payload)
    assert (told.code, told.out, told.err) == (0, "", "")


def test_a_file_elsewhere_is_not_told(tmp_path: Path, elbow: Elbow) -> None:
    payload = filled(WROTE["claude"], elbow.root, FALSE)
    payload["tool_input"]["file_path"] = str(tmp_path / "elsewhere.md")
    assert elbow.told(payload).out == ""


@pytest.mark.parametrize(
    ("command", "skips"),
    [
        ("git commit --no-verify", True), ("git commit -n", True), ("git commit -anm 'x'", True),
        ("cd a && git -C b commit -nm x", True), ("FOO=1 git commit -n", True),
        ("/usr/bin/git commit --no-verify -m 'x'", True), ("(git commit -n)", True),
        ("git commit -m -n", False), ("git commit -am -n -n", True), ("git commit -m 'say -n'", False), ("git commit -mn", False),
        ("git commit -- -n", False), ("git push --no-verify", False), ("echo git commit -n", False),
        ("git commit -m 'open", False), ("git log -n 3", False), ("", False),
        ("echo x\ngit commit -n", True), ("git commit -m 'a\n -n'", False),
    ],
)  # fmt: skip
def test_which_commands_skip_the_hook(command: str, skips: bool) -> None:
    assert skips_the_hook(command) is skips


@pytest.mark.skipif(not SCHEMAS.exists(), reason="the schemas are not at hand")
@pytest.mark.parametrize(
    ("kind", "payload"),
    [("post-tool-use", WROTE), ("pre-tool-use", COMMAND), ("stop", STOP), ("session-start", START)],
)
def test_what_codex_is_told_is_of_its_schema(
    kind: str, payload: dict[str, Any], elbow: Elbow
) -> None:
    text = FALSE if kind == "post-tool-use" else "git commit --no-verify -m x"
    elbow.add(FALSE)
    schema = json.loads(SCHEMAS.read_text(encoding="utf-8"))[f"{kind}.command.output"]
    told = elbow.told(filled(payload["codex"], elbow.root, text), "codex")
    jsonschema.validate(json.loads(told.out), schema)


def test_what_the_configuration_mutes_is_not_told(elbow: Elbow) -> None:
    elbow.write(FILE, "per_file_ignores:\n  CLAUDE.md: [refuted-citation]\n")
    elbow.commit()
    text = elbow.add(FALSE)
    assert elbow.told(filled(WROTE["claude"], elbow.root, text)).out == ""
