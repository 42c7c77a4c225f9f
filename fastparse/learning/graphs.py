"""Learning to draw enhanced graphs beside trees, from the column DEPS."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse.corpus.graphs import Graphs, collapsed_graphs
from fastparse.corpus.problems import number_of
from fastparse.errors import Error, OracleError
from fastparse.features.templates import load_templates
from fastparse.graphs.enhancer import TOGETHER, Enhancer
from fastparse.graphs.labels import Slots
from fastparse.learning.course import Course
from fastparse.learning.linear import in_minibatches, minibatch_for
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import attributes_in
from fastparse.learning.progress import Message
from fastparse.learning.tables import TableLearner
from fastparse.learning.trainers import StructuredTrainer
from fastparse.model.description import Description
from fastparse.search.kinds import GraphSearch, of_graphs
from fastparse.theory.oracles import graph_derivations_of, oracle_of
from fastparse.transition_systems.registry import resolve

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.steps import Training
    from fastparse.machine.system import System

__all__ = ["ENHANCED_ROUNDS", "GRAPH_SYSTEM", "graph_system", "has_graphs", "learnt_enhancer"]

GRAPH_SYSTEM = "2-planar/graph"
ENHANCED_ROUNDS = 8
_BEAM = 8  # while learning
_PARSING_BEAM, _THRESHOLD = 8, 500  # what a threshold leaves out costs more time than it is worth
_BYTES = 900_000
_TEMPLATES = "graphs"
_LEAST_LABELS = 2  # arcs that a label must have, to be learnt with what is particular to it


def has_graphs(treebank: Treebank) -> bool:
    """Whether DEPS has anything."""
    table = treebank.table("deps")
    return any(i >= 0 and table[i] not in ("_", "") for i in set(treebank.ids("deps").tolist()))


def graph_system(name: str, options: dict[str, Any]) -> System:
    """The system, as models use it: the root is a word, and two words have one arc in each direction at most."""
    if name not in of_graphs():
        raise Error(f"{name!r} has no models of graphs; there are {', '.join(map(repr, of_graphs()))}")
    return resolve(name, **{**options, "root": "token", "doubles": False})


class Examples(NamedTuple):
    """Sentences and their graphs, with patterns for labels.

    Attributes:
        treebank: the sentences.
        counts: arcs of each.
        arcs: int32 [arcs, 3]: heads, dependents, patterns by id.
        patterns: by id.
    """

    treebank: Treebank
    counts: np.ndarray[Any, Any]
    arcs: np.ndarray[Any, Any]
    patterns: tuple[str, ...]


def examples_of(treebank: Treebank) -> Examples:
    """The graphs of the sentences that are trees and have any."""
    graphs = collapsed_graphs(treebank)
    chosen = treebank.trees() & (np.diff(graphs.offsets) > 0)
    if not chosen.any():
        raise Error(
            "targets='enhanced': no sentence has both a tree and an enhanced graph, in the column DEPS, to learn from"
        )
    counts, rows, patterns = _patterns(treebank, graphs)
    kept = np.repeat(chosen, counts)
    return Examples(treebank.select(chosen.nonzero()[0]), counts[chosen], rows[kept], patterns)


def _patterns(treebank: Treebank, graphs: Graphs) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], tuple[str, ...]]:
    """Arcs with patterns, those between the same words together; rare patterns lose what is particular to them."""
    slots = Slots(treebank)
    sentences = np.repeat(np.arange(len(treebank)), np.diff(graphs.offsets))
    words = treebank.offsets[sentences] + graphs.dependents - 1
    together: dict[tuple[int, int], list[str]] = {}
    for word, head, label in zip(words.tolist(), graphs.heads.tolist(), graphs.labels.tolist(), strict=True):
        together.setdefault((word, head), []).append(slots.pattern(graphs.names[label], word))
    joined = {pair: TOGETHER.join(sorted(set(found))) for pair, found in together.items()}
    times = Counter(joined.values())
    for pair, pattern in joined.items():
        if times[pattern] < _LEAST_LABELS:
            first = pattern.split(TOGETHER)[0]
            # Without what is rare; of a path through an empty node all of it.
            joined[pair] = first if ">" in first else first.partition(":")[0]
    number = {pattern: i for i, pattern in enumerate(sorted(set(joined.values())))}
    of = np.searchsorted(treebank.offsets, [word for word, _ in joined], side="right") - 1
    rows = np.array([(head, word, number[pattern]) for (word, head), pattern in joined.items()], np.int32).reshape(
        -1, 3
    )
    rows[:, 1] -= np.asarray(treebank.offsets)[of].astype(np.int32) - 1
    order = np.lexsort((rows[:, 0], rows[:, 1], of))
    return np.bincount(of, minlength=len(treebank)), rows[order], tuple(number)


class Derived(NamedTuple):
    """Derivations of graphs, see `graph_derivations_of`."""

    moves: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]
    starts: np.ndarray[Any, Any]
    inside: np.ndarray[Any, Any]


def _derived(examples: Examples, system: System) -> Derived:
    sizes = np.diff(examples.treebank.offsets)
    return Derived(*graph_derivations_of(system, oracle_of(system), sizes, examples.counts, examples.arcs))


def fitted(examples: Examples, system: System, outside: str, report: Any) -> tuple[Examples, Derived]:
    """What the system can build: of other graphs as many arcs as fit, or none, or an error."""
    found = _derived(examples, system)
    if found.inside.all():
        return examples, found
    number = int((~found.inside).sum())
    if outside == "stop":
        raise OracleError(
            f"{examples.treebank[int(np.argmin(found.inside))].where()}: {system.name!r} cannot build this graph, nor "
            f"{number - 1:,} others. Leave out arcs (outside='lift') or sentences (outside='skip')."
        )
    before = len(examples.arcs)
    if outside == "lift":
        examples = _lifted(examples, system, found.inside)
        found = _derived(examples, system)
    report(Message(
        f"{number_of(number, 'graph')} of {len(found.inside):,} {system.name} cannot build: "
        + (f"{before - len(examples.arcs):,} arcs are left out." if outside == "lift" else "they are left out.")
    ))  # fmt: skip
    if not found.inside.any():
        raise Error(f"no graph can be built by {system.name}, so there is nothing to learn from")
    return examples, found


def _lifted(examples: Examples, system: System, inside: np.ndarray[Any, Any]) -> Examples:
    """Of the graphs outside the class, the arcs that fit together: those of the tree first, from short to long."""
    bounds = np.concatenate([[0], np.cumsum(examples.counts)])
    oracle, sizes = oracle_of(system), np.diff(examples.treebank.offsets)
    kept = np.ones(len(examples.arcs), bool)
    heads, offsets = examples.treebank.heads, examples.treebank.offsets
    for i in np.flatnonzero(~inside).tolist():
        arcs = examples.arcs[bounds[i] : bounds[i + 1]]
        tree = heads[offsets[i] + arcs[:, 1] - 1] == arcs[:, 0]
        taken = np.zeros(len(arcs), bool)
        for k in np.lexsort((np.abs(arcs[:, 0] - arcs[:, 1]), ~tree)).tolist():
            taken[k] = True
            if not graph_derivations_of(system, oracle, sizes[i : i + 1], [taken.sum()], arcs[taken])[3][0]:
                taken[k] = False
        kept[bounds[i] : bounds[i + 1]] = taken
    counts = np.add.reduceat(np.append(kept, False), bounds[:-1]) * (examples.counts > 0)
    return examples._replace(counts=counts.astype(np.int64), arcs=examples.arcs[kept])


class GraphLearner(TableLearner):
    """The structured perceptron over the moves of a system of graphs."""

    def __init__(self, kind: GraphSearch, examples: Examples, derived: Derived, options: TrainingOptions) -> None:
        super().__init__(kind.engine_forms, options, examples.treebank.offsets)
        bank = examples.treebank
        self._engine = kind.engine(self.tables)
        self._trees = np.asarray(bank.heads, np.int32), np.zeros(bank.n_words, np.int32)
        self._minibatch = minibatch_for(len(bank))
        self.trainer = StructuredTrainer(
            self._engine, kind.values(bank), bank.offsets, derived.moves, derived.labels, derived.starts, _BEAM,
            self._minibatch, options.threads,
        )  # fmt: skip

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        self.trainer.learn(in_minibatches(order, self.sizes, self._minibatch), *self._trees, True, self.options.margin)

    def count(self) -> None:
        self.trainer.count_features()


def learnt_enhancer(
    treebank: Treebank, system: System, options: TrainingOptions, training: Training, beam: int | None = None
) -> tuple[Enhancer, dict[str, Any]]:
    """What draws graphs as the treebank has them, and what is to be said of its training."""
    examples, derived = fitted(examples_of(treebank), system, options.outside, training.report)
    kind = GraphSearch(_described(examples, system, beam), _deprels(examples.treebank))
    learning = TrainingOptions(
        seed=options.seed, threads=options.threads, beam=_BEAM, encoder=None, max_bytes=_BYTES, margin=options.margin
    )
    learner = GraphLearner(kind, examples, derived, learning)
    Course(learner, ENHANCED_ROUNDS, training, training.begin("enhancer")).run()
    record = {"sentences": int(derived.inside.sum()), "arcs": len(examples.arcs)}
    return Enhancer(kind, learner.arrays()), record


def _deprels(treebank: Treebank) -> list[str]:
    table = [*treebank.deprel_table, "_"]
    return sorted({table[i] for i in set(treebank.deprel_ids.tolist())})


def _described(examples: Examples, system: System, beam: int | None) -> Description:
    templates = load_templates(_TEMPLATES)
    root, inner = (
        tuple(np.unique(examples.arcs[of, 2]).tolist()) for of in (examples.arcs[:, 0] == 0, examples.arcs[:, 0] > 0)
    )
    allowed_beam = beam or _PARSING_BEAM
    return Description(
        system=system.name, options=dict(system.options), recipe=None,
        **attributes_in(examples.treebank, templates), templates=templates.text, labels=examples.patterns,
        root_labels=root or inner, inner_labels=inner or root, single_root=False, beam=allowed_beam,
        threshold=_THRESHOLD, encoding=None,
        chosen_by="arcs",
    )  # fmt: skip
