"""`python -m grounded_ingest.action prepare|check|comment|upload`."""

from __future__ import annotations

import sys

from grounded_ingest.action import runner, steps
from grounded_ingest.errors import GroundedIngestError

STEPS = {
    "prepare": steps.prepare,
    "check": steps.check_change,
    "comment": steps.comment,
    "upload": steps.upload,
}


def main(name: str) -> int:
    """Run a step. What cannot be done is an annotation and an output, for the last step."""
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        STEPS[name]()
    except GroundedIngestError as error:
        steps.failed(error)
    except OSError as error:
        if name in ("prepare", "check"):
            steps.failed(GroundedIngestError(f"{error.filename}: {error.strerror}"))
        else:
            runner.say("warning", f"{name}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
