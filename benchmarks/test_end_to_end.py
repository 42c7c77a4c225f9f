"""Everything a user waits for."""

import pytest

import fastparse


@pytest.mark.parametrize("threads", [1, 2])
def test_greedy_from_file_to_file(per_word, greedy, treebank, source, tmp_path, threads):
    report = per_word(lambda: greedy.parse_file(source, tmp_path / "out.conllu", threads=threads))
    assert report.words == treebank.n_words


def test_beam_from_file_to_file(per_word, beam, treebank, source, tmp_path):
    assert per_word(lambda: beam.parse_file(source, tmp_path / "out.conllu", beam=32)).words == treebank.n_words


def test_arrays(per_word, greedy, treebank):
    assert len(per_word(greedy.parse_arrays, treebank)[0]) == treebank.n_words


def test_one_sentence(benchmark, greedy, treebank):
    nearest = min(range(len(treebank)), key=lambda i: abs(len(treebank[i].heads) - 20))
    sentence = treebank[nearest : nearest + 1]
    assert len(benchmark(greedy.parse, sentence)) == 1


def test_load(benchmark, greedy, tmp_path):
    path = tmp_path / "greedy.fp"
    greedy.save(path)
    assert benchmark(fastparse.load, path).labels == greedy.labels


def test_evaluate(per_word, greedy, treebank):
    predicted = greedy.parse(treebank)
    assert per_word(fastparse.evaluate, treebank, predicted).uas > 50
