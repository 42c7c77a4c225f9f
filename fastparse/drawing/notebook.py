"""What notebooks show of sentences, treebanks and derivations: see fastparse/display.py."""

from __future__ import annotations

from html import escape
from typing import Any

from fastparse.corpus.sentence import Sentence
from fastparse.corpus.treebank import Treebank
from fastparse.display import html_table
from fastparse.drawing.svg import to_svg
from fastparse.errors import Error
from fastparse.oracles.derivations.derivation import Derivation

__all__ = ["html_of", "svg_of"]

_SENTENCES = 3
_LONGEST = 200  # words of a sentence that is drawn


def svg_of(thing: Any) -> str | None:
    """The tree of a sentence; None for one that is too long or has no arcs, and for all else."""
    if not isinstance(thing, Sentence) or not 0 < len(thing) <= _LONGEST or max(thing.heads) < 0:
        return None
    try:
        return to_svg(thing)
    except Error:  # heads that are no tree
        return None


def html_of(thing: Any) -> str | None:
    """The first sentences of a treebank, or the table of a derivation with its tree; None for all else."""
    if isinstance(thing, Treebank):
        shown = "".join(_sentence(thing[i]) for i in range(min(_SENTENCES, len(thing))))
        left = len(thing) - _SENTENCES
        more = f"<p>and {left:,} more</p>" if left > 0 else ""
        return f"<p>{escape(repr(thing))}</p>{shown}{more}"
    if isinstance(thing, Derivation):
        rows = [(row[0], *row[1:]) for row in thing.table()]
        return f"<p>{escape(repr(thing))}</p>" + html_table(thing.header(), rows)
    return None


def _sentence(sentence: Sentence) -> str:
    picture = svg_of(sentence)
    if picture is not None:
        return f'<div style="overflow-x: auto">{picture}</div>'
    return f"<p>{escape(' '.join(sentence.forms))}</p>"
