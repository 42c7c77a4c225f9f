"""Writing a treebank: the bytes it was read from with new heads and labels, or plain CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.arrays import Integers
from fastparse.corpus.columns import checked_labels
from fastparse.corpus.conllu.assembling import assemble
from fastparse.corpus.conllu.splicing import DEPS, splice
from fastparse.corpus.layout import Layout
from fastparse.errors import Error, UnknownNameError

if TYPE_CHECKING:
    from fastparse.corpus.sentence import Sentence
    from fastparse.corpus.strings.interning import StringTable
    from fastparse.corpus.treebank import Treebank

__all__ = ["pieces"]

WORDS_PER_PIECE = 1 << 18
_NUMBERS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deps": 8, "misc": 9}
_COLUMNS = {"form": 1, **_NUMBERS, "deprel": 7}


def pieces(treebank: Treebank, deps: str, layout: Layout | None) -> Iterator[bytes]:
    """The file, some hundred thousand words at a time; nothing comes before everything is checked."""
    if deps not in DEPS:
        raise UnknownNameError(f"deps={deps!r} is unknown: write 'keep', 'copy' or 'blank'")
    heads, ids, labels = checked(treebank, layout)
    if layout is None:
        yield from _plain(treebank, heads, deps)
        return
    if deps != "keep" and layout.n_columns == 8:
        raise Error(f"deps={deps!r} needs the column DEPS, which CoNLL-X with 8 columns has not: write 'keep'")
    others = replaced_columns(treebank, layout)
    bounds = _bounds(treebank) if len(treebank) else [0, 0]
    at = 0
    for first, last in pairwise(bounds):
        words = slice(int(treebank.offsets[first]), int(treebank.offsets[last]))
        if layout.spans is None:
            spans = np.stack([layout.begins[first:last], layout.ends[first:last]], axis=1).reshape(-1)
        else:
            end = len(layout.source) if last == len(treebank) else int(layout.ends[last - 1])
            spans = np.clip(layout.spans, at, end)
            at = end
        yield splice(
            layout.source, spans, layout.head_at[words], heads[words], ids[words], labels,
            deps=DEPS[deps], close=layout.spans is None,
            others={number: (cells[words], strings) for number, (cells, strings) in others.items()},
        )  # fmt: skip


def _bounds(treebank: Treebank) -> list[int]:
    """The sentences at which pieces begin, and their number."""
    bounds = [0]
    while bounds[-1] < len(treebank):
        enough = int(treebank.offsets[bounds[-1]]) + WORDS_PER_PIECE
        following = int(np.searchsorted(treebank.offsets, enough, side="right")) - 1
        bounds.append(min(len(treebank), max(following, bounds[-1] + 1)))
    return bounds


def _plain(treebank: Treebank, heads: np.ndarray[Any, Any], deps: str) -> Iterator[bytes]:
    """CoNLL-U of a treebank that has no source."""
    cells = {number: treebank.cells(name) for name, number in _COLUMNS.items()}
    if deps != "keep":
        del cells[_COLUMNS["deps"]]
    offsets = np.asarray(treebank.offsets, np.int64)
    for first, last in pairwise(_bounds(treebank)):
        words = slice(int(offsets[first]), int(offsets[last]))
        yield assemble(
            offsets[first : last + 1] - offsets[first], heads[words],
            {number: (ids[words], table) for number, (ids, table) in cells.items()},
            [treebank._comments(i) for i in range(first, last)], None, None, None, copy_deps=deps == "copy",
        )[0]  # fmt: skip


def replaced_columns(treebank: Treebank, layout: Layout) -> dict[int, tuple[np.ndarray[Any, Any], StringTable]]:
    """Ids and tables of the columns that are not as they were read, by number."""
    lacking = {"misc", "deps"} & treebank._replaced if layout.n_columns == 8 else None
    if lacking:
        names = " and ".join(sorted(name.upper() for name in lacking))
        raise Error(f"the column {names} cannot be written to CoNLL-X with 8 columns, which has none")
    return {_NUMBERS[name]: treebank.cells(name) for name in treebank._replaced}


def checked(treebank: Treebank, layout: Layout | None) -> tuple[Integers, Integers, list[bytes]]:
    """Heads, label ids, and the labels in UTF-8, after every one of them has been looked at.

    They are copies: what another thread writes into the treebank meanwhile has not been looked at.
    """
    heads, ids, table = treebank.heads.copy(), treebank.deprel_ids.copy(), checked_labels(treebank.deprel_table)
    sizes = treebank.offsets[1:] - treebank.offsets[:-1]
    wrong = (heads < -1) | (heads > np.repeat(sizes, sizes))
    if wrong.any():
        where, word, sentence = _locate(treebank, int(np.argmax(wrong)))
        raise Error(
            f"{where}: the head {heads[np.argmax(wrong)]} of word {word} cannot be written: expected -1 "
            f"(none), 0 (root) or a word from 1 to {len(sentence)}. Correct treebank.heads."
        )
    unknown = (ids < -1) | (ids >= len(table))
    if unknown.any():
        where, word, _ = _locate(treebank, int(np.argmax(unknown)))
        raise Error(
            f"{where}: label id {ids[np.argmax(unknown)]} of word {word} is not in deprel_table, which "
            f"has {len(table)} labels. Add the label with treebank.label_id(label)."
        )
    last_column = layout is not None and layout.n_columns == 8
    for label in table:
        # A carriage return is a character like others, but not before a line end.
        if "\t" in label or "\n" in label or (last_column and label.endswith("\r")):
            raise Error(f"the label {label!r} cannot be written: it holds a tab or a line end. Rename it.")
    try:
        return heads, ids, [label.encode("utf-8") for label in table]
    except UnicodeEncodeError as error:
        raise Error(f"the label {error.object!r} cannot be written in UTF-8. Rename it.") from None


def _locate(treebank: Treebank, word: int) -> tuple[str, int, Sentence]:
    index = int(np.searchsorted(treebank.offsets, word, side="right")) - 1
    sentence = treebank[index]
    return sentence.where(), word - int(treebank.offsets[index]) + 1, sentence
