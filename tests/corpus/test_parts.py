"""Dividing the sentences of a treebank into parts of about a size."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastparse.corpus.arrays import part_bounds


@given(st.lists(st.integers(1, 12), max_size=40), st.integers(1, 30))
def test_parts_are_as_large_as_may_be(lengths, words):
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    bounds = part_bounds(offsets, words)
    assert bounds[0] == 0
    assert bounds[-1] == len(lengths)
    for begin, end in pairwise(bounds):
        assert begin < end
        assert end == begin + 1 or offsets[end] - offsets[begin] <= words
        if end < len(lengths):
            assert offsets[end + 1] - offsets[begin] > words


@pytest.mark.parametrize("words", [1, 7])
def test_nothing_has_no_part(words):
    assert part_bounds(np.zeros(1, np.int64), words) == [0]
