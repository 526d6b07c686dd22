"""`grounded-ingest daemon`: the same answers as a process of its own, sooner; and nobody else's."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, PROJECT, Ran, Repo

from grounded_ingest.config.files import FILE

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
OFF = {"GROUNDED_INGEST_DAEMON": "0"}


@pytest.fixture
def runtime(repo: Repo) -> Iterator[Path]:
    """The directory for what runs, in the environment of a repository: with a short path."""
    there = Path(mkdtemp(prefix="gi-"))
    repo.env["XDG_RUNTIME_DIR"] = str(there / "run")
    yield there / "run"
    shutil.rmtree(there)


@pytest.fixture
def daemon(repo: Repo, runtime: Path) -> Iterator[Repo]:
    """A repository in whose environment a daemon runs."""
    started = repo.ask("daemon", "start")
    assert started.code == 0, started
    yield repo
    repo.ask("daemon", "stop")


def process(repo: Repo) -> int:
    return int(repo.ask("daemon", "status").out.partition("process ")[2].rstrip(")\n"))


def alone(repo: Repo, *args: str, stdin: str = "") -> Ran:
    """The same command, in a process of its own."""
    command = (sys.executable, "-m", "grounded_ingest", *args)
    return repo.run(*command, stdin=stdin.encode(), **OFF)


def served(repo: Repo, *args: str, stdin: str = "") -> tuple[Ran, list[str]]:
    """What a command answers, and the modules of ours its own process imported for it."""
    code = (
        "import sys; from grounded_ingest import __main__ as m\n"
        "import os; leave = os._exit\n"
        "def told(code):\n"
        "    open('../modules', 'w').write(' '.join(sys.modules)); leave(code)\n"
        "os._exit = told\n"
        f"sys.argv = {['grounded-ingest', *args]!r}; m.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repo.root, env=repo.env, input=stdin.encode(),
        capture_output=True, check=False,
    )  # fmt: skip
    modules = (repo.root.parent / "modules").read_text(encoding="utf-8").split()
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode()), modules


COMMANDS = {
    "nothing to say": ("check", "--all", "--offline"),
    "findings": ("check", "--all", "--offline", "--fail-on", "review"),
    "json": ("check", "--all", "--offline", "--output-format", "json"),
    "usage": ("check", "--nope"),
    "no such file": ("check", "nowhere.md"),
    "coloured": ("check", "--all", "--offline", "--color", "always"),
    "recall": ("recall", "which port does the gateway listen on", "--offline"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_it_answers_as_a_process_of_its_own(name: str, daemon: Repo) -> None:
    daemon.commit(DOCUMENT, PAGE + f"\n{BLOCKED}\n\nNaïve — “quoted” ☃ text is kept.\n")
    there, modules = served(daemon, *COMMANDS[name])
    assert "grounded_ingest.pipeline" not in modules
    assert there == alone(daemon, *COMMANDS[name])


def test_standard_input_directory_and_environment_are_the_clients(daemon: Repo) -> None:
    memories = '{"id": "a", "text": "The gateway listens on port 8443."}\n'
    (daemon.root / "m.jsonl").write_text(memories, encoding="utf-8")
    args = ("verify", "--memory", "m.jsonl", "-")
    text = "The gateway listens on port 9000.\n"
    there, modules = served(daemon, *args, stdin=text)
    assert "grounded_ingest.grounding" not in modules
    assert there == alone(daemon, *args, stdin=text)
    below = Repo(daemon.root / "memory-bank", daemon.env)
    assert below.ask("check", "progress.md", "--offline") == alone(
        below, "check", "progress.md", "--offline"
    )
    index = {"GIT_INDEX_FILE": str(daemon.root / ".git" / "another")}
    other = Repo(daemon.root, daemon.env | index)
    assert other.ask("check", "--staged") == alone(other, "check", "--staged")
    daemon.ask("check", "--staged")


def test_what_one_command_set_the_next_does_not_see(daemon: Repo) -> None:
    daemon.commit(DOCUMENT, PAGE + f"\n{BLOCKED}\n")
    strict = daemon.ask("check", "--all", "--offline", "--fail-on", "block").code
    (daemon.root / FILE).write_text("preset: advisory\n", encoding="utf-8")
    loose = daemon.ask("check", "--all", "--offline")
    assert (strict, loose.code) == (1, 0)
    assert loose == alone(daemon, "check", "--all", "--offline")
    before = process(daemon)
    for _ in range(3):
        daemon.ask("check", "--all", "--offline")
    assert process(daemon) == before


def test_one_daemon_for_an_installation(daemon: Repo) -> None:
    again = daemon.ask("daemon", "start")
    assert (again.code, again.out) == (0, f"the daemon runs already (process {process(daemon)})\n")
    ended = daemon.ask("daemon", "stop")
    assert (ended.code, "ended" in ended.out) == (0, True)
    assert daemon.ask("daemon", "status") == Ran(1, "no daemon runs\n", "")
    assert daemon.ask("daemon", "stop").out == "no daemon runs\n"
    assert daemon.ask("check", "--all", "--offline").code == 0


def test_nothing_runs_that_nobody_asked_for(repo: Repo, runtime: Path) -> None:
    assert repo.ask("check", "--all", "--offline").code == 0
    assert not (runtime).exists()


def test_it_ends_when_nobody_asks(repo: Repo, runtime: Path) -> None:
    assert repo.ask("daemon", "start", "--idle", "0.03").code == 0
    there = process(repo)
    end = time.monotonic() + 30
    while os.path.exists(f"/proc/{there}") and time.monotonic() < end:
        time.sleep(0.1)
    assert repo.ask("daemon", "status").code == 1
    assert not list((runtime / "grounded-ingest" / "daemon").iterdir())


def test_code_that_changed_is_not_run(repo: Repo, runtime: Path, tmp_path: Path) -> None:
    """An update while a daemon runs: the command runs as it is installed now, and the daemon ends."""
    del runtime
    copy = tmp_path / "site"
    shutil.copytree(PROJECT / "grounded_ingest", copy / "grounded_ingest")
    repo.env |= {"PYTHONPATH": str(copy)}

    assert repo.ask("daemon", "start").code == 0
    module = copy / "grounded_ingest" / "cli" / "check_run.py"
    text = module.read_text(encoding="utf-8")
    module.write_text(
        text.replace(
            "def run_check(", "def run_check(*_):\n    print('new')\n    return 0\n\n\ndef old("
        )
    )
    assert repo.ask("check", "--all") == Ran(0, "new\n", "")
    assert repo.ask("daemon", "status").code == 1


def test_bytecode_that_it_writes_itself_changes_nothing(
    repo: Repo, runtime: Path, tmp_path: Path
) -> None:
    del runtime
    copy, bare = tmp_path / "site", shutil.ignore_patterns("__pycache__")
    shutil.copytree(PROJECT / "grounded_ingest", copy / "grounded_ingest", ignore=bare)
    repo.env |= {"PYTHONPATH": str(copy)}
    assert repo.ask("daemon", "start").code == 0
    before = process(repo)
    assert repo.ask("check", "--all", "--offline").code == 0
    assert process(repo) == before
    repo.ask("daemon", "stop")


@pytest.mark.parametrize("mode", [0o755, 0o777, 0o710])
def test_a_directory_others_may_enter_is_not_used(mode: int, repo: Repo, runtime: Path) -> None:
    there = runtime / "grounded-ingest" / "daemon"
    there.mkdir(parents=True)
    there.chmod(mode)
    started = repo.ask("daemon", "start")
    assert (started.code, "private directory" in started.err) == (2, True)


def test_a_link_in_the_place_of_the_directory_is_not_used(
    repo: Repo, runtime: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (runtime / "grounded-ingest").mkdir(parents=True)
    (runtime / "grounded-ingest" / "daemon").symlink_to(tmp_path / "elsewhere")
    assert repo.ask("daemon", "start").code == 2


def test_a_path_too_long_for_a_socket_is_said(repo: Repo, runtime: Path) -> None:
    repo.env["XDG_RUNTIME_DIR"] = str(runtime / ("long" * 30))
    started = repo.ask("daemon", "start")
    assert (started.code, "short" in started.err) == (2, True)
    assert repo.ask("check", "--all", "--offline").code == 0


def test_a_killed_daemon_leaves_a_socket_that_stops_nobody(daemon: Repo) -> None:
    os.kill(process(daemon), signal.SIGKILL)
    assert daemon.ask("check", "--all", "--offline").code == 0
    assert daemon.ask("daemon", "start").code == 0
    assert daemon.ask("daemon", "status").code == 0


def test_garbage_ends_nothing(daemon: Repo) -> None:
    (address,) = Path(daemon.env["XDG_RUNTIME_DIR"], "grounded-ingest", "daemon").iterdir()
    for said in (b"", b"R", b"R7\n", b"R99999999999\n", b"R5\nabcde", b"X", b"\xff" * 5000):
        with socket.socket(socket.AF_UNIX) as rude:
            rude.connect(str(address))
            rude.sendall(said)
    with socket.socket(socket.AF_UNIX) as rude:
        rude.connect(str(address))
        socket.send_fds(rude, [b"R"], [0, 1, 2])
        rude.sendall(b"3\na\0b")
    assert daemon.ask("check", "--all", "--offline").code == 0
    assert len(os.listdir(f"/proc/{process(daemon)}/fd")) < 12


def held(number: int, word: bytes) -> bool:
    """Whether a process has a word anywhere in its memory."""
    with open(f"/proc/{number}/maps") as regions, open(f"/proc/{number}/mem", "rb", 0) as memory:
        for start, end in re.findall(r"^(\w+)-(\w+) r", regions.read(), re.MULTILINE):
            with suppress(OSError):  # the kernel's own pages
                memory.seek(int(start, 16))
                if word in memory.read(int(end, 16) - int(start, 16)):
                    return True
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_it_never_holds_what_a_command_was_handed(daemon: Repo) -> None:
    secret, there = "s3cret-" + "of-a-command", process(daemon)
    try:
        assert held(there, b"grounded_ingest/language")
    except PermissionError:
        pytest.skip("the memory of a process that is no child of ours cannot be read here")
    daemon.env["TOKEN_OF_SOMETHING"] = secret
    assert daemon.ask("check", "--all", "--offline").code == 0
    assert (process(daemon), held(there, secret.encode())) == (there, False)


SLOW = """\
import os, sys, time
from grounded_ingest.cli import entry
def slow():
    open(os.environ["MARK"], "a").write(f"{os.getpid()}\\n")
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        return 130
    return 0
