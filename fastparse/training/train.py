"""train: from a treebank to a Parser."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

import fastparse
from fastparse.composition.compose import recipe
from fastparse.corpus.foreign.objects import columns_of
from fastparse.corpus.reading.conllu import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.features.templates import load_templates, with_passes
from fastparse.model.compiled import CompiledTable
from fastparse.model.learning import LearningTable
from fastparse.search.decoding import decode
from fastparse.search.description import Description, arrays_of
from fastparse.search.systems import THREE_STEP
from fastparse.training.checkpoint import Progress, read_checkpoint, write_checkpoint
from fastparse.training.compiling import averages, compiled, compiled_mean
from fastparse.training.easy_first import EasyFirstTrainer
from fastparse.training.options import TrainingOptions
from fastparse.training.passes import PassesLearner, anchored, first_step_options
from fastparse.training.preparation import Prepared, fingerprint, missing_attributes, prepare, tags_joined
from fastparse.training.progress import Interrupted, IterationDone, Message, Passing, peak_memory
from fastparse.training.systems import family_templates, system_to_train
from fastparse.training.trainer import Trainer
from fastparse.transition_systems.registry import ROWS

if TYPE_CHECKING:
    from fastparse.machine.system import System
    from fastparse.parser import Parser

__all__ = ["train"]

_SENTENCES_AT_A_TIME = 64  # between looks at the clock and at signals; greedy exploration is seeded per such part
_SECONDS_BETWEEN_REPORTS = 0.25


def train(
    treebank: Any,
    system: Any = "two-registers",
    dev: Any = None,
    beam: int = 32,
    iterations: int = 10,
    seed: int = 1,
    outside: str = "lift",
    single_root: bool | str = "auto",
    pseudo_projective: str | None = None,
    templates: str | os.PathLike[str] | None = None,
    threads: int = 1,
    progress: Callable[[Any], object] | None = None,
    *,
    system_options: dict[str, Any] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    licence: str | None = None,
    **tuning: Any,
) -> Parser:
    """Learn a parser from a treebank.

    Args:
        treebank: a Treebank, a path or a list of paths, or sentences as for `Parser.parse`.
        system: a name, a composed system, or "auto": two-registers if it covers at least 95% of the trees, else the
            system that covers most.
        dev: a treebank to choose the best iteration by (its labelled attachment score over every word with full
            labels); without one the last iteration is taken.
        beam: the states kept while learning, and by default while parsing; 1 learns a greedy parser.
        iterations: passes over the treebank.
        seed: of the order of sentences. The same seed gives the same model, byte for byte.
        outside: what becomes of trees the system cannot build: "lift" their arcs until it can, "skip" or "stop".
        single_root: give each sentence one root; "auto": if at least 99% of the training trees have one.
        pseudo_projective: encode lifted arcs in labels: "head", "path" or "head+path".
        templates: the name of a set of feature templates or the path of a file; None: the set for the system.
        threads: for parsing `dev`.
        progress: called with each report; `print` will do.
        system_options: options of the system, such as {"oracle": "eager"} for swap.
        checkpoint: a file that is brought up to date after each iteration; a training that finds it goes on from there.
        licence: kept in the model: what may be done with it, and whom to name.
        tuning: runs, update, explore, margin, scale, least_weight, max_bytes; see `TrainingOptions`.

    Returns:
        The best parser. Interrupted (Ctrl-C) after the first iteration, the best so far.

    Raises:
        Error: if an option is impossible or there is nothing to learn from.
    """
    name = system if isinstance(system, str) else system.name
    options = TrainingOptions(
        system=name, beam=beam, iterations=iterations, seed=seed, outside=outside, single_root=single_root,
        pseudo_projective=pseudo_projective, templates=None if templates is None else os.fspath(templates), **tuning,
    )  # fmt: skip
    bank, dev_bank = _treebank(treebank), None if dev is None else _treebank(dev)
    report = progress or (lambda event: None)
    in_steps = name == THREE_STEP
    chosen, why = system_to_train(system, system_options or {}, bank, options)
    prepared = prepare(bank, chosen, options)
    for note in (*why, *prepared.notes):
        report(Message(note))
    template_set = load_templates(options.templates or family_templates(THREE_STEP if in_steps else chosen.name))
    if in_steps:
        template_set = with_passes(template_set)
    description = Description(
        THREE_STEP if in_steps else chosen.name, {"projective": chosen.name} if in_steps else dict(chosen.options),
        template_set.text, missing_attributes(template_set, prepared.treebank),
        tags_joined(prepared.treebank), tuple(prepared.labels), tuple(prepared.root_labels),
        tuple(prepared.inner_labels), prepared.single_root, beam, pseudo_projective,
        None if in_steps else _recipe(chosen),
    )  # fmt: skip
    record: dict[str, Any] = {
        "fastparse": fastparse.__version__,
        "training": {key: value for key, value in options.to_dict().items() if key not in _DESCRIBED},
        "treebank": {**fingerprint(bank), **prepared.counts},
        "dev": None if dev_bank is None else fingerprint(dev_bank),
        "licence": licence,
    }
    dev_step = dev_bank
    if in_steps and dev_bank is not None:
        dev_step = dev_bank.with_heads(anchored(dev_bank.heads, dev_bank.offsets))
    step_options = first_step_options(options) if in_steps else options
    course = _Course(description, prepared, step_options, dev_step, threads, report)
    identity = {**record, "description": description.to_dict()}
    tables: tuple[CompiledTable, ...]
    if options.runs == 1:
        course.run(checkpoint, identity)
        tables = course.best()
    else:
        tables = _run_several(course, checkpoint, identity)
    record |= {"iterations": course.progress.iterations, "best_iteration": course.progress.best}
    if course.mean:
        record["mean"] = course.mean
    if in_steps:
        learner = PassesLearner(description, prepared, description.values(prepared.treebank))
        tables += tuple(learner.tables(options, range(seed, seed + options.runs)))
        record["passes"] = learner.rows
        if learner.interrupted:
            report(Interrupted(f"Interrupted in {learner.interrupted}; what has been learnt by then is kept."))
    if in_steps and dev_bank is not None:
        uas, las = course.scores(tables, dev_bank.heads)
        record["steps"] = {"uas": uas, "las": las}
        report(Message(f"all three steps: dev UAS {uas:.2f} LAS {las:.2f}"))
    return fastparse.Parser(description, tables, record)


def _run_several(course: _Course, checkpoint: Any, identity: dict[str, Any]) -> tuple[CompiledTable, CompiledTable]:
    """Trains with successive seeds and averages the weights after the last iteration of each."""
    options, rows, parts = course.options, [], []
    for run in range(options.runs):
        course.restart(replace(options, seed=options.seed + run, max_bytes=None))
        course.report(Message(f"run {run + 1} of {options.runs}, seed {course.options.seed}"))
        mine = None if checkpoint is None else f"{os.fspath(checkpoint)}.{run + 1}"
        course.run(mine, {**identity, "training": {**identity["training"], "seed": course.options.seed}})
        course.count(options)
        parts.append(averages(course.moves, course.labels, course.progress.clock, options))
        rows.extend(course.progress.iterations)
    tables = compiled_mean(parts, (course.moves, course.labels), options)
    course.progress.iterations = rows
    if course.dev is not None:
        uas, las = course.scores(tables)
        course.mean = {"runs": options.runs, "uas": uas, "las": las}
        course.report(Message(f"mean of {options.runs} runs: dev UAS {uas:.2f} LAS {las:.2f}"))
    return tables


# Options that the description holds in the form they took.
_DESCRIBED = ("system", "beam", "single_root", "pseudo_projective")


def _treebank(given: Any) -> Treebank:
    if isinstance(given, Treebank):
        return given
    if isinstance(given, (str, os.PathLike, bytes)) or (
        isinstance(given, (list, tuple)) and given and all(isinstance(item, (str, os.PathLike)) for item in given)
    ):
        return read_conllu(given)
    if isinstance(given, Iterable):
        return columns_of(list(given) if not hasattr(given, "iloc") and not hasattr(given, "schema") else given)
    raise Error(f"expected a treebank, a path or sentences, found {given!r:.80}")


def _recipe(system: System) -> dict[str, Any] | None:
    if system.name in ROWS:
        return None
    found = recipe(system)
    return {**found, "moves": [[name, steps] for name, steps in found["moves"].items()]}


class _Course:
    """One training, iteration by iteration."""

    def __init__(
        self, description: Description, prepared: Prepared, options: TrainingOptions, dev: Treebank | None,
        threads: int, report: Callable[[Any], object],
    ) -> None:  # fmt: skip
        self.description, self.prepared, self.options = description, prepared, options
        self.threads, self.report = threads, report
        self.mean: dict[str, Any] = {}
        self.trainer: Any = None
        self.restart(options)
        self.words = np.diff(prepared.treebank.offsets)
        self.dev = dev
        if dev is not None:
            self.dev_values = description.values(dev)
            number = {label: i for i, label in enumerate(description.output_labels)}
            # Labels that training has not seen cannot be right, words without one neither.
            ids = [number.get(label, -1) for label in dev.deprel_table] + [-1]
            self.dev_labels = np.array(ids, np.int32)[dev.deprel_ids]

    def best(self) -> tuple[CompiledTable, ...]:
        """Tables of the best iteration; of the three-step system, those of the first step."""
        return self.description.tables_from(self.progress.arrays, first_step=True)

    def restart(self, options: TrainingOptions) -> None:
        """Back to before the first iteration."""
        self.options = options
        self.moves = LearningTable(len(self.description.transition_system.moves))
        self.labels = LearningTable(len(self.description.labels))
        self.progress = Progress()

    def scores(
        self, tables: tuple[CompiledTable, ...], gold: np.ndarray[Any, Any] | None = None
    ) -> tuple[float, float]:
        """UAS and LAS on the development treebank, over all words and full labels.

        Args:
            gold: other heads for its words to have.
        """
        assert self.dev is not None
        engine = self.description.decoder(*tables)
        heads, labels = decode(self.description, engine, self.dev, self.options.beam, self.threads, self.dev_values)
        right = heads == (self.dev.heads if gold is None else gold)
        n = max(1, len(heads))
        return 100 * int(right.sum()) / n, 100 * int((right & (labels == self.dev_labels)).sum()) / n

    def run(self, checkpoint: str | os.PathLike[str] | None, identity: dict[str, Any]) -> None:
        tables = {"moves": self.moves, "labels": self.labels}
        options, prepared = self.options, self.prepared
        # More iterations may be asked for than before.
        same = {**identity, "training": {k: v for k, v in identity["training"].items() if k != "iterations"}}
        if checkpoint is not None:
            self.progress = read_checkpoint(checkpoint, same, tables) or self.progress
        engine = self.description.engine(self.moves, self.labels)
        values, offsets = self.description.values(prepared.treebank), prepared.treebank.offsets
        trainer: Any
        if self.description.system == "easy-first":
            trainer = EasyFirstTrainer(engine, values, offsets)
        else:
            trainer = Trainer(
                engine, values, offsets, prepared.moves, prepared.move_labels, prepared.starts, options.beam
            )
        trainer.clock = self.progress.clock
        self.trainer = trainer
        source = random.Random(options.seed)
        order = list(range(len(prepared.treebank)))
        for iteration in range(1, options.iterations + 1):
            source.shuffle(order)
            if iteration <= self.progress.done:
                continue
            try:
                self._iterate(trainer, np.array(order, np.int64), iteration)
            except KeyboardInterrupt:
                if not self.progress.best:
                    raise
                self.report(Interrupted(f"Interrupted in iteration {iteration}; the best is {self.progress.best}."))
                break
            if checkpoint is not None:
                write_checkpoint(checkpoint, same, self.progress, tables)
        if not self.progress.arrays:
            self.count(self.options)
            # Without a development treebank the last pass is the best one, as far as it got.
            self.progress.arrays = arrays_of(*compiled(self.moves, self.labels, trainer.clock, options))

    def count(self, options: TrainingOptions) -> None:
        """Count features if the model has to be pruned (easy-first prunes by weights alone)."""
        if options.max_bytes is not None and isinstance(self.trainer, Trainer):
            self.trainer.count_features()

    def _iterate(self, trainer: Any, order: np.ndarray[Any, Any], iteration: int) -> None:
        updates = trainer.n_updates
        begun = last = time.perf_counter()
        words_done, words = 0, int(self.words.sum())
        passes_left = self.options.iterations - iteration
        for at in range(0, len(order), _SENTENCES_AT_A_TIME):
            part = order[at : at + _SENTENCES_AT_A_TIME]
            self._learn(trainer, part, iteration, at)
            words_done += int(self.words[part].sum())
            now = time.perf_counter()
            if now - last >= _SECONDS_BETWEEN_REPORTS:
                last = now
                speed = words_done / (now - begun)
                left = (words - words_done + words * passes_left) / speed
                done = min(at + _SENTENCES_AT_A_TIME, len(order))
                self.report(Passing(iteration, self.options.iterations, done, len(order), speed, left))
        seconds = time.perf_counter() - begun
        self._finish(trainer, iteration, trainer.n_updates - updates, seconds)

    def _learn(self, trainer: Any, part: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        options = self.options
        if isinstance(trainer, EasyFirstTrainer):
            trainer.learn(part, self.prepared.heads, self.prepared.label_ids, options.margin)
            return
        if options.beam > 1:
            trainer.learn_structured(part, self.prepared.heads, options.update == "max-violation", options.margin)
            return
        # The first pass follows the oracle, from states that are right.
        explore = options.explore if iteration > 1 else 1e-9
        seed = (options.seed * 1000 + iteration << 32) + at + 1
        trainer.learn_greedy(
            part, self.prepared.heads, self.prepared.label_ids, explore, seed & 0xFFFFFFFFFFFFFFFF, options.margin
        )

    def _finish(self, trainer: Any, iteration: int, updates: int, seconds: float) -> None:
        progress = self.progress
        features = self.moves.n_features + self.labels.n_features
        uas = las = None
        best = True
        if self.dev is not None or iteration == self.options.iterations:
            self.count(self.options)
            tables = compiled(self.moves, self.labels, trainer.clock, self.options)
        else:
            tables = None
        if self.dev is not None and tables is not None:
            uas, las = self.scores(tables)
            best = las > max((row["las"] for row in progress.iterations), default=-1.0)
        row: dict[str, Any] = {"updates": updates, "features": features}
        if las is not None:
            row |= {"uas": uas, "las": las}
        progress.iterations.append(row)
        progress.done, progress.clock = iteration, trainer.clock
        if best:
            progress.best = iteration
            progress.arrays = arrays_of(*tables) if tables is not None else {}
        self.report(
            IterationDone(
                iteration,
                self.options.iterations,
                updates,
                features,
                seconds,
                peak_memory(),
                uas,
                las,
                best and las is not None,
            )
        )
