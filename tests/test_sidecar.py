"""The evidence file of a document: its bytes, its place, and what makes it behind."""

from __future__ import annotations

import pytest

from grounded_ingest.model.claims import CitationKind, Claim, Source, Verdict
from grounded_ingest.records.evidence import (
    CitationLine,
    EvidenceLine,
    evidence_path,
    keep_network,
    line_bytes,
    lines_by_claim,
    parse_lines,
    why_outdated,
)

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN


def line(n: int, **more: object) -> EvidenceLine:
    return EvidenceLine(f"{n:016x}", f"Claim {n}.", **more)  # type: ignore[arg-type]


def url(verdict: Verdict, target: str = "https://x.dev/a") -> CitationLine:
    return CitationLine(CitationKind.URL, target, verdict, network=True)


def local(verdict: Verdict, target: str = "src/a.py:1") -> CitationLine:
    return CitationLine(CitationKind.PATH, target, verdict)


def test_bytes() -> None:
    more = line(2, tier=1, rule="proved", citations=(local(C),), source=Source.USER)
    assert line_bytes(more).decode() == (
        '{"id":"0000000000000002","claim":"Claim 2.","tier":1,"rule":"proved","source":"user",'
        '"citations":[{"kind":"path","target":"src/a.py:1","verdict":"confirmed"}]}\n'
    )


def test_what_is_written_is_read() -> None:
    lines = [
        line(1, tier=3, rule="duplicate", similarity=0.96, conflict="a#b"),
        line(2, citations=(CitationLine("url", "u", U, "why", "f", True),)),
        EvidenceLine("f" * 16, "Nicht nur ASCII: „ß“ \u2028 \U0001f600"),
    ]
    assert parse_lines(b"".join(map(line_bytes, lines))) == lines


@pytest.mark.parametrize(
    "former",
    [
        b'{"id":"1","claim":"One.","section":"A"}\n\n{"id":"2","claim":"Two.","ordinal":1}\n',
        b'{"document":"a.md","id":  "1","claim":"One."}\n{"id":"2","claim":"Two.","strength":"x"}',
    ],
)
def test_lines_of_former_forms_are_read(former: bytes) -> None:
    """With fields that are gone, empty lines and padding."""
    assert parse_lines(former) == [EvidenceLine("1", "One."), EvidenceLine("2", "Two.")]


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
def test_what_cannot_be_read_is_no_evidence(content: bytes) -> None:
    assert parse_lines(content) is None


@pytest.mark.parametrize(
    ("rule", "tier", "quiet"),
    [
        ("ungrounded", 2, True), ("nothing-to-check", 2, True), ("cited", 2, True),
        ("check-failed", 2, True), ("technical-hedge", 2, True), ("technical-hedge", 3, False),
        ("proof-new", 2, False), ("approved", 1, False), ("speculation", 3, False), ("ungrounded", 3, False),
    ],
)  # fmt: skip
def test_quiet_rows_leave_no_line(rule: str, tier: int, quiet: bool) -> None:
    assert line(1, tier=tier, rule=rule).is_quiet is quiet


def test_equal_claims_are_told_apart_by_their_order() -> None:
    claims = [Claim("a" * 16, "Same.", "Same.", section, 0, 1, 1, 1, 1) for section in "AB"]
    first, second = (EvidenceLine(c.id, c.text, rule=r) for c, r in zip(claims, "xy", strict=True))
    assert lines_by_claim([first, second], claims) == {claims[0].key: first, claims[1].key: second}
    assert lines_by_claim([first], claims) == {claims[0].key: first}


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
    assert all(len(part.encode()) <= 255 for part in found.split("/"))


def test_two_documents_never_share_a_place() -> None:
    names = ["a.md", "A.md", "a%2Emd", "a.md ", "a.md.", "con", "%63on", "CON", "a:md", "a%3Amd"]
    names += ["x" * 250 + "1", "x" * 250 + "2"]
    twins: dict[str, list[str]] = {}
    for name in names:
        twins.setdefault(name.lower(), []).append(name)
    places = [evidence_path(n, twins[n.lower()]).lower() for n in names]
    assert len(set(places)) == len(names)


