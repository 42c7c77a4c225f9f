"""What must not show in results: kept sums, the order and the split of sentences, threads, compaction."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from fastparse.features.attributes import Values
from fastparse.search.engine import MAX_BEAM, MOST_MOVES, Engine, Outcome
from fastparse.weights.learning import LearningTable
from tests.features.material import SEARCHED, random_rows, treebank_of
from tests.search.models import RandomModel, random_sentences, results


@pytest.fixture(scope="module", params=["arc-eager", "two-registers", "2-planar", "swap"])
def many(request):
    """A model and many short sentences, some of them the same."""
    random = Random(request.param)
    sentences = random_sentences(random, 12, 80)
    sentences += sentences[:40]
    return RandomModel(random, request.param, {}, sentences, single_root=True, walks=1)


@pytest.mark.parametrize("beam", [1, 2, 8, 33])
def test_kept_sums_do_not_show(many, beam):
    assert many.parse(beam, sharing=True) == many.parse(beam, sharing=False)


@pytest.mark.parametrize("beam", [1, 4])
def test_equal_sentences_get_equal_trees(many, beam):
    """Wherever they stand, and whatever was parsed before them."""
    found = many.parse(beam)
    assert found[-40:] == found[:40]


@pytest.mark.parametrize("beam", [1, 4])
def test_every_split_gives_the_same(many, beam):
    expected = many.parse(beam)
    n = len(many.offsets) - 1
    random = Random(beam)
    for _ in range(5):
        bounds = sorted({0, n, *(random.randrange(n) for _ in range(random.randint(0, 30)))})
        out = Outcome(many.offsets)
        out.heads[:] = out.transitions[:] = -7
        parts = list(pairwise(bounds))
        random.shuffle(parts)
        with ThreadPoolExecutor(4) as pool:
            waiting = [pool.submit(many.engine.parse, many.values, out, a, b, beam) for a, b in parts]
            for each in waiting:
                each.result()
        assert out.heads.tolist() == [head for result in expected for head in result.heads]
        assert out.transitions.tolist() == [result.n_moves for result in expected]


@pytest.mark.parametrize("offsets", [[], [1, 2], [0, 2, 1], [0, -1], [0, 2**31]])
def test_impossible_offsets_are_refused(offsets):
    with pytest.raises(ValueError, match=r"offsets begin with 0|no sentence goes from"):
        Outcome(offsets)


@pytest.mark.parametrize(("first", "last"), [(-1, 1), (2, 1), (0, 10_000)])
def test_sentences_that_are_not_there_are_refused(many, first, last):
    with pytest.raises(ValueError, match=f"sentences {first} to {last} of {len(many.offsets) - 1}"):
        many.engine.parse(many.values, Outcome(many.offsets), first, last, 1)


def test_columns_for_other_moves_are_refused(many):
    with pytest.raises(ValueError, match="by_move has 2 columns"):
        many.engine.parse(many.values, Outcome(many.offsets, n_moves=2), 0, 1, 1)


def test_a_part_of_an_outcome_is_a_view():
    whole = Outcome([0, 2, 2, 5], timed=True, n_moves=3, logs=True, steps=4)
    part = whole.part(1, 3)
    assert part.offsets.tolist() == [0, 0, 3]
    for name in ("heads", "labels", "transitions", "nanoseconds", "by_move", "logs", "steps"):
        assert np.shares_memory(getattr(part, name), getattr(whole, name)), name
    part.heads[:] = 1
    part.logs[:] = 1
    assert whole.heads.tolist() == [0, 0, 1, 1, 1]
    assert whole.logs.tolist() == [[0, 0, 1, 1, 1]] * 2
    assert part.by_move.shape == (2, 3)


@pytest.mark.parametrize("first", range(6))
def test_sentences_do_not_share_sums(first):
    """Sentences of equal length that differ in one word, one after the other: their cells look the same."""
    random = Random(first)
    rows = random_rows(random, 6)
    sentences = []
    for _ in range(200):
        rows = list(rows)
        rows[random.randrange(6)] = random_rows(random, 1)[0]
        sentences.append(rows)
    model = RandomModel(random, *SEARCHED[2], sentences, single_root=first % 2 == 0, walks=1)
    assert model.parse(3, sharing=True) == model.parse(3, sharing=False)


@pytest.mark.parametrize(("name", "options"), SEARCHED)
def test_compaction_does_not_show(name, options):
    random = Random(f"{name} {options}")
    sentences = random_sentences(random, 30, 12)
    model = RandomModel(random, name, options, sentences, single_root=True, walks=1, size=3, dense=0.3)
    for beam in (2, 9):
        expected = model.parse(beam)
        for room in (1, 40, 300):
            assert model.parse(beam, room=room) == expected
        assert model.parse(beam, room=1, sharing=False) == expected


@pytest.mark.parametrize(("name", "options"), [("arc-eager", {}), ("two-registers", {}), ("2-planar", {})])
def test_long_sentences(name, options):
    """Longer than all caches and than the arena before it is compacted."""
    random = Random(name)
    short = random_sentences(random, 12, 20)
    long = [random_rows(random, 4000)]
    model = RandomModel(random, name, options, short, single_root=True, walks=2)
    treebank = treebank_of(long + short[:3])
    values = Values(treebank, model.attributes, model.counted, False)
    offsets = treebank.offsets.astype(np.int64)
    expected = results(model.engine, values, offsets, 8)
    assert expected[0].heads.count(0) == 1
    assert expected[1:] == model.parse(8)[:3]
    for changes in ({"sharing": False}, {"room": 1 << 30}, {"room": 1000}):
        assert results(model.engine, values, offsets, 8, **changes) == expected


@pytest.mark.parametrize("beam", [0, -1, MAX_BEAM + 1])
def test_impossible_beams_are_refused(many, beam):
    with pytest.raises(ValueError, match=f"a beam of {beam}; it must be 1 to {MAX_BEAM}"):
        many.parse(beam)


def test_the_largest_beam():
    random = Random(5)
    sentences = random_sentences(random, 9, 3)
    model = RandomModel(random, "arc-eager", {}, sentences, single_root=True)
    assert model.parse(MAX_BEAM) == model.parse(MAX_BEAM, sharing=False, room=50)


def parts(model):
    """What the engine of a random model was made of."""
    e = model.engine
    return [e.system, e.moves, e.moves_flat, e.labels, e.labels_flat, e.move_table, e.label_table, e.root_label,
            e.inner_label, e.single_root]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "wrong"), [(5, LearningTable(3)), (6, LearningTable(4)), (7, np.ones(9, np.uint8)), (8, np.ones(1, bool))]
)
def test_parts_that_do_not_fit_are_refused(many, place, wrong):
    given = parts(many)
    Engine(*given)
    given[place] = wrong
    with pytest.raises(ValueError, match="do not fit"):
        Engine(*given)


@pytest.mark.parametrize(("place", "moves"), [(3, 1), (4, 2)])
def test_labels_are_chosen_by_the_ends_of_an_arc_alone(many, place, moves):
    given = parts(many)
    given[place] = given[moves]
    with pytest.raises(ValueError, match="more than the two ends of an arc"):
        Engine(*given)


def test_systems_have_no_more_moves_than_a_row_has_weights():
    """MOST_MOVES is what the widest slot of compiled weights holds."""
    assert MOST_MOVES == 28


def test_an_engine_sees_what_its_tables_learn(many):
    """Also when they have moved in memory, which a table does as it grows."""
    given = parts(many)
    given[5], given[6] = LearningTable(given[5].width), LearningTable(given[6].width)
    engine = Engine(*given)
    place = many.values, many.offsets
    before = results(engine, *place, 4)
    for known, table in ((many.engine.move_table, given[5]), (many.engine.label_table, given[6])):
        table.restore(known.state())
        size = table.bytes
        for first in range(0, 100_000, 500):
            table.learn([2**41 + first + i for i in range(500)], 0, 1, 1)
        assert table.bytes > size
    assert results(engine, *place, 4) == many.parse(4) != before
