"""What formats cost: Arrow and Parquet beside CoNLL-U, compressed CoNLL-U beside plain.

    python benchmarks/bulk/formats.py tables --words 2e6
    python benchmarks/bulk/formats.py compressed --words 14.7e6 --threads 2

`tables`: record batches that lie in memory, and Parquet to Parquet, beside CoNLL-U to CoNLL-U; runs that alternate.

`compressed`: the same corpus (14.7 million words are 1 GB) plain, as .zst and as .gz, read and written so.

Wall time, which needs a quiet machine, and processor time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections.abc import Callable

from corpus import add_corpus, corpus_of

import fastparse
from fastparse.bulk import arrow, parquet
from fastparse.corpus.files.output import open_output


def timed(ways: dict[str, Callable[[], int]], turns: int) -> dict[str, tuple[float, float]]:
    """The best wall and processor time of each way, in turn."""
    best: dict[str, tuple[float, float]] = {}
    for turn in range(turns):
        for name in list(ways) if turn % 2 == 0 else list(ways)[::-1]:
            wall, cpu = time.perf_counter(), time.process_time()
            words = ways[name]()
            found = time.perf_counter() - wall, time.process_time() - cpu
            best[name] = min(found[0], best.get(name, found)[0]), min(found[1], best.get(name, found)[1])
            print(f"{name}: {words / found[0]:,.0f} words/s, {words / found[1]:,.0f} of processor time, load "
                  f"{os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip
    return best


def say(best: dict[str, tuple[float, float]], beside: str) -> None:
    for name, (wall, cpu) in best.items():
        if name != beside:
            print(f"{name}: {best[beside][0] / wall:.2f} times the speed of {beside} by wall time, "
                  f"{best[beside][1] / cpu:.2f} by processor time")  # fmt: skip


def tables(args: argparse.Namespace) -> None:
    source, model = corpus_of(args), fastparse.load(args.model)
    given, made = args.folder / "given.parquet", args.folder / "made.parquet"
    parquet.convert(source, given)
    batches = list(parquet.read_parquet(given))

    def from_batches() -> int:
        found = arrow.parse_batches(batches, model, beam=args.beam, dictionary=True)
        return sum(len(batch.column("head").values) for batch in found)

    ways = {
        "CoNLL-U": lambda: model.parse_file(source, args.folder / "made.conllu", beam=args.beam).words,
        "Arrow": from_batches,
        "Parquet": lambda: parquet.parse_file(model, given, made, beam=args.beam).words,
    }
    say(timed(ways, args.turns), "CoNLL-U")


def compressed(args: argparse.Namespace) -> None:
    source, model = corpus_of(args), fastparse.load(args.model)
    ways = {}
    for suffix in ("", ".zst", ".gz"):
        given, made = source.with_name(source.name + suffix), args.folder / f"made.conllu{suffix}"
        if not given.exists():
            with open(source, "rb") as plain, open_output(given) as packed:
                shutil.copyfileobj(plain, packed, 1 << 20)
        ways[suffix or "plain"] = lambda given=given, made=made: (  # type: ignore[misc]
            model.parse_file(given, made, beam=args.beam, threads=args.threads).words
        )
    say(timed(ways, args.turns), "plain")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("tables", "compressed"))
    add_corpus(parser, 2e6)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=1)
    args = parser.parse_args()
    {"tables": tables, "compressed": compressed}[args.what](args)


if __name__ == "__main__":
    main()
