"""The evidence sidecar: its bytes, its place, and what makes it behind."""

from __future__ import annotations

import json

import pytest

from grounded_ingest.model.claims import CitationKind, Source, Support, Verdict
from grounded_ingest.records.sidecar import (
    CitationLine,
    Line,
    evidence_directory,
    evidence_file,
    evidence_path,
    keep_network,
    key_of_file,
    line_bytes,
    parse_former,
    parse_line,
    why_behind,
)

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN


def line(n: int, **more: object) -> Line:
    return Line("a.md", f"{n:016x}", f"Claim {n}.", **more)  # type: ignore[arg-type]


def url(verdict: Verdict, target: str = "https://x.dev/a") -> CitationLine:
    return CitationLine(CitationKind.URL, target, verdict, network=True)


def local(verdict: Verdict, target: str = "src/a.py:1") -> CitationLine:
    return CitationLine(CitationKind.PATH, target, verdict)


def symbol(verdict: Verdict) -> CitationLine:
    return CitationLine(CitationKind.SYMBOL, "src/a.py::x", verdict)


def test_bytes() -> None:
    more = line(2, tier=1, rule="verified-citation", citations=(local(C),), source=Source.USER)
    assert line_bytes(more).decode() == (
        '{"document":"a.md","id":  "0000000000000002","claim":"Claim 2.","tier":1,'
        '"rule":"verified-citation","source":"user",'
        '"citations":[{"kind":"path","target":"src/a.py:1","verdict":"confirmed"}]}\n'
    )


@pytest.mark.parametrize(
    "written",
    [
        line(1, ordinal=3, tier=3, rule="duplicate", similarity=0.96, conflict="a#b"),
        line(2, citations=(CitationLine("url", "u", U, "why", Support.SUPPORTED, "f", "q", True),)),
        Line("ä.md", "f" * 16, "Nicht nur ASCII: „ß“ \u2028 \U0001f600"),
    ],
)
def test_what_is_written_is_read(written: Line) -> None:
    assert parse_line(line_bytes(written)) == written


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<<<<<<< HEAD\n",
        b'{"document":"a.md","id":"1","claim":"a"}\n=======\n',
        b'{"document":"a.md","id":"1","claim":"a"}\n{"document":"a.md","id":"1","claim":"a"}\n',
        b'{"document":"a.md","id":"1"}\n',
        b'{"document":"a.md","id":"1","claim":"a","tier":4}\n',
        b'{"document":"a.md","id":"1","claim":"a","rule":7}\n',
        b"[]\n",
        b"\xff\xfe\n",
        b'{"document":"a.md","id":"1","claim":"a"\n',
        b'{"document":"a.md","id":"1","claim":"a","citations":[{"kind":"path"}]}\n',
        b"[" * 100_000,
    ],
)
def test_broken(content: bytes) -> None:
    assert parse_line(content) is None


def test_the_former_form_is_read() -> None:
    """A line for every claim in the order of the text, counted in its section."""
    rows = [
        {"id": "a" * 16, "claim": "One.", "section": "A"},
        {"id": "b" * 16, "claim": "Two.", "section": "A", "tier": 1, "rule": "verified-citation"},
        {"id": "a" * 16, "claim": "One.", "section": "B", "rule": "repeat"},
    ]
    text = "\n\n".join(json.dumps(row) for row in rows) + "\n"
    found = parse_former("a.md", text.encode())
    assert found == [
        Line("a.md", "a" * 16, "One."),
        Line("a.md", "b" * 16, "Two.", tier=1, rule="verified-citation"),
        Line("a.md", "a" * 16, "One.", ordinal=1, rule="repeat"),
    ]
    assert [one.is_silent for one in found] == [True, False, False]
    assert parse_former("a.md", b"<<<<<<< ours\n") is None


@pytest.mark.parametrize(
    ("document", "others", "tail"),
    [
        ("docs/a.md", (), "docs/a.md.jsonl"),
        ("a:b?.md", (), "a%3Ab%3F.md.jsonl"),
        ("100%.md", (), "100%25.md.jsonl"),
        ("con/aux.md", (), "%63on/%61ux.md.jsonl"),
        ("con.d/x", (), "%63on.d/x.jsonl"),
        ("console.md", (), "console.md.jsonl"),
        ("aux .md", (), "%61ux .md.jsonl"),
        ("LPT² /CONIN$", (), "%4CPT²%20/%43ONIN$.jsonl"),
        ("con notes.md", (), "con notes.md.jsonl"),
        ("dir./x ", (), "dir%2E/x%20.jsonl"),
        ("a\\b.md", (), "a%5Cb.md.jsonl"),
        ("a\nb.md", (), "a%0Ab.md.jsonl"),
        ("notes.jsonl/a.md", (), "notes%2Ejsonl/a.md.jsonl"),
        ("README.md", ("README.md", "readme.md"), "README.md.jsonl"),
        ("readme.md", ("README.md", "readme.md"), "readme.md~"),
        ("caf\udce9.md", (), "caf%DCE9.md.jsonl"),
        ("ü" * 120 + ".md", (), "ü" * 115 + "~"),
    ],
)
def test_path(document: str, others: tuple[str, ...], tail: str) -> None:
    found = evidence_path(document, others)
    assert found.removeprefix(".grounded/evidence/").startswith(tail)
    assert found.endswith(".jsonl")
    directory = evidence_directory(document, others)
    assert found == f"{directory}.jsonl"
    file = evidence_file(directory, ("0123456789abcdef", 2))
    assert key_of_file(file) == ("0123456789abcdef", 2)
    assert all(len(part.encode()) <= 255 for part in file.split("/"))


