"""The kernels as a C program of their own: under sanitizers, and for 64-bit ARM in an emulator where there is one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fastparse.encoder.encoder import kernels

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HASH = "3d98b857fad70c4c"  # of the results of all forms, on every machine


def run(tmp_path, compiler, emulator, *flags):
    """What the program prints, compiled and run."""
    source = Path(__file__).with_name("forms.h")
    if not source.exists():
        pytest.skip("no source of the program here")
    if not all(shutil.which(tool) for tool in (compiler, *emulator[:1])):
        pytest.skip(f"no {compiler} or no {emulator[:1]} here")
    program = tmp_path / "forms"
    command = [compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-I", str(ROOT), *flags]
    subprocess.run([*command, "-x", "c", str(source), "-o", str(program), "-lm"], check=True)
    done = subprocess.run([*emulator, str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split()


@pytest.mark.skipif(sys.platform != "linux", reason="sanitizers of other systems need other flags")
def test_forms_of_this_machine_agree_under_sanitizers(tmp_path):
    found = run(tmp_path, "gcc", [], "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    assert found == [*kernels(), HASH]


@pytest.mark.parametrize(("cpu", "forms"), [("max", ["plain", "neon", "neondot"]), ("cortex-a57", ["plain", "neon"])])
def test_forms_of_arm_agree_with_those_of_others(tmp_path, cpu, forms):
    found = run(tmp_path, "aarch64-linux-gnu-gcc", ["qemu-aarch64", "-cpu", cpu], "-static")
    assert found == [*forms, HASH]
