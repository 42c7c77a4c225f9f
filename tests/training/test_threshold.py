"""Finding a threshold: the smallest with which few words change and none seem lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest

import fastparse
from fastparse.learning import development as subject
from fastparse.learning.development import Answers
from fastparse.learning.preparation import Account
from tests.toy import toy

N = 20_000


@dataclass
class Described:
    """As much of a description as is changed."""

    threshold: int = 0


class Scripted:
    """A development treebank in which so many words change below each threshold, some of them for the worse."""

    def __init__(self, steps, n=N):
        self.steps, self.sentences, self.asked = steps, np.arange(n) // 10, []

    def answers(self, decoder, threshold):
        self.asked.append(threshold)
        n = len(self.sentences)
        given, right = np.zeros((n, 2), np.int32), np.ones(n, bool)
        for least, changed, lost in self.steps:
            if threshold and threshold < least:
                given[:changed, 1] = 1
                right[:lost] = False
        return Answers(given, right)


class OneSided(Scripted):
    """Below 2,000, as many words become right in one half of the sentences as become wrong in the other."""

    def answers(self, decoder, threshold):
        found = super().answers(decoder, threshold)
        half = self.sentences % 2 == (0 if threshold and threshold < 2000 else 1)
        found.right[np.flatnonzero(half)[:40]] = False
        return found


@pytest.fixture
def smallest(monkeypatch):
    monkeypatch.setattr(subject, "kind_of", lambda description, arrays: SimpleNamespace(description=description))
    monkeypatch.setattr(subject, "Decoder", lambda kind, weights: SimpleNamespace(kind=kind, weights=weights))
    decoder = SimpleNamespace(kind=SimpleNamespace(description=Described()), weights=None, arrays=dict)

    def found(*steps, n=N, script=Scripted):
        development = script(steps, n)
        return subject.calibrated(decoder, development, lambda event: None).kind.description.threshold

    return found


def test_a_threshold_that_changes_nothing_is_lowered(smallest):
    """By steps, to the last one above what changes too much."""
    found = smallest((700, N // 10, 0))
    assert 700 <= found < 700 * 2**0.25


def test_a_small_threshold_is_found_in_few_parses():
    development = Scripted(((5, N // 10, 0),))
    assert subject._smallest(None, development) == 5
    assert len(development.asked) < 20


def test_few_changes_are_accepted_and_many_are_not(smallest):
    assert smallest((5000, N // 500, 0), (900, N // 20, 0)) in range(900, 1080)


@pytest.mark.parametrize(("changed", "holds"), [(N * 12 // 1000, False), (N * 12 // 1000 + 1, True)])
def test_as_many_as_twelve_words_of_a_thousand_may_change(smallest, changed, holds):
    assert (smallest((2000, changed, 0), (100, N, N)) >= 2000) == holds


@pytest.mark.parametrize(("lost", "holds"), [(4, False), (40, True)])
def test_losses_count(smallest, lost, holds):
    found = smallest((2000, 60, lost), (100, N, N))
    assert (found >= 2000) == holds


def test_what_one_half_gains_does_not_make_good_what_the_other_loses(smallest):
    assert smallest((2000, 80, 0), (100, N, N), script=OneSided) >= 2000


def test_nothing_is_found_where_every_threshold_changes_trees(smallest):
    assert smallest((1 << 30, 1, 0)) == 0


def test_a_few_words_tell_nothing(smallest):
    assert smallest((700, 0, 0), n=500) == 0


def test_it_does_not_matter_below(smallest):
    """What seems good below a threshold that is not is never tried."""
    assert smallest((1000, N // 2, 0), (1, 0, 0)) >= 1000


def test_a_small_treebank_keeps_the_whole_beam():
    parser = fastparse.train(toy(), "arc-eager", dev=toy(), beam=4, iterations=1, encoder=None)
    assert parser.info["threshold"] == 0
    again = replace(parser._decoder.kind.description, threshold=3)
    assert again.summary()["threshold"] == 3


def many_trees():
    """Enough for every other one to tell something."""
    return toy().select(np.tile(np.arange(len(toy())), 2 * subject._FEWEST_WORDS // toy().n_words + 1))


def test_trees_are_set_aside_all_through_a_treebank():
    treebank = many_trees()
    account = Account()
    learnt, held_out = subject.parted(treebank, 0.5, account)
    assert (learnt.heads == treebank[::2].heads).all()
    assert (held_out.heads == treebank[1::2].heads).all()
    assert account.counts == {"held_out": len(held_out)}


@pytest.mark.parametrize("part", [0, 0.2])
def test_what_tells_too_little_is_learnt_from(part):
    treebank, account = many_trees(), Account()
    assert subject.parted(treebank, part, account) == (treebank, None)
    assert not account.counts


@pytest.mark.parametrize(("part", "dev"), [(0.5, False), (0, False), (0.5, True)])
def test_trees_are_set_aside_where_there_is_no_development_treebank(part, dev):
    treebank = many_trees()
    parser = fastparse.train(
        treebank,
        "arc-eager",
        dev=toy() if dev else None,
        beam=4,
        iterations=1,
        held_out=part,
        components=("parser",),
        encoder=None,
    )
    aside = bool(part) and not dev
    assert ("held_out" in parser.info["treebank"]) == aside
    assert (parser.info["threshold"] > 0) == aside
