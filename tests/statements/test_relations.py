"""Relations rest on explicit ground: words, lists, citations, records, findings."""

from __future__ import annotations

import pytest

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass, Document, Finding, Place
from grounded_ingest.statements.relations import INVERSES, Edge, edges, relations_within
from grounded_ingest.text.lexicon import relation_cues


def document(path: str, text: str, doc_class: DocClass = DocClass.MEMORY) -> Document:
    return Document(path, doc_class, path, extract(text.encode(), path, doc_class))


def said(document: Document) -> list[tuple[str, str, str]]:
    claims = document.extraction.claims
    return [
        (edge.kind, claims[edge.source[1]].text, claims[edge.target[1]].text)
        for edge in relations_within(document)
    ]


ONE = "The worker lost its lease."
INSIDE = [
    ("leads_to", f"{ONE} Therefore the queue stood still.", (0, 1)),
    ("leads_to", f"{ONE} As a result, the queue stood still.", (0, 1)),
    ("leads_to", f"{ONE} This led to a queue that stood still.", (0, 1)),
    ("instance_of", "Jobs may stop. For example, the mail job stops at night.", (1, 0)),
    ("elaborates", f"{ONE} Specifically, the lease ended after 30 seconds.", (1, 0)),
    ("elaborates", f"{ONE} In other words, another worker took the job.", (1, 0)),
    ("derived_from", f"{ONE} Based on this, leases last two minutes.", (1, 0)),
    ("derived_from", f"{ONE} We conclude that leases are too short.", (1, 0)),
    ("supports", f"{ONE} The logs confirm this for the mail job.", (1, 0)),
    ("context_for", f"Background: leases are kept in Redis. {ONE}", (0, 1)),
    ("contradicts", f"{ONE} Contrary to this, the page says that it kept it.", (1, 0)),
    ("elaborates", f"- {ONE}\n  - The lease ended after 30 seconds.\n", (1, 0)),
    ("elaborates", f"- {ONE}\n\n  - The lease ended after 30 seconds.\n", (1, 0)),
]


@pytest.mark.parametrize(("kind", "text", "ends"), INSIDE)
def test_what_a_document_says_of_its_own_claims(
    kind: str, text: str, ends: tuple[int, int]
) -> None:
    (relation,) = relations_within(document("CLAUDE.md", text))
    assert (relation.kind, (relation.source[1], relation.target[1])) == (kind, ends)
    assert relation.words


NONE = [
    f"{ONE} The queue therefore stood still.",
    f"{ONE}\n\nTherefore the queue stood still.",
    f"{ONE} Hencely is no word of ours.",
    f"- {ONE}\n- For example, the mail job stops at night.\n",
    f"- {ONE}\n- **Lease**: it ended after 30 seconds.\n",
    f"- {ONE}\n- Leases:\n  - The lease ended after 30 seconds.\n",
    f"> {ONE}\n\nThe lease ended after 30 seconds.\n",
    f"- {ONE}\n\nText.\n\n1. The lease ended after 30 seconds.\n",
]


@pytest.mark.parametrize("text", NONE)
def test_no_relation_without_a_marker_where_it_belongs(text: str) -> None:
    assert not list(relations_within(document("CLAUDE.md", text)))


def test_items_elaborate_the_item_they_stand_below() -> None:
    text = "- The API is public.\n  - It needs no key.\n    - Keys came with version 2.\n  - It is slow.\n"
    assert said(document("CLAUDE.md", text)) == [
        ("elaborates", "It needs no key.", "The API is public."),
        ("elaborates", "Keys came with version 2.", "It needs no key."),
        ("elaborates", "It is slow.", "The API is public."),
    ]


CACHE = document(
    "docs/cache.md",
    "# Cache\n\nThe cache holds pages.\n\n## Time to live\n\nEntries live 60 seconds.\n",
    DocClass.DOCS,
)
OLD = document(
    "docs/adr/0003-sessions.md",
    "# ADR-3\n\n## Status\n\nSuperseded by [ADR-7](0007-redis.md).\n\n## Decision\n\n"
    "Sessions live in PostgreSQL.\n",
    DocClass.DECISIONS,
)
NEW = document(
    "docs/adr/0007-redis.md",
    "# ADR-7\n\nStatus: Accepted\n\nSupersedes ADR-0003.\n\n## Decision\n\nSessions live in Redis.\n",
    DocClass.DECISIONS,
)
BETWEEN = [
    ("Entries live one minute (`docs/cache.md:7`).", "supports", ("docs/cache.md", 1)),
    ("Entries live [one minute](docs/cache.md#time-to-live).", "supports", ("docs/cache.md", 1)),
    ("Pages are cached, see [the page](docs/cache.md).", "context_for", ("docs/cache.md", 0)),
    ("Sessions live in Redis (ADR-7).", "supports", ("docs/adr/0007-redis.md", 2)),
]


@pytest.mark.parametrize(("text", "kind", "source"), BETWEEN)
def test_what_a_claim_cites(text: str, kind: str, source: tuple[str, int]) -> None:
    found = [
        e for e in edges([document("CLAUDE.md", text), CACHE, NEW]) if e.target[0] == "CLAUDE.md"
    ]
    assert found == [Edge(kind, source, ("CLAUDE.md", 0), found[0].words)]
    assert found[0].words in text


