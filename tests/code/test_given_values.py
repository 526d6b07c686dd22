"""Every place that gives a name a value is found, in each language that is parsed."""

from __future__ import annotations

import pytest

from grounded_ingest.code.given_values import given_values

PLACES = [
    ("a.py", "X = 5", "5"),
    ("a.py", "self.X: int = 5", "5"),
    ("a.py", "f(X=5)", "5 used"),
    ("a.py", "DEFAULTS = {'X': 5}", "5"),
    ("a.py", "def f(a, X=5): self.X = X", "5"),
    ("a.py", "X += 1", "?"),
    ("a.py", "y = int(os.getenv('X', '5'))", "5"),
    ("a.py", "y = os.getenv('X') or 5", "5"),
    ("a.py", "y = os.getenv('X', other())", "?"),
    ("a.py", "y = show('X', 5)", ""),
    ("a.py", "X = Field(5, ge=1)", "5"),
    ("a.py", "X = Field(ge=1, default=5)", "5"),
    ("a.py", "X = max(1, n)", "1 ?"),
    ("a.py", "A = 5\nclass B: X = Field(cls.A)", "5"),
    ("a.py", "if (X := 5): f(**{'é': 1}, X=6)", "5 6 used"),
    ("a.py", "a = {X: 5, K.X: 6}\na[X] = 7\nassert X == 8", ""),
    ("a.py", "y = (a).X or None or 5", "? 5"),
    ("a.ts", "const a = process.env.X ?? 5", "5"),
    ("a.ts", "const a = `Rows: ${data.X || 5}`; const b = query.X || 6", "5 used 6"),
    ("a.ts", "const X = parseInt(process.env['X'] || '5', 10)", "5 5"),
    ("a.ts", "const X = bounded(process.env.X, 5, 1, 32)", "5"),
    ("a.py", "X = 5\ndef f(X=None): ...\n", "5"),
    ("a.py", "@configured(X=5)\ndef f():\n    pass\n", "5 used"),
    ("a.ts", "f({ X: 5 })", "5 used"),
    ("a.ts", "z.object({ X: z.number().min(1).default(5) })", "5 used"),
    ("a.ts", "function f(X = 5) { if (X == 6) { X += 1; } }", "5 ?"),
    ("a.go", "package p\nfunc f() { viper.SetDefault(\"X\", 5); t = T{X: 6} }", "5 6 used"),
    ("a.go", "package p\nvar X = 2 * time.Second\n", "2000000000"),
    ("a.go", 'package p\nvar a = app.Flag("X", "h").Default("5").Int()\nvar b = app.Flag("X", "h").Bool()', "5"),
    ("a.go", 'package p\nfunc f() { f.IntVarP(&x, "X", "x", 5, "h"); flag.String("X", "6", "h") }', "5 6"),
    ("a.rs", "struct A {\n    #[arg(long, default_value_t = 5)]\n    /// Rows\n    X: u8,\n}", "5"),
    ("a.rs", "struct A {\n    #[arg(default_value_t = 5 * B)]\n    X: u8,\n}", ""),
    ("a.rs", 'fn f() { let y = std::env::var("X").unwrap_or("5".to_string()); }', "5"),
    ("a.rs", "impl Default for T { fn default() -> T { T { X: Some(5) } } }", "5"),
    ("A.java", "class A { int X = 5; void f() { this.X = 6; } }", "5 6"),
    ("A.cs", "class A { int X { get; set; } = 5; void f(int X = 6) { X += 2; } }", "5 6 ?"),
    ("a.rb", 'y = ENV.fetch("X", 5)\nz = ENV["X"] || 6\n', "5 6"),
    ("a.sh", 'X=5\nX="${X:-6}"\n', "5 6"),
    ("a.yaml", "a:\n  X: 5\nb: [{X: 6}]\n", "6 5"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "said"), PLACES)
def test_the_places_of_a_name(path: str, text: str, said: str) -> None:
    found = given_values(path, text, "X")
    assert found is not None
    shown = [
        f"{'?' if v is None else v[1]}{' used' * place.used}"
        for place in found
        for v in place.literals
    ]
    assert " ".join(shown) == said


@pytest.mark.parametrize("path", ["a.txt", "a.ts"])
def test_a_file_that_cannot_be_parsed(path: str) -> None:
    assert given_values(path, "const X = 5; function (", "X") is None
