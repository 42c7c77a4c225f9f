"""What the suites measure with: a few hundred sentences, and models learnt from them in seconds.

Development sentences of English-EWT where the folder of treebanks is known (FASTPARSE_TREEBANKS), else the toy treebank
of the tests; figures of the two do not compare.
"""

from __future__ import annotations

import os
from pathlib import Path

import harness
import pytest

import fastparse
from fastparse.search.engine import Outcome

_SENTENCES = 400


@pytest.fixture(scope="session")
def treebank() -> fastparse.Treebank:
    folder = Path(os.environ.get("FASTPARSE_TREEBANKS", harness.ROOT.parent / "shared" / "data"))
    path = folder / harness.ENGLISH / "dev.conllu"
    if path.exists():
        return fastparse.read_conllu(path)[:_SENTENCES]
    toy = fastparse.read_conllu(harness.ROOT / "tests" / "data" / "toy.conllu")
    return toy.select([i % len(toy) for i in range(_SENTENCES)])


@pytest.fixture(scope="session")
def source(treebank: fastparse.Treebank, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a file."""
    path = tmp_path_factory.mktemp("corpus") / "in.conllu"
    treebank.write(path)
    return path


@pytest.fixture(scope="session")
def greedy(treebank: fastparse.Treebank) -> fastparse.Parser:
    return fastparse.train(treebank, "arc-eager", beam=1, iterations=2, components=("parser",))


@pytest.fixture(scope="session")
def beam(treebank: fastparse.Treebank) -> fastparse.Parser:
    return fastparse.train(treebank[:100], "arc-eager", beam=8, iterations=1, components=("parser",))


@pytest.fixture
def per_word(benchmark, treebank):
    """Times a function that goes through all words; the report has words per second."""

    def measure(function, *args):
        result = benchmark(function, *args)
        benchmark.extra_info["words"] = treebank.n_words
        if benchmark.stats is not None:
            benchmark.extra_info["words per second"] = treebank.n_words / benchmark.stats.stats.min
        return result

    return measure


@pytest.fixture(scope="session")
def search_of():
    """A function that gives the search of a parser over a treebank, ready to run."""

    def make(parser, treebank, beam, engine=None, sharing=True):
        engine = engine or parser._decoder.loop
        values = parser._decoder.kind.values(treebank)
        out = Outcome(treebank.offsets)

        def run():
            engine.parse(values, out, 0, len(treebank), beam, sharing=sharing)
            return out.heads

        return run

    return make
