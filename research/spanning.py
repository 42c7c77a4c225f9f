"""What transition systems find, beside the best tree among all by the same encoder's scores of arcs.

    python -m research.spanning TREEBANK [--systems two-registers,swap] [--rounds N] [--seed N]

TREEBANK is a folder with train.conllu and dev.conllu. Each system's network learns, beside its moves, to choose the
head of each word among all words; the tree with the largest sum of these scores is the yardstick. Labels are given by
the same layer in both. Scores are of the development set: greedy and with a beam of 4 in bytes, the spanning tree in
floats.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import fastparse
from fastparse.corpus.treebank import Treebank
from fastparse.learning.course import Course
from fastparse.learning.encoder import EncoderRecipe, ParserNetwork
from fastparse.learning.networks.encoder import Buffers, Encoder
from fastparse.learning.networks.network import Network, rows_of
from fastparse.learning.networks.plans import plan_for
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.learning.progress import Place
from fastparse.learning.steps import Training
from fastparse.transition_systems.registry import resolve

_BEAM = 4
_SENTENCES = 50  # at a time

Array = np.ndarray[Any, Any]


def spanning_tree(scores: Array, single_root: bool = False) -> Array:
    """Heads of the tree whose arcs have the largest sum (Chu and Liu 1965, Edmonds 1967).

    Args:
        scores: [words + 1, words + 1], of a dependent's row and a head's column; 0 is the root, whose row is not read.
        single_root: only one word may hang from the root.

    Returns:
        int32, by word from 1 on; that of the root, 0, is -1.
    """
    scores = np.array(scores, np.float64)
    if single_root and len(scores) > 2:
        # No sum of other arcs makes up for a second arc from the root.
        scores[:, 0] -= 2 * len(scores) * (1 + np.abs(scores).max())
    np.fill_diagonal(scores, -np.inf)
    heads = _best_tree(scores)
    heads[0] = -1
    return heads


def _best_tree(scores: Array) -> Array:
    """Args: scores: of a tree over all rows with root 0; -inf on the diagonal."""
    heads = np.asarray(scores.argmax(1), np.int32)
    heads[0] = 0
    circle = _circle(heads)
    if circle is None:
        return heads
    inside = np.zeros(len(scores), bool)
    inside[circle] = True
    outside = np.flatnonzero(~inside)  # the root is one of them, and stays the first
    # The circle becomes one node, the last. An arc into it costs the arc of the circle that it replaces.
    into = scores[np.ix_(circle, outside)] - scores[circle, heads[circle]][:, None]
    out_of = scores[np.ix_(outside, circle)]
    n = len(outside)
    smaller = np.full((n + 1, n + 1), -np.inf)
    smaller[:n, :n] = scores[np.ix_(outside, outside)]
    smaller[n, :n], smaller[:n, n] = into.max(0), out_of.max(1)
    found = _best_tree(smaller)
    for node in range(1, n):
        head = found[node]
        heads[outside[node]] = outside[head] if head < n else circle[int(out_of[node].argmax())]
    entered = circle[int(into[:, found[n]].argmax())]
    heads[entered] = outside[found[n]]
    return heads


def _circle(heads: Array) -> Array | None:
    """The nodes of a circle of arcs, if there is one."""
    seen_from = np.zeros(len(heads), np.int64)  # 0: not yet; the walk from node n - 1 has left n
    seen_from[0] = 1
    for start in range(1, len(heads)):
        node = start
        while not seen_from[node]:
            seen_from[node] = start + 1
            node = int(heads[node])
        if seen_from[node] == start + 1:
            found = [node]
            while (node := int(heads[node])) != found[0]:
                found.append(node)
            return np.array(found)
    return None


def arc_scores(network: Network, state: Array) -> Array:
    """Of a sentence: each row as the dependent of each.

    Args:
        state: of the root and all words, as the encoder gives them.
    """
    both = state @ network.arrays["heads.weight"].T + network.arrays["heads.bias"]
    k = network.shape.heads
    return np.asarray(both[:, :k] @ both[:, k:].T)


def trees_by_arcs(network: Network, treebank: Treebank) -> tuple[Array, Array]:
    """Heads and label ids of all words: the tree of the largest sum, and the best label of each arc.

    Args:
        network: a parser that has learnt to choose heads among all words (`Shape.heads`).
    """
    offsets = np.asarray(treebank.offsets, np.int64)
    rows = network.inputs.rows(treebank)
    heads, labels = np.zeros((2, int(offsets[-1])), np.int32)
    encoder, buffers = Encoder(network.shape, network.inputs.columns()), Buffers()
    transitions = network.transitions()
    transitions.bind(network.arrays)
    allowed = np.full((2, len(network.labels)), -np.inf, np.float32)
    allowed[0, list(network.root_labels)] = allowed[1, list(network.inner_labels)] = 0
    matrix, offset = network.arrays["labels.weight"], network.arrays["labels.offset"]
    for first in range(0, len(treebank), _SENTENCES):
        part = rows_of(offsets, np.arange(first, min(first + _SENTENCES, len(treebank))))
        ids, added = network.learnt(rows[part.rows])
        state = encoder.forward(network.arrays, ids, part.start, part.end, added=added)
        network.show(transitions, state, buffers)
        chosen = np.full(len(state), -1, np.int32)
        for root in part.bases.tolist():
            end = int(part.end[root])
            tree = spanning_tree(arc_scores(network, state[root:end]), network.single_root)
            chosen[root + 1 : end] = tree[1:] + root
        hidden = np.zeros((len(state), network.shape.hidden), np.float32)
        transitions.label_hidden(chosen, hidden, np.zeros(hidden.shape, np.uint8), 0, 0.0)
        local = chosen[part.words] - part.start[part.words]
        scores = hidden[part.words] @ matrix.T + offset + allowed[(local > 0).astype(np.int64)]
        heads[part.at], labels[part.at] = local, scores.argmax(1)
    return heads, labels


def scored(dev: Treebank, recipe: EncoderRecipe, heads: Array, labels: Array) -> tuple[float, float]:
    """UAS and LAS over all words, full labels."""
    found = fastparse.evaluate(dev, dev.with_heads(heads, labels, recipe.network.labels), convention="all")
    return found.uas, found.las


def rows(
    folder: Path, system: str, rounds: int | None, seed: int, weight: float
) -> Iterator[tuple[str, tuple[float, float]]]:
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
    for name, beam in (("greedy", 1), (f"beam of {_BEAM}", _BEAM)):
        parsed = decoder.decode(dev, beam)
        yield name, scored(dev, recipe, parsed.heads, parsed.labels)
    yield "spanning tree", scored(dev, recipe, *trees_by_arcs(recipe.network, dev))


def main() -> None:
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
