"""What holds of the readers that are pure: the same bytes, the same answer, inside the text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from zlib import crc32

import msgspec

from grounded_ingest.agents.registry import AGENTS, agent_of
from grounded_ingest.code.definitions import definitions_in
from grounded_ingest.code.manifest_facts import pins
from grounded_ingest.config.adoption import list_loosened
from grounded_ingest.config.files import FILE, PYPROJECT, load
from grounded_ingest.config.settings import DEFAULTS
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.hooks import with_entry
from grounded_ingest.judge.endpoint import answer_in
from grounded_ingest.judge.exchange import Unusable, opinion_of
from grounded_ingest.model.claims import Claim, DocClass, Extraction, Form
from grounded_ingest.net.messages import Response, Talk
from grounded_ingest.records.authority import CodeOwners
from grounded_ingest.records.evidence import line_bytes, parse_lines
from grounded_ingest.records.review_log import Review, approvals, read_lines
from grounded_ingest.references.issue import ask_issue
from grounded_ingest.references.manifests import RUNNERS
from grounded_ingest.references.sources import SourceText
from grounded_ingest.references.tracker import Tracker
from grounded_ingest.report.selection import baseline_text, parse_baseline
from grounded_ingest.repository.index import key_of, make_record
from grounded_ingest.text.yaml_text import YamlError, nodes_of
from grounded_ingest.verify.memory_files import memories_in


def pick(data: bytes, *choices: str) -> str:
    """One of these, decided by the bytes: each input stands for one choice and can be kept."""
    return choices[crc32(data) % len(choices)]


def text_of(data: bytes) -> str:
    return data.decode(errors="replace")


def document(*paths: str) -> Callable[[bytes], None]:
    """The checks of a document's reader at one of these paths."""

    def check(data: bytes) -> None:
        path = pick(data, *paths)
        doc_class = DocClass.DOCS if path.startswith("docs/") else DocClass.MEMORY
        found = extract(data, path, doc_class)
        _is_kept(found, data)
        assert extract(bytes(bytearray(data)), path, doc_class) == found, "another answer"
        make_record(key_of(path, "", doc_class), found, lambda _: ())
        if path.endswith(".md"):
            for claim in found.claims[:4]:
                _is_whole(claim)

    return check


def _is_kept(found: Extraction, data: bytes) -> None:
    """Nothing of our own failed, and every position is in the text."""
    rows = re.split(r"\r\n|\n|\r", text_of(data))
    lines, longest = len(rows), max(map(len, rows)) + 1
    for problem in found.problems:
        assert "our reader failed" not in problem.message, problem.message
        assert 0 <= problem.line <= lines, problem
    for claim in found.claims:
        assert 1 <= claim.line <= claim.end_line <= lines, claim
        assert 1 <= claim.column <= longest, claim
        assert len(claim.masked) == len(claim.text), claim
    assert all(1 <= s.line <= s.end_line <= lines for s in found.skipped), found.skipped


_PLAIN = re.compile(r"[A-Z][a-z]+(?: [a-z]+)+\.")


def _is_whole(claim: Claim) -> None:
    """A sentence of plain words is the same claim alone, and when it is broken at every space."""
    if claim.form is Form.PROSE and _PLAIN.fullmatch(claim.text):
        for text in (claim.text, claim.text.replace(" ", "\n")):
            again = extract(f"# A\n\n{text}\n".encode(), "memory/a.md", DocClass.MEMORY)
            assert [c.id for c in again.claims] in ([], [claim.id]), (claim.text, again.claims)


def yaml_text(data: bytes) -> None:
    """An error has its place; the hook is added once to a configuration of pre-commit."""
    try:
        nodes_of(text_of(data))
    except YamlError as error:
        assert 1 <= error.line <= len(text_of(data).splitlines()) + 1, error.line
        assert 0 <= error.offset <= len(text_of(data)) + 1, error.offset
    edited = with_entry(text_of(data), "https://forge.example/a", "v1")
    assert edited is None or with_entry(edited, "https://forge.example/a", "v1") == edited
    document("memory/a.yaml")(data)


def sidecar(data: bytes) -> None:
    """What is read is written and read again the same."""
    lines = parse_lines(data) or []
    assert parse_lines(b"".join(map(line_bytes, lines))) == lines


def review_log(data: bytes) -> None:
    """No line raises another claim; a rejection leaves none approved."""
    try:
        lines = read_lines(data, "x.jsonl")
    except GroundedIngestError as error:
        assert str(error).startswith("x.jsonl:")
        return
    packed = b"\n".join(msgspec.json.encode(line) for line in lines)
    assert read_lines(packed, "x.jsonl") == lines
    held = approvals(lines)
    for line in lines[:4]:
        refusal = Review(line.id, line.section, "reject", "a", "2026-01-01", ordinal=line.ordinal)
        after = approvals([*lines, refusal])
        assert line.key not in after
        assert after == {key: given for key, given in held.items() if key != line.key}


