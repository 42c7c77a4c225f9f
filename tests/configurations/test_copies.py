"""Copies of configurations go on as the originals do."""

from __future__ import annotations

from random import Random

import pytest

import fastparse
from tests.reference import SYSTEMS

WHOLE = [name for name in SYSTEMS if not name.startswith("three-step/")]


def text_of(c):
    return f"{c!r} {c.legal()} {c.is_final()} {sorted(map(str, c.labelled_arcs))}"


@pytest.mark.parametrize("name", WHOLE)
def test_a_copy_of_a_copy_goes_on(name):
    """At every step a copy takes over; what it copied wrong would show in what is legal later."""
    random = Random(name)
    for n in (1, 2, 3, 4, 5, 6):
        for _ in range(8):
            original = fastparse.Configuration(name, n)
            heir = original.copy()
            for _ in range(60):
                moves = original.legal()
                if not moves:
                    break
                move = random.choice(moves)
                kept, before = heir, text_of(heir)
                heir = heir.copy()
                for c in (original, heir):
                    c.apply(move)
                assert text_of(heir) == text_of(original)
                assert text_of(kept) == before


@pytest.mark.parametrize("name", ["three-step/left", "three-step/right"])
def test_what_is_legal_in_a_pass_is_said(name):
    c = fastparse.Configuration(name, 2, heads=[2, 0], labels=["a", "root"])
    with pytest.raises(fastparse.Error, match=r"DIST\(a\) is not legal in .*; legal: .*SHIFT") as caught:
        c.apply("DIST(a)")
    assert str(caught.value).endswith("legal: " + ", ".join(c.legal()))
    while not c.is_final():
        c.apply("SHIFT")
    with pytest.raises(fastparse.Error, match=r"legal: nothing: it is final$"):
        c.apply("SHIFT")
