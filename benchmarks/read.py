"""Reading a treebank into columns, and writing it back with other heads: fastparse beside ufal.udpipe.

    python benchmarks/read.py TREEBANK.conllu [--repeats 9] [--cpu] [--json OUT]

Every contender starts from the path of the file. Reading ends with all columns of all words in memory; writing ends
with the bytes of a file in memory in which every word has another head and label. Results are checked before anything
is timed: the same words, heads and strings, and the same file once written. Runs alternate in a fixed order; figures
are medians, the spread is that between the quartiles.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import fastparse

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel")
LABEL = "other"


def checksum(rows: list[tuple[Any, ...]]) -> str:
    """Of all heads and strings, word by word."""
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def read_fastparse(path: Path) -> fastparse.Treebank:
    treebank = fastparse.read_conllu(path)
    for column in COLUMNS:
        treebank.ids(column)
    return treebank


def write_fastparse(path: Path) -> bytes:
    treebank = read_fastparse(path)
    starts = np.repeat(treebank.offsets[:-1], np.diff(treebank.offsets))
    treebank.heads[:] = np.arange(treebank.n_words) - starts  # every word hangs from the one before it
    treebank.deprel_ids[:] = treebank.label_id(LABEL)
    return treebank.to_bytes()


def rows_fastparse(path: Path) -> list[tuple[Any, ...]]:
    treebank = read_fastparse(path)
    columns = [[treebank.table(name)[i] for i in treebank.ids(name)] for name in COLUMNS]
    return list(zip(treebank.heads.tolist(), *columns, strict=True))


def read_udpipe(path: Path) -> list[Any]:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence

    reader = InputFormat.newInputFormat("conllu")
    reader.setText(path.read_text(encoding="utf-8"))
    error = ProcessingError()
    sentences = []
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = Sentence()
    if error.occurred():
        raise RuntimeError(error.message)
    return sentences


def write_udpipe(path: Path) -> bytes:
    from ufal.udpipe import OutputFormat

    writer = OutputFormat.newOutputFormat("conllu")
    pieces = []
    for sentence in read_udpipe(path):
        sentence.unlinkAllNodes()
        for i in range(1, len(sentence.words)):
            sentence.setHead(i, i - 1, LABEL)
        pieces.append(writer.writeSentence(sentence))
    return "".join(pieces).encode()


def read_only_udpipe(path: Path) -> int:
    """The reader alone: one Sentence object, filled again and again."""
    from ufal.udpipe import InputFormat, ProcessingError, Sentence

    reader = InputFormat.newInputFormat("conllu")
    reader.setText(path.read_text(encoding="utf-8"))
    error, sentence, n = ProcessingError(), Sentence(), 0
    while reader.nextSentence(sentence, error):
        n += 1
    return n


def copy_udpipe(path: Path) -> bytes:
    """Reading and writing without touching the words: what its compiled code does alone."""
    from ufal.udpipe import InputFormat, OutputFormat, ProcessingError, Sentence

    reader, writer = InputFormat.newInputFormat("conllu"), OutputFormat.newOutputFormat("conllu")
    reader.setText(path.read_text(encoding="utf-8"))
    error, sentence, pieces = ProcessingError(), Sentence(), []
    while reader.nextSentence(sentence, error):
        pieces.append(writer.writeSentence(sentence))
    return "".join(pieces).encode()


def rows_udpipe(path: Path) -> list[tuple[Any, ...]]:
    def cell(text: str) -> str:
        return text or "_"

    return [
        (w.head, w.form, cell(w.lemma), cell(w.upostag), cell(w.xpostag), cell(w.feats), cell(w.deprel))
        for sentence in read_udpipe(path)
        for w in list(sentence.words)[1:]
    ]


def timed(
    runs: dict[str, Callable[[Path], Any]], path: Path, repeats: int, clock: Callable[[], float]
) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run(path)
    gc.collect()
    gc.disable()
    for _ in range(repeats):
        for name, run in runs.items():
            begin = clock()
            result = run(path)
            seconds[name].append(clock() - begin)
            del result
    gc.enable()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--cpu", action="store_true", help="processor time, for a machine that does other work too")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    path = options.treebank
    rows = rows_fastparse(path)
    sums = {"fastparse": checksum(rows), "ufal.udpipe": checksum(rows_udpipe(path))}
    if len(set(sums.values())) != 1:
        raise SystemExit(f"the readers disagree: {sums}")
    written = {"fastparse": write_fastparse(path), "ufal.udpipe": write_udpipe(path)}
    same_file = written["fastparse"] == written["ufal.udpipe"]
    print(f"{path.name}: {len(rows):,} words, checksum of all columns {sums['fastparse']} (both readers)")
    print(f"written with other heads: {'identical files' if same_file else 'files differ outside HEAD and DEPREL'}")
    seconds = timed(
        {
            "read, fastparse": read_fastparse,
            "read, ufal.udpipe (reader alone)": read_only_udpipe,
            "read, ufal.udpipe (keeping the sentences)": read_udpipe,
            "read and write, fastparse": write_fastparse,
            "read and write, ufal.udpipe (same heads)": copy_udpipe,
            "read and write, ufal.udpipe (other heads)": write_udpipe,
        },
        path,
        options.repeats,
        time.process_time if options.cpu else time.perf_counter,
    )
    speeds = {name: [len(rows) / s for s in values] for name, values in seconds.items()}
    for name, values in speeds.items():
        low, middle, high = statistics.quantiles(values, n=4)
        print(f"{name:44} {middle / 1e6:7.2f} million words/s  ({low / 1e6:.2f} to {high / 1e6:.2f})")
    best = {name: statistics.median(values) for name, values in speeds.items()}
    ratios = {
        "read": best["read, fastparse"] / best["read, ufal.udpipe (reader alone)"],
        "read and write": best["read and write, fastparse"] / best["read and write, ufal.udpipe (same heads)"],
    }
    for name, ratio in ratios.items():
        print(f"ratio, {name}: {ratio:.1f} times the words per second of ufal.udpipe's compiled code alone")
    if options.json:
        record = {"words": len(rows), "checksum": sums["fastparse"], "words_per_second": best, "ratios": ratios,
                  "clock": "processor" if options.cpu else "wall",
            "repeats": options.repeats, "file_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
                  "python": platform.python_version(), "machine": platform.machine(),
                  "cores": os.cpu_count()}  # fmt: skip
        options.json.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
