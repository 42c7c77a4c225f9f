"""Derivations as people use them, and the worked examples of the literature with their trees as input."""

from __future__ import annotations

import doctest

import pytest

import fastparse
from fastparse.theory import derive as derivation
from fastparse.transition_systems import registry

# "mer em Hans es huus hälfed aastriiche": the words wait for verbs that stand behind all of them.
HELPED = [0, 6, 6, 5, 7, 1, 6]


def test_a_derivation():
    d = fastparse.derive([2, 0, 2], "arc-eager", labels=["nsubj", "root", "obj"])
    assert d.moves == ["SHIFT", "LEFT-ARC:nsubj", "RIGHT-ARC:root", "RIGHT-ARC:obj"]
    assert len(d) == 4
    assert list(d) == d.moves
    configurations = d.configurations()
    assert len(configurations) == 5
    assert configurations[0].arcs == []
    assert configurations[-1].heads == d.heads == [2, 0, 2]
    assert configurations[-1].deprels == ["nsubj", "root", "obj"]
    assert repr(d) == "<derivation of 3 words by 'arc-eager' in 4 moves>"
    assert str(d).splitlines() == [
        "                [0]      [1 2 3]",
        "SHIFT           [0 1]    [2 3]",
        "LEFT-ARC:nsubj  [0]      [2 3]    2 -> 1",
        "RIGHT-ARC:root  [0 2]    [3]      0 -> 2",
        "RIGHT-ARC:obj   [0 2 3]  []       2 -> 3",
    ]


@pytest.mark.parametrize("name", fastparse.systems())
def test_replaying_the_moves_rebuilds_everything(name):
    labels = ["det", "nsubj", "root", "case", "obl"]
    heads = [2, 3, 0, 5, 3]
    d = fastparse.derive(heads, name, labels=labels)
    if name == "three-step":
        end = d.end()
    else:
        end = fastparse.Configuration(name, 5, **_pass_options(name, heads, labels))
        for move in d.moves:
            end.apply(move)
        assert repr(end) == repr(d.configurations()[-1])
    assert end.is_final()
    if name.startswith("dag/") or name.endswith("/graph"):
        assert end.labelled_arcs == [(2, 1, "det"), (3, 2, "nsubj"), (3, 5, "obl"), (5, 4, "case")]
    else:
        assert end.tree() == heads
    if not name.startswith(("dag/", "three-step/")) and not name.endswith("/graph"):
        assert end.deprels == labels


def _pass_options(name, heads, labels):
    return {"heads": heads, "labels": labels} if name.startswith("three-step/") else {}


def test_words_without_a_label():
    d = fastparse.derive([2, 0], "arc-eager", labels=[None, "root"])
    assert d.moves == ["SHIFT", "LEFT-ARC", "RIGHT-ARC:root"]
    assert d.configurations()[-1].deprels == [None, "root"]


def test_graphs():
    d = fastparse.derive([(2, 3), (1, 3), (1, 2)], "dag/arc-standard", labels=["c", "b", "a"])
    assert d.end().labelled_arcs == [(1, 2, "a"), (1, 3, "b"), (2, 3, "c")]
    assert d.n == 3
    assert fastparse.derive([(1, 2)], "planar/graph", n=4).end().is_final()
    assert fastparse.derive([], "planar/graph", n=2).moves == ["SHIFT", "SHIFT"]


def test_the_empty_sentence():
    for name in ("arc-eager", "swap", "planar", "two-registers", "covington"):
        assert fastparse.derive([], name).configurations()[-1].is_final()


def test_two_registers_on_words_that_wait_for_verbs():
    """The pair of the one crossing interval goes through the registers; the second verb returns to the buffer."""
    d = fastparse.derive(HELPED, "two-registers")
    assert d.moves == [
        *["SHIFT", "RIGHT-ARC", "SHIFT", "SHIFT", "SHIFT", "LEFT-ARC", "SHIFT", "STORE(none)", "STORE(right)"],
        *["REGISTER(2,to-stack)", "REGISTER(1,to-stack)", "REGISTER(1,to-stack)", "REGISTER(1,to-register)"],
        *["REDUCE", "CLEAR", "SHIFT"],
    ]
    last = d.configurations()[-2]
    assert (last.stack, last.buffer, last.registers) == ([0], [7], [-1, -1])


