"""`--fix --anchors` turns cited lines into the definition they lie in, or says why it does not."""

from __future__ import annotations

import pytest
from auditing import DOCUMENT, EVIDENCE, ask, json_of, with_evidence
from repos import Repo

from grounded_ingest.audit.fixes import plan_fixes
from grounded_ingest.audit.render import ANCHORS
from grounded_ingest.audit.run import audit
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.pipeline import Options

SOURCE = '''"""The gateway."""

GATEWAY_PORT = 8443
NAMES = {
    "a": 1,
}


def start(host):
    port = GATEWAY_PORT
    return serve(host, port)


class Store:
    limit = 40

    def load(self, key):
        return self.read(key)

    def save(self, key):
        return self.write(key, "store")


class Cache:
    def load(self, key):
        return self.entries[key]


def twice():
    return 1


def twice():
    return 2
'''
ABOVE = "import logging\nimport socket\n\n\ndef first():\n    return logging\n"
PAGE = "# Progress\n\nThe port, limit, store and start of the gateway, read twice by host and key, see {} today.\n"


def anchored(repo: Repo, page: str) -> tuple[str, list[str]]:
    """The document as `--fix --anchors` would write it, and what it leaves."""
    repo.commit({"src/app.py": SOURCE})
    repo.commit({DOCUMENT: page})
    with Opened(str(repo.root), own=False) as opened:
        found = audit(opened, Options(online=False, cache=False))
        planned = plan_fixes(found, anchors=True)
        found.result.kb.index.close()
    after = next((f.after.decode() for f in planned.documents), page)
    return after, [f"{left.cited}: {left.why}" for left in planned.left]


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ("`src/app.py:3`", "`src/app.py::GATEWAY_PORT`"),
        ("`src/app.py:10`", "`src/app.py::start`"),
        ("`src/app.py:9-11`", "`src/app.py::start`"),
        ("`src/app.py:8-12`", "`src/app.py::start`"),  # empty lines around it
        ("`src/app.py#L9-L11`", "`src/app.py::start`"),
        ("`app.py:9`", "`app.py::start`"),
        ("src/app.py:9", "`src/app.py::start`"),
        ("`src/app.py:15`", "`src/app.py::limit`"),
        ("`src/app.py:14`", "`src/app.py::Store`"),
        ("`src/app.py:14-21`", "`src/app.py::Store`"),
        ("`src/app.py:18`", "`src/app.py::Store.load`"),
        ("`src/app.py:21`", "`src/app.py::save`"),
        (
            "`src/app.py:3` and `src/app.py:11`",
            "`src/app.py::GATEWAY_PORT` and `src/app.py::start`",
        ),
    ],
)
def test_lines_become_the_definition_they_lie_in(repo: Repo, written: str, after: str) -> None:
    text, said = anchored(repo, PAGE.format(written))
    assert text == PAGE.format(after)
    assert said == []


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("`src/app.py:29`", "src/app.py defines several twice"),
        ("`src/app.py:18-21`", "the lines do not lie in one definition"),
        ("`src/app.py:3-11`", "the lines do not lie in one definition"),
        ("`src/app.py:1`", "the lines do not lie in one definition"),
        ("`src/app.py:5`", "the lines share no word with the claim"),
        ("[the start](../src/app.py#L9)", "a link leads to lines"),
        ("[`src/app.py:9`](../src/app.py#L9)", "a link leads to lines"),
        ("`src/app.py:9,11`", "it is written with other lines, or a column"),
        ("`src/app.py:9:3`", "it is written with other lines, or a column"),
        ("`src/app.ini:1`", "no parser here reads that file"),
    ],
)
def test_what_is_no_one_definition_stays(repo: Repo, written: str, why: str) -> None:
    repo.commit({"src/app.ini": "start = the gateway\n"})
    text, said = anchored(repo, PAGE.format(written))
    assert text == PAGE.format(written)
    assert said
    assert {row.partition(": ")[2] for row in said} == {why}


def test_an_anchor_holds_where_a_line_would_have_moved(repo: Repo) -> None:
    page = (
        PAGE.format("`src/app.py:10`")
        + "\nWhat to `start` with which `host`, as `src/app.py:9` has it.\n"
    )
    text, said = anchored(repo, page)
    assert said == []
    assert text.count("src/app.py::start") == 2
    repo.commit({"docs/lines.md": page, DOCUMENT: text})
    repo.commit({"src/app.py": ABOVE + SOURCE.replace("port = G", "the_port = G", 0)})
    states = {
        (i["path"], i["cited"]): i["state"]
        for i in json_of(ask(repo, "--output-format", "json"))["items"]
    }
    assert states == {
        (DOCUMENT, "src/app.py::start"): "ok",
        ("docs/lines.md", "src/app.py:9"): "moved",
        ("docs/lines.md", "src/app.py:10"): "moved",
    }


def test_lines_that_moved_are_mended_first(repo: Repo) -> None:
    repo.commit({"src/app.py": SOURCE})
    repo.commit({DOCUMENT: PAGE.format("`src/app.py:10`")})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    assert ask(repo, "--fix", "--anchors").returncode == 0
    assert (repo.root / DOCUMENT).read_text() == PAGE.format("`src/app.py::start`")


def test_lines_that_changed_are_left(repo: Repo) -> None:
    repo.commit({"src/app.py": SOURCE})
    repo.commit({DOCUMENT: PAGE.format("`src/app.py:10`")})
    repo.commit({"src/app.py": SOURCE.replace("port = GATEWAY_PORT", "port = secrets()")})
    ran = ask(repo, "--fix", "--anchors")
    assert (repo.root / DOCUMENT).read_text() == PAGE.format("`src/app.py:10`")
    assert b"stays: what it was written for is not certain (changed)" in ran.stderr


def test_evidence_follows_and_a_second_run_changes_nothing(repo: Repo) -> None:
    trusts = f"sources: {{{DOCUMENT}: manual}}\ntrusted_sources: [manual]\n"
    repo.commit({"src/app.py": SOURCE, ".grounded-ingest.yaml": trusts})
    repo.commit({DOCUMENT: "# Progress\n\nThe gateway port is 8443 (`src/app.py:3`).\n"})
    with_evidence(repo)
    before = ask(repo, "--diff", "--anchors")
    assert before.returncode == 1
    assert b"+The gateway port is 8443 (`src/app.py::GATEWAY_PORT`)." in before.stdout
    assert ask(repo, "--fix", "--anchors").returncode == 0
    assert "src/app.py::GATEWAY_PORT" in (repo.root / EVIDENCE).read_text()
    assert ask(repo, "--diff", "--anchors").returncode == 0


def test_plain_audit_names_the_way_out_once(repo: Repo) -> None:
    text = "# Progress\n\nThe port is 8443 (`src/app.py:3`).\n\nIts start has a host (`src/app.py:9`).\n"
    repo.commit({"src/app.py": SOURCE, "docs/a.ini": "port = 8443\n"})
    repo.commit({DOCUMENT: text})
    assert ANCHORS not in ask(repo).stdout.decode()
    repo.commit({"src/app.py": ABOVE + SOURCE})
    said = ask(repo).stdout.decode()
    assert said.count("moved:") == 2
    assert said.count(ANCHORS) == 1


def test_anchors_need_a_fix(repo: Repo) -> None:
    ran = ask(repo, "--anchors")
    assert ran.returncode == 2
    assert b"`--anchors` only works together with `--fix` or `--diff`" in ran.stderr
