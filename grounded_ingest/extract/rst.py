"""Translates reStructuredText to Markdown, so that the same checks read both formats.

docutils parses the text. It includes no file and reads no configuration. Each line keeps its
number, but not its columns. The target of a link keeps the name of its role or directive, as in
`[Set-up](doc:set-up)`, because Sphinx has its own rules for finding a file. The content of unknown
directives becomes empty."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, ClassVar

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, Parser, directives
from docutils.parsers.rst.states import Inliner
from docutils.statemachine import StringList
from docutils.utils import unescape

from grounded_ingest.text.patterns import compiled

_PROSE = (
    "versionadded versionchanged deprecated seealso tabs tab tab-set tab-item group-tab dropdown "
    "grid grid-item grid-item-card card collapse details glossary function class method attribute "
    "data exception option describe confval envvar py:function py:class py:method py:attribute "
    "py:data py:exception configuration-block best-practice"
)
"""Directives of Sphinx and its extensions whose content is read as prose."""
_OF_OTHER_PROJECT = compiled(r"[\w.-]+:")
"""Matches the beginning of a page in the docs of another project, such as `tox:index`."""
_ROLES_OF_CODE = (
    "", "file", "code", "class", "func", "meth", "mod", "attr", "exc", "data", "const", "obj",
    "option", "command", "method",
)  # fmt: skip
"""Roles whose text is a path, a name or a command. The default role has an empty name."""
_TITLED = compiled(r"(?s)(?P<title>.*?)\s*<(?P<target>[^<>]+)>")
_SPECIAL = compiled(r"[\\`*\[\]<]|^[#+>-](?=\s)|(?<=^\d)[.)](?=\s)")
_NEAR = (0, -1, 1, -2, 2, -3, 3)
"""Distances in lines at which a text is looked for. docutils counts some lines from the end of the
text, or from the line above it."""

_WIDE = compiled(r"[ \t]*\+[-=+]{1000}")
"""Matches the border of a wide table, which docutils reads in quadratic time."""

_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "smart_quotes": False,
    "syntax_highlight": "none",
    "report_level": 5,
    "halt_level": 6,
}


def rst_as_markdown(text: str) -> str:
    """Returns a text in reStructuredText as Markdown with the same number of lines."""
    rows = ["" if _WIDE.match(row) else row for row in text.replace("\r\n", "\n").split("\n")]
    found = publish_doctree(
        "\n".join(rows),
        parser=Parser(inliner=_inliner()),
        settings_overrides={**_SETTINGS, "warning_stream": io.StringIO()},
    )
    page = _Page(rows)
    page.add(found, 0)
    return "\n".join(page.lines)


class _AnyOptions(dict[str, Any]):
    """The options of a directive with any names."""

    def __bool__(self) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        return directives.unchanged


class _Known(Directive):
    """A directive with any argument, options and content."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[Any] = _AnyOptions()


class _ProseDirective(_Known):
    def run(self) -> list[nodes.Node]:
        container = nodes.container()
        below = "".join(self.arguments).split("\n")[1:]  # as in `versionadded:: 1.0`
        self.state.nested_parse(StringList(below), self.lineno, container)
        self.state.nested_parse(self.content, self.content_offset, container)
        return list(container.children)


class _CodeDirective(_Known):
    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content)
        node = nodes.literal_block(text, text, language=" ".join(self.arguments))
        node.line = self.content_offset + 1
        return [node]


class _FileDirective(_Known):
    def run(self) -> list[nodes.Node]:
        return [self.link("include", *self.arguments[:1], line=self.lineno)]

    def link(self, role: str, text: str = "", *, line: int) -> nodes.Node:
        node = nodes.paragraph(text, "", _link(role, text, text))
        node.line = line
        return node


class _ContentsDirective(_FileDirective):
    """A `toctree`, whose lines name pages, as in `set-up` and `Set-up <set-up>`."""

    def run(self) -> list[nodes.Node]:
        found = []
        for number, row in enumerate(self.content, self.content_offset + 1):
            titled = _TITLED.fullmatch(row.strip())
            target = titled["target"] if titled else row.strip()
            if target and target != "self" and "*" not in target and "://" not in target:
                found.append(self.link("doc", target, line=number))
        return found


for _names, _directive in (
    (_PROSE, _ProseDirective),
    ("code code-block sourcecode prompt terminal", _CodeDirective),
    ("include literalinclude", _FileDirective),
    ("toctree", _ContentsDirective),
):
    for _name in _names.split():
        directives.register_directive(_name, _directive)


def _inliner() -> Inliner:
    """Returns a reader of inline markup that knows roles with any name. A class of its own would
    lack the patterns that docutils looks up in the class."""
    inliner = Inliner()
    setattr(inliner, "interpreted", _read_role)  # noqa: B010  mypy forbids to assign methods
    return inliner


