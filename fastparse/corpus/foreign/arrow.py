"""Columns of Arrow and of a treebank: the same ids, the same offsets, without a copy where Arrow has them so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fastparse.corpus.arrays import never_falls
from fastparse.corpus.foreign.cells import require_sound
from fastparse.corpus.rows import Cells
from fastparse.corpus.strings.interning import StringTable
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.extras import needed

__all__ = ["READ", "checked", "columns_of", "integer_lists", "list_array", "string_array", "treebank_of"]

READ = ("lemma", "upos", "xpos", "feats", "misc")
_LARGEST = (1 << 31) - 1


def checked(batch: Any) -> Any:
    """A record batch, if its buffers are what its columns say; Arrow itself looks only when it is asked to.

    Raises:
        Error: if places, ids or characters lie outside of them, or something is not UTF-8.
    """
    require_sound(batch, "this")
    return batch


def treebank_of(batch: Any, forms: str) -> Treebank:
    """The sentences of a record batch, a row each, with what there is of the columns that are read besides words.

    Args:
        forms: the name of the column of words.
    """
    offsets, cells = columns_of(batch, forms, READ)
    n = int(offsets[-1])
    for name in (*READ, "deps"):
        cells.setdefault(name, (np.zeros(n, np.int32), StringTable.of(["_"])))
    ids, tables = {name: ids for name, (ids, _) in cells.items()}, {name: table for name, (_, table) in cells.items()}
    return Treebank(np.full(n, -1, np.int32), offsets, np.full(n, -1, np.int32), [], ids, tables)


def columns_of(batch: Any, forms: str, names: Sequence[str]) -> tuple[np.ndarray[Any, Any], dict[str, Cells]]:
    """Where the words of each row begin, and the columns of strings that are there, words as `form`.

    Ids of dictionaries with 32 bits are shared with Arrow, and are read only. A row that is null has no words.

    Raises:
        Error: if a column is not a list of strings, as long as the words in every row, or strings are not UTF-8.
    """
    offsets, words = _string_lists(batch, forms)
    cells = {"form": words}
    for name in names:
        if name not in batch.schema.names:
            continue
        starts, cells[name] = _string_lists(batch, name)
        if not _agree(name, starts, forms, offsets):
            cells[name] = np.zeros(int(offsets[-1]), np.int32), StringTable.of(["_"])
    return offsets, cells


def integer_lists(batch: Any, name: str, forms: str, offsets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A column of whole numbers, int32 per word; -1 for null, and throughout if there is no such column."""
    pa = needed("pyarrow", "arrow")
    none = np.full(int(offsets[-1]), -1, np.int32)
    if name not in batch.schema.names:
        return none
    starts, values = _lists(batch, name, pa)
    if not _agree(name, starts, forms, offsets):
        return none
    try:
        found = values.cast(pa.int32()).fill_null(-1)
    except pa.ArrowException as error:
        raise Error(f"column {name!r} ({values.type}) cannot be read as whole numbers: {error}") from None
    return np.asarray(found.to_numpy(zero_copy_only=False), np.int32)


def _agree(name: str, starts: np.ndarray[Any, Any], forms: str, offsets: np.ndarray[Any, Any]) -> bool:
    """Whether a column has an item per word; False if all of it is null."""
    if np.array_equal(starts, offsets):
        return True
    if not starts[-1]:
        return False
    row = int(np.argmax(np.diff(starts) != np.diff(offsets)))
    raise Error(
        f"row {row}: column {name!r} has {np.diff(starts)[row]} items for {np.diff(offsets)[row]} words in {forms!r}: "
        f"give one each"
    )


def _string_lists(batch: Any, name: str) -> tuple[np.ndarray[Any, Any], Cells]:
    """Of a column of lists of strings: where each row begins (int64), and ids and strings of the items."""
    pa = needed("pyarrow", "arrow")
    offsets, values = _lists(batch, name, pa)
    try:
        return offsets, _ids(values, pa)
    except pa.ArrowException as error:
        raise Error(f"column {name!r} cannot be read as lists of strings: {error}") from None


