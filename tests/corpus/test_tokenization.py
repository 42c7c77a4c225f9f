"""Treebanks that the tokenizer has filled are those the reader makes of the same bytes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import fastparse
from fastparse.corpus.derived import joined
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from tests.corpus.tokenizations import check_columns
from tests.text import toy
from tests.text.test_tokenizer import ODD, TEXT

TEXTS = {"prose": TEXT * 5, "starts in white space": " \n\n\t" + TEXT, "empty": "", "blank": " \n", **ODD}


@pytest.mark.parametrize("offsets", [False, True])
@pytest.mark.parametrize("mode", ["text", "lines", "words"])
@pytest.mark.parametrize("name", TEXTS)
def test_columns_are_what_the_reader_finds(name: str, mode: str, offsets: bool):
    treebank = toy.tokenizer().treebank(TEXTS[name], input=mode, offsets=offsets)
    check_columns(treebank)
    assert treebank.to_bytes() == toy.tokenizer().tokenize(TEXTS[name], input=mode, offsets=offsets)


def test_a_single_space_is_not_worth_a_note():
    """Whatever else is to be said of a token: only other white space after it is spelt out."""
    text = "  So it is . \nAnd\tit is."
    for offsets in (False, True):
        treebank = toy.tokenizer().treebank(text, input="lines", offsets=offsets)
        notes = [misc for sentence in treebank for misc in sentence.misc]
        spaces = ["|".join(note for note in misc.split("|") if not note.startswith("TokenRange")) for misc in notes]
        forms = [form for sentence in treebank for form in sentence.forms]
        assert ["SpacesAfter" in note for note in spaces] == [form == "And" or at == 3 for at, form in enumerate(forms)]
        assert spaces[0] == r"SpacesBefore=\s\s"
        assert spaces[1] == spaces[2] == ("" if offsets else "_")
        assert all("TokenRange" in misc for misc in notes) is offsets


def annotated(treebank: Treebank, plain: Treebank) -> list[Treebank]:
    """The same with heads and cells, made of columns and of bytes."""
    n = treebank.n_words
    made = []
    for one in (treebank, plain):
        heads = np.concatenate([np.arange(size) for size in np.diff(one.offsets)]) if n else np.zeros(0, int)
        one = one.with_heads(heads, np.arange(n) % 3 - 1, ["root", "a long label, longer than others"])
        one = one.with_columns(upos=(np.arange(n) % 2, ["NOUN", "X"]), lemma=(np.arange(n) % 3 - 1, ["\u00e9", "le"]))
        made.append(one)
    return made


@pytest.mark.parametrize("deps", ["keep", "copy", "blank"])
def test_what_the_column_deps_has_gives_way(deps: str):
    treebank = toy.tokenizer().treebank(TEXT)
    given = treebank.with_columns(deps=(np.zeros(treebank.n_words, np.int32), ["0:x"]))
    assert given.to_bytes(deps) == read_conllu(given.to_bytes()).to_bytes(deps)
    assert (b"0:x" in given.to_bytes(deps)) is (deps == "keep")


@pytest.mark.parametrize("deps", ["keep", "copy", "blank"])
@pytest.mark.parametrize("name", TEXTS)
def test_annotation_is_written_as_into_bytes(name: str, deps: str):
    treebank = toy.tokenizer().treebank(TEXTS[name], offsets=len(name) % 2 == 0)
    mine, spliced = annotated(treebank, read_conllu(treebank.to_bytes(), format="conllu"))
    assert mine.to_bytes(deps) == spliced.to_bytes(deps)
    assert mine[1:3].to_bytes(deps) == spliced[1:3].to_bytes(deps)
    notes = {"misc": (np.arange(treebank.n_words) % 2 - 1, ["ArcProb=0.5"])}
    assert mine.with_columns(**notes).to_bytes(deps) == spliced.with_columns(**notes).to_bytes(deps)
    assert pickle.loads(pickle.dumps(mine)).to_bytes(deps) == spliced.to_bytes(deps)
    assert mine == spliced


def test_parts_are_joined_and_numbered_through():
    tokenizer = toy.tokenizer()
    text = "  " + "\n\n".join([TEXT, *ODD.values()] * 9) + " "
    whole = tokenizer.treebank(text, offsets=True)
    for size in (1, 100, 3000):
        parts = [tokenizer.sentences_of(c).treebank for c in tokenizer.chunks([text.encode()], offsets=True, size=size)]
        assert len(parts) > 1
        check_columns(joined(parts))
        assert joined(parts).to_bytes() == whole.to_bytes()
        parts = [annotated(part, part)[0] for part in parts]
        tree = joined(parts)
        spliced = read_conllu(tree.to_bytes(), format="conllu")
        for name in ("form", "lemma", "upos", "xpos", "feats", "deprel"):
            assert tree.ids(name).tolist() == spliced.ids(name).tolist()
            assert tree.table(name) == spliced.table(name)


def test_the_first_number_is_that_which_is_wanted():
    treebank = toy.tokenizer().treebank(TEXT)
    assert b"# sent_id = 1000\n" in treebank.to_bytes(first=1000)
    assert treebank.to_bytes(first=1) == treebank.to_bytes()
    read = read_conllu(treebank.to_bytes())
    assert read.to_bytes(first=7) == read.to_bytes()


def test_what_cannot_be_written_is_refused():
    treebank = toy.tokenizer().treebank(TEXT)
    treebank.heads[3] = 99
    with pytest.raises(fastparse.Error, match=r"sent_id 1\): the head 99 of word 4"):
        treebank.to_bytes()
    treebank.heads[3] = -1
    treebank.deprel_ids[0] = 5
    with pytest.raises(fastparse.Error, match="label id 5 of word 1"):
        treebank.to_bytes()
