"""reStructuredText is read for references, with the line numbers of the source."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from repos import Repo

from grounded_ingest.config.settings import Config, classify
from grounded_ingest.extract.rst import rst_as_markdown
from grounded_ingest.model.claims import DocClass, Verdict
from grounded_ingest.references.path_resolution import named_sphinx_file

TRANSLATED = [
    ("T\n=\n\nU\n-\n\nV\n=", "# T\n\n\n## U\n\n\n# V\n"),
    ("``a`` *b* **c** d", "`a` *b* **c** d"),
    ("``a`b``", "``a`b``"),
    ("a [b] <c> \\*d", "a \\[b\\] \\<c> \\*d"),
    ("`B <a.rst>`_", "[B](<a.rst>)"),
    ("a_ b\n\n.. _a: https://a.org", "[a](<https://a.org>) b\n\n"),
    (":doc:`a` :doc:`B <../b>`", "[a](<doc:a>) [B](<doc:../b>)"),
    (":doc:`a <tox:index>` :doc:`tox:index`", "a tox:index"),  # pages of another project
    (":external+tox:doc:`a`", "a"),
    (":py:func:`~m.f` :file:`.a.cfg` `b`", "`m.f` `.a.cfg` `b`"),
    (":ref:`B <a>` :math:`x`", "B x"),
    ("- a\n\n  b\n- c", "- a\n\nb\n- c"),
    ("a\n  b", "- a\nb"),
    ("a::\n\n  b\n\nc", "a:\n~~~\nb\n~~~\nc"),
    (".. code-block:: sh\n   :caption: c\n\n   a\n\nb", "\n\n~~~sh\na\n~~~\nb"),
    (".. note::\n\n   a", "\n\na"),
    (".. tab:: T\n\n   a", "\n\na"),
    (".. versionadded:: 1.0\n   word", "\nword"),
    (".. unknown:: x\n\n   `a`", "\n\n"),
    (".. math::\n\n   a", "\n\n"),
    (".. include:: a.txt", "[a.txt](<include:a.txt>)"),
    (".. literalinclude:: a.py\n   :language: python", "[a.py](<include:a.py>)\n"),
    (".. image:: a.png", "![](<image:a.png>)"),
    (".. image:: https://a.org/a.png", "![](<https://a.org/a.png>)"),
    (
        ".. toctree::\n   :glob:\n\n   a\n   B <b>\n   c/*\n   self",
        "\n\n\n[a](<doc:a>)\n[b](<doc:b>)\n\n",
    ),
    ("+---+---+\n| a | b |\n+---+---+", "\n- a | b\n"),
    (".. a note\n\nb", "\n<!-- a note -->\nb"),
    ("a |b|\n\n.. |b| replace:: c", "a c\n\n"),
    ("a\r\n\r\nb", "a\n\nb"),
]


@pytest.mark.parametrize(("text", "markdown"), TRANSLATED)
def test_each_line_is_translated_in_its_place(text: str, markdown: str) -> None:
    assert rst_as_markdown(text) == markdown


def test_no_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words", encoding="utf-8")
    directives = ("include:: {}", "literalinclude:: {}", "raw:: html\n   :file: {}")
    for directive in (*directives, "csv-table::\n   :file: {}"):
        assert "secret words" not in rst_as_markdown(f".. {directive.format(secret)}")


def test_a_wide_table_is_read_in_linear_time() -> None:
    text = ("+---" * 2000 + "+\n" + "| a " * 2000 + "|\n") * 20
    begin = process_time()
    rst_as_markdown(text)
    assert process_time() - begin < 5  # 0.1 s; 18 s when it is read as a table


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.rst", DocClass.OTHER),
        ("docs/b.rst", DocClass.OTHER),
        ("CHANGES.rst", None),
        ("release notes/1.md", None),
        ("a/tests/specs/b.md", None),
        ("tests/a.md", DocClass.OTHER),
    ],
)
def test_the_class_of_a_file(path: str, expected: DocClass | None) -> None:
    assert classify(Config(), path) is expected


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("doc:b", "d/b.rst"),
        ("doc:../b", "b.rst"),
        ("doc:b.md", "d/b.md"),
        ("doc:/b", ""),
        ("include:b.txt", "d/b.txt"),
        ("image:b.*", ""),
    ],
)
def test_the_file_that_a_role_names(raw: str, path: str) -> None:
    assert named_sphinx_file("d/a.rst", raw) == path


TREE = {
    "d/conf.py": "extensions = []\nshutil.copy('../CHANGES.md', 'sub/made.md')\n"
    "rediraffe_redirects = {'sub/was': 'sub/b'}\n",
    "d/sub/was.rst": "Was\n===\n",
    "d/sub/left.rst": "Left\n====\n",
    "d/sub/b.rst": "B\n=\n",
    "d/sub/c.md": "# C\n",
    "d/sub/news.rst": "News\n====\n",
    "d/sub/made.md": "# Made\n",
    "d/sub/gone.md": "# Gone\n",
    ".gitignore": "d/sub/news.md\n",
    "d/p.png": "x",
    "examples/plots.ipynb": "{}",
    "Makefile": "build:\n\ttrue\n",
    "src/a.py": "x = 1\n",
    "src/old.py": "x = 1\n",
}
WRONG = [
    (":doc:`sub/b` :doc:`/sub/b` :doc:`sub/c`", ""),
    (":doc:`sub/q`", "path"),
    ("`x <sub/was.html>`_", ""),  # redirected
    ("`x <sub/left.html>`_", "path"),
    (":doc:`library/re`", ""),  # a page of another project
    (".. toctree::\n   :maxdepth: 2\n\n   sub/b\n   Q <sub/q>", "path"),
    (".. image:: p.png", ""),
    (".. image:: /p.png", ""),
    (".. image:: q.png", "path"),
    (".. include:: q.txt", "path"),
    ("`x <q.txt>`_", "path"),
    ("See ``src/a.py``.", ""),
    ("See ``src/old.py``.", "path"),
    ("See ``src/new.py``.", ""),  # no commit had it
    ("See ``src/a.py:7``.", "path"),
    (".. code-block:: sh\n\n   make build", ""),
    (".. code-block:: sh\n\n   make gone", "command"),
]


def test_an_included_page_includes_from_the_folder_of_the_site(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(TREE | {"d/README.rst": "R\n=\n", "GUIDE.rst": ".. include:: ../README.rst\n"})
    repo.commit({"README.rst": "R\n=\n"})
    found = [e for d in repo.decisions("all") for e in d.evidence if "README" in e.target]
    assert [e.verdict for e in found] == [Verdict.UNKNOWN]


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("rst"))
    repo.commit(TREE)
    repo.commit({"src/old.py": None, "d/sub/news.rst": None})
    pages = ("made.md", "gone.md", "was.rst", "left.rst")
    repo.commit(dict.fromkeys((f"d/sub/{page}" for page in pages), None))
    return repo


def wrong_kinds(repo: Repo, text: str) -> list[str]:
    repo.stage({"d/a.rst": text})
    report = repo.check().report
    kinds = [str(e.kind) for d in report.counted for e in d.wrong]
    return kinds + [p.rule.partition("[")[2].rstrip("]") or p.rule for p in report.problems]


@pytest.mark.parametrize(("text", "kind"), WRONG)
def test_references_of_a_page(repo: Repo, text: str, kind: str) -> None:
    assert wrong_kinds(repo, f"A\n=\n\n{text}\n") == ([kind] if kind else [])


CONTENTS = "# A\n\n```{{toctree}}\n---\nmaxdepth: 2\n---\nsub/b\nself\n{}\n```\n"


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("sub/c", ""),
        ("See <sub/c>", ""),
        ("sub/q", "link"),
        ("See <sub/q>", "link"),
        ("x/y", ""),
        ("sub/news", ""),  # a build copies this page, which git ignores
        ("sub/made", ""),  # conf.py copies this page
        ("sub/gone", "link"),
        ("plots", ""),  # a build may make this page from the notebook
    ],
)
def test_a_table_of_contents_of_myst(repo: Repo, row: str, kind: str) -> None:
    repo.stage({"d/index.md": CONTENTS.format(row)})
    found = [p.rule for p in repo.check().report.problems if p.path == "d/index.md"]
    repo.stage({"d/index.md": None})
    assert found == ([f"refuted-citation[{kind}]"] if kind else [])


def test_a_text_that_is_too_deep_is_unreadable(repo: Repo) -> None:
    deep = "\n\n".join(f"{' ' * n}a" for n in range(400))
    assert wrong_kinds(repo, deep) == ["unreadable"]


def test_an_ignore_comment_silences_a_finding(repo: Repo) -> None:
    comment = '.. grounded: ignore[refuted-citation[path]] reason="why"'
    assert wrong_kinds(repo, f"{comment}\n\nSee ``src/old.py``.\n") == []
