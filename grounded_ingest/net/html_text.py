"""Converts HTML to text in Markdown form. This module imports the HTML parser and does no I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from grounded_ingest.net.body_text import TEXT_LIMIT
from grounded_ingest.text.lexicon import page_elements
from grounded_ingest.text.patterns import compiled

LONGEST_TITLE = 300
_MAIN_AT_LEAST = 80
_LEFT_OUT = frozenset(page_elements.LEFT_OUT.split())
_BLOCKS = frozenset(page_elements.BLOCKS.split())
_AROUND = frozenset(page_elements.AROUND.split())
_CODE = frozenset(page_elements.CODE.split())
_PRE = frozenset(page_elements.PREFORMATTED.split())
_UNSEEN = compiled(page_elements.UNSEEN_CHARACTERS)
_HEADING = compiled(r"h[1-6]")
_FENCE = compiled(r"^[^\S\n]*(?:`{3,}|~{3,})", 8)


class Section(NamedTuple):
    """The text of a page, or of the part of the page to which an anchor leads.

    `found` is false if the anchor does not lead to any text. `there` is false if no element has the
    anchor as its name or id.
    """

    text: str
    found: bool = True
    there: bool = True


def read_html(html: str, anchors: Iterable[str]) -> tuple[str, list[Section]]:
    """Returns the title of a page, and a section for each anchor. An empty or unknown anchor means
    the whole page."""
    tree = LexborHTMLParser(html)
    sheet = sheet_of(n.text() for n in tree.css("style"))
    main = _main(tree, sheet)
    body = [tree.body] if tree.body is not None else []
    sections = []
    for anchor in anchors:
        found = _section(main, sheet, anchor, inside=main != body)
        if not found.there and main != body:
            elsewhere = _section(body, sheet, anchor, inside=True)
            found = elsewhere if elsewhere.found else found
        sections.append(found)
    return _title(tree), sections


def _title(tree: LexborHTMLParser) -> str:
    for selector in ("head > title", "h1"):
        node = tree.css_first(selector)
        if node is not None and (title := visible_text(node.text())):
            return title[:LONGEST_TITLE]
    return ""


def visible_text(text: str) -> str:
    """Returns a text as readers see it. Invisible characters are removed, and white space becomes a
    single space."""
    return " ".join(_UNSEEN.sub("", text).split())


def _main(tree: LexborHTMLParser, sheet: Sheet) -> list[LexborNode]:
    for selector in page_elements.MAIN:
        nodes = [n for n in tree.css(selector) if not _is_below_unseen(n, sheet)]
        inner = {n.mem_id for n in nodes}
        nodes = [n for n in nodes if not any(a.mem_id in inner for a in _above(n))]
        if sum(len(n.text()) for n in nodes) >= _MAIN_AT_LEAST:
            return nodes
    return [tree.body] if tree.body is not None else []


def _above(node: LexborNode) -> Iterable[LexborNode]:
    above = node.parent
    while above is not None and above.is_element_node:
        yield above
        above = above.parent


def _is_below_unseen(node: LexborNode, sheet: Sheet) -> bool:
    return any(is_unseen(n.attributes, sheet) for n in (node, *_above(node)))


def _section(nodes: Sequence[LexborNode], sheet: Sheet, anchor: str, *, inside: bool) -> Section:
    writer = _Writer(anchor)
    for node in nodes:
        _walk(node, sheet, writer, inside)
    blocks: Sequence[Block] = writer.blocks
    found = False
    if anchor and writer.start is not None:
        part = part_of(blocks, writer.start, writer.end)
        found = any(b.text and not b.level for b in part)
        blocks = part if found else blocks
    return Section(join_blocks(blocks), found or not anchor, not anchor or writer.start is not None)


def _walk(root: LexborNode, sheet: Sheet, writer: _Writer, inside: bool) -> None:
    """Visits every visible node in order. The function does not use recursion, because pages may
    nest deeply."""
    left_out = _LEFT_OUT if inside else _LEFT_OUT | _AROUND
    waiting: list[tuple[LexborNode, bool]] = [(root, False)]
    while waiting:
        node, leaving = waiting.pop()
        if leaving:
            writer.leave(node)
        elif node.is_text_node:
            writer.parts.append(node.text_content or "")
        elif node.is_element_node and node.tag not in left_out:
            attributes = node.attributes
            if is_unseen(attributes, sheet):
                continue
            writer.enter(node, {attributes.get("id"), attributes.get("name")})
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(list(_children(node)))]
        if writer.size > TEXT_LIMIT and not writer.anchor:
            return


def _children(node: LexborNode) -> Iterable[LexborNode]:
    child = node.child
    while child is not None:
        yield child
        child = child.next


class _Writer:
    """Collects the text of a page as blocks. The caller reports each element that begins or
    ends."""

    def __init__(self, anchor: str) -> None:
        self.anchor = anchor
        # GitHub adds this prefix to a README's anchors to avoid collisions with its own anchors.
        self._names = {anchor, f"user-content-{anchor}"} if anchor else set()
        self.blocks: list[Block] = []
        self.parts: list[str] = []
        self.size = 0
        self.start: int | None = None
        self.end = 0
        self._ends = 0
        self._prefix = ""
        self._term = ""
        self._lists: list[int | None] = []
        self._cells: list[str] | None = None
        self._pre = 0

    def enter(self, node: LexborNode, names: set[str | None]) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS:
            self._break(tag)
        if self.start is None and not self._names.isdisjoint(names):
            self.start = len(self.blocks)
            self._ends = _last(node).mem_id
        if tag == "tr":
            if self._cells is None and not node.css_first(page_elements.NO_ROW):
                self._cells = []
        else:
            self._open(tag)

    def _open(self, tag: str) -> None:
        if tag in _PRE:
            self._pre += 1
        elif tag in _CODE and not self._pre:
            self.parts.append("`")
        elif tag == "br":
            self.parts.append("\n" if self._pre else " ")
        elif tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._prefix = self._marker()

    def leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _CODE and not self._pre:
            self.parts.append("`")
        elif tag in ("td", "th", "tr") and self._cells is not None:
            self._row(tag)
        elif tag == "dt" and not self._pre:
            self._term = ", ".join(filter(None, (self._term, self._taken())))
        elif _HEADING.fullmatch(tag):
            self._heading(int(tag[1]))
        elif tag in _BLOCKS:
            self._break(tag)
        self._close(tag)
        if self._ends and node.mem_id == self._ends:
            self.end, self._ends = len(self.blocks), 0

    def _row(self, tag: str) -> None:
        assert self._cells is not None
        if tag != "tr":
            self._cells.append(self._taken())
            return
        row, self._cells = self._cells, None
        if any(row):
            self._add(Block(f"| {' | '.join(row)} |"))

    def _close(self, tag: str) -> None:
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        elif tag in _PRE:
            self._pre -= 1
        elif tag == "li":
            self._prefix = ""
        elif tag == "dl":
            self._lone_term()

    def _marker(self) -> str:
        indent = "  " * (len(self._lists) - 1)
        if not self._lists or self._lists[-1] is None:
            return f"{indent}- "
        self._lists[-1] += 1
        return f"{indent}{self._lists[-1]}. "

    def _taken(self) -> str:
        text = visible_text("".join(self.parts)).replace("``", "")
        self.parts.clear()
        return text

    def _break(self, tag: str) -> None:
        """Ends a block. Inside a preformatted element, this ends a line instead. The end of that
        element writes the code fence."""
        if self._pre and tag not in _PRE:
            self.parts.append("" if "".join(self.parts[-1:]).endswith("\n") else "\n")
        elif self._pre:
            self._fenced()
        else:
            self._flush()

    def _flush(self) -> None:
        if self._cells is not None:
            self.parts.append(" ")
        elif text := _FENCE.sub("", self._taken()).strip():
            if self._term:
                self._prefix, self._term = f"{self._prefix or '- '}{self._term}: ", ""
            self._add(Block(self._prefix + text))
            self._prefix = ""

    def _fenced(self) -> None:
        text = _UNSEEN.sub("", "".join(self.parts)).replace("\r\n", "\n").strip("\n")
        self.parts.clear()
        if text.strip():
            self._lone_term()
            self._add(Block(f"```\n{_FENCE.sub('', text)}\n```"))

    def _heading(self, level: int) -> None:
        if self._cells is not None or self._pre:
            self._break("")
        elif text := self._taken():
            self._lone_term()
            self._add(Block(f"{'#' * level} {text}", level))

    def _lone_term(self) -> None:
        if self._term:
            self._add(Block(f"- {self._term}"))
            self._term = ""

    def _add(self, block: Block) -> None:
        self.blocks.append(block)
        self.size += len(block.text)


def _last(node: LexborNode) -> LexborNode:
    """Returns the node at which the section of an anchor ends. This is the element itself. For a
    `<dt>` term, it is the term's last definition."""
    last = node
    after = node.next if node.tag == "dt" else None
    while after is not None and not (after.tag == "dt" and last.tag == "dd"):
        last = after if after.tag == "dd" else last
        after = after.next
    return last


