"""Treebanks of random trees of a system's class that are hard all along: blocks that are not projective.

A block is a tree of seven words whose root is the first one, so that the arc from the root of a block to that of the
next one crosses nothing, and a row of blocks is in the class if each block is. Forms name the block and the place, so
that a model learns what to do, and registers, planes and swaps are used in every block.
"""

from __future__ import annotations

import random

import fastparse
from fastparse import trees

SIZE = 7
KINDS = 40
CANDIDATES = 4000


def blocks_of(system: str, seed: int = 1) -> list[list[int]]:
    """Random trees that the system builds and that are not projective, all different."""
    source = random.Random(seed)
    found = {tuple(_rooted_at_first(source)) for _ in range(CANDIDATES)}
    candidates = [heads for heads in sorted(found) if not trees.contains(list(heads), "projective")]
    source.shuffle(candidates)
    counts = fastparse.count_transitions(candidates, system).tolist()
    return [list(heads) for heads, count in zip(candidates, counts, strict=True) if count >= 0][:KINDS]


def _rooted_at_first(source: random.Random) -> list[int]:
    """A tree in which each word hangs from one that came before it in a random order, which begins with the first."""
    order = [1, *source.sample(range(2, SIZE + 1), SIZE - 1)]
    heads = [0] * SIZE
    for i in range(1, SIZE):
        heads[order[i] - 1] = order[source.randrange(i)]
    return heads


def in_a_row(blocks: list[list[int]], kinds: list[int]) -> list[int]:
    """The tree of some blocks, one after the other: the root of each is the head of the next one's."""
    return [
        SIZE * i + head if head else SIZE * (i - 1) + 1 if i else 0
        for i, kind in enumerate(kinds)
        for head in blocks[kind]
    ]


def treebank_of(system: str, n_words: int, seed: int = 1, blocks_per_sentence: int = 4) -> fastparse.Treebank:
    """About so many words of such sentences."""
    source = random.Random(seed)
    blocks = blocks_of(system)
    heads: list[int] = []
    forms: list[str] = []
    offsets = [0]
    while len(heads) < n_words:
        kinds = [source.randrange(len(blocks)) for _ in range(blocks_per_sentence)]
        heads += in_a_row(blocks, kinds)
        forms += [f"b{kind}w{place}" for kind in kinds for place in range(SIZE)]
        offsets.append(len(heads))
    places = [form.partition("w")[2] for form in forms]
    return fastparse.Treebank.from_columns(
        forms, upos=[f"P{place}" for place in places], heads=heads, deprels=["dep"] * len(heads), offsets=offsets
    )
