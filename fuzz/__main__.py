"""Runs each target in its own process, with inputs that atheris chooses by code coverage.

An input that makes a target fail is written to NAME-crash-DIGEST. Fix the code, and keep the file
as a seed.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fuzz.targets import Target

PACKAGE = "grounded_ingest"
LONGEST = 4096
"""Bytes of an input."""
MEMORY_MB = 1536
_DONE = re.compile(rb"#(\d+)\s+DONE\s+cov: (\d+) ft: \d+ corp: (\d+)")
_SHOWN = 4000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("target", nargs="+", help="names of targets, or `all`")
    parser.add_argument("--seconds", type=int, default=0, help="seconds for each target")
    parser.add_argument("--corpus", type=Path, help="directory for inputs that reach new code")
    asked = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # the same run each time
        again = [sys.executable, "-m", "fuzz", *sys.argv[1:]]
        os.execve(sys.executable, again, {**os.environ, "PYTHONHASHSEED": "0"})
    known = _instrumented()
    names = list(known) if asked.target == ["all"] else asked.target
    if unknown := set(names) - set(known):
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    found = [_run(known[name], asked.seconds, asked.corpus) for name in names]
    return int(any(found))


def _instrumented() -> dict[str, Target]:
    """The targets; every module of the package that is imported from now on is counted."""
    import atheris

    with open(os.devnull, "w") as nowhere:
        said, sys.stderr = sys.stderr, nowhere
        atheris.instrument_imports(include=[PACKAGE]).__enter__()
        from fuzz.targets import TARGETS

        sys.stderr = said
    return {target.name: target for target in TARGETS}


def _run(target: Target, seconds: int, corpus: Path | None) -> int:
    """Exit code of a target's run, in a child that has all that was imported."""
    with tempfile.TemporaryFile() as log, tempfile.TemporaryDirectory() as made:
        child = os.fork()
        if not child:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            _fuzz(target, seconds, (corpus or Path(made)) / target.name)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        log.seek(0)
        told = log.read()
    done = _DONE.search(told)
    if code or done is None:
        print(f"{target.name}: exit {code}\n{told[-_SHOWN:].decode(errors='replace')}", flush=True)
        return 1
    runs, edges, kept = map(int, done.groups())
    print(f"{target.name}: {runs} runs, {edges} edges, {kept} inputs", flush=True)
    return 0


def _fuzz(target: Target, seconds: int, corpus: Path) -> None:
    import atheris

    corpus.mkdir(parents=True, exist_ok=True)
    bound = f"-max_total_time={seconds}" if seconds else f"-runs={target.runs}"
    limits = (f"-max_len={LONGEST}", f"-rss_limit_mb={MEMORY_MB}", "-timeout=60")
    kept = f"-artifact_prefix={target.name}-"
    command = ["fuzz", bound, "-seed=1", "-len_control=0", *limits, kept, str(corpus)]
    atheris.Setup([*command, str(target.seeds[0].parent)], target.run)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
