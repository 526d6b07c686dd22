"""Memory records: JSON, JSON Lines, YAML, knowledge graphs; broken files; mere settings."""

from __future__ import annotations

import json
import sys

import pytest

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass, Extraction, Form, Kind, MemoryType, Source

PORT, OPEN = "The port is 80.", "It is open."


def read(source: str, path: str, doc_class: DocClass = DocClass.MEMORY) -> Extraction:
    return extract(source.encode(errors="surrogatepass"), path, doc_class)


def texts(found: Extraction) -> list[str]:
    return [c.text for c in found.claims]


ENTITY = '{"type":"entity","name":"Ann","entityType":"person","observations":["likes tea","is 30"]}'
RELATION = '{"type":"relation","from":"Ann","to":"Acme","relationType":"works_at"}'
GRAPH = ["Ann: likes tea", "Ann: is 30", "Ann works_at Acme"]


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        *(("a.json", f'[{{"{key}": "{PORT}"}}]', [PORT]) for key in ("text", "content", "memory")),
        *(("a.json", f'[{{"{key}": "{PORT}"}}]', [PORT]) for key in ("fact", "claim")),
        ("a.json", f'{{"memories": [{{"id": "1", "text": "{PORT}"}}]}}', [PORT]),
        ("a.json", f'{{"memories": ["{PORT}", "{OPEN}"]}}', [PORT, OPEN]),
        ("a.json", f'{{"text": "{PORT} {OPEN}"}}', [PORT, OPEN]),
        ("a.json", '[{"text": "likes tea"}]', ["likes tea"]),
        ("a.json", '[{"id": "1", "text": "Paris"}]', ["Paris"]),
        (
            "a.json",
            f'[{{"text": "{PORT}", "note": "Ask Ann about it"}}]',
            [PORT, "Ask Ann about it"],
        ),
        (
            "a.json",
            f'[{{"text": "{PORT}", "x": {{"y": ["It is so now"]}}}}]',
            [PORT, "It is so now"],
        ),
        ("a.json", '[{"text": "    It is indented"}]', ["It is indented"]),
        ("a.json", '[{"text": "- It is 1\\n- It is 2"}]', ["It is 1", "It is 2"]),
        ("a.json", f"[{ENTITY},{RELATION}]", GRAPH),
        ("a.json", f'{{"entities":[{ENTITY}],"relations":[{RELATION}]}}', GRAPH),
        ("a.json", '{"entityName":"Ann","observations":["is 30"]}', ["Ann: is 30"]),
        ("a.jsonl", f"{ENTITY}\n{RELATION}\n", GRAPH),
        ("a.ndjson", f"{ENTITY}\r\n\r\n{RELATION}", GRAPH),
        ("a.jsonl", '{"text":"It is a\u2028b"}\n{"text":"It is c"}\n', ["It is a b", "It is c"]),
        ("a.yaml", f"- text: {PORT}\n- text: {OPEN}\n", [PORT, OPEN]),
        ("a.yml", f"---\ntext: {PORT}\n---\ntext: {OPEN}\n", [PORT, OPEN]),
        ("a.yaml", f"text: |\n  {PORT}\n  {OPEN}\n", [PORT, OPEN]),
        ("a.yaml", f"a: &a\n  text: {PORT}\nb: *a\n", [PORT]),
        ("a.yaml", f"a: !Sub\n  text: {PORT}\n", [PORT]),
        ("a.json", '{"notes": ["The port is 80."]}', [PORT]),
        ("a.json", '{"facts": ["The port is 80."]}', [PORT]),
        ("a.json", '["The ledger was moved to Kafka", "a b"]', ["The ledger was moved to Kafka"]),
        ("a.json", '"The port is 80."', [PORT]),
        ("a.json", '{"x": {"y": {"z": "The port is 80."}}}', [PORT]),
        ("a.json", '{"The port is 80.": true}', [PORT]),
        ("a.json", '{"x": "端口现在是八千四百四十三"}', ["端口现在是八千四百四十三"]),
        ("a.json", '{"type": "entity", "name": "The port is 80.", "observations": []}', [PORT]),
        (
            "a.json",
            '{"name": "Ann", "entityType": "She is the owner.", "observations": ["is 30"]}',
            ["Ann: is 30", "She is the owner."],
        ),
        ("a.json", '{"x": "The port is 80.", "x": "It is open now."}', [PORT, "It is open now."]),
        ("a.jsonl", '"The port is 80."\n{"x": "It is open now."}', [PORT, "It is open now."]),
        ("a.ipynb", '{"cells": [{"source": ["The port is 80."]}]}', [PORT]),
        ("a.yaml", "# The port is 80.\nport: 80\n", [PORT]),
        ("a.yaml", "x: 1  # The port is 80.\n", [PORT]),
        ("a.yaml", "# The port of it\n# all is 80.\nx: 1\n", ["The port of it all is 80."]),
        ("a.yaml", "x: | # The port is 80.\n  y\n", [PORT]),
        ("a.yaml", "x: 'a # The'\n", []),
    ],
)
def test_records_become_claims(path: str, source: str, expected: list[str]) -> None:
    found = read(source, path)
    assert texts(found) == expected
    assert found.problems == ()
    assert {c.form for c in found.claims} <= {Form.RECORD}