def test_two_planes_on_words_that_wait_for_verbs():
    d = fastparse.derive(HELPED, "2-planar")
    short = {"SHIFT": "SH", "REDUCE": "RE", "LEFT-ARC": "LA", "RIGHT-ARC": "RA", "SWITCH": "SWITCH"}
    expected = "SH RA SH SH SH SH LA SH RE RE LA RE LA RE RA SH SWITCH RA RE LA SH"
    assert " ".join(short[move] for move in d.moves) == expected


def test_planar_arcs_move_nothing():
    """A projective sentence in the planar system: words leave by REDUCE alone."""
    d = fastparse.derive([2, 3, 0, 5, 3], "planar")
    assert len(d) == d.moves.count("SHIFT") + d.moves.count("REDUCE") + 5
    assert d.moves.count("SHIFT") == 6
    for before, move, after in zip(d.configurations(), d.moves, d.configurations()[1:], strict=False):
        if move.endswith("ARC"):
            assert (before.stack, before.buffer) == (after.stack, after.buffer)


def test_bottom_up_between_stack_and_buffer():
    """A projective sentence of nine words: right arcs wait until their dependents are complete."""
    moves = fastparse.derive([2, 3, 0, 5, 3, 5, 8, 6, 3], "arc-standard/buffer").moves
    short = {"SHIFT": "SH", "LEFT-ARC": "LA", "RIGHT-ARC": "RA"}
    # The root takes the two last moves.
    expected = "SH LA SH LA SH SH LA SH SH SH LA RA RA RA SH RA RA SH"
    assert " ".join(short[move] for move in moves) == expected


def test_two_planes_and_back():
    """Nine words; the oracle moves uncrossed arcs along with crossed ones, and needs no SWITCH more for it."""
    heads = [0, 6, 2, 1, 6, 4, 4, 7, 1]
    short = {"SH": "SHIFT", "RE": "REDUCE", "LA": "LEFT-ARC", "RA": "RIGHT-ARC", "SW": "SWITCH"}
    c = fastparse.Configuration("2-planar", 9, root="absent")
    figure = "SH SH RA SH RE RE RA SH SH LA RE RA SW RE RE RE LA SH SW RE RA SH RA SH RE RE RE RA SH"
    for move in figure.split():
        c.apply(short[move])
    assert c.is_final()
    assert c.tree() == heads
    assert (c.stack, c.inactive) == ([1, 9], [1, 2, 6, 7, 8, 9])
    moves = fastparse.derive(heads, "2-planar", root="absent").moves
    assert moves.count("SWITCH") == 2
    assert moves.count("SHIFT") == 9


def test_one_crossing():
    heads = [2, 3, 0, 3, 2, 7, 5, 4]
    moves = fastparse.derive(heads, "2-planar", root="absent", oracle="fewest").moves
    assert moves.count("SWITCH") == 1
    with pytest.raises(fastparse.OracleError, match="2 -> 5 and 4 -> 8"):
        fastparse.derive(heads, "arc-eager")


