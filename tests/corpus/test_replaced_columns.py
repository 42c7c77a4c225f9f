"""Treebanks with other lemmas, tags, features and notes: what is written, and what is refused."""

from __future__ import annotations

import random

import numpy as np
import pytest

import fastparse
from fastparse import Treebank, read_conllu

TEXT = """\
# a comment
1-2\tdunno\t_\t_\t_\t_\t_\t_\t_\tA=1
1\tdun\tdo\tVERB\tVB\tMood=Ind\t0\troot\t0:root\tX=Y
2\tno\tknow\tVERB\tVB\t_\t1\txcomp\t1:xcomp\t_
2.1\tit\tit\tPRON\t_\t_\t_\t_\t2:obj\t_

1\twhy\twhy\tADV\t_\t_\t0\troot\t_\t_\r

"""
COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "misc": 9}


def naive(text: str, cells: dict[str, list[str]], deps: str = "keep") -> str:
    """The text with these cells, line by line."""
    lines, word = [], 0
    for line in text.split("\n"):
        parts = line.split("\t")
        if len(parts) == 10 and parts[0].isdigit():
            if deps != "keep":
                parts[8] = f"{parts[6]}:{parts[7]}" if deps == "copy" else "_"
            for name, values in cells.items():
                end = "\r" * (name == "misc" and parts[9].endswith("\r"))
                parts[COLUMNS[name]] = values[word] + end
            word += 1
        lines.append("\t".join(parts))
    return "\n".join(lines)


@pytest.mark.parametrize("deps", ["keep", "copy", "blank"])
@pytest.mark.parametrize("seed", range(12))
def test_written_as_a_naive_writer_would(seed, deps):
    chance = random.Random(seed)
    names = chance.sample(list(COLUMNS), chance.randrange(1, 6))
    strings = ["a", "Grüße", "x" * 40, "_"]
    ids = {name: [chance.randrange(-1, 4) for _ in range(3)] for name in names}
    treebank = read_conllu(TEXT.encode()).with_columns(**{name: (ids[name], strings) for name in names})
    cells = {name: [strings[i] if i >= 0 else "_" for i in ids[name]] for name in names}
    assert treebank.to_bytes(deps).decode() == naive(TEXT, cells, deps)
    for name, values in cells.items():
        assert [treebank.table(name)[i] for i in treebank.ids(name)] == values


def test_read_again_it_is_the_same():
    treebank = read_conllu(TEXT.encode()).with_columns(upos=([0, 1, 0], ["X", "Y"]), misc=([1, 0, -1], ["M", "N"]))
    for made in (treebank, read_conllu(treebank.to_bytes())):
        assert [s.upos for s in made] == [["X", "Y"], ["X"]]
        assert [s.misc for s in made] == [["N", "M"], ["_"]]
        assert [s.forms for s in made] == [["dun", "no"], ["why"]]


def test_replaced_columns_survive_what_makes_treebanks_of_it():
    treebank = read_conllu(TEXT.encode()).with_columns(upos=([0, 1, 0], ["X", "Y"]))
    changed = treebank.with_heads([2, 0, 0])
    assert [line.split("\t")[3] for line in changed.to_bytes().decode().split("\n") if line[:2] in ("1\t", "2\t")] == [
        "X", "Y", "X"]  # fmt: skip
    assert changed[1:].to_bytes() == b"1\twhy\twhy\tX\t_\t_\t0\troot\t_\t_\r\n\n"
    both = changed.with_columns(xpos=([0, 0, 0], ["Z"]))
    assert both[1].upos == ["X"]
    assert both[1].xpos == ["Z"]
    assert b"\tX\tZ\t" in both.to_bytes()


def test_the_original_stays():
    original = read_conllu(TEXT.encode())
    original.with_columns(lemma=([0, 0, 0], ["l"])).heads[:] = 0
    assert original.to_bytes().decode() == TEXT


def test_without_a_source():
    treebank = Treebank.from_columns(forms=["She", "reads"]).with_columns(lemma=(np.array([1, 0]), ["read", "she"]))
    assert treebank.to_bytes() == b"1\tShe\tshe\t_\t_\t_\t_\t_\t_\t_\n2\treads\tread\t_\t_\t_\t_\t_\t_\t_\n\n"


def test_conllx_has_no_place_for_notes():
    source = b"1\tGo\tgo\tVERB\tVB\t_\t0\troot\n\n"
    treebank = read_conllu(source, format="conllx")
    assert treebank.with_columns(upos=([0], ["X"])).to_bytes() == source.replace(b"VERB", b"X")
    with pytest.raises(fastparse.Error, match="MISC cannot be written to CoNLL-X"):
        treebank.with_columns(misc=([0], ["X"])).to_bytes()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"form": ([0, 0, 0], ["a"])}, "'form' cannot be replaced: expected lemma, upos, xpos, feats, misc"),
        ({"upos": ([0, 0], ["a"])}, "'upos' needs 3 ids"),
        ({"upos": ([0, 0, 1.5], ["a"])}, "'upos' needs 3 ids, whole numbers"),
        ({"upos": ([[0, 0, 0]], ["a"])}, "'upos' needs 3 ids"),
        ({"upos": ([0, 0, 1], ["a"])}, "ids run from 0 to 1, but there are 1 strings"),
        ({"upos": ([0, 0, -2], ["a"])}, "ids run from -2 to 0"),
        ({"upos": ([0, 0, 2**32], ["a"])}, "ids run from 0 to 4294967296"),
        ({"upos": ([0, 0, 0], ["a\tb"])}, "cannot stand in a cell"),
        ({"upos": ([0, 0, 0], [""])}, "cannot stand in a cell"),
        ({"upos": ([0, 0, 0], [7])}, "7 cannot stand in a cell"),
    ],
)
def test_what_cannot_be_written_is_refused(columns, message):
    with pytest.raises(fastparse.Error, match=message):
        read_conllu(TEXT.encode()).with_columns(**columns)
