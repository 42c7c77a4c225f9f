"""A finished study: rows for programs, a table and verdicts for people."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from fastparse.display import html_table
from fastparse.evaluation.tables import cell, text_table


@dataclass(frozen=True)
class Verdict:
    """What a study says of a claim.

    Attributes:
        contrast: the claim.
        outcome: "reproduced", "not reproduced", "no data"; of a difference "significant" or "not significant".
        detail: the numbers behind it.
        p: of the test, None where there is nothing to test.
    """

    contrast: str
    outcome: str
    detail: str
    p: float | None = None


@dataclass
class Study:
    """Rows of a study, all with the same keys, and what follows from them.

    Attributes:
        title: what was measured.
        rows: for JSON.
        verdicts: on claims.
        notes: how to read the table.
        points: what a plot shows beyond the rows.
        columns: keys of the rows that tables show; None shows all.
    """

    title: str
    rows: list[dict[str, Any]]
    verdicts: list[Verdict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    points: dict[tuple[str, ...], Any] = field(default_factory=dict)
    columns: list[str] | None = None

    def shown(self, columns: Sequence[str] | None = None) -> list[str]:
        """The columns that people see."""
        return list(columns or self.columns or (self.rows[0] if self.rows else ()))

    def text(self, columns: Sequence[str] | None = None) -> str:
        """The table, the notes and the verdicts."""
        names = self.shown(columns)
        blocks = [self.title, text_table(names, [[_plain(row.get(name)) for name in names] for row in self.rows])]
        blocks += self.notes
        for verdict in self.verdicts:
            p = "" if verdict.p is None else f" (p = {verdict.p:.2g})"
            blocks.append(f"{verdict.outcome}: {verdict.contrast}{p}\n    {verdict.detail}")
        return "\n\n".join(blocks)

    def markdown(self, columns: Sequence[str] | None = None) -> str:
        """The same as `text`, as a section of a Markdown document."""
        names = self.shown(columns)
        lines = [f"## {self.title}", "", _row(names), _row(["---"] * len(names))]
        lines += [_row([cell(_plain(row.get(name))) for name in names]) for row in self.rows]
        for note in self.notes:
            lines += ["", note]
        if self.verdicts:
            lines.append("")
        for verdict in self.verdicts:
            p = "" if verdict.p is None else f", p = {verdict.p:.2g}"
            lines.append(f"- **{verdict.outcome}**: {verdict.contrast} ({verdict.detail}{p})")
        return "\n".join(lines) + "\n"

    def latex(self, columns: Sequence[str] | None = None) -> str:
        """The table as a tabular of LaTeX, without the columns that name models and count each move."""
        names = [name for name in self.shown(columns) if name not in ("model", "moves")]
        head, *rows = [names, *([cell(_plain(row.get(name))) for name in names] for row in self.rows)]
        lines = [f"% {self.title}", f"\\begin{{tabular}}{{{'l' * len(names)}}}", "\\hline", _tabular(head), "\\hline"]
        return "\n".join([*lines, *map(_tabular, rows), "\\hline", "\\end{tabular}"]) + "\n"

    def _repr_html_(self) -> str:
        """For notebooks."""
        names = self.shown()
        table = html_table(names, [[_plain(row.get(name)) for name in names] for row in self.rows])
        verdicts = [f"{verdict.outcome}: {verdict.contrast}" for verdict in self.verdicts]
        said = "".join(f"<p>{escape(text)}</p>" for text in [*self.notes, *verdicts])
        return f"<p>{escape(self.title)}</p>{table}{said}"

    def to_json(self) -> str:
        """Everything as one document."""
        document = {
            "title": self.title,
            "rows": self.rows,
            "verdicts": [vars(verdict) for verdict in self.verdicts],
            "notes": self.notes,
            "columns": self.columns,
        }
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(one.replace('|', chr(92) + '|') for one in cells)} |"


def _tabular(cells: Sequence[str]) -> str:
    return " & ".join(re.sub(r"([&%$#_{}])", r"\\\1", one).replace("²", "$^2$") for one in cells) + r" \\"


def _plain(value: Any) -> Any:
    return " ".join(f"{key}:{count}" for key, count in value.items()) if isinstance(value, dict) else value
