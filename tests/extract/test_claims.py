"""What is a claim and what is not; and that no text an agent reads vanishes without a word."""

from __future__ import annotations

import pytest

from grounded_ingest.extract.claims import claim_id, single_claim
from grounded_ingest.extract.documents import LIMIT, extract
from grounded_ingest.model.claims import DocClass, Extraction, Form, Kind

MEMORY, DOCS = DocClass.MEMORY, DocClass.DOCS

FRAGMENT = "the text is too short to state anything"
LINKS = "the text has only links, images or punctuation"
SLOT = "the text is an empty slot of a template"
CODE = "only code or paths"
UNJUDGED = "hidden text, which is checked only in agent memory"

CLAIMS = [
    ("The port is 80.", ["The port is 80."]),
    ("Always run the tests first", ["Always run the tests first"]),
    ("Uses `x`", ["Uses `x`"]),
    ("I think so.", ["I think so."]),
    ("- 4 workers", ["4 workers"]),
    ("`a` is the alias of `b`", ["`a` is the alias of `b`"]),
    ("`main.py`: the entry", ["`main.py`: the entry"]),
    ("[One thing](x.md) is here", ["[One thing](x.md) is here"]),
    ("It is up. ([PR #1](a.md))", ["It is up. ([PR #1](a.md))"]),
    ("It is up. See ADR-3. It is on.", ["It is up. See ADR-3.", "It is on."]),
    ('Ask them: "Is it up?"', ['Ask them: "Is it up?"']),
    ("<The port is 80.>", ["<The port is 80.>"]),
    ("[The API key is in the wiki page]", ["[The API key is in the wiki page]"]),
    ("# Never push to main.", ["Never push to main."]),
    ("# The service listens on port 8443", ["The service listens on port 8443"]),
    ("## 3. Logs must live inside traces", ["3. Logs must live inside traces"]),
    ("## ADR-5: OAuth2 is required everywhere", ["ADR-5: OAuth2 is required everywhere"]),
    ("## We use Redis for sessions", ["We use Redis for sessions"]),
    ("## Redis keeps sessions for a day", ["Redis keeps sessions for a day"]),
    ("~~The port is 80.~~", ["~~The port is 80.~~"]),
    ("<p>The port is 80.</p>", ["The port is 80."]),
    ("<details><summary>The port is 80.</summary></details>", ["The port is 80."]),
    ("> [!NOTE]\n> The port is 80.", ["The port is 80."]),
    ("| a | b |\n|---|---|\n| x ||\n| 1 | 2 |", ["a: 1; b: 2"]),
    ("| a |\n|---|\n| The port is 80. It is open. |", ["The port is 80. It is open."]),
    ("```\nThe port is 80.\n```", ["The port is 80."]),
    ("    The port is 80.", ["The port is 80."]),
    ("```text\nThe port\nis 80.\n\n- It is open now.\n```", ["The port is 80.", "It is open now."]),
    ("```python\nThe port is 80.\n```", ["The port is 80."]),
    ("<pre>The port is 80.</pre>", ["The port is 80."]),
    ("!!! note\n\n    The port is 80. It is open.", ["The port is 80.", "It is open."]),
    ("| Never push to main. |\n|---|", ["Never push to main."]),
    ("数据库使用 PostgreSQL。", ["数据库使用 PostgreSQL。"]),
    ("---\n\nThe port is 80.\n\n---", ["The port is 80."]),
    ("The port is 80.\n\n---\nIt is open.\n\n---", ["The port is 80.", "It is open."]),
    ("**Port**: it _is_ `80`, [see](a.md)", ["Port: it is `80`, [see](a.md)"]),
]

