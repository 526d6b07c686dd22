"""What each language's parser sees a text define."""

from __future__ import annotations

import pytest

from grounded_ingest.code.definitions import definitions_in, definitions_of, enclosing_definition

SOURCES = {
    "a.py": (
        "LIMIT = 1\n\n@cache\ndef start(x):\n    local = 1\n    def inner(): ...\n\n\n"
        "class Store:\n    size: int = 3\n\n    async def decode(self): ...\n",
        {
            "LIMIT": (1, 1),
            "start": (3, 6),
            "start.inner": (6, 6),
            "Store": (9, 12),
            "Store.size": (10, 10),
            "Store.decode": (12, 12),
        },
    ),
    "a.ts": (
        "export const LIMIT = 1;\nexport function start() {\n  const local = 1;\n}\n"
        "export class Store {\n  size = 3;\n  decode(): void {}\n}\ninterface Row { id: string }\n"
        "type Name = string;\nenum Mode { Fast = 1 }\nconst run = () => { const y = 2; };\n",
        {
            "LIMIT": (1, 1),
            "start": (2, 4),
            "Store": (5, 8),
            "Store.size": (6, 6),
            "Store.decode": (7, 7),
            "Row": (9, 9),
            "Row.id": (9, 9),
            "Name": (10, 10),
            "Mode": (11, 11),
            "Mode.Fast": (11, 11),
            "run": (12, 12),
        },
    ),
    "a.go": (
        "package a\n\nconst (\n\tLimit = 1\n\tOther = 2\n)\n\ntype Store struct {\n\tSize int\n}\n\n"
        "func (s *Store) Decode() {\n\tlocal := 1\n\tvar other = 2\n}\n\nfunc Start() {}\n",
        {
            "Limit": (4, 4),
            "Other": (5, 5),
            "Store": (8, 10),
            "Store.Size": (9, 9),
            "Store.Decode": (12, 15),
            "Start": (17, 17),
        },
    ),
    "a.rs": (
        "const LIMIT: u8 = 1;\nstruct Store { size: u8 }\nimpl<T> Store<T> {\n    fn decode(&self) {\n"
        "        const LOCAL: u8 = 2;\n    }\n}\nenum Mode { Fast }\nmacro_rules! say { () => {} }\n",
        {
            "LIMIT": (1, 1),
            "Store": (2, 2),
            "Store.size": (2, 2),
            "Store.decode": (4, 6),
            "Mode": (8, 8),
            "Mode.Fast": (8, 8),
            "say": (9, 9),
        },
    ),
    "A.java": (
        "class Store {\n  static final int LIMIT = 1;\n  void decode() { int local = 1; }\n}\n"
        "enum Mode { FAST }\n",
        {
            "Store": (1, 4),
            "Store.LIMIT": (2, 2),
            "Store.decode": (3, 3),
            "Mode": (5, 5),
            "Mode.FAST": (5, 5),
        },
    ),
    "A.cs": (
        "namespace N {\n class Store {\n  const int Limit = 1;\n  public int Size { get; set; }\n"
        "  void Decode() { var local = 1; }\n }\n}\n",
        {
            "Store": (2, 6),
            "Store.Limit": (3, 3),
            "Store.Size": (4, 4),
            "Store.Decode": (5, 5),
        },
    ),
    "a.rb": (
        "module Shop\n  LIMIT = 1\n  class Store\n    def decode\n      local = 1\n    end\n"
        "    def self.start; end\n  end\nend\n",
        {
            "Shop": (1, 9),
            "Shop.LIMIT": (2, 2),
            "Shop.Store": (3, 8),
            "Shop.Store.decode": (4, 6),
            "Shop.Store.start": (7, 7),
        },
    ),
    "a.sh": (
        "LIMIT=1\nstart() {\n  local_one=2\n}\nfunction stop { :; }\n",
        {"LIMIT": (1, 1), "start": (2, 4), "stop": (5, 5)},
    ),
    "a.c": (
        "#define LIMIT 3\ntypedef struct { int size; } Row;\nstatic int *\nshop_start (int a)\n{\n"
        "  int local = 1;\n  return 0;\n}\nenum mode { FAST, SLOW };\nstruct shop *shop_open(void);\n",
        {
            "LIMIT": (1, 2),
            "Row": (2, 2),
            "Row.size": (2, 2),
            "shop_start": (3, 8),
            "mode": (9, 9),
            "mode.FAST": (9, 9),
            "mode.SLOW": (9, 9),
            "shop_open": (10, 10),
        },
    ),
    "a.hpp": (
        "namespace shop {\ntemplate <typename T> class Store final : public Base<T> {\n public:\n"
        "  int decode(const Row& r) const;\n  static constexpr int LIMIT = 5;\n};\n"
        "int& Store::decode(const Row& r) const { int local = 2; return local; }\n}\n",
        {
            "shop": (1, 8),
            "shop.Store": (2, 6),
            "shop.Store.decode": (7, 7),
            "shop.Store.LIMIT": (5, 5),
        },
    ),
    "a.kt": (
        "const val LIMIT = 1\nenum class Mode { FAST }\nclass Store(val rows: Int) : Base(rows) {\n"
        "  override fun decode(r: Row): Int { val local = 1; return local }\n}\n"
        "object Registry { fun add(x: Int) {} }\ntypealias Rows = List<Int>\n",
        {
            "LIMIT": (1, 1),
            "Mode": (2, 2),
            "Mode.FAST": (2, 2),
            "Store": (3, 5),
            "Store.rows": (3, 3),
            "Store.decode": (4, 4),
            "Registry": (6, 6),
            "Registry.add": (6, 6),
            "Rows": (7, 7),
        },
    ),
    "a.php": (
        "<?php\nconst LIMIT = 1;\nclass Store extends Base {\n  const MAX = 5;\n  protected $rows = [];\n"
        "  public static function decode(Row $r) { $local = 1; }\n}\nfunction start($a) {}\n",
        {
            "LIMIT": (2, 2),
            "Store": (3, 7),
            "Store.MAX": (4, 4),
            "Store.rows": (5, 5),
            "Store.decode": (6, 6),
            "start": (8, 8),
        },
    ),
    "a.swift": (
        "let limit = 1\nenum Mode { case fast, slow(Int) }\nfinal class Store: Base {\n"
        "  static let max = 5\n  func decode(_ r: Row) -> Int { let local = 1; return local }\n}\n"
        "extension Store { func more() {} }\nprotocol Loads { func load() }\n",
        {
            "limit": (1, 1),
            "Mode": (2, 2),
            "Mode.fast": (2, 2),
            "Mode.slow": (2, 2),
            "Store": (3, 6),
            "Store.max": (4, 4),
            "Store.decode": (5, 5),
            "Store.more": (7, 7),
            "Loads": (8, 8),
            "Loads.load": (8, 8),
        },
    ),
}


