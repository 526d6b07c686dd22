"""The page the table is written to: what stands around it stays."""

from __future__ import annotations

import datetime
import os
import platform

BEGIN, END = "<!-- table of python -m benchmarks -->", "<!-- end of the table -->"


def notes(versions: dict[str, str], commit: str) -> dict[str, str]:
    """The machine and the versions a table was made with."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "commit": commit,
        "cores": str(cores),
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        **versions,
    }


def with_table(page: str, table: str) -> str:
    """The page with another table between its markers. Raises ValueError where they are missing."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page holds no {BEGIN} with {END} behind it")
    return f"{before}{BEGIN}\n\n{table.strip()}\n\n{END}{after}"


def listed(said: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in said.items())
