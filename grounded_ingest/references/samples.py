"""What a document shows as a sample: names and ids that stand in its own code blocks."""

from __future__ import annotations

from functools import lru_cache

from grounded_ingest.extract.shell_blocks import code_blocks
from grounded_ingest.git.quoted_lines import LARGEST, text_of
from grounded_ingest.references.context import Context


def is_sample(path: str, name: str, context: Context, *, commands: bool = True) -> bool:
    """Whether a code block of the document at `path` shows `name`; without `commands`, a block that
    is no list of commands."""
    text = text_of(context.tree, path) if context.tree.size(path) <= LARGEST else None
    if text is None or name not in text:
        return False
    return any(name in block for block, shell in _blocks(text) if commands or not shell)


_SHELLS = ("", "sh", "bash", "shell", "zsh", "console")


@lru_cache(maxsize=8)
def _blocks(text: str) -> tuple[tuple[str, bool], ...]:
    return tuple((block.text, block.language in _SHELLS) for block in code_blocks(text))
