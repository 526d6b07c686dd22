"""What a YAML text says beside its values: comments, and words in anchors and tags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from grounded_ingest.extract.value_tree import TextValue
from grounded_ingest.model.claims import Tier
from grounded_ingest.text.patterns import compiled

_COMMENT = compiled(r"(?:^|(?<=\s))#+[ \t]*(?P<value>[^\r\n]*)")
_NAME_WORD = compiled(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_WORDS = 4


class YamlNote(NamedTuple):
    """Lines that stand together, each with its place; `named`: one name of YAML."""

    lines: list[TextValue]
    named: bool = False


def yaml_notes(text: str) -> Iterator[YamlNote]:
    """Yield comments by paragraph, and anchors and tags of four words or more. `text` must be valid
    YAML."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    comments: list[TextValue] = []
    reached = 0
    token: Any
    for token in yaml.scan(text, Loader=loader):
        comments += _comments(text, reached, token.start_mark.index)
        reached = max(reached, token.end_mark.index)
        name = type(token).__name__
        if name == "ScalarToken" and token.style in ("|", ">"):
            head = text.find("\n", token.start_mark.index)
            comments += _comments(text, token.start_mark.index, max(head, 0))
        elif name in ("AnchorToken", "TagToken") and _is_wordy(token.value):
            yield YamlNote(
                [TextValue.placed(_shown(token.value), token.start_mark.index)], named=True
            )
    comments += _comments(text, reached, len(text))
    yield from _paragraphs(text, comments)


def wordy_name(name: str) -> tuple[str, str, int]:
    """(rule, message, tier) of a name of YAML that is a text."""
    message = f"an anchor or tag of YAML holds words: “{name[:80]}”"
    return "unread", message, int(Tier.REVIEW)


def _comments(text: str, start: int, end: int) -> Iterator[TextValue]:
    if text.find("#", start, end) >= 0:
        for found in _COMMENT.finditer(text, start, end):
            yield TextValue.placed(found["value"], found.start("value"))


def _paragraphs(text: str, comments: list[TextValue]) -> Iterator[YamlNote]:
    """Comments in lines that follow each other, an empty one between paragraphs."""
    lines: list[TextValue] = []
    for comment in comments:
        end = lines[-1].at + len(lines[-1]) if lines else 0
        if lines and text[end : comment.at].strip("# \t") not in ("\n", "\r\n"):
            yield YamlNote(lines)
            lines = []
        if comment.strip():
            lines.append(comment)
    if lines:
        yield YamlNote(lines)


def _shown(value: Any) -> str:
    """An anchor's name, or a tag's handle and suffix together."""
    return "".join(part or "" for part in value) if isinstance(value, tuple) else str(value)


def _is_wordy(value: Any) -> bool:
    return len(_NAME_WORD.findall(_shown(value))) >= _WORDS
