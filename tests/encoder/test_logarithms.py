"""Logarithms in integers against those of numpy."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from fastparse.encoder.arrays import stored
from fastparse.encoder.encoder import Encoder
from fastparse.encoder.inspection import of_best_label, of_moves, table
from tests.encoder.networks import random_arrays

UNIT = 1024


def test_the_table_is_the_same_on_every_machine():
    found = table()
    assert found[0] == round(UNIT * np.log(2))
    assert found[-1] == 0
    assert hashlib.sha256(found.astype("<i4").tobytes()).hexdigest()[:16] == "ad36662ff51733a6"


@pytest.mark.parametrize("scale", [3.0, 1000.0, 123456.0])
def test_probabilities_are_those_of_legal_moves(scale):
    arrays = random_arrays(1, width=16, dilations=(), moves=32)
    arrays["moves.scale"][0] = scale
    encoder = Encoder(stored(arrays))
    random = np.random.default_rng(4)
    for _ in range(50):
        scores = np.rint(random.normal(0, 3 * scale, 32)).astype(np.int32)
        legal = int(random.integers(1, 2**32))
        mask = np.array([legal >> m & 1 for m in range(32)], bool)
        odds = scores[mask] / scale
        expected = odds - odds.max() - np.log(np.exp(odds - odds.max()).sum())
        found = of_moves(encoder, scores, legal)
        assert np.abs(found[mask] / UNIT - expected).max() < 16.5 / UNIT + 1e-9
        assert not found[~mask].any()


def test_one_legal_move_is_certain():
    arrays = random_arrays(1, width=16, dilations=(), moves=3)
    arrays["moves.scale"][0] = 1
    encoder = Encoder(stored(arrays))
    assert of_moves(encoder, np.array([5, -70_000, 2**30], np.int32), 0b010).tolist() == [0, 0, 0]
    assert of_moves(encoder, np.array([2**30, -(2**30), 0], np.int32), 0b011).tolist() == [0, -(2**29), 0]


def test_the_best_of_the_labels_allowed():
    arrays = random_arrays(1, width=16, dilations=(), labels=50)
    arrays["labels.scale"][0] = 500
    encoder = Encoder(stored(arrays))
    random = np.random.default_rng(5)
    for _ in range(50):
        scores, allowed = np.rint(random.normal(0, 1500, 50)).astype(np.int32), random.integers(0, 2, 50)
        scores[random.integers(50, size=2)] = scores[allowed > 0].max()
        best, log = of_best_label(encoder, scores, allowed)
        assert best == np.argmax(np.where(allowed, scores, -(10**6)))
        odds = scores[allowed > 0] / 500
        assert abs(log / UNIT + np.log(np.exp(odds - scores[best] / 500).sum())) < 25 / UNIT
    assert of_best_label(encoder, scores, np.zeros(50)) == (-1, 0)
