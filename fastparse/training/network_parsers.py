"""train_parser: from a treebank to a network that parses."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.networks.course import Course, Round
from fastparse.networks.network import Network
from fastparse.networks.presets import plan_for, shape_for, tagger_plan, tagger_shape
from fastparse.networks.tagging import jackknifed, said_by, train_tagger
from fastparse.networks.targets import with_tags
from fastparse.networks.task import Task
from fastparse.networks.train import new_network
from fastparse.search.kinds.encoder import require_encodable
from fastparse.search.systems import require_searchable
from fastparse.training.options import TrainingOptions
from fastparse.training.preparation import Account, Derivations, Trees, derived, trees_of
from fastparse.transition_systems.registry import resolve

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.machine.system import System

__all__ = ["allowed_labels", "prepared_for", "set_temperature", "task_of", "train_parser", "train_tagger_and_parser"]

_GIVEN = 0.5
_FOLDS = 2
_BEAM = 4
_TEMPERATURES = (1.0, 1.5, 2.0, 2.5)


def allowed_labels(found: Trees) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Ids of labels of arcs from the root, and of others."""
    root, inner = (tuple(np.unique(found.label_ids[of]).tolist()) for of in (found.heads == 0, found.heads > 0))
    return root, inner or root


def task_of(found: Trees, derivations: Derivations) -> Task:
    """Trees with their derivations, as networks learn them."""
    moves, labels, starts = derivations
    return Task(
        found.treebank, found.heads, found.label_ids, found.labels, *allowed_labels(found), found.single_root, moves,
        labels, starts,
    )  # fmt: skip


def prepared_for(treebank: Treebank, system: Any) -> tuple[Task, System]:
    """Trees and derivations of the treebank under a system, given by name or composed, and the system.

    Raises:
        Error: if no network learns with the system, or nothing is left to learn from.
    """
    name = system if isinstance(system, str) else system.name
    require_encodable(name)
    found = resolve(system)
    require_searchable(found)
    options, account = TrainingOptions(system=found.name, beam=1), Account()
    return task_of(*derived(trees_of(treebank, options, account), found, options.outside, account)), found


def set_temperature(network: Network, dev: Treebank, rows: np.ndarray[Any, Any] | None = None) -> float:
    """Chooses the temperature for which a beam finds the most arcs of a treebank, and keeps it in the network.

    Args:
        rows: the treebank's, if tags are to be other ones.
    """
    rows = network.inputs.rows(dev) if rows is None else rows
    number = {label: i for i, label in enumerate(network.labels)}
    gold = np.array([number.get(label, -1) for label in dev.deprel_table] + [-1], np.int32)[dev.deprel_ids]

    def right(temperature: float) -> int:
        heads, labels, _ = network.annotate(dev, rows, _BEAM, temperature=temperature)
        return int(((heads == dev.heads) & (labels == gold)).sum())

    network.temperature = max(_TEMPERATURES, key=right)
    return network.temperature


def train_parser(
    treebank: Treebank, system: str = "hybrid", dev: Treebank | None = None, size: str = "default", seed: int = 1,
    threads: int = 1, report: Callable[[Round], object] = print, checkpoint: str | os.PathLike[str] | None = None,
    **changes: Any,
) -> tuple[Network, list[Round]]:  # fmt: skip
    """A parser that reads the treebank's tags.

    Args:
        size: a name of `presets.SIZES`.
        dev: to choose the best round by; without it the last one is taken.
        threads: 1 or 2; they change no byte.
        checkpoint: a file that is brought up to date after each round; a training that finds it goes on from there.
        changes: to the plan that `presets.plan_for` makes.
    """
    shape, plan = shape_for(size), plan_for(treebank.n_words, size, seed=seed, **changes)
    prepared, found = prepared_for(treebank, system)
    network, examples = new_network(prepared, prepared.treebank, shape, plan, found)
    rounds = Course(network, examples, plan, dev, threads).run(report, checkpoint)
    if dev is not None:
        set_temperature(network, dev)
    return network, rounds


def train_tagger_and_parser(
    treebank: Treebank, system: str = "hybrid", dev: Treebank | None = None, size: str = "default", seed: int = 1,
    threads: int = 1, report: Callable[[Round], object] = print, folds: int = _FOLDS, **changes: Any,
) -> tuple[Network, Network, list[Round]]:  # fmt: skip
    """A tagger of words alone, and a parser that reads given tags or the tagger's.

    Args:
        folds: parts of the treebank, each tagged for the parser by a tagger that has not seen it.
    """
    shape, plan = shape_for(size), plan_for(treebank.n_words, size, seed=seed, **changes)
    if not plan.dropout.given:
        plan = replace(plan, dropout=replace(plan.dropout, given=_GIVEN))
    prepared, found = prepared_for(treebank, system)
    bank = prepared.treebank
    tags, tag_plan = tagger_shape(size), tagger_plan(bank.n_words, seed=seed)
    tagger = train_tagger(bank, tags, tag_plan, dev, threads, report)
    classes = tagger.outputs or {}
    said = jackknifed(bank, tags, tag_plan, classes, folds, threads, report)
    network, examples = new_network(prepared, bank, shape, plan, found)
    examples.own_rows = with_tags(examples.rows, network.inputs, said, classes)
    dev_rows = None
    if dev is not None:
        dev_rows = with_tags(network.inputs.rows(dev), network.inputs, said_by(tagger, dev, classes), classes)
    rounds = Course(network, examples, plan, dev, threads, dev_rows).run(report)
    if dev is not None:
        set_temperature(network, dev)
    return tagger, network, rounds
