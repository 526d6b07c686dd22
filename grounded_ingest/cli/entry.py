"""What a process does with its command line, up to the exit code."""

from __future__ import annotations

import contextlib
import os
import sys

from grounded_ingest.errors import Exit, GroundedIngestError


def run_command() -> int:
    """Run the command of `sys.argv`, everything it prints written. Turns errors into exit codes,
    here and nowhere else."""
    nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  as long as the process
    sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # no terminal's encoding makes us crash
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run()
    except SystemExit as leaving:  # commands end like this
        code = leaving.code if isinstance(leaving.code, int) else Exit.OK
    except KeyboardInterrupt:
        code = _interrupted()
    except BrokenPipeError:
        sys.stderr.close()
        code = Exit.OK
    except Exception as error:  # noqa: BLE001  a bug is told apart from a finding
        import traceback

        _write_lines(traceback.format_exc())
        _write_lines(f"grounded-ingest: this is a bug ({type(error).__name__}); please report it")
        code = Exit.BUG
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # gone, closed
            stream.flush()
    return code


def _spare_imports() -> None:
    """msgspec takes `typing_extensions` where it is there, and `typing`, which is as good on our
    versions of Python, where it is not. The former imports `inspect`: a tenth of a hook run."""
    absent = "typing_extensions" not in sys.modules
    if absent:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
    import msgspec  # noqa: F401

    if absent:
        del sys.modules["typing_extensions"]


def _run() -> int:
    _spare_imports()
    try:
        if sys.argv[1:2] != ["check"]:
            return _click()
        from grounded_ingest.cli.check_run import run_check, switches

        flags = switches(sys.argv[1:])
        return _click() if flags is None else run_check(flags)
    except GroundedIngestError as error:
        _say(error)
        return Exit.USAGE
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk, a directory nobody may write
        _say(GroundedIngestError(f"{error.filename or 'output'}: {error.strerror}"))
        return Exit.USAGE


def _click() -> int:
    import click

    from grounded_ingest.cli.group import cli

    try:
        answer = cli.main(prog_name="grounded-ingest", standalone_mode=False)
    except click.ClickException as error:  # its message repeats arguments, as file names
        from io import StringIO

        shown = StringIO()
        error.show(shown)
        _write_lines(shown.getvalue())
        return Exit.USAGE
    except click.Abort:  # click makes this of Ctrl-C
        return _interrupted()
    return answer if isinstance(answer, int) else Exit.OK


def _interrupted() -> int:
    sys.stderr.write("grounded-ingest: interrupted\n")
    return Exit.INTERRUPTED


def _say(error: GroundedIngestError) -> None:
    from grounded_ingest.text.printable import printable

    _write_lines(f"grounded-ingest: {printable(error.args[0])}")
    if error.hint:
        _write_lines(f"  {printable(error.hint)}")


def _write_lines(text: str) -> None:
    """Writes lines to stderr, each without control characters and without commands to a CI log."""
    from grounded_ingest.text.printable import printable

    sys.stderr.write("".join(f"{printable(line)}\n" for line in text.rstrip("\n").split("\n")))