FIELDS = {
    "id": "m1",
    "text": PORT,
    "source": "chat",
    "type": "preference",
    "memory_type": "episodic",
    "trust": 0.5,
    "timestamp": "2025-01-02T03:04:05Z",
    "valid_until": "2026-01-01",
}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.json", json.dumps([FIELDS])),
        ("a.jsonl", json.dumps(FIELDS)),
        (
            "a.yaml",
            "\n".join(f"{k}: '{v}'" if k != "trust" else f"{k}: {v}" for k, v in FIELDS.items()),
        ),
    ],
)
def test_records_set_fields_of_claims(path: str, source: str) -> None:
    (claim,) = read(source, path).claims
    assert (claim.record_id, claim.section, claim.block) == ("m1", "m1", 1)
    assert (claim.declared_source, claim.kind) == (Source.CHAT, Kind.PREFERENCE)
    assert (claim.memory_type, claim.trust) == (MemoryType.EPISODIC, 0.5)
    assert (claim.timestamp, claim.valid_until) == ("2025-01-02T03:04:05Z", "2026-01-01")


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.json", f'[\n  {{"text": "{PORT} {OPEN}"}}\n]', [(2, 13), (2, 29)]),
        ("a.json", f'[{{"é": 1, "text": "{PORT}"}}]', [(1, 20)]),
        ("a.json", f'\ufeff[{{"text": "{PORT}"}}]', [(1, 13)]),
        ("a.json", f'[{{"text": "\\u0041 is x. {OPEN}"}}]', [(1, 12), (1, 12)]),
        ("a.json", '[{"name": "Ann", "observations": ["é is x",\n"is y"]}]', [(1, 36), (2, 2)]),
        ("a.jsonl", f'{{"text": "é is x"}}\r\n  {{"text": "{PORT}"}}\r\n', [(1, 11), (2, 13)]),
        ("a.jsonl", f'\ufeff{{"text": "{PORT}"}}\n', [(1, 12)]),
        ("a.yaml", f"- text: é is x\n- text: {PORT} {OPEN}\n", [(1, 9), (2, 9), (2, 25)]),
        ("a.yaml", f"\ufeff- text: {PORT}\n", [(1, 10)]),
        ("a.yaml", f"- id: 1\n  text: |\n    {PORT}\n", [(2, 9)]),
    ],
)
def test_claims_of_records_know_their_lines_and_columns(
    path: str, source: str, expected: list[tuple[int, int]]
) -> None:
    assert [(c.line, c.column) for c in read(source, path).claims] == expected


