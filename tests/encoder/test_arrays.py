"""Arrays of an encoder: kept as they are, and refused where compiled code could not use them."""

from __future__ import annotations

import numpy as np
import pytest

from fastparse.encoder.arrays import FIELDS, POSITIONS, checked, row_limit, stored
from fastparse.encoder.encoder import Encoder
from fastparse.encoder.inspection import scores
from fastparse.encoder.scratch import Scratch
from fastparse.errors import Error, ModelFormatError
from fastparse.features.plan import POSITION_NAMES
from fastparse.model.storage import read_container, write_container
from tests.encoder.networks import random_arrays, random_states, random_words

SMALL = {"width": 16, "dilations": (1,), "counts": (2, 2, 1), "arcs": 16, "tags": (3,), "labels": 3}


def small_arrays():
    return stored(random_arrays(1, **SMALL))


def test_positions_and_fields_are_those_of_templates():
    assert tuple(POSITION_NAMES) == POSITIONS
    assert len(FIELDS) == 6


def test_arrays_survive_a_file(tmp_path):
    arrays = Encoder(small_arrays()).to_arrays()
    write_container(tmp_path / "encoder", {"kind": "encoder"}, arrays)
    found = Encoder.from_arrays(read_container(tmp_path / "encoder").arrays, "encoder").to_arrays()
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


@pytest.mark.parametrize("name", sorted(small_arrays()))
def test_what_is_missing_or_misshapen_is_refused(name):
    arrays = small_arrays()
    array = arrays.pop(name)
    with pytest.raises(ModelFormatError, match=r"model.fp: this is not a usable encoder"):
        Encoder(arrays, "model.fp")
    for wrong in (array.astype(np.int64), array[None], np.concatenate([array, array[..., :1]], -1)):
        # Any number of outputs of a label or of labels is a shape of its own, which other arrays then do not fit.
        with pytest.raises(ModelFormatError, match=r"model.fp: this is not a usable encoder"):
            Encoder({**arrays, name: wrong}, "model.fp")


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("shape", 0, 2, "version 2, not 1"),
        ("shape", 1, 24, "its width is 24"),
        ("shape", 1, 2**30, "values of 'shape'"),
        ("shape", 2, 4, "4 pieces"),
        ("shape", 3, 0, "0 segments"),
        ("shape", 3, 2, "has arrays that no encoder has|'segments.shifts' is"),
        ("shape", 6, 2, "'tags.1.weights' is missing"),
        ("segments.shifts", 0, 8, "outside 0 to 7"),
        ("layers.dilations", 0, 0, "outside 1 to"),
        ("layers.dilations", 0, 2000, "outside 1 to"),
        ("layers.shifts", 1, 31, "outside 0 to 20"),
        ("input.weights", (0, 0, 0), 64, "values of 'input.weights' lie between .* and 64"),
        ("layers.0.weights", (1, 2, 0, 3), 0x80, "between -128"),
        ("input.bias", (0, 0), 2**27, "outside"),
        ("input.norm", (0, 0), 0x7FC00000, "nan"),
        ("input.norm", (0, 0), 0x7F800000, "inf"),
        ("layers.scales", (1, 0), 0x4B000000, "too much for their scale"),
        ("layers.scales", (0, 0), 0, "outside"),
        ("moves.shifts", 1, 9, "more than 8"),
        ("moves.slots", (0, 0), len(POSITIONS), "position or field that does not exist"),
        ("moves.slots", (0, 1), 6, "position or field that does not exist"),
        ("moves.slots", (0, 2), 128, "outside -128 to 127"),
        ("moves.label_places", (0, 1), 0, "position or field that does not exist"),
        ("moves.distance_pairs", (0, 1), -1, "position or field that does not exist"),
        ("moves.none", (0, 0), 0x7FFF, "values of 'moves.none'"),
        ("moves.label_rows", (0, 0, 0), 0x8000, "values of 'moves.label_rows'"),
        ("labels.distance_rows", (0, 0, 0), 0x8000, "values of 'labels.distance_rows'"),
        ("labels.slots", (0, 1), 1, "more of an arc than its two words"),
        ("moves.weights", (0, 0), 100, "values of 'moves.weights'"),
        ("arcs.shifts", 0, 21, "arcs.shifts"),
        ("arcs.shifts", 3, 30, "arcs.shifts"),
        ("tags.0.bias", 0, -(2**30), "values of 'tags.0.bias'"),
    ],
)
def test_what_is_out_of_range_is_refused(name, place, value, message):
    arrays = {key: array.copy() for key, array in small_arrays().items()}
    arrays[name][place] = value
    with pytest.raises(ModelFormatError, match=message):
        Encoder(arrays, "model.fp")


def test_superfluous_arrays_are_refused():
    with pytest.raises(ModelFormatError, match="arrays that no encoder has: weights"):
        checked({**small_arrays(), "weights": np.zeros(1, np.uint8)}, "model.fp")


def test_damaged_arrays_are_refused_or_usable():
    """Any bytes at all: what passes the checks runs."""
    random = np.random.default_rng(3)
    ids, ends = random_words(1, [5])
    usable = 0
    for _ in range(150):
        arrays = {name: array.copy() for name, array in small_arrays().items()}
        for name in random.choice([name for name in sorted(arrays) if arrays[name].size], 2):
            damaged = arrays[name].reshape(-1).view(np.uint8)
            damaged[random.integers(len(damaged))] = random.integers(256)
        try:
            scratch = Scratch(Encoder(arrays))
        except ModelFormatError:
            continue
        usable += 1
        scratch.encode(ids, ends, [5])
        scores(scratch, "moves", 0, 4, random_states(1, 4, 3, 3))
        scores(scratch, "labels", 0, 4, random_states(1, 4, 3, 3))
    assert 20 < usable < 150


def test_sums_of_rows_fit():
    """Rows as large as they may be, all of one sign, the offset and the rounding: below 2**15."""
    for n_rows in range(1, 146):
        for shift in range(9):
            limit = row_limit(n_rows, shift)
            assert n_rows * limit + (64 << shift) + ((1 << shift) >> 1) < 2**15
            assert (n_rows * (limit + 1) + (64 << shift) + ((1 << shift) >> 1)) >= 2**15


def test_wrong_batches_are_refused():
    scratch = Scratch(Encoder(small_arrays()))
    ids, ends = random_words(1, [5])
    for wrong in ((ids[:-1], ends, [5]), (ids, ends[:-1], [5]), (ids, ends[::-1], [5]), (ids, ends, [5, 0])):
        with pytest.raises(Error, match=r"ends must be|lengths are 1 and more"):
            scratch.encode(*wrong)
    for sizes in ({"window": 100}, {"window": 32}, {"window": 2**20}, {"block": 0}, {"block": 2**20}):
        with pytest.raises(Error, match="a window is a power of two"):
            Scratch(scratch.encoder, **sizes)
    with pytest.raises(Error, match="tag 1: the encoder has 1"):
        scratch.tags(1)
