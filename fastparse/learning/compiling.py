"""From weights as they are learnt to the tables of a model: averaged, rounded, pruned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fastparse.learning.options import TrainingOptions
from fastparse.weights.arrays import Form
from fastparse.weights.building import bytes_of, table_of
from fastparse.weights.learning import LearningTable
from fastparse.weights.table import CompiledTable

__all__ = ["FINER", "Rows", "compiled", "fits", "fitting", "mean_of", "rows_of"]

# Rows as LearningTable.averages gives them, and how often each feature occurs: keys, starts, classes, weights, seen.
Rows = tuple[np.ndarray[Any, Any], ...]
# Averages of several runs are summed at this many times the final resolution.
FINER = 16


def rows_of(
    tables: Mapping[str, LearningTable], clock: int, options: TrainingOptions, finer: int = 1
) -> dict[str, Rows]:
    """Averaged weights; the tables stay as they are.

    With `max_bytes`, features must have been counted (`LearningTable.count`), or all weigh the same.

    Args:
        finer: FINER for those of one run of several.
    """
    return {name: _rows(table, clock, options.scale * finer, options) for name, table in tables.items()}


def mean_of(runs: Sequence[Mapping[str, Rows]]) -> dict[str, Rows]:
    """The mean weights of several runs, whose rows are finer."""
    return {name: _mean([rows[name] for rows in runs]) for name in runs[0]}


def compiled(
    tables: Mapping[str, LearningTable], clock: int, forms: Sequence[Form], options: TrainingOptions
) -> dict[str, CompiledTable]:
    """Tables for parsing; those that learn stay as they are."""
    return fitting(rows_of(tables, clock, options), forms, options)


def fitting(rows: Mapping[str, Rows], forms: Sequence[Form], options: TrainingOptions) -> dict[str, CompiledTable]:
    """Tables of the weights that matter most, large ones and those of frequent features: all that fit together."""
    least = float(options.least_weight)
    while True:
        kept = {form.name: _pruned(rows[form.name], least) for form in forms}
        if options.max_bytes is None or _bytes(kept, forms) <= options.max_bytes or least > _USELESS:
            return {form.name: table_of(form.width, form.of_moves, *kept[form.name]) for form in forms}
        least *= 1.1


def fits(rows: Mapping[str, Rows], forms: Sequence[Form], options: TrainingOptions) -> bool:
    """Whether nothing has to be left out for `max_bytes`; how often features occur does not matter."""
    if options.max_bytes is None:
        return True
    alike = {name: (*row[:4], np.ones_like(row[4])) for name, row in rows.items()}
    kept = {form.name: _pruned(alike[form.name], options.least_weight) for form in forms}
    return _bytes(kept, forms) <= options.max_bytes


def _bytes(kept: Mapping[str, tuple[np.ndarray[Any, Any], ...]], forms: Sequence[Form]) -> int:
    return sum(bytes_of(form.width, form.of_moves, kept[form.name][1], kept[form.name][3]) for form in forms)


# Nothing is kept beyond this importance.
_USELESS = 1e9


def _rows(table: LearningTable, clock: int, scale: float, options: TrainingOptions) -> Rows:
    keys, starts, classes, weights = table.averages(clock, scale)
    seen = np.ones(len(keys), np.int64) if options.max_bytes is None else table.occurrences(keys)
    return keys, starts, classes, weights, seen


def _mean(parts: Sequence[Rows]) -> Rows:
    # A weight's place is its feature's number among all keys, then its class. Keys of a run come sorted, so that stable
    # sorts only merge: several runs wait for this at their end.
    keys = np.concatenate([part[0] for part in parts])
    order = np.argsort(keys, kind="stable")
    new = np.diff(keys[order], prepend=np.uint64(0)) != 0  # no key is 0
    numbers = np.empty(len(keys), np.int64)
    numbers[order] = np.cumsum(new) - 1
    keys = keys[order[new]]
    seen = np.zeros(len(keys), np.int64)
    np.maximum.at(seen, numbers, np.concatenate([part[4] for part in parts]))
    classes = np.concatenate([part[2] for part in parts])
    width = 1 + int(classes.max(initial=0))
    places = np.repeat(numbers, np.concatenate([np.diff(part[1]) for part in parts])) * width + classes
    order = np.argsort(places, kind="stable")
    places = places[order]
    weights = np.concatenate([part[3] for part in parts]).astype(np.int64)[order]
    first = np.flatnonzero(np.diff(places, prepend=-1))
    places, weights = places[first], np.add.reduceat(weights, first) if len(first) else weights
    divisor = FINER * len(parts)
    weights = np.sign(weights) * ((np.abs(weights) + divisor // 2) // divisor)
    kept = weights != 0
    numbers, classes = np.divmod(places[kept], width)
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    filled = numbers[starts]
    starts, weights = np.append(starts, len(numbers)), weights[kept].astype(np.int32)
    return keys[filled], starts, classes.astype(np.int32), weights, seen[filled]


def _pruned(row: Rows, least: float) -> tuple[np.ndarray[Any, Any], ...]:
    """The row without weights of less importance than `least`; features left without weights are dropped.

    The importance of a weight is its size times the square root of how often its feature occurs in training.
    """
    keys, starts, classes, weights, seen = row
    kept = np.abs(weights) * np.repeat(np.sqrt(seen), np.diff(starts)) >= least
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    bounds = before[starts]
    filled = bounds[1:] > bounds[:-1]
    return keys[filled], np.append(bounds[:-1][filled], bounds[-1]), classes[kept], weights[kept]
