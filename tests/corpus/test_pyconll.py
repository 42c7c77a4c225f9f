"""Treebanks to pyconll and back, without loss."""

from __future__ import annotations

import doctest
from types import SimpleNamespace

import pytest

import fastparse
from fastparse import Treebank, read_conllu
from fastparse.corpus import treebank as treebank_module
from fastparse.corpus.foreign.objects import columns_of

pyconll = pytest.importorskip("pyconll")
if not hasattr(pyconll, "load_from_string"):
    pytest.skip("these are the tests of pyconll 3", allow_module_level=True)

TEXT = """\
# newdoc id = d
# sent_id = s1
# text = dun no
1-2\tdunno\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tdun\tdo\tVERB\tVB\tMood=Ind|Tense=Past\t0\troot\t0:root\t_
2\tno\tknow\tVERB\tVB\t_\t1\txcomp\t1:xcomp\t_
2.1\tit\tit\tPRON\t_\t_\t_\t_\t2:obj\t_

# sent_id = s2
1\twhy\twhy\tADV\t_\t_\t0\troot\t_\tSpacesAfter=\\n

"""


def test_there_and_back_is_the_same():
    treebank = read_conllu(TEXT.encode())
    back = Treebank.from_pyconll(treebank.to_pyconll())
    assert back.to_bytes().decode() == TEXT
    assert back.heads.tolist() == [0, 1, 0]


def test_from_what_pyconll_loads_and_changes():
    sentences = pyconll.load_from_string(TEXT)
    sentences[0]["2"].head = "0"
    sentences[0]["1"].deprel = "dep"
    treebank = Treebank.from_pyconll(sentences)
    assert treebank[0].heads == [0, 0]
    assert treebank[0].deprels == ["dep", "xcomp"]
    assert treebank[0].feats == ["Mood=Ind|Tense=Past", "_"]
    assert [s.sent_id for s in treebank] == ["s1", "s2"]


def test_from_a_part_and_from_an_iterator():
    sentences = pyconll.load_from_string(TEXT)
    assert Treebank.from_pyconll(iter([sentences[1]]))[0].forms == ["why"]
    assert len(Treebank.from_pyconll([])) == 0


def test_heads_of_now_are_given_to_pyconll():
    treebank = read_conllu(TEXT.encode())
    treebank.heads[:2] = [2, 0]
    treebank.deprels = ["obj", "root", "root"]
    sentence = treebank.to_pyconll()[0]
    assert [(sentence[i].head, sentence[i].deprel) for i in ("1", "2")] == [("2", "obj"), ("0", "root")]
    assert sentence["1-2"].form == "dunno"


def test_one_sentence():
    assert read_conllu(TEXT.encode())[1].to_pyconll().id == "s2"


def test_columns_go_to_pyconll():
    treebank = columns_of([(["She", "reads"], ["PRON", "VERB"])])
    assert [token.upos for token in treebank.to_pyconll()[0]] == ["PRON", "VERB"]


def test_pyconll_4_is_asked_for_its_lines(monkeypatch):
    """Its sentences have tokens and meta, and the format writes them."""
    sentence = SimpleNamespace(tokens=[], meta={})
    written = SimpleNamespace(serialize_sentence=lambda given: TEXT.split("\n\n")[0] if given is sentence else None)
    module = SimpleNamespace(conllu=written)
    monkeypatch.setitem(__import__("sys").modules, "pyconll.conllu", module)
    assert Treebank.from_pyconll([sentence])[0].forms == ["dun", "no"]


@pytest.mark.parametrize("wrong", ["text", b"text", 7, None])
def test_what_holds_no_sentences_is_refused(wrong):
    with pytest.raises(fastparse.Error, match="expected sentences of pyconll, found"):
        Treebank.from_pyconll(wrong)


def test_what_is_no_sentence_is_named():
    sentences = pyconll.load_from_string(TEXT)
    with pytest.raises(fastparse.Error, match="item 2 is no sentence of pyconll: 7"):
        Treebank.from_pyconll([sentences[0], 7])
    with pytest.raises(fastparse.Error, match="item 1 is no sentence of pyconll"):  # its tokens, for want of a list
        Treebank.from_pyconll(sentences[0])


def test_examples_in_docstrings():
    for method in (Treebank.from_pyconll, Treebank.to_pyconll):
        test = doctest.DocTestParser().get_doctest(method.__doc__, vars(treebank_module), method.__name__, None, 0)
        runner = doctest.DocTestRunner()
        runner.run(test)
        assert runner.tries
        assert not runner.failures
