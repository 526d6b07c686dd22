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
