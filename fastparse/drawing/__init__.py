"""Trees and derivations as pictures, in the formats of one table.

`fastparse draw` and `derive`, notebooks and the page of `fastparse serve` read the table. A new format is a function in
a file of its own, and a row here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

__all__ = ["DERIVATIONS", "FORMATS", "Format"]


@dataclass(frozen=True)
class Format:
    """A way to draw.

    Attributes:
        name: on the command line, and of a field in what the page gets.
        suffix: of its files.
        home: module and function. It takes a sentence and the options, or a derivation, forms and a name.
        takes: options of the command that it honours; others are refused.
        alone: whether a file holds one picture only.
        title: what the button of the page says; no button without.
        page: options of the picture on the page.
        slow: whether time is quadratic in the words, so that the page leaves long sentences out.
    """

    name: str
    suffix: str
    home: str
    takes: tuple[str, ...] = ()
    alone: bool = False
    title: str = ""
    page: Mapping[str, Any] = field(default_factory=dict)
    slow: bool = False

    def draw(self, *thing: Any, **options: Any) -> str:
        """The picture as text."""
        module, _, function = self.home.partition(":")
        drawn: str = getattr(import_module(module), function)(*thing, **options)
        return drawn


_SENTENCES = (
    Format("text", ".txt", "fastparse.drawing.text:to_page", ("registers", "width")),
    Format("svg", ".svg", "fastparse.drawing.svg:to_svg", ("registers",), alone=True, title="SVG",
           page={"tags": True, "below": True}, slow=True),
    Format("tikz", ".tex", "fastparse.drawing.tikz:to_tikz", ("registers", "document"), title="TikZ"),
    Format("displacy", ".jsonl", "fastparse.drawing.displacy:to_json"),
)  # fmt: skip

FORMATS = {one.name: one for one in _SENTENCES}
"""Formats of sentences, by name."""

DERIVATIONS = {"html": Format("html", ".html", "fastparse.drawing.steps:to_html", alone=True)}
"""Formats of derivations, by name."""
