"""Members that a module, package, crate or class of the tree lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repos import Repo

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\n',
    "shop/__init__.py": "", "shop/fields.py": "class RowField: ...\n", "shop/json.py": "",
    "shop/schema.py": "class Schema:\n    def load_rows(self): ...\n",
    "shop/stars.py": "from other import *\n", "shop/client.py": "class Client: ...\n",
    "tests/kinds.py": "", "tests/__init__.py": "",
    "package.json": '{"name": "@acme/cart"}',
    "go.mod": "// The till.\nmodule example.org/acme/till/v2\n\nrequire example.org/acme/coin v1.0.0\n",
    "till.go": "package till\n\nfunc OpenDrawer() {}\n",
    "coin/coin.go": "package coin\n",
    "crates/desk/Cargo.toml": '[package]\nname = "front-desk"\n',
    "crates/desk/src/lib.rs": "pub mod bells;\n",
    "crates/desk/src/bells.rs": "pub fn ring_once() {}\n",
    "crates/all/Cargo.toml": '[package]\nname = "all"\n',
    "crates/all/src/lib.rs": "pub use other::*;\n",
    "src/attribute.rs": "pub enum Attribute { A }\n",
}  # fmt: skip

CLAIMS = (
    ("`fields.MoneyField` is for money.", "shop/fields.py has no MoneyField"),
    ("`shop.fields.MoneyField` is for money.", "shop/fields.py has no MoneyField"),
    ("`fields.RowField` is for rows.", ""),
    ("`other.fields.MoneyField` is of another package.", ""),
    ("`json.load_fast` is of Python's own module.", ""),
    ("`kinds.MoneyKind` is of the tests.", ""),
    ("`schema.load_json(text)` reads text.", "shop/schema.py has no load_json"),
    ("`row_field.load_json(text)` reads text.", "shop/fields.py has no RowField.load_json"),
    ("A `MockRowField` is passed, and `row_field.load_json(text)` is of it.", ""),
    ("`schema.load_rows()` reads rows, and `schema.load_json` may be a key.", ""),
    ("Use `await cart.payLater(row)`.", "cart has no payLater"),
    ("`cart.payLater` may be a key.", ""),
    ("`till.CloseDrawer` closes it.", "the package at the root has no CloseDrawer"),
    ("`till.OpenDrawer` opens it.", ""),
    ("`stars.MoneyField` may come from elsewhere.", ""),
    ("`client.stream(x)` may be of another client.", ""),
    ("`coin.CountCoins` may be of the required module.", ""),
    ("`front_desk::bells::ring_twice` rings.", "crates/desk/src/bells.rs has no ring_twice"),
    ("`front_desk::ring_twice` rings.", "crates/desk/src/lib.rs has no ring_twice"),
    ("`front_desk::bells::ring_once` rings.", ""),
    ("`all::ring_twice` may be of `other`, and `desk::ring_twice` of another crate.", ""),
    ("It is a variant of the `RowAttribute` enum in src/attribute.rs.", "has no RowAttribute"),
    ("The enum `Attribute` in src/attribute.rs is small.", ""),
    ("Write to a `RowWriter` (see `shop/schema.py`).", ""),  # "write" may mean a plan
    ("It needs a `RowWriter` (see `shop/schema.py`).", "shop/schema.py has no RowWriter"),
)


@pytest.mark.parametrize(("claim", "why"), CLAIMS)
def test_members(tmp_path: Path, claim: str, why: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({**FILES})
    decided = repo.judge_each([claim])[claim]
    wrong = [e.reason for e in decided.own_evidence if e.verdict == "refuted"]
    assert len(wrong) == bool(why), wrong
    assert not why or why in wrong[0]


DYNAMIC = (
    ("import base\n\nclass Schema(base.Schema): ...\n", 0),
    ("class Base:\n    def keep(self): ...\n\nclass Schema(other.Base): ...\n", 0),
    ("class Base:\n    def keep(self): ...\n\nclass Schema(schema.Base): ...\n", 1),
    ("class Schema:\n    def __call__(self): ...\n", 1),
    ("class Schema:\n    def __getattr__(self, name): ...\n", 0),
    ('class Schema:\n    """\n    use this class.\n    """\n', 1),
)


@pytest.mark.parametrize(("code", "told"), DYNAMIC)
def test_classes_whose_members_are_known(tmp_path: Path, code: str, told: int) -> None:
    repo = Repo(tmp_path)
    repo.commit({"shop/schema.py": code})
    claim = "`Schema.load_json()` reads text."
    decided = repo.judge_each([claim])[claim]
    assert sum(e.verdict == "refuted" for e in decided.own_evidence) == told


def test_a_class_in_ruby_with_a_module(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    own = "module Env\n  def form_rows\n  end\nend\n\nclass Request\n  include Env\nend\n"
    repo.commit({"lib/request.rb": own, "lib/reply.rb": "class Reply\n  include Other\nend\n"})
    claims = {"`Request#form_data` reads.": 1, "`Request#form_rows` reads.": 0}
    claims["`Reply#form_data` may come from a gem."] = 0
    judged = repo.judge_each(claims)
    for claim, told in claims.items():
        assert sum(e.verdict == "refuted" for e in judged[claim].own_evidence) == told, claim


@pytest.mark.parametrize(
    ("core", "told"),
    [("def add_row(): ...\n", 1), ("from numpy import *\n", 0), (None, 0)],
)
def test_a_package_that_passes_on_the_names_of_a_module(
    tmp_path: Path, core: str | None, told: int
) -> None:
    """It has other names only if the module does, or if git ignores the module."""
    repo = Repo(tmp_path)
    files = {"pyproject.toml": '[project]\nname = "shop"\n', "shop/__init__.py": STAR}
    repo.commit(files | ({"shop/core.py": core} if core else {}))
    assert len(repo.judge("Rows are added by `shop.sum_rows()`.").wrong) == told


STAR = "from .core import *\n"
