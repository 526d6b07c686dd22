"""Options of programs in Go, Rust and JavaScript beside real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, made_wrong

from grounded_ingest.model.claims import Decision

GO = """package main
import "github.com/spf13/cobra"
var rootCmd = &cobra.Command{Use: "gotool"}
var syncCmd = &cobra.Command{Use: "sync"}
func init() {
	rootCmd.PersistentFlags().Bool("verbose-log", false, "h")
	syncCmd.Flags().Bool("dry-run", false, "h")
	rootCmd.AddCommand(syncCmd)
}
"""
RUST = """use clap::{Parser, Subcommand};
#[derive(Parser)]
struct Cli { #[command(subcommand)] command: Commands }
#[derive(Subcommand)]
enum Commands { Build { #[arg(long)] max_jobs: u16 } }
"""
NODE = """import { Command } from 'commander'
const program = new Command()
program.command('run').option('--fast-mode', 'd')
"""
TREE: Files = {
    "go.mod": "module example.org/x\n",
    "cmd/gotool/main.go": GO,
    "cmd/other/main.go": 'package main\nfunc main() { flags.Bool("only-other", false, "") }\n',
    "Cargo.toml": '[package]\nname = "rstool"\n',
    "src/main.rs": RUST,
    "package.json": '{"name": "x", "bin": {"jstool": "cli.ts"}}',
    "cli.ts": NODE,
    "bin/run": "#!/bin/sh\ncase $1 in --script-only) ;; esac\n",
    "tests/cli.test.ts": "x('--tested-only')\n",
}  # fmt: skip


COMMITS = (TREE,)


def refuted(decision: Decision) -> list[str]:
    return [e.reason for e in decision.evidence if e.kind == "flag" and e.verdict == "refuted"]


NO_CODE = (
    "`gotool sync --dry-fun` shows what comes of it.",
    "`rstool build --max-workers 3` builds all of it.",
    "`cargo run --release -- build --max-workers 3` builds all of it.",
    "`go run ./cmd/gotool sync --dry-fun` shows what comes of it.",
    "`jstool run --slow-mode` takes its time.",
    "`npx jstool run --slow-mode` takes its time.",
    "`cd app && jstool run --slow-mode` takes its time.",
)


def test_an_option_that_no_code_names(repo: Repo) -> None:
    for claim, found in repo.judge_each(NO_CODE).items():
        (said,) = refuted(found)
        assert "no code file declares it" in said, claim
        assert found.rule == "refuted-citation", claim


RIGHT = (
    "`cargo run -- build --max-jobs 3` builds all of it.",
    "`cargo run --example other -- build --max-workers 3` builds all of it.",
    "`cargo run --max-workers` is no option of the program.",
    "`go run ./cmd/gotool sync --dry-run` shows what comes of it.",
    "`go run ./tools/gotool sync --dry-fun` shows what comes of it.",
    "`gotool sync --dry-run $(git log -1 --pretty=%ct)` shows what comes of it.",
    "`gotool sync --dry-run` shows what comes of it.",
    "`gotool sync --only-other` is of the other one.",  # a name that some code has
    "`gotool --help` shows what comes of it.",
    "`gotool sync --no-dry-run` does it.",
    "`elsewhere sync --dry-fun` is another program.",
    "`gotool sync -- --dry-fun` passes it on.",
    "`gotool sync --dry-fun` was removed.",
    "`gotool sync --<flag>` shows what comes of it.",
    "`jstool run --tested-only` is named by a test.",
    "`jstool run --script-only` is named by a script.",
    "`rstool build --max-jobs 3` builds all of it.",
)


def test_an_option_that_nothing_speaks_against(repo: Repo) -> None:
    assert not [claim for claim, found in repo.judge_each(RIGHT).items() if refuted(found)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("cmd/gotool/more.go", "package main\nfunc f() { c.DisableFlagParsing = true }\n"),
        ("src/more.rs", "#[command(external_subcommand)]\n"),
        ("more.ts", "program.allowUnknownOption()\n"),
    ],
)
def test_what_passes_arguments_on_refutes_nothing(tmp_path: Path, path: str, text: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({**TREE, path: text})
    claims = {
        "go": "`gotool sync --dry-fun` shows what comes of it.",
        "rs": "`rstool build --max-workers 3` builds all of it.",
        "ts": "`jstool run --slow-mode` takes its time.",
    }
    assert not refuted(repo.judge(claims[path.rpartition(".")[2]]))


def test_an_unknown_library_refutes_nothing(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({**TREE, "cli.ts": "import { parse } from 'mine'\n"})
    assert not refuted(repo.judge("`jstool run --slow-mode` takes its time."))


def test_a_name_in_humps_is_the_option_with_dashes(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    code = "const y = require('yargs').option('slowMode', {}).option('write', {}).parse()\n"
    package = '{"name": "hump", "bin": {"hump": "h.js"}, "dependencies": {"yargs": "17"}}'
    repo.commit({"package.json": package, "h.js": code})
    assert not refuted(repo.judge("`hump --slow-mode` takes its time."))
    assert refuted(repo.judge("`hump --slow-moan` takes its time."))


def test_a_wrapper_of_the_same_name_may_know_it_as_well(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    wrapper = {"npm/package.json": '{"name": "y", "bin": {"gotool": "x.js"}}'}
    claim = "`gotool sync --dry-fun` shows what comes of it."
    repo.commit({**TREE, **wrapper, "npm/x.js": "spawn('gotool', argv)\n"})
    assert refuted(repo.judge(claim))
    repo.stage({NOTES: None})
    repo.commit({"npm/x.js": "argv.includes('--dry-fun')\n"})
    assert not refuted(repo.judge(claim))


def test_a_change_that_takes_an_option_names_its_claims(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({**TREE, NOTES: "# N\n\n- `gotool sync --dry-run` shows what comes of it.\n"})
    repo.stage({"cmd/gotool/main.go": GO.replace('"dry-run"', '"plan-alone"')})
    assert [row[:2] for row in made_wrong(repo.check())] == [(NOTES, 3)]


SPELLED = {
    "cmd/gotool/main.go": GO + """
func more(c *cobra.Command) {
	c.Flags().StringVar(&a, "since", "", "")
	c.Flags().StringVarP(&b, "until", "u", "", "")
	c.Flags().Bool("raw", false, "")
	sql := "select 1 limit 5"
	limit := settings.limit
}
""",
    "src/main.rs": RUST + """
#[derive(clap::Args)]
struct More { #[arg(long)] since_day: String, #[arg(long = "until")] end: String,
  /// Sets the limit.
  #[arg(long)] raw: bool, #[arg(long)] r#type: bool, #[arg(long)] no_wait: bool }
""",
    "cli.ts": NODE + """
program.option('-s, --since <day>').option('--until <day>', 'limit of days').option('--raw')
yargs.options({ noWait: { type: 'boolean' }, type: { alias: 't' } })
""",
    "pyproject.toml": '[project]\nname = "pt"\n[project.scripts]\npytool = "pt.cli:cli"\n',
    "pt/__init__.py": "",
    "pt/cli.py": """
import click
from click_default_group import DefaultGroup
@click.group(cls=DefaultGroup)
def cli(): ...
@cli.command()
@click.option("--since")
@click.option("--until")
@click.option("--raw")
@click.option("--type")
@click.option("--wait/--no-wait")
def sync(**given):
    return rows(limit=5)
""",
}  # fmt: skip
DOCUMENTED = """# Use

`{0} sync --since 1 --until 2`

```sh
{0} sync --raw --type x --no-wait
{0} sync --dry-run --max-jobs 3 --fast-mode
```
"""
DECLARES = {
    "gotool": ("--verbose-log", "--script-only", "--since"),
    "rstool": ("--max-jobs", "--since-day", "--no-raw", "--type"),
    "jstool": ("--fast-mode", "--no-wait", "--wait", "--type"),
    "pytool": ("--since", "--no-wait", "--script-only"),
}


def _with_documents(tmp_path: Path, given: str) -> Repo:
    repo = Repo(tmp_path)
    guides = {f"docs/{name}.md": given.format(name) for name in DECLARES}
    repo.commit({**TREE, **SPELLED, **guides})
    return repo


@pytest.mark.parametrize("name", DECLARES)
def test_an_option_whose_name_is_another_word_of_the_code(tmp_path: Path, name: str) -> None:
    repo = _with_documents(tmp_path, DOCUMENTED)
    (said,) = refuted(repo.judge(f"`{name} sync --limit 5` shows the last five."))
    assert said == f"{name} has no option --limit: no code file declares it"
    for option in DECLARES[name]:
        assert not refuted(repo.judge(f"`{name} sync {option} 5` shows the last five.")), option
    repo.commit({f"lib/names.{end}": "x = 'limit'\n" for end in ("go", "rs", "ts", "py")})
    assert not refuted(repo.judge(f"`{name} sync --limit 5` shows the last five.")), "a constant"


@pytest.mark.parametrize("name", DECLARES)
def test_unless_the_documents_name_many_other_options_that_no_code_has(
    tmp_path: Path, name: str
) -> None:
    repo = _with_documents(tmp_path, f"{DOCUMENTED}\n`{{0}} sync --gone-one` `{{0}} --gone-two`\n")
    assert not refuted(repo.judge(f"`{name} sync --limit 5` shows the last five."))


@pytest.mark.parametrize(("name", "told"), [(name, name != "pytool") for name in DECLARES])
def test_where_documents_name_few_options(tmp_path: Path, name: str, told: bool) -> None:
    repo = _with_documents(tmp_path, "# Use\n\n`{0} sync --since 1 --raw`\n")
    claim = f"`{name} sync --limit 5` shows the last five."
    assert bool(refuted(repo.judge(claim))) == told
    constant = {f"lib/names.{end}": "x = 'limit'\n" for end in ("go", "rs", "ts", "py")}
    repo.commit(constant)  # perhaps the name of an option
    assert not refuted(repo.judge(claim))


def test_a_command_of_a_plugin_may_have_any_option(tmp_path: Path) -> None:
    repo = _with_documents(tmp_path, DOCUMENTED)
    assert not refuted(repo.judge("`pytool share --limit 5` shows the last five."))


def test_a_wrapper_without_a_parser_passes_options_on(tmp_path: Path) -> None:
    repo = _with_documents(tmp_path, DOCUMENTED.replace("{0}", "wrap"))
    wrapper = '[package]\nname = "wrap"\n'
    repo.commit({"wrap/Cargo.toml": wrapper, "wrap/src/main.rs": "fn main() { exec(args()) }\n"})
    assert not refuted(repo.judge("`wrap sync --limit 5` shows the last five."))
    repo.stage({NOTES: None})
    repo.commit({"wrap/src/args.rs": "use clap::Parser;\n"})
    assert refuted(repo.judge("`wrap sync --limit 5` shows the last five."))


PLAIN = """package main
import "flag"
func main() {
	for _, name := range []string{"since", "until", "raw", "type", "config-file"} {
		flag.String(name, "", "")
	}
	config := read()
}
"""


@pytest.mark.parametrize(
    ("claim", "more", "wrong"),
    [
        ("`plain -config a.yml` reads a file.", {}, True),
        ("`plain --config a.yml` reads a file.", {}, True),
        ("`plain -config-file a.yml` reads a file.", {}, False),
        ("`plain -help` shows the options.", {}, False),
        ("`plain -config a.yml` reads a file.", {"x.go": 'import "spf13/cobra"\n'}, False),
    ],
)
def test_options_with_one_dash_in_go(
    tmp_path: Path, claim: str, more: dict[str, str], wrong: bool
) -> None:
    repo = Repo(tmp_path)
    guide = "`plain -since 1 -until 2 -raw -type x -config-file y`\n"
    repo.commit({"cmd/plain/main.go": PLAIN, "docs/use.md": guide, **more})
    assert bool(refuted(repo.judge(claim))) is wrong


def test_a_page_about_research_may_give_options_that_a_program_does_not_have(
    tmp_path: Path,
) -> None:
    repo = _with_documents(tmp_path, DOCUMENTED)
    claim = "`gotool sync --limit 5` shows the last five."
    assert not refuted(repo.judge(claim, "docs/research/CLAUDE.md"))
    assert refuted(repo.judge(claim, "docs/ledger/CLAUDE.md"))


def test_options_that_only_samples_of_commands_have(tmp_path: Path) -> None:
    repo = _with_documents(tmp_path, DOCUMENTED)
    assert not refuted(repo.judge("`gotool sync --options` shows the last five."))


def test_options_that_a_parser_adds(tmp_path: Path) -> None:
    """kingpin gives amtool `--completion-script-bash`, which amtool's code does not name."""
    repo = _with_documents(tmp_path, DOCUMENTED)
    assert not refuted(repo.judge("`gotool sync --completion-script-bash` prints a script."))


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("`gotool sync --web.row-limit 5` cuts.", False),
        ("`gotool sync --web.late-rows 5` cuts.", True),
        ("`gotool sync --rows.to-show 5` cuts.", False),  # code may join the name
        ("`gotool sync --web.listen-address :80` serves.", False),
        ("Pass `--web.late-rows` to gotool.", True),
        ("Pass `--web.late-rows` to gotool users.", False),
    ],
)
def test_options_with_dots(tmp_path: Path, claim: str, wrong: bool) -> None:
    repo = Repo(tmp_path)
    code = 'package main\nfunc f() { app.Flag("web.row-limit", "h").Int(); flagsOf(ToShow) }\n'
    repo.commit(
        {**TREE, "cmd/gotool/web.go": code, "cmd/gotool/show.go": "type A struct{ ToShow int }\n"}
    )
    assert bool(refuted(repo.judge(claim))) is wrong


def test_a_program_whose_options_another_package_declares(tmp_path: Path) -> None:
    repo = _with_documents(tmp_path, DOCUMENTED)
    repo.commit({"tools/docs.py": SPELLED["pt/cli.py"], "pt/cli.py": "from other import cli\n"})
    assert not refuted(repo.judge("`pytool sync --limit 5` shows the last five."))


PAGE = "# Tool\n\n" + "".join(f"- `--row-{n}`: about rows\n" for n in range(6))
"""Documents six options without the name of their program."""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Use `--row-late FILE` to cut them.", ""),
        ("It is like pip's `--row-late` option.", ""),
        ("Pass `--row-late` to pytest.", ""),
        ("Pass `--row-late` to `rowtool cut`.", "has no option --row-late"),
        ("Pass `--row-late` to `othertool cut`.", ""),
        ("Pass `--row-late` to rowtool.", "has no option --row-late"),
        ("Call `rowtool cut` with `--row-late`.", "has no option --row-late"),
        ("Run `pip install x` with `--row-late`.", ""),
    ],
)
def test_an_option_without_its_program(tmp_path: Path, text: str, said: str) -> None:
    declared = "".join(f'parser.add_argument("--row-{n}")\n' for n in range(6))
    code = f"import argparse\nparser = argparse.ArgumentParser()\n{declared}parser.parse_args()\n"
    manifest = '[project]\nname = "rowtool"\n[project.scripts]\nrowtool = "rowtool:main"\n'
    repo = Repo(tmp_path)
    repo.commit({"pyproject.toml": manifest, "rowtool.py": code, "README.md": PAGE})
    repo.stage({"README.md": f"{PAGE}\n{text}\n"})
    found = [e for d in repo.decisions("staged") for e in refuted(d)]
    assert [said in reason for reason in found] == [True] * bool(said)


def test_a_parser_may_make_options_of_the_fields_of_a_dataclass(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    field = "from dataclasses import dataclass\n\n@dataclass\nclass Given:\n    row_age: int = 3\n"
    known = "".join(f"# --row-{n}\n" for n in "abcdefg")
    shown = "".join(f"    fit --row-{n} 3\n" for n in "abcdefg")
    repo.commit({
        "pyproject.toml": '[project]\nname = "fit"\n[project.scripts]\nfit = "fit.cli:main"\n',
        "fit/__init__.py": "", "fit/cli.py": f"import tyro\n{known}\ndef main(): tyro.cli(f)\n",
        "fit/fields.py": field, "README.md": f"# Fit\n\n{shown}",
    })  # fmt: skip
    assert not refuted(repo.judge("It is started with `fit --row_age 3` by everybody."))
    assert refuted(repo.judge("It is started with `fit --row_agent 3` by everybody."))
