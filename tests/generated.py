"""Random repositories: records, documents, sidecars, review logs and configurations, well-formed
ones and such as somebody damaged. The same seed gives the same files."""

# ruff: noqa: SIM905  words are read and added to more easily in rows
from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

WORDS = (
    "the ledger was moved queue port 8443 is not and I think maybe we decided to use Redis must"
    " never `src/a.py:1` (ADR-1) #12 deadbee https://example.org/x @docs/a.md timeout 30 s 2026-01-05"
    " Bearbeitung 队列 всё é e\u0301 \u200b \u202e \U000e0041\U000e0042 \ufe0f\U000e0100 👩‍👩‍👧 \ufffd"
    " TODO ? : ; ``` ~~~ --- === <!-- --> <pre> </div> <b hidden> | [x](y.md) [^1] ** __ ![]( &amp; {{x}}"
    " - * 1. > # ## yesterday because ${X} %s \\ \" ' ( ) v1.2.3 1,535 0x1F ½ ٣"
).split(" ")
NAMES = (
    "text content memory fact claim facts memories claims observations notes id source memory_type"
    " trust timestamp owner valid_until type name entityName entityType from to relationType kind x é"
).split()
KEYS = [*NAMES, "", "The ledger was moved.", "a b c d e", "\u0000", "0", "\U000e0041"]
SOURCES = ("user", "chat", "adr", "ai_synthesis", "USER", "x", "")
PLACES = (
    "memory/{}.json memory/{}.jsonl memory/{}.yaml memory/{}.md memory/{}.txt memory/{}.rst"
    " memory/{}.csv memory/{}.toml memory/{}.html memory/{}.xml memory/{}.org memory/{} docs/{}.md"
    " docs/adr/{}-x.md .claude/{}.md .cursor/rules/{}.mdc memory-bank/{}.md vendor/{}/CLAUDE.md"
).split()
ROOT = ("CLAUDE.md", "AGENTS.md", "README.md", "docs/adr/0001-a.md", "src/a.py", ".gitattributes")
SETTINGS = (
    "classes exclude mirrors sources trusted_sources agents reviewers base adr_dirs dedup trust network"
    " tracker horizons policy stage_evidence review judge preset nothing"
).split()
GOOD = {
    "exclude": ["[docs/**]", "['*']", '["memory/{a,b}*", "!x"]', "[a[b]"],
    "classes": ["{memory: ['**/*.md']}", "{docs: [vendor/**], decisions: [memory/**]}", "{x: []}"],
    "sources": ["{'memory/**': chat}", "{'**': user}", "{'docs/**': adr}", "{a: 1}"],
    "trusted_sources": ["[user]", "[chat, adr]", "[x]"],
    "policy": ["{speculation: review}", "{repeat: off, hidden-text: block}", "{approved: off}"],
    "dedup": ["{threshold: 0.5, exact_words: 1}", "{near_words: 0}"],
    "preset": ["strict", "advisory", "loose"],
    "horizons": ["{fact: 1}", "{episodic: 30, ungrounded: 1}", "{fact: .inf}"],
    "mirrors": ["[['docs/**', 'memory/**']]", "[[a]]"],
    "review": ["{max_pending: 1, over: block}", "{over: never}"],
    "base": ["main", "nowhere", "''"],
    "adr_dirs": ["[memory]", "[docs/adr, '..']"],
}
SIDECAR = (
    "id claim section ordinal tier rule kind memory_type source validity_horizon citations similarity"
    " conflict target verdict reason support fingerprint quote network"
).split()
REVIEW = "id section action reviewer reviewed_at reason ordinal claim digest".split()


