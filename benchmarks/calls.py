"""What calls take as programs make them: a short sentence, many short documents, a fresh process.

    python benchmarks/calls.py [--only NAME ...] [--before FOLDER] [--udpipe-model MODEL]

A short call is timed by itself, so many times; the figure is the median. Documents are the sentences of a treebank,
twice, each a text of its own: words per second beside those of one text that holds them all. Fresh processes import,
open a model and parse once; the command parses a short text. With `--before`, another version does the same in turns,
each in a process of its own, from the folder it was built in.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TEXT = "She reads very long books about old trees."
WORDS = ["She", "reads", "very", "long", "books", "about", "trees", "."]
HEADS = [2, 0, 4, 5, 2, 7, 5, 2]
MODELS = ("en-fast", "en")
PROCESSES = {
    "import": "import fastparse",
    "load": "import fastparse; fastparse.load({model!r})",
    "first sentence": "import fastparse; fastparse.load({model!r}).parse_text({text!r})[0].heads",
}


def short_calls(udpipe: str | None) -> dict[str, Callable[[], Any]]:
    """Calls for one sentence, by name."""
    import fastparse

    def moves(configuration: Any) -> None:
        while not configuration.is_final():
            configuration.apply(configuration.legal()[0])

    calls: dict[str, Callable[[], Any]] = {}
    for name in MODELS:
        parser = fastparse.load(name)
        calls[f"{name}: parse_text"] = lambda parser=parser: parser.parse_text(TEXT)
        calls[f"{name}: parse_text, heads"] = lambda parser=parser: parser.parse_text(TEXT)[0].heads
        calls[f"{name}: parse([words])"] = lambda parser=parser: list(parser.parse([WORDS]))
        calls[f"{name}: parse([words]), heads"] = lambda parser=parser: [s.heads for s in parser.parse([WORDS])]
        calls[f"{name}: parse_arrays"] = lambda parser=parser: parser.parse_arrays(WORDS)
        calls[f"{name}: tokenize"] = lambda parser=parser: parser.tokenize(TEXT)
        calls[f"{name}: tag([words])"] = lambda parser=parser: list(parser.tag([WORDS]))
    calls["derive arc-standard"] = lambda: fastparse.derive(HEADS, "arc-standard").moves
    calls["Configuration, all moves"] = lambda: moves(fastparse.Configuration("arc-standard", len(WORDS)))
    calls["trees.classify"] = lambda: fastparse.trees.classify(HEADS)
    if udpipe:
        from ufal.udpipe import Model, Pipeline, ProcessingError

        model = Model.load(udpipe)  # which a pipeline does not keep
        pipeline = Pipeline(model, "tokenize", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
        calls["UDPipe: text to CoNLL-U"] = lambda model=model: pipeline.process(TEXT, ProcessingError())
    return calls


def many(folder: Path) -> dict[str, tuple[int, Callable[[], Any]]]:
    """Work in bulk, by name: words, and what does it."""
    import fastparse

    dev = fastparse.read_conllu(folder / "English-EWT" / "dev.conllu")
    sentences = [sentence.forms for sentence in dev] * 2
    texts = [sentence.text for sentence in dev] * 2
    whole = "\n\n".join(texts)
    work: dict[str, tuple[int, Callable[[], Any]]] = {}
    for name in MODELS:
        parser = fastparse.load(name)
        n = parser.tokenize(whole).n_words
        for threads in (1, 2):
            say = f"{name}, {threads} thread{'s' * (threads > 1)}"
            options: Any = {"threads": threads}
            work[f"{say}: one text"] = n, lambda p=parser, o=options: p.parse_text(whole, **o)
            work[f"{say}: {len(texts)} documents"] = n, lambda p=parser, o=options: list(p.parse_text(texts, **o))
            work[f"{say}: lists of words"] = (
                2 * dev.n_words,
                lambda p=parser, o=options: list(p.parse(sentences, **o)),
            )
    return work


def medians(repeats: int, calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Microseconds a call."""
    found = {}
    for name, call in calls.items():
        for _ in range(max(20, repeats // 10)):
            call()
        times = []
        for _ in range(repeats):
            begun = time.perf_counter_ns()
            call()
            times.append(time.perf_counter_ns() - begun)
        found[name] = statistics.median(times) / 1000
    return found


def rates(repeats: int, work: dict[str, tuple[int, Callable[[], Any]]]) -> dict[str, float]:
    """Words per second, best of some runs in turn."""
    best: dict[str, float] = {}
    for turn in range(repeats + 1):
        for name, (n, do) in work.items():
            begun = time.perf_counter()
            do()
            seconds = time.perf_counter() - begun
            if turn:
                best[name] = max(best.get(name, 0.0), n / seconds)
    return best


def processes(repeats: int, environment: dict[str, str]) -> dict[str, float]:
    """Milliseconds of fresh processes, less those of Python alone."""

    def once(*words: str) -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, *words], env=environment, check=True, input=TEXT.encode(), capture_output=True)
        return 1000 * (time.perf_counter() - begun)

    commands = {"Python alone": ("-c", "")}
    for model in MODELS:
        for name, code in PROCESSES.items():
            if name != "import" or model == MODELS[0]:
                commands[name if name == "import" else f"{model}: {name}"] = (
                    "-c", code.format(model=model, text=TEXT),
                )  # fmt: skip
        commands[f"{model}: the command"] = ("-m", "fastparse", "parse", "-m", model, "--from", "text", "-")
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(repeats + 1):
        for name, words in commands.items():
            spent = once(*words)
            if turn:
                times[name].append(spent)
    found = {name: statistics.median(spent) for name, spent in times.items()}
    alone = found["Python alone"]
    return {
        name if name == "Python alone" or "command" in name else f"{name} (less Python)": spent
        - (0 if name == "Python alone" or "command" in name else alone)
        for name, spent in found.items()
    }


