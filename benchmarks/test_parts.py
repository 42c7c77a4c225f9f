"""Each part alone, small, for comparing two revisions: pytest benchmarks --benchmark-enable --benchmark-only."""

import numpy as np
import pytest

import fastparse
from fastparse.weights.building import table_of

SYSTEMS = ("arc-standard", "arc-eager", "hybrid", "swap", "attardi", "planar", "2-planar", "two-registers", "covington")


# ── everything a user waits for ──


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


# ── what templates read: attributes of words, and keys of states ──


def test_attributes(per_word, greedy, treebank):
    per_word(greedy._decoder.kind.values, treebank)


def test_extraction(per_word, greedy, treebank, search_of):
    """A greedy search with a model without any weight: extraction and one look per feature, but no row."""
    nothing = np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32)
    tables = {name: table_of(table.width, table.for_moves, *nothing) for name, table in greedy._decoder.weights.items()}
    per_word(search_of(greedy, treebank, 1, greedy._decoder.kind.engine(tables)))


# ── reading CoNLL-U into columns and writing it again ──


def test_read(per_word, source, treebank):
    assert per_word(fastparse.read_conllu, source).n_words == treebank.n_words


def test_read_in_batches(per_word, source, treebank):
    assert per_word(lambda: sum(batch.n_words for batch in fastparse.iter_conllu(source))) == treebank.n_words


def test_write(per_word, source, treebank):
    assert per_word(treebank.to_bytes) == source.read_bytes()


# ── greedy search and beams, from attributes to heads ──


def test_greedy(per_word, greedy, treebank, search_of):
    assert (per_word(search_of(greedy, treebank, 1)) == treebank.heads).mean() > 0.5


@pytest.mark.parametrize("sharing", [True, False], ids=["sharing", "no sharing"])
@pytest.mark.parametrize("size", [8, 32])
def test_beam(per_word, beam, treebank, search_of, size, sharing):
    heads = per_word(search_of(beam, treebank, size, sharing=sharing))
    assert np.array_equal(heads, beam.parse(treebank, beam=size).heads)


# ── systems and their oracles, without a model ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_derivations(per_word, treebank, system):
    counts = per_word(fastparse.count_transitions, treebank, system)
    assert (counts > 0).any()


@pytest.mark.parametrize("system", SYSTEMS)
def test_moves_one_by_one(benchmark, system):
    """Through the Python interface, for a chain in which every word is the head of the next."""
    n = 100
    moves = fastparse.derive(list(range(n)), system).moves

    def replay():
        configuration = fastparse.Configuration(system, n)
        for move in moves:
            configuration.apply(move)
        return configuration

    assert benchmark(replay).heads == list(range(n))
    benchmark.extra_info["moves"] = len(moves)
