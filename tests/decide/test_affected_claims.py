"""A change of code reports the claims whose cited lines it turns into something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo, made_wrong

from grounded_ingest.report.findings import list_findings

APP = 'HOST = "a"\nPORT = 8443\n\n\ndef start():\n    listen(HOST, PORT)\n'


def lost(tmp_path: Path, claim: str, before: str, after: str | None) -> list[str]:
    repo = Repo(tmp_path)
    repo.commit({"src/app.py": before, "src/other.py": "LIMIT = 1\n", NOTES: f"# N\n\n- {claim}\n"})
    repo.stage({"src/app.py": after})
    report = repo.check().report
    assert not [d for d in report.decisions if d.changed]
    return [p.message for p in report.problems if p.rule == "refuted-citation[changed-line]"]


@pytest.mark.parametrize(
    ("claim", "after", "said"),
    [
        (
            "The gateway listens on port 8443 (`src/app.py:2`).",
            APP.replace("8443", "9443"),
            "src/app.py:2: the text was “PORT = 8443” before this change, and is “PORT = 9443” now",
        ),
        (
            "At start `listen` is called (`src/app.py:5-6`).",
            APP.replace("listen(", "serve("),
            "src/app.py:5-6: the text was “listen(HOST, PORT)” before this change, and is"
            " “serve(HOST, PORT)” now",
        ),
        ("The port is 8443 (`src/app.py`).", None, ""),
        (
            "The gateway, see `src/app.py::PORT`, listens on 8443.",
            "import sys\n" + APP.replace("8443", "9443"),
            "src/app.py::PORT: the text was “PORT = 8443” before this change, and is “PORT = 9443” now",
        ),
        (  # told as a wrong number
            "The gateway listens on port 8443 (`src/app.py::PORT`).",
            "import sys\n" + APP.replace("8443", "9443"),
            "",
        ),
        (  # told as a wrong reference
            "At start `listen` is called (`src/app.py::start`).",
            APP.replace("def start", "def begin"),
            "",
        ),
        (  # it cannot be parsed now: unknown, never "removed"
            "At start `listen` is called (`src/app.py::start`).",
            APP.replace("PORT)", "PORT, 1"),
            "",
        ),
        (
            "At start `listen` is called (`src/app.py::start`).",
            "import sys\n" + APP.replace("8443", "9443"),
            "",
        ),
        ("The gateway listens on port 8443 (`src/app.py:2`).", APP.replace('"a"', '"b"'), ""),
        (
            "The gateway listens on port 8443 (`src/app.py:2`).",
            f"import sys\n\n{APP}",
            "src/app.py:2: the cited line is now line 4",
        ),
        ("The gateway listens on port 8443 (`src/app.py:2`).", APP.replace("PORT", "PORT_A"), ""),
        ("The limit is 1 (`src/other.py:1`).", APP.replace("8443", "9443"), ""),
    ],
)
def test_a_change_of_code_names_what_it_makes_wrong(
    tmp_path: Path, claim: str, after: str | None, said: str
) -> None:
    """A claim is reported if its cited lines or definition change in what the claim says about
    them, and not otherwise."""
    assert lost(tmp_path, claim, APP, after) == ([said] if said else [])


@pytest.mark.parametrize("cited", ["src/app.py:2", "src/app.py::PORT"])
def test_a_claim_that_cites_a_definition_is_not_told_to_cite_it(tmp_path: Path, cited: str) -> None:
    repo = Repo(tmp_path)
    repo.commit(
        {"src/app.py": APP, NOTES: f"# N\n\n- The gateway, see `{cited}`, listens on 8443.\n"}
    )
    repo.stage({"src/app.py": APP.replace("8443", "9443")})
    [found] = list_findings(repo.check().report)
    assert found.rule == "refuted-citation[changed-line]"
    assert ("path::name" in found.way_out) == ("::" not in cited)


def test_a_move_names_commands_and_tables_of_contents(tmp_path: Path) -> None:
    """Neither names the page or the script as a citation does."""
    repo = Repo(tmp_path / "moves")
    contents = "# Index\n\n```{toctree}\nuse/start\nuse/tips\n```\n"
    repo.commit(
        {
            "docs/conf.py": "", "docs/index.md": contents, "docs/use/tips.md": "# Tips\n",
            "docs/use/start.md": "# Start\n\nHow to begin with all of this.\n",
            "AGENTS.md": "# Guide\n\nRun `python tools/run_all.py --fast` first.\n",
            "tools/run_all.py": "print('all of it')\n",
        }
    )  # fmt: skip
    repo.git("mv", "docs/use/start.md", "docs/use/begin.md")
    repo.git("mv", "tools/run_all.py", "tools/everything.py")
    report = repo.check().report
    assert [(p.path, p.line, p.message) for p in report.problems] == [
        ("docs/index.md", 4, "use/start: moved to docs/use/begin.md")
    ]
    (decision,) = report.elsewhere
    assert [(e.target, e.instead) for e in decision.wrong] == [
        ("tools/run_all.py", "tools/everything.py")
    ]


def test_a_claim_that_is_mended_in_the_same_change_is_not_named(tmp_path: Path) -> None:
    """The new sentence is judged instead."""
    repo = Repo(tmp_path)
    repo.commit({"src/app.py": APP, NOTES: "# N\n\n- The port is 8443 (`src/app.py:2`).\n"})
    after = APP.replace("8443", "9443")
    repo.stage({"src/app.py": after, NOTES: "# N\n\n- The port is 9443 (`src/app.py:2`).\n"})
    assert not [
        p for p in repo.check().report.problems if p.rule == "refuted-citation[changed-line]"
    ]


def test_a_number_beside_the_name_that_the_change_gives_another(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    claim = "Requests come in on port 8443 (`PORT` in `src/app.py`)."
    repo.commit({"src/app.py": APP, NOTES: f"# N\n\n- {claim}\n"})
    repo.stage({"src/app.py": APP.replace("8443", "9443")})
    ((path, line, said),) = made_wrong(repo.check())
    assert (path, line) == (NOTES, 3)
    assert "PORT in src/app.py is 9443, not 8443" in said
