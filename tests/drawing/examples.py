"""Sentences to draw."""

import random
from types import SimpleNamespace

CROSSING = SimpleNamespace(
    forms=["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."],
    heads=[2, 3, 0, 3, 2, 7, 5, 4, 3],
    deprels=["det", "nsubj", "root", "aux", "nmod", "det", "pobj", "tmod", "punct"],
    sent_id="hearing",
)
LABELS = ["det", "nsubj:pass", "obj", "", "_", "x", "a-very-long-label-indeed", "主語"]
FORMS = ["a", "the", "Donaudampfschiff", "我们", "é", ".", "<&>", "e\u0301a", "كتاب"]


def random_sentence(seed, longest=14):
    rng = random.Random(seed)
    n = rng.randint(1, longest)
    order = rng.sample(range(1, n + 1), n)
    heads = [0] * n
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = rng.choice([0, *order[:place]])
    return SimpleNamespace(
        forms=[rng.choice(FORMS) for _ in range(n)],
        heads=heads,
        deprels=[rng.choice(LABELS) for _ in range(n)],
        sent_id=None,
    )


def crossing_pairs(heads):
    """Pairs of words whose arcs cross, by definition."""
    arcs = [sorted((head, word)) for word, head in enumerate(heads, 1) if head >= 0]
    return sum(a < c < b < d or c < a < d < b for i, (a, b) in enumerate(arcs) for c, d in arcs[:i])