DEEP = 100


@pytest.mark.parametrize(
    ("path", "source", "line", "message"),
    [
        ("a.json", '[\n{"text": "It is"}', 2, "not valid JSON: Expecting ','"),
        ("a.json", "{\n// It is a comment\n}", 2, "not valid JSON: Expecting property name"),
        ("a.json", '{"a":\n"x', 2, "Unterminated string"),
        ("a.json", '[{"a" 1}]', 1, "not valid JSON: Expecting ':'"),
        ("a.json", "[1,\n]", 1 if sys.version_info >= (3, 13) else 2, "not valid JSON"),
        ("a.json", "[1]\n[2]", 2, "not valid JSON: Extra data"),
        ("a.json", "[\nNaN]", 2, "not valid JSON"),
        ("a.json", "[" * DEEP + "]" * DEEP, 1, "levels deep"),
        ("a.json", "\ufeff\n{", 2, "not valid JSON: Expecting property name"),
        ("a.yaml", "a: 1\nb: [1", 2, "not valid YAML"),
        ("a.yaml", "é: 1\nb: 'x\n\n\nc: y: z", 5, "not valid YAML"),
        ("a.yaml", "a: b\n\x01", 2, "not valid YAML"),
        ("a.yaml", "[" * DEEP + "]" * DEEP, 1, "nested deeper"),
    ],
)
def test_a_file_that_cannot_be_read(path: str, source: str, line: int, message: str) -> None:
    for doc_class, tier in ((DocClass.MEMORY, 3), (DocClass.DOCS, 2)):
        (problem,) = read(source, path, doc_class).problems
        assert (problem.rule, problem.line, problem.tier) == ("unreadable", line, tier)
        assert message in problem.message


GOOD = f'{{"text": "{PORT}"}}'


@pytest.mark.parametrize(
    ("path", "source", "line", "message"),
    [
        ("a.jsonl", f"{GOOD}\n\n{{\n{GOOD}\n", 3, "not valid JSON: Expecting property name"),
        ("a.jsonl", f"{GOOD}\r\né\r\n", 2, "not valid JSON"),
        ("a.jsonl", f"{GOOD}\r{GOOD} x", 2, "not valid JSON: Extra data"),
        ("a.jsonl", f"{GOOD}\n" + "[" * DEEP + "]" * DEEP, 2, "levels deep"),
        ("a.json", f'[{GOOD},\n{{"id": "x", "text": 5}}]', 2, "'text' is not a text"),
        ("a.json", f'[{GOOD},\n{{"trust": 5, "text": "{PORT}"}}]', 2, "trust must be a number"),
        ("a.json", f'[{GOOD},\n{{"trust": true, "text": "{PORT}"}}]', 2, "trust must be a number"),
        ("a.json", f'[{GOOD},\n{{"trust": 1e999, "text": "{PORT}"}}]', 2, "trust must be a number"),
        ("a.json", f'[{GOOD},\n{{"text": "{PORT}", "text": "{OPEN}"}}]', 2, "occurs twice"),
        ("a.json", f'[{GOOD},\n{{"name": "Ann", "observations": [5]}}]', 2, "not a text"),
        ("a.json", f'[{GOOD},\n{{"type": "relation", "from": "Ann"}}]', 2, "a relation needs"),
        ("a.yaml", f"- text: {PORT}\n- text: {OPEN}\n  trust: .inf\n", 2, "trust must be a number"),
        ("a.yaml", f"- text: {PORT}\n- id: 1\n  text:\n", 2, "'text' is not a text"),
        ("a.yaml", f"- text: {PORT}\n- text: {OPEN}\n  text: {OPEN}\n", 2, "occurs twice"),
    ],
)
def test_other_records_are_read_beside_a_broken_one(
    path: str, source: str, line: int, message: str
) -> None:
    found = read(source, path)
    assert PORT in texts(found)
    (problem,) = found.problems
    assert (problem.rule, problem.line, problem.tier) == ("broken-record", line, 3)
    assert message in problem.message


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (
            "package.json",
            '{"name": "x", "version": "1.0.0", "files": ["a"], "scripts": {"a": "b c"}}',
        ),
        (
            "settings.json",
            '{"permissions": {"allow": ["Bash(git log:*)"]}, "content": ["./src/**"]}',
        ),
        (
            "compose.yaml",
            "services:\n  a:\n    limits: {memory: 512M}\n    x: &x {a: 1}\n    y: *x\n",
        ),
        ("cfn.yaml", "a: !Ref b\nc: !GetAtt [d, e]\n---\nf: 1\n"),
        ("tailwind.json", '{"text": 12, "content": 5, "memory": null}'),
        ("twice.json", '{"a": 1, "a": 2}'),
        ("huge.json", '{"a": ' + "9" * 5000 + ', "b": 1e999, "c": -0.0}'),
        ("schema.json", '{"type": "object", "properties": {"text": {"type": "string"}}}'),
        ("empty.json", ""),
        ("empty.yaml", "# nothing\n"),
        ("empty.jsonl", "\n\n"),
        ("number.yaml", "9" * 5000),
        ("mcp.json", '{"command": "npx", "args": ["-y", "@a/server", "run it as is --now"]}'),
        ("package.json", '{"scripts": {"a": "tsc && node x.js", "b": "run build -p ."}}'),
        ("hooks.yaml", "# yaml-language-server: $schema=x\nrun: make build -j 4\n"),
    ],
)
@pytest.mark.parametrize("doc_class", list(DocClass))
def test_settings_have_no_claims(path: str, source: str, doc_class: DocClass) -> None:
    found = read(source, path, doc_class)
    assert (found.claims, found.problems) == ((), ())


