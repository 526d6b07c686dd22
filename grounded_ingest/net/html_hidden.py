"""Which elements of a page nobody sees: their text must not bear a claim out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from grounded_ingest.language.lexicon import page_elements
from grounded_ingest.language.patterns import compiled

_STYLE = compiled(page_elements.UNSEEN_STYLE, 2)
_COMMENT = compiled(r"/\*.*?(?:\*/|\Z)", 16)
_SIMPLE = compiled(r"(?:[a-zA-Z][\w-]*)?([.#])((?:[\w-]|[^\x00-\x7f])+)")
_ELSEWHERE = compiled(r"@media\b(?!\s*(?:all|screen)\b)|@(?:supports|keyframes|container)\b", 2)
_ROLES = frozenset(page_elements.LEFT_OUT_ROLES.split())
_CLASSES = frozenset(page_elements.UNSEEN_CLASSES.split())


class Sheet(NamedTuple):
    """Classes and ids that the page's own style elements hide."""

    classes: frozenset[str]
    ids: frozenset[str]


def sheet_of(styles: Iterable[str]) -> Sheet:
    """What rules with a plain class or id hide. Other selectors need a browser."""
    hidden: dict[str, set[str]] = {".": set(), "#": set()}
    for style in styles:
        for selectors, declarations in _rules(_COMMENT.sub(" ", style)):
            if _STYLE.search(declarations):
                for selector in selectors.split(","):
                    if found := _SIMPLE.fullmatch(selector.strip()):
                        hidden[found[1]].add(found[2])
    return Sheet(frozenset(hidden["."]), frozenset(hidden["#"]))


def _rules(style: str) -> Iterable[tuple[str, str]]:
    """(selectors, declarations) of the rules that hold on a screen."""
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
    """Whether attributes or the sheet hide an element and all below it."""
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
