"""Results of trained parsers: a file each, so that a study goes on where it was stopped."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import fastparse
from fastparse.corpus.files.output import open_output
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.evaluation.comparison import Comparison, compare
from fastparse.studies.accuracy import Contender


@dataclass(frozen=True)
class Plan:
    """Everything a result depends on.

    Attributes:
        treebank: its name.
        contender: as `Contender.name` has it.
        seed, beam, iterations: of the training.
        part: what is parsed: "dev", or "train" with folds.
        oracle: what a greedy training learns from: "dynamic", wrong moves and all, or "static", one derivation, as
            every training with a beam does.
        labels: what labels are chosen by: "arcs", once the arc is drawn, or "moves", with them.
        update, margin: of the training, see `fastparse.train`.
        sample: words of the training treebank that were used; None is all.
        folds, fold: of a cross-validation, the fold counted from 0; (0, 0) without.
        trained_on, parsed: SHA-256 of the treebanks.
        model: SHA-256 of a model that was there already; None where the study trains it.
    """

    treebank: str
    contender: str
    seed: int
    beam: int
    iterations: int
    part: str
    sample: int | None
    folds: int
    fold: int
    trained_on: str
    parsed: str
    oracle: str = "static"
    labels: str = "arcs"
    update: str = "max-violation"
    margin: int = 5
    model: str | None = None
    version: str = fastparse.__version__

    @property
    def key(self) -> str:
        """Ten letters that differ where anything differs."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:10]

    def file_name(self, contender: Contender) -> str:
        fold = f".fold{self.fold + 1}of{self.folds}" if self.folds else ""
        return f"{self.treebank}.{contender.stem}.seed{self.seed}{fold}.{self.key}.json"


@dataclass(frozen=True)
class Result:
    """A parse of a treebank, or of one fold of it, by one trained parser.

    Attributes:
        plan: how it came about.
        model: SHA-256 of the parser's model.
        words: it learnt from.
        chosen: what the iteration was chosen by: "last", or "dev" (the scores are then too high by a little).
        seconds: the training took; None for models that were there already.
        heads, labels: of the words parsed, labels as places in `label_table`.
    """

    plan: Plan
    model: str
    words: int
    chosen: str
    seconds: float | None
    heads: list[int]
    labels: list[int]
    label_table: list[str] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Whole or not at all."""
        with open_output(path) as out:
            out.write((json.dumps(asdict(self), separators=(",", ":")) + "\n").encode())


def read_result(path: Path, plan: Plan) -> Result | None:
    """The result in a file, None if there is none.

    Raises:
        Error: if the file holds something else.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        found = json.loads(text)
        result = Result(**{**found, "plan": Plan(**found["plan"])})
    except (ValueError, TypeError, KeyError) as error:
        raise Error(f"{path}: this is no result of a study ({error}): remove it, and it is made again") from error
    if result.plan != plan:
        raise Error(f"{path}: this is the result of something else: remove it, and it is made again")
    return result


@dataclass(frozen=True)
class Runs:
    """The parsers of one contender on one treebank: one per seed, or per seed and fold.

    Attributes:
        results: seed by seed, and fold by fold.
        comparisons: of the whole treebank that was parsed, one per seed.
        nonprojective: trees that are not projective of those there are to learn from, in per cent.

    The regime is how they learnt: two systems are compared where theirs are the same.
    """

    treebank: str
    language: str
    contender: str
    results: list[Result]
    comparisons: list[Comparison]
    nonprojective: float = 0.0

    @property
    def seeds(self) -> list[int]:
        return list(dict.fromkeys(result.plan.seed for result in self.results))

    @property
    def regime(self) -> tuple[str, str, str, int]:
        """The oracle, what labels are chosen by, the update of beams and the margin."""
        plan = self.results[0].plan
        return plan.oracle, plan.labels, plan.update, plan.margin

    def provenance(self) -> dict[str, Any]:
        """What a row says of where its figures come from."""
        plan = self.results[0].plan
        models = [result.model[:8] for result in self.results]
        return {
            "words": round(sum(result.words for result in self.results) / len(self.results)),
            "iterations": plan.iterations,
            "beam": plan.beam,
            "oracle": plan.oracle,
            "labels": plan.labels,
            "seed": " ".join(map(str, self.seeds)),
            "model": " ".join(models[:3]) + (f" and {len(models) - 3} more" if len(models) > 3 else ""),
        }


def comparison_of(gold: Treebank, results: list[Result]) -> Comparison:
    """Gold trees beside the parses of all folds, or of the one result there is."""
    heads = np.zeros(gold.n_words, np.int32)
    labels = np.zeros(gold.n_words, np.int32)
    table: dict[str, int] = {}
    for result in results:
        words = np.repeat(in_fold(len(gold), result.plan), np.diff(gold.offsets))
        if np.count_nonzero(words) != len(result.heads):
            raise Error(f"the result for {result.plan.treebank} has {len(result.heads)} words, the treebank others")
        heads[words] = result.heads
        ids = np.array([table.setdefault(label, len(table)) for label in result.label_table], np.int32)
        labels[words] = ids[np.asarray(result.labels, np.int32)]
    return compare(gold, gold.with_heads(heads, labels, list(table)))


def in_fold(n_sentences: int, plan: Plan) -> np.ndarray[Any, Any]:
    """Which sentences are parsed: every k-th, or all."""
    if not plan.folds:
        return np.ones(n_sentences, bool)
    return np.equal(np.arange(n_sentences) % plan.folds, plan.fold)
