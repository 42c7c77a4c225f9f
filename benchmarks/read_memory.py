"""Peak memory of reading: flat for `iter_conllu`, a multiple of the file for `read_conllu`.

    python benchmarks/read_memory.py TREEBANK.conllu [--sentences 2000000]

The stream of `iter_conllu` repeats the treebank until it has given so many sentences; every batch is read into columns
and written. Each measurement runs in a process of its own; the figures are peaks of resident memory above what the
process had before (Linux: VmHWM).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import fastparse


class Repeated:
    """A stream of the same bytes over and over."""

    name = "repeated"

    def __init__(self, data: bytes, times: int) -> None:
        self._data, self._left, self._at = data, times, 0

    def read(self, size: int) -> bytes:
        if self._at == len(self._data):
            self._left, self._at = self._left - 1, 0
        if self._left <= 0:
            return b""
        piece = self._data[self._at : self._at + size]
        self._at += len(piece)
        return piece


def memory(field: str) -> int:
    """VmRSS or VmHWM in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise SystemExit("this measurement needs Linux")


def stream(path: Path, sentences: int) -> None:
    data = path.read_bytes()
    times = -(-sentences // len(fastparse.read_conllu(data)))
    next(fastparse.iter_conllu(data)).to_bytes()
    before = peak = memory("VmRSS")
    n = words = 0
    for batch in fastparse.iter_conllu(Repeated(data, times)):
        n += len(batch)
        words += batch.n_words
        batch.to_bytes()
        peak = max(peak, memory("VmRSS"))
    print(f"iter_conllu: {n:,} sentences, {words:,} words: at most {(peak - before) / 1e6:.1f} MB above the start")


def whole(path: Path) -> None:
    fastparse.read_conllu(b"1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n")
    size = path.stat().st_size
    before = memory("VmRSS")
    treebank = fastparse.read_conllu(path)
    peak = memory("VmHWM") - before
    print(f"read_conllu: {path.name}, {treebank.n_words:,} words: {peak / size:.2f} times its {size / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("treebank", type=Path, nargs="+")
    parser.add_argument("--sentences", type=int, default=2_000_000)
    parser.add_argument("--only", choices=["stream", "whole"], help="measure in this process")
    options = parser.parse_args()
    for path in options.treebank:
        if options.only == "stream":
            stream(path, options.sentences)
        elif options.only == "whole":
            whole(path)
        else:
            arguments = [sys.executable, __file__, str(path), "--sentences", str(options.sentences)]
            for kind in ("whole", "stream"):
                subprocess.run([*arguments, "--only", kind], check=True)


if __name__ == "__main__":
    main()