_LINE = compiled(r"\s*(?P<mark>\||-|\d{1,4}\.) ")


class Block(NamedTuple):
    """A paragraph, list item, table row, heading or fenced code. `level` is 1 to 6 for a heading,
    and 0 otherwise."""

    text: str
    level: int = 0


def part_of(blocks: Sequence[Block], start: int, end: int) -> Sequence[Block]:
    """Returns the blocks in an anchor's element. If the element only marks a heading, returns the
    blocks in that heading's section."""
    if any(not b.level for b in blocks[start:end]):
        return blocks[start:end]
    if start and not (start < len(blocks) and blocks[start].level) and blocks[start - 1].level:
        start -= 1
    level = blocks[start].level if start < len(blocks) else 0
    stop = start + 1
    while stop < len(blocks) and not 0 < blocks[stop].level <= (level or 6):
        stop += 1
    return blocks[start:stop]


def join_blocks(blocks: Sequence[Block]) -> str:
    """Joins blocks with an empty line between them. List items and table rows are joined without an
    empty line. Returns at most TEXT_LIMIT characters."""
    parts: list[str] = []
    size, before = 0, ""
    for block in blocks:
        size += len(block.text) + 2
        if size > TEXT_LIMIT:
            return "".join(parts) or block.text[:TEXT_LIMIT]
        found = _LINE.match(block.text)
        kind = "" if found is None else "row" if found["mark"] == "|" else "item"
        parts.append("" if not parts else "\n" if kind and kind == before else "\n\n")
        parts.append(block.text)
        before = kind
    return "".join(parts)