@pytest.mark.parametrize(
    "text",
    [
        "Entries live one minute (`src/cache.py:7`).",
        "Entries live one minute (`docs/cache.md:2`).",
        "The page `docs/cache.md` was removed.",
        "See #12 and https://example.org/cache.md for it.",
    ],
)
def test_what_names_no_claim_relates_to_none(text: str) -> None:
    assert not list(edges([document("CLAUDE.md", text), CACHE, NEW]))


@pytest.mark.parametrize("known", [[OLD], [NEW], [OLD, NEW]])
def test_the_new_decision_contradicts_the_old_one(known: list[Document]) -> None:
    plain = {
        "docs/adr/0003-sessions.md": document(OLD.path, "# ADR-3\n\n## Decision\n\nSessions live in PostgreSQL.\n", OLD.doc_class),
        "docs/adr/0007-redis.md": document(NEW.path, "# ADR-7\n\n## Decision\n\nSessions live in Redis.\n", NEW.doc_class),
    }  # fmt: skip
    documents = plain | {d.path: d for d in known}
    (edge,) = (e for e in edges(documents.values()) if e.kind == "contradicts")
    texts = [documents[p].extraction.claims[n].text for p, n in (edge.source, edge.target)]
    assert texts == ["Sessions live in Redis.", "Sessions live in PostgreSQL."]


@pytest.mark.parametrize(
    "status",
    [
        "Partially superseded by [ADR-7](0007-redis.md).",
        "ADR-5 was superseded by [ADR-7](0007-redis.md).",
        "This was decided before [ADR-7](0007-redis.md) replaced it.",
    ],
)
def test_a_decision_that_stands_contradicts_nothing(status: str) -> None:
    old = document(
        OLD.path, f"# ADR-3\n\n{status}\n\n## Decision\n\nSessions stay.\n", OLD.doc_class
    )
    new = document(NEW.path, "# ADR-7\n\n## Decision\n\nSessions live in Redis.\n", NEW.doc_class)
    assert not [e for e in edges([old, new]) if e.kind == "contradicts"]


def entity(name: str, *observations: str) -> str:
    said = ", ".join(f'"{o}"' for o in observations)
    return f'{{"type":"entity","name":"{name}","entityType":"t","observations":[{said}]}}\n'


def relation(begin: str, end: str, kind: str) -> str:
    return f'{{"type":"relation","from":"{begin}","to":"{end}","relationType":"{kind}"}}\n'


API, DB = entity("Api", "answers on port 80", "is public"), entity("Db", "runs on PostgreSQL 16")


@pytest.mark.parametrize(
    ("written", "kind", "ends"),
    [
        ("leads_to", "leads_to", (0, 2)),
        ("causedBy", "leads_to", (2, 0)),
        ("is a", "instance_of", (0, 2)),
        ("derived-from", "derived_from", (0, 2)),
        ("superseded_by", "contradicts", (2, 0)),
    ],
)
def test_relation_records_of_the_closed_set(written: str, kind: str, ends: tuple[int, int]) -> None:
    known = document("memory/graph.jsonl", API + DB + relation("Api", "Db", written))
    source, target = (("memory/graph.jsonl", n) for n in ends)
    assert list(edges([known])) == [Edge(kind, source, target, written)]


@pytest.mark.parametrize(
    "last", [relation("Api", "Db", "works_with"), relation("Api", "Gone", "leads_to")]
)
def test_other_relation_records_are_none(last: str) -> None:
    assert not list(edges([document("memory/graph.jsonl", API + DB + last)]))


def place(document: Document, number: int = 0) -> Place:
    return Place(document.path, document.doc_class, document.extraction.claims[number])


@pytest.mark.parametrize("rule", ["contradiction", "conflicting-update"])
def test_what_was_found_is_a_relation(rule: str) -> None:
    one = document("CLAUDE.md", "The timeout is 30 s in production.")
    other = document("AGENTS.md", "The timeout is 60 s in production.")
    finding = Finding(rule, "says 60", words="30", other=place(other))
    assert list(edges([one, other], [(place(one), finding)])) == [
        Edge("contradicts", ("CLAUDE.md", 0), ("AGENTS.md", 0), "30", replaces=True)
    ]


def test_a_repeat_takes_part_as_what_it_repeats() -> None:
    first = document("A.md", "The worker lost its lease.")
    again = document("B.md", "The worker lost its lease. Therefore the queue stood still.")
    finding = Finding("repeat", "says again", other=place(first))
    assert list(edges([first, again], [(place(again), finding)])) == [
        Edge("leads_to", ("A.md", 0), ("B.md", 1), "Therefore")
    ]


def test_claims_that_repeat_each_other_end() -> None:
    one, other = document("A.md", ONE), document("B.md", ONE)
    round_about = [
        (place(one), Finding("repeat", "", other=place(other))),
        (place(other), Finding("repeat", "", other=place(one))),
        (place(one), Finding("contradiction", "says", other=place(other))),
    ]
    assert len(list(edges([one, other], round_about))) <= 1


def test_the_set_is_closed() -> None:
    named = {kind for kind, _, _ in relation_cues.DISCOURSE}
    assert named <= INVERSES.keys()
    assert (
        relation_cues.RECORD_TYPES.keys() == relation_cues.INVERTED_TYPES.keys() == INVERSES.keys()
    )
    assert not INVERSES.keys() & set(INVERSES.values())