class Generator:
    """Draws files; `rng` decides everything."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def sentence(self) -> str:
        rng = self.rng
        if rng.random() < 0.6:
            cited = rng.choice(["", " (`src/a.py:1`)", " (ADR-1)", " [x](docs/a.md)", " #3"])
            return (
                f"The {rng.choice(WORDS)} of the {rng.choice(WORDS)} is {rng.randint(0, 9)}{cited}."
            )
        return " ".join(rng.choices(WORDS, k=rng.randint(0, 14)))

    def value(self, depth: int = 0) -> Any:
        """A random value of JSON, mostly shaped like memory."""
        rng = self.rng
        match rng.randint(0, 9 if depth < 4 else 5):
            case 0:
                return rng.choice([None, True, False, 0, -1, 1.5, 1e300, 10**30, float("nan")])
            case 1:
                return rng.choice([*SOURCES, 0.5, "fact", "episodic", "2026-13-45", "relation"])
            case 2 | 3 | 4 | 5:
                return self.sentence()
            case 6 | 7:
                return [self.value(depth + 1) for _ in range(rng.randint(0, 4))]
            case _:
                keys = rng.sample(KEYS, rng.randint(0, 6))
                return {key: self.value(depth + 1) for key in keys}

    def markdown(self) -> str:
        rng = self.rng
        blocks: list[Callable[[], str]] = [
            self.sentence,
            self.sentence,
            lambda: "#" * rng.randint(1, 7) + " " + self.sentence(),
            lambda: "\n".join(f"{'  ' * rng.randint(0, 3)}- {self.sentence()}" for _ in range(3)),
            lambda: (
                f"| {self.sentence()} | b |\n|---|---|\n| {self.sentence()} | {self.sentence()} |"
            ),
            lambda: f"```{self.sentence()}\n{self.sentence()}\n```",
            lambda: f"<!-- {self.sentence()} -->",
            lambda: f"<pre>{self.sentence()}</pre><p {self.sentence()}>{self.sentence()}",
            lambda: f"[^1]: {self.sentence()}",
            lambda: f"[{self.sentence()}]: x '{self.sentence()}'",
            lambda: f'<!-- grounded: ignore[{self.sentence()}] reason="{self.sentence()}" -->',
            lambda: "> " * rng.randint(1, 30) + self.sentence(),
        ]
        front = f"---\n{self.yaml()}\n---\n" if rng.random() < 0.3 else ""
        return front + "\n\n".join(rng.choice(blocks)() for _ in range(rng.randint(0, 8)))

    def yaml(self) -> str:
        rng = self.rng
        if rng.random() < 0.4:  # JSON is YAML
            return self.json(self.value())
        rows = []
        for _ in range(rng.randint(1, 6)):
            key, value = rng.choice(KEYS), self.sentence()
            form = rng.choice(
                ["{k}: {v}", "- {v}", "{k}: &{w} {v}", "{k}: !{w} {v}", "# {v}", "{k}: |\n  {v}",
                 "{k}: *{w}", "- {k}: '{v}'", "{k}: [{v}", "---", "? {v}", "{k}: !!binary {v}",
                 "{k}: 2026-01-0{n}", "{k}: !!int {v}", "<<: *{w}", "{k}: 0x{n}:6{n}"]
            )  # fmt: skip
            rows.append(form.format(k=key, v=value, w=rng.choice(WORDS), n=rng.randint(0, 9)))
        return "\n".join(rows)

    def json(self, value: Any) -> str:
        text = json.dumps(value, ensure_ascii=self.rng.random() < 0.5)
        return text.replace(
            "NaN", self.rng.choice(["NaN", "null", '"\\ud800 x \\u0000"', "1e999", "-"])
        )

    def lines(self, keys: list[str]) -> str:
        """Lines of objects over these keys, as sidecars and review logs have them."""
        rng = self.rng
        good = {
            "action": "approve",
            "tier": 1,
            "verdict": "confirmed",
            "reviewer": "ada@example.org",
        }
        rows = []
        for _ in range(rng.randint(0, 4)):
            row = {k: self.value(3) if rng.random() < 0.3 else str(k) for k in keys}
            row |= {k: v for k, v in good.items() if k in keys and rng.random() < 0.7}
            rows.append(self.json({k: v for k, v in row.items() if rng.random() < 0.9}))
        return "\n".join(rows)

    def damaged(self, content: bytes) -> bytes:
        rng = self.rng
        if not content or rng.random() < 0.8:
            return content
        at, end = sorted((rng.randrange(len(content)), rng.randrange(len(content))))
        return rng.choice(
            [
                lambda: content[:at],
                lambda: content[:at] + content[end:],
                lambda: content + content[at:end] * 3,
                lambda: content[:at] + rng.randbytes(3) + content[at:],
                lambda: content.replace(b"\n", rng.choice([b"\r", b"\r\n", b"\x85", b"\x0c"])),
                lambda: b"\xef\xbb\xbf" + content,
                lambda: content[:at] + b"<<<<<<< ours\n" + content[at:],
            ]
        )()

    def content(self, path: str) -> bytes:
        """What could stand at a path."""
        end = path.rpartition(".")[2]
        match end:
            case "json":
                text = self.json(self.value())
            case "jsonl":
                text = "\n".join(self.json(self.value()) for _ in range(self.rng.randint(0, 5)))
            case "yaml":
                text = self.yaml()
            case "csv":
                text = "\n".join(f"{self.sentence()},{self.sentence()}" for _ in range(3))
            case "toml":
                text = f"[a]\nb = {self.json(self.sentence())}\n# {self.sentence()}\n"
            case _:
                text = self.markdown()
        return self.damaged(text.encode(errors="replace"))

    def configuration(self) -> bytes:
        rng = self.rng
        keys = rng.sample(SETTINGS, rng.randint(0, 4))
        rows = [f"{key}: {rng.choice(GOOD.get(key, [self.json(self.value(3))]))}" for key in keys]
        return self.damaged("\n".join(rows).encode(errors="replace"))

    def accepted_configuration(self) -> bytes:
        """One that is not refused, mostly: a refused one keeps all else from being looked at."""
        from grounded_ingest.config.files import parse_yaml
        from grounded_ingest.errors import GroundedIngestError

        for _ in range(40):
            found = self.configuration()
            try:
                parse_yaml(found.decode(), "x")
            except (GroundedIngestError, UnicodeDecodeError):
                continue
            if found:
                break
        return found

    def documents(self, count: int) -> dict[str, bytes]:
        """Paths and contents of documents, and the sidecars that claim to be of them."""
        files = {}
        for number in range(count):
            path = self.rng.choice(PLACES).format(number)
            files[path] = self.content(path)
            if self.rng.random() < 0.3:
                name = self.rng.choice(
                    (".jsonl", "/0123456789abcdef.jsonl", "/0123456789abcdef-1.jsonl")
                )
                files[f".grounded/evidence/{path}{name}"] = self.damaged(
                    self.lines(SIDECAR).encode(errors="replace")
                )
        for path in self.rng.sample(ROOT, 3):
            files[path] = self.content(path)
        return files

    def review_log(self) -> bytes:
        return self.damaged(self.lines(REVIEW).encode(errors="replace"))


QUESTIONS = (
    "what was moved",
    "",
    "port 8443",
    "\u0301",
    "`src/a.py:1`",
    "队列",
    '"',
    "* OR -",
    "NEAR(",
)
FORMATS = ("text", "jsonl", "github", "gitlab", "sarif", "junit", "markdown", "html")


def commands(rng: random.Random, paths: list[str]) -> list[list[str]]:
    """Every command that reads a repository, each in some of its ways."""
    path, question = rng.choice(paths), rng.choice(QUESTIONS)
    where = rng.choice([f"{path}:{rng.randint(0, 9)}", "deadbeef", question or "x"])
    records = [p for p in paths if p.endswith((".json", ".jsonl"))]
    memories = ["--memories", rng.choice(records)] if records else ["--knowledge-base"]
    grounds = rng.choice([["--knowledge-base"], ["--source", path], memories])
    scope = rng.choice(["--staged", "--since=HEAD~1", "--range=HEAD~1..HEAD", "--locked"])
    as_json = ["--output-format", "json"]
    return [
        ["check", "--offline", *as_json, "--all"],
        ["check", "--offline", *as_json, scope],
        ["check", "--offline", "--all", "--output-format", rng.choice(FORMATS)],
        ["check", "--offline", "--staged", "--write"],
        ["audit", "--offline", *rng.choice([[], as_json, ["--diff"]])],
        ["review", "list", "--offline", *rng.choice([[], ["--json"]])],
        ["recall", *rng.choice([[], as_json, ["--pending"]]), "--", question],
        ["status", *rng.choice([[], ["--json"]])],
        ["explain", *rng.choice([[], ["--json"], ["--staged"]]), "--", where],
        ["verify", "--text", question or "The port is 8443.", *grounds],
    ]


def round_of(seed: int, *, damage: bool) -> tuple[dict[str, bytes], dict[str, bytes], Generator]:
    """The files of one round: those committed and those staged on top. `damage`: configuration
    and review logs too, which stop a run where they cannot be read."""
    made = Generator(seed)
    files = made.documents(30)
    if damage:
        files[".grounded-ingest.yaml"] = made.accepted_configuration()
        for path in list(files)[:3]:
            files[f".grounded/reviews/{path}.jsonl"] = made.review_log()
    changed = {path: made.content(path) for path in made.rng.sample(list(files), 8)}
    return files, changed | made.documents(4), made
