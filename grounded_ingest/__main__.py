"""`grounded-ingest` and `python -m grounded_ingest`."""

from __future__ import annotations

import os
import sys

from grounded_ingest.errors import Exit, GroundedIngestError


def main() -> None:
    """Run the command line; turns errors into exit codes, here and nowhere else."""
    nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  as long as the process
    sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # no terminal's encoding makes us crash
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run()
    except KeyboardInterrupt:
        code = _interrupted()
    except BrokenPipeError:
        sys.stderr.close()
        code = Exit.OK
    except Exception as error:  # noqa: BLE001  a bug is told apart from a finding
        import traceback

        traceback.print_exc()
        sys.stderr.write(
            f"grounded-ingest: this is a bug ({type(error).__name__}); please report it\n"
        )
        code = Exit.BUG
    sys.exit(code)


def _run() -> int:
    import click

    from grounded_ingest.cli import cli

    try:
        answer = cli.main(prog_name="grounded-ingest", standalone_mode=False)
    except GroundedIngestError as error:
        _say(error)
        return Exit.USAGE
    except click.ClickException as error:
        error.show()
        return Exit.USAGE
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk, a directory nobody may write
        _say(GroundedIngestError(f"{error.filename or 'output'}: {error.strerror}"))
        return Exit.USAGE
    except click.Abort:  # click makes this of Ctrl-C
        return _interrupted()
    return answer if isinstance(answer, int) else Exit.OK


def _interrupted() -> int:
    sys.stderr.write("grounded-ingest: interrupted\n")
    return Exit.INTERRUPTED


def _say(error: GroundedIngestError) -> None:
    from grounded_ingest.report.plain import printable

    sys.stderr.write(f"grounded-ingest: {printable(error.args[0])}\n")
    if error.hint:
        sys.stderr.write(f"  {printable(error.hint)}\n")


if __name__ == "__main__":
    main()
