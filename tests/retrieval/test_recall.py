"""What is served: tier 1 and cited claims as the repository stands now, nothing that is wrong, and
nothing where nothing answers."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from weakref import finalize

import pytest
from repos import APART, Repo, page, stating

import grounded_ingest
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.cache import FORMAT
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import (
    Claim,
    Decision,
    DocClass,
    Extraction,
    MemoryType,
    Place,
    Source,
    Tier,
)
from grounded_ingest.repository.repository_state import state_of
from grounded_ingest.retrieval.answer import Answer, Recall, RecallQuery
from grounded_ingest.retrieval.bm25 import Lexical
from grounded_ingest.retrieval.passages import passages
from grounded_ingest.retrieval.session import recall_in, timed
from grounded_ingest.retrieval.store import JudgedDocument, JudgedState
from grounded_ingest.statements.relations import Edge

DOCUMENT = "memory-bank/notes.md"
PORT = "The service listens on port 8443"
QUEUE = "The delivery queue holds 50 items"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Two claims whose references hold, and one without any."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"data/said.txt": stating(PORT, QUEUE)})
    claims = (
        f"{PORT} (`data/said.txt:1`).",
        f"{QUEUE} (`data/said.txt:{APART + 1}`).",
    )
    waits = page("Sessions are kept in Redis for one day.")
    repo.commit({DOCUMENT: page(*claims), "memory-bank/sessions.md": waits})
    return repo


def ask(repo: Repo, question: str, **more: object) -> tuple[Answer, list[str]]:
    """The answer, and what a run over the repository said it does."""
    said: list[str] = []
    with Opened(str(repo.root), own=False) as opened:
        wanted = RecallQuery(question, **more)  # type: ignore[arg-type]
        return recall_in(opened, wanted, said.append), said


def texts(answer: Answer) -> list[str]:
    return [r.memory.text for r in answer.results]


def test_from_python(repo: Repo) -> None:
    found = grounded_ingest.recall("Which port does the service listen on?", str(repo.root), k=1)
    assert texts(found) == [f"{PORT} (`data/said.txt:1`)."]
    asked = grounded_ingest.recall("Which port is it?", str(repo.root), types=["procedural"])
    assert not asked.results
    with pytest.raises(GroundedIngestError, match="empty"):
        grounded_ingest.recall(" ", str(repo.root))
    with pytest.raises(GroundedIngestError, match="less than 1"):
        grounded_ingest.recall("Which port is it?", str(repo.root), k=0)


def test_cited_claims_are_served_with_their_evidence(repo: Repo) -> None:
    answer, _ = ask(repo, "Which port does the service listen on?")
    (first, *_) = answer.results
    assert (first.place, first.mark.tier) == (f"{DOCUMENT}:3", 2)
    assert first.ground.rule == "cited"
    assert [e.target for e in first.ground.evidence] == ["data/said.txt:1"]
    assert "one day" not in " ".join(texts(answer))


def test_what_waits_is_served_only_when_asked_for(repo: Repo) -> None:
    answer, _ = ask(repo, "Where are sessions kept?")
    assert (answer.results, answer.waiting) == ((), True)
    pending, _ = ask(repo, "Where are sessions kept?", pending=True)
    assert pending.results[0].mark.tier == 2
    assert "Redis" in texts(pending)[0]


@pytest.mark.parametrize(
    "question",
    [
        "Who is on call this week?",
        "Which Kubernetes cluster hosts it?",
        "?",
    ],
)
def test_nothing_instead_of_the_least_bad(repo: Repo, question: str) -> None:
    answer, _ = ask(repo, question)
    assert (answer.results, answer.waiting) == ((), False)


def test_a_second_question_judges_nothing(repo: Repo) -> None:
    _, first = ask(repo, "port")
    again, second = ask(repo, "delivery queue")
    assert any("deciding" in said for said in first)
    assert second == []
    assert QUEUE in texts(again)[0]


def _remove_source(repo: Repo) -> None:
    """What a claim cites is gone, so the claim is wrong."""
    repo.commit({"data/said.txt": None})


def _cut_source(repo: Repo) -> None:
    repo.commit({"data/said.txt": ""})


def _edit_unseen(repo: Repo) -> None:
    """The document, without git seeing it."""
    repo.git("update-index", "--assume-unchanged", DOCUMENT)
    repo.write({DOCUMENT: page(f"{QUEUE} (`data/said.txt:{APART + 1}`).")})


@pytest.mark.parametrize(
    "change",
    [
        _remove_source,
        _cut_source,
        _edit_unseen,
        lambda repo: repo.write({DOCUMENT: page("Nothing is said of it here any more.")}),
        lambda repo: repo.write({DOCUMENT: None}),
        lambda repo: repo.stage({DOCUMENT: None}),
        lambda repo: repo.commit({".grounded-ingest.yaml": 'exclude: ["memory-bank/**"]\n'}),
        lambda repo: repo.write({".grounded-ingest.yaml": 'exclude: ["memory-bank/**"]\n'}),
    ],
    ids=[
        "source",
        "lines",
        "unseen",
        "edited",
        "deleted",
        "staged",
        "excluded",
        "excluded on disk",
    ],
)
def test_what_is_no_longer_grounded_is_not_served(
    repo: Repo, change: Callable[[Repo], object]
) -> None:
    question = "Which port does the service listen on?"
    assert PORT in texts(ask(repo, question)[0])[0]
    change(repo)
    assert [t for t in texts(ask(repo, question)[0]) if "8443" in t] == []


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (lambda _: None, False),
        (lambda repo: repo.write({"new.txt": "a"}), True),
        (lambda repo: repo.git("tag", "v1"), True),
        (lambda repo: repo.commit(), True),
        (lambda repo: repo.git("checkout", "-q", "--detach"), True),
        (lambda repo: repo.git("remote", "add", "fork", "https://example.org/fork.git"), True),
        (lambda repo: os.utime(repo.root / DOCUMENT), True),
    ],
    ids=["nothing", "untracked", "tag", "commit", "detached", "remote", "touched"],
)
def test_what_a_state_is(repo: Repo, change: Callable[[Repo], object], differs: bool) -> None:
    def state() -> bytes:
        with Opened(str(repo.root), own=False) as opened:
            return state_of(opened)

    before = state()
    change(repo)
    assert before
    assert (state() != before) is differs


def test_a_directory_below_knows_the_whole_repository(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked of git there is of the whole work tree, or a stale judgement would be kept."""
    (repo.root / "web").mkdir()
    monkeypatch.chdir(repo.root / "web")
    question = RecallQuery("Which port does the service listen on?")

    def served() -> list[str]:
        with Opened() as opened:
            return texts(recall_in(opened, question))

    assert served()[0].startswith(PORT)
    repo.write({"data/said.txt": None})
    assert served() == []
    (repo.root / DOCUMENT).unlink()
    assert served() == []


