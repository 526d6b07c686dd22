"""`grounded-ingest` and `python -m grounded_ingest`."""

from __future__ import annotations

import gc
import os
from typing import Final, NoReturn

from grounded_ingest.cli.entry import run_command

COLLECT: Final = (500_000, 20, 20)  # a hook run makes fewer objects, and few cycles at all


def main() -> NoReturn:
    """Run the command line, and end the process at once."""
    gc.set_threshold(*COLLECT)
    code = run_command()
    # Taking the interpreter apart, object by object, takes a tenth of a hook run.
    os._exit(code)


if __name__ == "__main__":
    main()
