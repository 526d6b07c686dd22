"""Entry point for `grounded-ingest` and `python -m grounded_ingest`."""

from __future__ import annotations

import gc
import os
import warnings
from typing import Final, NoReturn

from grounded_ingest.cli.entry import run_command

# Thresholds for Python's garbage collector. A hook run creates fewer than 500,000 objects, so the
# collector does not slow it down.
COLLECT: Final = (500_000, 20, 20)


def main() -> NoReturn:
    """Runs the command line and ends the process immediately afterwards."""
    gc.set_threshold(*COLLECT)
    warnings.simplefilter("ignore", SyntaxWarning)  # about Python code that is only read
    code = run_command()
    # A normal interpreter shutdown frees each object, which takes a tenth of the time of a hook
    # run.
    os._exit(code)


if __name__ == "__main__":
    main()