def _lists(batch: Any, name: str, pa: Any) -> tuple[np.ndarray[Any, Any], Any]:
    """Where each row of a column of lists begins (int64), and the items."""
    at = batch.schema.get_field_index(name)
    if at < 0:
        raise Error(f"there is no column {name!r}, or several: the columns are {', '.join(batch.schema.names)}")
    array = batch.column(at)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_null(array.type):
        return np.zeros(len(array) + 1, np.int64), pa.nulls(0)
    if not (pa.types.is_list(array.type) or pa.types.is_large_list(array.type)):
        raise Error(f"column {name!r} is {array.type}: expected a list in each row, an item per word")
    if not len(array):  # whose single offset nobody has checked
        return np.zeros(1, np.int64), array.values.slice(0, 0)
    offsets = _offsets(array, name)
    values = array.flatten()
    if len(values) != offsets[-1]:
        raise Error(f"column {name!r}: its offsets do not fit its items: this is no sound Arrow array")
    return offsets, values


def _offsets(array: Any, name: str) -> np.ndarray[Any, Any]:
    if array.null_count:
        sizes = array.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        bounds = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=bounds[1:])
        return bounds
    starts = array.offsets.to_numpy()
    offsets: np.ndarray[Any, Any] = starts.astype(np.int64) - np.int64(starts[0])
    if not never_falls(offsets):
        raise Error(f"column {name!r}: its offsets fall: this is no sound Arrow array")
    return offsets


def _ids(values: Any, pa: Any) -> Cells:
    """Ids (int32) and strings; null is `_`."""
    if pa.types.is_null(values.type):
        return np.zeros(len(values), np.int32), StringTable.of(["_"])
    if not pa.types.is_dictionary(values.type):
        if values.type not in (pa.string(), pa.large_string()):
            values = values.cast(pa.string())
        values = values.dictionary_encode()
    elif len(values.dictionary) > 2 * len(values) + 1000:  # a small part of what shares a large dictionary
        values = values.cast(values.type.value_type).dictionary_encode()
    strings = values.dictionary.cast(pa.string())
    indices = values.indices
    if strings.null_count:
        strings = strings.fill_null("_")
    if indices.null_count:
        indices = indices.cast(pa.int32()).fill_null(len(strings))
        strings = pa.concat_arrays([strings, pa.array(["_"])])
    ids = indices.to_numpy(zero_copy_only=True)
    if len(ids) and (ids.min() < 0 or ids.max() >= len(strings)):
        raise Error(f"an index of a dictionary of {len(strings)} strings is {ids.max()}: this is no sound Arrow array")
    return np.ascontiguousarray(ids, np.int32), _table(strings)


def _table(strings: Any) -> StringTable:
    strings.validate(full=True)
    n, (_, starts, data) = len(strings), strings.buffers()
    if not n:
        return StringTable.of([])
    offsets = np.frombuffer(starts, np.int32)[strings.offset : strings.offset + n + 1]
    first, last = int(offsets[0]), int(offsets[-1])
    return StringTable.of_cells(b"" if data is None else data.slice(first, last - first).to_pybytes(), offsets - first)


def string_array(ids: np.ndarray[Any, Any], strings: Sequence[str], *, dictionary: bool) -> Any:
    """Strings of Arrow from ids (int32) and what they stand for; -1 is `_`."""
    pa = needed("pyarrow", "arrow")
    table = pa.array(strings, pa.string())
    if len(ids) and ids.min() < 0:
        table = pa.concat_arrays([table, pa.array(["_"])])
        ids = np.where(ids < 0, np.int32(len(table) - 1), ids)
    encoded = pa.DictionaryArray.from_arrays(pa.array(ids), table)
    return encoded if dictionary else encoded.cast(pa.string())


def list_array(offsets: np.ndarray[Any, Any], values: Any) -> Any:
    """Lists of Arrow, one per row."""
    pa = needed("pyarrow", "arrow")
    if offsets[-1] > _LARGEST:
        raise Error(f"{offsets[-1]:,} words are too many for one record batch: give batches of fewer sentences")
    kind = pa.list_(pa.field("element", values.type))
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values, type=kind)
