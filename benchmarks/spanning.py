"""What transition systems find, beside the best tree among all by the same encoder's scores of arcs.

    python benchmarks/spanning.py TREEBANK [--systems two-registers,swap] [--rounds N] [--seed N]

TREEBANK is a folder with train.conllu and dev.conllu. Each system's network learns, beside its moves, to choose the
head of each word among all words; the tree with the largest sum of these scores is the yardstick. Labels are given by
the same layer in both. Scores are of the development set: greedy and with a beam of 4 in bytes, the spanning tree in
floats.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import fastparse
from fastparse.learning.course import Course
from fastparse.learning.encoder import EncoderRecipe, ParserNetwork
from fastparse.learning.networks.plans import plan_for
from fastparse.learning.networks.spanning import trees_by_arcs
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.learning.progress import Place
from fastparse.learning.steps import Training
from fastparse.transition_systems.registry import resolve

_BEAM = 4


def scored(dev, recipe, heads, labels):
    """UAS and LAS over all words, full labels."""
    found = fastparse.evaluate(dev, dev.with_heads(heads, labels, recipe.network.labels), convention="all")
    return found.uas, found.las


def rows(folder, system, rounds, seed, weight):
    """Pairs of a decoder's name and its scores."""
    bank, dev = (fastparse.read_conllu(folder / f"{name}.conllu") for name in ("train", "dev"))
    rounds = rounds or plan_for(bank.n_words).rounds
    options = TrainingOptions(system=system, beam=_BEAM, iterations=rounds, seed=seed, encoder="default")
    recipe = EncoderRecipe(bank, resolve(system), options, Account())
    plan = replace(recipe.plan, heads_weight=weight)
    found = recipe.trees
    sample = found.treebank.with_heads(found.heads, found.label_ids, found.labels)
    learner = ParserNetwork(recipe.network, recipe.examples, plan, seed, sample, 1)
    Course(learner, rounds, Training(), Place("parser")).run()
    recipe.network = learner.kept()
    decoder = recipe.decoder(learner.arrays())
    yield "greedy", scored(dev, recipe, *decoder.decode(dev, 1)[:2])
    yield f"beam of {_BEAM}", scored(dev, recipe, *decoder.decode(dev, _BEAM)[:2])
    yield "spanning tree", scored(dev, recipe, *trees_by_arcs(recipe.network, dev))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("treebank", type=Path)
    add("--systems", default="two-registers,swap")
    add("--rounds", type=int, help="default: as many as training takes")
    add("--seed", type=int, default=1)
    add("--weight", type=float, default=0.3, help="of choosing heads while learning (default: %(default)s)")
    args = parser.parse_args()
    for system in args.systems.split(","):
        for name, (uas, las) in rows(args.treebank, system, args.rounds, args.seed, args.weight):
            print(f"{args.treebank.name:24} {system:14} {name:14} UAS {uas:.2f} LAS {las:.2f}", flush=True)


if __name__ == "__main__":
    main()
