"""A tree in a terminal.

Crossing arcs are drawn with heavy lines, so every crossing is a ╋. An arrowhead stands above the dependent.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from fastparse.drawing.graph import Graph, graph_of
from fastparse.drawing.layout import Layout, Metrics, cells, is_mark, is_wide, lay_out
from fastparse.errors import Error

_METRICS = Metrics(form_width=cells, label_width=cells, port=2, gap=2, slack=3)
_NARROWEST = 8  # cells of a column of a table that is folded
# Light and heavy: corner to the right, level, corner to the left, upright.
_LIGHT, _HEAVY, _CROSSING, _ARROW = tuple("╭─╮│"), tuple("┏━┓┃"), "╋", "▼"


def to_text(sentence: Any, registers: tuple[int, ...] = (), width: int | None = None) -> str:
    """Draw a sentence with box-drawing characters.

    Args:
        sentence: anything with forms, heads and, if they are known, deprels.
        registers: words to mark below the sentence, in the order of their registers.
        width: cells of a line. A wider tree is drawn in parts, one below the other; its lines go on from the right
            edge of a part at the left edge of the next.
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
    whole = _joined(grid)
    widest = max(map(cells, whole.split("\n")))
    if width is None or widest <= width:
        return whole
    cuts = [0, *_cuts(layout, grid, widest, max(width, _NARROWEST))]
    # Lines that leave a part enter the next one in the same order, so rows with nothing in them are not missed.
    parts = (_joined([row[start:stop] for row in grid]).split("\n") for start, stop in pairwise(cuts))
    return "\n\n".join("\n".join(filter(None, rows)) for rows in parts)


def to_page(sentence: Any, registers: tuple[int, ...] = (), width: int | None = None) -> str:
    """A drawing under the id of its sentence, as files have it; see `to_text`."""
    heading = [f"# {sentence.sent_id}"] if sentence.sent_id else []
    if heading and width is not None:
        heading = folded(heading[0], width, "# ")
    return "\n".join([*heading, to_text(sentence, registers, width)]) + "\n"


def to_outline(sentence: Any) -> str:
    """Draw a tree with a word per line, below its head and in the order of the sentence: as narrow as can be."""
    graph = graph_of(sentence)
    arcs: dict[int, list[Any]] = {}
    for arc in graph.arcs:
        arcs.setdefault(arc.head, []).append(arc)
    within = {arc.dependent for arc in graph.arcs}
    lines: list[str] = []
    left = [("", "", word, "") for word in range(len(graph.forms), 0, -1) if word not in within]
    left += [("", "", arc.dependent, arc.label) for arc in reversed(arcs.get(0, []))]
    while left:
        before, branch, word, label = left.pop()
        lines.append(f"{before}{branch}{graph.text(word)}{f'  {label}' if label else ''}")
        before += {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        for at, arc in enumerate(reversed(arcs.get(word, []))):
            left.append((before, "├─ " if at else "└─ ", arc.dependent, arc.label))
    if len(lines) < len(graph.forms):
        raise Error("an outline is of a tree, and some heads of this sentence go round in a circle: draw its arcs")
    if len(lines) > len(graph.forms):
        raise Error("an outline is of a tree, and some words of this sentence have several heads: draw its arcs")
    return "\n".join(lines)


def folded(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most so many cells, cut at spaces where there are some; all but the first are indented."""
    lines, fresh = [""], True
    for word in text.split(" "):
        if not fresh and cells(lines[-1]) + 1 + cells(word) > width >= cells(indent) + cells(word):
            lines.append(indent)
            fresh = True
        for character in word if fresh else f" {word}":
            if cells(lines[-1]) + cells(character) > width:
                lines.append(indent)
            lines[-1] += character
        fresh = False
    return lines


def table_text(rows: Sequence[Sequence[str]], width: int) -> str:
    """A table whose lines have at most so many cells: the widest columns are folded. Empty columns are left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [max(map(cells, column)) for column in columns]
    words = [max((cells(word) for text in column for word in text.split(" ")), default=0) for column in columns]
    for least in (words, [_NARROWEST] * len(columns)):
        while sum(widths) + 2 * (len(widths) - 1) > width:
            foldable = [column for column, wide in enumerate(widths) if wide > least[column]]
            if not foldable:
                break
            widths[max(foldable, key=widths.__getitem__)] -= 1
    lines = []
    for row in zip(*columns, strict=True):
        parts = [folded(text, wide) for text, wide in zip(row, widths, strict=True)]
        for line in zip_longest(*parts, fillvalue=""):
            padded = (text + " " * (wide - cells(text)) for text, wide in zip(line, widths, strict=True))
            lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _joined(grid: list[list[str]]) -> str:
    return "\n".join("".join(row).rstrip() for row in grid)


def _cuts(layout: Layout, grid: list[list[str]], widest: int, width: int) -> Iterator[int]:
    """Where parts end: as many as there must be, about as wide as each other.

    A cut goes through no form and no label if half of the width can be had, and through no form if that can be had.
    """
    forms = [(layout.lefts[word], layout.lefts[word] + layout.widths[word]) for word in layout.words]
    # A label has a piece of its arc on either side.
    labels = [(place.label - 1, place.label + place.label_width + 1) for place in layout.places if place.arc.label]
    start = 0
    while widest - start > width:
        share = -(-(widest - start) // -(-(widest - start) // width))
        stop = start + min(width, share + width // 8)
        half = (start + stop) // 2
        start = next(
            column
            for whole, least in ((forms + labels, half), (forms, half), (forms, start), ([], start))
            for column in range(stop, least, -1)
            if not any(left < column < right for left, right in whole) and not _splits(grid, column)
        )
        yield start
    yield widest


def _splits(grid: list[list[str]], column: int) -> bool:
    """Whether a wide character has its cells on both sides of a column."""
    return any(column < len(row) and row[column] == "" for row in grid)


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
