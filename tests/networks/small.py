"""Small networks over the toy treebank."""

from dataclasses import replace

from fastparse.networks.course import Course
from fastparse.networks.plan import Dropout, Plan
from fastparse.networks.shapes import Shape
from fastparse.networks.train import new_network
from fastparse.training.network_parsers import prepared_for
from tests.toy import toy

NO_DROPOUT = Dropout(0, 0, 0, 0, 0, 0, 0)
SHAPE = Shape(
    width=16, pieces=2, distances=(1, 2), form=16, affix=8, tag=8, feature=8, hidden=16, rank=8
)  # fmt: skip
PLAN = Plan(rounds=3, words=60, rate=5e-3, warm_up=10, outputs=("upos", "feats"), dropout=NO_DROPOUT)


def course(system="hybrid", shape=SHAPE, threads=1, sentences=None, dev=True, **plan):
    """A training over the toy treebank that has not begun."""
    bank = toy() if sentences is None else toy()[:sentences]
    prepared, found = prepared_for(bank, system) if system else (None, None)
    options = replace(PLAN, **plan)
    network, examples = new_network(prepared, bank, shape, options, found)
    return Course(network, examples, options, bank if dev else None, threads)
