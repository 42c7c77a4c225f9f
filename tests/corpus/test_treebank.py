"""Treebanks as objects: views, selections, labels, columns given by hand, and what cannot be written."""

import numpy as np
import pytest

import fastparse
from fastparse.corpus.strings.interning import hash_of
from tests.corpus.cases import GOOD, lines, word

TWO = lines(
    "# sent_id = s1",
    word(1, "She", 2, "nsubj"),
    word(2, "reads", 0, "root"),
    "",
    "",
    "# between",
    "",
    "# sent_id = s2",
    word("1-2", "dunno", "_", "_"),
    word(1, "dun", 0, "root", "A=1"),
    word(2, "no", 1),
    "",
)


@pytest.fixture
def two():
    return fastparse.read_conllu(TWO)


def test_columns_and_views(two):
    assert two.heads.tolist() == [2, 0, 0, 1]
    assert (two.heads.dtype, two.offsets.dtype, two.deprel_ids.dtype) == (np.int32, np.int64, np.int32)
    assert two.offsets.tolist() == [0, 2, 4]
    assert two.deprels == ["nsubj", "root", "root", "dep"]
    assert two.deprel_table == ["nsubj", "root", "dep"]
    assert two.table("form") == ["She", "reads", "dun", "no"]
    assert two.ids("upos").tolist() == [0, 0, 0, 0]
    assert two.ids("upos").dtype == np.int32
    assert two.hashes("upos").tolist() == [hash_of("X")]
    assert two.hashes("upos").dtype == np.uint64
    assert two.hashes("deprel").tolist() == [hash_of(label) for label in two.deprel_table]
    assert [two.table("misc")[i] for i in two.ids("misc")] == ["_", "_", "A=1", "_"]
    assert np.shares_memory(two.ids("deprel"), two.deprel_ids)
    assert repr(two) == "<Treebank of 2 sentences, 4 words>"


def test_sentences(two):
    first, second = two
    assert (first.forms, first.upos, first.xpos, first.feats, first.lemmas) == (
        ["She", "reads"], ["X", "X"], ["_", "_"], ["_", "_"], ["_", "_"])  # fmt: skip
    assert (second.heads, second.deprels, second.misc, second.deps) == (
        [0, 1],
        ["root", "dep"],
        ["A=1", "_"],
        ["_", "_"],
    )
    assert (first.sent_id, first.line, second.sent_id, second.line) == ("s1", 1, "s2", 8)
    assert (first.where(), second.file) == ("<bytes>:1 (sent_id s1)", "<bytes>")
    assert second.comments == ["# sent_id = s2"]
    assert second.to_bytes() == TWO[TWO.index(b"# sent_id = s2") :]
    assert len(first) == 2
    assert repr(first) == "<Sentence <bytes>:1 (sent_id s1): She/2:nsubj reads/0:root>"
    assert two[-1].sent_id == "s2"
    with pytest.raises(IndexError, match="sentence 2 of a treebank with 2"):
        two[2]


def test_heads_are_views_that_writing_sees(two):
    two.heads[0] = -1
    two.deprel_ids[3] = two.label_id("discourse")
    two.deprel_ids[0] = -1
    assert two.deprels == ["_", "root", "root", "discourse"]
    expected = TWO.replace(b"2\tnsubj", b"_\t_").replace(b"1\tdep", b"1\tdiscourse")
    assert two.to_bytes() == expected


def test_labels_can_be_replaced(two):
    two.deprels = ["a", "b", "root", "a"]
    assert two.deprels == ["a", "b", "root", "a"]
    with pytest.raises(fastparse.Error, match="1 labels for 4 words"):
        two.deprels = ["a"]


def test_deps(two):
    assert two.to_bytes("copy").count(b"2\tnsubj\t2:nsubj\t_") == 1
    again = fastparse.read_conllu(two.to_bytes("copy"))
    assert again[0].deps == ["2:nsubj", "0:root"]
    assert again.to_bytes("blank") == TWO
    with pytest.raises(fastparse.UnknownNameError, match="'keep', 'copy' or 'blank'"):
        two.to_bytes("other")
    conllx = fastparse.read_conllu(b"1\ta\t_\tN\tNN\t_\t0\tROOT\n\n")
    with pytest.raises(fastparse.Error, match=r"needs the column DEPS.*write 'keep'"):
        conllx.to_bytes("blank")


def test_selections_are_copies_with_their_own_bytes(two):
    chosen = two.select([1, 0, 1])
    assert [s.sent_id for s in chosen] == ["s2", "s1", "s2"]
    assert chosen.to_bytes() == two[1].to_bytes() + TWO[: TWO.index(b"\n\n") + 2] + two[1].to_bytes()
    assert [s.line for s in chosen] == [8, 1, 8]
    chosen.heads[:] = 0
    assert two.heads.tolist() == [2, 0, 0, 1]
    assert two[1:].to_bytes() == two[1].to_bytes()
    assert len(two[5:]) == 0
    assert two[5:].to_bytes() == b""
    with pytest.raises(IndexError, match=r"2\.\.2 of a treebank with 2"):
        two.select([2])


def test_selected_sentences_are_ended_where_the_file_was_not():
    for cut, line_end in ((1, b"\n"), (2, b"\n"), (2, b"\r\n"), (4, b"\r\n")):
        data = GOOD.replace(b"\n", line_end)
        data += data[:-cut]
        chosen = fastparse.read_conllu(data).select([1, 0])
        assert [s.forms for s in fastparse.read_conllu(chosen.to_bytes())] == [["Go"], ["Go"]]


