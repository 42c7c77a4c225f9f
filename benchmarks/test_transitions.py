"""Systems and their oracles, without a model."""

import pytest

import fastparse

SYSTEMS = ("arc-standard", "arc-eager", "hybrid", "swap", "attardi", "planar", "2-planar", "two-registers", "covington")


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
