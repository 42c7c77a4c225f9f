"""What the tables of a kind look like in a model."""

import pytest

from tests.toy import toy_parser


@pytest.mark.parametrize("system", ["arc-eager", "easy-first"])
def test_weights_of_moves_stand_in_the_slots_themselves(system):
    arrays = toy_parser(system, 1)._decoder.arrays()
    assert sorted(arrays) == [
        "labels.displacements", "labels.pool", "labels.slots", "moves.displacements", "moves.slots",
    ]  # fmt: skip
