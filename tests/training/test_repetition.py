"""The same training on machines that others pretend to be: with other vectors, in all libraries that compute."""

import os
import subprocess
import sys

import pytest

from tests.toy import TOY

TRAIN = """
import sys, fastparse
bank = fastparse.read_conllu(sys.argv[1])[:6]
parser = fastparse.train(bank, components=("tagger", "parser"), encoder="small", iterations=2, progress=False)
parser.save(sys.argv[2])
"""
OLD = {  # neither fused operations nor vectors of more than 128 bits
    "FASTPARSE_KERNEL": "plain",
    "OPENBLAS_CORETYPE": "Nehalem",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F",
}


@pytest.mark.skipif(sys.platform != "linux", reason="libraries are told what to use by variables of Linux")
def test_a_training_gives_the_same_bytes_on_every_machine(tmp_path):
    found = set()
    for i, machine in enumerate(({}, OLD)):
        path = tmp_path / f"{i}.fp"
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", TRAIN, str(TOY), str(path)],
            env={**os.environ, **machine}, check=True, timeout=300,
        )  # fmt: skip
        found.add(path.read_bytes())
    assert len(found) == 1
