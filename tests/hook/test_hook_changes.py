"""Renamed and deleted documents, commits of code, and speculation that is refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest
from hookrepo import BLOCKED, DOCUMENT, SENTENCES, Repo, X, Y, evidence_path, page, with_pre_commit

A, B, C = SENTENCES[:3]
CITING = "The port is set in `src/app.py:2`."
OTHER = "memory/guide.md"
SERVER = """\
def load(path):
    return path


class Gateway:
    def start(self):
        pass
"""
COMMIT_CHECK = ("check", "--offline", "--staged")
RANGE = ("check", "--offline", "--since")


def gone(repo: Repo, document: str) -> bool:
    path = evidence_path(document)
    return path not in repo.tree() and not (repo.root / path).exists()


@pytest.mark.parametrize("edit", [False, True])
@pytest.mark.parametrize(
    ("source", "target"),
    [
        (DOCUMENT, "memory-bank/status.md"),
        (DOCUMENT, "memory-bank/Progress.md"),
        (DOCUMENT, "memory/notes/progress.md"),
        ("docs/adr/0001-storage.md", "docs/adr/0001-store.md"),
    ],
)
def test_evidence_follows_a_renamed_document(
    repo: Repo, source: str, target: str, edit: bool
) -> None:
    repo.given(source, A, B)
    (repo.root / target).parent.mkdir(parents=True, exist_ok=True)
    repo.git("mv", source, target)
    if edit:
        repo.stage(target, page(A, B, C))
    repo.expect_commit()
    assert gone(repo, source)
    assert repo.evidence(target) == repo.on_disk(target) == [A, B, *([C] if edit else [])]
    assert repo.changed() == {source, target, evidence_path(source), evidence_path(target)}
    assert repo.status() == []


def test_a_document_that_leaves_the_knowledge_base(repo: Repo) -> None:
    repo.given(DOCUMENT, A)
    repo.git("mv", DOCUMENT, "src/progress.txt")
    repo.expect_commit()
    assert gone(repo, DOCUMENT)
    assert gone(repo, "src/progress.txt")
    assert repo.status() == []


@pytest.mark.parametrize("arguments", [[], ["-a"]])
def test_a_commit_that_only_deletes(repo: Repo, arguments: list[str]) -> None:
    repo.given(DOCUMENT, A)
    repo.given(OTHER, X)
    if arguments:
        (repo.root / DOCUMENT).unlink()
    else:
        repo.git("rm", "--quiet", DOCUMENT)
    repo.expect_commit(*arguments)
    assert gone(repo, DOCUMENT)
    assert repo.changed() == {DOCUMENT, evidence_path(DOCUMENT)}
    assert repo.evidence(OTHER) == [X]
    assert repo.status() == []


@pytest.mark.parametrize("leaving", [("rm", DOCUMENT), ("mv", DOCUMENT, "memory/moved.md")])
def test_evidence_that_another_clone_wrote_goes_too(repo: Repo, leaving: tuple[str, ...]) -> None:
    """What this clone did not write is nobody's edit as long as it is what the index holds."""
    repo.given(DOCUMENT, A)
    repo.given(OTHER, X)
    shutil.rmtree(repo.root / ".git/grounded-ingest")
    repo.git(*leaving)
    assert "not written" not in repo.expect_commit()
    assert gone(repo, DOCUMENT)
    assert repo.status() == []


def test_an_orphan_is_swept_up_by_the_next_commit_of_a_document(repo: Repo) -> None:
    repo.given(DOCUMENT, A)
    repo.git("rm", "--quiet", DOCUMENT)
    repo.git("commit", "--quiet", "--no-verify", "-m", "bypass")
    repo.land(OTHER, X)
    assert gone(repo, DOCUMENT)
    assert repo.status() == []


def test_deleted_evidence_comes_back_with_its_document(repo: Repo) -> None:
    repo.given(DOCUMENT, A)
    repo.git("rm", "--quiet", evidence_path(DOCUMENT))
    repo.stage(DOCUMENT, page(A, B))
    repo.expect_commit()
    assert repo.evidence() == repo.on_disk() == [A, B]
    assert repo.status() == []


@pytest.mark.parametrize("path", ["src/app.py", "src/new.py", "data.json"])
def test_a_commit_of_code_rewrites_nothing(repo: Repo, path: str) -> None:
    repo.given(DOCUMENT, A, CITING)
    repo.stage(path, 'HOST = "db"\nGATEWAY_PORT = 8443\nDEBUG = False\n')
    repo.expect_commit()
    assert repo.changed() == {path}
    assert "wrong" not in repo.ask(*RANGE, "HEAD~1").out
    assert repo.status() == []


@pytest.mark.parametrize(
    ("command", "done"),
    [
        pytest.param(["rm", "src/app.py"], "removed by this change", id="deleted"),
        pytest.param(["mv", "src/app.py", "src/main.py"], "moved to src/main.py", id="moved"),
    ],
)
def test_a_commit_that_removes_what_a_claim_cites_is_stopped(
    repo: Repo, command: list[str], done: str
) -> None:
    repo.given(DOCUMENT, A, CITING)
    repo.git(*command)
    ran = repo.commit()
    assert ran.code == 1
    said = [row for row in ran.out.splitlines() if "refuted-citation" in row]
    assert len(said) == 2, ran.out
    assert f"{DOCUMENT}:5:" in said[1]
    assert f"refuted-citation[line]: src/app.py:2: {done}" in said[1]
    assert "in 0 documents" not in ran.out
    assert repo.ask(*RANGE, "HEAD").code == 0


