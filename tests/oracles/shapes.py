"""Random trees of any length in the classes of the systems."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from fastparse.transition_systems.registry import ROWS
from tests.reference import SYSTEMS, TREE_CLASS
from tests.transition_systems.cases import tree_class, trees


def projective(n: int, seed: int) -> list[int]:
    """A projective tree, built as arc-eager would."""
    rng = random.Random(seed)
    heads = [0, *[-1] * n]
    stack = [0]
    for word in range(1, n + 1):
        while len(stack) > 1 and rng.random() < 0.45:
            top = stack.pop()
            if heads[top] < 0:
                heads[top] = word
        if rng.random() < 0.6:
            heads[word] = stack[-1]
        stack.append(word)
    while len(stack) > 1:
        top = stack.pop()
        if heads[top] < 0:
            heads[top] = stack[-1]
    return heads[1:]


@lru_cache
def pieces(name: str) -> list[tuple[int, ...]]:
    """The trees of six words that a system derives and that are not projective."""
    return [heads for heads in trees(6) if tree_class(name)(heads) and not tree_class("arc-eager")(heads)]


def of_pieces(name: str, n: int, seed: int) -> list[int]:
    """A tree of n words, or a few more, in which small trees of the system's class hang one behind the other."""
    rng = random.Random(seed)
    heads: list[int] = []
    while len(heads) < n:
        # A word in between, for two crossing intervals must not share one.
        heads.append(len(heads))
        here = len(heads)
        heads += [head + here for head in rng.choice(pieces(name))]
    return heads


def shape_of(name: str) -> Callable[[int, int], Sequence[int]]:
    """Random trees of the class of a system."""
    if tree_class(name) is tree_class("arc-eager"):
        return projective
    return lambda n, seed: of_pieces(name, n, seed)


def is_linear(name: str) -> bool:
    """Whether derivations are no longer than a multiple of the sentence."""
    return SYSTEMS[name].bound(2_000) < 2.1 * SYSTEMS[name].bound(1_000)


SHAPES = {name: shape_of(name) for name in TREE_CLASS if is_linear(name) and not ROWS[name].configuration}


def zigzag(n: int) -> list[int]:
    """Words of odd and of even place form two chains: every word has to pass those of the other one."""
    half = (n + 1) // 2
    order = [word for k in range(half) for word in (k + 1, half + k + 1) if word <= n]
    heads = [0] * n
    for before, word in pairwise(order):
        heads[word - 1] = before
    return heads