def _read_role(
    source: str, text: str, role: str, _line: int
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    name, plain = role.lower().rpartition(":")[2], unescape(text)
    titled = _TITLED.fullmatch(plain)
    title, target = titled.group("title", "target") if titled else (plain, plain)
    other = role.startswith("external") or _OF_OTHER_PROJECT.match(target)
    if name in ("doc", "download") and not other:
        return [_link(name, target, title)], []
    if name in _ROLES_OF_CODE and not titled:
        of_code = name not in ("", "file")  # `~m.f` shows only `f`, but `.a.cfg` is a file
        return [nodes.literal(source, plain.lstrip("~!.") if of_code else plain)], []
    return [nodes.Text(title)], []


def _link(role: str, target: str, title: str) -> nodes.Node:
    return nodes.reference(title, title, refuri=f"{role}:{target}")


class _Page:
    """The lines of a page in Markdown. Texts in the same line of a table become one line."""

    def __init__(self, rows: Sequence[str]) -> None:
        self.rows, self.lines = rows, [""] * len(rows)

    def add(self, node: nodes.Node, level: int, mark: str = "") -> None:
        """Adds the texts in a node. `level` is the depth of its section, and `mark` stands before
        its first text."""
        for child in node.children:
            if isinstance(child, nodes.section):
                self.add(child, level + 1)
            elif isinstance(child, nodes.title) and isinstance(node, nodes.section):
                self._add_prose(child, f"{'#' * min(level, 6)} ")
            elif isinstance(child, (nodes.literal_block, nodes.doctest_block)):
                self._add_code(child)
            elif isinstance(child, nodes.comment):
                self._add_comment(child)
            elif isinstance(child, _TEXTS):
                self._add_prose(child, mark or ("- " if isinstance(child, nodes.term) else ""))
            elif isinstance(child, nodes.image):
                self._put(child, [_markdown(child)])
            elif isinstance(child, nodes.Element) and not isinstance(child, _SKIPPED):
                begins = isinstance(child, (nodes.list_item, nodes.entry, nodes.field_body))
                self.add(child, level, "- " if begins else mark)
            mark = ""

    def _add_prose(self, node: nodes.Node, mark: str) -> None:
        self._put(node, f"{mark}{_markdown_of(node)}".split("\n"))

    def _add_comment(self, node: nodes.comment) -> None:
        """Adds a comment of one line in the blank line below it, next to the text that it is about,
        where an ignore comment has to be."""
        row = self._row_of(node)
        if row is not None and row + 1 < len(self.rows) and not self.rows[row + 1].strip():
            self.lines[row + 1] = f"<!-- {node.astext().replace('--', '- -')} -->"

    def _add_code(self, node: nodes.Node) -> None:
        code = node.astext().split("\n")
        language = node.get("language", "") if isinstance(node, nodes.Element) else ""
        row = self._row_of(node)
        if row is None or row == 0 or row + len(code) >= len(self.rows):
            return
        self.lines[row - 1] = f"~~~{language}"
        self.lines[row : row + len(code) + 1] = [*code, "~~~"]

    def _put(self, node: nodes.Node, found: Sequence[str]) -> None:
        row = self._row_of(node)
        for number, line in enumerate(found, row) if row is not None else ():
            if number < len(self.lines):
                there = self.lines[number]
                self.lines[number] = f"{there} | {line.removeprefix('- ')}" if there else line

    def _row_of(self, node: nodes.Node) -> int | None:
        """Returns the row, from 0, in which the source of a node begins, or None."""
        source = getattr(node, "rawsource", "") or node.astext()
        first = source.split("\n")[0].strip()
        while node is not None and not node.line:
            node = node.parent
        if node is None:
            return None
        near = (node.line - 1 + distance for distance in _NEAR)
        return next((n for n in near if 0 <= n < len(self.rows) and first in self.rows[n]), None)


_TEXTS = (nodes.paragraph, nodes.term, nodes.caption, nodes.rubric, nodes.line, nodes.title)
_SKIPPED = (nodes.system_message, nodes.Invisible, nodes.math_block, nodes.raw, nodes.TextElement)


def _markdown_of(node: nodes.Node) -> str:
    return "".join(map(_markdown, node.children))


def _markdown(node: nodes.Node) -> str:
    """Returns inline markup as Markdown."""
    if isinstance(node, nodes.Text):
        return _SPECIAL.sub(r"\\\g<0>", node.astext())
    if isinstance(node, nodes.literal):
        code = node.astext()
        ticks = "``" if "`" in code else "`"
        return f"{ticks}{code}{ticks}"
    if isinstance(node, nodes.image):
        where = node["uri"] if "://" in node["uri"] else f"image:{node['uri']}"
        return f"![](<{where}>)"
    if isinstance(node, (nodes.problematic, nodes.system_message)):
        return ""
    inner = _markdown_of(node)
    if isinstance(node, nodes.reference) and node.get("refuri"):
        return f"[{inner}](<{node['refuri']}>)"
    if isinstance(node, (nodes.strong, nodes.emphasis)):
        mark = "**" if isinstance(node, nodes.strong) else "*"
        return f"{mark}{inner}{mark}"
    return inner
