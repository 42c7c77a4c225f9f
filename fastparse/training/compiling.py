"""From weights as they are learnt to the tables of a model: averaged, rounded, pruned."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.model.compiled import CompiledTable
from fastparse.model.learning import LearningTable
from fastparse.training.options import TrainingOptions

__all__ = ["compiled"]

_LARGEST_WEIGHT = 127


def compiled(
    move_table: LearningTable, label_table: LearningTable, clock: int, options: TrainingOptions
) -> tuple[CompiledTable, CompiledTable]:
    """Tables for parsing; the learning tables stay as they are."""
    averages = [table.averages(clock, options.scale) for table in (move_table, label_table)]
    widths = move_table.width, label_table.width
    least = options.least_weight
    while True:
        tables = [
            CompiledTable.build(width, for_moves, *_pruned(*average, least))
            for width, average, for_moves in zip(widths, averages, (True, False), strict=True)
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
