"""Memory of reading: bounded for batches, a small multiple of the file for a whole treebank."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks are read from /proc")

PRELUDE = """
import sys
from pathlib import Path
import fastparse
sys.path.insert(0, {benchmarks!r})
from read_memory import Repeated, memory
row = "{{}}\\tform{{}}\\tlemma{{}}\\tNOUN\\tNN\\tCase=Nom|Number=Sing\\t{{}}\\tdep\\t_\\t_\\n"
sentence = [row.format(i, i * 7, i, i - 1) for i in range(1, 21)]
rows = "".join("".join(sentence).replace("form7", f"form{{j}}") + "\\n" for j in range(1000)).encode()
fastparse.read_conllu(rows).to_bytes()
"""


def run(code: str) -> float:
    prelude = PRELUDE.format(benchmarks=str(Path(__file__).parents[2] / "benchmarks"))
    result = subprocess.run([sys.executable, "-c", prelude + code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return float(result.stdout)


def peak_of_batches(times: int) -> float:
    """Megabytes above the start while so many thousand sentences pass."""
    return run(f"""
before = peak = memory("VmRSS")
n = 0
for batch in fastparse.iter_conllu(Repeated(rows, {times})):
    n += len(batch)
    batch.to_bytes()
    peak = max(peak, memory("VmRSS"))
assert n == {times} * 1000
print((peak - before) / 1e6)
""")


def test_batches_pass_in_constant_memory():
    few, many = peak_of_batches(10), peak_of_batches(60)
    assert many < 50
    assert many < few + 10


def test_a_treebank_takes_at_most_three_times_its_bytes():
    times = run("""
data = rows * 20
before = memory("VmRSS")
treebank = fastparse.read_conllu(data)
print((memory("VmHWM") - before + len(data)) / len(data))
""")
    assert 1 < times <= 3


@pytest.mark.slow
def test_two_million_sentences_pass_in_constant_memory():
    assert peak_of_batches(2000) < 50
