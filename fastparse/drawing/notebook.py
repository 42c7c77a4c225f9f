"""What notebooks show of sentences, treebanks, derivations and classes, and what `print` shows of a sentence.

See fastparse/display.py.
"""

from __future__ import annotations

from html import escape
from shutil import get_terminal_size
from typing import Any

import numpy as np

from fastparse.corpus.sentence import Sentence
from fastparse.corpus.treebank import Treebank
from fastparse.display import html_table
from fastparse.drawing import FORMATS
from fastparse.drawing.layout import cells
from fastparse.drawing.text import to_outline, to_text
from fastparse.errors import Error
from fastparse.theory.derive import Derivation
from fastparse.trees import TreeClasses

__all__ = ["html_of", "svg_of", "text_of"]

_SENTENCES = 3
_LONGEST = 200  # words of a sentence that is drawn


def svg_of(thing: Any) -> str | None:
    """The tree of a sentence; None for one that is too long or has no arcs, and for all else."""
    if not isinstance(thing, Sentence) or not 0 < len(thing) <= _LONGEST or max(thing.heads) < 0:
        return None
    try:
        return FORMATS["svg"].draw(thing)
    except Error:  # heads that are no tree
        return None


def text_of(thing: Any) -> str | None:
    """The tree of a sentence for a terminal: arcs where they fit into a line, or else an outline; None for no tree."""
    if not isinstance(thing, Sentence) or not 0 < len(thing) <= _LONGEST or max(thing.heads) < 0:
        return None
    width = get_terminal_size().columns
    try:
        arcs = to_text(thing)
        return arcs if max(map(cells, arcs.split("\n"))) <= width else to_outline(thing)
    except Error:  # heads that are no tree
        return None


def html_of(thing: Any) -> str | None:
    """The first sentences of a treebank, the table of a derivation or of classes of trees; None for all else."""
    if isinstance(thing, Treebank):
        shown = "".join(_sentence(thing[i]) for i in range(min(_SENTENCES, len(thing))))
        left = len(thing) - _SENTENCES
        more = f"<p>and {left:,} more</p>" if left > 0 else ""
        return f"<p>{escape(repr(thing))}</p>{shown}{more}"
    if isinstance(thing, Derivation):
        rows = [(row[0], *row[1:]) for row in thing.table()]
        return f"<p>{escape(repr(thing))}</p>" + html_table(thing.header(), rows)
    if isinstance(thing, TreeClasses):
        return _classes(thing)
    return None


def _classes(record: TreeClasses) -> str:
    """The record of a tree; or, of many, how many trees are in each class, and have each number of planes and so on."""
    named = [(name.replace("_", " "), np.asarray(value)) for name, value in record._asdict().items()]
    if named[0][1].ndim == 0:
        return html_table(("tree", ""), [(name, _plain(value[()])) for name, value in named])
    rows = [
        (name if value is True else f"{name} {value}", int(count), 100 * int(count) / len(values))
        for name, values in named
        for value, count in (
            (found.item(), count) for found, count in zip(*np.unique(values, return_counts=True), strict=True)
        )
        if value is not False
    ]
    return html_table(("class", "trees", "%"), rows)


def _plain(value: Any) -> Any:
    return {True: "yes", False: "no"}[bool(value)] if isinstance(value, np.bool_) else int(value)


def _sentence(sentence: Sentence) -> str:
    picture = svg_of(sentence)
    if picture is not None:
        return f'<div style="overflow-x: auto">{picture}</div>'
    return f"<p>{escape(' '.join(sentence.forms))}</p>"
