"""Tables that learn against dictionaries: sums and averages are exact, and a table goes on as if never stopped."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import numpy as np
import pytest

from fastparse.weights.learning import LearningTable
from tests.model.rows import summed


def reference_averages(weights, drift, clock, scale):
    found = {}
    for key, row in weights.items():
        kept = {}
        for cls, weight in row.items():
            average = (weight - drift[key][cls] / clock) * scale
            value = int(abs(average) + 0.5) * (1 if average >= 0 else -1)
            if value:
                kept[cls] = value
        if kept:
            found[key] = kept
    return found


def as_dict(keys, starts, classes, weights):
    assert len(set(keys.tolist())) == len(keys)
    return {
        int(key): dict(zip(classes[a:b].tolist(), weights[a:b].tolist(), strict=True))
        for key, a, b in zip(keys, starts[:-1], starts[1:], strict=True)
    }


@pytest.mark.parametrize(
    ("width", "n_keys", "updates"), [(1, 50, 400), (4, 300, 3000), (300, 40, 6000), (12, 90_000, 6000)]
)
def test_learning_is_a_dictionary(width, n_keys, updates):
    """Rows grow and move, the table grows beyond 2**16 places; sums and averages stay exact."""
    random = Random(f"{width} {n_keys}")
    pool = [0, 1, 2**16, 2**17, 2**63, 2**64 - 1] + [random.getrandbits(64) for _ in range(n_keys)]
    pool.remove(1)  # 0 and 1 share a place
    table = LearningTable(width)
    weights, drift = defaultdict(dict), defaultdict(dict)
    for clock in range(1, updates + 1):
        keys = random.sample(pool, min(len(pool), random.randint(0, 30)))
        cls, delta = random.randrange(width), random.choice((-2, -1, 1, 2))
        table.learn(keys, cls, delta, clock)
        for key in keys:
            weights[key][cls] = weights[key].get(cls, 0) + delta
            drift[key][cls] = drift[key].get(cls, 0) + delta * clock
    assert table.n_features == len(weights)
    for _ in range(200):
        keys = random.sample(pool, 5) + [random.getrandbits(64) for _ in range(5)]
        assert table.sums(keys).tolist() == summed(weights, keys, width)
    rows = as_dict(*table.averages(updates + 1, 10.0))
    expected = reference_averages(weights, drift, updates + 1, 10.0)
    assert {key or 1: row for key, row in expected.items()} == rows

    twin = LearningTable(width)
    twin.restore(table.state())
    assert twin.n_features == table.n_features
    assert as_rows(twin) == as_rows(table)
    # And it goes on as if nothing had happened.
    for each in (table, twin):
        each.learn(pool[:20], width - 1, 3, updates + 1)
    assert as_dict(*twin.averages(updates + 2, 7.0)) == as_dict(*table.averages(updates + 2, 7.0))


def as_rows(table):
    state = table.state()
    ends = np.cumsum(state["counts"])
    parts = [slice(int(e - c), int(e)) for e, c in zip(ends, state["counts"], strict=True)]
    columns = [state[name].tolist() for name in ("classes", "weights", "drift")]
    return {
        int(key): sorted(zip(*(column[part] for column in columns), strict=True))
        for key, part in zip(state["keys"], parts, strict=True)
    }


def test_a_feature_counted_twice_counts_twice():
    table = LearningTable(3)
    table.learn([7, 7], 1, 5, 1)
    assert table.sums([7]).tolist() == [0, 10, 0]
    assert table.sums([7, 7]).tolist() == [0, 20, 0]
