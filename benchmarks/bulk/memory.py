"""Memory over a long corpus: record batches through `parse_batches`, or Parquet to Parquet.

    python benchmarks/bulk/memory.py arrow --words 100e6
    python benchmarks/bulk/memory.py parquet --words 100e6

Prints the resident memory after each tenth of the corpus, and by how much it grew and shrank after the first twentieth.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from pathlib import Path

from corpus import Corpus, add_corpus
from harness import treebank_path

import fastparse
from fastparse.bulk import arrow, parquet

_PAGE = os.sysconf("SC_PAGE_SIZE")


def resident() -> float:
    """Megabytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE / 1e6


class Watch:
    """Looks at the memory whenever it is told how many words are done."""

    def __init__(self, words: float) -> None:
        self._words = words
        self._said = 0
        self.seen: list[float] = []
        self.done = 0

    def see(self, done: int) -> None:
        self.done = done
        if done > self._words / 20:
            self.seen.append(resident())
        if done * 10 // self._words > self._said:
            self._said = int(done * 10 // self._words)
            print(f"{done:>12,} words: {resident():,.0f} MB", flush=True)

    def report(self, cpu: float) -> None:
        first = self.seen[0]
        print(f"after the first twentieth {first:,.0f} MB, then {min(self.seen):,.0f} to {max(self.seen):,.0f} MB; "
              f"peak of the process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:,.0f} MB; "
              f"{self.done:,} words, {self.done / cpu:,.0f} words/s of processor time")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("arrow", "parquet"))
    add_corpus(parser, 100e6)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    source = Corpus(treebank_path(args.treebanks, "train"), args.words)
    watch = Watch(args.words)
    if args.what == "arrow":
        begun = time.process_time()
        batches = arrow.from_conllu(source, dictionary=True)
        done = 0
        for batch in arrow.parse_batches(batches, args.model, beam=args.beam, threads=args.threads, dictionary=True):
            done += len(batch.column("head").values)
            watch.see(done)
        watch.report(time.process_time() - begun)
        return
    args.folder.mkdir(parents=True, exist_ok=True)
    path, output = args.folder / f"corpus-{args.words:.0f}.parquet", args.folder / "parsed.parquet"
    if not path.exists():
        parquet.write_parquet(arrow.from_conllu(source, dictionary=True), path)
        os.execv(os.sys.executable, [os.sys.executable, *os.sys.argv])  # what writing it took is not to be counted
    begun = time.process_time()
    model = fastparse.load(args.model)
    parquet.parse_file(
        model, path, output, beam=args.beam, threads=args.threads, progress=lambda report: watch.see(report.words)
    )
    watch.report(time.process_time() - begun)
    output.unlink()


if __name__ == "__main__":
    main()
