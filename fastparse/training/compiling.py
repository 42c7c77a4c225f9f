"""From weights as they are learnt to the tables of a model: averaged, rounded, pruned."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.model.compiled import CompiledTable
from fastparse.model.learning import LearningTable
from fastparse.training.options import TrainingOptions

__all__ = ["Rows", "averages", "compiled", "compiled_mean"]

# Rows as LearningTable.averages gives them, and how often each feature occurs: keys, starts, classes, weights, seen.
Rows = tuple[np.ndarray[Any, Any], ...]
# Averages of several runs are summed at this many times the final resolution.
_FINER = 16
_MOVES_AND_LABELS = (True, False)


def compiled(
    move_table: LearningTable, label_table: LearningTable, clock: int, options: TrainingOptions,
    for_moves: tuple[bool, bool] = _MOVES_AND_LABELS,
) -> tuple[CompiledTable, CompiledTable]:  # fmt: skip
    """Tables for parsing; the learning tables stay as they are.

    With `max_bytes`, features must have been counted (Trainer.count_features), or all weigh the same.

    Args:
        for_moves: which of the tables are laid out as those of moves.
    """
    tables = move_table, label_table
    return _fitting([_rows(table, clock, options.scale, options) for table in tables], tables, options, for_moves)


def averages(move_table: LearningTable, label_table: LearningTable, clock: int, options: TrainingOptions) -> list[Rows]:
    """One run's part in the mean of several."""
    return [_rows(table, clock, options.scale * _FINER, options) for table in (move_table, label_table)]


def compiled_mean(
    runs: list[list[Rows]], tables: tuple[LearningTable, LearningTable], options: TrainingOptions,
    for_moves: tuple[bool, bool] = _MOVES_AND_LABELS,
) -> tuple[CompiledTable, CompiledTable]:  # fmt: skip
    """Tables of the mean weights of several runs."""
    return _fitting([_mean(list(parts)) for parts in zip(*runs, strict=True)], tables, options, for_moves)


def _rows(table: LearningTable, clock: int, scale: float, options: TrainingOptions) -> Rows:
    keys, starts, classes, weights = table.averages(clock, scale)
    seen = np.ones(len(keys), np.int64) if options.max_bytes is None else table.occurrences(keys)
    return keys, starts, classes, weights, seen


def _mean(parts: list[Rows]) -> Rows:
    keys = np.concatenate([np.repeat(part[0], np.diff(part[1])) for part in parts])
    classes = np.concatenate([part[2] for part in parts])
    weights = np.concatenate([part[3] for part in parts]).astype(np.int64)
    seen = np.concatenate([np.repeat(part[4], np.diff(part[1])) for part in parts])
    order = np.lexsort((classes, keys))
    keys, classes, weights, seen = keys[order], classes[order], weights[order], seen[order]
    first = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]) | (classes[1:] != classes[:-1])])
    keys, classes, weights = keys[first], classes[first], np.add.reduceat(weights, first)
    seen = np.maximum.reduceat(seen, first)
    divisor = _FINER * len(parts)
    weights = np.sign(weights) * ((np.abs(weights) + divisor // 2) // divisor)
    kept = weights != 0
    keys, classes, weights, seen = keys[kept], classes[kept], weights[kept].astype(np.int32), seen[kept]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    return keys[starts], np.append(starts, len(keys)).astype(np.int64), classes, weights, seen[starts]


def _fitting(
    rows: list[Rows], tables: tuple[LearningTable, LearningTable], options: TrainingOptions,
    for_moves: tuple[bool, bool],
) -> tuple[CompiledTable, CompiledTable]:  # fmt: skip
    """The tables of the weights that matter most: large ones, and those of frequent features."""
    least = float(options.least_weight)
    while True:
        moves, labels = (
            CompiledTable.build(table.width, of_moves, *_pruned(row, least))
            for table, row, of_moves in zip(tables, rows, for_moves, strict=True)
        )
        if options.max_bytes is None or moves.bytes + labels.bytes <= options.max_bytes or least > _USELESS:
            return moves, labels
        least *= 1.1


# Nothing is kept beyond this importance.
_USELESS = 1e9


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
