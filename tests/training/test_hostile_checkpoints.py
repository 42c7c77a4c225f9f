"""Checkpoints with a right checksum whose content no training has written: refused, whatever is wrong with them."""

import numpy as np
import pytest

import fastparse
from fastparse.errors import Error, ModelFormatError
from fastparse.learning.checkpoint import CHECKPOINT
from fastparse.model.storage import read_container, write_container
from tests.toy import toy

OPTIONS = {"system": "arc-standard", "beam": 1, "components": ("parser",)}


@pytest.fixture(scope="module")
def container(tmp_path_factory):
    path = tmp_path_factory.mktemp("checkpoint") / "state"
    fastparse.train(toy(), iterations=1, checkpoint=path, encoder=None, **OPTIONS)
    return read_container(path, CHECKPOINT)


def goes_on(container, tmp_path, header=None, arrays=None):
    path = tmp_path / "state"
    write_container(path, header or container.header, {**container.arrays, **(arrays or {})}, CHECKPOINT)
    fastparse.train(toy(), iterations=2, checkpoint=path, encoder=None, **OPTIONS)


def test_the_training_goes_on_from_what_is_right(container, tmp_path):
    goes_on(container, tmp_path)


def changed(array, change):
    new = np.array(array)
    return change(new) if callable(change) else change


def _at(index, value):
    def put(array):
        array[index] = value
        return array

    return put


CHANGES = {
    "counts too large": ("counts", _at(0, 10**6)),
    "counts of nothing": ("counts", _at(slice(None), 0)),
    "one count of nothing": ("counts", lambda counts: np.concatenate([[0], counts]).astype(np.int32)),
    "counts below nothing": ("counts", _at(0, -1)),
    "as many, but divided otherwise": ("counts", lambda counts: counts * 0 + np.eye(1, len(counts), 0, np.int32)[0] * (
        int(counts.sum()) - len(counts)) + 1),
    "a key of zero": ("keys", _at(0, 0)),
    "a key twice": ("keys", _at(0, np.uint64(7))),
    "fewer keys": ("keys", lambda keys: keys[1:]),
    "no keys": ("keys", lambda keys: keys[:0]),
    "a class too large": ("classes", _at(0, 10**6)),
    "a class below zero": ("classes", _at(0, -1)),
    "fewer classes": ("classes", lambda classes: classes[1:]),
    "fewer drifts": ("drift", lambda drift: drift[:-1]),
    "floats": ("weights", lambda weights: weights.view(np.uint32)),
    "two dimensions": ("weights", lambda weights: weights.reshape(-1, 1)),
    "wide counts": ("counts", lambda counts: counts.astype(np.int64)),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_arrays_that_do_not_fit_together(name, container, tmp_path):
    part, change = CHANGES[name]
    arrays = {f"parser/moves.{part}": change(np.array(container.arrays[f"parser/moves.{part}"]))}
    if name == "a key twice":
        arrays["parser/moves.keys"][1] = 7
    with pytest.raises(
        ModelFormatError, match=r"the checkpoint cannot be used: the weights of moves do not fit .*\. Delete"
    ):
        goes_on(container, tmp_path, arrays=arrays)


def test_a_class_twice_at_a_key(container, tmp_path):
    counts, classes = (np.array(container.arrays[f"parser/moves.{name}"]) for name in ("counts", "classes"))
    at = int(np.argmax(counts > 1))
    begin = int(counts[:at].sum())
    classes[begin + 1] = classes[begin]
    with pytest.raises(ModelFormatError, match="a class stands twice at a key"):
        goes_on(container, tmp_path, arrays={"parser/moves.classes": classes})


@pytest.mark.parametrize(
    "wrong",
    [{"done": "x"}, {"done": -1}, {"done": 10**30}, {"done": None}, {"done": True}, {"clock": 10**30}, {"clock": -1},
     {"clock": 1.5}, {"best": 9}, {"best": "1"}, {"iterations": {}}, {"iterations": []}, {"iterations": [7]},
     {"iterations": [{}]}, {"iterations": [{"updates": "x", "features": 1}]},
     {"iterations": [{"updates": 1, "features": 1, "uas": "high"}]}],
)  # fmt: skip
def test_progress_that_cannot_be(wrong, container, tmp_path):
    parser = {**container.header["parts"]["parser"], **wrong}
    header = {**container.header, "parts": {"parser": parser}}
    with pytest.raises(ModelFormatError, match="the checkpoint cannot be used"):
        goes_on(container, tmp_path, header)


@pytest.mark.parametrize("parts", [None, [], "x", {"parser": None}, {"parser": 7}, {"parser": []}, 5])
def test_no_parts_at_all(parts, container, tmp_path):
    with pytest.raises(ModelFormatError, match="the checkpoint cannot be used"):
        goes_on(container, tmp_path, {**container.header, "parts": parts})


@pytest.mark.parametrize("identity", [None, [], "x", {}, 7])
def test_another_identity(identity, container, tmp_path):
    with pytest.raises(Error, match="the checkpoint of another training"):
        goes_on(container, tmp_path, {**container.header, "identity": identity})
