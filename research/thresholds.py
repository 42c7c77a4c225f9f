"""What the threshold of a beam costs on trees that its calibration has not seen.

    python -m research.thresholds TREEBANK... [--system arc-eager] [--beam 32] [--iterations 10] [--words N]

A treebank is a folder with train.conllu and dev.conllu. A model is learnt from the first, with every second sentence of
the second to choose the iteration and the threshold by; the other sentences are parsed with the threshold and with the
whole beam.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import fastparse

COLUMNS = (
    "trees", "threshold", "LAS, whole beam", "lost, seen half", "lost, other half", "words changed", "times as fast",
)  # fmt: skip
HEAD = f"| treebank | {' | '.join(COLUMNS)} |\n|---|{'---:|' * len(COLUMNS)}"


class Cost(NamedTuple):
    """Attributes: lost: of LAS, in per cent, as is changed, of the words; times: as fast as the whole beam."""

    las: float
    lost: float
    changed: float
    times: float


def parsed(
    model: fastparse.Parser, gold: fastparse.Treebank, threshold: int | None
) -> tuple[fastparse.Treebank, float]:
    """The trees, and the processor time of the faster of two passes."""
    seconds = []
    for _ in range(2):
        begun = time.process_time()
        found = model.parse(gold, threshold=threshold)
        seconds.append(time.process_time() - begun)
    return found, min(seconds)


def cost(model: fastparse.Parser, gold: fastparse.Treebank) -> Cost:
    whole, slow = parsed(model, gold, 0)
    some, fast = parsed(model, gold, None)
    las = [fastparse.evaluate(gold, found, convention="all").las for found in (whole, some)]
    changed = (np.asarray(whole.heads) != np.asarray(some.heads)) | (labels(whole) != labels(some))
    return Cost(las[0], las[0] - las[1], 100 * float(changed.mean()), slow / fast)


def labels(treebank: fastparse.Treebank) -> np.ndarray:
    return np.asarray(np.array(treebank.deprel_table, dtype=object)[np.asarray(treebank.deprel_ids)])


def row(folder: Path, args: argparse.Namespace) -> str:
    train, dev = (fastparse.read_conllu(folder / f"{name}.conllu") for name in ("train", "dev"))
    some = train if args.words is None else train[: int(np.searchsorted(train.offsets, args.words))]
    model = fastparse.train(
        some, args.system, dev=dev[::2], beam=args.beam, iterations=args.iterations, seed=args.seed,
        components=("parser",),
    )  # fmt: skip
    seen, other = (cost(model, dev[first::2]) for first in (0, 1))
    return (
        f"| {folder.name} | {len(train):,} | {model.info['threshold']:,} | {other.las:.2f} | {seen.lost:.2f} | "
        f"{other.lost:.2f} | {other.changed:.2f}% | {other.times:.1f} |"
    )


def rows(folders: Iterable[Path], args: argparse.Namespace) -> None:
    print(HEAD, flush=True)
    for folder in folders:
        print(row(folder, args), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--system", default="arc-eager")
    parser.add_argument("--beam", type=int, default=32)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", type=int, help="of the treebank, to learn from")
    args = parser.parse_args()
    rows(args.treebanks, args)


if __name__ == "__main__":
    main()
