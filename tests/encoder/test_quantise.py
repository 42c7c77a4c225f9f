"""Quantising: the integers say nearly the same as the floats."""

from __future__ import annotations

import numpy as np
import pytest

from fastparse.encoder.arrays import BUCKETS
from fastparse.encoder.encoder import Encoder
from fastparse.encoder.floats import Sample, States, activations
from fastparse.encoder.quantise import Places, quantised
from fastparse.errors import Error
from tests.encoder.networks import random_words

SEGMENTS = ((60, 24), (200, 40), (20, 16))
LENGTHS = [5, 1, 30, 12, 2, 60]
LABELS, MOVES, SLOTS = 9, 4, 5
PLACES = {
    "moves": Places(
        [("S0", 0, 0), ("B0", 0, 0), ("S1", 0, 0), ("S0", 2, 0), ("B0", 0, 1)],
        [("S0", 2), ("S0", 4), ("B0", 1)],
        [("S0", "B0")],
    ),
    "labels": Places([("H", 0, 0), ("D", 0, 0)], [], [("H", "D")]),
}


def random_floats(seed=1, width=64, hidden=40, arcs=24, dilations=(1, 2)):
    """As training starts: values of about one everywhere."""
    random = np.random.default_rng(seed)

    def normal(*shape, size=1.0):
        return random.normal(0, size, shape).astype(np.float32)

    floats = {f"embeddings.{s}": normal(*shape, size=0.3) for s, shape in enumerate(SEGMENTS)}
    inputs = sum(size for _, size in SEGMENTS)
    for layer in range(len(dilations) + 1):
        name, inner = (f"layers.{layer - 1}", (3, width)) if layer else ("input", (inputs,))
        floats[f"{name}.weights"] = normal(3, width, *inner, size=np.prod(inner) ** -0.5)
        floats[f"{name}.bias"] = normal(3, width, size=0.1)
        floats[f"{name}.gain"], floats[f"{name}.offset"] = 1 + normal(width, size=0.2), normal(width, size=0.1)
    for choice, slots, places, pairs, outputs in (("moves", SLOTS, 3, 1, MOVES), ("labels", 2, 0, 1, LABELS)):
        floats[f"{choice}.slots"] = normal(slots, 2, hidden, width, size=width**-0.5)
        floats[f"{choice}.none"] = normal(slots, 2, hidden, size=0.5)
        floats[f"{choice}.labels"] = normal(places, LABELS + 1, 2, hidden, size=0.5)
        floats[f"{choice}.distances"] = normal(pairs, BUCKETS, 2, hidden, size=0.5)
        floats[f"{choice}.bias"] = normal(2, hidden, size=0.5)
        floats[f"{choice}.weights"] = normal(outputs, hidden, size=hidden**-0.5)
        floats[f"{choice}.output_bias"] = normal(outputs)
    for end in ("head", "dependent"):
        floats[f"arcs.{end}"] = normal(arcs, width, size=0.3 * width**-0.5)
        floats[f"arcs.{end}_bias"] = normal(arcs, size=0.1)
    floats["tags.upos.weights"], floats["tags.upos.bias"] = normal(17, width, size=width**-0.5), normal(17)
    return floats


def random_sample(seed=2, count=300):
    random = np.random.default_rng(seed)
    ids, ends = random_words(seed, LENGTHS, SEGMENTS, most=4)
    rows = sum(LENGTHS)
    states = {
        choice: States(
            random.integers(-1, rows, (count, slots)),
            random.integers(0, LABELS + 1, (count, places)),
            random.integers(0, BUCKETS, (count, pairs)),
        )
        for choice, slots, places, pairs in (("moves", SLOTS, 3, 1), ("labels", 2, 0, 1))
    }
    return Sample(ids, ends, np.array(LENGTHS), states, random.integers(0, rows, (count, 2)))


def test_rounding_costs_little():
    floats, sample = random_floats(), random_sample()
    result = quantised(floats, (1, 2), PLACES, sample)
    expected = activations(floats, (1, 2), sample).scores
    assert set(result.report) == set(expected) == {"moves", "labels", "arcs", "tags.upos"}
    for name, own in result.report.items():
        # Each of five roundings to seven bits costs two or three hundredths of the spread.
        spread = float(expected[name].std(axis=0).mean())
        assert 0 < own["mean"] < 0.1 * spread, (name, own, spread)
        assert own["mean"] < own["max"] < 0.5 * spread, (name, own, spread)
        assert own.get("agreement", 1) > 0.9, (name, own)


def test_what_was_padded_changes_nothing():
    """Segments of 24 and 40 values, a hidden layer of 40 and arcs of 24 are rounded up with zeros."""
    arrays = Encoder(quantised(random_floats(), (1, 2), PLACES, random_sample()).arrays).to_arrays()
    assert arrays["segments.0"].shape[1] == 32
    assert not arrays["segments.0"][:, 24:].any()
    assert not arrays["input.weights"][:, :, 24:32].any()
    assert arrays["input.weights"][:, :, 32:72].any(axis=(0, 1)).all()
    assert arrays["moves.weights"].shape == (MOVES, 64)
    assert not arrays["moves.weights"][:, 40:].any()
    assert arrays["arcs.weights"].shape[1] == 32


def test_a_long_tail_is_cut_off():
    """One weight far beyond the others does not take the precision of all."""
    floats = random_floats()
    floats["layers.0.weights"][0, 0, 0, 0] = 1.5
    arrays = quantised(floats, (1, 2), PLACES, random_sample()).arrays
    weights = arrays["layers.0.weights"].view(np.int8)
    assert weights[0, 0, 0, 0] == 63
    assert weights.astype(int).std() > 5  # 3 if nothing were cut off


def test_the_same_floats_give_the_same_bytes():
    first, second = (quantised(random_floats(), (1, 2), PLACES, random_sample()) for _ in range(2))
    assert first.report == second.report
    for name, array in first.arrays.items():
        assert array.tobytes() == second.arrays[name].tobytes(), name


def test_diverged_trainings_are_refused():
    floats = random_floats()
    floats["input.bias"][0, 0] = np.nan
    with pytest.raises(Error, match=r"'input.bias' has values that are not finite"):
        quantised(floats, (1, 2), PLACES, random_sample())


def test_a_segment_that_says_nothing_is_no_fault():
    """Nor does it get a larger shift than a file may have."""
    floats = random_floats()
    floats["embeddings.1"] = np.zeros_like(floats["embeddings.1"])
    made = quantised(floats, (1, 2), PLACES, random_sample())
    assert made.arrays["segments.shifts"].view("<i4").max() == 7
    Encoder(made.arrays)


def test_a_network_of_tags_alone():
    floats = {
        name: array for name, array in random_floats().items() if name.split(".")[0] not in ("moves", "labels", "arcs")
    }
    sample = random_sample()
    result = quantised(floats, (1, 2), {}, Sample(sample.ids, sample.ends, sample.lengths))
    assert set(result.report) == {"tags.upos"}
    assert Encoder(result.arrays).n_tags == 1