def test_a_path_that_is_no_utf8_is_no_obstacle(repo: Repo) -> None:
    name = os.fsencode(str(repo.root)) + b"/memory-bank/caf\xe9.md"
    with open(name, "w", encoding="utf-8") as file:
        file.write("# Notes\n\nThe cellar door is green (`data/said.txt:1`).\n")
    assert texts(ask(repo, "Which port does the service listen on?")[0])
    assert texts(ask(repo, "Which colour is the cellar door?", pending=True)[0])


def test_damaged_texts_are_judged_again(repo: Repo) -> None:
    before = texts(ask(repo, "Which port does the service listen on?")[0])
    with closing(sqlite3.connect(repo.root / ".git/grounded-ingest/cache.sqlite")) as db, db:
        db.execute("UPDATE recall_blob SET content = x'c1'")
    assert texts(ask(repo, "Which port does the service listen on?")[0]) == before


def test_no_filter_of_the_repository_runs(repo: Repo, tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    repo.commit({".gitattributes": "* filter=trap\n"})
    for name in ("clean", "smudge", "process"):
        repo.git("config", f"filter.trap.{name}", f"touch {trap}")
    os.utime(repo.root / DOCUMENT)
    trap.unlink(missing_ok=True)
    said = "Yesterday we moved the ledger to another host."
    repo.write({DOCUMENT: page(f"{PORT} (`data/said.txt:1`).", said)})
    answer, _ = ask(repo, "service port")
    assert PORT in texts(answer)[0]
    moved, _ = ask(repo, "Where did we move the ledger?", pending=True)
    with Opened(str(repo.root), own=False) as opened:
        assert timed(opened, moved) == {}
    assert said in texts(moved)
    assert not trap.exists()


def test_a_file_that_is_being_written_is_not_trusted(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grounded_ingest.repository.repository_state._TICK_NS", 3600 * 10**9)
    with Opened(str(repo.root), own=False) as opened:
        assert state_of(opened) == b""


def test_a_state_that_cannot_be_told_is_judged_every_time(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grounded_ingest.retrieval.session.state_of", lambda *_: b"")
    for _ in range(2):
        answer, said = ask(repo, "service port")
        assert any("deciding" in line for line in said)
        assert PORT in texts(answer)[0]


def _file(repo: Repo) -> Path:
    return repo.root / ".git/grounded-ingest/cache.sqlite"


def _lose(table: str) -> Callable[[Repo], None]:
    def lose(repo: Repo) -> None:
        with closing(sqlite3.connect(_file(repo))) as db, db:
            db.execute(f"DROP TABLE {table}")
        db.close()

    return lose


@pytest.mark.parametrize(
    "damage",
    [
        lambda repo: _file(repo).unlink(),
        lambda repo: _file(repo).write_bytes(b"no database" * 1000),
        lambda repo: (_file(repo).unlink(), _file(repo).mkdir()),
        lambda repo: _file(repo).write_bytes(_file(repo).read_bytes()[:5000]),
        _lose("recall_state"),
        _lose("recall_document"),
        _lose("recall_text"),
        _lose("recall_blob"),
        _lose("recall_ground"),
        _lose("recall_relation"),
    ],
    ids=[
        "deleted",
        "other",
        "directory",
        "cut",
        "state",
        "document",
        "text",
        "blob",
        "ground",
        "relation",
    ],
)
def test_a_damaged_store_answers_the_same(repo: Repo, damage: Callable[[Repo], object]) -> None:
    expected, _ = ask(repo, "Which port does the service listen on?")
    assert expected.results
    damage(repo)
    for _ in range(2):
        assert ask(repo, "Which port does the service listen on?")[0] == expected


def test_a_locked_store_answers_the_same(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, _ = ask(repo, "service port")
    repo.write({"new.txt": "a"})
    held = sqlite3.connect(_file(repo), isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda p, **k: connect(p, **(k | {"timeout": 0.05})))
    assert ask(repo, "service port")[0] == expected
    held.close()


def _edit(repo: Repo) -> None:
    repo.write({DOCUMENT: (repo.root / DOCUMENT).read_text("utf-8") + "\nA word of today.\n"})


def _switch_branch(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "other")
    repo.commit({DOCUMENT: (repo.root / DOCUMENT).read_text("utf-8") + "\nOf a branch.\n"})


def _older_format(repo: Repo) -> None:
    with closing(sqlite3.connect(_file(repo))) as db, db:
        db.execute(f"PRAGMA user_version={FORMAT - 1}")


def _other_code(repo: Repo) -> None:
    with closing(sqlite3.connect(_file(repo))) as db, db:
        db.execute("UPDATE recall_state SET code = 'older', digest = x'00'")
        # Texts that this version cannot read, and which it could not take out word by word.
        db.execute("UPDATE recall_blob SET content = x'c1'")
        db.execute("CREATE TABLE recall_vector (blob, model, content)")
        db.execute("INSERT INTO recall_vector VALUES (1, 'small', x'00')")


@pytest.mark.parametrize("change", [_edit, _switch_branch, _older_format, _other_code])
def test_the_index_has_the_passages_of_one_state_only(
    repo: Repo, change: Callable[[Repo], object]
) -> None:
    """Passages of other states once doubled the counts of words, so that the limit of rows dropped
    words of the question, and an answer fell from rank 1 to rank 16."""
    ask(repo, "port")
    change(repo)
    ask(repo, "port")
    with closing(sqlite3.connect(_file(repo))) as db:
        shelf = JudgedState(db)
        assert [shelf.count(word) for word in ("8443", "queue", "redis")] == [1, 1, 1]
        assert (
            sum(shelf.sizes().values())
            == db.execute("SELECT count(*) FROM recall_text_docsize").fetchone()[0]
        )
        (states,) = db.execute("SELECT count(*) FROM recall_state").fetchone()
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    assert states == 1
    assert ("recall_vector" in tables) is False


def test_k_and_budget(repo: Repo) -> None:
    question = "service port and delivery queue items"
    both, _ = ask(repo, question)
    assert len(both.results) == 2
    assert both.tokens == sum(-(-len(t) // 4) for t in texts(both))
    one, _ = ask(repo, question, k=1)
    assert texts(one) == texts(both)[:1]
    fits = both.results[0].tokens
    assert texts(ask(repo, question, budget=fits)[0]) == texts(both)[:1]
    assert texts(ask(repo, question, budget=fits - 1)[0]) == []


def test_copies_are_served_once(repo: Repo) -> None:
    text = (repo.root / DOCUMENT).read_text("utf-8")
    repo.commit(
        {"memory-bank/copy.md": text, "docs/other.md": page(f"{PORT} (`data/said.txt:1`).")}
    )
    answer, _ = ask(repo, "Which port does the service listen on?", pending=True)
    assert sum("8443" in t for t in texts(answer)) == 1


def test_only_types_asked_for(repo: Repo) -> None:
    answer, _ = ask(repo, "Which port does the service listen on?", types=(MemoryType.PROCEDURAL,))
    assert answer.results == ()


# Judged states without a repository: relations and what is outdated.


def held(path: str, *claims: tuple[str, Tier]) -> JudgedDocument:
    made = [
        Claim(f"{path}{n}", text, text, "", 0, n, 1, n, n) for n, (text, _) in enumerate(claims, 1)
    ]
    decided = [
        Decision(Place(path, DocClass.MEMORY, c), tier, "ungrounded", Source.UNKNOWN)
        for c, (_, tier) in zip(made, claims, strict=True)
    ]
    parts = passages(Extraction(tuple(made)), made)
    return JudgedDocument(path, DocClass.MEMORY, path, decided, parts)


def judged(documents: Sequence[JudgedDocument], *edges: Edge) -> Recall:
    db = sqlite3.connect(":memory:", isolation_level=None)
    kept = JudgedState(db)
    finalize(kept, db.close)
    kept.keep(b"state", documents, edges)
    return Recall(kept, Lexical(kept))


YES, WAITS = Tier.APPROVE, Tier.REVIEW
OLD, NEW = ("a.md", 0), ("b.md", 0)
FORWARD = Edge("contradicts", NEW, OLD, "supersedes", replaces=True)
BACK = Edge("contradicts", OLD, NEW, "supersedes", replaces=True)
SAID = FORWARD._replace(replaces=False)


@pytest.mark.parametrize(
    ("edges", "new", "pending", "served"),
    [
        ([], YES, False, {"a.md:1", "b.md:1"}),
        ([FORWARD], YES, False, {"b.md:1"}),
        ([SAID], YES, False, {"a.md:1", "b.md:1"}),
        ([FORWARD], YES, True, {"b.md:1"}),
        ([FORWARD], WAITS, False, {"a.md:1"}),
        ([FORWARD, BACK], YES, False, {"a.md:1", "b.md:1"}),
    ],
    ids=[
        "apart",
        "replaced",
        "only said to be",
        "replaced, all asked for",
        "by what waits",
        "each other",
    ],
)
def test_what_a_grounded_claim_replaces_is_left_out(
    edges: list[Edge], new: Tier, pending: bool, served: set[str]
) -> None:
    documents = [
        held("a.md", ("Sessions of users live in Redis.", YES)),
        held("b.md", ("Sessions of users live in signed cookies now.", new)),
    ]
    answer = judged(documents, *edges).answer(
        RecallQuery("Where do sessions live?", pending=pending)
    )
    assert {r.place for r in answer.results} == served
    old = next((r for r in answer.results if r.place == "a.md:1"), None)
    if old is not None:
        assert old.contradicted == (("b.md:1",) if edges else ())


def test_a_distant_match_is_no_answer_where_better_ones_wait() -> None:
    """Of a repository that says much of a thing, a grounded claim that only touches it is none."""
    waits = [(f"Run the tests of part {n} with the test runner of it.", WAITS) for n in range(320)]
    documents = [held("a.md", ("Tests of the gate are green.", YES)), held("b.md", *waits)]
    question = "How do I run the tests with the test runner?"
    answer = judged(documents).answer(RecallQuery(question))
    assert (answer.results, answer.waiting) == ((), True)
    assert judged(documents[:1]).answer(RecallQuery(question)).results


@pytest.mark.parametrize(
    ("claims", "served"), [(2, True), (100, True), (10_000, False)], ids=["few", "more", "many"]
)
def test_of_more_claims_one_has_to_cover_more(claims: int, served: bool) -> None:
    far = [(f"The gate number {n} is painted blue.", WAITS) for n in range(claims)]
    found = judged([held("a.md", ("The ledger is closed at noon.", YES)), held("b.md", *far)])
    question = "Which clerk closes the ledger of the paper mill?"
    assert bool(found.answer(RecallQuery(question)).results) is served
    assert found.answer(RecallQuery(question, least=0.0)).results


def test_another_ranker_can_take_the_place() -> None:
    class Last:
        def ranked(self, question: str, serves: Callable[[int], bool]) -> list[object]:
            from grounded_ingest.retrieval.bm25 import Scored
            from grounded_ingest.retrieval.store import row_of

            del question
            rows = [row_of(1, n) for n in (3, 2)]
            return [Scored(r, 1.0, 1.0) for r in rows if serves(r)]

    claims = [(f"Claim number {n}.", WAITS if n == 3 else YES) for n in range(4)]
    found = judged([held("a.md", *claims)])
    found.ranker = Last()  # type: ignore[assignment]
    assert [r.memory.line for r in found.answer(RecallQuery("anything")).results] == [3]


def test_no_folder_hides_a_function_of_the_package() -> None:
    """Importing `grounded_ingest.X` sets the attribute X: a folder `recall` once hid `recall()`."""
    folders = {p.name for p in Path(grounded_ingest.__file__).parent.iterdir()}
    assert not {*grounded_ingest.__all__, *(f"{n}.py" for n in grounded_ingest.__all__)} & folders


def test_a_code_block_is_an_answer_with_its_lead_in(repo: Repo) -> None:
    """Commands in a fence are no claims, and the sentence above them alone does not say them."""
    guide = "# Guide\n\nTo run the tests:\n\n```bash\nnox -s unit\n```\n"
    repo.commit({"docs/guide.md": guide})
    answer, _ = ask(repo, "How do I run the tests?")
    (first, *_) = answer.results
    assert first.memory.text == "To run the tests:\nnox -s unit"
    assert (first.place, first.memory.end_line) == ("docs/guide.md:3", 6)
    assert first.ground.rule == "code-block"


def test_a_code_block_with_a_wrong_reference_is_not_served(repo: Repo) -> None:
    guide = "# Guide\n\nTo run the tests:\n\n```bash\npython tools/nothing.py\n```\n"
    repo.commit({"tools/nothing.py": "1\n"})
    repo.commit({"tools/nothing.py": None, "docs/guide.md": guide})
    answer, _ = ask(repo, "How do I run the tests?", pending=True)
    assert not [t for t in texts(answer) if "nothing.py" in t]


def test_a_text_that_a_page_hides_is_not_served(repo: Repo) -> None:
    """Nobody who reads the page sees the comment, but an agent would act on it."""
    said = "<!-- The release key of the ledger lives in the drawer of Ana at home. -->"
    repo.commit({DOCUMENT: page("The ledger is closed at noon.", said)})
    answer, _ = ask(repo, "Where does the release key of the ledger live?", pending=True)
    assert not [t for t in texts(answer) if "drawer" in t]


def test_a_code_block_that_ends_in_a_colon_is_an_answer(repo: Repo) -> None:
    guide = "# Guide\n\n## Palette\n\n```yaml\npalette: teal\nextras:\n```\n"
    repo.commit({"docs/guide.md": guide})
    answer, _ = ask(repo, "Which palette is used?")
    assert texts(answer)[:1] == ["palette: teal\nextras:"]


def test_a_paragraph_is_one_result_without_its_wrong_sentence(repo: Repo) -> None:
    """A question hits the paragraph, and only its sentences that may be served are shown."""
    said = "The ledger closes at noon. The ledger is defined in `src/gone.py:3`. Ana keeps it."
    repo.commit({"src/gone.py": "1\n2\n3\n"})
    repo.commit({"src/gone.py": None, DOCUMENT: page(said)})
    answer, _ = ask(repo, "When does the ledger close?", pending=True)
    assert texts(answer)[:1] == ["The ledger closes at noon. Ana keeps it."]


def test_relations_stand_beside_a_hit_and_leave_the_rank_alone() -> None:
    documents = [
        held(
            "a.md",
            ("The ledger lives in Redis.", YES),
            *[("Filler of another kind.", YES)] * 4,
            ("Sessions expire at night.", YES),
            ("Cookies are signed.", YES),
        ),
        held("b.md", ("Blocked words.", Tier.BLOCK)),
    ]
    found = judged(
        documents,
        Edge("derived_from", ("a.md", 0), ("a.md", 5), "so"),
        Edge("supports", ("a.md", 6), ("a.md", 5), "as"),
        Edge("supports", ("b.md", 0), ("a.md", 0), "as"),
    )
    (first, *_) = found.answer(RecallQuery("Where does the ledger live?")).results
    assert [(r.kind, r.place, r.hops) for r in first.related] == [
        ("derived_from", "a.md:6", 1),
        ("supported_by", "a.md:7", 2),
    ]
