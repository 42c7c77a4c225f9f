"""Accuracy of transition systems on treebanks: each is trained, or its model taken up, parses, and is scored."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import fastparse
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.evaluation.attachment import score
from fastparse.evaluation.breakdowns import by_crossing
from fastparse.evaluation.comparison import Comparison, compare
from fastparse.evaluation.significance import significance
from fastparse.learning.preparation import fingerprint
from fastparse.learning.progress import Interrupted
from fastparse.parser import Parser
from fastparse.search.kinds import FIRST_STEPS, THREE_STEP
from fastparse.studies.table import Study, Verdict
from fastparse.studies.treebanks import Source
from fastparse.transition_systems.registry import has_dynamic_oracle, resolve

__all__ = ["Contender", "Training", "accuracy_study", "contender", "learnt", "treebank_beside"]

Report = Callable[[str], object]
_ENCODINGS = ("head", "path", "head+path")


class Contender(NamedTuple):
    """A way to train a parser.

    Attributes:
        system: the name of a transition system.
        oracle: the variant of its oracle; None is the system's first.
        encoding: of lifted arcs in labels; None lifts without a trace what the system cannot build.
    """

    system: str
    oracle: str | None = None
    encoding: str | None = None

    @property
    def name(self) -> str:
        """As it is given and printed: ``swap:eager``, ``arc-eager+head``."""
        oracle = f":{self.oracle}" if self.oracle else ""
        return f"{self.system}{oracle}{f'+{self.encoding}' if self.encoding else ''}"

    @property
    def stem(self) -> str:
        """The name in the names of files."""
        return re.sub(r"[/:]", "-", self.name)

    def oracle_kind(self, asked: str, beam: int) -> str:
        """What a training with this oracle learns from: "dynamic" where the system has such an oracle and no beam."""
        if self.system == "easy-first":
            return "dynamic"
        first = FIRST_STEPS[0] if self.system == THREE_STEP else self.system
        return asked if beam == 1 and has_dynamic_oracle(first) else "static"

    @property
    def options(self) -> dict[str, Any]:
        """Of the system."""
        return {"oracle": self.oracle} if self.oracle else {}


def contender(text: str) -> Contender:
    """The contender of a name NAME[:ORACLE][+ENCODING].

    Raises:
        Error: if there is no such encoding.
        UnknownNameError: if there is no such system or oracle.
    """
    name, plus, encoding = text.partition("+")
    if plus and encoding not in _ENCODINGS:
        raise Error(f"{text!r}: after + comes an encoding of lifted arcs, one of {', '.join(_ENCODINGS)}")
    system, _, oracle = name.partition(":")
    found = Contender(system, oracle or None, encoding or None)
    if found.system != THREE_STEP:
        resolve(found.system, **found.options)
    elif oracle or encoding:
        raise Error(f"{text!r}: {THREE_STEP} takes neither an oracle nor an encoding")
    return found


@dataclass(frozen=True)
class Training:
    """How parsers are trained.

    Attributes:
        beam, iterations, seed: see `fastparse.train`.
        oracle: of greedy trainings: "static", one derivation for every system, or "dynamic", for those that have one.
        labels: what labels are chosen by: "arcs", once the arc is drawn, or "moves", with them.
        update, margin: see `fastparse.train`.
    """

    beam: int = 32
    iterations: int = 10
    seed: int = 1
    oracle: str = "static"
    labels: str = "arcs"
    update: str = "max-violation"
    margin: int = 5


def learnt(bank: Treebank, one: Contender, training: Training, path: Path, name: str, report: Report) -> Parser:
    """The parser in a file, or a new one that is saved there; a training that was stopped goes on.

    Args:
        name: of the training, for what is reported.
    Raises:
        KeyboardInterrupt: if the training is stopped: its checkpoint lies beside `path`.
    """
    if path.exists():
        return fastparse.load(path)
    checkpoint = path.with_suffix(".checkpoint")
    interrupted = False

    def show(event: Any) -> None:
        nonlocal interrupted
        interrupted = interrupted or isinstance(event, Interrupted)
        report(f"{name}: {event}")

    parser = fastparse.train(
        bank, one.system, beam=training.beam, iterations=training.iterations, seed=training.seed,
        pseudo_projective=one.encoding, progress=show, system_options=one.options, checkpoint=checkpoint,
        components=("parser",), oracle=one.oracle_kind(training.oracle, training.beam), labels=training.labels,
        update=training.update, margin=training.margin, max_bytes=None, held_out=0.0, encoder=None,
    )  # fmt: skip
    if interrupted:
        raise KeyboardInterrupt
    parser.save(path)
    checkpoint.unlink(missing_ok=True)
    return parser


def treebank_beside(source: Source, part: str) -> Source:
    """The part of a treebank that parsers are scored on.

    Raises:
        Error: if there is none.
    """
    path = source.path.with_name(f"{part}.conllu")
    if not path.is_file():
        raise Error(f"{source.path.parent} holds no {part}.conllu to parse")
    return Source(source.name, path)


def accuracy_study(
    treebanks: Sequence[Source],
    contenders: Sequence[Contender],
    work: Path,
    trainings: Sequence[Training] = (Training(),),
    part: str = "dev",
    convention: str = "conllx",
    threads: int = 1,
    report: Report = lambda text: None,
) -> Study:
    """Scores of each contender on each treebank, means over the trainings, and how it differs from the first.

    Args:
        treebanks: what is learnt from; PART.conllu beside each is parsed.
        work: the folder of models: those that are there are not trained again.
        trainings: one per seed.
        convention: of scoring, see `fastparse.evaluation.comparison`.
        report: called with what happens.
    """
    study = Study(f"Accuracy by system, convention {convention}", [])
    work.mkdir(parents=True, exist_ok=True)
    for source in treebanks:
        bank, gold = source.read(), treebank_beside(source, part).read()
        first: tuple[str, Comparison] | None = None
        for one in contenders:
            name, comparisons = f"{source.name} {one.name}", []
            try:
                for how in trainings:
                    parser = learnt(bank, one, how, _model_path(work, source, one, how, bank), name, report)
                    report(f"{name}: parsing {gold.n_words:,} words")
                    comparisons.append(compare(gold, parser.parse(gold, how.beam, threads)))
            except Error as error:  # the others can still be compared
                study.notes.append(f"{name} cannot be trained: {str(error).rstrip('.')}.")
                continue
            study.rows.append(_row(source, one, bank, comparisons, convention))
            if first is None:
                first = one.name, comparisons[0]
            else:
                study.verdicts.append(_difference(source, (one.name, comparisons[0]), first, convention))
    study.notes.append(
        "words: learnt from. crossed, uncrossed: UAS of words whose gold arc crosses another, and of the others. "
        f"Figures are means over seeds ({', '.join(str(how.seed) for how in trainings)}); differences are of the first."
    )
    return study


def _row(
    source: Source, one: Contender, bank: Treebank, comparisons: list[Comparison], convention: str
) -> dict[str, Any]:
    found = []
    for comparison in comparisons:
        scores, groups = score(comparison, convention), by_crossing(comparison, convention)
        found.append((scores.uas, scores.las, scores.la, scores.clas, groups["crossed"].uas, groups["uncrossed"].uas))
    means = [None if None in column else float(np.mean(column)) for column in zip(*found, strict=True)]
    names = ("UAS", "LAS", "LA", "CLAS", "crossed", "uncrossed")
    return {"treebank": source.name, "system": one.name, "words": bank.n_words, **dict(zip(names, means, strict=True))}


def _difference(source: Source, one: tuple[str, Comparison], first: tuple[str, Comparison], convention: str) -> Verdict:
    """Whether chance alone would make the difference in LAS between the first trainings of two contenders."""
    test = significance(one[1], first[1], "las", convention).bootstrap
    return Verdict(
        f"{one[0]} and {first[0]} differ on {source.name}, LAS",
        "significant" if test.p < 0.05 else "not significant",
        f"{test.difference:+.2f} points, 95% interval {test.low:+.2f} to {test.high:+.2f}, bootstrap over sentences",
        test.p,
    )


def _model_path(work: Path, source: Source, one: Contender, how: Training, bank: Treebank) -> Path:
    """Named after all that the model depends on."""
    learns = repr((fastparse.__version__, asdict(how), fingerprint(bank)["sha256"]))
    key = hashlib.sha256(learns.encode()).hexdigest()[:10]
    return work / f"{source.name}.{one.stem}.seed{how.seed}.{key}.fp"
