"""Words as search reads them: the rows of `Inputs.rows`, each kind of word once."""

import numpy as np
import pytest

import fastparse
from fastparse.corpus.strings.interning import StringTable
from fastparse.encoder.arrays import stored
from fastparse.encoder.encoder import Encoder
from fastparse.encoder.inputs import GROUPS, NOTHING, Inputs
from fastparse.encoder.reading import Forms, WordReader
from fastparse.encoder.scratch import Scratch
from tests.encoder.networks import random_arrays, random_words
from tests.toy import toy


@pytest.mark.parametrize("own", [False, True, np.arange(len(toy())) % 2 == 1])
@pytest.mark.parametrize("options", [{}, {"own": True}, {"own": True, "longest_affix": 5, "most_grams": 4}])
def test_the_rows_of_words_are_found(own, options):
    inputs, bank = Inputs.learn(toy(), **options), toy()
    expected, where = inputs.rows(bank, own), inputs.columns()
    found = WordReader(inputs).words(bank, own)
    starts = np.concatenate(([0], found.ends.reshape(-1)[:-1])).reshape(found.ends.shape)
    assert len(found.rows) == len(expected)
    for word, row in zip(expected, found.rows, strict=True):
        for k, group in enumerate(GROUPS):
            ids = found.ids[starts[row, k] : found.ends[row, k]]
            assert sorted(ids) == sorted(i for i in word[slice(*where[group])] if i != NOTHING)
    assert sorted(set(found.rows.tolist())) == list(range(len(found.ends)))


def test_a_kind_of_word_is_there_once():
    bank = fastparse.Treebank.from_columns(
        ["the", "cat", "the", "Cat", "the"], ["DET", "NOUN", "DET", "NOUN", "X"], offsets=[0, 2, 5]
    )
    found = WordReader(Inputs.learn(toy())).words(bank)
    assert found.rows.tolist() == [0, 1, 2, 0, 1, 3, 4]
    again = WordReader(Inputs.learn(toy(), own=True)).words(bank, [False, True])
    assert again.rows.tolist() == [0, 1, 2, 0, 3, 4, 5]


def test_forms_that_were_read_before_have_the_same_rows():
    """More forms than are kept, some of them longer than those that are."""
    forms = Forms(Inputs.learn(toy(), longest_affix=5, most_grams=3))
    table = [f"{word}{i}" for i in range(9000) for word in ("barks", "Cat", "x" * 50)]
    ids, ends = forms.read(StringTable.of(table), np.arange(len(table), dtype=np.int32))
    for _ in range(2):
        places = np.random.default_rng(1).permutation(len(table)).astype(np.int32)
        found, found_ends = forms.read(StringTable.of(table), places)
        begins = np.concatenate(([0], ends[:-1, 1]))
        expected = [ids[begins[i] : ends[i, 1]] for i in [0, *(places + 1).tolist()]]
        np.testing.assert_array_equal(found, np.concatenate(expected))
        np.testing.assert_array_equal(np.diff(found_ends[:, 1], prepend=0), [len(own) for own in expected])
        np.testing.assert_array_equal(found_ends[1:, 0] - found_ends[:-1, 1], 1)


def test_a_treebank_without_words():
    found = WordReader(Inputs.learn(toy())).words(toy()[:0])
    assert len(found.rows) == 0
    assert found.ends.shape == (1, 4)


def test_kinds_give_the_vectors_of_their_words():
    """More kinds than are kept, so that some are forgotten and computed again, in the same block too."""
    random = np.random.default_rng(1)
    arrays = random_arrays(4, width=16, dilations=(1,), tags=(), arcs=0)
    n_kinds = 9000
    ids, ends = random_words(3, [n_kinds], most=2)
    lengths = random.integers(1, 30, 1500)
    kinds = random.integers(0, n_kinds, lengths.sum()) // random.choice([1, 100], lengths.sum())
    kinds[50:150] = np.tile([7, 7 + 4096, 7, 7 + 8192], 25)
    begins = np.concatenate(([0], ends.reshape(-1)[:-1])).reshape(ends.shape)
    own_ids = np.concatenate([ids[begins[k, 0] : ends[k, -1]] for k in kinds])
    own_ends = np.cumsum((ends - begins)[kinds].reshape(-1)).reshape(-1, ends.shape[1])
    scratch = Scratch(Encoder(stored(arrays)))
    scratch.encode(own_ids, own_ends, lengths)
    expected = scratch.vectors()
    scratch.encode(ids, ends, lengths, kinds)
    np.testing.assert_array_equal(scratch.vectors(), expected)
    with pytest.raises(fastparse.errors.Error, match="kinds are"):
        scratch.encode(ids, ends, lengths, kinds + n_kinds)
