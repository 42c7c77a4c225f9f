"""What notebooks show of objects: tables as HTML, and pictures, which others draw.

The modules whose objects are drawn know nothing of drawing, so the package (`fastparse/__init__.py`) says here who
draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

__all__ = ["Pictured", "drawn_by", "html_table"]

_find: Callable[[], Any] | None = None


def drawn_by(find: Callable[[], Any]) -> None:
    """Say what gives the module that draws.

    Its `svg_of`, `html_of` and `text_of` take an object, and give None for others.
    """
    global _find
    _find = find


class Pictured:
    """An object that notebooks show as a picture. Where nobody draws, they show its text."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        found: str | None = None if _find is None else _find().svg_of(self)
        return found

    def _drawn_text(self) -> str | None:
        found: str | None = None if _find is None else _find().text_of(self)
        return found

    def _repr_html_(self) -> str | None:
        found: str | None = None if _find is None else _find().html_of(self)
        return found


def html_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table; numbers stand on the right."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f'<td style="text-align: right">{value:.2f}</td>'
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align: right">{value:,}</td>'
    return f"<td>{escape(str(value))}</td>"