NO_CLAIMS = [
    ("# The heading of it all", "a heading"),
    ("# Why the cache is cold", "a heading"),
    ("# What the server cannot do", "a heading"),
    ("# Phase 2: tests pass", "a heading"),
    ("# Cloud commands and checks", "a heading"),
    ("# Is the port 80 everywhere?", "a heading"),
    ("# The cases that are left over", "a heading"),
    ("# Setting up the tests", "a heading"),
    ("```\nport = 80\n```", "a code block"),
    ("    make test", "a code block"),
    ("```python\nport = 80\n```", "a code block"),
    ("```python\nThe port is 80.\nport = 80\n```", "a code block"),
    ("```\n$ ask\nThe port is 80.\n```", "a code block"),
    ("```\nThe port is 80.\nError: x = 1\n```", "a code block"),
    ("```\nThe port is 80.\n\nand more\n```", "a code block"),
    ("```\n├── The port is 80.\n```", "a code block"),
    ("```\n```", "a code block"),
    ("<pre>port = 80</pre>", "code"),
    ("**Status:**", "a label"),
    ("Key files and more:", "a label"),
    ("Web interface", FRAGMENT),
    ("Is the port 80?", "a question"),
    ("**“Where does it stand?”**", "a question"),
    ("[Your name here]", SLOT),
    ("{{ placeholder }}", SLOT),
    ("TBD", SLOT),
    ("N/A", SLOT),
    ("_Add a description here_", SLOT),
    ("Permission is hereby granted, free of charge, to any person.", "licence text"),
    ("SPDX-License-Identifier: Apache-2.0", "licence text"),
    ("| The first | The second |\n|---|---|", "a table header"),
    ("---\na: 1\n---", "front matter"),
    ("<!-- prettier-ignore-start -->", "a directive in a comment"),
    ("<!-- markdownlint-disable MD013 MD033 -->", "a directive in a comment"),
]

HIDDEN = [
    ("comment", "<!-- The port is 80. -->"),
    ("comment, indented", "<!--\n      The port is 80.\n-->"),
    ("comment, unclosed", "<!-- The port is 80."),
    ("comment, unclosed in an element", "<div>\n<!--\n\nThe port is 80."),
    ("comment inside a sentence", "It is open <!-- The port is 80. --> now."),
    ("comment in a list", "- <!-- The port is 80. -->"),
    ("a directive that says more", "<!-- lint disable: The port is 80. -->"),
    ("hidden element", "<div hidden>\n\nThe port is 80.\n\n</div>"),
    ("styled away", '<p style="display: none">The port is 80.</p>'),
    ("hidden span", "It is <span hidden>The port is 80.</span> open."),
    ("template", "<template>The port is 80.</template>"),
    ("hidden cell", "|a|b|\n|-|-|\n|<b hidden>The port is 80.</b> it|x|"),
    ("surplus cell", "|a|b|\n|-|-|\n|x|y|The port is 80.|"),
    ("alt text", "![The port is 80.](a.png)"),
    ("HTML alt text", '<img alt="The port is 80." src="a.png">'),
    ("link title", '[x](a.md "The port is 80.")'),
    ("HTML title", 'Here <b title="The port is 80.">it</b> is.'),
    ("pseudo tag", "It is <note The port is eighty> open."),
    ("definition as comment", "[//]: # (The port is 80.)"),
    ("definition as comment, empty target", "[comment]: <> (The port is 80.)"),
    ("definition in a list", "- a\n\n  [//]: # 'The port is 80.'"),
    ("definition repeated", '[a]: b\n[a]: c "The port is 80."\n\nSee [a].'),
    ("label of a definition", "[The port is 80.]: #"),
    ("title of a definition in use", 'See [it][a] now.\n\n[a]: b "The port is 80."'),
    ("footnote nobody cites", "It is open.\n\n[^x]: The port is 80."),
    ("tag characters", "The port is 80.\U000e0041"),
    ("turned text", "The port is \u202e80."),
]


def texts(found: Extraction) -> list[str]:
    return [c.text for c in found.claims if not c.only_refers]


def read(source: str, doc_class: DocClass = MEMORY, path: str = "a.md") -> Extraction:
    return extract(source.encode(), path, doc_class)


