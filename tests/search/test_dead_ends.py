"""Dead ends, which are kept aside while the beam goes on, through compactions of the arena."""

from random import Random

import pytest

from tests.search.models import RandomModel, random_sentences


@pytest.mark.parametrize("beam", [1, 2, 4])
def test_a_dead_end_outlives_compaction(beam):
    """With a single root swap runs into dead ends, and at times all of the beam does."""
    random = Random(f"dead ends {beam}")
    for _ in range(12):
        sentences = random_sentences(random, 8, 6)
        model = RandomModel(random, "swap", {}, sentences, single_root=True, size=3, dense=0.3, walks=1)
        expected = model.parse(beam, room=1 << 30)
        for room in (1, 20):
            assert model.parse(beam, room=room) == expected
