"""The ``fastparse`` command: finds the subcommand, turns errors into messages and exit statuses."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import warnings
from typing import Any

import fastparse
from fastparse.cli.commands import COMMANDS, command_parser
from fastparse.cli.terminal import prepare_streams, said
from fastparse.cli.usage import DONE, FAILED, INTERRUPTED, Command
from fastparse.errors import Error, FastparseWarning, did_you_mean, said_of

_EXAMPLES = """\
examples:
  fastparse parse book.txt -o book.conllu
  fastparse parse -r corpus -o parsed/
  fastparse train train.conllu --dev dev.conllu -o my.fp

`fastparse COMMAND --help` has the options of a command, and more examples."""


def main(argv: list[str] | None = None) -> None:
    """Run the command and leave the interpreter with its exit status."""
    try:
        sys.exit(run(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # before the command has begun
        sys.exit(INTERRUPTED)


def run(argv: list[str]) -> int:
    """Run one command line and return its exit status."""
    prepare_streams()
    if not argv or argv[0] not in COMMANDS:
        _without_command(argv)
    command = command_parser(argv[0])
    args = command.parse_args(argv[1:])
    _on_termination()
    _print_warnings()
    try:
        status: int = args.run(args) or DONE
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()
        return DONE
    except OSError as error:
        return _failed(said_of(error))
    except Error as error:
        from fastparse.cli.failures import in_shell

        return _failed(in_shell(error, command.options()))
    except MemoryError:
        return _failed("there is not enough memory")


def _failed(message: str) -> int:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _close_output()  # what is left would fail once more at exit
    print(f"fastparse: {said(message)}", file=sys.stderr)
    return FAILED


def _print_warnings() -> None:
    """Our own warnings are a line each on standard error, without the place in the code."""
    others = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, FastparseWarning):
            print(f"fastparse: warning: {message}", file=sys.stderr)
        else:
            others(message, category, *where, **more)

    warnings.showwarning = show
    warnings.simplefilter("always", FastparseWarning)


def _on_termination() -> None:
    """SIGTERM and SIGHUP leave through the ordinary exits, so that temporary files are removed."""

    def leave(signum: int, frame: object) -> None:
        sys.exit(128 + signum)

    if threading.current_thread() is not threading.main_thread():
        return
    signal.signal(signal.SIGTERM, leave)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        signal.signal(signal.SIGHUP, leave)


def _close_output() -> None:
    """Nobody reads standard output any more: let the last flush, at exit, go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _without_command(argv: list[str]) -> None:
    """Help, the version, or an error: what a command line without a subcommand gets. Does not return."""
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())
    parser = Command(
        prog="fastparse", usage="fastparse COMMAND ...", description="Fast and accurate dependency parsing.",
        epilog=f"commands:\n{commands}\n\n{_EXAMPLES}",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"fastparse {fastparse.__version__}")
    _, rest = parser.parse_known_args(argv)
    at = next((at for at, word in enumerate(argv) if word in COMMANDS), 0)
    if at:
        parser.error(f"the options of a command follow it: fastparse {argv[at]} {' '.join(argv[:at])} ...")
    word = next((word for word in rest if not word.startswith("-")), None)
    if word is None:
        parser.error(f"expected a command{f', found the option {rest[0]}' if rest else ''}: {', '.join(COMMANDS)}")
    parser.error(f"there is no command {word!r}{did_you_mean(word, COMMANDS)}")
