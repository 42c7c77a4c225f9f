"""Which tags a model reads: those of two columns together, where the second one refines the first."""

import numpy as np
import pytest

import fastparse
from tests.toy import toy


def tagged(xpos, n=None):
    trees = toy()[:n]
    return fastparse.Treebank.from_columns(
        [s.forms for s in trees], upos=[s.upos for s in trees], xpos=[[xpos(tag) for tag in s.upos] for s in trees],
        heads=[s.heads for s in trees], deprels=[s.deprels for s in trees],
    )  # fmt: skip


def heads_of(parser, treebank):
    return parser.parse(treebank).heads.tolist()


@pytest.fixture(scope="module")
def plain():
    return fastparse.train(tagged(lambda tag: "_"), "arc-eager", beam=1, iterations=3, encoder=None)


def test_a_model_that_saw_no_xpos_does_not_read_it(plain):
    expected = heads_of(plain, tagged(lambda tag: "_"))
    assert np.mean(np.array(expected) == toy().heads) > 0.9
    assert heads_of(plain, tagged(lambda tag: tag + "X")) == expected


def test_a_model_that_saw_xpos_reads_it():
    parser = fastparse.train(tagged(lambda tag: tag + "X"), "arc-eager", beam=1, iterations=3, encoder=None)
    known = heads_of(parser, tagged(lambda tag: tag + "X"))
    assert np.mean(np.array(known) == toy().heads) > 0.9
    assert heads_of(parser, tagged(lambda tag: tag + "Y")) != known


def test_xpos_is_read_where_there_is_no_upos():
    def bank(mark):
        trees = toy()
        return fastparse.Treebank.from_columns(
            [["w"] * len(s.forms) for s in trees], xpos=[[tag + mark for tag in s.upos] for s in trees],
            heads=[s.heads for s in trees], deprels=[s.deprels for s in trees],
        )  # fmt: skip

    parser = fastparse.train(bank("X"), "arc-eager", beam=1, iterations=3, components=("parser",), encoder=None)
    known = heads_of(parser, bank("X"))
    assert np.mean(np.array(known) == toy().heads) > 0.8
    assert np.mean(np.array(heads_of(parser, bank("Y"))) == toy().heads) < 0.6
