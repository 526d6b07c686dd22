"""A proof is answered yes, no or open by a parser. No needs a literal on both sides."""

from __future__ import annotations

import pytest
from repos import Repo

from grounded_ingest.extract.assertions import read_assertion, read_sentence
from grounded_ingest.model.claims import Decision, Verdict
from grounded_ingest.references.proofs.proof_frames import says_only
from grounded_ingest.references.proofs.value import answer_assertion

YES, NO, OPEN = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN

PYTHON = """\
import os
PORT = 8_443
TIMEOUT = 30 * 60
HOST: str = "local" "host"
NAMES = ("a", "b")
LIMITS = {"rows": 5, "pages": 2}
URL = f"http://{HOST}"
TWICE = 1
TWICE = 2
COUNT = 0
COUNT += 1
if os.name == "nt":
    SHELL = "cmd"
DEBUG = os.environ.get("DEBUG", "0")
WORKERS = int(os.getenv("WORKERS", "4"))
class Kind(Enum):
    CHAT = "chat"
    MAIL = "mail"
class Open(Base):
    X = 1
def serve(port=8443, *, host="0.0.0.0", debug=None):
    LOCAL = 3
def change():
    global CHANGED
    CHANGED = 2
CHANGED = 1
"""
SOURCES = {
    "a.py": PYTHON,
    "a.ts": """\
export const PORT = 8443 as const;
export const CONFIG = { port: 1, db: { name: "x" } };
export const SPREAD = { port: 1, ...rest };
export enum Color { Red = "red" }
let n = 3; n = 4;
class Store { static readonly size: number = 5; }
export const HOST = process.env.HOST ?? "localhost";
export const ENV = z.object({ LIMIT: z.coerce.number().default(20) });
function serve(port = 8443, host: string = "x") { const inner = 1; }
const tpl = `a${n}`;
if (n) { var SOMETIMES = 1; }
""",
    "a.go": 'package p\n\nconst Port uint16 = 8443\n\nvar Names = []string{"a", "b"}\nvar X, Y = 1, 2\n',
    "a.rs": "pub const PORT: u16 = 8_443u16;\nstatic NAME: &str = \"x\";\n#[cfg(test)]\nconst T: i32 = 1;\n"
    "impl Foo { const X: i32 = -1; }\n",
    "A.java": 'class A { static final long PORT = 8443L; String s = "x"; }\n',
    "A.cs": 'class A { const int Port = 8443; int Size { get; } = 4; enum K { Chat = 1 } }\n',
    "a.rb": 'PORT = 8443\nmodule M\n  NAMES = %w[a b]\nend\ndef serve(port = 1)\nend\n',
    "a.sh": 'PORT=8443\nexport HOST="x"\nD="${X:-5}"\nE=$(date)\n',
    "a.json": '{"a": {"b/c": [1, "x"]}, "n": 1.5, "t": true}',
    "a.jsonc": '{\n  // a comment\n  "a": 1, /* b */ "c": "// no",\n}',
    "a.yaml": "a:\n  b: 8443\n  c: yes\nlist: [x, y]\n",
    "a.toml": '[project]\nname = "x"\nrequires = ["a>=1"]\n',
    "a.ini": "[tool]\nx = 5\n",
    ".env.example": "PORT=8443\nexport HOST='x'\n",
    "trap.py": """\
from .local import *
from .other import HOST
PORT = 8443
HOST = "a"
NAMES = ["a"]
NAMES.append("b")
class A:
    X = 1
    Y = 2
A.X = 3
""",
    "trap.ts": """\
const A = Number(process.env.A ?? 1) + 1;
const B = process.env.B || 0 || 5;
const C = parseInt(process.env.C ?? "10", 8);
const D = ["a"]; D.push("b");
if (x) { const E = 1; }
""",
    "trap.sh": "PORT=1 node server.js\n(HOST=x)\n",
    "trap.rs": "#[cfg(windows)]\n#[allow(dead_code)]\nconst T: i32 = 1;\n",
    "trap.env": "PORT=8443 # locally\nURL=$HOST/x\n",
    "trap.ini": "[a]\nx = 5 ; five\n",
    "twice.json": '{"a": 1, "a": 2}',
    "broken.ts": "const PORT = 8443; function (",
    "indirect.py": 'PORT = 1\nglobals()["PORT"] = 2\n',
    "parameters.py": "def serve(port=1): ...\nserve.__defaults__ = (2,)\n",
    "changed.py": """\
A = ["a"]
B = ["b"]
C = {"c": 1}
D = {"d": 1}
list.append(A, "x")
print(B[0], len(B), "b" in B)
C["x"] = 2
from x import change
change(D)
""",
    "changed.ts": """\
const A = { a: 1 };
A.a = 2;
let b = 1;
[b] = [2];
const C = ["c"];
export const first = C[0] ?? C.length;
""",
    "lent.go": 'package p\n\nvar port = 1\n\nfunc init() { flag.IntVar(&port, "port", 2, "") }\n',
    "function.sh": "PORT=1\nHOST=x\nset_port() {\n  PORT=2\n}\n",
    "source.sh": "PORT=1\n. ./local.sh\n",
    "texts.yaml": "a: yes\nb: 017\nc: 12:30\nd: 1_000\ne: true\nf: 17\ng: NO\n",
    "bound.py": """\
PORT = 1
def PORT(): ...
try:
    x
except E as HOST:
    pass
HOST = 1
import config.loader
config = 2
def serve(port=1): ...
serve = wrap(serve)
@made
class A:
    X = 1
class B:
    Y = 2
    def __init__(self):
        self.z = 3
""",
    "enum.py": "class K(Enum):\n    _ignore_ = ['A']\n    A = 1\nclass L(Enum):\n    A = 1\n    del A\n",
    "wide.ts": "const A = 1 << 31;\nconst B = 9007199254740993;\nconst C = [1, , 2];\n"
    "const D = load({ port: 1 });\nconst E = { port: 1 };\nmerge(E, x);\nconst F = { a: 1, get b() { return 2; } };\n"
    'const G = "\\x41";\nlet H = 1;\nfor (H of x) {}\n',
    "wide.rs": "const A: [i32; 3] = [1; 3];\n#[cfg(test)]\n// why\nconst B: i32 = 1;\n",
    "Wide.java": "class A { static final long B = 24*60*60*1000*1000; static final int C = 0xFFFFFFFF; }\n",
    "wide.sh": "A=a\\ b\nB=\"x\\n\"\n",
    "read.sh": "A=1\nwhile IFS= read -r A; do :; done\n",
    "extends.json": '{"extends": "./base.json", "flags": {"a": 1}}',
    "remark.yaml": "port: 8443\n",
    "init.py": """\
import os
TEXT = open("x", encoding="utf-8")
ENV = "env vars"
LIMIT = 3
class Config:
    def __init__(self):
        self.port = os.getenv("PORT", "8443")
        self.host = os.getenv("HOST", "a")
    def change(self):
        self.host = "b"
""",
    "local.py": "import os\nclass A:\n    def __init__(self):\n        port = os.getenv('PORT', '1')\n",
    "walrus.py": "PORT = 1\nHOST = 2\ndef serve(x=(PORT := 2)): ...\n",
    "handle.py": "PORT = 1\nimport os\n(os.environ).update(PORT='2')\n",
    "deep.py": "PORT = 1\nx = f(globals())" + " + 1" * 450 + "\n",
    "scoped.py": "class A:\n    X = 1\nclass B:\n    X = 2\ndef f():\n    for X in y: ...\n",
    "texts.py": "PORT = 1\nNAMES = 'eval', 'exec'\n",
    "method.py": "class A:\n    X = 1\n    def X(self): ...\n",
    "index.go": "package p\n\nconst Key = 1\n\nfunc f() {\n\tm[Key] = 2\n}\n",
    "again.ts": "function f(a = 1) {}\nfunction f(...b) {}\nconst C = { db: { rows: 1 } };\ngrab(C.db);\n",
    "array.sh": "A=1\nA[0]=2\n",
    "time.go": "package p\n\nconst Wait = 10 * time.Second\n",
    "enums.ts": "export enum Level { Debug = 'd', Info }\nexport const KINDS = ['a', 'b'] as const;\nz.enum(KINDS);\n",
    "enums.rs": "pub enum Level { Debug, Info(u8) }\n",
    "mutable.rb": """\
HOST = "a"
HOST << "b"
NAME = "a"
NAME.replace("b")
ALIAS = "a"
x = ALIAS; x << "b"
PORTS = %w[a b]
PORTS.clear
KINDS = %w[a b]
KINDS.each { |k| k << "b" }
STILL = "a"
LIMIT = 3; LIMIT.to_s
def serve(host = "a") = host << "b"
""",
    "frozen.rb": "# frozen_string_literal: true\nHOST = 'a'\nputs HOST\n",
    "raw.rs": "pub enum Mode { Alpha, r#type }\nstatic mut PORT: u16 = 1;\nimpl Mode { pub const BETA: Mode = Mode::Alpha; }\n",
    "Raw.cs": "enum Mode { Alpha, @default, @class }\nclass A { int PORT = 1; const int HOST = 1; }\n",
    "Escape.cs": "class A { int PORT = 8443; void F() { this.P\\u004fRT = 9443; } string S = \"\\u0041\"; }\n",
    "Text.cs": "class A { int PORT = 8443; string S = \"\\u0041\"; }\n",
    "merged.ts": "enum Mode { A = 'a' }\nexport namespace Mode { export const Voice = 'v' }\n",
    "escape.ts": 'enum Kind { A = "a", "VOI\\u0043E" = "v" }\nenum Text { A = "a", "VOICE" = "v" }\n',
    "escape.js": "let PORT = 8443; \\u0050ORT = 9443\n",
    "text.js": "let PORT = 8443; // \\u0041\nconst TEXT = '\\u0041'\n",
    "computed.ts": "class A { port = 1; set(k: string) { this[k] = 2; } }\n",
    "nested.ts": """\
const A = [["a"]];
const x = A[0];
const B = { db: { rows: 1 } };
grab(B["db"]);
const C = ["c"];
store.set(C);
const D = ["d"];
D.forEach((_, n, all) => all.pop());
const E = ["e"];
E.map((e) => e + 1);
""",
    "nested.py": "A = {'a': ['b']}\nA.get('a').append('c')\nB = ['a']\nsorted(B)\n",
    "folded.py": "A = ['a']\n\uff21.append('b')\nclass K:\n    X = 1\n\uff2b.X = 2\n",
    "Comment.java": "class A { static int PORT = 8443; /* \\u002a\\u002f static { PORT = 9443; } /* */ }\n",
    "Line.java": "class A { static int PORT = 8443; // \\u000a static { PORT = 9443; }\n}\n",
    "Text.java": 'class A { static String NAME = "a\\u0022 + \\u0022b"; }\n',
    "Plain.java": 'class A { static String NAME = "\\u00e9"; static int PORT = 8443; }\n',
    "break.js": "let PORT = 8443 // x\rPORT = 9443\n",
    "Break.java": "class A { static int PORT = 8443; // \r static { PORT = 9443; }\n}\n",
    "Break.cs": "class A { int PORT = 8443; // \u2028 void F() { PORT = 9443; }\n}\n",
    "exec.sh": "PORT=8443\nHOST=x\nexec {PORT}>x\n",
    "coproc.sh": "PORT=8443\ncoproc PORT { cat; }\n",
    "readonly.sh": "PORT=8443\nreadonly ${X}RT=9443\n",
    "braces.sh": "PORT=8443\ncommand export A=1 {P,Q}ORT=9443\n",
    "quoted.sh": "PORT=8443\nexport P\\ORT=9443\n",
    "index.sh": "PORT=8443\necho ${arr[PORT=9]}\n",
    "wait.sh": "PORT=8443\nwait -p PORT\n",
    "default.sh": "D=${X:-5}\nwait -p X\n",
    "plain.sh": "PORT=8443\necho \"$PORT\" ${PORT} --port=1 'a=b'\n",
    "quotes.env": "PORT=\"8443\"#x\nHOST='\"a\"'\nNAME='a'\nTEXT=\"a\"b\n",
    "lines.env": "KEY=\"a\nPORT=1\nb\"\n",
    "called.ts": 'const A = ["a"];\nA.pop?.();\nconst B = ["b"];\n(B.pop)();\nconst C = ["c"];\nC["pop"]();\n',
    "alias.py": "A = ['a']\nmap(A.append, 'b')\nT = (['a'],)\nT[0].append('b')\n",
    "Lent.cs": "class A { int PORT = 1; int HOST = 2; void F() { G(ref this.PORT, out (@HOST)); } }\n",
    "continued.sh": "PORT=8443\nP\\\nORT=9443\n",
    "a.swift": "let PORT = 8443\n",
    "a.kt": "const val PORT = 8443\nval `PORT` = 3\n",
    "a.php": "<?php const PORT = 8443;\n",
    "space.toml": 'requires = ">=3.14"\n',
    "members.json": '{"files": ["dist", "bin/*.js"], "deps": ["requests>=2"], "people": [{"name": "x"}, "y"]}',
}  # fmt: skip


