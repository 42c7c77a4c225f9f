"""A derivation as one HTML page to step through, with nothing to load from elsewhere.

The picture is laid out once, with all arcs the derivation ever has, so that nothing moves while one steps: the page's
script only shows each arc as long as it lives, colours each word by where it stands, and writes the regions out.
"""

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from fastparse.drawing.graph import ROOT, make_graph
from fastparse.drawing.svg import to_svg

# What a configuration may have, in the order of the page; a region the system lacks is left out.
REGIONS = ("stack", "inactive", "pending", "theta", "focus", "registers", "buffer", "memory")


def steps_of(derivation: Any) -> list[dict[str, Any]]:
    """One step per configuration: the move that led to it (None at first), its regions, and its arcs.

    Args:
        derivation: what `fastparse.derive` returns.
    """
    steps = []
    for move, configuration in zip([None, *derivation.moves], derivation.configurations(), strict=True):
        arcs = getattr(configuration, "labelled_arcs", configuration.arcs)
        step: dict[str, Any] = {"move": move, "arcs": [tuple(arc) for arc in arcs]}
        for region in REGIONS:
            try:
                value = getattr(configuration, region)
            except AttributeError:
                continue
            if region != "memory":
                step[region] = [value] if isinstance(value, int) else list(value)
            elif value:
                step[region] = _remembered(value, configuration)
        steps.append(step)
    return steps


def to_html(derivation: Any, forms: Sequence[str], name: str = "") -> str:
    """A page that steps through a derivation.

    Args:
        derivation: what `fastparse.derive` returns, or a list of steps: dictionaries with "move", "arcs" as (head,
            dependent) or (head, dependent, label), and under the names of REGIONS lists of words, or of (label, word).
        forms: one per word.
        name: of the system, for the heading.
    """
    steps = derivation if isinstance(derivation, list) else steps_of(derivation)
    labels: dict[tuple[int, int], str] = {}
    lives: dict[tuple[int, int], tuple[int, int]] = {}
    for number, step in enumerate(steps):
        for head, dependent, *label in step["arcs"]:
            # Of an arc without a label the move that draws it may tell.
            labels.setdefault((head, dependent), (label[0] if label else _label(step["move"])) or "")
            lives[head, dependent] = (lives.get((head, dependent), (number,))[0], number + 1)
    arcs = [(head, dependent, label) for (head, dependent), label in labels.items()]
    shown_root = any(word == 0 for step in steps for region in REGIONS for _, word in _items(step, region))
    graph = make_graph(forms, arcs)
    regions = [region for region in REGIONS if any(region in step for step in steps)]
    words = [ROOT, *graph.forms]
    data = {
        "words": words,
        "regions": regions,
        "steps": [_compact(step, regions) for step in steps],
        # Head, dependent, the step the arc appears at, and the step it is gone at.
        "arcs": [[*arc, *life] for arc, life in lives.items()],
    }
    title = f"{name}: {' '.join(graph.forms)}" if name else f"Derivation: {' '.join(graph.forms)}"
    parts = {
        "title": escape(title),
        "heading": escape(name or "Derivation"),
        "sentence": escape(" ".join(graph.forms)),
        "style": resource("page.css") + resource("dark.css"),
        "script": resource("page.js"),
        "tree": to_svg(graph, root=shown_root),
        "moves": "\n".join(_move_item(number, step, words, regions) for number, step in enumerate(steps)),
        "last": str(len(steps) - 1),
        # Within a script element "<" may begin an end tag, so it is written as an escape.
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    # One pass over the template, so that text put in is never taken for a place to fill.
    pieces = resource("page.html").split("@@")
    return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def _remembered(memory: dict[str, Any], configuration: Any) -> list[tuple[str, int | None]]:
    """What a configuration remembers, each with the word it is about; None for what is about none."""
    found: list[tuple[str, int | None]] = []
    for name, value in memory.items():
        if name == "covered":
            found += [("covered", configuration.registers[number - 1]) for number in value]
        elif isinstance(value, bool):
            found += [(name, None)] if value else []
        elif value >= 0:
            found.append((name, value))
    return found


def _label(move: str | None) -> str:
    return (move or "").partition(":")[2]


def _compact(step: dict[str, Any], regions: list[str]) -> dict[str, Any]:
    return {"move": step["move"], **{region: _items(step, region) for region in regions}}


def _items(step: dict[str, Any], region: str) -> list[tuple[str, int | None]]:
    """The words of a region, each with what is said of it there: a label it waits under, a register, why it is kept."""
    items = [item if isinstance(item, tuple) else ("", int(item)) for item in step.get(region, ())]
    if region == "registers":
        return [(f"R{number}", word) for number, (_, word) in enumerate(items, 1)]
    return items


def _move_item(number: int, step: dict[str, Any], words: list[str], regions: list[str]) -> str:
    """A line of the list of moves; it reads as the derivation even where no script runs."""
    where = "; ".join(f"{region} {_spoken(_items(step, region), words)}" for region in regions)
    move = escape(step["move"] or "start")
    return f'<li><button type="button" data-step="{number}" title="{escape(where)}">{move}</button></li>'


def _spoken(items: list[tuple[str, int | None]], words: list[str]) -> str:
    said = [note if word is None else words[word] for note, word in items if word is None or 0 <= word < len(words)]
    return " ".join(said) or "empty"


def resource(name: str) -> str:
    """A file that pages with trees are made of."""
    return (files("fastparse.drawing") / "page" / name).read_text(encoding="utf-8")
