"""Running text of a treebank, and the tokens of its sentences."""

import copy
import pickle

import pytest

import fastparse
from fastparse import Treebank

CONLLU = (
    b"# newpar\n"
    b"1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdo\t_\t_\t_\t_\t0\troot\t_\t_\n2\tn't\t_\t_\t_\t_\t1\tadvmod\t_\t_\n"
    b"3\tgo\t_\t_\t_\t_\t1\txcomp\t_\tSpaceAfter=No\n4\t!\t_\t_\t_\t_\t1\tpunct\t_\t_\n\n"
    b"1\t1000\t_\t_\t_\t_\t0\troot\t_\tSpacesInToken=1\\s000|SpacesAfter=\\n|SpacesBefore=\\s\n"
    b"1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n2\tmen\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    b"# newpar\n1\tEnd\t_\t_\t_\t_\t0\troot\t_\tTokenRange=90:93\n\n"
)


def test_text_tokens_and_places():
    treebank = fastparse.read_conllu(CONLLU)
    assert treebank.to_text() == "don't go!  1 000\nmen\n\nEnd\n"
    assert [sentence.text for sentence in treebank] == ["don't go!", "1 000\nmen", "End"]
    assert [tuple(token) for token in treebank[0].tokens] == [
        ("don't", 0, 5, range(1, 3)), ("go", 6, 8, range(3, 4)), ("!", 8, 9, range(4, 5)),
    ]  # fmt: skip
    assert [(token.form, token.start, token.end) for token in treebank[1].tokens] == [("1000", 11, 16), ("men", 17, 20)]
    assert [(token.start, token.end) for token in treebank[2].tokens] == [(90, 93)]


def test_treebanks_without_source_have_text_too():
    treebank = Treebank.from_columns([["Go", "!"], [], ["Yes"]], misc=[["SpaceAfter=No", "_"], [], ["_"]])
    assert treebank.to_text() == "Go! Yes\n"
    assert [sentence.text for sentence in treebank] == ["Go!", "", "Yes"]
    assert treebank[1].tokens == []
    assert Treebank.from_columns([]).to_text() == ""


@pytest.mark.parametrize("on_error", ["skip", "keep"])
def test_sentences_that_cannot_be_read_have_no_part_in_it(on_error):
    treebank = fastparse.read_conllu(b"1\tbroken\n\n" + CONLLU, on_error=on_error)
    assert treebank.to_text() == fastparse.read_conllu(CONLLU).to_text()
    assert treebank[1].text == "1 000\nmen"


def test_parts_copies_and_other_notes_have_their_own_text():
    treebank = fastparse.read_conllu(CONLLU)
    assert treebank.to_text()
    assert treebank[1:].to_text() == " 1 000\nmen\n\nEnd\n"
    for other in (pickle.loads(pickle.dumps(treebank)), copy.deepcopy(treebank)):
        assert other.to_text() == treebank.to_text()
    together = treebank[:1].with_columns(misc=([0] * 4, ["SpaceAfter=No"]))
    assert together.to_text() == "don't go!"
