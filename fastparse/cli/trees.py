"""Trees for commands that look at them: those of a treebank, or those that a model gives what is not parsed yet."""

from __future__ import annotations

import argparse
import io
from dataclasses import replace
from typing import TYPE_CHECKING

from fastparse.cli.files import request_options
from fastparse.errors import Error
from fastparse.request import ENHANCED, Request, default_of, fields_of

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["add_tree_arguments", "trees_of"]


def add_tree_arguments(command: argparse.ArgumentParser, way: str) -> None:
    """The input, and what can be asked for where it has no trees yet."""
    command.add_argument(
        "input", nargs="?", default="-", metavar="INPUT",
        help="treebank; or text, lines of JSON or Parquet, which are parsed first; - or none is standard input",
    )  # fmt: skip
    command.add_argument("-m", "--model", metavar="MODEL", help="parse with this model (default: en)")
    request_options(command, way)
    command.set_defaults(way=way)


def trees_of(args: argparse.Namespace) -> Treebank:
    """The sentences of an input with their trees; what has no heads anywhere is parsed."""
    from fastparse.annotate.formats import known_sources
    from fastparse.annotate.stream import ALL_INPUTS
    from fastparse.corpus.reading import read_conllu
    from fastparse.parser import load

    request = Request.of(args.way, **{name: getattr(args, name) for name in fields_of(args.way)})
    deps = ENHANCED if getattr(args, "enhanced", False) else default_of("deps")
    with known_sources(args.input, request, ALL_INPUTS, "conllu") as (kind, items, _):
        if kind.startswith("conll"):
            treebank = read_conllu(items, encoding=request.encoding)
            if not args.model and (not treebank.n_words or (treebank.heads >= 0).any()):
                return treebank
            return load(request.model).parse(treebank, deps=deps)
        out = io.BytesIO()
        load(request.model).through(replace(request, source=kind, deps=deps), items, out)
    treebank = read_conllu(out.getvalue())
    if not len(treebank):
        raise Error(f"{args.input}: there are no sentences")
    return treebank
