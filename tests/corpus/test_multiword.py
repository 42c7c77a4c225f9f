"""Multiword tokens, looked up in the bytes they were read from."""

import numpy as np
import pytest

from fastparse import Treebank, read_conllu
from fastparse.corpus.conllu.reader import read_ranges
from fastparse.corpus.layout import multiword_tokens

LINES = [
    "# text = vámonos al mar",
    "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
    "1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\t_",
    "2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\tSpaceAfter=No",
    "2.1\tnada\t_\tPRON\t_\t_\t_\t_\t_\t_",
    "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_",
    "3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_",
    "4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_",
    "5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\t_",
    "",
    "# 1-2\tis a comment",
    "1\tuno\tuno\tNUM\t_\t_\t0\troot\t_\t_",
    "2-2\tdos\t_\t_\t_\t_\t_\t_\t_\t_",
    "2\tdos\tdos\tNUM\t_\t_\t1\tdep\t_\t_",
    "",
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_all_are_found(line_end, last):
    source = line_end.join(LINES) + (line_end if last else "")
    found = multiword_tokens(read_conllu(source.encode()))
    assert (found.first.tolist(), found.stop.tolist()) == ([0, 2, 6], [2, 4, 7])
    assert [form.decode() for form in found.forms] == ["vámonos", "al", "dos"]
    assert found.misc == [b"SpaceAfter=No", b"_", b"_"]
    assert len(found) == 3


def test_selected_sentences_count_from_their_own_beginning():
    treebank = read_conllu("\n".join(LINES).encode() + b"\n")
    found = multiword_tokens(treebank.select([1, 0]))
    assert (found.first.tolist(), found.stop.tolist()) == ([1, 2, 4], [2, 4, 6])
    assert found.forms[0] == b"dos"


def test_a_treebank_without_source_has_none():
    assert len(multiword_tokens(Treebank.from_columns(["a", "b"]))) == 0
    assert len(multiword_tokens(read_conllu(b""))) == 0


def test_places_outside_the_source_are_refused():

    def at(*places):
        return np.array(places, np.int64)

    for begins, ends in ((at(0), at(9)), (at(-1), at(2)), (at(2), at(1)), (at(0, 1), at(1))):
        with pytest.raises(IndexError):
            read_ranges(b"1\t2\n", begins, ends)
