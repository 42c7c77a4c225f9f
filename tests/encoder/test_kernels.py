"""Every kernel that the machine has against the textbook version: the same integers."""

from __future__ import annotations

import numpy as np
import pytest

from fastparse.encoder.arrays import stored
from fastparse.encoder.encoder import Encoder, kernel, kernels
from fastparse.encoder.inspection import arc_scores, scores
from fastparse.encoder.scratch import Scratch
from fastparse.errors import UnknownNameError
from tests.encoder.networks import SEGMENTS, own_ids, random_arrays, random_states, random_words, sentence_slices
from tests.reference import encoder as textbook

SHAPES = {
    "small": {"width": 64, "pieces": 2, "dilations": (1, 2, 4)},
    "default": {"width": 128, "pieces": 3, "dilations": (1, 2, 4, 1), "hidden": 64},
    "odd": {"width": 80, "pieces": 3, "dilations": (3,), "arcs": 48, "hidden": 96, "moves": 32, "labels": 300},
    "wide": {"width": 192, "pieces": 2, "dilations": (1, 1), "arcs": 16, "hidden": 128, "tags": (1, 33, 500)},
    "many places": {"width": 48, "dilations": (1,), "counts": (40, 30, 3)},
    "flat": {"width": 16, "pieces": 3, "dilations": (), "arcs": 0, "tags": (), "counts": (1, 0, 0)},
    "largest": {"width": 256, "pieces": 3, "dilations": (1,), "extreme": True},
    "extreme": {"width": 96, "pieces": 2, "dilations": (1, 2), "extreme": True},
}
LENGTHS = [1, 2, 3, 17, 1, 40, 5]


def batch_of(arrays, kernel_name, ids, ends, lengths, **sizes):
    scratch = Scratch(Encoder(stored(arrays), kernel=kernel_name), **sizes)
    scratch.encode(ids, ends, lengths)
    return scratch


@pytest.fixture(params=SHAPES)
def network(request):
    """Arrays, words, and what the textbook makes of them."""
    arrays = random_arrays(seed=len(request.param), **SHAPES[request.param])
    ids, ends = random_words(7, LENGTHS)
    vectors = [textbook.encoded(arrays, *own_ids(ids, ends, rows)) for rows in sentence_slices(LENGTHS)]
    return arrays, ids, ends, vectors


@pytest.mark.parametrize("form", kernels())
def test_vectors_tags_and_scores_are_those_of_the_textbook(network, form):
    arrays, ids, ends, expected = network
    scratch = batch_of(arrays, form, ids, ends, LENGTHS)
    vectors = scratch.vectors()
    assert len(np.unique(vectors)) > 20
    np.testing.assert_array_equal(vectors, np.concatenate(expected))
    for t in range(int(arrays["shape"][6])):
        np.testing.assert_array_equal(scratch.tags(t), textbook.tags(arrays, t, np.concatenate(expected)))
    for rows, own in zip(sentence_slices(LENGTHS), expected, strict=True):
        n = len(own) - 1
        states = random_states(n, n, 20, arrays["labels.weights"].shape[0])
        for choice in ("moves", "labels"):
            found = scores(scratch, choice, rows.start, n, states)
            np.testing.assert_array_equal(found, textbook.scores(arrays, choice, own, states))
        if arrays["shape"][5]:
            heads, dependents = np.random.default_rng(n).integers(0, n + 1, (2, 30))
            found = arc_scores(scratch, rows.start, n, heads, dependents)
            np.testing.assert_array_equal(found, textbook.arc_scores(arrays, own, heads, dependents))


@pytest.mark.parametrize("form", kernels())
@pytest.mark.parametrize(("block", "window"), [(1, 64), (5, 64), (64, 128), (1000, 1024)])
def test_blocks_and_windows_change_nothing(form, block, window):
    """Long sentences in pieces, and slot rows that are overwritten and made again."""
    arrays = random_arrays(3, dilations=(1, 3, 2))
    lengths = [2, 300, 1, 77]
    ids, ends = random_words(1, lengths)
    scratch = batch_of(arrays, form, ids, ends, lengths, block=block, window=window)
    for rows in sentence_slices(lengths):
        vectors = textbook.encoded(arrays, *own_ids(ids, ends, rows))
        np.testing.assert_array_equal(scratch.vectors()[rows], vectors)
        n = len(vectors) - 1
        states = random_states(n, n, 30, 20)
        for choice in ("moves", "labels"):
            found = scores(scratch, choice, rows.start, n, states)
            np.testing.assert_array_equal(found, textbook.scores(arrays, choice, vectors, states))


