"""No call can make the arrays of a treebank disagree, nor lead compiled code outside them."""

import copy
import pickle

import numpy as np
import pytest

import fastparse
from fastparse import Treebank, read_conllu
from fastparse.trees.pseudo_projective import deprojectivize, deprojectivize_treebank, projectivize
from tests.toy import TOY, toy_parser

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deps", "misc")


def treebanks():
    read = read_conllu(TOY)
    made = Treebank.from_columns([["a", "b"], ["c"]], heads=[[0, 1], [0]], deprels=[["r", "x"], ["r"]])
    yield from (read, made, read[1:4], read.with_heads(read.heads), made.with_columns(upos=([0, 0, 0], ["X"])))
    yield from (pickle.loads(pickle.dumps(read)), copy.deepcopy(made))


@pytest.mark.parametrize("number", range(7))
def test_what_is_read_only_cannot_be_written(number):
    treebank = list(treebanks())[number]
    for array in (treebank.offsets, *map(treebank.ids, COLUMNS)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 10**9
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
            array.flags.writeable = True
    with pytest.raises(AttributeError):
        treebank.offsets = np.array([0, 10**9])


@pytest.mark.parametrize("number", range(7))
def test_shape_and_type_of_what_is_kept_cannot_be_changed(number):
    treebank = list(treebanks())[number]
    for name in ("heads", "deprel_ids", "offsets"):
        array = getattr(treebank, name)
        size, array.shape = len(array), (1, -1)
        assert getattr(treebank, name).shape == (size,)
        getattr(treebank, name).dtype = np.int8
        assert getattr(treebank, name).dtype in (np.int32, np.int64)
        with pytest.raises(ValueError, match="resize"):
            getattr(treebank, name).resize(1, refcheck=False)


@pytest.mark.parametrize("name", ["heads", "deprel_ids"])
@pytest.mark.parametrize(
    "values", [[0], [], None, "abc", 7, [0.0, 1.0, 0.0], [[0, 1, 0]], [0, 1, 2**32 + 2], [0, [1], 0], [True] * 3,
               [None] * 3, np.zeros(3, "datetime64[s]"), np.zeros((3, 1), int), [0, 1, -(2**31) - 1]]
)  # fmt: skip
def test_assigned_numbers_are_whole_and_as_many_as_words(name, values):
    treebank = list(treebanks())[1]
    with pytest.raises(fastparse.Error, match=name):
        setattr(treebank, name, values)
    assert treebank.heads.tolist() == [0, 1, 0]


def test_assigned_numbers_are_copied():
    treebank = list(treebanks())[1]
    heads = np.array([0, 9, 1, 9, 0])[::2]
    treebank.heads = heads
    heads[:] = 7
    assert treebank.heads.tolist() == [0, 1, 0]
    treebank.deprel_ids = np.array([1, 0, 1], np.uint64)
    assert treebank.deprels == ["x", "r", "x"]
    treebank.heads[1] = 0
    assert treebank.heads.tolist() == [0, 0, 0]


def test_what_was_found_to_crash():
    """`heads[:3]` ended in abort, ids and offsets of 10**9 in a segmentation fault."""
    parser, treebank = toy_parser(), read_conllu(TOY)
    with pytest.raises(fastparse.Error, match=r"heads: expected 448 whole numbers .* found int32 of shape \(3,\)"):
        treebank.heads = treebank.heads[:3]
    with pytest.raises(ValueError, match="read-only"):
        treebank.ids("form")[0] = 10**9
    with pytest.raises(ValueError, match="read-only"):
        treebank.offsets[-1] = 10**9
    assert parser.parse(treebank).to_bytes() == parser.parse(read_conllu(TOY)).to_bytes()


@pytest.mark.parametrize("value", [-7, 10**6, -(2**31), 2**31 - 1])
def test_numbers_written_into_the_arrays_are_checked_where_they_are_used(value):
    for name in ("heads", "deprel_ids"):
        treebank = read_conllu(TOY)
        getattr(treebank, name)[3] = value
        with pytest.raises(fastparse.Error, match=r"Correct|label_id"):
            treebank.to_bytes()
        if name == "heads":
            assert not treebank.trees()[0]
            with pytest.raises(fastparse.Error, match="head"):
                fastparse.train(treebank, "arc-eager", iterations=1, encoder=None)
        elif value > 0:
            with pytest.raises(fastparse.Error, match="deprel_table"):
                treebank.deprels  # noqa: B018
            with pytest.raises(fastparse.Error, match="deprel"):
                fastparse.train(treebank, "arc-eager", iterations=1, encoder=None)
        if name == "heads" and value > 0:
            assert fastparse.evaluate(read_conllu(TOY), treebank).uas < 100
        elif name == "deprel_ids":
            with pytest.raises(fastparse.Error, match="deprel_table"):
                fastparse.evaluate(read_conllu(TOY), treebank)


@pytest.mark.parametrize("table", [[None], ["r", 7], "no", [b"r"]])
def test_labels_are_strings(table):
    treebank = list(treebanks())[1]
    if table == "no":
        treebank.deprel_table = table
        assert treebank.deprels == ["n", "o", "n"]
        return
    with pytest.raises(fastparse.Error, match="labels are strings"):
        treebank.deprel_table = table
    with pytest.raises(fastparse.Error, match="labels are strings"):
        treebank.deprels = [*table, *table, *table][:3]
    treebank.deprel_table[:] = table
    with pytest.raises(fastparse.Error, match="labels are strings"):
        treebank.to_bytes()


def test_strings_that_are_not_to_be_written_to_lead_nowhere():
    treebank = read_conllu(TOY)
    for column in ("form", "upos", "feats"):
        treebank.table(column).clear()
    with pytest.raises(fastparse.Error, match="have been changed"):
        toy_parser().parse(treebank)
    with pytest.raises(ValueError, match="read-only"):
        treebank.hashes("form")[0] = 1


def test_with_heads_wraps_and_cuts_nothing():
    treebank = list(treebanks())[1]
    for heads in ([2**32 + 2, 0, 0], [2.9, 0, 0], [True, False, True], [-2, 0, 0], [0, 0], [[0, 0, 0]]):
        with pytest.raises(fastparse.Error, match="heads"):
            treebank.with_heads(heads)
    for ids in ([2, 0, 0], [-2, 0, 0], [0.5, 0, 0], [2**32, 0, 0]):
        with pytest.raises(fastparse.Error, match="deprel_ids"):
            treebank.with_heads([0, 0, 0], ids)
    with pytest.raises(fastparse.Error, match="deprel_ids: number 2 is 1, expected -1 to 0"):
        treebank.with_heads([0, 0, 0], deprel_table=["r"])


def test_pseudo_projective_heads_wrap_and_cut_nothing():
    for heads in ([2**32 + 2, 0], [2.9, 0], np.array([2**32 + 2, 0])):
        with pytest.raises(fastparse.Error, match="heads must be"):
            deprojectivize(heads, ["a", "b"])
        with pytest.raises(fastparse.Error, match="heads must be"):
            projectivize(heads, ["a", "b"])
    with pytest.raises(fastparse.Error, match="offsets must ascend"):
        deprojectivize_treebank([2, 0], [0, 10**9], ["a", "b"])
    with pytest.raises(fastparse.Error, match="offsets must be a flat list"):
        deprojectivize_treebank([2, 0], [0, [2]], ["a", "b"])
    given = np.array([2, 0], np.int32)
    assert deprojectivize(given, ["a", "b"]) == ([2, 0], ["a", "b"])


@pytest.mark.parametrize("chosen", [[0.5], [True, False], [[0]], "ab", np.array([True, False]), [None], [[0], [0, 1]]])
def test_sentences_are_chosen_by_whole_numbers(chosen):
    with pytest.raises(fastparse.Error, match=r"chosen by their numbers from 0"):
        list(treebanks())[1].select(chosen)


@pytest.mark.parametrize(
    "offsets", [[0, 1.5, 3], [0, 2**63, 3], [[0, 3]], [0, 10**9], [3], [0, 2, 1, 3], "03", [0, [3]], None]
)
def test_offsets_are_whole_numbers_that_never_fall(offsets):
    if offsets is None:
        assert len(Treebank.from_columns(["a", "b", "c"], offsets=np.array([0, 1, 3], np.uint8))) == 2
        return
    with pytest.raises(fastparse.Error, match="offsets run from 0"):
        Treebank.from_columns(["a", "b", "c"], offsets=offsets)


def test_long_spaces_in_a_sent_id_take_no_time():
    """A regular expression took time with the square of the spaces: 18 seconds for these 100 KB."""
    data = b"# sent_id = a" + b" " * 100_000 + b"b\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    treebank = read_conllu(data + data.replace(b"1\tGo", b"2\tGo"), on_error="skip")
    assert treebank[0].sent_id == "a" + " " * 100_000 + "b"
    assert treebank.skipped == 1


WRAPPED = (0, 2**63 - 1, -(2**63), -1)  # every difference of two neighbours, and of -1 and a small number, is above 0


def test_offsets_whose_differences_wrap_around_are_refused():
    with pytest.raises(fastparse.Error, match="never fall"):
        fastparse.Treebank.from_columns(["a", "b"], offsets=np.array([*WRAPPED, 2]))
    with pytest.raises(fastparse.Error, match="ascend"):
        fastparse.trees.lift_treebank([0, 1], np.array([*WRAPPED, 2]), "projective")