@pytest.mark.parametrize(("source", "expected"), CLAIMS)
def test_statements_are_claims(source: str, expected: list[str]) -> None:
    assert texts(read(source)) == expected


REFERENCES = [
    ("# `try` blocks in loops", ["`try` blocks in loops"]),
    ("# [Manual](manual.md)", ["[Manual](manual.md)"]),
    ("[Documentation](d.md)", ["[Documentation](d.md)"]),
    ("**[Documentation](d.md)**", ["[Documentation](d.md)"]),
    ("https://e.com/a", ["https://e.com/a"]),
    ("[![Build](b.svg)](c)", ["[![Build](b.svg)](c)", "[Build](b.svg)"]),
    ("![Plan](hall.png)", ["[Plan](hall.png)"]),
    ("- [One](#one)\n- [Two](#two)", ["[One](#one)", "[Two](#two)"]),
    ("[API](a.md) · [CLI](c.md)", ["[API](a.md) · [CLI](c.md)"]),
    ("`make test`", ["`make test`"]),
    ("- `src/`, `tests/`", ["`src/`, `tests/`"]),
    ('<a href="roof.md">Roof</a>', ["[roof.md](roof.md)"]),
    ("<p>\n<img src='a/b.png'>\n</p>", ["[b.png](a/b.png)"]),
    ('<Card title="x" href="roof.md" />', ["[roof.md](roof.md)"]),
    ('<Code src="src/a.py" />', []),  # only the component knows the folder of its sources
    ('<img srcset="a.png 1x, b.png 2x">', ["[a.png](a.png)", "[b.png](b.png)"]),
    ("[unused]: guide.md\n", []),
    ("| `a.py` | `b.py` |\n|---|---|", ["`a.py`", "`b.py`"]),
]


@pytest.mark.parametrize(("source", "expected"), REFERENCES)
def test_references_count_where_nothing_is_stated(source: str, expected: list[str]) -> None:
    found = [c for c in read(source).claims if c.only_refers]
    assert sorted(c.text for c in found) == sorted(expected)
    assert texts(read(source)) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('See <Link to="/roof">the roof</Link>.', ["[roof](/roof)"]),
        ("import A from './a.tsx'\nimport './b.css';", ["[a.tsx](./a.tsx)", "[b.css](./b.css)"]),
        ('import A, { B as C } from "../a.json?raw"', ["[a.json](../a.json)"]),
        ("import A from 'a/b.js'", []),  # a package
        ("```js\nimport A from './a.js'\n```", []),
    ],
)
def test_files_of_components_and_imports_are_references(source: str, expected: list[str]) -> None:
    assert sorted(c.text for c in read(source).claims if c.only_refers) == expected


@pytest.mark.parametrize("doc_class", list(DocClass))
def test_only_references_are_read_in_documents_of_no_class(doc_class: DocClass) -> None:
    found = read("The port is 80.\n\nIt is set in `src/app.py` by hand.\n", doc_class)
    alone = doc_class is DocClass.OTHER
    assert [c.only_refers for c in found.claims] == ([True] if alone else [False, False])


@pytest.mark.parametrize(("source", "reason"), NO_CLAIMS)
def test_what_states_nothing_is_skipped_with_its_reason(source: str, reason: str) -> None:
    found = read(source)
    assert texts(found) == []
    assert {s.reason for s in found.skipped} == {reason}


@pytest.mark.parametrize("source", [h[1] for h in HIDDEN], ids=[h[0] for h in HIDDEN])
def test_hidden_text_of_memory_is_a_hidden_claim(source: str) -> None:
    hidden = [c.text for c in read(source).claims if c.form is Form.HIDDEN]
    assert len(hidden) == 1
    assert "The port is" in hidden[0]


def test_a_comment_of_mdx_is_hidden() -> None:
    found = read("Open. {/* The port is 80. */}\n", path="a.mdx").claims
    assert [c.text for c in found if c.form is Form.HIDDEN] == ["The port is 80."]


