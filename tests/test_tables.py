"""The tables of README.md come from recorded runs."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATH = ROOT / "benchmarks" / "tables.py"
if not PATH.exists():
    pytest.skip("the benchmarks are not here", allow_module_level=True)
_spec = importlib.util.spec_from_file_location("tables", PATH)
tables = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tables)

RECORD = {
    "table": "speed",
    "columns": ["words/s", "LAS"],
    "rows": [{"name": "greedy", "words/s": 1234567.8, "LAS": 81.5}, {"name": "beam 32", "words/s": 45000}],
    "command": "python benchmarks/speed.py",
    "revision": "0123abc",
    "date": "2026-11-18",
    "machine": "one core",
    "data": "toy.conllu",
}
PLACE = "before\n<!-- table: speed -->\nold\n<!-- end -->\nafter\n"


def record(folder, name="one.json", **changes):
    """Write a record with some fields changed."""
    (folder / name).write_text(json.dumps(RECORD | changes))


def test_rows_and_their_source(tmp_path):
    record(tmp_path)
    assert tables.fill(PLACE, tables.read(tmp_path)) == (
        "before\n<!-- table: speed -->\n"
        "|  | words/s | LAS |\n"
        "| --- | ---: | ---: |\n"
        "| greedy | 1,234,568 | 81.50 |\n"
        "| beam 32 | 45,000 | - |\n\n"
        "`python benchmarks/speed.py` on toy.conllu; one core; 0123abc, 2026-11-18.\n"
        "<!-- end -->\nafter\n"
    )


def test_filling_twice_changes_nothing(tmp_path):
    record(tmp_path)
    record(tmp_path, "two.json", note="Again.")
    once = tables.fill(PLACE, tables.read(tmp_path))
    assert once.count("greedy") == 2
    assert tables.fill(once, tables.read(tmp_path)) == once


def test_spread():
    assert tables.cell({"value": 81.456, "spread": 0.1}) == "81.46 ± 0.10"


def test_a_table_without_records_says_so(tmp_path):
    assert tables.NOTHING in tables.fill(PLACE, tables.read(tmp_path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"machine": ""}, "one.json: no machine"),
        ({"rows": [{"name": "a", "UAS": 1}]}, "a row needs a name and columns"),
        ({"table": "size"}, "no place for size"),
    ],
)
def test_wrong_records(tmp_path, changes, message):
    record(tmp_path, **changes)
    with pytest.raises(tables.RecordError, match=message):
        tables.fill(PLACE, tables.read(tmp_path))


def test_readme_is_up_to_date():
    assert tables.main(["--check"]) == 0