PROVED = line(1, tier=1, rule="proved", citations=(local(C),))
ASKED = line(1, tier=1, rule="proved", citations=(url(C),))


@pytest.mark.parametrize(
    ("recorded", "fresh", "why"),
    [
        ([], [], ""),
        ([], [line(1, rule="repeat")], ""),
        ([], [line(1, tier=1, rule="approved")], ""),
        (
            [],
            [line(1, tier=3, rule="speculation")],
            "has no line for a claim that now has tier 3",
        ),
        ([], [PROVED], "has no line for a claim that now has tier 1 (proved): 'Claim 1.'"),
        ([PROVED], [PROVED], ""),
        ([PROVED], [], "says tier 1 (proved), but the claim now has tier 2 (ungrounded)"),
        ([line(1, rule="repeat")], [], ""),
        ([line(1, rule="proof-new")], [PROVED], ""),
        ([line(1, tier=1, rule="approved")], [line(1, rule="repeat")], "says tier 1"),
        ([line(1, rule="repeat")], [line(1, tier=3, rule="speculation")], "says tier 2"),
        ([line(9)], [line(1)], "has a line for a claim that is not in the document: 'Claim 9.'"),
        (
            [line(1), line(1)],
            [line(1)],
            "has a line for a claim that is not in the document: 'Claim 1.'",
        ),
        ([line(2), line(1)], [line(1), line(2)], ""),
        ([ASKED], [line(1, citations=(url(U),))], ""),
        ([ASKED], [line(1, rule="refuted-citation", citations=(url(R),))], "says tier 1"),
        ([PROVED], [line(1, citations=(url(U),))], "says tier 1"),
    ],
)
def test_behind(recorded: list[EvidenceLine], fresh: list[EvidenceLine], why: str) -> None:
    """The document holds claims 1 to 3. A line may not say more than the check finds, be of a claim
    that is gone, or stand twice as after a union merge; what became better since is no matter."""
    found = {("", f"{n:016x}", 0): line(n) for n in (1, 2, 3)}
    found |= {("", one.id, 0): one for one in fresh}
    said = why_outdated(recorded, found)
    assert (why in said) if why else not said


NOW = line(1, citations=(local(C), url(U)))


@pytest.mark.parametrize(
    ("before", "now", "kept"),
    [
        (line(1, tier=1, rule="proved", citations=(local(C), url(C))), NOW, True),
        (line(1, rule="refuted-citation", citations=(local(C), url(R))), NOW, True),
        (line(1, tier=1, rule="proved", citations=(local(C), url(U))), NOW, False),
        (line(1, rule="refuted-citation", citations=(local(C), url(R))),
         line(1, rule="technical-hedge", citations=(local(C), url(U))), True),
        (line(1, tier=1, rule="judged", citations=(local(C), url(C))),
         line(1, rule="technical-hedge", citations=(local(C), url(U))), False),
        (line(1, tier=1, rule="approved", citations=(local(C), url(C))), NOW, False),
        (line(1, tier=1, rule="proved", citations=(local(C), url(R))), NOW, False),
        (line(1, tier=1, rule="proved", citations=(url(C),)), NOW, False),
        (line(1, tier=1, rule="proved", citations=(local(C), url(C, "https://y.dev"))), NOW, False),
        (line(1, tier=1, rule="proved", citations=(local(C), url(C))),
         line(1, rule="refuted-citation", citations=(local(R), url(U))), False),
        (line(1, tier=1, rule="proved", citations=(local(C), url(C))),
         line(1, citations=(local(U), url(U))), False),
        (line(1, tier=1, rule="proved", citations=(local(C), url(C))),
         line(1, tier=3, rule="speculation", citations=(local(C), url(U))), False),
        (EvidenceLine(f"{1:016x}", "Forged.", tier=1, rule="proved", citations=(local(C), url(C))),
         NOW, False),
        (line(2, tier=1, rule="proved", citations=(local(C), url(C))), NOW, False),
        (None, NOW, False),
    ],
)  # fmt: skip
def test_an_offline_run_keeps_what_a_server_said_and_nothing_else(
    before: EvidenceLine | None, now: EvidenceLine, kept: bool
) -> None:
    assert keep_network(now, before) == (before if kept else now)