@pytest.mark.parametrize("source", [h[1] for h in HIDDEN[:24]], ids=[h[0] for h in HIDDEN[:24]])
def test_hidden_text_outside_of_memory_is_skipped_with_its_reason(source: str) -> None:
    found = read(source, DOCS)
    assert not any("The port" in c.text for c in found.claims if c.form is Form.HIDDEN)
    assert UNJUDGED in {s.reason for s in found.skipped} | {"a directive in a comment"}


@pytest.mark.parametrize(
    "source",
    [
        '<p class="overflow-hidden">The port is 80.</p>',
        '<b aria-hidden="false">The port is 80.</b> It is.',
        '<p style="opacity: 0.5">The port is 80.</p>',
        "The flag 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f is up.",
        "<div hidden></div>\n\nThe port is 80.",
    ],
)
def test_visible_text_is_not_hidden(source: str) -> None:
    assert Form.HIDDEN not in {c.form for c in read(source).claims}


@pytest.mark.parametrize(
    ("comment", "rules", "reason"),
    [
        ('ignore[speculation] reason="quoted"', ("speculation",), "quoted"),
        ('ignore[duplicate, speculation] reason="a b"', ("duplicate", "speculation"), "a b"),
        ("ignore[duplicate]", ("duplicate",), ""),
    ],
)
@pytest.mark.parametrize("doc_class", list(DocClass))
def test_ignore_comments_are_read_and_no_claims(
    comment: str, rules: tuple[str, ...], reason: str, doc_class: DocClass
) -> None:
    found = read(f"The port is 80.\n<!-- grounded: {comment} -->\n", doc_class)
    (ignore,) = found.ignores
    assert (ignore.line, ignore.rules, ignore.reason) == (2, rules, reason)
    assert texts(found) == ([] if doc_class is DocClass.OTHER else ["The port is 80."])


def test_an_ignore_comment_that_is_not_understood_is_a_problem() -> None:
    (problem,) = read("a\n\n<!-- grounded: ignore all -->").problems
    assert (problem.rule, problem.line) == ("unused-ignore", 3)


@pytest.mark.parametrize(
    ("source", "doc_class", "imports"),
    [
        ("See @docs/x.md and @README.md.", MEMORY, ("docs/x.md", "README.md")),
        ("(@~/a.md) @./b.md @../c.md", MEMORY, ("~/a.md", "./b.md", "../c.md")),
        ("`@docs/x.md` and me@e.com", MEMORY, ()),
        ("See @docs/x.md now.", DOCS, ()),
    ],
)
def test_imports_are_read_in_memory_alone(
    source: str, doc_class: DocClass, imports: tuple[str, ...]
) -> None:
    assert read(source, doc_class).imports == imports


def test_fields_of_front_matter_belong_to_all_claims() -> None:
    found = read(
        "---\ntrust: 0.5\nsource: chat\ntype: episodic\nnote: It is not yet up\n---\nIt is up."
    )
    (note, claim) = found.claims
    assert (note.form, note.section, note.text) == (Form.METADATA, "note", "It is not yet up")
    assert (claim.trust, claim.declared_source, claim.memory_type) == (0.5, "chat", "episodic")


@pytest.mark.parametrize(
    ("front", "said", "line"),
    [
        ("tags: [a\nnote: The port is 80", "not valid YAML", 3),
        ("trust: 7\nnote: The port is 80", "trust must be", 1),
    ],
)
def test_broken_front_matter_is_a_problem_and_is_read_by_lines(
    front: str, said: str, line: int
) -> None:
    found = read(f"---\n{front}\n---\n")
    (problem,) = found.problems
    assert said in problem.message
    assert problem.line == line
    assert texts(found) == ["The port is 80"]