@pytest.mark.parametrize(
    ("assertion", "verdict"),
    [
        ("a.py::PORT = 8443", YES),
        ("a.py::PORT = 0x20FB", YES),
        ("a.py::PORT = 8080", NO),
        ("a.py::PORT = 8443.0", OPEN),
        ("a.py::PORT = '8443'", OPEN),
        ("a.py::PORT = port()", OPEN),
        ("a.py::PORT = 8443; X = 1", OPEN),
        ("a.py::TIMEOUT = 1800", YES),
        ("a.py::TIMEOUT = 30", NO),
        ("a.py::HOST = 'localhost'", YES),
        ("a.py::NAMES = ('a', 'b')", YES),
        ("a.py::NAMES has a", YES),
        ("a.py::NAMES lacks a", NO),
        ("a.py::NAMES lacks c", YES),
        ("a.py::LIMITS = {'pages': 2, 'rows': 5}", YES),
        ("a.py::LIMITS has rows", YES),
        ("a.py::URL = 'http://localhost'", OPEN),
        ("a.py::TWICE = 2", OPEN),
        ("a.py::COUNT = 0", OPEN),
        ("a.py::SHELL = 'cmd'", OPEN),
        ("a.py::CHANGED = 1", OPEN),
        ("a.py::LOCAL = 3", OPEN),
        ("a.py::MISSING = 3", OPEN),
        ("a.py::DEBUG default '0'", YES),
        ("a.py::DEBUG default '1'", NO),
        ("a.py::WORKERS default 4", YES),
        ("a.py::WORKERS default 5", NO),
        ("a.py::PORT default 8443", OPEN),
        ("a.py::Kind has CHAT", YES),
        ("a.py::Kind lacks VOICE", YES),
        ("a.py::Kind has VOICE", NO),
        ("a.py::Kind.CHAT = 'chat'", YES),
        ("a.py::Open lacks Y", OPEN),
        ("a.py::Open has X", YES),
        ("a.py::serve(port) = 8443", YES),
        ("a.py::serve(port) = 1", NO),
        ("a.py::serve(debug) = None", YES),
        ("a.py::serve(missing) = 1", OPEN),
        ("a.ts::PORT = 8443", YES),
        ("a.ts::PORT = 1", NO),
        ("a.ts::CONFIG.port = 1", YES),
        ("a.ts::CONFIG.db.name = 'x'", YES),
        ("a.ts::SPREAD lacks y", OPEN),
        ("a.ts::SPREAD.port = 1", OPEN),
        ("a.ts::Color.Red = 'red'", YES),
        ("a.ts::n = 3", OPEN),
        ("a.ts::Store.size = 5", YES),
        ("a.ts::HOST default 'localhost'", YES),
        ("a.ts::HOST = 'localhost'", OPEN),
        ("a.ts::ENV.LIMIT default 20", YES),
        ("a.ts::ENV.LIMIT default 30", NO),
        ("a.ts::serve(port) = 8443", YES),
        ("a.ts::serve(host) = 'y'", NO),
        ("a.ts::inner = 1", OPEN),
        ("a.ts::tpl = 'a3'", OPEN),
        ("a.ts::SOMETIMES = 1", OPEN),
        ("a.go::Port = 8443", YES),
        ("a.go::Port = 80", NO),
        ('a.go::Names = []string{"a", "b"}', OPEN),  # a variable of the package
        ("a.go::X = 1", OPEN),
        ("a.rs::PORT = 8443", YES),
        ("a.rs::PORT = 1u16", NO),
        ('a.rs::NAME = "x"', YES),
        ("a.rs::NAME = x", YES),
        ("a.rs::NAME = y", NO),
        ("a.rs::NAME = PORT", OPEN),  # may be another constant of the file
        ("a.rs::T = 1", OPEN),
        ("a.rs::Foo::X = -1", YES),
        ("A.java::A.PORT = 8443", YES),
        ("A.java::A.PORT = 1L", NO),
        ("A.cs::A.Port = 8443", YES),
        ("A.cs::A.Size = 5", NO),
        ("A.cs::K.Chat = 1", YES),
        ("a.rb::PORT = 8443", YES),
        ("a.rb::M::NAMES has b", YES),
        ("a.rb::serve(port) = 2", NO),
        ("a.sh::PORT = 8443", YES),
        ("a.sh::HOST = y", NO),
        ("a.sh::D default 5", YES),
        ("a.sh::E = 5", OPEN),
        ("a.json#/a/b~1c/0 = 1", YES),
        ("a.json#/a/b~1c has x", YES),
        ("a.json#/n = 1.5", YES),
        ("a.json::t = false", NO),
        ("a.json#/missing = 1", OPEN),
        ("a.jsonc::a = 1", YES),
        ('a.jsonc::c = "// no"', YES),
        ("a.yaml::a.b = 8443", YES),
        ("a.yaml::a.b = 1", NO),
        ("a.yaml::list has y", YES),
        ('a.toml::project.name = "x"', YES),
        ('a.toml::project.name = "y"', NO),
        ("a.toml::project.requires has a>=1", YES),
        ("a.ini::tool.x = 5", YES),
        (".env.example::PORT = 8443", YES),
        (".env.example::HOST = y", NO),
        ("twice.json::a = 2", OPEN),
        ("trap.py::PORT = 8443", OPEN),
        ("trap.py::HOST = 'a'", OPEN),
        ("trap.py::NAMES lacks b", OPEN),
        ("trap.py::NAMES = ['a']", OPEN),
        ("trap.py::A.X = 1", OPEN),
        ("trap.py::A.Y = 2", OPEN),
        ("trap.ts::A default 1", OPEN),
        ("trap.ts::B default 5", OPEN),
        ("trap.ts::C default 10", OPEN),
        ("trap.ts::D lacks b", OPEN),
        ("trap.ts::E = 1", OPEN),
        ("trap.sh::PORT = 1", OPEN),
        ("trap.sh::HOST = x", OPEN),
        ("trap.rs::T = 1", OPEN),
        ("trap.env::PORT = 8443", OPEN),
        ("trap.env::URL = a", OPEN),
        ("trap.ini::a.x = 6", OPEN),
        ("broken.ts::PORT = 8443", OPEN),
        ("indirect.py::PORT = 1", OPEN),
        ("parameters.py::serve(port) = 1", OPEN),
        ("changed.py::A lacks x", OPEN),
        ("changed.py::B lacks x", OPEN),
        ("changed.py::C = {'c': 1}", OPEN),
        ("changed.py::D lacks x", OPEN),
        ("changed.ts::A = { a: 1 }", OPEN),
        ("changed.ts::b = 1", OPEN),
        ("changed.ts::C lacks d", OPEN),
        ("lent.go::port = 1", OPEN),
        ("function.sh::PORT = 1", OPEN),
        ("function.sh::HOST = x", YES),
        ("source.sh::PORT = 1", OPEN),
        ("texts.yaml::a = true", OPEN),
        ("texts.yaml::a = yes", YES),
        ("texts.yaml::b = 15", OPEN),
        ("texts.yaml::c = 750", OPEN),
        ("texts.yaml::d = 1000", OPEN),
        ("texts.yaml::e = true", YES),
        ("texts.yaml::f = 17", YES),
        ("texts.yaml::g = false", OPEN),
        ("members.json#/files lacks src", OPEN),
        ("members.json#/deps lacks requests", OPEN),
        ("members.json#/deps has requests", OPEN),
        ("members.json#/people lacks x", OPEN),
        ("a.py::Kind lacks value", OPEN),
        ("init.py::LIMIT = 3", YES),
        ("init.py::Config.port default '8443'", YES),
        ("init.py::PORT default '8443'", YES),
        ("init.py::Config.port default '1'", NO),
        ("init.py::Config.host default 'a'", OPEN),
        ("local.py::A.port default '1'", OPEN),
        ("walrus.py::PORT = 1", OPEN),
        ("walrus.py::HOST = 2", YES),
        ("handle.py::PORT = 1", OPEN),
        ("deep.py::PORT = 1", OPEN),
        ("scoped.py::A.X = 1", YES),
        ("texts.py::PORT = 1", YES),
        ("method.py::A.X = 1", OPEN),
        ("index.go::Key = 1", YES),
        ("again.ts::f(a) = 1", OPEN),
        ("again.ts::C.db.rows = 1", OPEN),
        ("array.sh::A = 1", OPEN),
        ("time.go::Wait = 10 * time.Second", YES),
        ("time.go::Wait = 10000 * time.Millisecond", YES),
        ("time.go::Wait = 10 * time.Minute", NO),
        ("enums.ts::Level has Info", YES),
        ("enums.ts::Level lacks Warn", YES),
        ("enums.ts::Level lacks Info", NO),
        ("enums.ts::KINDS lacks c", YES),
        ("enums.rs::Level has Info", YES),
        ("enums.rs::Level has Warn", NO),
        ('space.toml::requires = ">= 3.14"', OPEN),
        ("bound.py::PORT = 1", OPEN),
        ("bound.py::HOST = 1", OPEN),
        ("bound.py::config = 2", OPEN),
        ("bound.py::serve(port) = 1", OPEN),
        ("bound.py::A.X = 1", OPEN),
        ("bound.py::B.Y = 2", YES),
        ("bound.py::B lacks z", OPEN),
        ("enum.py::K has A", OPEN),
        ("enum.py::L has A", OPEN),
        ("wide.ts::A = 2147483648", OPEN),
        ("wide.ts::B = 9007199254740992", OPEN),
        ("wide.ts::C = [1, 2]", OPEN),
        ("wide.ts::D.port = 1", OPEN),
        ("wide.ts::E.port = 1", OPEN),
        ("wide.ts::F.a = 1", OPEN),
        ("wide.ts::G = 'A'", OPEN),
        ("wide.ts::H = 1", OPEN),
        ("wide.rs::A = [1, 3]", OPEN),
        ("wide.rs::B = 1", OPEN),
        ("Wide.java::A.B = 86400000000", OPEN),
        ("Wide.java::A.C = 4294967295", OPEN),
        ("wide.sh::A = a", OPEN),
        ("wide.sh::B = x", OPEN),
        ("read.sh::A = 1", OPEN),
        ("extends.json#/flags lacks b", OPEN),
        ("remark.yaml::port = 8443 # no, 9443", OPEN),
        ("a.ts::PORT = 8443 /* no */", OPEN),
        ("a.ts::PORT = 8443 as Wrong", OPEN),
        ("mutable.rb::HOST = 'a'", OPEN),
        ("mutable.rb::NAME = 'a'", OPEN),
        ("mutable.rb::ALIAS = 'a'", OPEN),
        ("mutable.rb::PORTS has a", OPEN),
        ("mutable.rb::KINDS has a", OPEN),
        ("mutable.rb::STILL = 'a'", YES),
        ("mutable.rb::LIMIT = 3", YES),
        ("mutable.rb::serve(host) = 'a'", YES),
        ("frozen.rb::HOST = 'a'", YES),
        ("raw.rs::Mode lacks type", OPEN),
        ("raw.rs::Mode has type", OPEN),
        ("raw.rs::Mode lacks BETA", OPEN),
        ("raw.rs::Mode lacks Gamma", YES),
        ("raw.rs::PORT = 1", OPEN),
        ("Raw.cs::Mode lacks class", OPEN),
        ("Raw.cs::Mode has class", OPEN),
        ("Raw.cs::Mode has Beta", NO),
        ("Escape.cs::A.PORT = 8443", OPEN),
        ("Text.cs::A.PORT = 8443", YES),
        ("merged.ts::Mode lacks Voice", OPEN),
        ("merged.ts::Mode lacks Text", YES),
        ("escape.ts::Kind lacks VOICE", OPEN),
        ("escape.ts::Text lacks VOICE", OPEN),
        ("escape.js::PORT = 8443", OPEN),
        ("text.js::PORT = 8443", YES),
        ("computed.ts::A.port = 1", OPEN),
        ("nested.ts::A = [['a']]", OPEN),
        ("nested.ts::B = { db: { rows: 1 } }", OPEN),
        ("nested.ts::B.db.rows = 1", OPEN),
        ("nested.ts::C has c", OPEN),
        ("nested.ts::D has d", OPEN),
        ("nested.ts::E has e", YES),
        ("nested.py::A = {'a': ['b']}", OPEN),
        ("nested.py::B has a", YES),
        ("folded.py::A = ['a']", OPEN),
        ("folded.py::K.X = 1", OPEN),
        ("Comment.java::A.PORT = 8443", OPEN),
        ("Line.java::A.PORT = 8443", OPEN),
        ('Text.java::A.NAME = "ab"', OPEN),
        ("Plain.java::A.PORT = 8443", YES),
        ("break.js::PORT = 8443", OPEN),
        ("Break.java::A.PORT = 8443", OPEN),
        ("Break.cs::A.PORT = 8443", OPEN),
        ("called.ts::A has a", OPEN),
        ("called.ts::B has b", OPEN),
        ("called.ts::C has c", OPEN),
        ("alias.py::A has a", OPEN),
        ("alias.py::T = (['a'],)", OPEN),
        ("Lent.cs::A.PORT = 1", OPEN),
        ("Lent.cs::A.HOST = 2", OPEN),
        ("continued.sh::PORT = 8443", OPEN),
        ("exec.sh::PORT = 8443", OPEN),
        ("exec.sh::HOST = y", NO),
        ("coproc.sh::PORT = 8443", OPEN),
        ("readonly.sh::PORT = 8443", OPEN),
        ("braces.sh::PORT = 8443", OPEN),
        ("quoted.sh::PORT = 8443", OPEN),
        ("index.sh::PORT = 8443", OPEN),
        ("wait.sh::PORT = 8443", OPEN),
        ("default.sh::D default 5", OPEN),
        ("plain.sh::PORT = 8443", YES),
        ("quotes.env::PORT = 8443", OPEN),
        ("quotes.env::HOST = a", OPEN),
        ("quotes.env::NAME = a", YES),
        ("quotes.env::TEXT = ab", OPEN),
        ("lines.env::PORT = 1", OPEN),
        ("a.swift::PORT = 8443", OPEN),
        ("a.kt::PORT = 8443", OPEN),
        ("a.php::PORT = 8443", OPEN),
    ],
)
def test_a_value_is_answered(assertion: str, verdict: Verdict) -> None:
    read = read_assertion(assertion)
    assert read is not None
    answer = answer_assertion(read, SOURCES[read.path])
    assert answer.verdict is verdict, answer
    assert answer.reason or verdict is YES


