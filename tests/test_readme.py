"""The README's Python runs, and its commands are those of the command line."""

from __future__ import annotations

import re
import shutil
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
    for name in ("input", "train", "dev"):
        shutil.copy(ROOT / "tests" / "data" / "toy.conllu", tmp_path / f"{name}.conllu")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, str(README), "exec"), names)
    shown = capsys.readouterr().out
    assert "[2, 0, 2] ['nsubj', 'root', 'obj']" in shown
    assert "LAS" in shown
    assert "RIGHT-ARC" in shown
    assert (tmp_path / "output.conllu").exists()
    assert (tmp_path / "my.fp").exists()


def test_commands_and_options_exist():
    lines = [line.split("#")[0] for block in blocks("sh") for line in block.splitlines()]
    commands = [line.split() for line in lines if line.startswith("fastparse ")]
    assert len(commands) >= 5
    for _, command, *arguments in commands:
        run = [sys.executable, "-m", "fastparse", command, "--help"]
        shown = subprocess.run(run, capture_output=True, text=True, check=True, cwd=ROOT).stdout
        assert all(argument in shown for argument in arguments if argument.startswith("-")), command


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
    assert "docs/cookbook.md" in described
    assert re.findall(r"\[[^][]*\]\((?!https?:)[^)]*\)", described) == []
