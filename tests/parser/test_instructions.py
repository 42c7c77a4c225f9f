"""FASTPARSE_KERNEL chooses the vector instructions of linear models; the trees are the same."""

import os
import subprocess
import sys

import pytest

from tests.toy import TOY, toy_parser

CODE = """
import sys
import fastparse
from fastparse.model.compiled import levels
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
    for limit, kernel in enumerate(("plain", "avx2", "avx512vnni"), start=1):
        assert run(kernel, model) == (min(limit, best), trees)
    assert run("ssse3", model) == (1, trees)
