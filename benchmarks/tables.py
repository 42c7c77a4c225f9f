"""Write the tables of README.md and benchmarks/README.md from recorded runs, so that no figure is typed by hand.

    python benchmarks/tables.py            # renew the tables
    python benchmarks/tables.py --check    # exit status 1 when they are not what benchmarks/results says

benchmarks/README.md describes the records. Where a table goes is marked in one of these files:

    <!-- table: NAME -->
    <!-- end -->
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGES = (ROOT / "README.md", ROOT / "benchmarks" / "README.md")
NEEDED = ("table", "columns", "rows", "command", "revision", "date", "machine", "data")
NOTHING = "No run has been recorded yet."

_MARKED = re.compile(r"(<!-- table: (?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


class RecordError(ValueError):
    """A record that no table can be made of, or a table without a place."""


def read(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The records by the name of their table, in the order of their file names."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        missing = [key for key in NEEDED if not record.get(key)]
        if missing:
            raise RecordError(f"{path.name}: no {', '.join(missing)}")
        for row in record["rows"]:
            unknown = set(row) - {"name", *record["columns"]}
            if "name" not in row or unknown:
                raise RecordError(
                    f"{path.name}: a row needs a name and columns from {record['columns']}, found {row!r}"
                )
        tables.setdefault(record["table"], []).append(record)
    for name, records in tables.items():
        if len({tuple(record["columns"]) for record in records}) > 1:
            raise RecordError(f"the records of the table {name!r} differ in their columns")
    return tables


def markdown(records: list[dict[str, Any]]) -> str:
    """One table: the rows of all records, then where they come from."""
    columns = records[0]["columns"]
    lines = [_line(["", *columns]), _line(["---", *("---:" for _ in columns)])]
    for record in records:
        lines += [_line([row["name"], *(cell(row.get(column)) for column in columns)]) for row in record["rows"]]
    lines.append("")
    for record in records:
        if "page" in record:
            lines.append(f"{record['note']} [Sources and conditions]({record['page']}).")
            continue
        source = (
            f"`{record['command']}` on {record['data']}; {record['machine']}; {record['revision']}, {record['date']}."
        )
        lines.append(" ".join(filter(None, [record.get("note"), source])) + "  ")
    return "\n".join(lines).rstrip()


def cell(value: Any) -> str:
    """A value as people read it; {"value": v, "spread": s} has the spread behind it."""
    if value is None:
        return "-"
    if isinstance(value, dict):
        return f"{cell(value['value'])} ± {cell(value['spread'])}"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 1000 else f"{value:.2f}"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def fill(text: str, tables: dict[str, list[dict[str, Any]]]) -> str:
    """The text with every marked table made anew."""
    places = {found["name"] for found in _MARKED.finditer(text)}
    homeless = sorted(set(tables) - places)
    if homeless:
        pages = " or ".join(str(path.relative_to(ROOT)) for path in PAGES)
        raise RecordError(f"no place for {', '.join(homeless)}: add <!-- table: NAME --> and <!-- end --> to {pages}")

    def renew(found: re.Match[str]) -> str:
        records = tables.get(found["name"])
        return f"{found[1]}{markdown(records) if records else NOTHING}\n{found[3]}"

    return _MARKED.sub(renew, text)


def main(argv: list[str] | None = None) -> int:
    """Renew or check the tables; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a table is out of date")
    arguments = parser.parse_args(argv)
    try:
        tables = read(RESULTS)
        pages = {path: path.read_text(encoding="utf-8") for path in PAGES}
        placed = {found["name"] for text in pages.values() for found in _MARKED.finditer(text)}
        for path, text in pages.items():
            here = {found["name"] for found in _MARKED.finditer(text)}
            filled = fill(
                text, {name: records for name, records in tables.items() if name in here or name not in placed}
            )
            if arguments.check and filled != text:
                print(f"tables: {path.name} is out of date: run python benchmarks/tables.py", file=sys.stderr)
                return 1
            if not arguments.check:
                path.write_text(filled, encoding="utf-8")
    except RecordError as error:
        print(f"tables: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
