"""Options of programs in Go, Rust and JavaScript, and the commands they belong to."""

from __future__ import annotations

import pytest

from grounded_ingest.code.command_options import command_options

GO = """package m
var rootCmd = &cobra.Command{Use: "tool"}
var adoCmd = &cobra.Command{Use: "ado"}
var syncCmd = &cobra.Command{Use: "sync [x]", Run: f}
func init() {
	rootCmd.PersistentFlags().Bool("json", false, "h")
	syncCmd.Flags().BoolVarP(&x, "dry-run", "d", false, "say --other")
	syncCmd.Flags().StringSlice(name, nil, "computed")
	adoCmd.AddCommand(syncCmd)
	rootCmd.AddCommand(adoCmd)
	// rootCmd.Flags().Bool("quiet", false, "h")
}
"""
LOCAL = """package m
func newA() *cobra.Command {
	cmd := &cobra.Command{Use: "a"}
	cmd.Flags().Bool("of-a", false, "")
	rootCmd.AddCommand(cmd)
	return cmd
}
func newB() *cobra.Command {
	cmd := &cobra.Command{Use: "b"}
	rootCmd.AddCommand(cmd)
	return cmd
}
func newC() { lone := &cobra.Command{Use: "c"}; lone.Flags().Bool("of-c", false, "") }
"""
RUST = """
#[derive(Parser)]
struct Cli {
    #[arg(short, long, global = true)]
    verbose: bool,
    #[arg(long = "conf")]
    config_path: String,
    positional: String,
    #[command(subcommand)]
    command: Option<cmds::Commands>,
}
#[derive(Subcommand)]
enum Commands {
    /// doc --not-one
    #[command(name = "go")]
    Run { #[arg(long)] dry_run: bool },
    DoIt(DoArgs),
    Nested { #[command(subcommand)] c: Inner },
    Elsewhere(Missing),
}
#[derive(Args)]
struct DoArgs { #[arg(long, default_value_t = 3)] max_n: u16, #[command(flatten)] more: More }
#[derive(Args)]
struct More { #[arg(long)] deep: bool }
#[derive(Subcommand)]
enum Inner { Leaf { #[arg(long)] leaf_flag: bool } }
#[derive(Args)]
struct Unused { #[arg(long)] unused: bool }
"""
SCRIPT = """
const program = new Command()
program.option('-q, --quiet', 'x')
program.command('run [task]').description('--no').option('-a, --auto <n>', 'd', 3).action(x)
const auth = program.command('auth')
auth.command('login').requiredOption('--token <t>')
other.command('x').option('--foreign')
// program.option('--commented')
new Command('y').option('--elsewhere')
"""


def told(path: str, text: str) -> set[str]:
    return {
        f"{' '.join(o.commands)}:{o.name}{'*' if o.everywhere else ''}"
        for o in command_options(path, text)
    }


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.go", GO, {":json*", "ado sync:dry-run"}),
        ("a.go", LOCAL, set()),
        ("a.rs", RUST, {":verbose*", ":conf", "go:dry-run", "do-it:max-n", "do-it:deep", "nested leaf:leaf-flag"}),
        ("a.rs", RUST.replace("#[derive(Parser)]", '#[derive(Parser)]\n#[command(rename_all = "snake_case")]'), set()),
        ("a.ts", SCRIPT, {":quiet", "run:auto", "auth login:token"}),
        ("a.js", SCRIPT, {":quiet", "run:auto", "auth login:token"}),
        ("a.ts", "program.command('a').command('b').option('--x')", set()),
        ("a.js", "function f(programInstance) { programInstance.command('a').option('--x <y>') }", {"a:x"}),
        ("a.js", "const a = program.command('a'); const a = program.command('b'); a.option('--x')", set()),
        ("a.py", "program.option('--x')", set()),
        ("a.go", "not go at all {{{", set()),
    ],
)  # fmt: skip
def test_declared_options_are_found(path: str, text: str, found: set[str]) -> None:
    assert told(path, text) == found


def test_an_option_belongs_to_its_command_and_those_below() -> None:
    (dry,) = [o for o in command_options("a.go", GO) if o.name == "dry-run"]
    (json,) = [o for o in command_options("a.go", GO) if o.name == "json"]
    assert dry.belongs_to(("ado", "sync"))
    assert not dry.belongs_to(("linear", "sync"))
    assert not dry.belongs_to(("ado",))
    assert json.belongs_to(("ado", "sync"))


def test_a_text_that_is_too_long_is_not_parsed() -> None:
    assert not command_options("a.go", GO + "//" + "x" * 1_000_000)