@pytest.mark.parametrize(
    ("path", "source", "reason"),
    [
        (
            "a.json",
            f'[{GOOD}, {{"note": "not up"}}]',
            "the object is not a memory record",
        ),
        (
            "a.jsonl",
            f'{GOOD}\n{{"note": "not up"}}',
            "the object is not a memory record",
        ),
        ("a.json", '{"note": "not up"}', "the file has no memory records"),
        ("a.json", '[{"id": "1", "text": " "}]', "an empty record"),
        ("a.json", '[{"text": "```\\nport = 80\\n```"}]', "a code block"),
        ("a.json", '[{"text": "# The port of it"}]', "a heading"),
        ("a.json", '[{"text": "Is the port 80?"}]', "a question"),
    ],
)
def test_what_is_no_claim_is_skipped_with_its_reason(path: str, source: str, reason: str) -> None:
    assert reason in {s.reason for s in read(source, path).skipped}


def test_hidden_text_in_a_record_is_a_hidden_claim() -> None:
    found = read('[{"text": "It is up. <!-- The port is 80. -->"}]', "a.json")
    assert [(c.text, c.form) for c in found.claims] == [
        ("It is up.", Form.RECORD),
        (PORT, Form.HIDDEN),
    ]


@pytest.mark.parametrize("text", ["It is \\ud800 x", "It is \\u0000 x", "It is \\udfff\\ud800 x"])
def test_what_no_encoding_can_write_is_replaced(text: str) -> None:
    (claim,) = read(f'[{{"text": "{text}"}}]', "a.json").claims
    assert claim.text.encode().decode() == claim.text
    assert len(claim.text) == len(claim.masked)


def test_citations_of_a_record_are_its_own() -> None:
    (claim,) = read('[{"text": "It is so (`a.py:3`, ADR-3)."}]', "a.json").claims
    assert [(c.kind, c.raw, c.own) for c in claim.citations] == [
        ("path", "a.py", True),
        ("adr", "3", True),
    ]
