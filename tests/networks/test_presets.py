"""Networks by the names of their sizes, and what they are trained with."""

import numpy as np
import pytest

from fastparse.errors import UnknownNameError
from fastparse.networks.blas import _openblas, one_thread
from fastparse.networks.presets import plan_for, shape_for


def test_small_treebanks_are_dropped_more_of():
    small, large = plan_for(20_000), plan_for(200_000)
    assert small.dropout.word > large.dropout.word
    assert small.words < large.words
    assert plan_for(20_000, rounds=3).rounds == 3


def test_an_unknown_size_is_refused():
    with pytest.raises(UnknownNameError, match="'default' or 'small'"):
        shape_for("huge")


def test_products_are_made_on_one_thread():
    with one_thread() as arranged:
        found = _openblas()
        assert arranged == (found is not None)
        if found is not None:
            assert found[0]() == 1
        assert np.matmul(np.eye(4), np.ones((4, 4))).sum() == 16
