"""Learn a model from a treebank."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from fastparse.cli.progress import Line
from fastparse.cli.usage import DONE, INTERRUPTED
from fastparse.errors import Error
from fastparse.learning.options import TrainingOptions, meaning_of

EXAMPLES = (
    ("fastparse train train.conllu --dev dev.conllu -o my.fp", "all that the treebank has data for"),
    ("fastparse train train.conllu --dev dev.conllu --encoder small", "smaller and quicker, a little less accurate"),
    (
        "fastparse train train.conllu --dev dev.conllu --encoder none --system arc-eager --beam 1 -o small.fp",
        "a greedy parser without a network, quickest of all",
    ),
    ("fastparse train train.conllu -o my.fp --checkpoint my.checkpoint", "to be run again if it is stopped"),
)

_MODEL = b"\x89fastp\r\n"
_PARTS = ("train", "dev", "test")  # of a treebank, in the names of its files


def add_arguments(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("treebank", nargs="+", metavar="TRAIN", help="CoNLL-U or CoNLL-X; several files are one treebank")
    add("-o", "--output", metavar="MODEL", help="the model file to write (default: named after the treebank, in the "
        "current folder)")  # fmt: skip
    for option in fields(TrainingOptions):
        about = option.metadata
        flag = about.get("flag", f"--{option.name.replace('_', '-')}")
        if flag is not None:
            # What is not given is not passed on: whether an encoder was asked for makes a difference.
            more: dict[str, Any] = {"action": "append"} if option.name in ("dev", "system_options") else {}
            if about.get("choices"):
                more["choices"] = list(about["choices"])
            elif "least" in about:
                more["type"] = _Number(about)
            text = meaning_of(option.name).replace("%", "%%")
            add(flag, dest=option.name, default=argparse.SUPPRESS, metavar=about.get("metavar"), help=text, **more)
    add("--progress", action=argparse.BooleanOptionalAction, help="say how far it is: on a terminal in a line, "
        "elsewhere in one every ten seconds (default: yes)")  # fmt: skip
    add("-q", "--quiet", action="store_true", help="print only errors, and what was cut short")


def run(args: argparse.Namespace) -> int:
    from fastparse.learning.progress import Interrupted, IterationDone, Passing

    given = {f.name: getattr(args, f.name) for f in fields(TrainingOptions) if f.metadata.get("flag", "") is not None
             and hasattr(args, f.name)}  # fmt: skip
    options = {name: _value(name, value) for name, value in given.items()}
    output = args.output or _named_after(args.treebank[0])
    folder = os.path.dirname(os.path.abspath(output))
    if not os.path.isdir(folder):
        raise Error(f"there is no folder {folder!r} to write the model to: make it first")
    line = Line(not args.quiet and args.progress is not False)
    interrupted = False

    def show(event: Any) -> None:
        nonlocal interrupted
        if isinstance(event, Passing) or (isinstance(event, IterationDone) and event.scores is None):
            line.show(str(event))
        elif isinstance(event, Interrupted) or not args.quiet:
            interrupted = interrupted or isinstance(event, Interrupted)
            line.write(f"fastparse: {event}")

    if not args.quiet and args.output is None:
        line.write(f"fastparse: the model will be {output}")
    try:
        from fastparse.learning.train import train  # takes its time

        parser = train(args.treebank, progress=show, **options)
    except KeyboardInterrupt:
        if not interrupted:
            line.write("fastparse: Interrupted: there is no model.")
        raise
    finally:
        line.clear()
    parser.save(output)
    if not args.quiet or interrupted:
        size = os.path.getsize(output)
        line.write(f"fastparse: wrote {output} ({size:,} bytes)")
    return INTERRUPTED if interrupted else DONE


class _Number:
    """Reads a number as an option takes it."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        self._about = about

    def __call__(self, text: str) -> int | float:
        about = self._about
        whole = type(about["least"]) is int
        least = about.get("none", about["least"])
        try:
            value = int(text) if whole else float(text)
            if value < least or value > about.get("most", value):
                raise ValueError
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least}") from None
        return value


def _value(name: str, given: Any) -> Any:
    """What an option of the command line is in Python."""
    about: Mapping[str, Any] = next(f.metadata for f in fields(TrainingOptions) if f.name == name)
    if about.get("choices"):
        return about["choices"][given]
    if "none" in about and given == about["none"]:
        return None
    if name == "components":
        return tuple(part.strip() for part in given.split(",") if part.strip())
    return dict(map(_option, given)) if name == "system_options" else given


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Error(f"--option {text}: expected NAME=VALUE, for example oracle=eager")
    plain = int(value) if value.isdecimal() else value
    return name, {"true": True, "false": False, "none": None}.get(value.lower(), plain)


def _named_after(treebank: str) -> str:
    """The name of the treebank's file, or of its folder if that only says which part it is.

    Raises:
        Error: if such a file is there and is no model.
    """
    path = Path(treebank)
    stem = path.name.partition(".")[0]
    name = re.sub(rf"-ud-({'|'.join(_PARTS)})$", "", stem)
    if name in (*_PARTS, "", "-"):
        name = path.resolve().parent.name if name in _PARTS else "model"
    found = f"{name or 'model'}.fp"
    if os.path.lexists(found):
        try:
            with open(found, "rb") as file:
                known = file.read(len(_MODEL)) == _MODEL
        except OSError:
            known = False
        if not known:
            raise Error(f"{found} is there and is no model of fastparse: name the model to write with -o MODEL")
    return found
