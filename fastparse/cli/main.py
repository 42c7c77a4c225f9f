"""The ``fastparse`` command: finds the subcommands, turns errors into messages and exit statuses.

A subcommand is a module ``fastparse.cli.<name>`` with HELP, add_arguments(parser) and run(args) -> int | None.
"""

import argparse
import contextlib
import os
import signal
import sys
import threading
from importlib import import_module
from importlib.util import find_spec

import fastparse
from fastparse.errors import Error

COMMANDS = (
    "parse", "tag", "tokenize", "train", "evaluate", "classes", "derive", "draw", "study", "systems", "info", "bench",
    "shard",
)  # fmt: skip

DONE, USER_ERROR, WRONG_USAGE, SOME_SKIPPED = 0, 1, 2, 3
INTERRUPTED, TERMINATED = 130, 143  # 128 + SIGINT, 128 + SIGTERM


def main(argv: list[str] | None = None) -> None:
    """Run the command and leave the interpreter with its exit status."""
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: list[str]) -> int:
    """Run one command line and return its exit status."""
    args = _argument_parser(argv).parse_args(argv)
    _on_termination()
    try:
        status = args.run(args) or DONE
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()
        return DONE
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename and error.strerror else error
        print(f"fastparse: {what}", file=sys.stderr)
        return USER_ERROR
    except (Error, MemoryError) as error:
        print(f"fastparse: {str(error) or 'there is not enough memory'}", file=sys.stderr)
        return USER_ERROR


def _on_termination() -> None:
    """SIGTERM leaves through the ordinary exits, so that temporary files are removed."""

    def leave(signum: int, frame: object) -> None:
        sys.exit(TERMINATED)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, leave)


def _close_output() -> None:
    """Nobody reads standard output any more: let the last flush, at exit, go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _argument_parser(argv: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="fastparse", description="Fast and accurate dependency parsing.")
    parser.add_argument("--version", action="version", version=f"fastparse {fastparse.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        if find_spec(f"fastparse.cli.{name}") is None:
            continue
        module = import_module(f"fastparse.cli.{name}")
        command = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser
