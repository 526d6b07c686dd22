"""AsciiDoc is read for references, with the line numbers of the source."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from repos import Repo

from grounded_ingest.config.settings import Config, classify
from grounded_ingest.extract.asciidoc import as_markdown
from grounded_ingest.model.claims import DocClass
from grounded_ingest.references.asciidoc_files import named_file

TRANSLATED = [
    ("== Title", "## Title"),
    ("Title\n-----", "## Title\n"),
    ("[[a]]\n== T", '<a id="a"></a>\n## T'),
    ("[quote#a.role]\nT", '<a id="a"></a>\nT'),
    ("[id=a]\nT", '<a id="a"></a>\nT'),
    ("x [[a]]y", 'x <a id="a"></a>y'),
    ("<<a>> and <<b,B>>", "[a](<#a>) and [B](<#b>)"),
    ("<<A title>>", "A title"),
    ("<<x.adoc#a,B>>", "[B](<xref:x.adoc#a>)"),
    ("xref:m:x.adoc#a[two\nlines]", "[two\nlines](<xref:m:x.adoc#a>)"),
    ("xref:a[B]", "[B](<#a>)"),
    ("\\xref:x.adoc[B]", "xref:x.adoc[B]"),
    ("link:x.txt[B^]", "[B](<x.txt>)"),
    ("https://a.org[B,window=_blank]", "[B](<https://a.org>)"),
    (":n: x\n\nxref:{n}.adoc[B]", "\n\n[B](<xref:x.adoc>)"),
    (":n: x\n:m: {n}y\n\nxref:{m}.adoc[B]", "\n\n\n[B](<xref:xy.adoc>)"),
    ("ifdef::a[]\n:n: x\nendif::[]\nxref:{n}.adoc[B]", "\n\n\n[B](<xref:{n}.adoc>)"),
    ("ifdef::a[]\nxref:x.adoc[B]\nendif::[]", "\n\n"),
    (":imagesdir: i\n\nimage::a.png[B]", "\n\n![B](<image:i/a.png>)"),
    ("include::x.adoc[]", "[x.adoc](<include:x.adoc>)"),
    ('`+<a>+` "`b`"', "+\\<a>+ “b”"),
    ("[source,bash]\n.T\n----\ncd x\n----", "\nT\n\n\n"),
    ("----\ninclude::a.sh[]\n----", "\n[a.sh](<include:a.sh>)\n"),
    ("[source]\n`x`", "\n"),
    ("----\nx", "\nx"),
    ("// note\nT", "<!-- note -->\nT"),
    ("////\n`x`\n////", "\n\n"),
    ("++++\n<h2 id=a>\n++++", '\n<a id="a"></a>\n'),
    ("\n `x`", "\n"),
    ("|===\n|a 2+|`b`\n|===", "\n- a | b\n"),
    ("|===\n| ----\nx\n----\n|===\n[[a]]", '\n\n\n\n\n<a id="a"></a>'),
    ("====\nx\n====\n|a", "\nx\n\n|a"),
    ("** x\nt:: y", "- x\n- t:: y"),
]


@pytest.mark.parametrize(("text", "markdown"), TRANSLATED)
def test_each_line_is_translated_in_its_place(text: str, markdown: str) -> None:
    assert as_markdown(text) == markdown


def test_a_hostile_text_is_translated_in_linear_time() -> None:
    """`[` and `pass:[` took quadratic time, and attributes that name each other grew the text."""
    rows = [f":a{n}: " + f"{{a{n - 1}}}" * 10 + "x" for n in range(1, 20)]
    grown = as_markdown("\n".join([":a0: x", *rows, "", "{a19}" * 1000]))
    assert len(grown) < 200_000
    begin = process_time()
    for unit in ("[", "[[", "pass:[", "[#", "{a}["):
        for end in ("", "]"):
            as_markdown(unit * (200_000 // len(unit)) + end)
    assert process_time() - begin < 5  # 0.3 s; 60 s when quadratic


@pytest.mark.parametrize(
    ("path", "expected"),
    [("docs/a.adoc", DocClass.OTHER), ("a.asciidoc", DocClass.OTHER), ("src/test/a.adoc", None)],
)
def test_the_class_of_a_file(path: str, expected: DocClass | None) -> None:
    assert classify(Config(), path) is expected


PAGE = "d/modules/m/pages/sub/a.adoc"


@pytest.mark.parametrize(
    ("document", "raw", "path"),
    [
        (PAGE, "xref:b.adoc", "d/modules/m/pages/b.adoc"),
        (PAGE, "xref:./b.adoc", "d/modules/m/pages/sub/b.adoc"),
        (PAGE, "xref:n:b.adoc", "d/modules/n/pages/b.adoc"),
        (PAGE, "xref:c::b.adoc", ""),
        (PAGE, "xref:1.0@b.adoc", ""),
        (PAGE, "image:b.png", "d/modules/m/images/b.png"),
        (PAGE, "include:partial$b.adoc", "d/modules/m/partials/b.adoc"),
        (PAGE, "include:b.adoc", "d/modules/m/pages/sub/b.adoc"),
        (PAGE, "b.html", ""),
        ("d/modules/m/nav.adoc", "xref:b.adoc", "d/modules/m/pages/b.adoc"),
        ("d/a.adoc", "xref:b.adoc", "d/b.adoc"),
        ("d/a.adoc", "b.txt", "d/b.txt"),
        ("d/a.md", "image:b.png", ""),
    ],
)
def test_the_file_that_a_macro_names(document: str, raw: str, path: str) -> None:
    assert named_file(document, raw) == path


TREE = {
    "d/b.adoc": "= B\n\ninclude::c.adoc[]\n",
    "d/c.adoc": "== Inner\n",
    "d/new.adoc": "= N\n:page-aliases: old.adoc\n",
    "d/i/p.png": "x",
    "modules/m/pages/p.adoc": "= P\n",
}
WRONG = [
    ("xref:b.adoc#gone[x]", False),
    ("xref:gone.adoc[x]", True),
    ("xref:old.adoc[x]", False),
    ("<<gone>>", False),
    ("image::p.png[]", False),
    ("image::q.png[]", True),
    ("include::gone.adoc[]", True),
    ("`d/gone.py`", True),
    ("----\nmake gone\n----", False),
]


@pytest.mark.parametrize(("text", "wrong"), WRONG)
def test_references_of_a_page(tmp_path: Path, text: str, wrong: bool) -> None:
    repo = Repo(tmp_path)
    repo.commit(TREE)
    found = repo.decide({"d/a.adoc": f"= A\n\n{text}\n"})
    assert any(d.wrong for d in found["d/a.adoc"]) is wrong


@pytest.mark.parametrize("path", ["d/c.adoc", "modules/m/partials/x.adoc", "d/untitled.adoc"])
def test_a_part_of_other_pages_is_not_judged_alone(tmp_path: Path, path: str) -> None:
    repo = Repo(tmp_path)
    repo.commit(TREE)
    found = repo.decide({path: "See xref:gone.adoc[x].\n"})
    assert not any(d.wrong for d in found[path])


def test_a_missing_file_of_a_component_is_unknown(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(TREE)
    page = "modules/m/pages/a.adoc"
    found = repo.decide({page: "= A\n\nSee xref:gone.adoc[x].\n"})
    assert [e.kind for d in found[page] for e in d.wrong] == []
