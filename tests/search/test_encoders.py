"""Greedy and beam search with the scores of random encoders make what the textbook search makes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fastparse.encoder.arrays import POSITIONS, stored
from fastparse.encoder.encoder import Encoder
from fastparse.encoder.reading import Words
from fastparse.search.engine import EncoderEngine
from fastparse.transition_systems.registry import resolve
from tests.encoder.networks import SEGMENTS, own_ids, random_arrays, random_words, sentence_slices
from tests.features.material import SEARCHED
from tests.reference import Configuration as Textbook
from tests.reference import encoder as textbook
from tests.reference.encoder_search import Model
from tests.reference.search import parse_beam, parse_greedy
from tests.search.models import LABELS, results

LENGTHS = [2, 7, 3, 6]  # words, with the root


class RandomEncoder:
    """An engine with an encoder, and the same decisions for the textbook search.

    Args:
        sure: how far apart the scores of moves are.
        narrow: read the front of the buffer alone, whatever arcs are drawn between.
    """

    def __init__(self, seed, name, options, *, single_root, sure, narrow=False):
        system = resolve(name, **options)
        arrays = random_arrays(
            seed, width=16, dilations=(1,), hidden=32, label_hidden=32, counts=(9, 4, 2), labels=len(LABELS),
            moves=len(system.moves), arcs=0 if seed == 0 else 16, tags=(),
        )  # fmt: skip
        if narrow:
            for part in ("slots", "label_places"):
                arrays[f"moves.{part}"][:, 0] = POSITIONS.index("B0")
            arrays["moves.distance_pairs"][:] = POSITIONS.index("B0")
        arrays["moves.scale"][0] = 20_000 / sure
        arrays["labels.scale"][0] = 20_000 / (1 + seed % 3)
        ids, ends = random_words(seed, LENGTHS, SEGMENTS)
        self.words = [textbook.encoded(arrays, *own_ids(ids, ends, rows)) for rows in sentence_slices(LENGTHS)]
        self.values = Words.of(ids, ends, np.arange(len(ends), dtype=np.int32))
        self.offsets = np.cumsum([0, *(n - 1 for n in LENGTHS)]).astype(np.int64)
        roots, others = {"root", "b"}, set(LABELS) - {"root"}
        self.model = Model(lambda rows: Textbook(name, rows - 1, **options), arrays, LABELS, frozenset(roots),
                           frozenset(others), single_root)  # fmt: skip
        masks = [np.array([label in some for label in LABELS], np.uint8) for some in (roots, others)]
        self.engine = EncoderEngine(system, Encoder(stored(arrays)), *masks, single_root)

    def parse(self, beam, **options):
        return results(self.engine, self.values, self.offsets, beam, **options)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "options"), [*SEARCHED, ("attardi", {"degree": 3})])
def test_random_encoders(name, options, single_root):
    for seed, sure in enumerate((2, 8, 30)):
        encoder = RandomEncoder(seed, name, options, single_root=single_root, sure=sure, narrow=seed == 2)
        greedy = replace(encoder.model, greedy=True)
        assert encoder.parse(1) == [parse_greedy(greedy, words) for words in encoder.words]
        for beam, threshold in ((2, 0), (4, 300), (3, 2_000)):
            expected = [parse_beam(encoder.model, words, beam, threshold) for words in encoder.words]
            for sharing in (True, False):
                assert encoder.parse(beam, threshold=threshold, sharing=sharing) == expected
