"""The examples of docs/verify.md print what the page shows, from the files that it shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "verify.md").read_text("utf-8")
FILES = re.findall(r"file `([\w.]+)`:\n\n```\w+\n(.*?)```", PAGE, re.DOTALL)
RUNS = re.findall(r"^    \$ grounded-ingest (verify .*)\n((?:    .*\n)+)", PAGE, re.MULTILINE)


def test_the_examples_of_the_page_are_real(tmp_path: Path) -> None:
    for name, content in FILES:
        (tmp_path / name).write_text(content, "utf-8")
    for command, shown in RUNS:
        ran = subprocess.run(
            [sys.executable, "-m", "grounded_ingest", *shlex.split(command)],
            cwd=tmp_path, capture_output=True, check=False, encoding="utf-8",
        )  # fmt: skip
        assert ran.stdout == re.sub(r"^    ", "", shown, flags=re.MULTILINE), ran.stderr
    assert (len(FILES), len(RUNS)) == (2, 2)
