"""Greedy and beam search make what the textbook search makes: trees, labels and numbers of moves."""

from __future__ import annotations

from random import Random

import pytest

from fastparse.theory.divisible import composed
from tests.features.material import SEARCHED
from tests.reference.search import parse_beam, parse_greedy
from tests.search.models import RandomModel, is_tree, random_sentences

COMPOSED = (
    ("arc-standard/buffer", {}), ("arc-eager", {}), ("planar", {}), ("planar", {"root": "absent"}), ("2-planar", {}),
)  # fmt: skip


def expected(model, sentences, beam):
    return [parse_greedy(model, rows) if beam == 1 else parse_beam(model, rows, beam) for rows in sentences]


def check(model, sentences, beam, **options):
    found = model.parse(beam, **options)
    assert found == expected(model.model, sentences, beam)
    for result in found:
        assert is_tree(result.heads)
        if model.model.single_root:
            assert result.heads.count(0) == 1
    return found


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "options"), SEARCHED)
def test_random_weights(name, options, single_root, compiled):
    random = Random(f"{name} {options} {single_root} {compiled}")
    for beam in (1, 2, 5):
        sentences = random_sentences(random, 6, 3)
        model = RandomModel(random, name, options, sentences, single_root=single_root, compiled=compiled)
        for sharing in (True, False):
            check(model, sentences, beam, sharing=sharing)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "options"), SEARCHED)
def test_few_and_small_weights_make_many_ties(name, options, single_root):
    random = Random(f"ties {name} {options} {single_root}")
    for beam in (1, 3, 8):
        sentences = random_sentences(random, 6, 4)
        model = RandomModel(random, name, options, sentences, single_root=single_root, size=1, dense=0.15)
        check(model, sentences, beam)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "options"), SEARCHED)
@pytest.mark.parametrize("beam", [1, 2, 7, 64])
def test_without_weights_the_first_move_wins(name, options, single_root, beam):
    if beam == 64 and name in ("covington", "two-registers"):
        beam = 20  # the textbook search is slow
    sentences = random_sentences(Random(beam), 4, 4)
    check(RandomModel(Random(1), name, options, sentences, single_root=single_root, size=0), sentences, beam)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "options"), SEARCHED[::3])
def test_labels_that_compete_with_the_moves(name, options, single_root):
    random = Random(f"labels {name} {options} {single_root}")
    for beam, size in ((1, 9), (2, 9), (4, 1)):
        sentences = random_sentences(random, 5, 2)
        model = RandomModel(
            random, name, options, sentences, single_root=single_root, size=size, labels_with_moves=True
        )  # fmt: skip
        for sharing in (True, False):
            check(model, sentences, beam, sharing=sharing)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "options"), COMPOSED)
def test_composed_systems(name, options, single_root):
    random = Random(f"composed {name} {single_root}")
    for beam in (1, 4):
        sentences = random_sentences(random, 7, 5)
        system = composed(name, **options)
        model = RandomModel(random, name, options, sentences, single_root=single_root, system=system)
        check(model, sentences, beam)


def test_a_dead_end_never_beats_a_final_configuration():
    """With a single root, swap runs into dead ends; they may score best when all others have become final."""
    random = Random("dead ends")
    for _ in range(15):
        sentences = random_sentences(random, 4, 4)
        model = RandomModel(random, "swap", {}, sentences, single_root=True, size=2, dense=0.3)
        check(model, sentences, 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("name", "options"), SEARCHED)
def test_more_random_weights(name, options, seed):
    random = Random(f"{name} {options} {seed}")
    beam = random.choice((1, 2, 3, 4, 6, 9))
    sentences = random_sentences(random, 8, 8)
    model = RandomModel(
        random, name, options, sentences, single_root=seed % 2 == 0, compiled=seed % 3 == 0,
        size=random.choice((1, 2, 9, 100)), dense=random.choice((0.1, 0.5, 1.0)),
    )  # fmt: skip
    check(model, sentences, beam)
