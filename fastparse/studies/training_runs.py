"""Train and parse every contender on every treebank, or take up what is there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import fastparse
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error, ModelFormatError
from fastparse.learning.preparation import fingerprint
from fastparse.learning.progress import Interrupted
from fastparse.parser import Parser
from fastparse.studies import contenders
from fastparse.studies.contenders import Contender
from fastparse.studies.own_tags import with_predicted_tags
from fastparse.studies.results import Plan, Result, Runs, comparison_of, in_fold, read_result
from fastparse.studies.treebanks import Source, sources


@dataclass
class Campaign:
    """What is trained, how, and where it is kept.

    Attributes:
        contenders: what is compared.
        work: the folder of results, of models and of trainings under way.
        part: what is parsed, "dev" for dev.conllu.
        beam, iterations, seeds: of the trainings.
        oracle: of greedy trainings: "static", for every system, or "dynamic", for those that have one.
        labels: what labels are chosen by, "arcs" or "moves".
        tags: "gold", the treebank's, or "predicted", those of a tagger that has not learnt from the sentence.
        sample: train on the first sentences with this many words together; None is all.
        folds: parse the training treebank in so many parts, each with a parser trained on the others; 0 does not.
        models: a folder of models TREEBANK.SYSTEM.fp that need not be trained.
        train_missing: whether to train where there is neither a result nor a model.
        threads: to parse with.
        report: called with what happens.
        missing: what there is no result for, filled by `runs`.
        remarks: on models that could not be used, filled by `runs`.
        files: the model of each treebank and contender (the first seed's), filled by `runs`.
    """

    contenders: list[Contender]
    work: Path
    part: str = "dev"
    beam: int = 32
    iterations: int = 10
    seeds: tuple[int, ...] = (1,)
    sample: int | None = None
    folds: int = 0
    models: Path | None = None
    train_missing: bool = True
    threads: int = 1
    oracle: str = "static"
    labels: str = "arcs"
    tags: str = "gold"
    report: Callable[[str], object] = lambda text: None
    missing: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    files: dict[tuple[str, str], Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.folds == 1:
            raise Error("cross-validation needs at least two folds")
        if self.tags == "predicted" and self.models:
            raise Error("models that are there already were learnt from other tags: leave out --models or --tags")
        if self.folds and self.models:
            raise Error("models that are there already know nothing of folds: leave out one of the two options")
        if self.folds:
            self.part = "train"

    def runs(self, paths: list[Path]) -> list[Runs]:
        """Every contender on every treebank, in this order; what is missing is noted."""
        (self.work / "models").mkdir(parents=True, exist_ok=True)
        found = []
        for source in sources(paths, "train"):
            gold_source = source
            if self.part != "train":
                gold_source = Source(source.name, source.path.with_name(f"{self.part}.conllu"))
                if not gold_source.path.is_file():
                    raise Error(f"{source.path.parent} holds no {self.part}.conllu to parse; or ask for folds")
            bank = _sampled(source.read(), self.sample)
            gold = bank if self.folds else gold_source.read()
            if self.tags == "predicted":
                bank, gold = with_predicted_tags(source, bank, gold, self.work, self.report)
            hashes = fingerprint(bank)["sha256"], fingerprint(gold)["sha256"]
            for contender in self.contenders:
                results = list(self._results(source, contender, bank, gold, hashes))
                if results:
                    found.append(_runs(source, contender, gold, results, self.folds))
        return found

    def _results(
        self, source: Source, contender: Contender, bank: Treebank, gold: Treebank, hashes: tuple[str, str]
    ) -> Iterator[Result]:
        for seed in self.seeds:
            whole = []
            for fold in range(max(1, self.folds)):
                result = self._result(source, contender, bank, gold, hashes, seed, fold)
                if result is None:
                    self.missing.append(f"{source.name} {contender.name} seed {seed}")
                    break
                whole.append(result)
            else:
                yield from whole

    def _result(
        self, source: Source, contender: Contender, bank: Treebank, gold: Treebank, hashes: tuple[str, str],
        seed: int, fold: int,
    ) -> Result | None:  # fmt: skip
        parser = self._ready_made(source, contender, seed, hashes[0])
        plan = Plan(
            source.name, contender.name, seed, self.beam, self.iterations, self.part, self.sample, self.folds, fold,
            *hashes, contender.oracle_kind(self.oracle, self.beam), self.labels,
            model=parser.sha256 if parser else None,
        )  # fmt: skip
        path = self.work / plan.file_name(contender)
        made = self._model_path(plan, contender) if parser is None else Path(str(parser.path))
        self.files.setdefault((source.name, contender.name), made)
        if (result := read_result(path, plan)) is not None:
            self.report(f"{path.name} is there")
            return result
        parsed_here = gold.select(in_fold(len(gold), plan).nonzero()[0]) if self.folds else gold
        words, chosen, seconds = bank.n_words, "last", None
        if parser is not None:
            words, chosen = _record(parser, bank)
        elif self.train_missing:
            learnt = bank.select((~in_fold(len(bank), plan)).nonzero()[0]) if self.folds else bank
            words = learnt.n_words
            began = perf_counter()
            try:
                parser = self._trained(plan, contender, learnt)
            except Error as error:
                # The others can still be compared.
                self._remark(f"{source.name} {contender.name} cannot be trained: {str(error).rstrip('.')}")
                return None
            seconds = perf_counter() - began
        else:
            return None
        self.report(f"{source.name} {contender.name}: parsing {parsed_here.n_words:,} words")
        parsed = parser.parse(parsed_here, self.beam, self.threads)
        result = Result(
            plan, parser.sha256, words, chosen, seconds, parsed.heads.tolist(),
            np.asarray(parsed.deprel_ids).tolist(), list(parsed.deprel_table),
        )  # fmt: skip
        result.write(path)
        return result

    def _ready_made(self, source: Source, contender: Contender, seed: int, trained_on: str) -> Parser | None:
        """A model in the folder of models, if it is what is asked for and this version can use it."""
        if self.models is None:
            return None
        path = self.models / f"{source.name}.{contender.stem}.fp"
        if not path.exists():
            return None
        try:
            parser = fastparse.load(path)
        except ModelFormatError as error:
            self._remark(f"{path.name} cannot be used: {str(error).removeprefix(str(path)).strip(': .')}")
            return None
        asked = {
            "system": contender.system, "encoding": contender.encoding, "beam": self.beam,
            "iterations": self.iterations, "seed": seed, "treebank": trained_on,
            "learnt from": contender.oracle_kind(self.oracle, self.beam), "labels": self.labels,
            **({"oracle": contender.oracle} if contender.oracle else {}),
        }  # fmt: skip
        found = _training_of(parser)
        other = [f"{name} {found.get(name)}, not {value}" for name, value in asked.items() if found.get(name) != value]
        if other:
            self._remark(f"{path.name} is another model than asked for: {', '.join(other)}")
            return None
        return parser

    def _remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)
            self.report(text)

    def _model_path(self, plan: Plan, contender: Contender) -> Path:
        return self.work / "models" / f"{plan.file_name(contender).removesuffix('.json')}.fp"

    def _trained(self, plan: Plan, contender: Contender, bank: Treebank) -> Parser:
        model = self._model_path(plan, contender)
        checkpoint = model.with_suffix(".checkpoint")
        if model.exists():
            return fastparse.load(model)
        what = f"{plan.treebank} {contender.name} seed {plan.seed}"
        interrupted = False

        def show(event: Any) -> None:
            nonlocal interrupted
            interrupted = interrupted or isinstance(event, Interrupted)
            self.report(f"{what}: {event}")

        parser = fastparse.train(
            bank, contender.system, beam=plan.beam, iterations=plan.iterations, seed=plan.seed,
            pseudo_projective=contender.encoding, progress=show, system_options=contender.options,
            checkpoint=checkpoint, components=("parser",),
            oracle=plan.oracle, labels=plan.labels, max_bytes=None, held_out=0.0, encoder=None,
        )  # fmt: skip
        if interrupted:
            # What has been learnt so far is in the checkpoint; a result has to come from a whole training.
            raise KeyboardInterrupt
        parser.save(model)
        checkpoint.unlink(missing_ok=True)
        return parser


def _sampled(treebank: Treebank, words: int | None) -> Treebank:
    """The first sentences with at most so many words together, one at least."""
    if words is None or words >= treebank.n_words:
        return treebank
    return treebank[: max(1, int(np.searchsorted(treebank.offsets, words, side="right")) - 1)]


def _training_of(parser: Parser) -> dict[str, Any]:
    """How a model says it was trained."""
    info = parser.info
    training, options = info.get("training", {}), info.get("options", {})
    return {
        "system": parser.system,
        "encoding": info.get("encoding"),
        "beam": parser.beam,
        "iterations": training.get("iterations"),
        "seed": training.get("seed"),
        "treebank": info.get("treebank", {}).get("sha256"),
        "learnt from": contenders.contender(parser.system).oracle_kind(training.get("oracle", "dynamic"), parser.beam),
        "oracle": options.get("oracle"),
        "labels": training.get("labels", "arcs"),
    }


def _record(parser: Parser, bank: Treebank) -> tuple[int, str]:
    """Words the parser says it learnt from, and what its iteration was chosen by."""
    info = parser.info
    return info.get("treebank", {}).get("words", bank.n_words), "dev" if info.get("dev") else "last"


def _runs(source: Source, contender: Contender, gold: Treebank, results: list[Result], folds: int) -> Runs:
    size = max(1, folds)
    groups = [results[start : start + size] for start in range(0, len(results), size)]
    comparisons = [comparison_of(gold, group) for group in groups]
    return Runs(source.name, source.language, contender.name, results, comparisons)
