"""`python -m benchmarks.mcp_calls [REPOSITORY]`: what the MCP server costs its machine.

CPU seconds are the server's, user and system: other work on the machine does not show in them.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import anyio
from mcp import Client, StdioServerParameters

CALLS = 10
"""Of each tool, in a server of its own; the first is told apart."""
TEXT = "# Notes\n\nThe gateway listens on port 8443 (`src/settings.py:2`).\n"
QUESTIONS: dict[str, dict[str, Any]] = {
    "check_text": {"path": "CLAUDE.md", "text": TEXT},
    "check": {},
    "explain": {"place": "README.md"},
    "recall": {"question": "how are the tests run?"},
    "verify": {"text": "The tests are run with pytest."},
    "status": {},
}


class Cost(NamedTuple):
    """Seconds of the first call, of a later one (median), and of CPU of a later one."""

    first: float
    later: float
    cpu: float


def cpu() -> float:
    """Of all children that ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


async def asked(root: str, tool: str, calls: int) -> tuple[float, list[float], int]:
    """Seconds until initialized and of each call; characters of the list of tools."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "grounded_ingest", "mcp"], cwd=root
    )
    began = time.perf_counter()
    async with Client(server) as client:
        started, took = time.perf_counter() - began, []
        for _ in range(calls):
            at = time.perf_counter()
            done = await client.call_tool(tool, QUESTIONS[tool])
            took.append(time.perf_counter() - at)
            assert not done.is_error, done.content
        listed = (await client.list_tools()).tools
    sent = [{"name": t.name, "description": t.description, "input": t.input_schema} for t in listed]
    return started, took, len(json.dumps(sent))


def measured(root: str, tool: str) -> Cost:
    """Servers with one call and with all, on a warm index: their difference is what later calls
    cost."""
    spent: list[float] = []
    for calls in (1, 1, CALLS):
        before = cpu()
        _, took, _ = anyio.run(asked, root, tool, calls)
        spent.append(cpu() - before)
    later = (spent[-1] - spent[-2]) / (CALLS - 1)
    return Cost(took[0], median(took[1:]), later)


def main(arguments: Sequence[str]) -> None:
    root = str(Path(*arguments or (".",)).resolve())
    before = cpu()
    started, _, size = anyio.run(asked, root, "status", 0)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"start: {started:.2f} s, {cpu() - before:.2f} s CPU, {memory:.0f} MB")
    print(f"tools, as a model reads them: {size} characters")
    print("\n| tool | first call | later calls, median | CPU of a later call |\n|---|--:|--:|--:|")
    for tool in QUESTIONS:
        figures = " | ".join(f"{1000 * seconds:.0f} ms" for seconds in measured(root, tool))
        print(f"| `{tool}` | {figures} |")


if __name__ == "__main__":
    main(sys.argv[1:])