_STYLE = compiled(page_elements.UNSEEN_STYLE, 2)
_COMMENT = compiled(r"/\*.*?(?:\*/|\Z)", 16)
_SIMPLE = compiled(r"(?:[a-zA-Z][\w-]*)?([.#])((?:[\w-]|[^\x00-\x7f])+)")
_ELSEWHERE = compiled(r"@media\b(?!\s*(?:all|screen)\b)|@(?:supports|keyframes|container)\b", 2)
_ROLES = frozenset(page_elements.LEFT_OUT_ROLES.split())
_CLASSES = frozenset(page_elements.UNSEEN_CLASSES.split())


class Sheet(NamedTuple):
    """The CSS classes and ids that the page's own style elements hide."""

    classes: frozenset[str]
    ids: frozenset[str]


def sheet_of(styles: Iterable[str]) -> Sheet:
    """Returns the classes and ids that style rules hide. Only selectors with a plain class or id
    are understood, because others need a browser."""
    hidden: dict[str, set[str]] = {".": set(), "#": set()}
    for style in styles:
        for selectors, declarations in _rules(_COMMENT.sub(" ", style)):
            if _STYLE.search(declarations):
                for selector in selectors.split(","):
                    if found := _SIMPLE.fullmatch(selector.strip()):
                        hidden[found[1]].add(found[2])
    return Sheet(frozenset(hidden["."]), frozenset(hidden["#"]))


def _rules(style: str) -> Iterable[tuple[str, str]]:
    """Yields the selectors and declarations of the style rules that apply on a screen."""
    around: list[bool] = []
    elsewhere, start = 0, ""
    for piece in style.replace("}", "\0}").replace("{", "\0{").split("\0"):
        mark, text = (piece[:1], piece[1:]) if piece[:1] in ("{", "}") else ("", piece)
        if mark == "{":
            around.append(bool(_ELSEWHERE.search(start)))
            elsewhere += around[-1]
            if not elsewhere:
                yield start.rpartition(";")[2], text
        elif mark == "}" and around:
            elsewhere -= around.pop()
        start = text


def is_unseen(attributes: Mapping[str, str | None], sheet: Sheet) -> bool:
    """Returns whether an element's attributes or the style sheet hide the element."""
    if not attributes:
        return False
    classes = (attributes.get("class") or "").split()
    return (
        "hidden" in attributes
        or (attributes.get("aria-hidden") or "").lower() == "true"
        or (attributes.get("role") or "").lower() in _ROLES
        or bool(_STYLE.search(attributes.get("style") or ""))
        or not _CLASSES.isdisjoint(classes)
        or not sheet.classes.isdisjoint(classes)
        or attributes.get("id") in sheet.ids
    )
