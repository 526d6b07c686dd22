"""The evidence sidecar: its bytes, its place, and what makes it behind."""

from __future__ import annotations

import json

import pytest

from grounded_ingest.model.claims import CitationKind, Source, Support, Verdict
from grounded_ingest.records.sidecar import (
    CitationLine,
    Line,
    evidence_path,
    keep_network,
    parse_sidecar,
    same_claims,
    sidecar_text,
    why_behind,
)

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN


def line(n: int, **more: object) -> Line:
    return Line(f"{n:016x}", f"Claim {n}.", **more)  # type: ignore[arg-type]


def url(verdict: Verdict, target: str = "https://x.dev/a") -> CitationLine:
    return CitationLine(CitationKind.URL, target, verdict, network=True)


def local(verdict: Verdict, target: str = "src/a.py:1") -> CitationLine:
    return CitationLine(CitationKind.PATH, target, verdict)


def test_bytes() -> None:
    more = line(2, tier=1, rule="verified-citation", citations=(local(C),), source=Source.USER)
    assert sidecar_text([(1, line(1)), (1, line(3)), (4, more)]).decode().split("\n") == [
        '{"id":"0000000000000001","claim":"Claim 1."}',
        '{"id":"0000000000000003","claim":"Claim 3."}',
        "",
        '{"id":"0000000000000002","claim":"Claim 2.","tier":1,"rule":"verified-citation",'
        '"source":"user","citations":[{"kind":"path","target":"src/a.py:1","verdict":"confirmed"}]}',
        "",
    ]


def test_nothing_for_no_claims() -> None:
    assert sidecar_text([]) == b""
    assert parse_sidecar(b"") == {}


def test_what_is_written_is_read() -> None:
    lines = [
        line(
            1, section="A > B", ordinal=3, tier=3, rule="duplicate", similarity=0.96, conflict="a#b"
        ),
        line(2, citations=(CitationLine("url", "u", U, "why", Support.SUPPORTED, "f", "q", True),)),
        Line("f" * 16, "Nicht nur ASCII: „ß“ \u2028 \U0001f600"),
    ]
    found = parse_sidecar(sidecar_text((n, x) for n, x in enumerate(lines)))
    assert found is not None
    assert list(found.values()) == lines


@pytest.mark.parametrize(
    "content",
    [
        b"<<<<<<< HEAD\n",
        b'{"id":"1","claim":"a"}\n=======\n',
        b'{"id":"1"}\n',
        b'{"id":"1","claim":"a","tier":4}\n',
        b'{"id":"1","claim":"a","rule":7}\n',
        b"[]\n",
        b"\xff\xfe\n",
        b'{"id":"1","claim":"a"\n',
        b'{"id":"1","claim":"a","citations":[{"kind":"path"}]}\n',
        b"[" * 100_000,
    ],
)
def test_broken(content: bytes) -> None:
    assert parse_sidecar(content) is None
    assert why_behind(content, sidecar_text([(1, line(1))])) == "cannot be parsed"


@pytest.mark.parametrize(
    ("document", "others", "tail"),
    [
        ("docs/a.md", (), "docs/a.md.jsonl"),
        ("a:b?.md", (), "a%3Ab%3F.md.jsonl"),
        ("100%.md", (), "100%25.md.jsonl"),
        ("con/aux.md", (), "%63on/%61ux.md.jsonl"),
        ("con.d/x", (), "%63on.d/x.jsonl"),
        ("console.md", (), "console.md.jsonl"),
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
    assert all(len(part.encode()) <= 255 for part in found.split("/"))


def test_two_documents_never_share_a_place() -> None:
    names = ["a.md", "A.md", "a%2Emd", "a.md ", "a.md.", "con", "%63on", "CON", "a:md", "a%3Amd"]
    names += ["x" * 250 + "1", "x" * 250 + "2"]
    twins: dict[str, list[str]] = {}
    for name in names:
        twins.setdefault(name.lower(), []).append(name)
    places = [evidence_path(n, twins[n.lower()]).lower() for n in names]
    assert len(set(places)) == len(names)


@pytest.mark.parametrize(
    ("recorded", "fresh", "why"),
    [
        ([line(1)], [line(1)], ""),
        ([line(1)], [line(1, tier=1, rule="verified-citation")], ""),
        ([line(1, tier=1, rule="verified-citation")], [line(1)], "says tier 1"),
        ([line(1)], [line(1, tier=3, rule="speculation")], "says tier 2"),
        ([line(1)], [line(2)], "is not of this text"),
        ([line(1), line(2)], [line(2), line(1)], "is not of this text"),
        ([line(1)], [Line(f"{1:016x}", "Another text.")], "is not of this text"),
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
    said = why_behind(
        sidecar_text((n, x) for n, x in enumerate(recorded)), sidecar_text((1, x) for x in fresh)
    )
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
        (Line(f"{1:016x}", "Forged.", tier=1, rule="verified-citation",
              citations=(local(C), url(C))), NOW, False),
        (line(2, tier=1, rule="verified-citation", citations=(local(C), url(C))), NOW, False),
    ],
)  # fmt: skip
def test_an_earlier_answer_is_kept_and_nothing_else(before: Line, now: Line, kept: bool) -> None:
    found = keep_network(now, {before.key: before})
    assert found == (before if kept else now)


def test_same_claims() -> None:
    content = sidecar_text([(1, line(1)), (2, line(2, section="A"))])
    keys = [line(1).key, line(2, section="A").key]
    assert same_claims(content, keys)
    assert not same_claims(content, keys[::-1])
    assert not same_claims(b"broken", keys)
    assert json.loads(content.split(b"\n")[0])["id"] == keys[0][1]
