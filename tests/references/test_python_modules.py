"""Commands that run a module with `python -m`, and subcommands that argparse declares."""

from __future__ import annotations

from pathlib import Path

from repos import Files, Repo

from grounded_ingest.model.claims import CitationKind, Decision

CLI = """import argparse
from . import draw
from tool.more import register as more

def main():
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers(dest="command")
    picture = sub.add_parser("visualize", aliases=["vis"])
    draw.register(picture.add_subparsers())
    more(sub)
"""
OPEN = """import argparse
import importlib
parser = argparse.ArgumentParser()
sub = parser.add_subparsers()
sub.add_parser("known")
importlib.import_module("plugins").register(sub)
"""
PLAIN = """import argparse
sub = argparse.ArgumentParser().add_subparsers()
sub.add_parser("run")
"""
EARLY = """import argparse
import sys
if sys.argv[1] == "daemon":
    raise SystemExit(0)
sub = argparse.ArgumentParser().add_subparsers()
sub.add_parser("run")
"""
TREE: Files = {
    "src/tool/early.py": EARLY,
    "src/tool/__init__.py": "",
    "src/tool/cli.py": CLI,
    "src/tool/draw.py": "def register(group):\n    group.add_parser('heatmap')\n",
    "src/tool/more.py": "def register(subparsers):\n    subparsers.add_parser('run')\n",
    "src/plugs/__init__.py": "",
    "src/trip/__init__.py": "",
    "src/trip/cli.py": PLAIN,
    "src/plugs/opened.py": OPEN,
    "src/tool/sub/__init__.py": "",
    "src/tool/sub/__main__.py": "",
    "src/tool/fast.pyx": "",
    "plain/notes.txt": "",
    "back/app/worker.py": "",
    "packages/a/src/part/__init__.py": "",
}


COMMITS = (
    {"src/tool/old.py": "x = 1\n", "gone/start.py": "y = 2\n"},
    {**TREE, "src/tool/old.py": None, "gone/start.py": None},
)


def told(decision: Decision) -> list[str]:
    return [
        f"{e.verdict.value} {e.reason}".strip()
        for e in decision.evidence
        if e.kind is CitationKind.COMMAND
    ]


RUN = (
    ("python -m tool.cli", "confirmed"),
    ("uv run python -m tool.sub", "confirmed"),
    (".venv/bin/python -m tool.cli vis heatmap", "confirmed"),
    ("python3.12 -m tool.cli run", "confirmed"),
    ("python -m trip.cli walk", "trip.cli has no command walk"),
    ("python -m tool.nope", "src/tool has no module nope"),
    ("uv run --package a --frozen python -m part.nope", "packages/a/src/part has no module nope"),
    ("python -m tool.old", "no module tool.old: deleted in "),
    ("python -m gone.start", "no module gone.start: deleted in "),
)


def test_a_module_that_is_run(repo: Repo) -> None:
    judged = repo.judge_each(f"The command is `{command}`." for command, _ in RUN)
    for (command, said), found in zip(RUN, judged.values(), strict=True):
        assert said in told(found)[0], command


OPEN_COMMANDS = (
    "python -m pytest tests", "python -m http.server", "python -m plain.nope", "python -m tool.fast",
    "python -m app.worker", "cd ~/x && python -m tool.nope", "python -m plugs.opened nope", "python -m tool.early daemon",
    "git commit -m tool.nope", "uv run --directory far python -m tool.nope",
)  # fmt: skip


def test_a_module_that_the_tree_does_not_decide(repo: Repo) -> None:
    judged = repo.judge_each(f"The command is `{command}`." for command in OPEN_COMMANDS)
    assert {c: told(found) for c, found in judged.items() if found.wrong} == {}


def test_the_words_of_a_module_with_one_command_are_arguments(tmp_path: Path) -> None:
    one = "import click\n\n\n@click.command()\n@click.argument('task')\ndef main(task): ...\n"
    two = "import click\n\n\n@click.group()\ndef main(): ...\n\n\n@main.command('run')\ndef run(): ...\n"
    repo = Repo(tmp_path / "repo")
    other = "import argparse\n\n\ndef first(groups):\n    return [group[0] for group in groups]\n"
    repo.commit({"tools/__init__.py": "", "tools/one.py": one, "tools/other.py": other})
    assert repo.judge("Call `python -m tools.one mention` first.").rule != "refuted-citation"
    repo.commit({"tools/two.py": two})
    assert repo.judge("Call `python -m tools.two mention` first.").rule == "refuted-citation"


def test_a_program_that_passes_its_words_on_has_any_command(tmp_path: Path) -> None:
    group = "import click\n\n\n@click.group()\ndef group(): ...\n\n\n@group.command('run')\ndef run(): ...\n"
    repo = Repo(tmp_path / "repo")
    passes = "import sys\n\nfrom elsewhere import run\n\n\ndef main():\n    run(sys.argv[1:])\n"
    scripts = "[project]\nname = 'tool'\n[project.scripts]\ntool = 'tool.cli:main'\n"
    files = {"pyproject.toml": scripts, "tool/group.py": group, "tool/__init__.py": ""}
    repo.commit({**files, "tool/cli.py": passes})
    calls = ("Call `tool nope` first.", "Call `tool run --nope` first.")
    assert "refuted-citation" not in {found.rule for found in repo.judge_each(calls).values()}
    reads = "import sys\n\nprint(sys.argv[1:])\n"
    repo.commit({"tool/cli.py": f"from tool.group import group as main\n{reads}"})
    assert {found.rule for found in repo.judge_each(calls).values()} == {"refuted-citation"}
    repo.commit({"tool/start.py": "import sys\n\nif sys.argv[1] == 'nope':\n    run()\n"})
    assert repo.judge(calls[0]).rule != "refuted-citation"


def test_an_option_of_a_parser_that_another_module_makes(tmp_path: Path) -> None:
    made = "import argparse\n\n\ndef parser():\n    return argparse.ArgumentParser()\n"
    uses = "from tools.made import parser\n\nparse = parser()\nparse.add_argument('--edits')\n"
    repo = Repo(tmp_path / "repo")
    repo.commit({"tools/__init__.py": "", "tools/made.py": made, "tools/uses.py": uses})
    calls = (f"Call `python -m tools.uses --{name} 3` first." for name in ("edits", "other"))
    found = [d.rule == "refuted-citation" for d in repo.judge_each(calls).values()]
    assert found == [False, True]