@pytest.mark.parametrize("plain", ["globs: **/*.py, *.md", "description: For rows: user: 'x'"])
def test_unquoted_texts_in_front_matter_are_no_problem(plain: str) -> None:
    found = read(f"---\n{plain}\nnote: The port is 80\n---\n")
    assert found.problems == ()
    assert "The port is 80" in texts(found)


def test_lists_and_comments_of_front_matter_are_claims() -> None:
    source = "---\nrules:\n  - Never push to main\n# The port is 80\nx:\n  y: It is open now\n---\n"
    assert sorted(texts(read(source))) == [
        "It is open now",
        "Never push to main",
        "The port is 80",
    ]


def test_claims_know_their_section_block_table_and_ordinal() -> None:
    source = (
        "It is 1.\n\n# A\n\nIt is 1. It is 1.\n\n## B\n\n- It is 1.\n- It is 2.\n\n"
        "|a|\n|-|\n|It is 3.|\n\n# C\n\nIt is 1.\n"
    )
    got = [(c.section, c.text, c.ordinal, c.block, c.table) for c in read(source).claims]
    assert got == [
        ("", "It is 1.", 0, 1, 0),
        ("A", "It is 1.", 0, 3, 0),
        ("A", "It is 1.", 1, 3, 0),
        ("A > B", "It is 1.", 0, 5, 0),
        ("A > B", "It is 2.", 0, 5, 0),
        ("A > B", "It is 3.", 0, 6, 1),
        ("C", "It is 1.", 0, 8, 0),
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The **port** is 80.", "The port is 80.", True),
        ("The port\nis  80.", "The port is 80.", True),
        ("Caf\u00e9 is open.", "Cafe\u0301 is open.", True),
        ("- [ ] The port is 80.", "- [x] The port is 80.", True),
        ("It is C++.", "It is C.", False),
        ("It is 1.5.", "It is 15.", False),
        ("it is up.", "It is up.", False),
        ("See `a` now it is.", "See a now it is.", False),
    ],
)
def test_the_id_of_a_claim_depends_on_its_visible_text_alone(
    one: str, other: str, same: bool
) -> None:
    assert (read(one).claims[0].id == read(other).claims[0].id) is same
    assert read(one).claims[0].id == claim_id(read(one).claims[0].text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It is `code here` now.", "It is \0\0\0\0\0\0\0\0\0\0\0 now."),
        ('He said "it may" now.', "He said \0\0\0\0\0\0\0\0 now."),
        ("See [it](a.md) now ok.", "See \0it\0\0\0\0\0\0\0 now ok."),
        ("See http://e.com/x now.", "See \0\0\0\0\0\0\0\0\0\0\0\0\0\0 now."),
        ("It isn't 'done' yet.", "It isn't \0\0\0\0\0\0 yet."),
    ],
)
def test_code_links_and_quotations_are_masked(text: str, kept: str) -> None:
    assert read(text).claims[0].masked == kept


def test_words_tell_decisions_and_preferences() -> None:
    source = "We decided to use PostgreSQL.\n\nThe user prefers tabs.\n\nThe port is 80."
    assert [c.kind for c in read(source).claims] == [Kind.DECISION, Kind.PREFERENCE, Kind.FACT]


@pytest.mark.parametrize(
    ("source", "line", "tier"),
    [(b"a\nb\xff", 2, 3), (b"a\n\n\0", 3, 3), (b"a" * (LIMIT + 1), 1, 3)],
)
def test_what_cannot_be_read_is_a_problem(source: bytes, line: int, tier: int) -> None:
    for doc_class, expected in ((MEMORY, tier), (DOCS, tier - 1)):
        (problem,) = extract(source, "a.md", doc_class).problems
        assert (problem.rule, problem.line, problem.tier) == ("unreadable", line, expected)


@pytest.mark.parametrize(("text", "said"), [("It is. It is *up*.", "It is. It is up."), ("", None)])
def test_a_text_is_read_as_one_claim(text: str, said: str | None) -> None:
    assert getattr(single_claim(text), "text", None) == said
