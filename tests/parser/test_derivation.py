"""The parser's own moves: they lead to the tree that parsing gives, and are as many as it counts."""

import pytest

from fastparse.errors import Error
from tests.parser.test_encoder import learnt
from tests.toy import toy, toy_parser

SYSTEMS = ("arc-eager", "arc-standard", "hybrid", "planar", "2-planar", "swap", "attardi", "covington", "two-registers")


def check(parser, beam):
    treebank = toy()[:15]
    parsed, work = parser.measure(treebank, beam)
    whole = 0
    for number, sentence in enumerate(parsed):
        derivation = parser.derivation(treebank[number], beam)
        assert len(derivation) == work.transitions[number]
        end = derivation.end()
        drawn = {(head, word, label) for head, word, label in end.labelled_arcs}
        tree = set(zip(sentence.heads, range(1, len(sentence) + 1), sentence.deprels, strict=True))
        assert drawn <= tree
        whole += drawn == tree
    assert whole > 5


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("system", SYSTEMS)
def test_of_linear_models(system, beam):
    check(toy_parser(system), beam)


@pytest.mark.parametrize("labels", ["moves", "arcs"])
def test_where_labels_are_parts_of_moves_too(labels):
    check(toy_parser("arc-eager", labels=labels), 4)


@pytest.mark.parametrize("beam", [1, 4])
def test_of_encoders(beam):
    check(learnt("two-registers", 20), beam)


def test_sentences_are_given_as_to_parse():
    parser = toy_parser()
    assert parser.derivation(toy()[:1]) == parser.derivation(toy()[0])
    assert parser.derivation(["She", "reads"]).n == 2


def test_one_sentence_is_derived():
    for number in (0, 2):
        with pytest.raises(Error, match=f"one sentence, found {number}"):
            toy_parser().derivation(toy()[:number])


@pytest.mark.parametrize("system", ["easy-first", "three-step"])
def test_searches_without_moves_from_configuration_to_configuration(system):
    parser = toy_parser(system, beam=1) if system == "easy-first" else toy_parser(system)
    with pytest.raises(Error, match=r"fastparse\.derive"):
        parser.derivation(toy()[0])
