"""Configurations that share cells, as in beams, stay as independent as copies."""

from __future__ import annotations

import random

import pytest

from fastparse.errors import Error
from fastparse.theory.configuration import CellConfiguration
from fastparse.theory.inspection import Branches, view
from fastparse.transition_systems.registry import resolve
from tests.transition_systems.cases import case_id, plain_cases

# Words of dag/arc-standard leave for good, with the arcs that a search for cycles would follow.
CASES = [(name, options) for name, options in plain_cases() if name != "dag/arc-standard"]
LABELS = "012"
PLACES, STEPS, BRANCHINGS = 30, 500, 3_000


@pytest.mark.parametrize(("name", "options"), CASES, ids=map(case_id, CASES))
def test_siblings_stay_untouched(name, options):
    rng = random.Random(f"{name} {sorted(options.items())}")
    system = resolve(name, **options)
    made = 0
    while made < BRANCHINGS:
        n = rng.randrange(1, 30)
        shared = Branches(system, n, PLACES)
        copies = [CellConfiguration(system, n, LABELS)]
        for _ in range(STEPS):
            i = rng.randrange(len(shared))
            legal = shared.legal(i)
            if name == "two-registers/printed":
                assert set(legal) <= set(copies[i].legal())
            else:
                assert legal == copies[i].legal()
            assert shared.is_final(i) == copies[i].is_final()
            if not legal:
                continue
            move, label = rng.choice(legal), rng.randrange(len(LABELS))
            at = len(shared) if len(shared) < PLACES else rng.randrange(PLACES)
            twin = copies[i].copy()
            if system.is_graph and repeats(twin, move, LABELS[label]):
                continue
            twin.apply(f"{move}:{LABELS[label]}" if system.labelled(move) else move)
            shared.branch(i, move, label, at)
            copies[at : at + 1] = [twin]
            assert shared.view(at) == view(twin)
            made += 1
            if rng.random() < 0.02:
                shared.compact()
            if rng.random() < 0.05:
                assert [shared.view(k) for k in range(len(shared))] == [view(copy) for copy in copies]


def repeats(configuration, move, label):
    """Whether the arc is there with this label."""
    try:
        configuration.copy().apply(f"{move}:{label}" if configuration.system.labelled(move) else move)
    except Error:
        return True
    return False


def test_compaction_forgets():
    shared = Branches("arc-eager", 40, 2)
    rng = random.Random(1)
    while shared.legal(0):
        shared.branch(0, rng.choice(shared.legal(0)), 0, 0)
    before = shared.n_cells
    shared.compact()
    assert 41 <= shared.n_cells < before


def test_what_does_not_branch():
    with pytest.raises(Error, match="does not share"):
        Branches("dag/arc-standard", 3, 2)
