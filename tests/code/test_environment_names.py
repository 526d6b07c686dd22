"""Environment variables as parsers see them: read or declared, and what only looks so."""

from __future__ import annotations

import pytest

from grounded_ingest.code.environment_names import environment_in, may_hold_environment


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.py", 'import os\nx = os.environ["A_B"]\ny = os.environ.get("C_D", 3)\nz = os.getenv("E_F")\n', "A_B C_D E_F"),
        ("a.py", 'from os import environ, getenv\ngetenv("A_B"), environ["C_D"]\n', "A_B C_D"),
        ("a.py", 'import click\n@click.option("--x", envvar=["A_B", "C_D"])\ndef f(): ...\n', "A_B C_D"),
        ("a.py", '# os.environ["A_B"]\n"""os.getenv("C_D")"""\nlog("E_F")\nenv\n', ""),
        ("a.py", 'import os\nos.environ[name]\nos.getenv(f"A_{x}")\n', ""),
        ("a.ts", 'const a = process.env.A_B ?? "x"; const {C_D, E_F: e} = process.env; process.env["G_H"]', "A_B C_D E_F G_H"),
        ("a.js", "// process.env.A_B\nconst s = 'process.env.C_D'; import.meta.env.E_F", "E_F"),
        ("a.tsx", "const a = <A b={import.meta.env.A_B} />", "A_B"),
        ("a.ts", "env.get(name); Deno.env.get('A_B'); log('C_D'); const e = process.env", "A_B"),
        ("a.go", 'package m\nfunc f() { os.Getenv("A_B"); v, ok := os.LookupEnv("C_D"); getEnvOr("E_F", "3"); log("G_H") }\n', "A_B C_D E_F"),
        ("a.go", 'package m\ntype T struct { P int `env:"A_B" json:"C_D"` }\n', "A_B"),
        ("a.rs", 'fn f() { std::env::var("A_B"); env!("C_D"); option_env!("E_F"); println!("G_H"); }', "A_B C_D E_F"),
        ("a.rs", '#[derive(Parser)]\nstruct C { #[arg(long, env = "A_B")] p: u16 }', "A_B"),
        ("a.rb", 'ENV["A_B"]; ENV.fetch("C_D", "x"); puts "E_F"', "A_B C_D"),
        ("A.java", 'class A { String x = System.getenv("A_B"); String y = f("C_D"); }', "A_B"),
        ("A.cs", 'class A { string x = Environment.GetEnvironmentVariable("A_B"); }', "A_B"),
        ("a.sh", 'OWN_X=1\nexport A_B=3\nP=${C_D:-80}\necho $E_F "$OWN_X"\n# $G_H\n', "A_B C_D E_F"),
        (".env.example", "A_B=1\n# C_D=2\n# prose E_F here\nexport G_H=\n", "A_B C_D G_H"),
        ("deploy/prod.env", "A_B=1\n", "A_B"),
        ("Dockerfile", "FROM x\nENV A_B=1 C_D=2\nENV E_F v\nARG G_H\nRUN I_J=1 x\n", "A_B C_D E_F G_H"),
        ("compose.yml", "services:\n  a:\n    environment:\n      A_B: 1\n      - x\n", ""),
        ("compose.yml", "services:\n  a:\n    environment:\n      A_B: ${C_D:-1}\n    labels: {E_F: 1}\n", "A_B C_D"),
        ("compose.yml", "services:\n  a:\n    environment:\n      - A_B=1\n      - C_D\n", "A_B C_D"),
        (".github/workflows/a.yml", "env:\n  A_B: 1\njobs:\n  x:\n    steps:\n      - env: {C_D: 2}\n", "A_B C_D"),
        ("k8s.yaml", "spec:\n  env:\n    - name: A_B\n      value: x\n    - name: not-one\n", "A_B"),
        ("a.py", "def broken(:\nos.environ['A_B']\n", ""),
        ("a.md", 'os.environ["A_B"]', ""),
    ],
)  # fmt: skip
def test_variables_that_are_read_or_declared(path: str, text: str, names: str) -> None:
    assert " ".join(dict.fromkeys(e.name for e in environment_in(path, text))) == names


def test_variables_have_their_lines() -> None:
    assert [e.line for e in environment_in("a.py", '\nimport os\nos.environ["A_B"]\n')] == [3]
    assert [e.line for e in environment_in("c.yml", "a:\n  env:\n    A_B: 1\n")] == [3]


def test_a_text_of_variables_that_is_too_long_is_not_parsed() -> None:
    text = 'import os\nos.environ["A_B"]\n'
    assert environment_in("a.py", text)
    assert not environment_in("a.py", text + "#" * 400_000)


@pytest.mark.parametrize(
    ("path", "read"),
    [(".env", True), (".env.local", True), ("x/Dockerfile.dev", True), ("environment.md", False), ("a.lock", False)],
)  # fmt: skip
def test_files_that_may_hold_variables(path: str, read: bool) -> None:
    assert may_hold_environment(path) is read
