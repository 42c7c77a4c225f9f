"""Writing a treebank: the bytes it was read from with new heads and labels, or plain CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.arrays import Integers, part_bounds
from fastparse.corpus.columns import checked_labels
from fastparse.corpus.conllu.tokenization import Tokenization
from fastparse.corpus.conllu.writer import DEPS, assemble, splice, unwritable
from fastparse.corpus.strings.interning import StringTable
from fastparse.errors import Error, UnknownNameError

if TYPE_CHECKING:
    from fastparse.corpus.sentence import Sentence
    from fastparse.corpus.treebank import Treebank

__all__ = ["pieces"]

WORDS_PER_PIECE = 1 << 18
_NUMBERS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deps": 8, "misc": 9}
_COLUMNS = {"form": 1, **_NUMBERS, "deprel": 7}


def pieces(treebank: Treebank, deps: str, first: int = 1) -> Iterator[bytes]:
    """The file, some hundred thousand words at a time; nothing comes before everything is checked.

    Args:
        first: the number of the first sentence, of sentences that the tokenizer has numbered.
    """
    if deps not in DEPS:
        raise UnknownNameError(f"deps={deps!r} is unknown: write 'keep', 'copy' or 'blank'")
    layout = treebank._source
    heads, ids, labels = checked(treebank, treebank.n_columns)
    if layout is None:
        yield from _plain(treebank, heads, deps)
        return
    if deps != "keep" and treebank.n_columns == 8:
        raise Error(f"deps={deps!r} needs the column DEPS, which CoNLL-X with 8 columns has not: write 'keep'")
    table = StringTable.of(labels)
    others = {_NUMBERS[name]: treebank.cells(name) for name in treebank._replaced}
    bounds = part_bounds(treebank.offsets, WORDS_PER_PIECE)
    if isinstance(layout, Tokenization):
        others[_COLUMNS["deprel"]] = ids, table
        for begin, end in pairwise(bounds):
            columns = others if deps == "keep" else {k: cells for k, cells in others.items() if k != _COLUMNS["deps"]}
            yield layout.write(begin, end, heads, columns, first=first, copy_deps=deps == "copy")
        return
    lacking = {"misc", "deps"} & treebank._replaced if layout.n_columns == 8 else None
    if lacking:
        names = " and ".join(sorted(name.upper() for name in lacking))
        raise Error(f"the column {names} cannot be written to CoNLL-X with 8 columns, which has none")
    at = 0
    for first, last in pairwise(bounds if len(treebank) else [0, 0]):
        words = slice(int(treebank.offsets[first]), int(treebank.offsets[last]))
        if layout.spans is None:
            spans = np.stack([layout.begins[first:last], layout.ends[first:last]], axis=1).reshape(-1)
        else:
            end = len(layout.source) if last == len(treebank) else int(layout.ends[last - 1])
            spans = np.clip(layout.spans, at, end)
            at = end
        yield splice(
            layout.source, spans, layout.head_at[words], heads[words], ids[words], table,
            deps=DEPS[deps], close=layout.spans is None,
            others={number: (cells[words], strings) for number, (cells, strings) in others.items()},
        )  # fmt: skip


def _plain(treebank: Treebank, heads: np.ndarray[Any, Any], deps: str) -> Iterator[bytes]:
    """CoNLL-U of a treebank that has no source."""
    cells = {number: treebank.cells(name) for name, number in _COLUMNS.items()}
    if deps != "keep":
        del cells[_COLUMNS["deps"]]
    offsets = np.asarray(treebank.offsets, np.int64)
    for first, last in pairwise(part_bounds(offsets, WORDS_PER_PIECE)):
        words = slice(int(offsets[first]), int(offsets[last]))
        yield assemble(
            offsets[first : last + 1] - offsets[first], heads[words],
            {number: (ids[words], table) for number, (ids, table) in cells.items()},
            [treebank._comments(i) for i in range(first, last)], None, None, None, copy_deps=deps == "copy",
        )[0]  # fmt: skip


def checked(treebank: Treebank, n_columns: int) -> tuple[Integers, Integers, list[str]]:
    """Heads, label ids, and the labels, after every one of them has been looked at.

    They are copies: what another thread writes into the treebank meanwhile has not been looked at.
    """
    heads, ids, table = treebank.heads.copy(), treebank.deprel_ids.copy(), checked_labels(treebank.deprel_table)
    head, label_of = unwritable(heads, treebank.offsets, ids, len(table))
    if head >= 0:
        where, word, sentence = _locate(treebank, head)
        raise Error(
            f"{where}: the head {heads[head]} of word {word} cannot be written: expected -1 "
            f"(none), 0 (root) or a word from 1 to {len(sentence)}. Correct treebank.heads."
        )
    if label_of >= 0:
        where, word, _ = _locate(treebank, label_of)
        raise Error(
            f"{where}: label id {ids[label_of]} of word {word} is not in deprel_table, which "
            f"has {len(table)} labels. Add the label with treebank.label_id(label)."
        )
    for label in table:
        # A carriage return is a character like others, but not before a line end.
        if "\t" in label or "\n" in label or (n_columns == 8 and label.endswith("\r")):
            raise Error(f"the label {label!r} cannot be written: it holds a tab or a line end. Rename it.")
    return heads, ids, table


def _locate(treebank: Treebank, word: int) -> tuple[str, int, Sentence]:
    index = int(np.searchsorted(treebank.offsets, word, side="right")) - 1
    sentence = treebank[index]
    return sentence.where(), word - int(treebank.offsets[index]) + 1, sentence
