"""The README's Python runs, and its commands are those of the command line."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

import fastparse

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
if not README.exists():
    pytest.skip("the README is not here", allow_module_level=True)
TEXT = README.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The README's blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_python(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, str(README), "exec"), names)
    shown = capsys.readouterr().out
    assert "books book NOUN obj reads" in shown
    assert "n't not PART advmod does" in shown
    assert "RIGHT-ARC" in shown
    assert "SHIFT" in shown.splitlines()[-1]


def test_commands_and_options_exist():
    lines = [line.split("#")[0] for block in blocks("sh") for line in block.splitlines()]
    commands = [line.split() for line in lines if line.startswith("fastparse ")]
    assert {command for _, command, *_ in commands} >= {"parse", "draw", "serve"}
    for _, command, *arguments in commands:
        run = [sys.executable, "-m", "fastparse", command, "--help"]
        shown = subprocess.run(run, capture_output=True, text=True, check=True, cwd=ROOT).stdout
        assert all(argument in shown for argument in arguments if argument.startswith("-")), command


def test_it_is_short():
    assert len(TEXT.split()) <= 900


def test_its_pictures_are_of_today():
    if not (ROOT / "tools" / "pictures.py").exists():
        pytest.skip("the tools are not here")
    tool = runpy.run_path(str(ROOT / "tools" / "pictures.py"))
    for name in ("tree", "front"):
        drawn = tool[name]()
        assert (ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8") == drawn, "run python tools/pictures.py"


def test_links_lead_somewhere():
    if not (ROOT / "CHANGELOG.md").exists():
        pytest.skip("the pages are not all here")
    links = re.findall(r"\]\((?!https?:)([^()\s#]+)", TEXT)
    assert len(links) > 15
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_table_of_systems_is_complete():
    table = TEXT.split("\n## Systems\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(name for row in rows for name in re.findall(r"`([^`]+)`", row)) == sorted(fastparse.systems())


def test_an_index_of_packages_shows_no_links_into_the_repository():
    """There they lead nowhere. Only a wheel has the description that is shown."""
    package = Path(fastparse.__file__).parent
    try:
        found = distribution("fastparse-nlp")
    except PackageNotFoundError:
        pytest.skip("not installed")
    if (package.parent / "fastparse_nlp.egg-info").exists() or found.locate_file("fastparse") != package:
        pytest.skip("not installed from a wheel")
    described = str(found.metadata.get_payload())
    assert "Cookbook" in described
    assert "![" not in described  # pictures lie in the repository, too
    assert re.findall(r"\[[^][]*\]\((?!https?:)[^)]*\)", described) == []
