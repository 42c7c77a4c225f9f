"""Labels as parts of moves, from training to the file and back."""

from __future__ import annotations

import pytest

import fastparse
from fastparse import Error
from tests.toy import toy


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("system", ["arc-eager", "swap", "three-step"])
def test_a_model_keeps_how_labels_are_chosen(tmp_path, system, beam):
    options = {"beam": beam, "iterations": 3, "components": ("parser",)}
    parser = fastparse.train(toy(), system, labels="moves", encoder=None, **options)
    assert parser.info["chosen_by"] == "moves"
    parser.save(tmp_path / "model.fp")
    again = fastparse.load(tmp_path / "model.fp")
    assert again.info["chosen_by"] == "moves"
    parsed = parser.parse(toy())
    assert again.parse(toy()).to_conllu() == parsed.to_conllu()
    assert fastparse.evaluate(toy(), parsed).las > 80
    other = fastparse.train(toy(), system, encoder=None, **options)
    assert "chosen_by" not in other.info
    assert other.sha256 != parser.sha256


def test_what_cannot_choose_so_says_it():
    with pytest.raises(Error, match="easy-first chooses labels once the arc is drawn"):
        fastparse.train(toy(), "easy-first", beam=1, labels="moves")
    with pytest.raises(Error, match="labels='moves' is for weights of features"):
        fastparse.train(toy(), encoder="small", labels="moves")
    with pytest.raises(Error, match="labels='words' is unknown"):
        fastparse.train(toy(), labels="words", encoder=None)
