"""A hook run that is watched: `explain_process FLAGS…` in a repository; tells JSON on its end.

Imports are timed where modules are executed, less what they import in turn; files and processes
come from the interpreter's audit events (https://docs.python.org/3/library/audit_events.html).
"""

from __future__ import annotations

import importlib.machinery
import json
import os
import re
import sys
import time
from types import ModuleType
from typing import Any

Rows = list[list[object]]
imports: Rows = []
patterns: Rows = []
opens: Rows = []
processes: Rows = []
_inner = [0.0]


def _execute(loader: Any, module: ModuleType, execute: Any) -> None:
    """Execute a module, and note its time without that of others."""
    _inner.append(0.0)
    begin = time.perf_counter()
    try:
        execute(loader, module)
    finally:
        took = time.perf_counter() - begin
        own = took - _inner.pop()
        _inner[-1] += took
        imports.append([round(own * 1000, 2), module.__name__])


def _watch_imports() -> None:
    for kind in (importlib.machinery.SourceFileLoader, importlib.machinery.ExtensionFileLoader):
        execute = kind.exec_module

        def watched(loader: Any, module: ModuleType, execute: Any = execute) -> None:
            _execute(loader, module, execute)

        kind.exec_module = watched  # type: ignore[method-assign,assignment]


def _watch_patterns() -> None:
    make = re.compile

    def watched(pattern: Any, flags: Any = 0) -> Any:
        begin = time.perf_counter()
        made = make(pattern, flags)
        took = round((time.perf_counter() - begin) * 1000, 2)
        patterns.append([took, ascii(str(pattern)[:100])[1:-1]])
        return made

    re.compile = watched


def _event(name: str, told: tuple[Any, ...]) -> None:
    if name == "open" and isinstance(told[0], str) and not told[0].endswith((".py", ".pyc")):
        opens.append([1, told[0]])
    elif name == "sqlite3.connect":
        opens.append([1, str(told[0])])
    elif name == "subprocess.Popen":
        processes.append([1, " ".join(map(str, told[1]))[:160]])


def _tell(code: int) -> None:
    for rows in (imports, patterns):
        rows.sort(key=lambda row: -float(str(row[0])))
    found = {"imports": imports, "patterns": patterns, "opens": opens, "processes": processes}
    sys.stderr.write(f"explained: {json.dumps(found)}")
    sys.stderr.flush()
    _leave(code)


_leave = os._exit


def main() -> None:
    _watch_imports()
    _watch_patterns()
    sys.addaudithook(_event)
    os._exit = _tell  # type: ignore[assignment]
    sys.argv = ["grounded-ingest", "check", "--offline", *sys.argv[1:]]
    from grounded_ingest.__main__ import main as command

    command()


if __name__ == "__main__":
    main()
