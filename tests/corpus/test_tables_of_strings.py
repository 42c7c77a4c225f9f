"""Tables of strings: which say something, and others behind them."""

import numpy as np
import pytest

from fastparse import Treebank, read_conllu
from fastparse.corpus.conllu.reader import line_feeds
from fastparse.corpus.derived import with_cells
from fastparse.corpus.strings.interning import StringTable
from fastparse.errors import Error


def test_strings_that_say_nothing():
    assert StringTable.of(["_", "", "a", "__", "é", "_"]).filled.tolist() == [False, False, True, True, True, False]
    assert StringTable.of([]).filled.tolist() == []


@pytest.mark.parametrize("strings", [[], ["a"], ["", "é", "_", "long enough for more than eight bytes", ""]])
@pytest.mark.parametrize("more", [[], ["b", "", "ü"]])
def test_a_table_with_more_strings(strings, more):
    table = StringTable.of(strings).extended(more)
    assert table.strings == [string or "_" for string in strings] + more
    assert table.hashes.tolist() == StringTable.of(table.strings).hashes.tolist()


def test_cells_of_some_words_are_replaced():
    source = b"1\ta\tb\tX\tx\tF=1\t0\troot\t_\t_\n2\tc\td\tY\ty\tF=2\t1\tdep\t_\tMisc=1\n\n"
    bank = read_conllu(source)
    cells = {"feats": ([1], [1], ["F=3", "F=é"]), "lemma": (np.array([True, False]), [0], ["q"])}
    changed = with_cells(bank, cells)
    assert changed.to_bytes() == source.replace(b"F=2", "F=é".encode()).replace(b"a\tb", b"a\tq")
    assert bank.to_bytes() == source
    assert changed.table("feats") == ["F=1", "F=2", "F=3", "F=é"]
    assert with_cells(Treebank.from_columns(["a"], upos=["X"]), {"upos": ([0], [0], ["Y"])})[0].upos == ["Y"]


@pytest.mark.parametrize("wrong", ["", "a\tb", "a\n", "\r", None])
def test_cells_that_cannot_be_written(wrong):
    bank = Treebank.from_columns(["a", "b"])
    with pytest.raises(Error, match="cannot stand in a cell"):
        with_cells(bank, {"lemma": ([0], [1], ["fine", wrong])})
    with pytest.raises(Error, match="cannot stand in a cell"):
        bank.with_columns(lemma=([0, 1], ["fine", wrong]))


@pytest.mark.parametrize("n", [0, 1, 254, 255, 256, 511, 5000])
def test_line_feeds_are_counted(n):
    data = b"\n" * n
    assert line_feeds(data) == n
    data = np.random.default_rng(n).choice(np.frombuffer(b"\n\r\tab", np.uint8), n).tobytes()
    assert line_feeds(data) == data.count(b"\n")