def test_refusals_name_systems_that_can():
    with pytest.raises(fastparse.OracleError) as refusal:
        fastparse.derive(HELPED, "arc-eager")
    message = str(refusal.value)
    assert isinstance(refusal.value, ValueError)
    assert "7 -> 5" in message
    for name in ("swap", "covington", "2-planar", "two-registers"):
        assert name in message
    assert "hybrid" not in message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fastparse.derive([2, 1], "arc-eager"), "words 1, 2 form a cycle"),
        (lambda: fastparse.derive([1], "arc-eager"), "word 1 is its own head"),
        (lambda: fastparse.derive([3, 0], "swap"), "the head of word 1 is 3"),
        (lambda: fastparse.derive([0, -1], "swap"), "the head of word 2 is -1"),
        (lambda: fastparse.derive([0.5], "arc-eager"), "expected a list with a head per word"),
        (lambda: fastparse.derive([0, 1], "arc-eager", ["a"]), "2 words need as many labels"),
        (lambda: fastparse.derive([0], "arc-eager", oracle="lazy"), "no option 'oracle'"),
        (lambda: fastparse.derive([0], "swap", oracle="lazzy"), "'lazy', 'eager'"),
        (lambda: fastparse.derive([0], "arc-eagr"), "did you mean 'arc-eager'"),
        (lambda: fastparse.derive([(1, 2), (1, 2)], "dag/arc-eager"), "given twice"),
        (lambda: fastparse.derive([(1, 1)], "dag/arc-eager"), "not a graph"),
        (lambda: fastparse.derive([(1, 2)], "dag/arc-eager", n=1), "not a graph over words 0..1"),
        (lambda: fastparse.derive([0], "arc-eager", n=1), "n is for graphs"),
        (lambda: fastparse.derive([0], "two-registers", choices=3), "a pair of words per crossing interval"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("components", "explodes"), [(8, False), (20, True)])
def test_the_exact_oracle_refuses_to_explode(components, explodes):
    """Crossing pairs of arcs, each with a short arc and a long one, so that all are open in the middle."""
    heads = []
    for k in range(components):
        heads += [3 * k, 3 * k + 1, 3 * k + 1]
    for k in reversed(range(components)):
        heads.append(3 * k + 2)
    assert len(fastparse.derive(heads, "2-planar")) > len(heads)
    if explodes:
        with pytest.raises(fastparse.OracleError, match="greedy"):
            fastparse.derive(heads, "2-planar", oracle="fewest")
    else:
        moves = fastparse.derive(heads, "2-planar", oracle="fewest").moves
        assert moves.count("SWITCH") <= fastparse.derive(heads, "2-planar").moves.count("SWITCH")


@pytest.mark.parametrize("module", [derivation, registry])
def test_examples(module):
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


def test_swap_on_a_noun_parted_from_its_modifier():
    """Nine words; the eager oracle, whose words travel one by one (Nivre, 2009)."""
    heads = [2, 3, 0, 3, 2, 7, 5, 4, 3]
    short = {"SH": "SHIFT", "LA": "LEFT-ARC", "RA": "RIGHT-ARC", "SW": "SWAP"}
    figure = "SH SH LA SH SH SH SW SW SH SH SH SW SW SH SH SH SW SW LA RA RA SH LA SH SH RA RA SH RA RA"
    assert fastparse.derive(heads, "swap", oracle="eager").moves == [short[move] for move in figure.split()]


def test_three_steps_on_a_clitic_and_a_participle():
    """Ten words: a left dependency found from left to right, then a right one from right to left."""
    anchors = [3, 3, 0, 3, 3, 3, 6, 9, 7, 3]
    labels = ["pred", "clitic", "root", "aux", "punct", "modif", "agent", "det", "prep", "punct"]
    left = fastparse.Configuration("three-step/left", 10, heads=anchors, labels=labels)
    for move in ["SHIFT", "PUT(clitic)", "SHIFT", "DIST(clitic)", *["SHIFT"] * 7]:
        left.apply(move)
    assert left.is_final()
    assert left.tree() == [3, 4, 0, 3, 3, 3, 6, 9, 7, 3]
    right = fastparse.Configuration("three-step/right", 10, heads=left.tree(), labels=labels)
    for move in [*["SHIFT"] * 4, "PUT(modif)", *["SHIFT"] * 4, "DIST(modif)", "SHIFT"]:
        right.apply(move)
    assert right.is_final()
    assert right.tree() == [3, 4, 0, 3, 3, 1, 6, 9, 7, 3]
