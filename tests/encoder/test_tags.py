"""Reading forms, and tags of kinds of words, against what reads and encodes word by word."""

import numpy as np
import pytest

import fastparse
from fastparse.corpus.strings.interning import StringTable
from fastparse.encoder.arrays import stored
from fastparse.encoder.encoder import Encoder, kernels
from fastparse.encoder.inputs import Inputs, Reader
from fastparse.encoder.reading import Forms
from fastparse.encoder.scratch import Scratch
from fastparse.errors import Error
from tests.encoder.networks import random_arrays
from tests.toy import toy

ODD = [
    "",
    "-",
    "--",
    "a",
    "A",
    "ß",
    "İstanbul",
    "XXXxxx000---aaa",
    "12,000.50",
    "don't",
    "日本語",
    "e\u0301e",
    "aaaaaaaaaaaaa",
]


def words_of(forms):
    return fastparse.Treebank.from_columns([form for form in forms if form])


@pytest.mark.parametrize(("longest", "grams"), [(4, 0), (5, 12), (0, 3)])
def test_forms_are_read_as_the_reader_does(longest, grams):
    known = words_of(ODD[::2] * 2 + toy().table("form"))
    inputs = Inputs.learn(known, 1, False, longest, grams)
    asked = words_of(ODD + toy().table("form"))
    table = asked.table("form")
    ids, ends = Forms(inputs).read(StringTable.of(table), np.asarray(asked.ids("form"), np.int32))
    expected = Reader(inputs).rows(asked)
    where = inputs.columns()
    for row in range(len(expected)):
        begin = ends[row - 1, 1] if row else 0
        for group, first, last in (("form", begin, ends[row, 0]), ("affix", ends[row, 0], ends[row, 1])):
            wanted = expected[row, slice(*where[group])]
            assert sorted(ids[first:last].tolist()) == sorted(wanted[wanted > 0].tolist())


def folded(h, chunk):
    h = (h ^ chunk) * np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


def test_strings_that_are_made_to_collide_are_refused():
    last = np.arange(0x10000, 0x110000, dtype=np.uint64)
    key = folded(folded(np.ones(1, np.uint64), np.uint64(ord("a"))) + np.uint64(1), last)
    slot = folded(np.uint64(0), key) & np.uint64(1023)
    strings = ["a" + chr(character) for character in last[slot == 5][:500]]
    assert len(strings) == 500
    with pytest.raises(ValueError, match="the 500 keys are made to collide"):
        Forms(Inputs(tuple(strings), (), (), (), 1))


def words_of_kinds(seed, words, kernel=None):
    """An encoder of one tag, kinds of words as ids with their ends, and the kind of each word."""
    arrays = stored(random_arrays(seed, tags=(90,), segments=((50, 32), (300, 64)), dilations=(1, 2, 4)))
    random = np.random.default_rng(seed)
    counts = np.stack([np.ones(40, int), random.integers(0, 9, 40)], 1)
    ends = np.cumsum(counts.ravel()).reshape(counts.shape).astype(np.int32)
    ids = random.integers(0, 50, int(ends[-1, -1])).astype(np.int32)
    encoder = Encoder(arrays, kernel=kernel)
    return encoder, ids, ends, random.integers(0, 40, words).astype(np.int32)


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("lengths", [[1], [5, 1, 30, 100, 28, 129, 2], [700, 3]])
def test_tags_are_those_of_words_read_one_by_one(kernel, lengths):
    lengths = np.array(lengths, np.int32)
    encoder, ids, ends, kinds = words_of_kinds(3, int(lengths.sum()), kernel)
    scratch = Scratch(encoder)
    scratch.encode(ids, ends, lengths, kinds)
    said = scratch.tags(0)
    starts = np.concatenate(([0], ends[:-1, -1]))
    spread = np.concatenate([ids[starts[k] : ends[k, -1]] for k in kinds])
    sizes = np.stack([ends[kinds, 0] - starts[kinds], ends[kinds, 1] - ends[kinds, 0]], 1)
    scratch.encode(spread, np.cumsum(sizes.ravel()).reshape(sizes.shape), lengths)
    assert said.tolist() == scratch.tags(0).tolist()
    assert len(set(said.tolist())) > min(2, len(said) - 1)


def test_what_is_given_is_agreed_with():
    encoder, ids, ends, kinds = words_of_kinds(4, 60)
    scratch = Scratch(encoder)
    scratch.encode(ids, ends, [60], kinds)
    classes = np.stack([np.arange(90) % 7, np.arange(90) % 4], 1).astype(np.int32)
    free = scratch.tags(0)
    given = np.full((60, 2), -1, np.int32)
    assert (scratch.tags(0, classes, given) == free).all()
    given[10:40, 0], given[30:50, 1] = 3, 2
    said = scratch.tags(0, classes, given)
    assert (said[:10] == free[:10]).all()
    assert (classes[said[10:40], 0] == 3).all()
    assert (classes[said[30:50], 1] == 2).all()
    assert (said != free).any()
    given[:] = 9, -1
    assert (scratch.tags(0, classes, given) == free).all()


def test_impossible_calls_are_refused():
    encoder, ids, ends, kinds = words_of_kinds(5, 10)
    scratch, lengths, classes = Scratch(encoder), np.array([10], np.int32), np.zeros((90, 2), np.int32)
    scratch.encode(ids, ends, lengths, kinds)
    for call in (
        lambda: scratch.encode(ids[:3], ends, lengths, kinds),
        lambda: scratch.encode(ids, ends[::-1], lengths, kinds),
        lambda: scratch.encode(ids, ends[:, :1], lengths, kinds),
        lambda: scratch.encode(ids, ends, lengths, kinds + 40),
        lambda: scratch.encode(ids, ends, lengths, kinds - 40),
        lambda: scratch.encode(ids, ends, lengths + 1, kinds),
        lambda: scratch.encode(ids, ends, [0, 10], kinds),
        lambda: scratch.tags(1),
        lambda: scratch.tags(0, classes[:3]),
        lambda: scratch.tags(0, classes, np.zeros((3, 2), np.int32)),
        lambda: scratch.tags(0, classes, np.zeros((10, 1), np.int32)),
    ):
        with pytest.raises(Error):
            call()
