"""Learning from beams: what they find, and what is learnt of it."""

import numpy as np
import pytest

import fastparse
from fastparse.learning.networks.encoder import Buffers, Encoder
from fastparse.learning.networks.network import rows_of
from tests.networks.small import course
from tests.toy import toy

WIDE = 32  # states: more than there are ways to trees of two words
TWO_WORDS = fastparse.read_conllu(b"1\tShe\t_\tPRON\t_\t_\t_\t_\t_\t_\n2\treads\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n")


def ways(network, bank, size):
    """What a beam finds for each sentence."""
    part = rows_of(np.asarray(bank.offsets, np.int64), np.arange(len(bank)))
    encoder, transitions = Encoder(network.shape, network.inputs.columns()), network.transitions()
    state = encoder.forward(network.arrays, network.inputs.rows(bank)[part.rows], part.start, part.end)
    transitions.bind(network.arrays)
    network.show(transitions, state, Buffers())
    sizes = np.diff(bank.offsets).tolist()
    return [transitions.ways(base, n, size) for base, n in zip(part.bases.tolist(), sizes, strict=True)]


def derivations(configuration):
    """All trees that can be reached, each as often as there are ways to it."""
    if configuration.is_final():
        return [configuration.tree()]
    found = []
    for move in configuration.legal():
        after = configuration.copy()
        after.apply(move)
        found += derivations(after)
    return found


@pytest.mark.parametrize("system", ["hybrid", "arc-eager", "two-registers", "swap", "2-planar", "covington"])
def test_a_beam_of_one_state_is_greedy(system):
    network, bank = course(system, dev=False).network, toy()[:20]
    network.single_root = False  # with it there are dead ends, which beams leave out
    heads, labels, _ = network.annotate(bank)
    found, at, n_found = ways(network, bank, 1), bank.offsets, 0
    for i, only in enumerate(found):
        if system == "two-registers" and not only:  # it has dead ends besides
            continue
        ((share, tree, tree_labels),) = only
        words = slice(at[i], at[i + 1])
        assert (share, list(tree), list(tree_labels)) == (1.0, heads[words].tolist(), labels[words].tolist())
        n_found += 1
    assert n_found > 10


@pytest.mark.parametrize("system", ["hybrid", "arc-eager", "arc-standard", "swap", "covington", "planar", "attardi"])
def test_a_wide_beam_finds_every_way(system):
    network = course(system, dev=False).network
    network.single_root = False  # as in theory
    (found,) = ways(network, TWO_WORDS, WIDE)
    shares = [share for share, *_ in found]
    assert sorted(tree for _, tree, _ in found) == sorted(derivations(fastparse.Configuration(system, 2)))
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("system", ["hybrid", "swap"])
def test_beams_are_learnt_from_when_the_plan_says(system):
    plan = {"beam": 4, "beam_weight": 8.0, "dev": False, "rounds": 3}
    never, later, early = (course(system, **plan, beam_from=first) for first in (9, 3, 1))
    seen = {}
    for name, learning in (("never", never), ("later", later), ("early", early)):
        rounds = learning.run()
        seen[name] = ["beams" in row.loss for row in rounds]
    assert seen == {"never": [False] * 3, "later": [False, False, True], "early": [True] * 3}
    numbers = [learning.network.numbers.tobytes() for learning in (never, later, early)]
    assert len(set(numbers)) == 3


def test_threads_change_nothing():
    plan = {"system": "swap", "beam": 4, "beam_from": 1, "dev": False, "rounds": 2}
    one, two = (course(threads=threads, **plan) for threads in (1, 2))
    for learning in (one, two):
        learning.run()
    assert one.network.numbers.tobytes() == two.network.numbers.tobytes()


def test_mistakes_become_fewer():
    """A swap parser that has only its beams' mistakes to learn from learns all the same."""
    learning = course("swap", dev=False, beam=8, beam_from=1, beam_weight=8.0, rounds=30, heads_weight=0.0)
    losses = [row.loss["beams"] for row in learning.run()]
    assert losses[-1] < 0.05 < losses[0]


@pytest.mark.parametrize("size", [0, 33])
def test_beams_have_bounds(size):
    with pytest.raises(ValueError, match=f"a beam of {size}"):
        ways(course(dev=False).network, TWO_WORDS, size)