def baseline(data: bytes) -> None:
    try:
        entries = parse_baseline(data, "x")
    except GroundedIngestError:
        return
    assert baseline_text(parse_baseline(baseline_text(entries), "x")) == baseline_text(entries)


def configuration(data: bytes) -> None:
    """Read, or refused with a line of the file; it grants itself nothing."""
    name, text = pick(data, FILE, PYPROJECT), text_of(data)
    try:
        config = load({name: text}.get)
    except GroundedIngestError as error:
        place = re.match(rf"{re.escape(name)}:(\d+):", str(error))
        assert place is not None, str(error)
        assert 1 <= int(place[1]) <= len(text.splitlines()) + 1, str(error)
        return
    assert not config.network.allow
    assert not config.tracker.token_env
    assert config.judge.kind == DEFAULTS.judge.kind
    assert "\n" not in list_loosened(DEFAULTS, config)


def codeowners(data: bytes) -> None:
    owners = CodeOwners(text_of(data), pick(data, "CODEOWNERS", ".gitlab/CODEOWNERS"))
    for path in ("a.md", "docs/adr/0001-a.md", "memory-bank/é.md"):
        _, line = owners.owners(path)
        assert 0 <= line <= len(text_of(data).splitlines())


def _head(data: bytes) -> tuple[dict[str, str], bytes]:
    """Header lines as a server sends them, and the body behind an empty one."""
    head, _, body = data.partition(b"\n\n")
    rows = [row.decode("latin-1").partition(":") for row in head.split(b"\n")]
    return {name.strip().lower(): value.strip() for name, _, value in rows}, body


def answer(data: bytes) -> None:
    """Headers and body of any answer, and what it means to all who ask."""
    headers, body = _head(data)
    status = headers.get("status", "")
    code = int(status) if status.isascii() and status.isdigit() and len(status) == 3 else 200
    response = Response(code, headers=headers, body=body)
    assert response.wait is None or response.wait >= 0
    source = SourceText("text", text_of(body))
    try:
        opinion_of(answer_in(response, ""), source)
    except Unusable as reason:
        assert str(reason)
    for kind in ("github", "gitlab"):
        tracker = Tracker(kind, "https://forge.example", "a/b")
        _ends(ask_issue("#1", tracker), response)


def _ends(talk: Talk[Any], answered: Response) -> None:
    """A conversation in which every answer is this one comes to its end."""
    with suppress(StopIteration):
        next(talk)
        for _ in range(100):
            talk.send(answered)
        raise AssertionError("it asks without end")


def payload(data: bytes) -> None:
    """Of any object, each agent's reader makes an event."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(told, dict):
        agent_of(told)
        for shape in AGENTS.values():
            event = shape.event(told)
            assert all(isinstance(edit.path, str) for edit in event.edits)
            assert isinstance(event.command, str)
            assert isinstance(event.directory, str)
            "\n".join(line for edit in event.edits for line in edit.added or ())


def agent_settings(data: bytes) -> None:
    """A file of hooks that stands is merged with once, or refused."""
    for shape in AGENTS.values():
        standing = dict.fromkeys(shape.files, text_of(data))
        try:
            first = shape.installed("grounded-ingest", standing)
        except GroundedIngestError:
            continue
        texts = {hook.path: hook.text for hook in first}
        again = shape.installed("grounded-ingest", {**standing, **texts})
        assert {hook.path: hook.text for hook in again} == texts, shape.name


def memories(data: bytes) -> None:
    try:
        found = memories_in([("m.json", data)])
    except GroundedIngestError as error:
        assert str(error).startswith("m.json")
        return
    assert len({m.id for m in found}) == len(found)
    assert all(0 <= m.trust <= 1 for m in found)


_SOURCES = ("a.py", "a.go", "a.rs", "a.ts", "a.js", "a.java", "a.rb", "a.cs", "a.sh", ".env")
_MANIFESTS = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "requirements.txt",
              "composer.json", "Gemfile", "setup.cfg", "setup.py", ".tool-versions", "mise.toml",
              "rust-toolchain.toml")  # fmt: skip


def source(data: bytes) -> None:
    """What code defines stands in its lines."""
    text, path = text_of(data), pick(data, *_SOURCES)
    lines = len(text.split("\n")) + 1
    for defined in definitions_in(path, text) or ():
        assert 1 <= defined.line <= defined.end_line <= lines, defined


def manifest(data: bytes) -> None:
    """What a manifest offers stands in its lines."""
    text, path = text_of(data), pick(data, *_MANIFESTS)
    lines = len(text.split("\n")) + 1
    assert all(0 <= pin.line <= lines for pin in pins(path, text))
    for runner in RUNNERS.values():
        offer = runner.parse(text, runner.files[0])
        assert all(0 <= entry.line <= lines for entry in offer.entries.values()), offer
