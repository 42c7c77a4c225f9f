"""Pages keep to docs/style.md, as far as a program can tell."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATH = ROOT / "tools" / "prose.py"
if not PATH.exists():
    pytest.skip("the tools are not here", allow_module_level=True)
_spec = importlib.util.spec_from_file_location("prose", PATH)
prose = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(prose)


def test_habits_are_found_outside_code():
    text = "One.\nWhat is there\nstays. `what is there`\n\n```sh\n# whoever\n```\nAsk whoever comes.\n"
    assert [(line, words) for line, words, _ in prose.habits(text)] == [(2, "What is there"), (8, "whoever")]


def test_advice_of_the_style_page_is_found():
    page = (ROOT / "docs" / "style.md").read_text(encoding="utf-8")
    bad = [line.split("|")[1] for line in page.splitlines() if line.startswith("| ") and "---" not in line][1:]
    found = [line for line in bad if prose.habits(line)]
    assert len(found) >= len(bad) - 1
