"""Networks by the names of their sizes."""

import numpy as np
import pytest

from fastparse.errors import Error, UnknownNameError
from fastparse.networks import presets
from fastparse.networks.blas import _openblas, one_thread
from fastparse.networks.presets import plan_for, shape_for
from fastparse.networks.shapes import Shape
from fastparse.training.network_parsers import set_temperature, train_parser, train_tagger_and_parser
from tests.toy import toy


@pytest.fixture
def tiny(monkeypatch):
    """A size that trains in a second."""
    shape = Shape(width=16, pieces=2, distances=(1,), form=16, affix=8, tag=8, feature=8, hidden=16, rank=8)
    monkeypatch.setitem(presets.SIZES, "tiny", shape)


def test_small_treebanks_are_dropped_more_of():
    small, large = plan_for(20_000), plan_for(200_000)
    assert small.dropout.word > large.dropout.word
    assert small.words < large.words
    assert plan_for(20_000, rounds=3).rounds == 3


def test_an_unknown_size_is_refused():
    with pytest.raises(UnknownNameError, match="'default' or 'small'"):
        shape_for("huge")


@pytest.mark.parametrize("system", ["easy-first", "three-step", "dag/arc-eager"])
def test_systems_without_states_are_refused(system):
    with pytest.raises(Error):
        train_parser(toy(), system)


def test_a_parser_is_trained(tiny):
    network, rounds = train_parser(toy(), "hybrid", toy(), "tiny", rounds=4, report=lambda row: None)
    heads = network.annotate(toy())[0]
    assert network.temperature in (1.0, 1.5, 2.0, 2.5)
    best = max(rounds, key=lambda row: (row.scores["las"], row.number))
    assert 100 * (heads == toy().heads).mean() == pytest.approx(best.scores["uas"])


def test_the_temperature_is_the_one_a_beam_is_best_with(tiny, monkeypatch):
    network, _ = train_parser(toy(), "hybrid", None, "tiny", rounds=2, report=lambda row: None)
    assert network.temperature == 1
    asked, gold = [], [toy().heads, np.array([network.labels.index(s) for s in toy().deprels], np.int32)]

    def annotate(self, treebank, rows, beam, temperature):
        asked.append((beam, temperature))
        heads = gold[0] if temperature == 2 else 0 * gold[0]
        return heads, gold[1], {}

    monkeypatch.setattr(type(network), "annotate", annotate)
    assert set_temperature(network, toy()) == network.temperature == 2
    assert (4, 1.0) in asked


def test_a_parser_of_said_tags_is_trained(tiny):
    tagger, network, rounds = train_tagger_and_parser(
        toy(), "two-registers", toy(), "tiny", rounds=2, report=lambda row: None
    )
    assert set(tagger.shape.outputs) == {"upos", "xpos", "feats"}
    assert {"las", "own las"} <= rounds[-1].scores.keys()
    assert not network.shape.outputs


def test_products_are_made_on_one_thread():
    with one_thread() as arranged:
        found = _openblas()
        assert arranged == (found is not None)
        if found is not None:
            assert found[0]() == 1
        assert np.matmul(np.eye(4), np.ones((4, 4))).sum() == 16
