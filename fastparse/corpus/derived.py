"""Treebanks made of others: some of the sentences, or the same with other heads, tags or lemmas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.arrays import as_array, part_bounds, whole_numbers
from fastparse.corpus.columns import REPLACEABLE, checked_labels, replacement, require_cells
from fastparse.corpus.conllu.tokenization import Tokenization
from fastparse.corpus.conllu.tokenization import joined as joined_tokens
from fastparse.corpus.strings.interning import joined_cells
from fastparse.errors import Error, UnknownNameError

if TYPE_CHECKING:
    from fastparse.corpus.strings.interning import StringTable
    from fastparse.corpus.treebank import Treebank

__all__ = [
    "behind_each_other", "filled_in", "in_parts", "joined", "selected", "sentences_of", "with_cells", "with_columns",
    "with_heads", "words_of",
]  # fmt: skip


def selected(treebank: Treebank, indices: Iterable[int] | np.ndarray[Any, Any]) -> Treebank:
    """See `Treebank.select`."""
    chosen = as_array(indices if isinstance(indices, np.ndarray) else list(indices))
    if chosen.ndim != 1 or (len(chosen) and chosen.dtype.kind not in "iu"):
        raise Error(
            f"sentences are chosen by their numbers from 0: found {chosen.dtype} of shape {chosen.shape}. Of a mask "
            f"take mask.nonzero()[0]."
        )
    if len(chosen) and (chosen.min() < 0 or chosen.max() >= len(treebank)):
        raise IndexError(f"sentences {chosen.min()}..{chosen.max()} of a treebank with {len(treebank)}")
    chosen = chosen.astype(np.int64)
    sizes = (treebank.offsets[1:] - treebank.offsets[:-1])[chosen]
    offsets = np.zeros(len(chosen) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    words = np.arange(offsets[-1]) + np.repeat(treebank.offsets[chosen] - offsets[:-1], sizes)
    layout, sent_ids = treebank._layout, treebank._sent_ids
    if layout is not None:
        layout = replace(layout, head_at=layout.head_at[words], begins=layout.begins[chosen],
                         ends=layout.ends[chosen], lines=layout.lines[chosen], spans=None)  # fmt: skip
    return type(treebank)(
        treebank.heads[words], offsets, treebank.deprel_ids[words], list(treebank.deprel_table),
        {name: ids[words] for name, ids in treebank._ids.items()}, dict(treebank._tables), source=layout,
        sent_ids=None if sent_ids is None else [sent_ids[i] for i in chosen], replaced=treebank._replaced,
    )  # fmt: skip


def with_heads(treebank: Treebank, heads: Any, deprel_ids: Any | None, deprel_table: Sequence[str] | None) -> Treebank:
    """See `Treebank.with_heads`."""
    n = treebank.n_words
    table = checked_labels(treebank.deprel_table if deprel_table is None else deprel_table)
    new_heads = whole_numbers(heads, n, "heads", -1)
    given = treebank.deprel_ids if deprel_ids is None else deprel_ids
    new_ids = whole_numbers(given, n, "deprel_ids", -1, len(table) - 1)
    return type(treebank)(
        new_heads, treebank.offsets, new_ids, table, treebank._ids, treebank._tables, source=treebank._source,
        failures=treebank._failures, sent_ids=treebank._sent_ids, replaced=treebank._replaced,
    )  # fmt: skip


def with_columns(treebank: Treebank, columns: Mapping[str, tuple[Any, Sequence[str]]]) -> Treebank:
    """See `Treebank.with_columns`."""
    found = {}
    for name, (given, strings) in columns.items():
        if name not in REPLACEABLE:
            raise UnknownNameError(f"the column {name!r} cannot be replaced: expected {', '.join(REPLACEABLE)}")
        found[name] = replacement(name, given, strings, treebank.n_words)
    return _with_columns(treebank, found)


def with_cells(treebank: Treebank, cells: Mapping[str, tuple[Any, Any, Sequence[str]]]) -> Treebank:
    """The same sentences with other cells for some words of replaceable columns.

    Args:
        cells: by column, which words (anything that numpy takes for an index), an id for each of them, none below 0,
            and the strings by id.
    """
    found = {}
    for name, (words, given, strings) in cells.items():
        require_cells(name, strings)
        ids = np.array(treebank.ids(name))
        ids[words] = np.asarray(given, np.int32) + np.int32(len(treebank._tables[name]))
        found[name] = ids, treebank._tables[name].extended(strings)
    return _with_columns(treebank, found)


def _with_columns(treebank: Treebank, columns: Mapping[str, tuple[Any, StringTable]]) -> Treebank:
    ids, tables = dict(treebank._ids), dict(treebank._tables)
    for name, (given, table) in columns.items():
        ids[name], tables[name] = given, table
    return type(treebank)(
        treebank.heads.copy(), treebank.offsets, treebank.deprel_ids.copy(), list(treebank.deprel_table), ids, tables,
        source=treebank._source, failures=treebank._failures, sent_ids=treebank._sent_ids,
        replaced=treebank._replaced | columns.keys(),
    )  # fmt: skip


def joined(parts: Sequence[Treebank]) -> Treebank:
    """The sentences of running text in parts that follow each other, numbered through.

    Args:
        parts: at least one, all of them from a tokenizer; what became of their columns is kept.
    """
    if len(parts) == 1:
        return parts[0]
    tokens = joined_tokens([part._source for part in parts if isinstance(part._source, Tokenization)])
    tables, ids = {"form": tokens.forms}, {"form": tokens.ids}
    others = {name for part in parts for name in part._replaced & {"misc", "deps"}}
    for name in ("lemma", "upos", "xpos", "feats", *sorted(others)):
        ids[name], tables[name] = joined_cells([part.cells(name) for part in parts])
    labels, table = joined_cells([part.cells("deprel") for part in parts])
    return type(parts[0])(
        np.concatenate([part.heads for part in parts]), tokens.offsets, labels, list(table.strings), ids, tables,
        source=tokens, replaced=frozenset().union(*(part._replaced for part in parts)),
    )  # fmt: skip


def behind_each_other(treebanks: Sequence[Treebank]) -> Treebank:
    """Treebanks of any origin as one; each keeps the numbers of its sentences.

    Args:
        treebanks: at least one.
    """
    if any(treebank._source is not None for treebank in treebanks):
        from fastparse.corpus.reading import read_conllu

        return read_conllu(b"".join(treebank.to_bytes() for treebank in treebanks), format="conllu")
    ids, tables = {}, {}
    for name in ("form", *REPLACEABLE):
        ids[name], tables[name] = joined_cells([treebank.cells(name) for treebank in treebanks])
    labels, table = joined_cells([treebank.cells("deprel") for treebank in treebanks])
    sizes = np.concatenate([np.diff(treebank.offsets) for treebank in treebanks])
    sent_ids = [
        sent_id for treebank in treebanks for sent_id in treebank._sent_ids or [None] * (len(treebank.offsets) - 1)
    ]
    return type(treebanks[0])(
        np.concatenate([treebank.heads for treebank in treebanks]), np.concatenate(([0], np.cumsum(sizes))), labels,
        list(table.strings), ids, tables, sent_ids=sent_ids if any(sent_ids) else None,
    )  # fmt: skip


def in_parts(treebank: Treebank, change: Callable[[Treebank], Treebank], words: int) -> Treebank:
    """What `change` makes of a treebank's heads, labels and columns, in parts of about so many words.

    Args:
        change: gives the same sentences; what becomes of one does not depend on the others.
    """
    offsets = np.asarray(treebank.offsets)
    parts = [change(treebank.select(range(first, last))) for first, last in pairwise(part_bounds(offsets, words))]
    if not parts:
        return change(treebank)
    columns = {name for part in parts for name in part._replaced}
    found = treebank.with_columns(
        **{name: _strung([(part.ids(name), part.table(name)) for part in parts]) for name in sorted(columns)}
    )
    ids, table = _strung([(part.deprel_ids, part.deprel_table) for part in parts])
    return with_heads(found, np.concatenate([part.heads for part in parts]), ids, table)


def _strung(parts: Sequence[tuple[Any, Sequence[str]]]) -> tuple[np.ndarray[Any, Any], list[str]]:
    """The ids and tables of parts of a column, one after the other, as those of the whole."""
    places: dict[str, int] = {}
    ids = []
    for given, strings in parts:
        of = np.array([places.setdefault(string or "_", len(places)) for string in strings] + [-1], np.int32)
        ids.append(of[np.asarray(given)])  # -1, where there is none, is the last
    return np.concatenate(ids), list(places)


# Columns that are filled


def filled_in(treebank: Treebank, columns: Sequence[str]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """For every word and each of some columns, whether its sentence has something there; bool [words, columns]."""
    found = np.zeros((treebank.n_words, len(columns)), np.bool_)
    for k, column in enumerate(columns):
        ids, table = treebank.cells(column)
        filled = table.filled
        if filled.all():
            found[:, k] = True
        elif filled.any():
            found[:, k] = words_of(treebank, sentences_of(treebank, filled[ids]))
    return found


def sentences_of(treebank: Treebank, words: np.ndarray[Any, np.dtype[np.bool_]]) -> np.ndarray[Any, Any]:
    """The sentences that have one of these words."""
    offsets = treebank._offsets
    before = np.concatenate(([0], np.cumsum(words)))
    return np.flatnonzero(before[offsets[1:]] > before[offsets[:-1]])


def words_of(treebank: Treebank, sentences: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which words belong to one of these sentences."""
    chosen = np.zeros(len(treebank), np.bool_)
    chosen[sentences] = True
    return np.repeat(chosen, np.diff(treebank._offsets))
