"""Tables of many sentences: of pandas (a row per word), Arrow and polars (a row per word or per sentence)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from fastparse.corpus.foreign.adapters import SENTENCE_NAMES, Words, words_in
from fastparse.corpus.foreign.cells import features_text, head_number, require_sound
from fastparse.corpus.foreign.lookalikes import check_names
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error

__all__ = ["TABLES"]


# Names of columns of words, a row each.
ROW_NAMES = {name: (name,) for name in ("form", "upos", "xpos", "feats", "lemma", "head", "deprel", "sent_id")}


class Frames:
    """pandas DataFrames, annotated in place."""

    def matches(self, item: Any) -> bool:
        return hasattr(item, "columns") and hasattr(item, "iloc") and hasattr(item, "index")

    def words(self, item: Any) -> Iterator[Words]:
        if "form" not in item.columns:
            raise Error(f"the table has no column 'form', only {list(item.columns)!r:.80}: rename the column of words")
        check_names(item.columns, ROW_NAMES, "the table")
        bounds = self._bounds(item)

        def column(name: str) -> list[Any] | None:
            if name not in item.columns:
                return None
            return [None if _is_missing(value) else value for value in item[name].tolist()]

        columns = {name: column(name) for name in ("form", "upos", "xpos", "feats", "lemma", "head", "deprel")}
        ids = _sent_ids(item)
        for begin, end in pairwise(bounds):
            part = {name: None if values is None else values[begin:end] for name, values in columns.items()}
            heads, feats = part["head"], part["feats"]
            yield Words(
                part["form"] or [], part["upos"], part["xpos"],
                None if feats is None else [features_text(value) for value in feats], part["lemma"],
                None if heads is None else [head_number(value) for value in heads], part["deprel"],
                None if ids is None else str(ids[begin]),
            )  # fmt: skip

    @staticmethod
    def _bounds(item: Any) -> list[int]:
        """Where sentences begin: where `sent_id` changes, else where `id` does not rise; else all is one sentence."""
        n = len(item)
        ids = _sent_ids(item)
        if ids is not None:
            starts = [i for i in range(1, n) if ids[i] != ids[i - 1]]
            _require_together(ids, starts)
        else:
            numbers = _level(item, "id")
            starts = [] if numbers is None else [i for i in range(1, n) if int(numbers[i]) <= int(numbers[i - 1])]
        return [0, *starts, n] if n else [0]

    def annotate(self, item: Any, treebank: Treebank) -> Any:
        if treebank.n_words != len(item):
            raise Error(f"the treebank has {treebank.n_words} words, the table {len(item)} rows: parse the same table")
        item["head"] = treebank.heads.copy()
        item["deprel"] = treebank.deprels
        return item


def _require_together(ids: list[Any], starts: list[int]) -> None:
    """Raise Error unless all rows of a sentence stand one after the other."""
    first: dict[Any, int] = {}
    for row in [0, *starts]:
        if row and ids[row] in first:
            raise Error(
                f"the rows of sentence {ids[row]!r} (sent_id) do not stand together: some begin at row "
                f"{first[ids[row]]}, others at row {row}. Sort the table by sentence, keeping the order of words: "
                f"frame.sort_values('sent_id', kind='stable')."
            )
        first[ids[row]] = row


def _is_missing(value: Any) -> bool:
    """None, or a number that is not equal to itself: how pandas writes what is not there."""
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"


def _level(item: Any, name: str) -> list[Any] | None:
    if name in item.columns:
        return list(item[name].tolist())
    if name in (getattr(item.index, "names", None) or ()):
        return list(item.index.get_level_values(name).tolist())
    return None


def _sent_ids(item: Any) -> list[Any] | None:
    return _level(item, "sent_id")


class _Rows:
    """As much of a pandas DataFrame as `Frames` reads and writes, of columns that cannot be changed."""

    index = None

    def __init__(self, names: Iterable[str], n: int, column: Callable[[str], Any]) -> None:
        self.columns, self._n, self._column = list(names), n, column
        self.new: dict[str, list[Any]] = {}

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, name: str) -> Any:
        return np.array(self._column(name), object)

    def __setitem__(self, name: str, values: Any) -> None:
        self.new[name] = list(values)


class ArrowTables:
    """Arrow tables and record batches, a row per sentence or word; they cannot be changed: a new one comes back."""

    def matches(self, item: Any) -> bool:
        return hasattr(item, "schema") and hasattr(item, "column_names") and hasattr(item, "to_pydict")

    def words(self, item: Any) -> Iterator[Words]:
        require_sound(item, "the table")
        if self._has_row_per_word(item):
            yield from Frames().words(self._rows(item))
            return
        check_names(item.column_names, SENTENCE_NAMES, "the table")
        columns = item.to_pydict()
        for i in range(item.num_rows):
            row = {name: values[i] for name, values in columns.items()}
            words = words_in(row)
            if words.forms is None:
                names = item.column_names
                raise Error(f"the table has no column of words, only {names!r:.80}: name it 'form' or 'tokens'")
            yield words

    def annotate(self, item: Any, treebank: Treebank) -> Any:
        if self._has_row_per_word(item):
            rows = self._rows(item)
            Frames().annotate(rows, treebank)
            for name, values in rows.new.items():
                item = self._with(item, name, [int(v) if name == "head" else v for v in values])
            return item
        if len(treebank) != item.num_rows:
            n = len(treebank)
            raise Error(f"the treebank has {n} sentences, the table {item.num_rows} rows: parse the same table")
        for name, values in (("head", [s.heads for s in treebank]), ("deprel", [s.deprels for s in treebank])):
            at = item.schema.get_field_index(name)
            if at >= 0 and name == "head" and "string" in str(item.schema.field(at).type):
                item = self._with(item, name, [[str(head) for head in heads] for heads in values])
            else:
                item = self._with(item, name, values)
        return item

    @staticmethod
    def _with(item: Any, name: str, values: list[Any]) -> Any:
        """The table with a column, in the place of one of that name."""
        column = [values] if hasattr(item, "combine_chunks") else values
        at = item.schema.get_field_index(name)
        return item.set_column(at, name, column) if at >= 0 else item.append_column(name, column)

    @staticmethod
    def _has_row_per_word(item: Any) -> bool:
        at = item.schema.get_field_index("form")
        return at >= 0 and "list" not in str(item.schema.field(at).type)

    @staticmethod
    def _rows(item: Any) -> _Rows:
        return _Rows(item.column_names, item.num_rows, lambda name: item.column(name).to_pylist())


class PolarsFrames:
    """polars DataFrames, of a row per word or, where words are in lists, a row per sentence; a new one comes back."""

    def matches(self, item: Any) -> bool:
        return hasattr(item, "with_columns") and hasattr(item, "collect_schema")

    def words(self, item: Any) -> Iterator[Words]:
        return ArrowTables().words(self._arrow(item))

    def annotate(self, item: Any, treebank: Treebank) -> Any:
        return import_module("polars").from_arrow(ArrowTables().annotate(self._arrow(item), treebank))

    @staticmethod
    def _arrow(item: Any) -> Any:
        if not hasattr(item, "to_arrow"):
            raise Error("the table is a LazyFrame of polars, which has no rows yet: give table.collect()")
        return item.to_arrow()


TABLES: list[Any] = [Frames(), PolarsFrames(), ArrowTables()]
