"""What a text of source code defines, by the parser of its language."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from grounded_ingest.code.code_definition import CodeDefinition

LONGEST = 1_000_000
"""Characters of the longest text that is parsed."""


def definitions_in(path: str, text: str) -> tuple[CodeDefinition, ...] | None:
    """The definitions of a text in order; None where its language has no parser here, or its text
    is too long or not in that language."""
    parse = PARSERS.get(path.rpartition("/")[2].rpartition(".")[2].lower())
    return None if parse is None or len(text) > LONGEST else _kept(parse, text)


@lru_cache(maxsize=64)
def _kept(parse: Parse, text: str) -> tuple[CodeDefinition, ...] | None:
    try:
        return parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def named(found: tuple[CodeDefinition, ...], name: str) -> list[CodeDefinition]:
    """The definitions that a name means: `decode`, `Store.decode`, `Store::decode()`."""
    parts = name.removesuffix("()").replace("::", ".").replace("#", ".").split(".")
    return [d for d in found if [*d.owner, d.name][-len(parts) :] == parts]


def lying_in(found: tuple[CodeDefinition, ...], first: int, last: int) -> CodeDefinition | None:
    """The innermost definition that lines lie in; None where there is none, or where they hold a
    part of what else is defined in it."""
    around = [d for d in found if _overlaps(d, first, last, whole=True)]
    inner = min(around, key=lambda d: d.end_line - d.line, default=None)
    if inner is None:
        return None
    span = inner.line, inner.end_line
    within = [d for d in found if d is not inner and span[0] <= d.line and d.end_line <= span[1]]
    parts = [d for d in within if _overlaps(d, first, last)]
    twins = any((d.line, d.end_line) == span for d in within)
    return None if twins or (parts and len(parts) < len(within)) else inner


def _overlaps(defined: CodeDefinition, first: int, last: int, *, whole: bool = False) -> bool:
    """Whether lines are of a definition, all of them or some."""
    if whole:
        return defined.line <= first and last <= defined.end_line
    return defined.line <= last and first <= defined.end_line


def has_parser(path: str) -> bool:
    """Whether files of this name can be parsed."""
    return path.rpartition("/")[2].rpartition(".")[2].lower() in PARSERS


Parse = Callable[[str], tuple[CodeDefinition, ...] | None]


def _python(text: str) -> tuple[CodeDefinition, ...] | None:
    from grounded_ingest.code.python_names import defined_in_python

    return defined_in_python(text)


def _by_grammar(language: str) -> Parse:
    def parse(text: str) -> tuple[CodeDefinition, ...] | None:
        from grounded_ingest.code.grammars import defined_in

        return defined_in(language, text)

    return parse


PARSERS: dict[str, Parse] = {
    **dict.fromkeys(("py", "pyi"), _python),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), _by_grammar("javascript")),
    **dict.fromkeys(("ts", "mts", "cts"), _by_grammar("typescript")),
    "tsx": _by_grammar("tsx"),
    "go": _by_grammar("go"),
    "rs": _by_grammar("rust"),
    "java": _by_grammar("java"),
    "cs": _by_grammar("c_sharp"),
    **dict.fromkeys(("rb", "rake"), _by_grammar("ruby")),
    **dict.fromkeys(("sh", "bash"), _by_grammar("bash")),
}
"""By the ends of file names."""
