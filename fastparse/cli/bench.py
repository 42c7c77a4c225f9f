"""Measure how fast parsing is on this machine."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastparse.cli.arguments import beam_size, positive
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.parser import Parser

EXAMPLES = (
    ("fastparse bench", "the bundled models on the bundled example"),
    ("fastparse bench dev.conllu -m my.fp --threads 2", "one's own model on one's own text"),
)

_EXAMPLES = ("fastparse/models/example.conllu", "examples/en.conllu")
_REPEATED = 50_000  # words; a small file is repeated until it has so many
_RUNS = 5


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "input", nargs="?", metavar="FILE",
        help=f"CoNLL-U with tags; repeated until it has {_REPEATED:,} words (default: the example that comes along)",
    )  # fmt: skip
    command.add_argument(
        "-m", "--model", metavar="MODEL", action="append", help="a model file, en or en-fast; may come several times "
        "(default: en-fast and en)",
    )  # fmt: skip
    command.add_argument(
        "--beam", type=beam_size, metavar="N", help="1 is greedy (default: what each model was trained with)"
    )
    command.add_argument("--threads", type=positive, default=1, metavar="N", help="default: 1")
    command.add_argument("--repeats", type=positive, default=_RUNS, metavar="N", help=f"default: {_RUNS}")
    command.add_argument("--json", action="store_true", help="figures for programs")


def run(args: argparse.Namespace) -> None:
    from fastparse.opening import load

    parsers = [load(name) for name in args.model or ("en-fast", "en")]
    source = Path(args.input) if args.input else _example()
    with tempfile.TemporaryDirectory(prefix="fastparse-bench-") as name:
        corpus, words = _repeated(source, Path(name) / "in.conllu")
        rows = [_measured(parser, corpus, Path(name) / "out.conllu", words, args) for parser in parsers]
    if args.json:
        print(json.dumps({"input": source.name, "machine": _machine(), "rows": rows}, indent=2))
        return
    print(f"{source.name}, {words:,} words from file to file; {_machine()}")
    heading = ("model", "beam", "threads", "words/s", "slowest", "fastest", "one sentence")
    print(
        f"{heading[0]:24}{heading[1]:>6}{heading[2]:>9}{heading[3]:>12}{heading[4]:>12}{heading[5]:>12}{heading[6]:>15}"
    )
    for row in rows:
        print(
            f"{row['model']:24}{row['beam']:6}{row['threads']:9}{row['words_per_second']:12,.0f}{row['slowest']:12,.0f}"
            f"{row['fastest']:12,.0f}{row['microseconds_per_call']:12,.0f} µs"
        )


def _example() -> Path:
    """The file that comes along: with the package, or with its sources."""
    root = Path(__file__).parents[2]
    for name in _EXAMPLES:
        if (root / name).is_file():
            return root / name
    raise Error("no example comes with this copy of fastparse: give a CoNLL-U file (fastparse bench FILE)")


def _repeated(source: Path, target: Path) -> tuple[Path, int]:
    """A file of the same sentences again and again; nothing is kept from one sentence to another."""
    from fastparse.corpus.reading.conllu import read_conllu

    treebank = read_conllu(source)
    if not treebank.n_words:
        raise Error(f"{source}: there are no words to parse")
    times = -(-_REPEATED // treebank.n_words)
    data = treebank.to_bytes()
    target.write_bytes(data * times)
    return target, treebank.n_words * times


def _measured(parser: Parser, corpus: Path, target: Path, words: int, args: argparse.Namespace) -> dict[str, Any]:
    speeds = []
    for number in range(args.repeats + 1):
        report = parser.parse_file(corpus, target, beam=args.beam, threads=args.threads)
        if number:  # the first run warms up
            speeds.append(report.words_per_second)
    return {
        "model": Path(parser.path or "").stem,
        "sha256": parser.sha256,
        "system": parser.system,
        "beam": args.beam or parser.beam,
        "threads": args.threads,
        "words": words,
        "words_per_second": statistics.median(speeds),
        "slowest": min(speeds),
        "fastest": max(speeds),
        "microseconds_per_call": _one_call(parser, args.beam),
    }


def _one_call(parser: Parser, beam: int | None) -> float:
    """Microseconds of parsing one sentence of 20 words that is in memory, the median of many calls."""
    from fastparse.corpus.treebank import Treebank

    tags = ["DET", "ADJ", "NOUN", "VERB", "PRON", "ADP", "DET", "NOUN", "CCONJ", "NOUN"] * 2
    sentence = Treebank.from_columns([f"word{i}" for i in range(20)], tags)
    times = []
    for _ in range(100):
        begun = time.perf_counter()
        parser.parse(sentence, beam)
        times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1e6


def _machine() -> str:
    cores = os.cpu_count() or 1
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{platform.machine()}, {cores} cores{busy}, Python {platform.python_version()}"
