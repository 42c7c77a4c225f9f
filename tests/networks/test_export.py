"""A network under its other names says the same: a plain version of the layers over exported arrays."""

import numpy as np
import pytest

from fastparse.corpus.reading import read_conllu
from fastparse.encoder.inputs import GROUPS
from fastparse.learning.networks.encoder import Encoder
from fastparse.learning.networks.export import exported, read_of_states, visited
from fastparse.learning.networks.network import rows_of
from fastparse.learning.networks.states import buckets_of
from tests.networks.small import course
from tests.toy import toy


@pytest.fixture(scope="module", params=["hybrid", "two-registers"])
def network(request):
    learning = course(request.param, rounds=2)
    learning.run()
    return learning.network


def layer(arrays, name, x):
    pieces = np.einsum("pwi,ni->npw", arrays[f"{name}.weights"].reshape(*arrays[f"{name}.bias"].shape, -1), x)
    best = (pieces + arrays[f"{name}.bias"]).max(1)
    normal = (best - best.mean(1, keepdims=True)) / np.sqrt(best.var(1, keepdims=True) + 1e-5)
    return arrays[f"{name}.gain"] * normal + arrays[f"{name}.offset"]


def words(arrays, network, ids):
    """The numbers of one sentence's words."""
    where = network.inputs.columns()
    parts = []
    for s, group in enumerate(GROUPS):
        first, last = where[group]
        parts.append([sum(arrays[f"embeddings.{s}"][i] for i in row[first:last] if i) + 0 * arrays[f"embeddings.{s}"][0]
                      for row in ids])  # fmt: skip
    x = layer(arrays, "input", np.concatenate(parts, axis=1).astype(float))
    for number, distance in enumerate(network.shape.distances):
        around = np.zeros((len(x), 3, x.shape[1]))
        around[distance:, 0], around[:, 1], around[:-distance, 2] = x[:-distance], x, x[distance:]
        x = x + layer(arrays, f"layers.{number}", around.reshape(len(x), -1))
    return x


def test_the_words_are_the_same(network):
    arrays, bank = exported(network), toy()
    rows, offsets = network.inputs.rows(bank), np.asarray(bank.offsets, np.int64)
    part = rows_of(offsets, np.arange(6))
    states = Encoder(network.shape, network.inputs.columns()).forward(
        network.arrays, rows[part.rows], part.start, part.end
    )
    for base, end in zip(part.bases, part.end[part.bases], strict=True):
        expected = words(arrays, network, rows[part.rows][base:end])
        np.testing.assert_allclose(states[base:end], expected, rtol=1e-3, atol=1e-4)


def test_states_are_read_at_the_places_of_the_rows(network):
    arrays, read = exported(network), read_of_states(network)
    shape = network.shape
    assert arrays["moves.slots"].shape == (len(read["slots"]), 2, shape.hidden, shape.width)
    assert arrays["moves.labels"].shape == (len(read["labels"]), shape.labels + 1, 2, shape.hidden)
    assert arrays["moves.distances"].shape == (len(read["distances"]), 17, 2, shape.hidden)
    assert read["slots"][:3] == [("S0", 0, 0), ("S1", 0, 0), ("S2", 0, 0)]
    assert ("S0", 2) in read["labels"]
    assert ("S0", 0) not in read["labels"]
    # The row of no label comes first; of the network's own rows it is the last.
    place = shape.places.index("S0.l1")
    ours = network.arrays["moves.labels"][place]
    theirs = arrays["moves.labels"][read["labels"].index(("S0", 2))].reshape(shape.labels + 1, -1)
    np.testing.assert_array_equal(theirs[0], ours[-1])
    np.testing.assert_array_equal(theirs[1:], ours[:-1])


def test_visited_states_have_the_scores_that_search_saw(network):
    found, read, shape = visited(network, toy(), most_words=60), read_of_states(network), network.shape
    assert found["lengths"].sum() == len(found["ids"])
    assert len(found["words"]) == len(found["labels"]) == len(found["buckets"]) > 60
    slots = [slot[:2] for slot in read["slots"]]
    # Words of a state are of one sentence, and in a buffer that nothing is put back into, next to each other.
    sentence = np.append(np.repeat(np.arange(len(found["lengths"])), found["lengths"]), -1)[found["words"]]
    assert all(len(set(row[row >= 0])) == 1 for row in sentence)
    front, second = found["words"][:, slots.index(("B0", 0))], found["words"][:, slots.index(("B1", 0))]
    np.testing.assert_array_equal(second[second >= 0], front[second >= 0] + 1)
    # Labels only of children and heads that are there, up to the number of labels.
    for column, (position, field) in enumerate(read["labels"]):
        there = found["words"][:, slots.index((position, field))] >= 0
        np.testing.assert_array_equal(found["labels"][:, column] > 0, there)
    assert found["labels"].max() <= shape.labels
    assert found["buckets"].max() < 17


def test_distances_are_numbered_as_search_numbers_them():
    """A stack far from the buffer: 1, 2, 3, 4, 5-6, 7-10, 11-20, more."""
    rows = [f"{k}\tw{k % 7}\t_\tNOUN\t_\t_\t{int(k > 1)}\t{'dep' if k > 1 else 'root'}\t_\t_\n" for k in range(1, 41)]
    network = course("hybrid", rounds=2, seed=4).network  # untrained: it shifts all words, then attaches them
    found, read = visited(network, read_conllu("".join(rows).encode() + b"\n")), read_of_states(network)
    slots = [slot[:2] for slot in read["slots"]]
    below, top = (found["words"][:, slots.index((place, 0))] for place in ("S1", "S0"))
    both = np.minimum(below, top) >= 0
    numbers = found["buckets"][both, read["distances"].index(("S1", "S0"))]
    said = dict(zip((top - below)[both].tolist(), numbers.tolist(), strict=True))
    first = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 7: 6, 11: 7, 21: 8}  # distances that open a number
    assert set(said) == set(range(1, 40))
    assert said == {distance: first[max(k for k in first if k <= distance)] for distance in said}
    distances = np.array(sorted(said), np.int32)
    assert buckets_of(distances).tolist() == [said[distance] for distance in distances.tolist()]
    assert buckets_of(-distances).tolist() == [8 + said[distance] for distance in distances.tolist()]
