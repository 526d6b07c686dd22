"""Real coding agents, with a scripted model: what the model's next request holds is what counts.

They come from npm and run without network; asked for with `-m agents` (CONTRIBUTING.md)."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from real_agents import (
    CLAUDE,
    GEMINI,
    INTERPRETER,
    PLUGINS,
    REAL_AGENTS,
    WITH_PLUGINS,
    RealAgent,
    Session,
    run_session,
)
from repos import Repo
from scripted_model import Step

pytestmark = pytest.mark.agents

DOCUMENT = "memory-bank/progress.md"
CODE = '"""The gateway."""\n\nPORT = 8443\n\n\ndef start(port=PORT):\n    """Listen."""\n    return port\n'
NOTES = "# Notes\n\n- The gateway listens on port 8443 (`src/gateway.py:3`).\n"
RIGHT = "- The gateway is started in `src/gateway.py`."
WRONG = "- The gateway is started in `src/launch.py`."
OLD = "- The gateway is stopped in `src/halt.py`."
FINDING = f"{DOCUMENT}:3 refuted-citation[path]: src/launch.py: no such file."
AFTER, STOP, START = (
    "problems in the text you just wrote",
    "problems in changes since HEAD:\\n",
    "grounded-ingest checks claims in",
)
PAST = "these problems in the"
STOPLESS = {"opencode", "cline"}
"""Agents that ask nobody before they stop."""
STARTLESS = {"cline"}
"""Agents that start the hook of a session, and do not wait for its reply."""
ENDED_BY_REFUSAL = {"cline"}
"""Agents that end the session if a hook refuses a tool call; the model hears no reason."""

Run = Callable[..., Session]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/gateway.py": CODE, "memory-bank/notes.md": NOTES})
    return repo


@pytest.fixture(params=REAL_AGENTS, ids=lambda agent: agent.case or agent.name)
def agent(request: pytest.FixtureRequest) -> RealAgent:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def session(agent: RealAgent, repo: Repo, agents_cache: Path) -> Run:
    def run(*steps: Step, program: str = INTERPRETER) -> Session:
        ran = run_session(agent, agents_cache, repo, steps, program)
        assert ran.code == 0, ran.out
        assert ran.told, ran.out
        return ran

    return run


def page(*lines: str) -> str:
    return "\n".join(["# Progress", "", *lines, ""])


def stops(agent: RealAgent) -> int:
    """Requests that a stop adds where something is wrong: it is said once."""
    return 0 if agent.name in STOPLESS else 1


def test_the_next_request_holds_the_finding_and_the_stop_says_it_once(
    agent: RealAgent, repo: Repo, session: Run
) -> None:
    ran = session(agent.write(str(repo.root / DOCUMENT), page(WRONG)))
    assert len(ran.told) == 2 + stops(agent), ran.out
    assert FINDING not in ran.told[0]
    assert FINDING in ran.told[1]
    assert AFTER in ran.told[1]
    assert ran.told[-1].count(AFTER) == 1
    assert (START in ran.told[0]) == (agent.name not in STARTLESS)
    if stops(agent):
        assert STOP in ran.told[2]
    assert (repo.root / DOCUMENT).read_text("utf-8") == page(WRONG)


def test_nothing_is_said_where_nothing_is_wrong(agent: RealAgent, repo: Repo, session: Run) -> None:
    ran = session(agent.write(str(repo.root / DOCUMENT), page(RIGHT)))
    assert len(ran.told) == 2, ran.out
    assert not any(AFTER in told or STOP in told for told in ran.told)


def test_what_was_mended_is_not_said_again(agent: RealAgent, repo: Repo, session: Run) -> None:
    path = str(repo.root / DOCUMENT)
    ran = session(agent.write(path, page(WRONG)), agent.edit(path, WRONG, RIGHT))
    assert len(ran.told) == 3, ran.out
    assert FINDING in ran.told[1]
    assert ran.told[2].count(AFTER) == 1
    assert (repo.root / DOCUMENT).read_text("utf-8") == page(RIGHT)


def test_an_edit_is_told_of_its_own_lines(agent: RealAgent, repo: Repo, session: Run) -> None:
    repo.commit({DOCUMENT: page(RIGHT, OLD)})
    ran = session(agent.edit(str(repo.root / DOCUMENT), RIGHT, WRONG))
    assert FINDING in ran.told[1]
    assert "halt.py: no such file" not in ran.told[-1]


def test_what_a_command_wrote_is_said_at_the_stop(
    agent: RealAgent, repo: Repo, session: Run
) -> None:
    ran = session(agent.shell(f"printf '%s\\n' '# Progress' '' '{WRONG}' > {DOCUMENT}"))
    assert (repo.root / DOCUMENT).read_text("utf-8") == page(WRONG)
    assert len(ran.told) == 2 + stops(agent), ran.out
    assert not stops(agent) or FINDING in ran.told[2]


def test_a_commit_past_the_hook_is_answered(agent: RealAgent, repo: Repo, session: Run) -> None:
    repo.write({DOCUMENT: page(WRONG)})
    ran = session(agent.shell("git add -A && git commit --no-verify -qm notes"))
    assert len(ran.told) == 2, ran.out
    assert PAST in ran.told[1]
    assert FINDING in ran.told[1]
    assert repo.git("log", "-1", "--format=%s") == "notes"


def test_strict_refuses_before_it_is_written(agent: RealAgent, repo: Repo, session: Run) -> None:
    repo.commit({".grounded-ingest.yaml": "preset: strict\npolicy: {refuted-citation: block}\n"})
    ran = session(agent.write(str(repo.root / DOCUMENT), page(WRONG)))
    assert not (repo.root / DOCUMENT).exists()
    if agent.name in ENDED_BY_REFUSAL:
        assert len(ran.told) == 1, ran.out
    else:
        assert len(ran.told) == 2, ran.out
        assert FINDING in ran.told[1]


def test_an_agent_that_goes_on_being_wrong_comes_to_an_end(
    agent: RealAgent, repo: Repo, session: Run
) -> None:
    steps: list[Step] = []
    for n in range(8):
        path = str(repo.root / f"memory-bank/progress-{n}.md")
        steps += [agent.write(path, page(WRONG)), {"text": "That is all."}]
    ran = session(*steps)
    assert len(ran.told) == 2 + 2 * stops(agent), ran.out


BROKEN = {
    "not there": "",
    "cannot be imported": "raise RuntimeError('a fault of ours')",
    "raises": (
        "import grounded_ingest.agents.conversation as c, grounded_ingest.__main__ as m\n"
        "def fail(*_): raise RuntimeError('a fault of ours')\n"
        "c.reply_to = fail\nm.main()"
    ),
    "is too old": "raise SystemExit(2)",
    "is killed": "import os; os.kill(os.getpid(), 9)",
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_failure_of_ours_breaks_no_session(
    agent: RealAgent, repo: Repo, session: Run, tmp_path: Path, how: str
) -> None:
    script = tmp_path / "broken.py"
    script.write_text(BROKEN[how], "utf-8")
    interpreter = sys.executable if BROKEN[how] else "/nowhere/bin/python"
    ran = session(
        agent.write(str(repo.root / DOCUMENT), page(WRONG)),
        agent.shell("git add -A && git commit --no-verify -qm notes"),
        program=shlex.join([interpreter, str(script)]),
    )
    assert len(ran.told) == 3, ran.out
    assert (repo.root / DOCUMENT).read_text("utf-8") == page(WRONG)
    assert repo.git("log", "-1", "--format=%s") == "notes"
    assert not any("fault of ours" in told or "refuted-citation" in told for told in ran.told)


@pytest.mark.parametrize("agent", WITH_PLUGINS, ids=lambda agent: agent.case, indirect=True)
def test_a_plugin_tells_what_the_hook_file_tells(
    agent: RealAgent, repo: Repo, session: Run
) -> None:
    ran = session(agent.write(str(repo.root / DOCUMENT), page(WRONG)))
    assert len(ran.told) == 3, ran.out
    assert START in ran.told[0]
    assert "grounded-memory" in ran.told[0]
    assert ran.told[1].count(FINDING) == 1
    assert STOP in ran.told[2]


VALIDATORS = {
    "claude": (CLAUDE, ["plugin", "validate", "--strict", str(PLUGINS / "claude-code")]),
    "gemini": (GEMINI, ["extensions", "validate", str(PLUGINS / "gemini")]),
}


@pytest.mark.parametrize("which", VALIDATORS)
def test_the_agent_accepts_its_plugin(which: str, agents_cache: Path, tmp_path: Path) -> None:
    agent, arguments = VALIDATORS[which]
    done = subprocess.run(
        [*agent.installed(agents_cache), *arguments], capture_output=True, text=True, check=False,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