IMPORTS = (
    'const a = require("./a"), b = require("./b").b, own = require("./c")();\nlet d;\n'
    'const e = await import("./e");\nconst { f } = require("./f");\nimport g from "./g";\n'
)


@pytest.mark.parametrize("path", ["a.js", "a.ts", "a.tsx"])
def test_a_file_does_not_define_what_it_imports(path: str) -> None:
    """`Logger` was "defined in" each file with `const Logger = require("../logger")`."""
    assert [d.name for d in definitions_in(path, IMPORTS) or ()] == ["own", "d"]


@pytest.mark.parametrize("path", SOURCES)
def test_definitions_of_each_language(path: str) -> None:
    text, expected = SOURCES[path]
    found = definitions_in(path, text)
    assert found is not None
    assert {d.qualified: (d.line, d.end_line) for d in found} == expected


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("decode", [12]),
        ("Store.decode", [12]),
        ("Store::decode()", [12]),
        ("Other.decode", []),
        ("local", []),
    ],
)
def test_definitions_of_a_name(name: str, lines: list[int]) -> None:
    found = definitions_in("a.py", SOURCES["a.py"][0])
    assert found is not None
    assert [d.line for d in definitions_of(found, name)] == lines


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.txt", "def start(): ...\n"),
        ("a.py", "def start(:\n"),
        ("a.py", "x = " + "(" * 100_000),
        ("a.py", "A = 1\n" * 200_000),
    ],
)
def test_a_text_that_cannot_be_parsed_has_no_answer(path: str, text: str) -> None:
    assert definitions_in(path, text) is None


@pytest.mark.parametrize("path", [p for p in SOURCES if p != "a.py"])
@pytest.mark.parametrize(
    "text", ["{" * 50_000, "\0\0\0", "a" * 100_000, "((((" * 20_000, ")]}" * 9]
)
def test_hostile_texts_end(path: str, text: str) -> None:
    assert definitions_in(path, text) in (None, ())


COSTLY = [("a.rb", "<!--"), ("a.sh", "if(a)"), ("a.java", "a<"), ("a.cs", "a<"), ("a.tsx", "- ;")]
COSTLY += [("a.cs", "< case"), ("a.java", "long_name < "), ("a.java", "throw   =>   (long_name)\n")]


@pytest.mark.parametrize(("path", "piece"), COSTLY)
def test_a_parse_that_costs_too_much_leaves_all_unknown(path: str, piece: str) -> None:
    """At every length, and whatever stands before it; `()` would mean that nothing is defined."""
    before = SOURCES[path][0] if path in SOURCES else ""
    for times in (5_000, 50_000):
        assert definitions_in(path, before + "\n" + piece * times) is None


DENSE = {
    "a.js": "const x=[" + "10, 20, " * 2_000 + "];f(a,b);",
    "a.go": "package a\n\nfunc f() {\n" + "\tvalue = compute(other)\n" * 2_000 + "}\n",
    "a.java": "class A {\n" + "    int f(int a) { return a < 1 ? b(a) : c; }\n" * 1_000 + "}\n",
    "a.sh": 'if [ -z "$A" ]; then b=$(c "$A" | d); fi\n' * 1_000 + "f() { a; }\n",
    "a.rb": "def f(a)\n  a.map { |x| x + 1 }.select(&:b)\nend\n" * 1_000,
}


@pytest.mark.parametrize("path", DENSE)
def test_dense_code_is_read(path: str) -> None:
    assert definitions_in(path, DENSE[path])


SPANS = "a, b = 1, 2\n\nclass Store:\n    limit = 3\n\n    def load(self):\n        return 1\n"


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ((1, 1), ""),  # two names of one assignment
        ((2, 2), ""),
        ((4, 4), "Store.limit"),
        ((6, 7), "Store.load"),
        ((7, 7), "Store.load"),
        ((3, 3), "Store"),
        ((3, 7), "Store"),
        ((4, 7), "Store"),
        ((3, 4), ""),  # a part of what else is defined in it
        ((1, 4), ""),
    ],
)
def test_the_definition_around_lines(lines: tuple[int, int], name: str) -> None:
    found = enclosing_definition(definitions_in("a.py", SPANS) or (), *lines)
    assert (found.qualified if found else "") == name


@pytest.mark.parametrize("text", ["a?" * 100_000, "#" * 60_000])
def test_a_text_that_costs_too_much(text: str) -> None:
    """The parser of Swift took two minutes for the first one, and 2 GB for the other."""
    assert definitions_in("a.swift", text) is None
    assert definitions_in("a.swift", "let a: Int? = 1 // why?\n" * 9) is not None
