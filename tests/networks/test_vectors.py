"""Word vectors from outside: read, brought to size, and of use for words that training has not seen."""

import gzip
from dataclasses import replace

import numpy as np
import pytest

import fastparse
from fastparse import Error
from fastparse.encoder.inputs import UNKNOWN
from fastparse.learning.networks.plans import Dropout, Plan
from fastparse.learning.networks.shapes import Shape
from fastparse.learning.networks.vectors import FixedRows, Vectors, read_vectors
from fastparse.learning.taggers import tagger_of
from tests.networks.small import tagger_network
from tests.tagger.models import column
from tests.toy import toy

FILE = b"4 2\nThe 1 2\nthe 3 4\nLondon 5 6\nlondon's end 7 8\n"


def test_words_and_numbers_are_read(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_bytes(FILE)
    found = read_vectors(path)
    assert found.words == ("the", "london", "london's end")
    np.testing.assert_array_equal(found.rows, [[3, 4], [5, 6], [7, 8]])
    packed = tmp_path / "vectors.gz"
    packed.write_bytes(gzip.compress(FILE.split(b"\n", 1)[1].rstrip()))
    again = read_vectors(packed)
    assert again.record == found.record
    assert found.record["words"] == 3


def test_as_many_words_as_asked_for_and_those_of_the_treebank(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_bytes(FILE)
    assert read_vectors(path, most=1).words == ("the",)
    assert read_vectors(path, ["LONDON"], most=1).words == ("the", "london")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no word vectors"),
        (b"3 2\n", "no word vectors"),
        (b"the 1 2\ncat 1\n", "line 2: expected a word and 2 numbers"),
        (b"the 1 2\ncat 1 two\n", "line 2: some of the 2 fields"),
        (b"the 1 inf\n", "line 1: a number that is not finite"),
        (b"x" * (1 << 20) + b"y" * 10, "line of more than"),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    path = tmp_path / "vectors.txt"
    path.write_bytes(content)
    with pytest.raises(Error, match=message):
        read_vectors(path)


def test_the_largest_components_are_kept():
    random = np.random.default_rng(1)
    plane = random.standard_normal((50, 2)) @ random.standard_normal((2, 6)) + 3
    found = Vectors(tuple(map(str, range(50))), plane.astype(np.float32)).fitted(2)

    def distances(rows):
        return np.linalg.norm(rows[:, None] - rows[None], axis=2)

    ratio = distances(found)[np.triu_indices(50, 1)] / distances(plane)[np.triu_indices(50, 1)]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-4)
    assert np.sqrt(np.mean(found**2)) == pytest.approx(0.3, rel=1e-4)
    wide = Vectors(("a", "b"), np.eye(2, dtype=np.float32)).fitted(5)
    assert wide.shape == (2, 5)
    assert not wide[:, 2:].any()


def test_words_that_are_not_learnt_share_the_row_of_unknown_ones():
    fixed = FixedRows(np.arange(12, dtype=np.float32).reshape(6, 2), n_learnt=4)
    assert fixed.learnt(np.array([0, 3, 4, 5])).tolist() == [0, 3, UNKNOWN, UNKNOWN]
    table = np.array([[0, 0], [1, 1], [2, 2], [3, 3]], np.float32)
    np.testing.assert_array_equal(fixed.whole(table)[4:], fixed.rows[4:] + 2)
    np.testing.assert_array_equal(fixed.whole(table)[:4], fixed.rows[:4] + table)


def vectors_of(bank, others):
    """A cluster per UPOS; others: words with the UPOS of theirs."""
    tags = sorted({*column(bank, "upos"), *others.values()})
    means = np.random.default_rng(5).standard_normal((len(tags), 12))
    words = dict(zip((form.lower() for form in column(bank, "form")), column(bank, "upos"), strict=True)) | others
    noise = np.random.default_rng(6).standard_normal((len(words), 12)) * 0.1
    rows = np.stack([means[tags.index(tag)] for tag in words.values()]) + noise
    return Vectors(tuple(words), rows.astype(np.float32))


def test_unseen_words_are_tagged_as_those_with_like_vectors():
    bank = toy()
    unseen = {"qqqqq": "VERB", "qqqqqq": "NOUN"}
    shape = Shape(width=32, pieces=2, distances=(1,), form=16, affix=8, tag=0, feature=0)
    plan = Plan(rounds=30, words=60, rate=8e-3, outputs=("upos", "tags"), least=1, mean=0.99)
    plan = replace(plan, dropout=Dropout(word=0.4, affix=0.4, layer=0))
    given = vectors_of(bank, unseen)
    found = tagger_network(bank, shape, plan, given)
    assert len(found.arrays["form"]) == len(found.inputs.form) + 3 - len(unseen)
    tagger = tagger_of(found, bank, ("upos",), "small")
    asked = fastparse.read_conllu(b"1\tQqqqq\t_\t_\t_\t_\t0\t_\t_\t_\n\n1\tqqqqqq\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    ids, strings = tagger.tag(asked)["upos"]
    assert [strings[i] for i in ids] == list(unseen.values())


def test_models_learn_with_vectors_and_remember_them(tmp_path):
    path = tmp_path / "vectors.txt"
    given = vectors_of(toy(), {"qqqqq": "VERB"})
    lines = (f"{word} {' '.join(map(str, row))}" for word, row in zip(given.words, given.rows.tolist(), strict=True))
    path.write_text("\n".join(lines), encoding="utf-8")
    options = {"encoder": "small", "iterations": 2, "components": ("tagger", "parser"), "folds": 2, "system": "hybrid"}

    def saved(name, **more):
        fastparse.train(toy()[:20], **options, **more).save(tmp_path / name)
        return (tmp_path / name).read_bytes()

    first = saved("first.fp", vectors=path)
    assert first == saved("second.fp", vectors=path)
    assert first.count(b'"vectors"') == 2
    assert b'"vectors"' not in saved("without.fp")
    assert len(saved("fewer.fp", vectors=path, vector_words=0)) < len(first)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vectors": "v.txt", "encoder": None}, "are of encoders"),
        ({"vector_words": 5, "encoder": "small"}, "name their file"),
        ({"vectors": "v.txt", "vector_words": -1, "encoder": "small"}, "expected a number from 0"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, message):
    with pytest.raises(Error, match=message):
        fastparse.train(toy(), "hybrid", **options)
