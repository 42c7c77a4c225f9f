"""Thresholds of beams: what they leave out, and what they do not change."""

from __future__ import annotations

from random import Random

import pytest

import fastparse
from fastparse.errors import Error
from fastparse.model.description import LARGEST_THRESHOLD, description_from
from tests.features.material import SEARCHED
from tests.search.models import RandomModel, random_sentences
from tests.toy import toy


@pytest.fixture(scope="module", params=range(len(SEARCHED)))
def model(request):
    random = Random(request.param)
    sentences = random_sentences(random, 12, 40)
    return RandomModel(random, *SEARCHED[request.param], sentences, single_root=True, walks=1)


def test_a_large_threshold_leaves_nothing_out(model):
    assert model.parse(8, threshold=LARGEST_THRESHOLD) == model.parse(8)


def test_smaller_thresholds_change_trees_at_last(model):
    """In the end only the best state is left, and those as good: the result is that of greedy search but for ties."""
    found = [model.parse(16, threshold=threshold) for threshold in (10_000, 60, 20, 1)]
    assert found[0] == model.parse(16)
    assert found[-1] != found[0]


@pytest.mark.parametrize("threshold", [1, 15, 50])
def test_kept_sums_do_not_show_with_thresholds(model, threshold):
    expected = model.parse(9, threshold=threshold)
    assert model.parse(9, threshold=threshold, sharing=False) == expected
    assert model.parse(9, threshold=threshold, room=40) == expected


def test_greedy_search_has_no_threshold(model):
    assert model.parse(1, threshold=1) == model.parse(1)


def test_parsers_take_a_threshold():
    bank = toy()
    parser = fastparse.train(bank, "arc-eager", beam=4, iterations=2, encoder=None)
    assert parser.info["threshold"] == 0
    whole = list(parser.parse(bank).heads)
    assert list(parser.parse(bank, threshold=LARGEST_THRESHOLD).heads) == whole
    assert parser.parse_arrays(bank, threshold=0)[0].tolist() == whole
    for wrong in (-1, LARGEST_THRESHOLD + 1, 2.5, True):
        with pytest.raises(Error, match="threshold"):
            parser.parse(bank, threshold=wrong)


def test_descriptions_state_a_threshold():
    parser = fastparse.train(toy(), "arc-eager", beam=4, iterations=1, encoder=None)
    given = parser._decoder.kind.description.to_dict()
    assert description_from({**given, "threshold": 7}).threshold == 7
    for wrong in (-1, None, "7", True, LARGEST_THRESHOLD + 1):
        with pytest.raises(Error, match="threshold"):
            description_from({**given, "threshold": wrong})
