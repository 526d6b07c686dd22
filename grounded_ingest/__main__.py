"""`grounded-ingest` and `python -m grounded_ingest`."""

from __future__ import annotations

import sys

from grounded_ingest.errors import Exit, GroundedIngestError


def main() -> None:
    """Run the command line; turns errors into exit codes, here and nowhere else."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # no terminal's encoding makes us crash
            stream.reconfigure(errors="backslashreplace")
    from grounded_ingest.cli import cli

    try:
        cli(prog_name="grounded-ingest")
    except GroundedIngestError as error:
        sys.stderr.write(f"grounded-ingest: {error}\n")
        sys.exit(Exit.USAGE)
    except KeyboardInterrupt:
        sys.stderr.write("grounded-ingest: interrupted\n")
        sys.exit(Exit.INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(Exit.OK)
    except Exception as error:  # noqa: BLE001  a bug is told apart from a finding
        import traceback

        traceback.print_exc()
        sys.stderr.write(
            f"grounded-ingest: this is a bug ({type(error).__name__}); please report it\n"
        )
        sys.exit(Exit.BUG)


if __name__ == "__main__":
    main()
