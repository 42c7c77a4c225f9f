"""Reading CoNLL-U into columns and writing it again."""

import fastparse


def test_read(per_word, source, treebank):
    assert per_word(fastparse.read_conllu, source).n_words == treebank.n_words


def test_read_in_batches(per_word, source, treebank):
    assert per_word(lambda: sum(batch.n_words for batch in fastparse.iter_conllu(source))) == treebank.n_words


def test_write(per_word, source, treebank):
    assert per_word(treebank.to_bytes) == source.read_bytes()
