"""Runs the command line of this process, and turns errors into exit codes."""

from __future__ import annotations

import contextlib
import os
import sys
from io import StringIO

from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.text.printable import printable


def run_command() -> int:
    """Runs the command in `sys.argv` and flushes its output. Returns the exit code."""
    # A service may start this program without stdout or stderr; Python then sets them to None.
    nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # escapes characters that the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run()
    except SystemExit as leaving:  # click commands leave by sys.exit
        code = leaving.code if isinstance(leaving.code, int) else Exit.OK
    except KeyboardInterrupt:
        code = _interrupted()
    except BrokenPipeError:
        sys.stderr.close()
        code = Exit.OK
    except Exception as error:  # noqa: BLE001  exit code 3, because a bug is not a finding
        import traceback  # imported late, because only a bug needs it

        _write_lines(traceback.format_exc())
        _write_lines(
            f"grounded-ingest: this is a bug ({type(error).__name__}); please report"
            " the lines above"
        )
        code = Exit.BUG
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # the stream may be closed
            stream.flush()
    return code


def _import_msgspec() -> None:
    """Imports msgspec without `typing_extensions`, to save a tenth of a hook run. msgspec prefers
    `typing_extensions`, which imports the slow module `inspect`. From Python 3.11 on, `typing` is
    enough."""
    absent = "typing_extensions" not in sys.modules
    if absent:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
    import msgspec  # noqa: F401

    if absent:
        del sys.modules["typing_extensions"]


def _run() -> int:
    _import_msgspec()
    try:
        if sys.argv[1:2] != ["check"]:
            return _click()
        # Imported late, because other commands import the module themselves.
        from grounded_ingest.cli.check_run import run_check, switches

        flags = switches(sys.argv[1:])
        return _click() if flags is None else run_check(flags)
    except GroundedIngestError as error:
        _say(error)
        return Exit.USAGE
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk, a directory without permission
        _say(GroundedIngestError(f"{error.filename or 'output'}: {error.strerror}"))
        return Exit.USAGE


def _click() -> int:
    # Imported late, because the hook does not use click.
    import click

    from grounded_ingest.cli.group import cli, usage_error

    try:
        answer = cli.main(prog_name="grounded-ingest", standalone_mode=False)
    except click.ClickException as error:  # wrong usage
        # The message contains the arguments, which may be hostile file names.
        shown = StringIO()
        usage_error(error).show(shown)
        _write_lines(shown.getvalue())
        return Exit.USAGE
    except click.Abort:  # click raises it for Ctrl-C
        return _interrupted()
    return answer if isinstance(answer, int) else Exit.OK


def _interrupted() -> int:
    sys.stderr.write("grounded-ingest: interrupted\n")
    return Exit.INTERRUPTED


def _say(error: GroundedIngestError) -> None:
    _write_lines(f"grounded-ingest: {printable(error.args[0])}")
    if error.hint:
        _write_lines(f"  {printable(error.hint)}")


def _write_lines(text: str) -> None:
    """Writes lines to stderr. Escapes control characters and CI commands such as `::error`."""
    sys.stderr.write("".join(f"{printable(line)}\n" for line in text.rstrip("\n").split("\n")))
