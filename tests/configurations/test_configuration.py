"""Configurations as people use them."""

from __future__ import annotations

import random

import pytest

import fastparse
from tests.transition_systems.cases import case_id, cases


def test_a_walk():
    c = fastparse.Configuration("arc-eager", 3)
    assert isinstance(c, fastparse.Configuration)
    assert (c.stack, c.buffer, c.n) == ([0], [1, 2, 3], 3)
    c.apply("SHIFT")
    c.apply("LEFT-ARC:nsubj")
    assert c.heads == [2, -1, -1]
    assert c.deprels == ["nsubj", None, None]
    c.apply("RIGHT-ARC:root")
    c.apply("RIGHT-ARC")
    assert c.is_final()
    assert c.legal() == []
    assert c.arcs == [(0, 2), (2, 1), (2, 3)]
    assert c.labelled_arcs == [(0, 2, "root"), (2, 1, "nsubj"), (2, 3, None)]
    assert repr(c) == "arc-eager: [0 2 3] [] {0 -> 2: root, 2 -> 1: nsubj, 2 -> 3}"


@pytest.mark.parametrize(("name", "options"), cases(), ids=map(case_id, cases()))
def test_copies_are_independent_and_refusals_change_nothing(name, options):
    rng = random.Random(3)
    c = fastparse.Configuration(name, 6, **options)
    while c.legal():
        before, text = c.copy(), repr(c)
        assert before == c
        move = rng.choice(c.legal())
        c.apply(move)
        assert repr(before) == text
        again = before.copy()
        again.apply(move)
        assert again == c
        assert repr(again) == repr(c)
        with pytest.raises(ValueError, match="no move"):
            c.apply("JUMP")
        assert again == c
        for illegal in {*before.legal()} - {*c.legal()}:
            with pytest.raises(ValueError, match=r"."):
                c.apply(illegal)
            assert again == c


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize(("name", "options"), cases(), ids=map(case_id, cases()))
def test_tiny_sentences(name, options, n):
    c = fastparse.Configuration(name, n, **options)
    for _ in range(20):
        if not c.legal():
            break
        c.apply(c.legal()[0])
    assert c.is_final()


def test_registers_and_returned_words():
    c = fastparse.Configuration("two-registers", 3)
    assert c.registers == [-1, -1]
    c.apply("STORE(none)")
    assert c.registers == [0, -1]
    c.apply("STORE(right):root")
    assert c.registers == [0, 1]
    assert c.arcs == [(0, 1)]
    c.apply("CLEAR")
    assert (c.stack, c.buffer, c.registers) == ([0], [1, 2, 3], [-1, -1])


def test_graphs_have_arcs_but_no_heads():
    c = fastparse.Configuration("dag/arc-eager", 2)
    c.apply("SHIFT")
    c.apply("RIGHT-ARC:x")
    assert c.arcs == [(1, 2)]
    assert c.labelled_arcs == [(1, 2, "x")]
    for name in ("heads", "deprels"):
        with pytest.raises(AttributeError, match="builds graphs"):
            getattr(c, name)


def test_parts_a_system_lacks():
    with pytest.raises(AttributeError, match="no registers"):
        fastparse.Configuration("arc-eager", 2).registers  # noqa: B018
    with pytest.raises(AttributeError, match="no inactive"):
        fastparse.Configuration("swap", 2).inactive  # noqa: B018
    assert fastparse.Configuration("2-planar", 2).inactive == []


def test_root_option():
    assert fastparse.Configuration("planar", 2).buffer == [0, 1, 2]
    assert fastparse.Configuration("planar", 2, root="absent").buffer == [1, 2]


def test_the_option_of_an_oracle_changes_no_move():
    assert fastparse.Configuration("swap", 3, oracle="eager").legal() == fastparse.Configuration("swap", 3).legal()


def test_completion_attaches_headless_words_to_the_root():
    c = fastparse.Configuration("arc-eager", 2)
    c.apply("SHIFT")
    c.apply("SHIFT")
    assert c.is_final()
    assert c.heads == [-1, -1]
    assert c.tree() == [0, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fastparse.Configuration("arc-eagre", 2), "did you mean 'arc-eager'"),
        (lambda: fastparse.Configuration("arc-eager", 2, lazy=True), "no option 'lazy'"),
        (lambda: fastparse.Configuration("planar", 2, single_heads=True), "did you mean 'single_head'"),
        (lambda: fastparse.Configuration("planar", 2, root="none"), "it is one of 'token', 'absent'"),
        (lambda: fastparse.Configuration("arc-eager", -1), "found -1"),
        (lambda: fastparse.Configuration("arc-eager", 1.5), "found 1.5"),
        (lambda: fastparse.Configuration("arc-eager", 1 << 40), "must lie in"),
        (lambda: fastparse.Configuration("three-step", 2), "pipeline"),
        (lambda: fastparse.Configuration(7, 2), "a name or the result of compose"),
        (lambda: fastparse.Configuration("arc-eager", 2).apply("LEFT-ARC"), "LEFT-ARC is not legal in"),
        (lambda: fastparse.Configuration("arc-eager", 2).apply("SHIFT:x"), "draws no arc"),
        (lambda: fastparse.Configuration("arc-eager", 2).apply("RIGHT-ARC:"), "empty label"),
    ],
)
def test_errors_say_what_and_what_else(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_many_labels():
    c = fastparse.Configuration("arc-eager", 300)
    for word in range(300):
        c.apply(f"RIGHT-ARC:label{word}")
    assert c.deprels == [f"label{word}" for word in range(300)]
