"""Treebanks: shares known from their own documentation, lifting, restoring, speed."""

import os
from pathlib import Path
from time import process_time

import numpy as np
import pytest

import fastparse
from fastparse import trees

FOLDER = Path(os.environ.get("FASTPARSE_TREEBANKS") or Path(__file__).parents[3] / "shared" / "data")
FILES = sorted(FOLDER.glob("*/train.conllu"))

pytestmark = [
    pytest.mark.treebanks,
    pytest.mark.skipif(not FILES, reason="no treebanks: set FASTPARSE_TREEBANKS to a folder of them"),
]

# Non-projective sentences and arcs of the training files, per cent, as their collector counted them.
NONPROJECTIVE = {
    "Ancient_Greek-AGLDT": (72.09, 12.06),
    "Basque-BDT": (33.93, 4.98),
    "Danish-DDT": (15.94, 1.03),
    "English-EWT": (2.30, 0.17),
    "Turkish-IMST": (4.98, 0.60),
}


@pytest.fixture(params=FILES, ids=lambda file: file.parent.name, scope="module")
def treebank(request):
    return request.param.parent.name, fastparse.read_conllu(str(request.param))


def test_shares_of_nonprojective_sentences_and_arcs(treebank):
    name, read = treebank
    if name not in NONPROJECTIVE:
        pytest.skip("no share known")
    arcs = trees.nonprojective_arcs_treebank(read.heads, read.offsets)
    sentences = ~trees.classify_treebank(read.heads, read.offsets).projective
    assert (round(100 * sentences.mean(), 2), round(100 * arcs.mean(), 2)) == NONPROJECTIVE[name]


def test_lifting_moves_fewer_words_than_projectivising(treebank):
    _, read = treebank
    inside = trees.contains_treebank(read.heads, read.offsets, "2-crossing-interval")
    lifted, moved = trees.lift_treebank(read.heads, read.offsets, "2-crossing-interval")
    outside = np.repeat(~inside, np.diff(read.offsets))
    assert trees.contains_treebank(lifted, read.offsets, "2-crossing-interval").all()
    assert (lifted == read.heads)[~outside].all()
    if not inside.all():
        projective = trees.projective_treebank(read.heads, read.offsets)
        projectivised = (projective != read.heads)[outside].sum()
        # One word at least leaves its head either way: only where a single word does can both be equally many.
        assert 0 < moved < projectivised or moved == projectivised == 1


def test_most_nonprojective_arcs_come_back(treebank):
    _, read = treebank
    arcs = trees.nonprojective_arcs_treebank(read.heads, read.offsets)
    projective, labels = trees.projectivize_treebank(read.heads, read.offsets, read.deprels, "head+path")
    restored, plain = trees.deprojectivize_treebank(projective, read.offsets, labels, "head+path")
    assert plain == list(read.deprels)
    assert (restored == read.heads)[arcs].mean() > 0.9


def test_every_tree_is_in_some_class_of_planes(treebank):
    _, read = treebank
    assert (trees.classify_treebank(read.heads, read.offsets).planes >= 1).all()


def test_classifying_takes_at_most_three_times_the_reading():
    file = FOLDER / "Ancient_Greek-AGLDT" / "train.conllu"
    if not file.exists():
        pytest.skip("no Ancient Greek")
    reading, classifying = [], []
    for _ in range(5):
        start = process_time()
        read = fastparse.read_conllu(str(file))
        middle = process_time()
        trees.classify_treebank(read.heads, read.offsets)
        reading.append(middle - start)
        classifying.append(process_time() - middle)
    assert min(classifying) <= 3 * min(reading)
