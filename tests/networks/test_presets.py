"""Networks by the names of their sizes, and what they are trained with."""

import pytest

from fastparse.errors import UnknownNameError
from fastparse.learning.networks.plans import plan_for, shape_for, tagger_plan


def test_small_treebanks_are_dropped_more_of():
    small, large = plan_for(20_000), plan_for(200_000)
    assert small.dropout.word > large.dropout.word
    assert small.words < large.words
    assert plan_for(20_000, rounds=3).rounds == 3


def test_the_smaller_a_treebank_the_more_often_it_is_read():
    """A parser's 12 to 50 times, as `train` says; a tagger's small one 20 to 40 times."""
    sizes = [0, 1, 500, 20_000, 79_999, 200_000, 400_000, 600_000, 5_000_000]
    rounds = [plan_for(n).rounds for n in sizes]
    assert rounds == sorted(rounds, reverse=True)
    assert (rounds[0], rounds[-1]) == (50, 12)
    assert 200_000 * rounds[5] == pytest.approx(400_000 * rounds[6], rel=0.03)  # as many words in all
    assert [tagger_plan(n).rounds for n in (1, 20_000, 40_000, 79_999)] == [40, 40, 25, 20]


@pytest.mark.parametrize("plan", [plan_for, tagger_plan])
@pytest.mark.parametrize("n_words", [1, 100, 3_000, 50_000, 300_000])
def test_rates_have_risen_after_a_fifth_of_the_training(plan, n_words):
    found = plan(n_words)
    steps = found.rounds * max(1, n_words // found.words)
    assert 1 <= found.warm_up <= max(1, steps // 5 + 1)
    assert found.words <= max(20, n_words // 16)  # of a batch: sixteen batches a round, if they are not tiny
    assert 3_000 // plan(3_000).words == 16


def test_an_unknown_size_is_refused():
    with pytest.raises(UnknownNameError, match="'default' or 'small'"):
        shape_for("huge")
