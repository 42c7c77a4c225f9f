"""From weights as they are learnt to the tables of a model: averaged, rounded, pruned."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.model.compiled import CompiledTable
from fastparse.model.learning import LearningTable
from fastparse.training.options import TrainingOptions

__all__ = ["Rows", "averages", "compiled", "compiled_mean"]

_LARGEST_WEIGHT = 127


# Rows as LearningTable.averages gives them: keys, starts, classes, weights.
Rows = tuple[np.ndarray[Any, Any], ...]
# Averages of several runs are summed at this many times the final resolution.
_FINER = 16


def compiled(
    move_table: LearningTable, label_table: LearningTable, clock: int, options: TrainingOptions
) -> tuple[CompiledTable, CompiledTable]:
    """Tables for parsing; the learning tables stay as they are."""
    widths = move_table.width, label_table.width
    return _fitting([table.averages(clock, options.scale) for table in (move_table, label_table)], widths, options)


def averages(move_table: LearningTable, label_table: LearningTable, clock: int, options: TrainingOptions) -> list[Rows]:
    """One run's part in the mean of several."""
    return [table.averages(clock, options.scale * _FINER) for table in (move_table, label_table)]


def compiled_mean(
    runs: list[list[Rows]], widths: tuple[int, int], options: TrainingOptions
) -> tuple[CompiledTable, CompiledTable]:
    """Tables of the mean weights of several runs."""
    return _fitting([_mean(list(parts)) for parts in zip(*runs, strict=True)], widths, options)


def _mean(parts: list[Rows]) -> Rows:
    keys = np.concatenate([np.repeat(k, np.diff(starts)) for k, starts, _, _ in parts])
    classes = np.concatenate([c for _, _, c, _ in parts])
    weights = np.concatenate([w for _, _, _, w in parts]).astype(np.int64)
    order = np.lexsort((classes, keys))
    keys, classes, weights = keys[order], classes[order], weights[order]
    first = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]) | (classes[1:] != classes[:-1])])
    keys, classes, weights = keys[first], classes[first], np.add.reduceat(weights, first)
    divisor = _FINER * len(parts)
    weights = np.sign(weights) * ((np.abs(weights) + divisor // 2) // divisor)
    kept = weights != 0
    keys, classes, weights = keys[kept], classes[kept], weights[kept].astype(np.int32)
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    return keys[starts], np.append(starts, len(keys)).astype(np.int64), classes, weights


def _fitting(
    rows: list[Rows], widths: tuple[int, int], options: TrainingOptions
) -> tuple[CompiledTable, CompiledTable]:
    least = options.least_weight
    while True:
        tables = [
            CompiledTable.build(width, for_moves, *_pruned(*row, least))
            for width, row, for_moves in zip(widths, rows, (True, False), strict=True)
        ]
        size = sum(table.bytes for table in tables)
        if options.max_bytes is None or size <= options.max_bytes or least > _LARGEST_WEIGHT:
            return tables[0], tables[1]
        least += 1


def _pruned(
    keys: np.ndarray[Any, Any], starts: np.ndarray[Any, Any], classes: np.ndarray[Any, Any],
    weights: np.ndarray[Any, Any], least: int,
) -> tuple[np.ndarray[Any, Any], ...]:  # fmt: skip
    """Rows without the weights nearer to 0 than `least`; rows left empty are dropped."""
    if least <= 1:
        return keys, starts, classes, weights
    kept = np.abs(weights) >= least
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    bounds = before[starts]
    filled = bounds[1:] > bounds[:-1]
    return keys[filled], np.append(bounds[:-1][filled], bounds[-1]), classes[kept], weights[kept]
