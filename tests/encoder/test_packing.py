"""Tables of embeddings in pieces: as near as their pieces allow, and the same sums as the table that they stand for."""

import numpy as np
import pytest

from fastparse.encoder.arrays import stored
from fastparse.encoder.encoder import Encoder
from fastparse.encoder.packing import packed, unpacked
from fastparse.encoder.quantise import in_pieces
from fastparse.encoder.scratch import Scratch
from fastparse.errors import ModelFormatError
from tests.encoder.networks import random_arrays, random_words


def table(n, size, seed=1):
    return np.random.default_rng(seed).normal(0, 20, (n, size)).clip(-127, 127).astype(np.int8)


@pytest.mark.parametrize("size", [2, 4, 8])
def test_a_table_of_few_different_pieces_is_kept(size):
    different = table(200, 16)
    rows = different[np.random.default_rng(2).integers(0, 200, 900)]
    codes, pieces = packed(rows, np.ones(900), size)
    assert codes.shape == (900, 16 // size)
    assert pieces.shape == (16 // size, 256, size)
    # Where more than 200 of the 256 begin as they are, the others are near.
    assert np.abs(unpacked(codes, pieces).astype(int) - rows).mean() < 2


@pytest.mark.parametrize("size", [2, 4, 8])
def test_every_piece_is_the_nearest_and_the_middle_of_what_it_stands_for(size):
    rows, counts = table(2000, 16), np.random.default_rng(3).integers(0, 1000, 2000)
    codes, pieces = packed(rows, counts, size)
    own, wide = rows.astype(int).reshape(2000, -1, size), pieces.astype(int)
    for place in range(codes.shape[1]):
        far = ((own[:, place, None] - wide[place][None]) ** 2).sum(2)
        np.testing.assert_array_equal(codes[:, place], far.argmin(1))
    np.testing.assert_array_equal(unpacked(codes, pieces).reshape(2000, -1, size)[7, 0], pieces[0, codes[7, 0]])


def test_what_is_read_often_is_nearer():
    rows = table(4000, 16)
    counts = np.where(np.arange(4000) < 400, 10_000, 1)
    differences = np.abs(unpacked(*packed(rows, counts, 4)).astype(int) - rows).mean(1)
    assert differences[:400].mean() < 0.8 * differences[400:].mean()


def test_an_encoder_reads_pieces_as_the_table_they_stand_for():
    segments = ((700, 32), (5, 16))
    arrays = stored(random_arrays(1, segments=segments))
    ids, ends = random_words(2, [30, 20], segments, most=4)
    in_parts = in_pieces(arrays, [np.ones(700), np.ones(5)])
    assert {"segments.0.codes", "segments.0.pieces", "segments.1"} <= in_parts.keys()
    assert "segments.0" not in in_parts
    whole = unpacked(in_parts["segments.0.codes"], in_parts["segments.0.pieces"].view(np.int8))
    found = []
    for own in (in_parts, {**arrays, "segments.0": whole.view(np.uint8)}):
        scratch = Scratch(Encoder(own))
        scratch.encode(ids, ends, [30, 20])
        found.append(scratch.vectors())
    np.testing.assert_array_equal(*found)
    kept = Encoder(in_parts).to_arrays()
    assert kept.keys() == in_parts.keys()
    assert all(np.array_equal(kept[name], in_parts[name]) for name in kept)


@pytest.mark.parametrize(
    "change",
    [
        {"segments.0.pieces": None},
        {"segments.0.pieces": lambda array: array[:, :255]},
        {"segments.0.pieces": lambda array: array[:, :, :3]},
        {"segments.0.pieces": lambda array: array[1:]},
        {"segments.0.codes": lambda array: array.astype(np.uint16)},
    ],
)
def test_pieces_that_cannot_be_used_are_refused(change):
    arrays = in_pieces(stored(random_arrays(1, segments=((700, 32), (5, 16)))), [np.ones(700), np.ones(5)])
    for name, how in change.items():
        array = arrays.pop(name)
        if how is not None:
            arrays[name] = np.ascontiguousarray(how(array))
    with pytest.raises(ModelFormatError):
        Encoder(arrays)


def test_what_cannot_be_cut_is_refused():
    for rows, counts, size in ((table(300, 16), 300, 3), (table(300, 18), 300, 4), (table(300, 16), 299, 4)):
        with pytest.raises(ValueError, match=r"pieces|counts"):
            packed(rows, np.ones(counts), size)
    with pytest.raises(ValueError, match="places"):
        unpacked(np.zeros((3, 2), np.uint8), np.zeros((3, 256, 4), np.int8))