@pytest.mark.parametrize(
    "text",
    [
        "Foo::BAR = 3",
        "a.py::PORT == 3",
        "a.py::PORT",
        "x = 3",
        "a.py PORT = 3",
        "http://x.py::a = 1",
    ],
)
def test_other_code_is_no_assertion(text: str) -> None:
    assert read_assertion(text) is None


@pytest.mark.parametrize(
    ("text", "assertion"),
    [
        ("`PORT` in `a.py` is 8443.", "a.py::PORT = 8443"),
        ("The `PORT` (`a.py`) is set to `8443`", "a.py::PORT = 8443"),
        ("`a.py::PORT` equals 8443", "a.py::PORT = 8443"),
        ("`HOST` in `a.ts` defaults to `'x'`.", "a.ts::HOST default 'x'"),
        ("`PORT` in `a.py` is 8443 in production.", ""),
        ("`PORT` in `a.py` is not 8443.", ""),
        ("Locally, `PORT` in `a.py` is 8443.", ""),
    ],
)
def test_a_sentence_states_the_same(text: str, assertion: str) -> None:
    read = read_sentence(text)
    assert (read.text if read else "") == assertion


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("`P`", True),
        ("The max retries is `P`.", True),
        ("Max retries: `P`", True),
        ("See `P`.", True),
        ("`P`, `P` and `P`.", True),
        ("The retries is `P`.", False),
        ("The production max retries is `P`.", False),
        ("Unless `P`.", False),
        ("`P`?", False),
        ("It is false that `P`.", False),
        ("`P` or `P`", False),
    ],
)
def test_a_claim_may_say_no_more_than_its_proofs(text: str, only: bool) -> None:
    places = [
        (n, n + 1, "MAX_RETRIES")
        for n, sign in enumerate(text)
        if sign == "P" and text[n - 1] == "`"
    ]
    assert says_only(text, places) is only