entry.run_command = slow
sys.argv = ["grounded-ingest", "daemon", "start"]
from grounded_ingest.cli.group import cli
cli()
"""


@pytest.fixture
def waiting(
    repo: Repo, runtime: Path, tmp_path: Path
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A client, and the process that works for it and does not end."""
    del runtime
    mark = tmp_path / "mark"
    repo.env |= {"MARK": str(mark)}
    subprocess.run([sys.executable, "-c", SLOW], cwd=repo.root, env=repo.env, check=True)
    client = subprocess.Popen(
        [sys.executable, "-m", "grounded_ingest", "check"], cwd=repo.root, env=repo.env,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    end = time.monotonic() + 20
    while not (mark.exists() and mark.read_text().endswith("\n")) and time.monotonic() < end:
        time.sleep(0.02)
    yield client, int(mark.read_text())
    client.kill()
    client.communicate()
    repo.ask("daemon", "stop")


Pair = tuple[subprocess.Popen[bytes], int]


def ended(number: int) -> bool:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_an_interrupt_reaches_the_process_that_works(waiting: Pair) -> None:
    client, child = waiting
    client.send_signal(signal.SIGINT)
    assert client.wait(10) == 130
    assert ended(child)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_client_that_is_killed_takes_its_process_along(how: int, waiting: Pair) -> None:
    client, child = waiting
    client.send_signal(how)
    assert ended(child)


def test_a_process_that_dies_is_told(waiting: Pair) -> None:
    client, child = waiting
    os.kill(child, signal.SIGKILL)
    _, err = client.communicate(timeout=10)
    assert client.returncode == 3
    assert b"ended before it was done" in err
    assert b"GROUNDED_INGEST_DAEMON=0" in err
