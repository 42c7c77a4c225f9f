"""Treebanks in other libraries' types and back, against these libraries."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import fastparse
from fastparse import Error, Treebank
from tests.toy import TOY, toy, toy_parser

COLUMNS = ("form", "lemma", "upos", "xpos", "feats")


def parsed():
    return toy_parser().parse(toy())


def same(treebank, other=None):
    """Whether it holds what the toy treebank does, heads and labels included."""
    other = toy() if other is None else other
    assert len(treebank) == len(other)
    for mine, yours in zip(treebank, other, strict=True):
        for column in ("forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels"):
            assert getattr(mine, column) == getattr(yours, column), column
    return True


def test_conllu():
    conllu = pytest.importorskip("conllu")
    sentences = toy().to_conllu()
    assert isinstance(sentences[0], conllu.TokenList)
    assert same(Treebank.from_objects(sentences))
    (alone,) = toy_parser().parse(sentences[0])
    assert alone is sentences[0]
    assert [token["head"] for token in alone] == parsed()[0].heads


def test_pyconll():
    pytest.importorskip("pyconll")
    sentences = toy().to_pyconll()
    assert same(Treebank.from_objects(sentences))
    assert same(Treebank.from_pyconll(sentences))
    (alone,) = toy_parser().parse(sentences[0])
    assert [int(token.head) for token in alone] == parsed()[0].heads


def test_udapi():
    pytest.importorskip("udapi")
    document = toy().to_udapi()
    assert [[node.form for node in bundle.get_tree().descendants] for bundle in document] == [s.forms for s in toy()]
    assert same(Treebank.from_objects(document))


def test_pandas():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = toy().to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["head"].tolist() == toy().heads.tolist()
    assert same(Treebank.from_objects(frame))
    (annotated,) = toy_parser().parse(frame)
    assert annotated is frame
    assert frame["head"].tolist() == parsed().heads.tolist()
    assert toy()[0].to_pandas()["form"].tolist() == toy()[0].forms
    shuffled = frame.sample(frac=1, random_state=1)
    with pytest.raises(Error, match="stand together"):
        list(toy_parser().parse(shuffled))
    with pytest.raises(Error, match="'upos'"):
        list(toy_parser().parse(frame.rename(columns={"upos": "upso"})))


@pytest.mark.parametrize("shape", ["words", "sentences"])
def test_polars(shape):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    frame = toy().to_polars() if shape == "words" else polars.from_arrow(toy().to_arrow())
    assert same(Treebank.from_objects(frame))
    (annotated,) = toy_parser().parse(frame)
    assert isinstance(annotated, polars.DataFrame)
    assert same(Treebank.from_objects(annotated), parsed())
    assert frame["head"].to_list() != annotated["head"].to_list() or toy().heads.tolist() == parsed().heads.tolist()
    with pytest.raises(Error, match="collect"):
        list(toy_parser().parse(frame.lazy()))


@pytest.mark.parametrize("shape", ["words", "sentences", "batch"])
def test_arrow(shape):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = toy().to_arrow()
    if shape == "batch":
        table = table.to_batches()[0]
    elif shape == "words":
        rows = {c: [cell for s in table.column(c).to_pylist() for cell in s] for c in (*COLUMNS, "head", "deprel")}
        ids = [name for name, s in zip(table["sent_id"].to_pylist(), toy(), strict=True) for _ in s]
        table = arrow.table({"sent_id": ids, **rows})
    assert same(Treebank.from_objects(table))
    (annotated,) = toy_parser().parse(table)
    assert type(annotated) is type(table)
    assert same(Treebank.from_objects(annotated), parsed())


def test_a_library_that_is_not_there(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(Error, match="pip install pandas"):
        toy().to_pandas()


def test_read_only_buffers():
    heads, offsets = np.array(toy().heads), np.array(toy().offsets)
    for array in (heads, offsets):
        array.setflags(write=False)
    first = heads[: offsets[1]]
    assert fastparse.trees.classify(first) == fastparse.trees.classify(first.tolist())
    assert toy().with_heads(heads).heads.tolist() == heads.tolist()
    forms = [form for sentence in toy() for form in sentence.forms]
    flat = Treebank.from_columns(forms, heads=heads, offsets=offsets)
    flat.heads[0] = 0
    assert fastparse.count_transitions(toy(), "swap").tolist()
    assert toy_parser().parse_arrays(forms, offsets=offsets)[0].shape == heads.shape
    assert fastparse.trees.planes(first) == fastparse.trees.planes(first.tolist())


# Sentences and words


def test_a_sentence_is_a_sequence_of_words():
    sentence = toy()[0]
    words = list(sentence)
    assert [word.form for word in words] == sentence.forms
    assert [word.id for word in words] == list(range(1, len(sentence) + 1))
    assert (sentence[0], sentence[-1], sentence[1:3]) == (words[0], words[-1], words[1:3])
    assert (words[0].head, words[0].deprel, words[0].upos) == (
        sentence.heads[0], sentence.deprels[0], sentence.upos[0])  # fmt: skip
    with pytest.raises(IndexError):
        sentence[len(sentence)]
    assert f"{words[0].form}/{words[0].head}:{words[0].deprel}" in repr(sentence)


def test_sentences_and_treebanks_compare():
    again = fastparse.read_conllu(TOY)
    assert again == toy()
    assert again[0] == toy()[0]
    assert again[0] != toy()[1]
    again.heads[0] = 0 if again.heads[0] else 2
    assert again != toy()
    assert again[0] != toy()[0]
    assert toy()[0] != "a sentence"


@pytest.mark.parametrize(
    "make",
    [
        toy, lambda: toy()[0], lambda: toy()[0][0], lambda: fastparse.derive([2, 0, 2], "swap"),
        lambda: fastparse.evaluate(toy(), parsed()), lambda: fastparse.trees.classify([2, 0, 2]),
        lambda: fastparse.Configuration("covington", 3), lambda: toy()[0].tokens[0],
    ],
)  # fmt: skip
def test_everything_public_pickles_copies_and_compares(make):
    thing = make()
    for again in (pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)):
        assert again == thing


# Notebooks


def test_pictures():
    assert parsed()[0]._repr_svg_().startswith("<svg")
    html = parsed()._repr_html_()
    assert html.count("<svg") == 3
    assert f"and {len(toy()) - 3:,} more" in html
    assert "<table>" in fastparse.derive([2, 0, 2], "arc-eager")._repr_html_()
    assert "las" in fastparse.evaluate(toy(), parsed())._repr_html_()
    assert toy()[0]._repr_html_() is None


def test_classes_of_trees_are_tables():
    one = fastparse.trees.classify([3, 4, 0, 3])._repr_html_()
    assert "<td>projective</td><td>no</td>" in one
    assert '<td>planes</td><td style="text-align: right">2</td>' in one
    heads, offsets = [2, 0, 3, 4, 0, 3, 0], [0, 2, 6, 7]
    many = fastparse.trees.classify_treebank(heads, offsets)._repr_html_()
    number = '<td style="text-align: right">'
    assert f"<td>projective</td>{number}2</td>{number}66.67</td>" in many
    assert f"<td>planes 1</td>{number}2</td>" in many
    assert f"<td>planes 2</td>{number}1</td>{number}33.33</td>" in many
    assert fastparse.trees.classify_treebank([], [0])._repr_html_().count("<tr>") == 1


def test_what_has_no_tree_has_no_picture():
    assert Treebank.from_columns([["a", "b"]])[0]._repr_svg_() is None
    assert "a b" in Treebank.from_columns([["a", "b"]])._repr_html_()
    assert Treebank.from_columns([["a"] * 300], heads=[[0] * 300])[0]._repr_svg_() is None


def test_importing_is_still_light():
    import subprocess
    import sys

    code = "import fastparse, sys; print('numpy' in sys.modules, 'fastparse.drawing.notebook' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False False\n"
