"""A tree in a terminal.

Crossing arcs are drawn with heavy lines, so every crossing is a ╋. An arrowhead stands above the dependent.
"""

from typing import Any

from fastparse.drawing.graph import Graph, graph_of
from fastparse.drawing.layout import Layout, Metrics, lay_out
from fastparse.drawing.widths import cells, is_mark, is_wide

_METRICS = Metrics(form_width=cells, label_width=cells, port=2, gap=2, slack=3)
# Light and heavy: corner to the right, level, corner to the left, upright.
_LIGHT, _HEAVY, _CROSSING, _ARROW = tuple("╭─╮│"), tuple("┏━┓┃"), "╋", "▼"


def to_text(sentence: Any, registers: tuple[int, ...] = ()) -> str:
    """Draw a sentence with box-drawing characters.

    Args:
        sentence: anything with forms, heads and, if they are known, deprels.
        registers: words to mark below the sentence, in the order of their registers.
    """
    graph = graph_of(sentence, registers)
    layout = lay_out(graph, _METRICS)
    heavy = {arc for pair in graph.crossings() for arc in pair}
    grid = [[" "] * layout.width for _ in range(layout.levels + (1 if layout.places else 0))]
    for place in layout.places:
        right_corner, level, left_corner, upright = _HEAVY if place.arc in heavy else _LIGHT
        row = layout.levels - place.level
        grid[row][place.left], grid[row][place.right] = right_corner, left_corner
        for column in range(place.left + 1, place.right):
            grid[row][column] = _CROSSING if grid[row][column] != " " else level
        for below in range(row + 1, layout.levels):
            for column in (place.left, place.right):
                grid[below][column] = _CROSSING if grid[below][column] != " " else upright
        grid[-1][place.head], grid[-1][place.dependent] = upright, _ARROW
    for place in layout.places:
        _write(grid[layout.levels - place.level], place.label, place.arc.label)
    grid += _words(graph, layout)
    return "\n".join("".join(row).rstrip() for row in grid)


def _words(graph: Graph, layout: Layout) -> list[list[str]]:
    """Rows of forms, numbers and registers."""
    rows = [[" "] * (layout.width + 1) for _ in range(3 if graph.registers else 2)]
    for word in layout.words:
        _centre(rows[0], layout, word, graph.text(word))
        _centre(rows[1], layout, word, str(word))
    for number, word in enumerate(graph.registers, 1):
        _centre(rows[2], layout, word, f"R{number}")
    return rows


def _centre(row: list[str], layout: Layout, word: int, text: str) -> None:
    _write(row, layout.lefts[word] + max(0, layout.widths[word] - cells(text)) // 2, text)


def _write(row: list[str], column: int, text: str) -> None:
    """Put a text into cells: a wide character empties the cell after it, a mark joins the one before."""
    for character in text:
        if is_mark(character):
            if column > 0:
                row[column - 1] += character
            continue
        row.extend(" " * (column + 2 - len(row)))
        row[column] = character
        column += 1
        if is_wide(character):
            row[column] = ""
            column += 1
