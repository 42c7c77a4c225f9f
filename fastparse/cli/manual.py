"""The manual page, made of what --help says."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

EXAMPLES = (
    ("fastparse manual | man -l -", "read it"),
    ("fastparse manual > ~/.local/share/man/man1/fastparse.1", "then man fastparse shows it"),
)

_STATUS = (
    ("0", "done"),
    ("1", "an error: the message says what, where, and what to do"),
    ("2", "the command line is wrong"),
    ("3", "done, but some sentences or files could not be read and were skipped or kept unparsed"),
    ("130, 143", "ended by SIGINT, SIGTERM"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """It has no arguments."""


def run(args: argparse.Namespace) -> None:
    print("\n".join(_page()))


def _page() -> Iterator[str]:
    from fastparse import __version__
    from fastparse.cli.commands import COMMANDS, command_parser

    yield f'.TH FASTPARSE 1 "" "fastparse {__version__}" "User Commands"'
    yield ".SH NAME\nfastparse \\- dependency parsing: words in, trees out"
    yield ".SH SYNOPSIS\n.B fastparse\n.I COMMAND\n[\\fIarguments\\fR]"
    yield ".SH DESCRIPTION\nfastparse parses treebanks in CoNLL-U and running text, trains and evaluates parsers,"
    yield "and shows how transition systems build trees. Its commands:"
    for name, what in COMMANDS.items():
        yield f".TP\n.B {name}\n{_text(what)}"
    yield '.SH "EXIT STATUS"'
    for status, meaning in _STATUS:
        yield f".TP\n.B {status}\n{_text(meaning)}"
    for name, what in COMMANDS.items():
        command = command_parser(name)
        yield f'.SH "FASTPARSE {name.upper()}"\n{_text(what)}'
        for argument in command.arguments():
            yield f".TP\n.I {argument.metavar or argument.dest}\n{_help(argument)}"
        yield from _options(command)
        for step, parser in command.steps().items():
            yield f'.SS "{name} {step}"\n{_text(parser.description or "")}'
            for argument in parser.arguments():
                yield f".TP\n.I {argument.metavar or argument.dest}\n{_help(argument)}"
            yield from _options(parser)
        yield '.SS "Examples"'
        for line, meaning in _examples(name):
            yield f".TP\n.B {_text(line)}\n{_text(meaning)}"


def _options(command: object) -> Iterator[str]:
    for action in getattr(command, "_actions", ()):
        if action.option_strings and action.dest != "help":
            value = "" if action.nargs == 0 else f" \\fI{_text(_value(action))}\\fR"
            yield f".TP\n\\fB{_text(', '.join(action.option_strings))}\\fR{value}\n{_help(action)}"


def _value(action: argparse.Action) -> str:
    if action.metavar:
        return str(action.metavar)
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _help(action: argparse.Action) -> str:
    text = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    return _text(text or action.dest)


def _examples(name: str) -> tuple[tuple[str, str], ...]:
    from fastparse.cli.commands import command_module

    found: tuple[tuple[str, str], ...] = command_module(name).EXAMPLES
    return found


def _text(text: str) -> str:
    """A text without what roff reads as requests."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", plain)