@pytest.mark.parametrize("form", kernels())
def test_many_ids_of_one_word(form):
    """Only the first 255 of a segment count; sums are exact."""
    arrays = random_arrays(5)
    arrays["segments.1"][:] = 127
    arrays["segments.shifts"][1] = 7
    ids, ends = random_words(2, [3], most=400)
    scratch = batch_of(arrays, form, ids, ends, [3])
    np.testing.assert_array_equal(scratch.vectors(), textbook.encoded(arrays, ids, ends))


@pytest.mark.parametrize("form", kernels())
def test_halves_are_rounded_to_even(form):
    """Sums 0 and 1 in turn have the normed values -1 and 1; half steps of the scale fall between two bytes."""
    arrays = random_arrays(1, width=64, dilations=())
    arrays["input.weights"][:] = 0
    arrays["input.bias"][:] = np.arange(64) % 2
    arrays["layers.shifts"][:] = 0
    arrays["layers.scales"][0] = 2.0**-30
    arrays["input.norm"][0] = np.arange(64) + 0.5
    arrays["input.norm"][1] = 0
    arrays["layers.scales"][1] = 1
    ids, ends = random_words(1, [4])
    scratch = batch_of(arrays, form, ids, ends, [4])
    signs = np.where(np.arange(64) % 2, 1, -1)
    expected = np.clip(64 + np.array([round(value) for value in signs * (np.arange(64) + 0.5)]), 0, 127)
    np.testing.assert_array_equal(scratch.vectors(), np.tile(expected, (4, 1)))


def test_a_long_sentence_is_the_same_in_all_kernels():
    arrays = random_arrays(9, width=32, dilations=(1, 2, 4, 1))
    lengths = [20_000]
    ids, ends = random_words(4, lengths, most=2)
    found = [batch_of(arrays, form, ids, ends, lengths) for form in kernels()]
    for scratch in found[1:]:
        np.testing.assert_array_equal(scratch.vectors(), found[0].vectors())
    middle = slice(9_900, 10_000)
    around = slice(middle.start - 8, middle.stop + 8)  # the dilations add up to 8
    expected = textbook.encoded(arrays, *own_ids(ids, ends, around))[8:-8]
    np.testing.assert_array_equal(found[0].vectors()[middle], expected)


def test_a_scratch_is_used_again():
    arrays = random_arrays(2)
    scratch = Scratch(Encoder(stored(arrays)))
    for seed, lengths in enumerate(([3], [700], [], [1, 1], [5, 9])):
        ids, ends = random_words(seed, lengths) if lengths else (np.empty(0, np.int32), np.empty((0, 3), np.int32))
        scratch.encode(ids, ends, lengths)
        fresh = batch_of(arrays, None, ids, ends, lengths)
        np.testing.assert_array_equal(scratch.vectors(), fresh.vectors())
        if lengths:
            states = random_states(1, lengths[0] - 1, 5, 20)
            args = ("moves", 0, lengths[0] - 1, states)
            np.testing.assert_array_equal(scores(scratch, *args), scores(fresh, *args))


def test_the_variable_chooses_the_kernel(monkeypatch):
    monkeypatch.delenv("FASTPARSE_KERNEL", raising=False)
    assert kernel() == kernels()[-1]
    arrays = stored(random_arrays(1, dilations=(), segments=SEGMENTS))
    for form in kernels():
        monkeypatch.setenv("FASTPARSE_KERNEL", form)
        assert kernel() == form == Encoder(arrays).kernel
    monkeypatch.setenv("FASTPARSE_KERNEL", "abacus")
    with pytest.raises(UnknownNameError, match="'abacus': this machine can run plain"):
        kernel()