@pytest.mark.parametrize("path", [
    "/a.jsonl", "/0123456789abcdef.json", "/0123456789abcdef-0.jsonl", "/0123456789ABCDEF.jsonl",
    "/x0123456789abcdef.jsonl", "0123456789abcdef.jsonl",
])  # fmt: skip
def test_files_of_no_claim(path: str) -> None:
    assert key_of_file(path) is None


def test_two_documents_never_share_a_place() -> None:
    names = ["a.md", "A.md", "a%2Emd", "a.md ", "a.md.", "con", "%63on", "CON", "a:md", "a%3Amd"]
    names += ["x" * 250 + "1", "x" * 250 + "2"]
    twins: dict[str, list[str]] = {}
    for name in names:
        twins.setdefault(name.lower(), []).append(name)
    places = [evidence_directory(n, twins[n.lower()]).lower() for n in names]
    assert len(set(places)) == len(names)


VERIFIED = line(1, tier=1, rule="verified-citation", citations=(local(C),))


@pytest.mark.parametrize(
    ("recorded", "fresh", "why"),
    [
        ([], [], ""),
        ([], [line(1, rule="repeat")], ""),
        ([], [line(1, tier=1, rule="approved")], ""),
        ([], [line(1, rule="refuted-citation", citations=(symbol(R),))], ""),
        ([], [line(1, tier=3, rule="speculation")], "says nothing where the check finds tier 3"),
        ([], [VERIFIED], "does not know the claim: 'Claim 1.'"),
        ([], [line(1, rule="unverified-citation", citations=(url(U),))], "does not know"),
        ([VERIFIED], [VERIFIED], ""),
        ([VERIFIED], [], "says tier 1 (verified-citation) where the check finds 2 (ungrounded)"),
        ([line(1, rule="repeat")], [], ""),
        ([line(1)], [line(1, tier=1, rule="verified-citation")], ""),
        ([line(1, tier=1, rule="approved")], [line(1, rule="repeat")], "says tier 1"),
        ([line(1)], [line(1, tier=3, rule="speculation")], "says tier 2"),
        ([line(9)], [line(1)], "is not of this text: 'Claim 9.'"),
        ([line(1), line(2)], [line(2), line(1)], ""),
        ([line(1)], [Line("a.md", f"{1:016x}", "Another text.")], "is not of this text"),
        ([line(1, tier=1, rule="verified-citation", citations=(url(C),))],
         [line(1, rule="unverified-citation", citations=(url(U),))], ""),
        ([line(1, tier=1, rule="verified-citation", citations=(url(C),))],
         [line(1, tier=3, rule="speculation", citations=(url(U),))], "says tier 1"),
        ([line(1, tier=1, rule="verified-citation", citations=(url(C),))],
         [line(1, rule="refuted-citation", citations=(url(R),))], "says tier 1"),
        ([line(1, tier=1, rule="verified-citation", citations=(local(C),))],
         [line(1, rule="unverified-citation", citations=(url(U),))], "says tier 1"),
    ],
)  # fmt: skip
def test_behind(recorded: list[Line], fresh: list[Line], why: str) -> None:
    """The document holds claims 1 to 3, whatever is recorded of them."""
    claims = [line(n).key for n in (1, 2, 3)]
    said = why_behind({x.key: x for x in recorded}, {x.key: x for x in fresh}, claims)
    assert (why in said) if why else not said


NOW = line(1, rule="unverified-citation", citations=(local(C), url(U)))


@pytest.mark.parametrize(
    ("before", "now", "kept"),
    [
        (line(1, tier=1, rule="verified-citation", citations=(local(C), url(C))), NOW, True),
        (line(1, rule="refuted-citation", citations=(local(C), url(R))), NOW, True),
        (line(1, tier=1, rule="verified-citation", citations=(local(C), url(U))), NOW, False),
        (line(1, tier=1, rule="approved", citations=(local(C), url(C))), NOW, False),
        (line(1, tier=3, rule="verified-citation", citations=(local(C), url(C))), NOW, False),
        (line(1, tier=1, rule="verified-citation", citations=(local(C), url(R))), NOW, False),
        (line(1, tier=1, rule="verified-citation", citations=(url(C),)), NOW, False),
        (line(1, tier=1, rule="verified-citation", citations=(local(C), url(C, "https://y.dev"))),
         NOW, False),
        (line(1, tier=1, rule="verified-citation", citations=(local(C), url(C))),
         line(1, rule="refuted-citation", citations=(local(R), url(U))), False),
        (line(1, tier=1, rule="verified-citation", citations=(local(C), url(C))),
         line(1, rule="unverified-citation", citations=(local(U), url(U))), False),
        (line(1, tier=1, rule="verified-citation", citations=(local(C), url(C))),
         line(1, tier=3, rule="speculation", citations=(local(C), url(U))), False),
        (Line("a.md", f"{1:016x}", "Forged.", tier=1, rule="verified-citation",
              citations=(local(C), url(C))), NOW, False),
        (line(2, tier=1, rule="verified-citation", citations=(local(C), url(C))), NOW, False),
        (None, NOW, False),
    ],
)  # fmt: skip
def test_an_earlier_answer_is_kept_and_nothing_else(
    before: Line | None, now: Line, kept: bool
) -> None:
    assert keep_network(now, before) == (before if kept else now)
