"""What benchmarks/search.py compiles to look into a search: it must go with the modules it is made for."""

from __future__ import annotations

import importlib
import shutil
import sysconfig
from pathlib import Path
from random import Random

import pytest

from tests.search.models import RandomModel, random_sentences

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    """benchmarks/_replay.pyx as benchmarks/search.py compiles it, but hardly optimised."""
    pytest.importorskip("Cython", reason="no Cython to compile benchmarks/_replay.pyx with")
    pytest.importorskip("setuptools", reason="no setuptools to compile benchmarks/_replay.pyx with")
    if not (ROOT / "fastparse" / "search" / "scorer.pyx").exists():
        pytest.skip("no sources of fastparse beside the tests to compile benchmarks/_replay.pyx with")
    compiler = sysconfig.get_config_var("CC") or "cc"
    if shutil.which(compiler.split()[0]) is None:
        pytest.skip(f"no C compiler ({compiler}) to compile benchmarks/_replay.pyx with")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        search = importlib.import_module("search")
        module = search.replay_module(tmp_path_factory.mktemp("replay"), "-O0")
    assert module is not None
    return module


@pytest.mark.parametrize("beam", [1, 4])
def test_a_search_looked_into(replay, beam):
    random = Random(beam)
    sentences = random_sentences(random, 9, 8)
    model = RandomModel(random, "arc-eager", {}, sentences, single_root=True, compiled=True)
    expected = model.parse(beam)
    states = replay.states_of(model.engine, lambda: model.parse(beam))
    assert states >= sum(result.n_moves for result in expected)
    rows = replay.Replay(model.engine, lambda: model.parse(beam))
    assert 0 < rows.rows < rows.templates
    assert rows.seconds(1, lambda: 0.0) == 0
    assert model.parse(beam) == expected