def opening(repeats: int) -> dict[str, float]:
    """Milliseconds that `load` takes in a process that has done it before."""
    import fastparse

    found = {}
    for model in MODELS:
        times = []
        for _ in range(repeats):
            begun = time.perf_counter()
            fastparse.load(model)
            times.append(1000 * (time.perf_counter() - begun))
        found[f"{model}: load again"] = statistics.median(times)
    return found


def measured(options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """All figures that are wanted, by unit."""
    found: dict[str, dict[str, float]] = {}
    if "calls" in options.only:
        found["us"] = medians(options.repeats, short_calls(options.udpipe_model))
    if "documents" in options.only:
        found["words/s"] = rates(options.rounds, many(options.treebanks))
    if "processes" in options.only:
        found["ms"] = processes(options.rounds, dict(os.environ)) | opening(options.rounds)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Time calls as programs make them.")
    parser.add_argument("--only", nargs="+", default=["calls", "documents", "processes"], metavar="NAME",
                        choices=["calls", "documents", "processes"])  # fmt: skip
    parser.add_argument("--repeats", type=int, default=1000, help="of short calls")
    parser.add_argument("--rounds", type=int, default=7, help="of bulk work and of processes")
    parser.add_argument("--turns", type=int, default=3, help="of both versions")
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="another version, built in place")
    parser.add_argument("--udpipe-model", metavar="MODEL")
    parser.add_argument("--treebanks", type=Path, default=os.environ.get("FASTPARSE_TREEBANKS"), metavar="FOLDER")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measured(options)))
        return
    folders = {"after": ROOT} if options.before is None else {"before": options.before.resolve(), "after": ROOT}
    runs: dict[str, list[Any]] = {version: [] for version in folders}
    for _ in range(options.turns):
        for version, folder in folders.items():
            environment = {**os.environ, "PYTHONPATH": str(folder)}
            command = [sys.executable, __file__, "--child", *sys.argv[1:]]
            done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, cwd=folder)
            runs[version].append(json.loads(done.stdout))
    for unit, names in runs["after"][0].items():
        print(f"{unit:40}" + "".join(f"{version:>12}" for version in folders))
        for name in names:
            row = [statistics.median(run[unit][name] for run in runs[version]) for version in folders]
            print(f"  {name:38}" + "".join(f"{value:12,.1f}" for value in row))


if __name__ == "__main__":
    main()
