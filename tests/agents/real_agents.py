"""The coding agents that can be run without their model: how each is installed, pointed at another
model, and what its tools are called."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from repos import Repo
from scripted_model import Json, Step

from grounded_ingest.agents.registry import AGENTS

MODEL = Path(__file__).with_name("scripted_model.py")
PROMPT = "Write down what you know of the gateway."
SECONDS = 240
"""For one session; OpenCode waits for the registry of npm before it gives it up."""
NOWHERE = "http://127.0.0.1:9"
INTERPRETER = f"{sys.executable} -m grounded_ingest"
CACHE = "GROUNDED_INGEST_AGENTS"
"""Names the directory that agents are installed into, and asks for the tests that run them."""
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())


class Place(NamedTuple):
    """Where a session takes place."""

    repo: Path
    home: Path
    port: int

    @property
    def model(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class RealAgent(NamedTuple):
    """One agent. `case` is how it is run, where that is not its only way; `plugin` the folder that
    holds its hooks in place of the file that the shape writes; `program` is a pattern below node_modules; `files` are written into the home
    directory or, where they begin with `repo/`, into the repository."""

    name: str
    package: str
    program: str
    arguments: Callable[[str], list[str]]
    environment: Callable[[Place], dict[str, str]]
    files: Callable[[Place], dict[str, str]]
    write: Callable[[str, str], Step]
    edit: Callable[[str, str, str], Step]
    shell: Callable[[str], Step]
    case: str = ""
    plugin: str = ""

    def installed(self, cache: Path) -> list[str]:
        """The command that starts it, from the newest package that npm has; asked for once in a
        run of the tests."""
        place = cache / self.name
        place.mkdir(parents=True, exist_ok=True)
        with (place / "asked-for-by").open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            if file.read() != RUN:
                npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
                subprocess.run([*npm, "--prefix", place, f"{self.package}@latest"], check=True)
                file.truncate(0)
                file.write(RUN)
        found = sorted((place / "node_modules").glob(self.program))
        assert found, f"{self.package} has no {self.program} for this {platform.machine()}"
        return [*(["node"] if found[0].suffix == ".js" else []), str(found[0])]

    def version(self, cache: Path) -> str:
        manifest = cache / self.name / "node_modules" / self.package / "package.json"
        return json.loads(manifest.read_text("utf-8"))["version"] if manifest.exists() else ""


class Session(NamedTuple):
    """What is left of a session: its exit code, what it printed, and what its model was sent."""

    code: int
    out: str
    requests: list[Json]

    @property
    def told(self) -> list[str]:
        """The requests of the conversation, each as JSON."""
        bodies = [r["body"] for r in self.requests if r["conversation"]]
        return [json.dumps(b, ensure_ascii=False) for b in bodies]


def run_session(
    agent: RealAgent, cache: Path, repo: Repo, script: Sequence[Step], program: str
) -> Session:
    """A session with these steps of the model, without network, in a repository whose hook files
    call `program`."""
    place = Place(repo.root, repo.root.parent / "home", _free_port())
    for hook in () if agent.plugin else AGENTS[agent.name].installed(program, {}):
        _put(repo.root / hook.path, hook.text)
        if hook.executable:
            (repo.root / hook.path).chmod(0o755)
    for path, text in agent.files(place).items():
        below = path.removeprefix("repo/")
        _put((place.repo if below != path else place.home) / below, text)
    log, steps = place.home / "requests.jsonl", place.home / "script.json"
    _put(steps, json.dumps(script))
    log.unlink(missing_ok=True)
    command = [*agent.installed(cache), *agent.arguments(PROMPT)]
    code, out = _alone(
        [sys.executable, str(MODEL), str(place.port), str(steps), str(log), *command], agent, place
    )
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    return Session(code, out, [json.loads(line) for line in lines])


def _alone(command: list[str], agent: RealAgent, place: Place) -> tuple[int, str]:
    """Run a command in a network namespace of its own; where that may not be, with every proxy
    leading nowhere."""
    if _may_unshare():
        command = [*UNSHARE, *command]
    with subprocess.Popen(
        command, cwd=place.repo, env=_environment(agent, place), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    ) as ran:  # fmt: skip
        try:
            out, _ = ran.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(ran.pid, signal.SIGKILL)
            out, _ = ran.communicate()
            return -signal.SIGKILL, out.decode(errors="replace")
    return ran.returncode, out.decode(errors="replace")


UNSHARE = ["unshare", *([] if os.getuid() == 0 else ["--map-root-user"]), "--net"]


def _may_unshare() -> bool:
    if not shutil.which("unshare"):
        return False
    return subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode == 0


def _environment(agent: RealAgent, place: Place) -> dict[str, str]:
    """Nothing of this machine but PATH: no account, no settings, no cache."""
    home = str(place.home)
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE)
    return {
        "PATH": f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}", "HOME": home, "LANG": "C.UTF-8", "TERM": "dumb",
        "XDG_CONFIG_HOME": f"{home}/.config", "XDG_CACHE_HOME": f"{home}/.cache",
        "XDG_DATA_HOME": f"{home}/.local/share", "XDG_STATE_HOME": f"{home}/.local/state",
        "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
        "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost",
        **proxies, **agent.environment(place),
    }  # fmt: skip


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _nothing(place: Place) -> dict[str, str]:
    del place
    return {}


def _call(tool: str, **given: object) -> Step:
    return {"tool": tool, "input": given}


CLAUDE = RealAgent(
    "claude", "@anthropic-ai/claude-code", "@anthropic-ai/claude-code-*/claude",
    lambda prompt: ["-p", prompt, "--output-format", "json", "--allowedTools", "Bash Write Edit Read"],
    lambda place: {
        "ANTHROPIC_BASE_URL": place.model, "ANTHROPIC_API_KEY": "sk-scripted",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
    },
    _nothing,
    lambda path, text: _call("Write", file_path=path, content=text),
    lambda path, old, new: _call("Edit", file_path=path, old_string=old, new_string=new),
    lambda command: _call("Bash", command=command, description="Commit"),
)  # fmt: skip


def _patch(kind: str, path: str, *lines: str) -> Step:
    patch = "\n".join(["*** Begin Patch", f"*** {kind} File: {path}", *lines, "*** End Patch"])
    return {"tool": "apply_patch", "input": patch, "free": True}


def _codex(place: Place, model: str) -> dict[str, str]:
    return {
        ".codex/config.toml": (
            f'model = "{model}"\nmodel_provider = "scripted"\n[model_providers.scripted]\n'
            f'name = "scripted"\nbase_url = "{place.model}/v1"\nwire_api = "responses"\n'
            f'env_key = "SCRIPTED_KEY"\n[projects."{place.repo}"]\ntrust_level = "trusted"\n'
        )
    }


CODEX = RealAgent(
    "codex", "@openai/codex", "@openai/codex-*/vendor/*/bin/codex",
    lambda prompt: [
        "exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox",
        "--json", prompt,
    ],
    lambda place: {"SCRIPTED_KEY": "scripted", "CODEX_HOME": str(place.home / ".codex")},
    lambda place: _codex(place, "gpt-5.5"),
    lambda path, text: _patch("Add", path, *(f"+{line}" for line in text.splitlines())),
    lambda path, old, new: _patch("Update", path, "@@", f"-{old}", f"+{new}"),
    lambda command: _call("exec_command", cmd=command),
)  # fmt: skip


def _program(step: Step) -> Step:
    """A call of a tool as the program that newer models write to call it."""
    called = f"text(await tools.{step['tool']}({json.dumps(step['input'])}))"
    return {"tool": "exec", "input": called, "free": True, "namespace": "functions"}


CODEX_PROGRAMS = CODEX._replace(
    case="codex-programs",
    files=lambda place: _codex(place, "gpt-6-sol"),
    write=lambda path, text: _program(CODEX.write(path, text)),
    edit=lambda path, old, new: _program(CODEX.edit(path, old, new)),
    shell=lambda command: _program(CODEX.shell(command)),
)

GEMINI = RealAgent(
    "gemini", "@google/gemini-cli", "@google/gemini-cli/bundle/gemini.js",
    lambda prompt: ["-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-flash"],
    lambda place: {
        "GOOGLE_GEMINI_BASE_URL": place.model, "GEMINI_API_KEY": "scripted",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    },
    lambda _: {
        ".gemini/settings.json": json.dumps(
            {"security": {"auth": {"selectedType": "gemini-api-key"}}}
        )
    },
    lambda path, text: _call("write_file", file_path=path, content=text),
    lambda path, old, new: _call(
        "replace", file_path=path, old_string=old, new_string=new, instruction="Mend it."
    ),
    lambda command: _call("run_shell_command", command=command),
)  # fmt: skip

COPILOT = RealAgent(
    "copilot", "@github/copilot", "@github/copilot-*/copilot",
    lambda prompt: ["-p", prompt, "--trust-folder", "--allow-all-tools"],
    lambda place: {
        "COPILOT_PROVIDER_BASE_URL": f"{place.model}/v1", "COPILOT_PROVIDER_API_KEY": "scripted",
        "COPILOT_MODEL": "gpt-4.1", "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false",
    },
    _nothing,
    lambda path, text: _call("create", path=path, file_text=text),
    lambda path, old, new: _call("edit", path=path, old_str=old, new_str=new),
    lambda command: _call("bash", command=command, description="Commit"),
)  # fmt: skip

OPENCODE = RealAgent(
    "opencode", "opencode-ai", "opencode-*/bin/opencode",
    lambda prompt: ["run", prompt],
    lambda _: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "npm_config_fetch_retries": "0"},
    lambda place: {
        "repo/opencode.json": json.dumps(
            {
                "model": "scripted/scripted",
                "provider": {
                    "scripted": {
                        "npm": "@ai-sdk/openai-compatible",
                        "options": {"baseURL": f"{place.model}/v1", "apiKey": "scripted"},
                        "models": {"scripted": {"name": "scripted", "tool_call": True}},
                    }
                },
            }
        )
    },
    lambda path, text: _call("write", filePath=path, content=text),
    lambda path, old, new: _call("edit", filePath=path, oldString=old, newString=new),
    lambda command: _call("bash", command=command, description="Commit"),
)  # fmt: skip

CLINE = RealAgent(
    "cline", "cline", "@cline/cli-*/bin/cline",
    lambda prompt: [prompt],
    lambda _: {"CLINE_SESSION_BACKEND_MODE": "local"},
    lambda place: {
        ".cline/data/settings/providers.json": json.dumps(
            {
                "version": 1,
                "lastUsedProvider": "openai-compatible",
                "modes": {},
                "providers": {
                    "openai-compatible": {
                        "settings": {
                            "provider": "openai-compatible", "apiKey": "scripted",
                            "model": "scripted", "baseUrl": f"{place.model}/v1",
                        },
                        "updatedAt": "2026-11-28T00:00:00.000Z",
                        "tokenSource": "manual",
                    }
                },
            }
        )
    },
    lambda path, text: _call("editor", path=path, new_text=text),
    lambda path, old, new: _call("editor", path=path, old_text=old, new_text=new),
    lambda command: _call("run_commands", commands=[command]),
)  # fmt: skip

PLUGINS = Path(__file__).parents[2] / "plugins"
CLAUDE_PLUGIN = CLAUDE._replace(
    case="claude-plugin",
    plugin="claude-code",
    arguments=lambda prompt: [
        *CLAUDE.arguments(prompt),
        "--plugin-dir",
        str(PLUGINS / "claude-code"),
    ],
)


def _extension(place: Place) -> dict[str, str]:
    folder = PLUGINS / "gemini"
    files = [path for path in folder.rglob("*") if path.is_file()]
    below = ".gemini/extensions/grounded-ingest"
    copied = {f"{below}/{path.relative_to(folder)}": path.read_text("utf-8") for path in files}
    return {**GEMINI.files(place), **copied}


GEMINI_EXTENSION = GEMINI._replace(case="gemini-extension", plugin="gemini", files=_extension)

WITH_PLUGINS = (CLAUDE_PLUGIN, GEMINI_EXTENSION)
REAL_AGENTS = (CLAUDE, CODEX, CODEX_PROGRAMS, GEMINI, COPILOT, OPENCODE, CLINE)
