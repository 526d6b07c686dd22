"""Runs one step of the GitHub Action:
`python -m grounded_ingest.action prepare|check|comment|upload`."""

from __future__ import annotations

import sys

from grounded_ingest.action import steps
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.text.printable import printable

STEPS = {
    "prepare": steps.prepare,
    "check": steps.check_change,
    "comment": steps.comment,
    "upload": steps.upload,
}
DECIDING = ("prepare", "check")


def main(name: str) -> int:
    """Runs a step and returns its exit code. Prints an error as one annotation.

    After an error, `prepare` and `check` return 0 and set the output `exit-code`; the last step of
    the action then fails the job. `comment` and `upload` return the exit code of the error, but 0
    after an OSError, which becomes a warning."""
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        STEPS[name]()
    except GroundedIngestError as error:
        return _failed(name, error, Exit.USAGE)
    except OSError as error:
        if name not in DECIDING:
            steps.annotate("warning", f"{name}: {error.strerror}")
            return 0
        said = f"{error.filename}: {error.strerror}"
        return _failed(name, GroundedIngestError(said), Exit.USAGE)
    except Exception as error:  # noqa: BLE001  a bug gets an exit code of its own
        import traceback

        lines = traceback.format_exc().splitlines()
        sys.stderr.write("".join(f"{printable(line)}\n" for line in lines))
        said = f"this is a bug ({type(error).__name__}); please report it"
        return _failed(name, GroundedIngestError(said), Exit.BUG)
    return 0


def _failed(name: str, error: GroundedIngestError, code: Exit) -> int:
    steps.annotate("error", str(error))
    steps.set_outputs(exit_code=int(code))
    return 0 if name in DECIDING else int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