@pytest.mark.parametrize(
    ("code", "claim", "fact"),
    [
        pytest.param(
            SERVER.replace("load", "read"), "`load` is defined in `src/server.py`.",
            "src/server.py::load: renamed to read by this change", id="renamed function",
        ),
        pytest.param(
            SERVER.replace("start", "begin"), "`Gateway.start()` opens the port.",
            "src/server.py::Gateway.start: renamed to begin by this change", id="renamed method",
        ),
        pytest.param(
            "# A\n# B\n" + SERVER, "The function `load` is in `src/server.py:1`.",
            "src/server.py:1: the cited line is now line 3", id="drifted line",
        ),
    ],
)  # fmt: skip
def test_a_commit_of_code_that_makes_a_sentence_false_says_so(
    repo: Repo, code: str, claim: str, fact: str
) -> None:
    repo.stage("src/server.py", SERVER)
    repo.given(DOCUMENT, A, claim)
    repo.stage("src/server.py", code)
    ran = repo.commit()
    assert ran.code == ("by this change" in fact), "a name that the change removed stops it"
    said = [row for row in ran.out.splitlines() if "refuted-citation" in row]
    assert len(said) == 1
    assert said[0].startswith(f"{DOCUMENT}:5:")
    assert f": {fact}. " in said[0]


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"package.json": '{"dependencies": {"express": "^7.1.0"}}'},
         "package.json has express ^7.1.0, not 4"),
        ({"cmds/c.py": "", "cmds/d.py": ""}, "cmds/ has 4 files, not 2"),
        ({"other/c.py": ""}, ""),
        ({"package.json": '{"dependencies": {"express": "^4.2.0"}}'}, ""),
    ],
)  # fmt: skip
def test_code_that_makes_a_version_or_a_count_false(
    repo: Repo, change: dict[str, str], fact: str
) -> None:
    repo.stage("package.json", '{"dependencies": {"express": "^4.1.0"}}')
    repo.stage("cmds/a.py", "")
    repo.stage("cmds/b.py", "")
    repo.given(DOCUMENT, A, "The server uses Express 4.", "`cmds/` has 2 files.")
    for path, text in change.items():
        repo.stage(path, text)
    ran = repo.ask(*COMMIT_CHECK)
    said = [row for row in ran.out.splitlines() if "refuted-citation" in row]
    assert [fact in row for row in said] == [True] * bool(fact), ran.out
    assert ran.code == bool(fact)


def test_a_warning_is_printed_for_an_edited_sentence_and_not_for_an_old_one(repo: Repo) -> None:
    repo.stage("src/server.py", SERVER)
    repo.given(DOCUMENT, A, "`load` is defined in `src/server.py`.")
    repo.bypass("src/server.py", SERVER.replace("load", "read"))
    repo.stage("src/server.py", SERVER.replace("load", "fetch"))
    repo.stage(OTHER, page("`load` is defined in `src/server.py`."))
    ran = repo.ask(*COMMIT_CHECK)
    assert ran.code == 0
    assert [row.partition(": src/")[0] for row in ran.out.splitlines()] == [
        f"{OTHER}:3:1: warning: refuted-citation[symbol]"
    ]


def speculate(repo: Repo) -> None:
    repo.stage(DOCUMENT, page(BLOCKED))


def speculate_beside_sound_documents(repo: Repo) -> None:
    repo.stage(OTHER, page(X))
    repo.stage("CLAUDE.md", page(Y))
    speculate(repo)


def speculate_with_work_left_unstaged(repo: Repo) -> None:
    speculate(repo)
    repo.write(DOCUMENT, page(BLOCKED, B))
    repo.write("src/app.py", "PORT = 1\n")
    repo.write("notes.txt", "untracked\n")


def speculate_and_delete(repo: Repo) -> None:
    repo.git("mv", "docs/old.md", "docs/moved.md")
    speculate(repo)


@with_pre_commit
@pytest.mark.parametrize(
    "change",
    [
        speculate,
        speculate_beside_sound_documents,
        speculate_with_work_left_unstaged,
        speculate_and_delete,
    ],
)
def test_a_blocked_commit_leaves_everything_as_it_was(
    repo: Repo, change: Callable[[Repo], None]
) -> None:
    repo.given("docs/old.md", C)
    change(repo)
    before = repo.state()
    ran = repo.commit()
    assert ran.code == 1
    assert f"{DOCUMENT}:3" in ran.out
    assert "speculation" in ran.out
    assert "Traceback" not in ran.out
    assert repo.state() == before


def test_speculation_that_stood_before_stops_nobody(repo: Repo) -> None:
    repo.bypass(DOCUMENT, page(A, BLOCKED))
    repo.land(DOCUMENT, A, BLOCKED, B)
    assert repo.evidence() == [B]
    repo.land(OTHER, X)
    assert repo.status() == []
