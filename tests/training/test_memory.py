"""Training where memory is short: what was there stays usable."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="memory cannot be limited here")

# A sentence that claims to have millions of words asks for more memory than there may be; then come others, one of them
# longer than all before. Nothing is read of a sentence before there is room for it.
PREPARED = """
import resource
from random import Random
import numpy as np
import fastparse
from fastparse.weights.learning import LearningTable
from fastparse.search.engine import Engine
from fastparse.learning.trainers import EasyFirstTrainer
from fastparse.learning.trainers import GreedyTrainer
from fastparse.learning.trainers import StructuredTrainer
from fastparse.transition_systems.registry import resolve
from tests.features.material import random_rows, treebank_of
from fastparse.features.attributes import Values
from fastparse.features.templates import AttributeLayout, plan_of

layout = AttributeLayout()
plans = [plan_of(lines, layout, share) for lines in (("S0.upos B0.upos",), ("H.upos D.upos",)) for share in (1, 0)]
treebank = treebank_of([random_rows(Random(1), n) for n in (5, 300)])
values = Values(treebank, layout.attributes, layout.counted, False)
offsets = np.array([0, 5, 305, 305 + LONG], np.int64)
system = resolve(NAME)
masks = np.ones(2, np.uint8), np.ones(2, np.uint8)
engine = Engine(system, *plans, LearningTable(len(system.moves)), LearningTable(2), *masks, False)
heads = np.array([*range(5), *range(300), 0], np.int32)
labels = np.zeros(306, np.int32)


def limited(learn):
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), hard))
    learn(0)
    try:
        learn(2)
        print("there was room")
    except MemoryError:
        learn(0)
        learn(1)
        print("done")
"""
EASY_FIRST = """
trainer = EasyFirstTrainer(engine, values, offsets)
limited(lambda i: trainer.learn(np.array([i], np.int64), heads, labels, 1))
"""
GREEDY = """
moves = [system.moves.index(move) for n in (5, 300) for move in fastparse.derive(list(range(n)), NAME).moves] + [0]
starts = np.array([0, 5, 305, 306], np.int64)
trainer = GreedyTrainer(engine, values, offsets, moves, np.zeros(len(moves)), starts)
limited(lambda i: trainer.learn(np.array([i], np.int64), heads, labels, 0.5, 1, 1, False))
"""
BEAM = (
    GREEDY.split("trainer =")[0]
    + """
trainer = StructuredTrainer(engine, values, offsets, moves, np.zeros(len(moves)), starts, 2, 4, 2)
limited(lambda i: trainer.learn(np.array([i], np.int64), heads, labels, True, 1))
"""
)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited as Linux does it")
@pytest.mark.parametrize(("name", "code"), [("easy-first", EASY_FIRST), ("arc-eager", GREEDY), ("arc-eager", BEAM)])
def test_what_was_there_stays(name, code):
    code = (PREPARED + code).replace("LONG", "5_000_000").replace("NAME", repr(name))
    found = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (found.stdout, found.returncode) == ("done\n", 0), found.stderr
