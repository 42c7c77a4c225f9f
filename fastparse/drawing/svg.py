"""A tree as a self-contained SVG: one <path class="arc"> per arc, "crossing" added where it crosses another."""

from html import escape
from typing import Any
from zlib import crc32

from fastparse.drawing.graph import Arc, Graph, graph_of
from fastparse.drawing.layout import Layout, Metrics, Place, lay_out
from fastparse.drawing.widths import pixels

FORM_SIZE, LABEL_SIZE, NUMBER_SIZE = 16, 12, 10
# A level holds a line and the label above it; RADIUS stays below LEVEL and PORT, so rounded corners touch nothing.
LEVEL, PORT, RADIUS, MARGIN = 22, 10, 7, 12

_METRICS = Metrics(
    form_width=lambda text: pixels(text, FORM_SIZE) + 6,
    label_width=lambda text: pixels(text, LABEL_SIZE),
    port=PORT,
    gap=14,
    slack=2 * RADIUS + 4,
)

STYLE = """
.fastparse-tree { font-family: Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
.fastparse-tree .background { fill: #fff; }
.fastparse-tree .arc { fill: none; stroke: #475569; stroke-width: 1.3; }
.fastparse-tree .head { fill: #475569; }
.fastparse-tree .label { fill: #334155; font-size: 12px; text-anchor: middle; }
.fastparse-tree .crossing .arc { stroke: #b91c1c; stroke-width: 2; }
.fastparse-tree .crossing .head, .fastparse-tree .crossing .label { fill: #b91c1c; }
.fastparse-tree .form { fill: #0f172a; font-size: 16px; text-anchor: middle; }
.fastparse-tree .number { fill: #64748b; font-size: 10px; text-anchor: middle; }
.fastparse-tree .box { fill: none; stroke: none; }
.fastparse-tree .register .box { fill: #dbeafe; stroke: #1d4ed8; stroke-width: 1.5; }
.fastparse-tree .register .number { fill: #1d4ed8; font-weight: bold; }
"""


def to_svg(sentence: Any, registers: tuple[int, ...] = (), root: bool = False) -> str:
    """Draw a sentence as SVG.

    Args:
        sentence: anything with forms, heads and, if they are known, deprels.
        registers: words to mark, in the order of their registers.
        root: show the root even if no arc leaves it.
    """
    graph = graph_of(sentence, registers)
    layout = lay_out(graph, _METRICS, root)
    crossing = {arc for pair in graph.crossings() for arc in pair}
    floor = MARGIN + layout.levels * LEVEL + 8
    width, height = layout.width + 2 * MARGIN, floor + 48
    title, description = _title(graph), _description(graph)
    # Several pictures may stand on one page, so their ids differ; the same picture always has the same.
    key = f"fastparse-{crc32((title + description).encode()):08x}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fastparse-tree" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" aria-labelledby="{key}-title" aria-describedby="{key}-desc">',
        f'<title id="{key}-title">{escape(title)}</title>',
        f'<desc id="{key}-desc">{escape(description)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="background" width="{width}" height="{height}"/>',
        *(_edge(graph, place, place.arc in crossing, floor, layout.levels) for place in layout.places),
        *(_word(graph, layout, word, floor) for word in layout.words),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _edge(graph: Graph, place: Place, crosses: bool, floor: int, levels: int) -> str:
    arc = place.arc
    top = floor - 8 - (place.level - 1) * LEVEL
    head, tip = MARGIN + place.head, MARGIN + place.dependent
    inward = 1 if head < tip else -1
    line = (
        f"M{head} {floor}V{top + RADIUS}Q{head} {top} {head + inward * RADIUS} {top}"
        f"H{tip - inward * RADIUS}Q{tip} {top} {tip} {top + RADIUS}V{floor - 4}"
    )
    extra = " crossing" if crosses else ""
    parts = [
        f'<g class="edge{extra}" data-head="{arc.head}" data-dependent="{arc.dependent}">',
        f"<title>{escape(_spoken(graph, arc))}</title>",
        f'<path class="arc{extra}" d="{line}"/>',
        f'<polygon class="head" points="{tip},{floor + 2} {tip - 4},{floor - 6} {tip + 4},{floor - 6}"/>',
    ]
    if arc.label:
        middle = MARGIN + place.label + place.label_width / 2
        parts.append(f'<text class="label" x="{middle:g}" y="{top - 5}">{escape(arc.label)}</text>')
    return "".join(parts) + "</g>"


def _word(graph: Graph, layout: Layout, word: int, floor: int) -> str:
    left, width = MARGIN + layout.lefts[word], layout.widths[word]
    registers = [f"R{number}" for number, one in enumerate(graph.registers, 1) if one == word]
    below = " ".join([*registers, str(word)])
    middle = left + width / 2
    return (
        f'<g class="word{" register" if registers else ""}" data-word="{word}">'
        f'<rect class="box" x="{left}" y="{floor + 5}" width="{width}" height="24" rx="4"/>'
        f'<text class="form" x="{middle:g}" y="{floor + 22}">{escape(graph.text(word))}</text>'
        f'<text class="number" x="{middle:g}" y="{floor + 41}">{below}</text></g>'
    )


def _title(graph: Graph) -> str:
    sentence = " ".join(graph.forms)
    return f"Dependency tree of {graph.name}: {sentence}" if graph.name else f"Dependency tree: {sentence}"


def _description(graph: Graph) -> str:
    arcs = "; ".join(_spoken(graph, arc) for arc in graph.arcs)
    crossings = len(graph.crossings())
    return f"{arcs}. {crossings} crossing{'' if crossings == 1 else 's'}."


def _spoken(graph: Graph, arc: Arc) -> str:
    label = f" ({arc.label})" if arc.label else ""
    return f"{graph.text(arc.head)} → {graph.text(arc.dependent)}{label}"