FILES = {
    "src/settings.py": "PORT = 8443\n",
    "package.json": '{"scripts": {"build": "tsc -p .", "all": "npm run build && vitest", "test": "vitest run",'
    ' "docs": "typedoc", "predocs": "rm -rf docs"}}',
    "Makefile": "lint:\n\truff check .\nall: lint\n\techo done\n",
    "tests/test_a.py": "",
    "web/tests/a.test.ts": "",
    "src/hooks/a.py": "",
    "tsconfig.json": '{"outDir": "./lib"}',
    "lib/a.js": "",
    ".gitignore": "Notes/\n",
    "docs/adr/0001-x.md": "# ADR-1: X\n\nStatus: accepted\n\nWe use X.\n",
}


COMMITS = (FILES, {"lib/a.js": None})


@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        ("`npm run build` runs `tsc -p .`.", "proved"),
        ("`make lint` runs `ruff check .`", "proved"),
        ("`npm run build` runs `esbuild`.", "proof-failed"),
        ("`npm run build` runs `tsc`.", "proof-open"),
        ("`npm run build` runs `tsc -p web`.", "proof-failed"),
        ("`npm run test` runs `vitest run --coverage`.", "proof-failed"),
        ("`npm run all` runs `tsc -p .`.", "proof-open"),
        ("`npm run test` runs `jest`.", "proof-failed"),
        ("`Notes/` is gitignored.", "proved"),
        ("`dist/` is gitignored.", "proof-open"),
        ("`npm -w web run build` runs `tsc -p .`.", "ungrounded"),
        ("`npm run docs` runs `typedoc`.", "proof-open"),
        ("`make all` runs `echo done`.", "proof-open"),
        ("Decisions live in `docs/adr`.", "proved"),
        ('`tsconfig.json#/outDir = "./lib"`', "proved"),  # a value is no path
        ("Tests live in `tests`.", "proof-open"),
        ("The hooks live in `src/hooks`.", "proved"),
        ("The hook lives in `src/hooks`.", "cited"),
        ("Settings about money live in `src`.", "ungrounded"),
        ("The port is `src/settings.py::PORT = 8443`.", "proved"),
        ("We may set `src/settings.py::PORT = 9000`.", "cited"),
        ("The public port is `src/settings.py::PORT = 8443`.", "proof-beside"),
        ("~~`src/settings.py::PORT = 8443`~~", "proof-beside"),
    ],
)
def test_a_form_of_proof_decides(judged: dict[str, Decision], claim: str, rule: str) -> None:
    assert judged[claim].rule == rule


