"""`path::name` cites a definition, wherever in its file it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

CODE = (
    "TIMEOUT = 30\n\n\ndef decode(token):\n    return verify_token(token, TIMEOUT)\n\n\n"
    "class Store:\n    def load(self):\n        raise KeyError\n\n\nclass Other:\n"
    "    def load(self):\n        return 1\n"
)


@pytest.mark.parametrize(
    ("claim", "rule", "target"),
    [
        ("`decode` returns `verify_token` (`src/a.py::decode`).", "cited", "decode"),
        ("`TIMEOUT` is 30 (`src/a.py::TIMEOUT`).", "cited", "TIMEOUT"),
        ("`load` raises a `KeyError` (`src/a.py::Store.load`).", "cited", "Store.load"),
        ("`load` raises a `KeyError` (`src/a.py#Store.load`).", "cited", "Store.load"),
        ("`load` raises a `KeyError` (`src/a.py::Other.load()`).", "cited", "Other.load"),
        ("`load` raises a `KeyError` (`src/a.py::load`).", "ungrounded", "load"),
        ("`encode` returns it (`src/a.py::encode`).", "refuted-citation", "encode"),
        ("The token is local (`src/a.py::token`).", "ungrounded", "token"),
        ("`TIMEOUT` is 31 (`src/a.py::TIMEOUT`).", "cited", "TIMEOUT"),
    ],
)
def test_a_definition_is_what_is_cited(tmp_path: Path, claim: str, rule: str, target: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/a.py": CODE, "src/b.go": "package b\n\nfunc Run() {}\n"})
    decided = repo.judge(claim)
    targets = [e.target for e in decided.own_evidence if e.kind == "symbol"]
    assert decided.rule == rule, decided.own_evidence
    assert f"src/a.py::{target}" in targets


def test_a_definition_that_moves_stays_cited(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/a.py": "import os\n\n" + CODE, "README.md": "# A\n"})
    assert repo.judge("`TIMEOUT` is 30 (`src/a.py::TIMEOUT`).").rule == "cited"


def test_a_file_that_cannot_be_parsed_is_unknown(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/a.py": "def decode(:\n"})
    assert repo.judge("It decodes (`src/a.py::decode`).").rule == "ungrounded"
