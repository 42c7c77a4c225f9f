"""Greedy search and beams, from attributes to heads."""

import numpy as np
import pytest


def test_greedy(per_word, greedy, treebank, search_of):
    assert (per_word(search_of(greedy, treebank, 1)) == treebank.heads).mean() > 0.5


@pytest.mark.parametrize("sharing", [True, False], ids=["sharing", "no sharing"])
@pytest.mark.parametrize("size", [8, 32])
def test_beam(per_word, beam, treebank, search_of, size, sharing):
    heads = per_word(search_of(beam, treebank, size, sharing=sharing))
    assert np.array_equal(heads, beam.parse(treebank, beam=size).heads)