@pytest.mark.parametrize(
    ("alone", "rule"),
    [
        ("`make lint` runs `ruff 'check'`.", "proof-open"),
        ("`src/` is ignored by git.", "proof-failed"),
        ("`src` is gitignored.", "proof-failed"),
        (
            "The port is `src/settings.py::PORT = 8443` and `src/settings.py::PORT = 1`.",
            "proof-failed",
        ),
    ],
)
def test_a_form_of_proof_decides_where_nothing_contradicts(
    repo: Repo, alone: str, rule: str
) -> None:
    """The claims above would contradict these."""
    assert repo.judge(alone).rule == rule


AROUND = [
    "## In production\n\n- `src/settings.py::PORT = 8443`\n",
    "Locally only:\n\n- `src/settings.py::PORT = 8443`\n",
    "These were never true:\n\n- `src/settings.py::PORT = 8443`\n",
    "`src/settings.py::PORT = 8443`. That is wrong.\n",
    "`src/settings.py::PORT = 8443`. Ignore that.\n",
    "`src/settings.py::PORT = 8443`[^1]\n\n[^1]: Not any more.\n",
    "| Removed | Kept |\n|---|---|\n| `src/settings.py::PORT = 8443` | no |\n",
    "- [ ] `src/settings.py::PORT = 8443`\n",
    "\u274c `src/settings.py::PORT = 8443`\n",
    "# Rejected\n\n`src/settings.py::PORT = 8443`\n",
    "## Debunked\n\n`src/settings.py::PORT = 8443`\n",
    "## Устарело\n\n`src/settings.py::PORT = 8443`\n",
    "What people get wrong:\n\n- `src/settings.py::PORT = 8443`\n",
    "> `src/settings.py::PORT = 8443`\n",
    "`src/settings.py::PORT = 8443`\n\nThat was so until May.\n",
    "- `src/settings.py::PORT = 8443`\n- The above is a joke.\n",
    "<del>\n\n`src/settings.py::PORT = 8443`\n\n</del>\n",
    "Nobody should believe what follows. `src/settings.py::PORT = 8443`\n",
    "Everything below is from the old service.\n\n## Ports\n\n`src/settings.py::PORT = 8443`\n",
    "1. Wrong answers\n   - `src/settings.py::PORT = 8443`\n",
    "`src/settings.py::PORT = 8443`\n\nNot true.\n",
    "`src/settings.py::PORT = 8443`\n\nOnly on Windows.\n",
    "`src/settings.py::PORT = 8443`\n\n错误。\n",
    "Values for the staging cluster only.\n\n`src/settings.py::PORT = 8443`\n",
    "- `src/settings.py::PORT = 8443`\n  - This was last year.\n",
    "`src/settings.py::PORT = 8443` <!-- wrong -->\n",
    "<span style='text-decoration:line-through'>\n\n`src/settings.py::PORT = 8443`\n\n</span>\n",
    "## Database\n\n`src/settings.py::PORT = 8443`\n",
    "The port \u043d\u0435 is `src/settings.py::PORT = 8443`.\n",
    "Text\n\n    `src/settings.py::PORT = 8443`\n\n`src/settings.py::PORT = 8443`: no.\n",
]
WITHDRAWN = [
    ("CLAUDE.md", "---\narchived: true\n---\n# Notes\n\n`src/settings.py::PORT = 8443`\n"),
    ("lies.md", "# Notes\n\n`src/settings.py::PORT = 8443`\n"),
    ("legacy/CLAUDE.md", "# Notes\n\n`src/settings.py::PORT = 8443`\n"),
    ("AGENTS.md", "# Notes\n\nEverything here is made up.\n\n## Ports\n\n`src/settings.py::PORT = 8443`\n"),
    ("memory/a.json", '[{"content": "The port is old.", "proofs": ["src/settings.py::PORT = 8443"]}]'),
    ("memory/b.json", '[{"content": "The port is 8443.", "retracted": true, "proofs": ["src/settings.py::PORT = 8443"]}]'),
]  # fmt: skip
PROVED = [
    ("memory-bank/notes_99.md", "# Notes\n\n`src/settings.py::PORT = 8443`\n"),
    ("memory/c.json", '[{"content": "The port is 8443.", "proofs": ["src/settings.py::PORT = 8443"]}]'),
]  # fmt: skip


