"""FASTPARSE_KERNEL chooses the vector instructions of linear models; the trees are the same."""

import os
import subprocess
import sys

import pytest

import fastparse
from fastparse.encoder.encoder import kernels
from fastparse.errors import ModelFormatError, UnknownNameError
from tests.toy import TOY, toy_parser

CODE = """
import sys
import fastparse
from fastparse.weights.table import levels
parser = fastparse.load(sys.argv[1])
parsed = parser.parse(fastparse.read_conllu(sys.argv[2]))
print(levels())
sys.stdout.flush()
sys.stdout.buffer.write(parsed.to_bytes())
"""


def run(kernel, model):
    environment = {**os.environ, "FASTPARSE_KERNEL": kernel}
    done = subprocess.run([sys.executable, "-c", CODE, model, TOY], env=environment, check=True, capture_output=True)
    levels, trees = done.stdout.split(b"\n", 1)
    return int(levels), trees


@pytest.mark.parametrize("beam", [1, 8])
def test_all_instructions_give_the_same_trees(beam, tmp_path):
    model = tmp_path / "toy.fp"
    toy_parser("arc-eager", beam).save(model)
    best, trees = run("", model)
    limits = {"plain": 1, "ssse3": 1, "avx2": 2, "avx512vnni": 3}
    for kernel in kernels():
        assert run(kernel, model) == (min(limits.get(kernel, best), best), trees)


def test_unknown_instructions_are_no_fault_of_the_model(monkeypatch, tmp_path):
    model = tmp_path / "toy.fp"
    toy_parser("arc-eager", 1).save(model)
    monkeypatch.setenv("FASTPARSE_KERNEL", "abacus")
    with pytest.raises(UnknownNameError, match="FASTPARSE_KERNEL='abacus': this machine can run plain") as raised:
        fastparse.load(model)
    assert not isinstance(raised.value, ModelFormatError)
