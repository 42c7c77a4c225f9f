"""Tables of weights as arrays of a file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from fastparse.errors import Error
from fastparse.weights.building import size_fault, table_fault
from fastparse.weights.table import CompiledTable

__all__ = ["Form", "arrays_of", "tables_from"]

Arrays = Mapping[str, np.ndarray[Any, Any]]


class Form(NamedTuple):
    """What a kind of search asks of one of its tables.

    Attributes:
        name: the first part of the names of its arrays.
        width: classes: moves, labels, or 1 for a yes or no.
        of_moves: whether a slot holds the weights themselves, as for moves, or the place of a row, as for labels.
    """

    name: str
    width: int
    of_moves: bool


def arrays_of(tables: Mapping[str, CompiledTable]) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays `tables_from` makes the tables of again."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for name, table in tables.items():
        arrays |= {f"{name}.displacements": table.displacements, f"{name}.slots": table.slots}
        if not table.for_moves:
            arrays[f"{name}.pool"] = table.pool
    return arrays


def tables_from(arrays: Arrays, forms: tuple[Form, ...]) -> dict[str, CompiledTable]:
    """Compiled tables over arrays from outside.

    Raises:
        Error: if a kernel could be led outside of them.
    """
    return {form.name: _table_from(arrays, form) for form in forms}


def _table_from(arrays: Arrays, form: Form) -> CompiledTable:
    parts = [arrays.get(f"{form.name}.{part}", np.zeros(0, np.uint8)) for part in ("displacements", "slots", "pool")]
    if any(part.dtype != np.uint8 or part.ndim != 1 for part in parts) or not len(parts[0]) or not len(parts[1]):
        raise Error(f"the table of {form.name} is missing or not made of bytes")
    fault = size_fault(form.width, form.of_moves, *map(len, parts))
    if not fault:
        displacements, slots, pool = parts
        table = CompiledTable(form.width, form.of_moves, displacements, slots, pool)
        fault = table_fault(table)
    if fault:
        raise Error(f"the table of {form.name} is damaged: {fault}")
    return table
