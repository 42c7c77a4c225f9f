"""Percentages, and tables of plain text."""

from collections.abc import Iterable, Sequence
from typing import Any


def percent(part: Any, whole: Any) -> float:
    """`part` of `whole` in per cent; 0 of nothing is 0."""
    return 100.0 * int(part) / int(whole) if whole else 0.0


def text_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Columns aligned: text to the left, numbers to the right; None becomes a dash."""
    body = [list(row) for row in rows]
    numeric = [not any(isinstance(row[column], str) for row in body) for column in range(len(header))]
    cells = [list(header)] + [[cell(value) for value in row] for row in body]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = []
    for row in cells:
        aligned = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)


def cell(value: Any) -> str:
    """A value as tables show it: two decimals, thousands marked, None as a dash."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
