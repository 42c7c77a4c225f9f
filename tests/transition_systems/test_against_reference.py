"""Every system equals its textbook version, move by move."""

from __future__ import annotations

import random

import pytest

import fastparse
from tests.reference import SYSTEMS
from tests.reference import Configuration as Textbook
from tests.transition_systems.cases import case_id, cases

PLACES = ("stack", "inactive", "buffer", "registers", "focus", "pending")


def assert_equal(ours, plain):
    """Everything both can be asked agrees."""
    assert ours.legal() == plain.legal(), f"{ours!r}\n{plain!r}"
    assert ours.is_final() == plain.is_final()
    assert ours.arcs == plain.arcs
    if not getattr(plain, "graph", False):
        assert ours.heads == plain.heads
        assert ours.tree() == plain.tree()
        assert ours.deprels == plain.deprels
    for place in PLACES:
        if place == "stack" and not hasattr(type(ours), "registers"):
            continue
        if hasattr(ours, place) and hasattr(plain, place):
            assert _numbers(getattr(ours, place)) == _numbers(getattr(plain, place)), place


def _numbers(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def would_repeat(plain, move):
    """Whether an arc is there with this very label."""
    after = plain.copy()
    try:
        after.apply(move)
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize(("name", "options"), cases(), ids=map(case_id, cases()))
def test_random_walks(name, options):
    rng = random.Random(f"{name} {sorted(options.items())}")
    for _ in range(60):
        n = rng.randrange(0, 13)
        ours, plain = fastparse.Configuration(name, n, **options), Textbook(name, n, **options)
        assert_equal(ours, plain)
        while plain.legal():
            move = rng.choice(plain.legal())
            if move in getattr(plain, "arc_moves", ()) and rng.random() < 0.5:
                move += f":{rng.choice('xyz')}"
                if would_repeat(plain, move):
                    with pytest.raises(ValueError, match="with that label"):
                        ours.apply(move)
                    move = move.partition(":")[0]
            ours.apply(move)
            plain.apply(move)
            assert_equal(ours, plain)


@pytest.mark.parametrize(("name", "options"), cases(), ids=map(case_id, cases()))
def test_all_configurations(name, options):
    compare_all(name, options, SYSTEMS[name].tried(options).configurations)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "n"),
    [("two-registers", 5), ("two-registers", 6), ("two-registers/printed", 5), ("three-registers", 5), ("planar", 5)],
)
def test_more_configurations(name, n):
    compare_all(name, {}, n, n)


def compare_all(name, options, most, least=0):
    for n in range(least, most + 1):
        waiting = [(fastparse.Configuration(name, n, **options), Textbook(name, n, **options))]
        seen = {hash(waiting[0][1].key())}
        while waiting:
            ours, plain = waiting.pop()
            assert_equal(ours, plain)
            for move in plain.legal():
                after = plain.copy()
                after.apply(move)
                key = hash(after.key())
                if key not in seen:
                    seen.add(key)
                    twin = ours.copy()
                    twin.apply(move)
                    waiting.append((twin, after))
