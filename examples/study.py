"""Compare transition systems on a treebank: how many trees can each build, in how many moves per word?

python examples/study.py train.conllu
"""

import sys
from collections.abc import Iterator

import fastparse

SYSTEMS = ("arc-standard", "arc-eager", "2-planar", "two-registers", "swap")


def compared(path: str) -> Iterator[tuple[str, float, float]]:
    """Of each system: its name, the share of trees it can build, and moves per word of these."""
    treebank = fastparse.read_conllu(path)
    words = treebank.offsets[1:] - treebank.offsets[:-1]
    for system in SYSTEMS:
        moves = fastparse.count_transitions(treebank, system, threads=2)
        built = moves >= 0
        yield system, built.mean(), moves[built].sum() / words[built].sum()


if __name__ == "__main__":
    print(f"{'system':<15}{'trees':>8}{'moves a word':>14}")
    for name, share, rate in compared(sys.argv[1]):
        print(f"{name:<15}{share:>8.1%}{rate:>14.2f}")