def test_with_heads_shares_all_else(two):
    other = two.with_heads([0, 1, 0, 1], [0, 0, 1, 1], ["x", "y"])
    assert (other.deprels, two.deprels[0]) == (["x", "x", "y", "y"], "nsubj")
    assert np.shares_memory(other.ids("form"), two.ids("form"))
    assert two.with_heads([0, 1, 0, 1]).deprels == two.deprels
    with pytest.raises(fastparse.Error, match="heads: expected 4 whole numbers"):
        two.with_heads([0])


def test_what_cannot_be_written_is_named(two):
    two.heads[1] = 3
    with pytest.raises(
        fastparse.Error, match=r"<bytes>:1 \(sent_id s1\): the head 3 of word 2.*1 to 2.*treebank\.heads"
    ):
        two.to_bytes()
    two.heads[1] = -2
    with pytest.raises(fastparse.Error, match=r"the head -2 of word 2"):
        two.to_bytes()
    two.heads[1] = 0
    two.deprel_ids[2] = 9
    with pytest.raises(fastparse.Error, match=r"<bytes>:8 \(sent_id s2\): label id 9 of word 1.*label_id"):
        two.to_bytes()
    two.deprel_ids[2] = two.label_id("half\ud800")
    with pytest.raises(fastparse.Error, match="cannot be written in UTF-8"):
        two.to_bytes()
    two.deprel_ids[2] = two.label_id("a\tb")
    with pytest.raises(fastparse.Error, match=r"'a\\tb' cannot be written.*Rename"):
        two.to_bytes()
    with pytest.raises(fastparse.UnknownNameError, match=r"no column 'tag'.*form, lemma"):
        two.ids("tag")


def test_trees():
    heads = [[2, 0], [2, 1], [1], [0], [-1], [2], [0, 1, 4, 5, 3], [], [2, 3, 4, 0]]
    treebank = fastparse.Treebank.from_columns([["w"] * len(h) for h in heads], heads=heads)
    assert treebank.trees().tolist() == [True, False, False, True, False, False, False, True, True]
    treebank.select([0, 3]).require_trees()
    for index, says in ((1, "cycle"), (2, "cycle"), (4, "word 1 has no head"), (5, "word 1 has head 2"), (6, "cycle")):
        with pytest.raises(fastparse.ConlluError, match=rf"sentence 1: a tree is needed.*{says}.*Correct the heads"):
            treebank.select([index]).require_trees()
    cyclic = fastparse.read_conllu(GOOD + lines("# sent_id = c", word(1, "a", 2), word(2, "b", 1), ""))
    with pytest.raises(
        fastparse.ConlluError, match=r"<bytes>:4 \(sent_id c\): a tree is needed, but word 1 is its own"
    ):
        cyclic.require_trees()


def test_columns_given_by_hand():
    treebank = fastparse.Treebank.from_columns(
        forms=[["She", "reads"], [], ["Go"]], upos=[["PRON", None], [], ["VERB"]], lemmas=[["she", ""], [], ["go"]],
        heads=[[2, 0], [], [None]], deprels=[["nsubj", "root"], [], [None]], sent_ids=["s1", None, None],
    )  # fmt: skip
    assert treebank.offsets.tolist() == [0, 2, 2, 3]
    assert treebank.to_bytes() == (
        b"# sent_id = s1\n1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\t_\t_\t_\t0\troot\t_\t_\n\n\n"
        b"1\tGo\tgo\tVERB\t_\t_\t_\t_\t_\t_\n\n"
    )
    assert treebank.to_bytes("copy").startswith(b"# sent_id = s1\n1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t2:nsubj\t_\n")
    assert (treebank[0].line, treebank[2].where()) == (None, "<columns>, sentence 3")
    assert treebank.select([2, 0])[1].sent_id == "s1"
    flat = fastparse.Treebank.from_columns(["a", "b", "c"], heads=np.array([0, 1, 0]), offsets=[0, 2, 3])
    assert [s.forms for s in flat] == [["a", "b"], ["c"]]
    assert [s.forms for s in fastparse.read_conllu(flat.to_bytes())] == [["a", "b"], ["c"]]
    assert len(fastparse.Treebank.from_columns([])) == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"forms": ["a", "b"], "upos": ["X"]}, r"column 'upos' has 1 values for 2 words: give one each"),
        ({"forms": ["a"], "heads": [0, 1]}, "2 heads for 1 words: give one each"),
        ({"forms": ["a"], "heads": ["x"]}, r"heads are integers, 0 for the root.*Correct the column"),
        ({"forms": ["a"], "heads": [1.0]}, r"heads are integers, 0 for the root"),
        ({"forms": ["a"], "heads": [2**32 + 1]}, r"4294967297 is none of the 1 words"),
        ({"forms": ["a"], "heads": [-2]}, r"-2 is none of the 1 words"),
        ({"forms": ["a"], "sent_ids": ["x\ny"]}, r"sent_id 'x\\ny' is no text of one line"),
        ({"forms": ["a", "b\tc"]}, r"sentence 1, word 2: form 'b\\tc' holds a tab.*replace it by a space"),
        ({"forms": [["a"], ["b"]], "lemmas": [["a"], ["x\ny"]]}, r"sentence 2, word 1: lemma 'x\\ny'"),
        ({"forms": ["a"], "upos": [7]}, r"sentence 1, word 1: upos is 7, not a string: convert the column"),
        ({"forms": ["a\ud800"]}, r"cannot be written in UTF-8.*errors='replace'"),
        ({"forms": ["a"], "offsets": [0, 2]}, r"offsets run from 0 to the number of words \(1\)"),
        ({"forms": ["a"], "sent_ids": ["x", "y"]}, "2 sent_ids for 1 sentences: give one each"),
    ],
)
def test_columns_that_do_not_fit(arguments, says):
    with pytest.raises(fastparse.Error, match=says):
        fastparse.Treebank.from_columns(**arguments)
