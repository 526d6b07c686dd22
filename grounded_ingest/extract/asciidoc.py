"""Translates AsciiDoc to Markdown, so that the same checks read both formats.

Only links, images, included files and anchors are kept: of the other references in AsciiDoc, two of
ten reports were right (2026-11-28). Each line keeps its number, but not its columns. The target of
a link keeps the name of its macro, as in `[Text](xref:module:page.adoc#id)`, because each macro has
its own rule for finding a file. Texts below a condition (`ifdef`), code, indented paragraphs and
passthroughs become empty."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile

from grounded_ingest.text.patterns import compiled

CONDITION = compiled(r"(?m)^(?:ifn?def|ifeval|endif)::\S*?\[.*\][ \t]*$")
"""Matches a directive before or after a text that depends on an attribute."""

ENDINGS = (".adoc", ".asciidoc")
"""Extensions of AsciiDoc files."""
_ENTRY = compiled(r":!?(?P<name>\w[\w-]*)!?:(?:[ \t]+(?P<value>.*))?$")
_CONDITIONAL_ENTRY = compiled(r"(?:^|\[):!?(\w[\w-]*)!?:")
_INCLUDE = compiled(r"include::(?P<target>[^\[\s]+(?:[ ][^\[\s]+)*)\[.*\]$")
_ATTRIBUTE = compiled(r"(?<!\\)\{(\w[\w-]*)\}")
_PREDEFINED = {"empty": "", "sp": " ", "nbsp": " ", "zwsp": "", "vbar": "|", "plus": "+"}

_DELIMITER = compiled(r"(?P<close>(?P<kind>[-.`/+])(?P=kind){3,}|```)(?:(?<=`)[\w+-]+)?")
_FRAME = compiled(r"(?:={4,}|\*{3,}|_{4,}|--|[|!,:]={3,}|\+|'{3,}|<{3,}|-{3})$")
_STYLE = compiled(r"\[(?P<style>[^\],#.%=\"]*+).*\]$")
_IDS = compiled(r"\[\[([^\[\],\"]+)[^\[\]]*\]\]|\[[^\[\],\"#]*#([\w:-]+)|\bid=\"?([\w:.-]+)")
_HEADING = compiled(r"(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+=+)?$")
_UNDERLINES = "=-~^+"
_ITEM = compiled(r"[ \t]*(?:\*{1,5}|-|\.{1,5}|\d{1,3}\.|[a-zA-Z]\.|<[\d.]{1,3}>)[ \t]+(?=\S)")
_TERM = compiled(r"[^\n]*?\S(?::{2,4}|;;)(?=[ \t]|$)")
_CELL = compiled(r"(?:^|(?<=[ \t]))[\d.+*<^>]{0,8}[a-z]?(?<!\\)\|")
_OPENING = compiled(r"[ \t]*(?:([-.`/+])\1{3,}|\[.*\])$")
_HTML_ID = compiled(r"\bid=[\"']?([\w:.-]+)")

_LABEL = r"\[(?P<{}>(?:\\\]|[^\]\n]|\n(?!\s*\n)){{0,1000}})\]"
_INLINE = compiled(
    r"\\(?P<escaped>(?:xref|link|image|https?|mailto):[^\s\[]{0,500}|<<|[`\[])"
    r"|(?P<passed>\+\+\+[^\n]{1,500}?\+\+\+|pass:\w*\[[^\]\n]{0,1000}\]|"
    r"(?<![\w+])\+{1,2}(?![+\s])[^+\n]+(?<!\s)\+{1,2}(?![\w+]))"
    r"|(?P<mark>[\"'])`(?P<quoted>[^`\n]+)`(?P=mark)"
    r"|(?P<tick>``?)(?<!\w`)(?P<code>(?=\S)[^`\n]+(?:\n(?!\s*\n)[^`\n]+)?(?<=\S))(?P=tick)(?!\w)"
    r"|<<(?P<own>[^<>,\n]{1,500})(?:,(?P<own_label>[^<>]{0,500}))?>>"
    r"|(?P<macro>xref|link|image):{1,2}(?P<target>[^\s\[]{1,500})" + _LABEL.format("label") +
    r"|(?P<url>https?://[^\s\[\]<>\"`]{1,500})" + _LABEL.format("url_label") +
    r"|\[{2,3}(?P<anchor>[^\[\],\s\"]+)(?:,[^\[\]\n]*)?\]{2,3}"
    r"|\[[^\[\]\n,#]*#(?P<short>[^\W\d][\w:-]*)[^\[\]\n]*\]|(?P<open><)"
)  # fmt: skip
_ATTRIBUTES = compiled(r",[ \n]*[\w-]+=.*", re.DOTALL)


def is_asciidoc(path: str) -> bool:
    """Returns whether a file is AsciiDoc, judged by its extension."""
    return path.lower().endswith(ENDINGS)


def as_markdown(text: str) -> str:
    """Returns an AsciiDoc text as Markdown with the same number of lines."""
    blocks = _Blocks(text.replace("\r\n", "\n").split("\n"))
    parts, prose = list[str](), list[str]()
    for line, is_prose in blocks.read():
        if not is_prose and prose:
            parts.append(_inline("\n".join(prose), blocks.known))
            prose = []
        (prose if is_prose else parts).append(line)
    return "\n".join([*parts, _inline("\n".join(prose), blocks.known)] if prose else parts)


def included_files(markdown: str) -> list[str]:
    """Returns the targets of `include::` in an AsciiDoc text that `as_markdown` translated."""
    return _INCLUDED.findall(markdown) if "<include:" in markdown else []


_INCLUDED = compiled(r"\]\(<include:([^>\n]*)>\)")


def _opens(condition: str) -> int:
    """Returns by how much a directive changes the number of conditions for the lines below it."""
    if condition.startswith("endif"):
        return -1
    return condition.rstrip().endswith("[]") or condition.startswith("ifeval")


def _replaced(text: str, known: Mapping[str, str]) -> str:
    """Returns a text with the values of known attributes."""
    return _ATTRIBUTE.sub(lambda m: known.get(m[1].lower(), m[0]), text)


_LONGEST_VALUE = 100
"""Maximum length of an attribute's value in characters. A stranger's text could grow without limit
by attributes that name each other; longer values count as unknown."""

Line = tuple[str, bool]
"""A line in Markdown, and whether it is prose, whose inline markup is not translated yet."""


class _Blocks:
    """Translates the blocks of an AsciiDoc text. `at` is the number of the current line, from 0.
    `known` has the values of the attributes that the lines above set; the value of an attribute
    that a condition may set is the reference to it, such as `{name}`. `style` comes from the line
    above a block, such as `[source,bash]`."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [line.rstrip() for line in lines]
        self.known = dict(_PREDEFINED)
        self.at = self.conditions = 0
        self.style = ""
        self.table = False

    def read(self) -> Iterator[Line]:
        if self.lines[0] == "---" and "---" in self.lines[1:]:  # front matter
            self.at = self.lines.index("---", 1) + 1
            yield from ((line, False) for line in self.lines[: self.at])
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if m := CONDITION.match(line):
                self.conditions = max(0, self.conditions + _opens(line))
            if m or self.conditions:
                found = [("", False)]
                if name := _CONDITIONAL_ENTRY.search(line):
                    self.known[name[1].lower()] = f"{{{name[1]}}}"
            else:
                found = self._block(line)
            yield from found
            self.at += len(found)

    def _block(self, line: str) -> list[Line]:
        if self.table and (cell := _CELL.match(line)) and _OPENING.match(line, cell.end()):
            return self._block(line[cell.end() :].strip())
        if (m := _DELIMITER.fullmatch(line)) or (line == "--" and self.style in _CODE):
            return self._delimited(line, m["close"] if m else line)
        return self._directive(line) or self._text(line)

    def _directive(self, line: str) -> list[Line]:
        """Returns a line that is no text, or an empty list if the line is text."""
        if not line or _FRAME.match(line):
            self.table ^= line[:4] in ("|===", ",===", ":===")
            return [("", False)]
        if line[0] == "[" and (m := _STYLE.match(line)):
            self.style = m["style"].strip()
            ids = (next(filter(None, m.groups())) for m in _IDS.finditer(line))
            return [("".join(map(_anchor, ids)), False)]
        if line.startswith("//"):
            return [(f"<!--{line[2:].replace('--', '- -')} -->", False)]
        if line[0] == ":" and (m := _ENTRY.match(line)):
            return self._entry(m["name"].lower(), m["value"] or "")
        if m := _INCLUDE.match(line):
            return [(self._include(m["target"]), False)]
        if line[0] == "." and line[1:2] not in ("", " ", "."):
            return [(line[1:], True)]  # the title of a block, below the line with its style
        return []

    def _text(self, line: str) -> list[Line]:
        style, self.style = self.style, ""
        if style in (*_CODE, *_HIDDEN) or self._begins_literal(line):
            rows = list(takewhile(lambda row: row and row != "+", self.lines[self.at :]))
            return [("", False) for _ in rows]
        return [(self._prose(line), True)]

    def _entry(self, name: str, value: str) -> list[Line]:
        """Stores the value of an attribute. A value may go on in the next lines."""
        rows = list(takewhile(lambda row: row.endswith("\\"), self.lines[self.at :]))
        value = _replaced(value, self.known)
        is_read = not rows and len(value) <= _LONGEST_VALUE
        self.known[name] = value if is_read else f"{{{name}}}"
        return [("", False)] * (1 + len(rows))

    def _delimited(self, line: str, close: str) -> list[Line]:
        """Returns a block with the lines of its delimiters. Only the files that it includes and the
        ids in its HTML remain."""
        style, self.style = self.style, ""
        body = list(takewhile(lambda row: row != close, self.lines[self.at + 1 :]))
        if self.at + len(body) + 1 == len(self.lines):  # the block has no end
            return [("", False)]
        hidden = line[0] == "/" or style in _HIDDEN
        kept = (self._kept(row, html=line[0] == "+") if not hidden else "" for row in body)
        return [(row, False) for row in ("", *kept, "")]

    def _kept(self, row: str, *, html: bool) -> str:
        if html:
            return _anchor(m[1]) if (m := _HTML_ID.search(row)) else ""
        return self._include(m["target"]) if (m := _INCLUDE.match(row)) else ""

    def _include(self, target: str) -> str:
        return _link("include", _replaced(target, self.known), target)

    def _begins_literal(self, line: str) -> bool:
        above = self.lines[self.at - 1].strip() if self.at else ""
        return line[0] in " \t" and above in ("", "+") and not self.table and not _ITEM.match(line)

    def _prose(self, line: str) -> str:
        if self.table and len(cells := _CELL.split(line)) > 1:
            return "- " + " | ".join(c.strip().replace("\\|", "|") for c in cells if c.strip())
        if m := _HEADING.match(line):
            return f"{'#' * len(m['marks'])} {m['title']}"
        if level := self._underlined(line):
            self.lines[self.at + 1] = ""
            return f"{'#' * level} {line}"
        if m := _ITEM.match(line):
            return f"- {line[m.end() :]}"
        return f"- {line.strip()}" if _TERM.match(line) else line.strip().removesuffix(" +")

    def _underlined(self, line: str) -> int:
        """Returns the level of a heading that the next line underlines, or 0."""
        above = self.lines[self.at - 1] if self.at else ""
        below = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""
        rule = below[:1]
        if not rule or rule not in _UNDERLINES or below.strip(rule) or len(below) < 2:
            return 0
        alone = not above or above.endswith("]")
        same = abs(len(below) - len(line)) < 2 and line[0].isalnum()
        return _UNDERLINES.index(rule) + 1 if alone and same else 0


