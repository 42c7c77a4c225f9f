"""How sure a parser is of its arcs."""

import numpy as np
import pytest

import fastparse
from fastparse.errors import Error
from fastparse.learning.networks import plans as presets
from fastparse.learning.networks.shapes import Shape
from fastparse.model.description import USUAL_CONFIDENCE, description_from
from fastparse.search.confidence import confidence, fitted, with_notes
from tests.toy import toy

TINY = Shape(width=32, pieces=2, distances=(1, 2), form=32, affix=16, tag=16, feature=16, hidden=32, rank=8)


@pytest.fixture(scope="module")
def parser():
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(presets.SIZES, "tiny", TINY)
        return fastparse.train(toy(), "hybrid", dev=toy(), encoder="tiny", iterations=4, components=("parser",))


def notes(treebank):
    """The probabilities in MISC, a row per word."""
    found = []
    for sentence in treebank:
        for misc in sentence.misc:
            pairs = dict(note.split("=") for note in misc.split("|"))
            found.append((float(pairs["ArcProb"]), float(pairs["LabelProb"])))
    return np.array(found)


@pytest.mark.parametrize("beam", [1, 4])
def test_scores_change_no_tree_and_agree_with_arrays(parser, beam):
    plain, scored = parser.parse(toy(), beam), parser.parse(toy(), beam, scores=True)
    assert plain.heads.tolist() == scored.heads.tolist()
    assert plain.deprels == scored.deprels
    found = notes(scored)
    heads, _, arrays = parser.parse_arrays(toy(), beam=beam, threads=2, scores=True)
    assert heads.tolist() == plain.heads.tolist()
    np.testing.assert_allclose(found, arrays, atol=0.00051)
    assert (arrays > 0).all()
    assert (arrays <= 1).all()
    assert (arrays[:, 1] <= arrays[:, 0]).all()
    assert len(np.unique(arrays[:, 0])) > 10


def test_probabilities_tell_how_many_are_right(parser):
    _, _, found = parser.parse_arrays(toy(), scores=True)
    right = np.asarray(parser.parse(toy()).heads) == np.asarray(toy().heads)
    assert abs(found[:, 0].mean() - right.mean()) < 0.03
    assert right.all() or found[right, 0].mean() > found[~right, 0].mean()


def test_files_get_scores(parser, tmp_path):
    parser.parse_file(toy().to_bytes(), tmp_path / "out.conllu", scores=True, batch_words=20)
    whole = parser.parse(toy(), scores=True)
    assert (tmp_path / "out.conllu").read_bytes() == whole.to_bytes()
    again = parser.parse(whole, scores=True)
    assert again.to_bytes() == whole.to_bytes()


def test_notes_join_those_that_are_there():
    bank = fastparse.Treebank.from_columns(["a", "b", "c"], misc=["SpaceAfter=No", "_", "ArcProb=0.1|X=1|LabelProb=1"])
    found = with_notes(bank, np.array([[1, 0.5], [0.25, 0.1239], [0, 0]]))
    assert [misc for sentence in found for misc in sentence.misc] == [
        "SpaceAfter=No|ArcProb=1.000|LabelProb=0.500",
        "ArcProb=0.250|LabelProb=0.124",
        "X=1|ArcProb=0.000|LabelProb=0.000",
    ]


def test_a_fit_makes_probabilities_true():
    random = np.random.default_rng(1)
    logs = np.rint(-np.abs(random.normal(0, 800, (2, 40_000)))).astype(np.int32)
    truth = confidence(logs, (0.5, 0.4, -0.3, 0.7)).T
    right = random.random(40_000) < truth
    found = confidence(logs, fitted(logs, right))
    assert np.abs(found.T - truth).max() < 0.03
    for k in range(2):
        for low in np.arange(0.3, 1, 0.1):
            some = (found[:, k] >= low) & (found[:, k] < low + 0.1)
            if some.sum() > 500:
                assert abs(found[some, k].mean() - right[k, some].mean()) < 0.03
    assert fitted(logs, np.ones((2, 40_000), bool)) == USUAL_CONFIDENCE


def test_a_linear_parser_cannot_tell(tmp_path):
    linear = fastparse.train(toy(), "hybrid", beam=1, iterations=1, components=("parser",), encoder=None)
    for ask in (
        lambda: linear.parse(toy(), scores=True),
        lambda: linear.parse([["a"]], scores=True),
        lambda: linear.parse_arrays(["a"], scores=True),
        lambda: linear.parse_file(toy().to_bytes(), tmp_path / "out", scores=True),
    ):
        with pytest.raises(Error, match="linear model does not know"):
            ask()
    assert not (tmp_path / "out").exists()


def test_a_description_may_lack_the_fit(parser):
    described = parser._description.to_dict()
    assert len(described["confidence"]) == 4
    without = {key: value for key, value in described.items() if key != "confidence"}
    assert description_from(without).confidence == USUAL_CONFIDENCE
    with pytest.raises(Error, match="confidence"):
        description_from({**described, "confidence": [0, 1, "x", 1]})
