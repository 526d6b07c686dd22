"""The table of targets: a reader, the seeds below `seeds/NAME`, and what has to hold."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from fuzz import repositories, texts

SEEDS = Path(__file__).parent / "seeds"
_SECONDS, _BYTES_A_SECOND, _TRIES = 1.0, 2_000, 3
"""CPU time of an input, instrumented: a constant, and in proportion to its size."""


class Target(NamedTuple):
    """A reader of bytes. `check` raises where something does not hold; `runs` are the executions
    of a run in the suite."""

    name: str
    reads: str
    check: Callable[[bytes], None]
    runs: int = 500

    def run(self, data: bytes) -> None:
        """Check an input, and that it takes no more time than its size allows."""
        allowed = _SECONDS + len(data) / _BYTES_A_SECOND
        for left in reversed(range(_TRIES)):
            started = time.process_time()
            self.check(data)
            took = time.process_time() - started
            if took <= allowed:
                return
            assert left, f"{took:.1f} s for {len(data)} bytes"

    @property
    def seeds(self) -> list[Path]:
        return sorted((SEEDS / self.name).iterdir())


_MARKDOWN = ("memory/a.md", "CLAUDE.md", "docs/a.md")
_OTHERS = ("memory/a.csv", "memory/a.html", "memory/a.toml", "memory/a.rst", "memory/a.ipynb")

TARGETS = (
    Target("markdown", "documents in Markdown, with front matter", texts.document(*_MARKDOWN)),
    Target("json", "records in JSON and JSON Lines",
           texts.document("memory/a.json", "memory/a.jsonl")),
    Target("yaml", "records in YAML, and pre-commit's configuration", texts.yaml_text),
    Target("formats", "CSV, HTML, TOML, plain text, notebooks", texts.document(*_OTHERS)),
    Target("sidecar", "evidence of a document", texts.sidecar),
    Target("reviews", "review logs", texts.review_log),
    Target("baseline", "baselines", texts.baseline),
    Target("configuration", "the configuration, YAML and TOML", texts.configuration),
    Target("codeowners", "CODEOWNERS", texts.codeowners),
    Target("answer", "answers of web servers, trackers and judges", texts.answer),
    Target("payload", "what agents send their hooks", texts.payload),
    Target("settings", "files of agents' hooks that stand", texts.agent_settings),
    Target("memories", "memories for `verify`", texts.memories),
    Target("source", "source code", texts.source),
    Target("manifest", "manifests and task runners", texts.manifest),
    Target("git", "what git prints of any commit and name", repositories.git_output, 25),
    Target("tiers", "a change with text added beside it", repositories.tiers, 12),
)  # fmt: skip
