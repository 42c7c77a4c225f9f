"""The numbers the papers print, as data: to stand beside those of a study."""

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def published() -> dict[str, Any]:
    """Every table by name, each with its title, columns and rows."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8"))
    return found


def printed(table: str, language: str, rows: str = "rows") -> list[Any] | None:
    """A row of a table, None where the paper has no such language."""
    found: list[Any] | None = published()[table][rows].get(language)
    return found