ROWS = [
    *((f"memory-bank/notes_{n}.md", f"# Notes\n\n{t}") for n, t in enumerate(AROUND)),
    *WITHDRAWN,
]


@pytest.fixture(scope="module")
def proofs(repo: Repo) -> dict[str, list[Decision]]:
    """The decisions about the port in each document above, from one check."""
    found = repo.decide(dict([*ROWS, *PROVED]))
    return {p: [d for d in found[p] if "PORT" in d.place.claim.text] for p in found}


@pytest.mark.parametrize(("path", "text"), ROWS)
def test_what_stands_around_a_proof_keeps_it_from_approving(
    proofs: dict[str, list[Decision]], path: str, text: str
) -> None:
    """So does the name of a document, and a record that may be withdrawn."""
    assert proofs[path], text
    assert not any(d.approved for d in proofs[path]), text


@pytest.mark.parametrize("path", [path for path, _ in PROVED])
def test_a_text_with_nothing_around_its_proof_is_proved(
    proofs: dict[str, list[Decision]], path: str
) -> None:
    assert [d.rule for d in proofs[path]] == ["proved"]


RECORDS = [
    ("We use Redis.", True),
    ("Bob is away. We use Redis.", True),
    ("We use Redis. That was dropped.", False),
    ("Bob said this. Use of Redis is banned.", False),
    ("## Decision\n\nWe use Redis.", True),
    ("## Decision\n\nWe use Redis.\n\n## Amendment\n\nNo more.", False),
    ("## Decision history\n\nWe use Redis.", False),
    ("## Options\n\n### A\n\nWe use Redis.\n\n## Decision\n\nWe use Kafka.", False),
]


