"""What the tables of a kind look like in a model, and what is kept of them while parsing."""

import pytest

from tests.toy import toy, toy_parser


@pytest.mark.parametrize("system", ["arc-eager", "easy-first"])
def test_weights_of_moves_stand_in_the_slots_themselves(system):
    arrays = toy_parser(system, 1)._decoder.arrays()
    assert sorted(arrays) == [
        "labels.displacements", "labels.pool", "labels.slots", "moves.displacements", "moves.slots",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("system", "beam"), [("arc-eager", 1), ("swap", 4), ("two-registers", 4), ("easy-first", 1), ("three-step", 4)]
)
def test_a_sentence_is_parsed_as_it_is_alone(system, beam):
    """What is kept of the sums of one sentence is not used for the next."""
    parser = toy_parser(system, beam=beam)
    alone = [parser.parse(toy()[k : k + 1]).to_bytes() for k in range(len(toy()))]
    assert parser.parse(toy()).to_bytes() == b"".join(alone)
