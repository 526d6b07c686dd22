"""`grounded-ingest` and `python -m grounded_ingest`."""

from __future__ import annotations

import gc
import os
import sys
from typing import Final, NoReturn

from grounded_ingest.servers.daemon_client import served

COLLECT: Final = (500_000, 20, 20)  # a hook run makes fewer objects, and few cycles at all


def main() -> NoReturn:
    """Run the command line, or have the daemon run it."""
    gc.set_threshold(*COLLECT)
    code = served(sys.argv[1:])
    if code is None:
        from grounded_ingest.cli.entry import run_command

        code = run_command()
    # Taking the interpreter apart, object by object, takes a tenth of a hook run.
    os._exit(code)


if __name__ == "__main__":
    main()