@pytest.fixture(scope="module")
def quoted(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[bool, bool]]:
    """Whether each record is quoted, before and after another one supersedes it."""
    repo = Repo(tmp_path_factory.mktemp("records"))
    log = {
        f"docs/adr/{n:04}-a.md": f"# ADR-{n}: A\n\nStatus: accepted\n\n{record}\n"
        for n, (record, _) in enumerate(RECORDS, 1)
    }
    claims = [f"Per ADR-{n}, we use Redis." for n in range(1, len(RECORDS) + 1)]
    repo.commit(log)
    before = repo.judge_each(claims)
    every = " and ".join(f"ADR-{n}" for n in range(1, len(RECORDS) + 1))
    repo.commit({"docs/adr/0020-b.md": f"# ADR-20: B\n\nStatus: accepted\n\nSupersedes {every}.\n"})
    after = repo.judge_each(claims)
    return [(before[c].rule == "quoted", after[c].rule == "quoted") for c in claims]


@pytest.mark.parametrize(("row", "decided"), [(n, d) for n, (_, d) in enumerate(RECORDS)])
def test_only_what_an_adr_itself_decides_is_quoted(
    quoted: list[tuple[bool, bool]], row: int, decided: bool
) -> None:
    assert quoted[row] == (decided, False), RECORDS[row]
