"""Small networks over the toy treebank."""

from dataclasses import dataclass, replace

import numpy as np

from fastparse.learning.course import Course
from fastparse.learning.encoder import task_of
from fastparse.learning.networks.examples import class_numbers, new_network, without_tags
from fastparse.learning.networks.learner import NetworkLearner
from fastparse.learning.networks.outside import Outside
from fastparse.learning.networks.plans import Dropout, Plan
from fastparse.learning.networks.shapes import Shape
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account, derived, trees_of
from fastparse.learning.progress import Place
from fastparse.learning.steps import Training
from fastparse.learning.taggers import TaggerLearner
from fastparse.transition_systems.registry import resolve
from tests.toy import toy

NO_DROPOUT = Dropout(0, 0, 0, 0, 0, 0, 0)
SHAPE = Shape(
    width=16, pieces=2, distances=(1, 2), form=16, affix=8, tag=8, feature=8, hidden=16, rank=8, heads=8
)  # fmt: skip
PLAN = Plan(rounds=3, words=60, rate=5e-3, warm_up=10, outputs=("upos", "feats"), dropout=NO_DROPOUT)


def prepared_for(bank, system):
    """What a network is to learn of a treebank under a system, and the system."""
    found, options, account = resolve(system), TrainingOptions(system=system, beam=1, encoder=None), Account()
    return task_of(*derived(trees_of(bank, options, account), found, options.outside, account)), found


@dataclass
class Round:
    """What a round gave: losses per word, and scores in per cent of the development treebank's words."""

    loss: dict[str, float]
    scores: dict[str, float]


class Rounds:
    """A network's rounds, in orders that the plan's seed decides; the best one is kept, by LAS or by its outputs."""

    def __init__(self, network, examples, plan, dev, threads=1, teachers=()):
        self.learner = NetworkLearner(network, examples, plan, threads, teachers)
        self.network, self.examples, self.plan, self.dev = network, examples, plan, dev
        self.learners = self.learner.gradients

    def run(self):
        learner, plan = self.learner, self.plan
        best, best_score, rounds = None, -1.0, []
        batches = len(list(learner.divided(np.arange(len(learner.sizes)))))
        for number in range(1, plan.rounds + 1):
            source = np.random.Generator(np.random.PCG64([plan.seed, number]))
            losses, words = {}, 0
            for batch in learner.divided(source.permutation(len(learner.sizes))):
                left = 1 - learner.steps / (batches * plan.rounds)
                outcome = learner.learn_batch(batch, number, int(source.integers(2**63)), left)
                words += outcome.words
                losses = {name: losses.get(name, 0) + loss for name, loss in outcome.loss.items()}
            with learner.as_kept():
                scores = self.scores()
                score = sum([s for name, s in scores.items() if name.endswith("las")] or scores.values())
                if score >= best_score:
                    best_score, best = score, self.network.numbers.copy()
            rounds.append(Round({name: loss / words for name, loss in losses.items()}, scores))
        self.network.numbers[:] = best
        return rounds

    def scores(self):
        """UAS, LAS and the share of right classes per output; without given tags they are named "own ..."."""
        if self.dev is None:
            return {}
        rows, given = self.network.inputs.rows(self.dev), self.plan.dropout.given
        found = self._scores(rows, not given) if given < 1 else {}
        if given:
            own = self._scores(without_tags(rows, self.network.inputs), True)
            found |= {f"own {name}": score for name, score in own.items()}
        return found

    def _scores(self, rows, outputs):
        heads, labels, classes = self.network.annotate(self.dev, rows)
        found = {}
        if self.network.shape.moves:
            number = {label: i for i, label in enumerate(self.network.labels)}
            ids = np.array([number.get(label, -1) for label in self.dev.deprel_table] + [-1], np.int32)
            right = heads == self.dev.heads
            found = {"uas": 100 * right.mean(), "las": 100 * (right & (labels == ids[self.dev.deprel_ids])).mean()}
        for name, got in classes.items() if outputs else ():
            found[name] = 100 * (got == class_numbers(self.dev, name, self.network.outputs[name])).mean()
        return found


def tagger_network(bank, shape, plan, vectors=None):
    """A network that has learnt to say tags."""
    learner = TaggerLearner(bank, shape, plan, outside=Outside(vectors))
    Course(learner, plan.rounds, Training(), Place("tagger")).run()
    return learner.kept()


def course(system="hybrid", shape=SHAPE, threads=1, sentences=None, dev=True, teachers=(), **plan):
    """A training over the toy treebank that has not begun."""
    bank = toy() if sentences is None else toy()[:sentences]
    prepared, found = prepared_for(bank, system) if system else (None, None)
    options = replace(PLAN, **plan)
    network, examples = new_network(prepared, bank, shape, options, found)
    return Rounds(network, examples, options, bank if dev else None, threads, teachers)