_CODE = ("source", "listing")
_HIDDEN = ("comment", "pass", "stem")


def _inline(text: str, known: Mapping[str, str]) -> str:
    """Returns a paragraph of AsciiDoc as Markdown."""

    def translated(m: re.Match[str]) -> str:
        found = _span(m, known)
        return found + "\n" * (m[0].count("\n") - found.count("\n"))

    return _INLINE.sub(translated, _replaced(text, known))


def _span(m: re.Match[str], known: Mapping[str, str]) -> str:
    if m["quoted"]:
        return f"“{_inline(m['quoted'], known)}”"
    if m["own"]:
        return _own_reference(m["own"].strip(), (m["own_label"] or "").strip())
    if m["url"]:
        return _link("", m["url"], m["url_label"])
    if m["macro"]:
        return _macro(m["macro"], m["target"].strip("+"), m["label"], known)
    if anchor := m["anchor"] or m["short"]:
        return _anchor(anchor)
    plain = next(filter(None, (m["code"], m["escaped"], m["passed"], m["open"])))
    return re.sub(r"[<`\[]", r"\\\g<0>", plain)


def _macro(macro: str, target: str, label: str, known: Mapping[str, str]) -> str:
    if macro != "image":
        return _link("xref" if macro == "xref" else "", target, label)
    folder = known.get("imagesdir", "")
    return "!" + _link("image", f"{folder}/{target}" if folder else target, label)


def _own_reference(target: str, label: str) -> str:
    """Returns the link for `<<id,label>>`, or the label alone if the id is a title."""
    if "#" not in target and re.search(r"\s", target):
        return label or target
    return _link("xref", target if "#" in target else f"#{target}", label or target)


def _link(macro: str, target: str, label: str) -> str:
    """Returns a link in Markdown. `macro` is empty for a link by address."""
    path, mark, anchor = (part.strip("+ ") for part in target.partition("#"))
    if "://" in target or target.startswith("data:"):
        macro = ""
    elif macro == "xref" and not mark and "." not in path:
        path, mark, anchor = "", "#", path  # the id of a section
    elif macro == "xref" and path and "." not in path.rpartition("/")[2]:
        path += ".adoc"
    where = f"{macro}:{path}" if macro and path else path
    return f"[{_words(label, path.rpartition('/')[2] or anchor)}](<{where}{mark}{anchor}>)"


def _words(label: str, default: str) -> str:
    words = _ATTRIBUTES.sub("", label).strip().strip('"^').replace("\\]", ")")
    return words.replace("[", "(").replace("]", ")") or default


def _anchor(name: str) -> str:
    return f'<a id="{name.strip("+")}"></a>'
