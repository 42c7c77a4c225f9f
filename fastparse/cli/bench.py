"""Measure how fast parsing is on this machine."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fastparse
from fastparse.cli.arguments import beam_size, positive
from fastparse.cli.progress import told
from fastparse.errors import Error, FastparseWarning

if TYPE_CHECKING:
    from fastparse.parser import Parser

EXAMPLES = (
    ("fastparse bench", "the bundled models on the bundled example"),
    ("fastparse bench dev.conllu -m my.fp --threads 2", "one's own model on one's own text"),
)

_RIVAL = "ufal.udpipe"
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
    command.add_argument(
        "--compare", metavar="MODEL", help=f"a model of UDPipe 1 with a parser, to be run in turn with the others by "
        f"{_RIVAL} (pip install {_RIVAL}), greedily: how many times its speed theirs is",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="figures for programs")


def run(args: argparse.Namespace) -> None:
    from fastparse.model.finding import find
    from fastparse.parser import load

    parsers = [load(find(name)) for name in args.model or ("en-fast", "en")]
    rival = None if args.compare is None else _rival(args.compare)
    source = Path(args.input) if args.input else _example()
    with tempfile.TemporaryDirectory(prefix="fastparse-bench-") as name:
        corpus, words = _repeated(source, Path(name) / "in.conllu")
        out = Path(name) / "out.conllu"
        runs: list[Callable[[], float]] = [partial(_speed, parser, corpus, out, args) for parser in parsers]
        if rival is not None:
            runs.append(partial(_speed_of_rival, rival, corpus, out, words))
        speeds = _in_turn(runs, args.repeats)
    rows = [_row(parser, words, found, args) for parser, found in zip(parsers, speeds, strict=False)]
    if rival is not None:
        theirs = _figures(speeds[-1])
        for row in rows:
            row["times"] = row["words_per_second"] / theirs["words_per_second"]
        rows.append({"model": f"{_RIVAL} {Path(args.compare).stem}", "beam": 1, "threads": 1, "times": 1.0, **theirs})
    if args.json:
        print(json.dumps({"input": source.name, "machine": _machine(), "rows": rows}, indent=2))
        return
    _print(source, words, rows)


def _print(source: Path, words: int, rows: list[dict[str, Any]]) -> None:
    print(f"{source.name}, {words:,} words from file to file; {_machine()}")
    heading = ("model", "beam", "threads", "words/s", "slowest", "fastest", "one sentence")
    print(
        f"{heading[0]:24}{heading[1]:>6}{heading[2]:>9}{heading[3]:>12}{heading[4]:>12}{heading[5]:>12}{heading[6]:>15}"
        + (f"{'times':>8}" if any("times" in row for row in rows) else "")
    )
    for row in rows:
        call = row.get("microseconds_per_call")
        print(
            f"{row['model']:24}{row['beam']:6}{row['threads']:9}{row['words_per_second']:12,.0f}{row['slowest']:12,.0f}"
            f"{row['fastest']:12,.0f}"
            + (f"{call:12,.0f} µs" if call is not None else f"{'-':>15}")
            + (f"{row['times']:8.2f}" if "times" in row else "")
        )


def _example() -> Path:
    """The file that comes along."""
    return Path(fastparse.__file__).parent / "model" / "example.conllu"


def _repeated(source: Path, target: Path) -> tuple[Path, int]:
    """A file of the same sentences again and again; nothing is kept from one sentence to another."""
    from fastparse.corpus.reading import read_conllu

    treebank = read_conllu(source)
    if not treebank.n_words:
        raise Error(f"{source}: there are no words to parse")
    times = -(-_REPEATED // treebank.n_words)
    data = treebank.to_bytes()
    target.write_bytes(data * times)
    return target, treebank.n_words * times


def _in_turn(runs: list[Callable[[], float]], repeats: int) -> list[list[float]]:
    """What each run gives, in rounds, so that whatever else the machine does disturbs all alike; the first warms up."""
    rounds = [[run() for run in runs] for _ in told(range(repeats + 1), lambda number: f"round {number}")]
    return [list(found) for found in zip(*rounds[1:], strict=True)]


def _speed(parser: Parser, corpus: Path, target: Path, args: argparse.Namespace) -> float:
    """Words per second."""
    return parser.parse_file(corpus, target, beam=args.beam, threads=args.threads).words_per_second


def _row(parser: Parser, words: int, speeds: list[float], args: argparse.Namespace) -> dict[str, Any]:
    return {
        "model": Path(parser.path or "").stem,
        "sha256": parser.sha256,
        "system": parser.system,
        "beam": args.beam or parser.beam,
        "threads": args.threads,
        "words": words,
        **_figures(speeds),
        "microseconds_per_call": _one_call(parser, args.beam),
    }


def _figures(speeds: list[float]) -> dict[str, float]:
    return {"words_per_second": statistics.median(speeds), "slowest": min(speeds), "fastest": max(speeds)}


def _rival(path: str) -> Any:
    """A function of text that parses it with UDPipe 1, without a beam."""
    try:
        from ufal.udpipe import Model, Pipeline, ProcessingError
    except ImportError:
        raise Error(f"--compare needs {_RIVAL}, which is not installed: pip install {_RIVAL}") from None
    model = Model.load(path)
    if model is None:
        raise Error(f"--compare {path}: there is no model of UDPipe in it")
    pipeline = Pipeline(model, "conllu", Pipeline.NONE, "beam_search=1", "conllu")

    def parse(text: str) -> str:
        assert model is not None  # the pipeline does not keep it alive
        error = ProcessingError()
        parsed = str(pipeline.process(text, error))
        if error.occurred():
            raise Error(f"--compare {path}: {error.message}")
        return parsed

    return parse


def _speed_of_rival(parse: Any, corpus: Path, target: Path, words: int) -> float:
    begun = time.perf_counter()
    target.write_text(parse(corpus.read_text(encoding="utf-8")), encoding="utf-8")
    return words / (time.perf_counter() - begun)


def _one_call(parser: Parser, beam: int | None) -> float:
    """Microseconds of parsing one sentence of 20 words that is in memory, the median of many calls."""
    from fastparse.corpus.treebank import Treebank

    tags = ["DET", "ADJ", "NOUN", "VERB", "PRON", "ADP", "DET", "NOUN", "CCONJ", "NOUN"] * 2
    sentence = Treebank.from_columns([f"word{i}" for i in range(20)], tags)
    times = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FastparseWarning)  # the sentence need not be what the model reads
        for _ in range(100):
            begun = time.perf_counter()
            parser.parse(sentence, beam)
            times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1e6


def _machine() -> str:
    cores = os.cpu_count() or 1
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{platform.machine()}, {cores} cores{busy}, Python {platform.python_version()}"
