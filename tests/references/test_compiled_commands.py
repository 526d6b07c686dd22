"""Commands of programs in Go, Rust, JavaScript and Ruby beside real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo

from grounded_ingest.model.claims import Decision

GO: Files = {
    "go.mod": "module example.org/tool\n",
    "cmd/tool/main.go": 'package main\nvar rootCmd = &cobra.Command{Use: "tool"}\n',
    "cmd/tool/all.go": "package main\n" + "".join(
        f'var {name}Cmd = &cobra.Command{{Use: "{name} <x>", Short: "prune"}}\n'
        for name in ("list", "sync", "show", "drop", "sessions")
    ),
}  # fmt: skip
RUST: Files = {
    "Cargo.toml": '[package]\nname = "tool"\n',
    "src/main.rs": "#[derive(Subcommand)]\nenum Commands {\n    List,\n    Sync(Args),\n"
    "    Show(Args),\n    Drop { all: bool },\n    Sessions(Args),\n}\n"
    'fn f() { say("prune") }\n',
}
NODE: Files = {
    "package.json": '{"name": "tool", "bin": "cli.js"}',
    "cli.js": "".join(f"program.command('{n}')\n" for n in ("list", "sync", "show", "drop"))
    + "program.command('sessions [id]'); say('prune')\n",
}
RUBY: Files = {
    "tool.gemspec": 'Gem::Specification.new { |s| s.name = "tool"; s.executables = ["tool"] }\n',
    "bin/tool": "#!/usr/bin/env ruby\nrequire 'tool/cli'\n",
    "lib/tool/cli.rb": "case ARGV[0]\n"
    + "".join(f"when '{n}' then x\n" for n in ("list", "sync", "show", "drop", "sessions"))
    + "end\nsay 'prune'\n",
}
FILES: Files = {
    "package.json": '{"name": "tool", "bin": "cli.js"}',
    "cli.js": "load(argv[2])\n",
    **{f"src/commands/{n}.ts": "run()\n" for n in ("list", "sync", "show", "drop", "sessions-all")},
    "src/util/prune.ts": "run()\n",
}
LANGUAGES = {"go": GO, "rust": RUST, "node": NODE, "ruby": RUBY, "files": FILES}
GUIDE = "# Use\n\n`tool list` and `tool sync --all`\n\n```sh\ntool show\ntool drop\n```\n"


def refuted(decision: Decision) -> list[str]:
    return [e.reason for e in decision.evidence if e.kind == "command" and e.verdict == "refuted"]


def _tool(tmp_path: Path, *more: Files) -> Repo:
    repo = Repo(tmp_path)
    files: dict[str, str | bytes | None] = {"docs/use.md": GUIDE}
    for some in more:
        files |= some
    repo.commit(files)
    return repo


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_that_code_does_not_declare(tmp_path: Path, language: str) -> None:
    repo = _tool(tmp_path, LANGUAGES[language])
    for word in ("prune", "remove-all"):  # the code has `prune`, but not as a command
        (said,) = refuted(repo.judge(f"`tool {word}` empties the store."))
        assert said == f"tool has no command {word}: no code file declares it"
    for claim in ("`tool drop`", "`tool sessions`", "`tool --all prune`", "`tool <command>`"):
        if language != "files" or claim != "`tool sessions`":
            assert not refuted(repo.judge(f"{claim} empties the store.")), claim


@pytest.mark.parametrize(
    "guide",
    [
        "`tool list`, `tool sync`\n",  # too few commands are known
        f"{GUIDE}`tool my/secret` shows a secret.\n",  # words may be arguments
        f"{GUIDE}`tool <secret>` shows a secret.\n",
        f"{GUIDE}`tool one`, `tool two`, `tool three`\n",  # others are not declared, either
    ],
)
def test_documents_that_show_no_commands(tmp_path: Path, guide: str) -> None:
    repo = _tool(tmp_path, GO, {"docs/use.md": guide})
    assert not refuted(repo.judge("`tool prune` empties the store."))


def test_a_command_that_the_code_nowhere_contains(tmp_path: Path) -> None:
    repo = _tool(tmp_path, GO, {"docs/use.md": "`tool list`, `tool sync`, `tool gone`\n"})
    assert refuted(repo.judge("`tool remove-all` empties the store."))
    assert not refuted(repo.judge("`tool prune` empties the store."))


def test_subcommands(tmp_path: Path) -> None:
    sessions = "".join(
        f'var s{name} = &cobra.Command{{Use: "{name}"}}\n' for name in ("add", "rename", "close")
    )
    guide = f"{GUIDE}`tool sessions add`, `tool sessions rename`, `tool sessions close`\n"
    repo = _tool(tmp_path, GO, {"cmd/tool/sessions.go": sessions, "docs/use.md": guide})
    (said,) = refuted(repo.judge("`tool sessions remove-all` empties the store."))
    assert said == "tool sessions has no command remove-all: no code file declares it"
    assert not refuted(repo.judge("`tool show remove-all` shows a session."))
    repo.stage({"docs/use.md": f"{guide}`tool sessions <name>`\n"})
    assert not refuted(repo.judge("`tool sessions remove-all` shows a session."))


@pytest.mark.parametrize(
    "files",
    [
        {"src/more.rs": "#[command(external_subcommand)]\nOther(Vec<String>),\n"},
        {"src/more.rs": "    RemoveAll(Args),\n"},
        {"src/more.rs": "    /// Removes all.\n    pub RemoveAll {\n"},
    ],
)
def test_code_that_may_declare_it(tmp_path: Path, files: Files) -> None:
    repo = _tool(tmp_path, RUST, files)
    assert not refuted(repo.judge("`tool remove-all` empties the store."))


def test_documents_about_the_past_and_other_programs(tmp_path: Path) -> None:
    repo = _tool(tmp_path, GO)
    assert not refuted(repo.judge("`tool prune` empties the store.", "docs/research/CLAUDE.md"))
    assert not refuted(repo.judge("`other prune` empties the store."))
    assert not refuted(repo.judge("`cd ~/x && tool prune` empties the store."))
    assert not refuted(repo.judge("`python -m tool prune` empties the store."))
