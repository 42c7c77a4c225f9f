"""A tree as a self-contained SVG: one <path class="arc"> per arc, "crossing" added where it crosses another."""

from html import escape
from typing import Any
from zlib import crc32

from fastparse.drawing.graph import Arc, Graph, graph_of, with_tags
from fastparse.drawing.layout import Layout, Metrics, Place, lay_out, pixels

FORM_SIZE, LABEL_SIZE, TAG_HEIGHT = 16, 12, 16
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
.fastparse-tree .tag { fill: #0f766e; font-size: 12px; text-anchor: middle; }
.fastparse-tree .box { fill: none; stroke: none; }
.fastparse-tree .register .box { fill: #dbeafe; stroke: #1d4ed8; stroke-width: 1.5; }
.fastparse-tree .register .number { fill: #1d4ed8; font-weight: bold; }
"""


def to_svg(
    sentence: Any, registers: tuple[int, ...] = (), root: bool = False, *, tags: bool = False, below: bool = False
) -> str:
    """Draw a sentence as SVG.

    Args:
        sentence: anything with forms, heads and, if they are known, deprels.
        registers: words to mark, in the order of their registers.
        root: show the root even if no arc leaves it.
        tags: write the tags of a Sentence below its words; lemmas and features show where a pointer rests.
        below: draw arcs below the words where they would cross others above them.
    """
    graph = graph_of(sentence, registers)
    if tags:
        graph = with_tags(graph, sentence)
    layout = lay_out(graph, _METRICS, root, graph.lower_half() if below else frozenset())
    crossing = {arc for pair in graph.crossings() for arc in pair}
    floor = MARGIN + layout.levels * LEVEL + 8
    ground = floor + 46 + TAG_HEIGHT * bool(graph.tags)  # where arcs below the words begin
    depth = layout.depths * LEVEL + 10 if layout.depths else 0
    width, height = layout.width + 2 * MARGIN, ground + 2 + depth
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
        *(
            _edge(graph, place, place.arc in crossing, ground if place.below else floor, 1 if place.below else -1)
            for place in layout.places
        ),
        *(_word(graph, layout, word, floor) for word in layout.words),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _edge(graph: Graph, place: Place, crosses: bool, base: int, down: int) -> str:
    """An arc, away from the base in the direction `down`, 1 or -1."""
    arc = place.arc
    far = base + down * (8 + (place.level - 1) * LEVEL)
    turn = far - down * RADIUS
    head, tip = MARGIN + place.head, MARGIN + place.dependent
    inward = 1 if head < tip else -1
    line = (
        f"M{head} {base}V{turn}Q{head} {far} {head + inward * RADIUS} {far}"
        f"H{tip - inward * RADIUS}Q{tip} {far} {tip} {turn}V{base + down * 4}"
    )
    extra = " crossing" if crosses else ""
    parts = [
        f'<g class="edge{extra}" data-head="{arc.head}" data-dependent="{arc.dependent}">',
        f"<title>{escape(_spoken(graph, arc))}</title>",
        f'<path class="arc{extra}" d="{line}"/>',
        f'<polygon class="head" points="{tip},{base - down * 2} {tip - 4},{base + down * 6} '
        f'{tip + 4},{base + down * 6}"/>',
    ]
    if arc.label:
        middle = MARGIN + place.label + place.label_width / 2
        y = far + (LABEL_SIZE + 2 if down > 0 else -5)
        parts.append(f'<text class="label" x="{middle:g}" y="{y}">{escape(arc.label)}</text>')
    return "".join(parts) + "</g>"


def _word(graph: Graph, layout: Layout, word: int, floor: int) -> str:
    left, width = MARGIN + layout.lefts[word], layout.widths[word]
    registers = [f"R{number}" for number, one in enumerate(graph.registers, 1) if one == word]
    below = " ".join([*registers, str(word)])
    middle = left + width / 2
    tag = note = ""
    if word and graph.tags:
        tag = f'<text class="tag" x="{middle:g}" y="{floor + 43}">{escape(graph.tags[word - 1])}</text>'
        note = f"<title>{escape(graph.notes[word - 1])}</title>"
    return (
        f'<g class="word{" register" if registers else ""}" data-word="{word}">{note}'
        f'<rect class="box" x="{left}" y="{floor + 5}" width="{width}" height="24" rx="4"/>'
        f'<text class="form" x="{middle:g}" y="{floor + 22}">{escape(graph.text(word))}</text>{tag}'
        f'<text class="number" x="{middle:g}" y="{floor + 41 + TAG_HEIGHT * bool(graph.tags)}">{below}</text></g>'
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
