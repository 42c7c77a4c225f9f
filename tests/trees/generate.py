"""Trees for the tests: random ones of several shapes, and large ones with a known structure."""

import random

import numpy as np


def random_tree(n, seed, reach=None):
    """A random tree of n words; with `reach`, words are numbered so that arcs mostly stay that short."""
    rng = random.Random(f"{n} {seed} {reach}")
    places = list(range(1, n + 1))
    if reach is None:
        rng.shuffle(places)
    else:
        places.sort(key=lambda p: p + rng.uniform(0, reach))
    heads = [0] * n
    for i, place in enumerate(places):
        low = 0 if reach is None else max(0, i - reach)
        head = rng.randrange(low, i + 1)
        heads[place - 1] = 0 if head == 0 else places[head - 1]
    return heads


def every_tree(n):
    """All trees of n words as one treebank: heads, offsets. Written in base n + 1, then filtered by climbing."""
    codes = np.arange((n + 1) ** n)
    heads = np.stack([codes // (n + 1) ** i % (n + 1) for i in range(n)], axis=1).astype(np.int32)
    with_root = np.concatenate([np.zeros((len(codes), 1), np.int32), heads], axis=1)
    above = with_root
    for _ in range(n):
        above = np.take_along_axis(with_root, above, axis=1)
    heads = heads[(above == 0).all(axis=1)]
    return heads.reshape(-1), np.arange(0, heads.size + 1, n)


def chain(n):
    """Every word headed by the one before: projective, as deep as can be."""
    return np.arange(n, dtype=np.int32)


def star(n):
    """Every word headed by the first."""
    heads = np.ones(n, dtype=np.int32)
    heads[0] = 0
    return heads


def comb(n):
    """Crossing arcs all along: words 4k + 1 to 4k + 4 form a chain whose arcs cross in pairs; n is a multiple of 4."""
    start = np.arange(0, n, 4, dtype=np.int32)
    heads = np.empty(n, dtype=np.int32)
    heads[0::4] = start  # 4k + 1 <- 4k, the last word of the group before
    heads[1::4] = start + 4  # 4k + 2 <- 4k + 4
    heads[2::4] = start + 1  # 4k + 3 <- 4k + 1, which crosses the arc above
    heads[3::4] = start + 3  # 4k + 4 <- 4k + 3
    return heads


def nested_comb(n):
    """Crossings within crossings: a chain that zigzags inwards, 1, n - 1, 2, n, 3, n - 3, 4, n - 2, ..."""
    quarter = n // 4
    right = np.arange(n, n - 2 * quarter, -1).reshape(-1, 2)[:, ::-1].ravel()
    left = np.arange(1, 2 * quarter + 1)
    order = np.concatenate([np.stack([left, right], axis=1).ravel(), np.arange(2 * quarter + 1, n - 2 * quarter + 1)])
    heads = np.empty(n, dtype=np.int32)
    heads[order - 1] = np.concatenate([[0], order[:-1]])
    return heads


def all_crossing(n):
    """Two hubs whose arcs all cross each other: about n * n / 9 crossings, in two planes."""
    third = n // 3
    heads = np.full(n, third, dtype=np.int32)  # the last third hangs on the end of the first
    heads[: third - 1] = 2 * third  # the first third on the end of the second
    heads[third - 1] = 0
    heads[2 * third - 1] = third
    return heads
