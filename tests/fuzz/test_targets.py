"""The fuzzing targets that are C alone, run over their corpora without a fuzzer."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import fastparse
from tests.fuzz.targets.corpus import ARCHIVE, unpack

HERE = Path(__file__).parent / "targets"
ROOT = Path(fastparse.__file__).parents[1]


@pytest.mark.parametrize("target", ["scanner", "tables"])
def test_inputs_that_were_found_have_no_findings(target, tmp_path):
    header = ROOT / "fastparse" / "corpus" / "reading" / "scanning.h"
    if shutil.which("cc") is None or not header.exists() or not ARCHIVE.exists():
        pytest.skip("no compiler, headers or corpus here")
    unpack(tmp_path)
    program = tmp_path / "program"
    sources = [str(HERE / f"{name}.c") for name in (target, "replay")]
    subprocess.run(["cc", "-O1", "-ffp-contract=off", f"-I{ROOT}", *sources, "-o", str(program)], check=True)
    inputs = sorted((tmp_path / target).iterdir())
    done = subprocess.run([str(program), *map(str, inputs)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{len(inputs)} files")
