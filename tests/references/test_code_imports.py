"""Imports of the repository's own Python modules in code blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo

from grounded_ingest.report.findings import list_findings

FILES: Files = {
    "pyproject.toml": '[project]\nname = "courier"\n',
    "src/courier/__init__.py": "from courier.send import send\n",
    "src/courier/send.py": "def send(): ...\n",
    "src/courier/lazy.py": "def __getattr__(name): ...\n",
    "src/courier/fast/__init__.py": "",
    "src/courier/fast/lib.rs": "",
    "src/courier/adapters/__init__.py": "",
    "src/courier/adapters/openai.py": "import openai as client\n",
    "core/setup.py": "",
    "core/depot/core/__init__.py": "",
    "mail/setup.py": "",
    "mail/depot/mail/__init__.py": "",
    "tests/project/pyproject.toml": "",
    "tests/project/shop/__init__.py": "",
}


COMMITS = (FILES,)


IMPORTS = (
    ("from courier import parcel", "src/courier/__init__.py has no parcel"),
    ("from courier.parcel import send", "src/courier has no module parcel"),
    ("import courier.parcel", "src/courier has no module parcel"),
    ("from courier.send import send, Parcel  # both", "src/courier/send.py has no Parcel"),
    ("from courier.send import send", ""),
    ("from courier.send import *", ""),
    # The text above is "For example:".
    ("```\n\nFor example:\n\n```python\nimport courier.parcel", "courier has no module parcel"),
    ("from courier import send, fast", ""),
    ("from courier.lazy import anything", ""),  # made when it runs
    ("from courier.fast import core", ""),  # made by a build
    ("from courier import my_plugin, YourRule, feature_name", ""),  # made-up names
    ("from openai import OpenAI", ""),  # another package than courier.adapters.openai
    ("from depot.core import parcel", "core/depot/core/__init__.py has no parcel"),
    ("from depot import parcel", ""),  # two projects have parts of the package
    ("from shop import cart", ""),  # a project of a test
    ("from .parcel import x", ""),
    ("from courier.parcel import (", ""),
)


def test_an_import_of_an_own_module(repo: Repo) -> None:
    text = "# Notes\n\n```python\n{}\n```\n"
    pages = {f"memory-bank/n{n}.md": text.format(code) for n, (code, _) in enumerate(IMPORTS)}
    repo.stage({**pages})
    findings = list_findings(repo.check().report)
    for path, (code, wrong) in zip(pages, IMPORTS, strict=True):
        found = [f.message for f in findings if f.path == path]
        assert len(found) == bool(wrong), code
        assert all(wrong in message for message in found), code


def test_documents_about_another_version_are_not_judged(repo: Repo) -> None:
    text = "# Notes\n\n```python\nimport courier.parcel\n```\n"
    repo.stage(dict.fromkeys(("docs/v2/notes.md", "docs/notes.md"), text))
    found = {f.path for f in list_findings(repo.check().report)}
    assert {path for path in found if path.startswith("docs/")} == {"docs/notes.md"}


PACKAGES: Files = {
    "packages/send/package.json": '{"name": "@courier/send"}',
    "packages/send/src/index.ts": "export function sendParcel() {}\nexport type Parcel = string;\n",
}
NAMES = (
    ("ts", "import { sendParcel, sendLetter } from '@courier/send';", "sendLetter"),
    (
        "ts",
        "import {\n  type Parcel, // a box\n  sendLetter as s,\n} from '@courier/send/x';",
        "sendLetter",
    ),
    ("ts", "import type { Letter } from '@courier/send';", "Letter"),
    ("ts", "import { sendParcel } from '@courier/send';", ""),
    ("ts", "import { sendLetter } from '@courier/other';", ""),  # not a package of this tree
    ("ts", "import { myLetter, MyLetter } from '@courier/send';", ""),  # made-up names
    ("ts", "// Wrong:\nimport { sendLetter } from '@courier/send';", ""),
    ("text", "import { sendLetter } from '@courier/send';", ""),
)


def test_a_name_that_a_package_of_the_tree_does_not_have(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(PACKAGES)
    text = "# Notes\n\n```{}\n{}\n```\n"
    pages = {f"memory-bank/n{n}.md": text.format(*row) for n, row in enumerate(NAMES)}
    old = text.format(*NAMES[0])
    others = ("0.9-to-0.10", "migration", "migrate-v8-to-v9")
    repo.stage({**pages, **{f"docs/{name}/use.md": old for name in others}})
    findings = list_findings(repo.check().report)
    for path, (_, code, wrong) in zip(pages, NAMES, strict=True):
        found = [f.message for f in findings if f.path == path]
        assert len(found) == bool(wrong), code
        assert all(f"no code file contains {wrong}," in message for message in found), code
    assert {f.path for f in findings} <= pages.keys()


@pytest.mark.parametrize(("passed_on", "wrong"), [("./icons", 0), ("./parcel", 1)])
def test_a_build_may_write_what_a_package_passes_on(
    tmp_path: Path, passed_on: str, wrong: int
) -> None:
    """The icons of a set are drawings in the tree; the build writes `icons.ts` from them."""
    repo = Repo(tmp_path / "repo")
    index = "packages/send/src/index.ts"
    repo.commit(
        PACKAGES | {index: f"export * from '{passed_on}';\n", "packages/send/src/parcel.ts": "1\n"}
    )
    text = "# Notes\n\n```ts\nimport { SendLetter } from '@courier/send';\n```\n"
    repo.stage({"memory-bank/notes.md": text})
    assert len(list_findings(repo.check().report)) == wrong
