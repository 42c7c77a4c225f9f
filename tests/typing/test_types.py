"""Type checkers see every public name: right use is clean, and each wrong use is found."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fastparse

HERE = Path(__file__).parent
RIGHT, WRONG = HERE / "right.py", HERE / "wrong.py"
MARKED = [i for i, line in enumerate(WRONG.read_text(encoding="utf-8").splitlines(), 1) if "# wrong:" in line]
FOLDER = str(Path(fastparse.__file__).parents[1])


def found_by_mypy(*files: Path, cache: Path) -> set[tuple[str, int]]:
    pytest.importorskip("mypy", reason="mypy is not installed")
    arguments = ["--strict", "--cache-dir", str(cache), "--no-error-summary"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments, "--ignore-missing-imports", *map(str, files)],
        capture_output=True, text=True, cwd=cache, env={**os.environ, "MYPYPATH": FOLDER},
    )  # fmt: skip
    assert not done.stderr, done.stderr
    lines = (re.match(r"(.+?):(\d+): error:", line) for line in done.stdout.splitlines())
    return {(Path(line[1]).name, int(line[2])) for line in lines if line}


def found_by_pyright(*files: Path, cache: Path) -> set[tuple[str, int]]:
    pyright = shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed")
    (cache / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [FOLDER], "pythonVersion": "3.11"}))
    copies = [shutil.copy(file, cache / file.name) for file in files]
    done = subprocess.run([pyright, "--outputjson", *map(str, copies)], capture_output=True, text=True, cwd=cache)
    try:
        said = json.loads(done.stdout)["generalDiagnostics"]
    except ValueError:
        pytest.skip("pyright cannot run here")
    return {
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in said if one["severity"] == "error"
    }  # fmt: skip


def test_there_are_enough_wrong_uses():
    assert len(MARKED) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("found_by", [found_by_mypy, found_by_pyright])
def test_wrong_uses_are_found_and_right_ones_are_not(found_by, tmp_path):
    assert sorted(found_by(RIGHT, WRONG, cache=tmp_path)) == [(WRONG.name, line) for line in MARKED]
