"""Small networks over the toy treebank."""

from dataclasses import replace

from fastparse.learning.networks.learner import Course
from fastparse.learning.networks.plans import Dropout, Plan
from fastparse.learning.networks.shapes import Shape
from fastparse.learning.networks.examples import new_network
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account, derived, trees_of
from fastparse.learning.encoder import task_of
from fastparse.transition_systems.registry import resolve
from tests.toy import toy

NO_DROPOUT = Dropout(0, 0, 0, 0, 0, 0, 0)
SHAPE = Shape(
    width=16, pieces=2, distances=(1, 2), form=16, affix=8, tag=8, feature=8, hidden=16, rank=8, heads=8
)  # fmt: skip
PLAN = Plan(rounds=3, words=60, rate=5e-3, warm_up=10, outputs=("upos", "feats"), dropout=NO_DROPOUT)


def prepared_for(bank, system):
    """What a network is to learn of a treebank under a system, and the system."""
    found, options, account = resolve(system), TrainingOptions(system=system, beam=1), Account()
    return task_of(*derived(trees_of(bank, options, account), found, options.outside, account)), found


def course(system="hybrid", shape=SHAPE, threads=1, sentences=None, dev=True, teachers=(), **plan):
    """A training over the toy treebank that has not begun."""
    bank = toy() if sentences is None else toy()[:sentences]
    prepared, found = prepared_for(bank, system) if system else (None, None)
    options = replace(PLAN, **plan)
    network, examples = new_network(prepared, bank, shape, options, found)
    return Course(network, examples, options, bank if dev else None, threads, teachers)
