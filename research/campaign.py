"""Train and parse every contender on every treebank, or take up what is there."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import fastparse
from fastparse.corpus.files.output import write_output
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error, ModelFormatError
from fastparse.learning.preparation import fingerprint
from fastparse.learning.steps import Training as Steps
from fastparse.learning.taggers import learn_tagger, with_own_tags
from fastparse.parser import Parser
from fastparse.studies.accuracy import Contender, Training, contender, learnt, treebank_beside
from fastparse.studies.treebanks import Source, sources
from fastparse.trees import nonprojective_arcs_treebank
from research.results import Plan, Result, Runs, comparison_of, in_fold, read_result

TAG_FOLDS = 2
_TAGGER = "small"


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
        update, margin: of the trainings.
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
    update: str = "max-violation"
    margin: int = 5
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
                gold_source = treebank_beside(source, self.part)
            bank = _sampled(source.read(), self.sample)
            gold = bank if self.folds else gold_source.read()
            if self.tags == "predicted":
                bank, gold = with_predicted_tags(source, bank, gold, self.work, self.report)
            hashes = fingerprint(bank)["sha256"], fingerprint(gold)["sha256"]
            share = _nonprojective(bank)
            for one in self.contenders:
                results = list(self._results(source, one, bank, gold, hashes))
                if results:
                    found.append(_runs(source, one, gold, results, self.folds, share))
        return found

    def _results(
        self, source: Source, one: Contender, bank: Treebank, gold: Treebank, hashes: tuple[str, str]
    ) -> Iterator[Result]:
        for seed in self.seeds:
            whole = []
            for fold in range(max(1, self.folds)):
                result = self._result(source, one, bank, gold, hashes, seed, fold)
                if result is None:
                    self.missing.append(f"{source.name} {one.name} seed {seed}")
                    break
                whole.append(result)
            else:
                yield from whole

    def _result(
        self, source: Source, one: Contender, bank: Treebank, gold: Treebank, hashes: tuple[str, str],
        seed: int, fold: int,
    ) -> Result | None:  # fmt: skip
        parser = self._ready_made(source, one, seed, hashes[0])
        plan = Plan(
            source.name, one.name, seed, self.beam, self.iterations, self.part, self.sample, self.folds, fold,
            *hashes, one.oracle_kind(self.oracle, self.beam), self.labels, self.update, self.margin,
            model=parser.sha256 if parser else None,
        )  # fmt: skip
        path = self.work / plan.file_name(one)
        made = self._model_path(plan, one) if parser is None else Path(str(parser.path))
        self.files.setdefault((source.name, one.name), made)
        if (result := read_result(path, plan)) is not None:
            self.report(f"{path.name} is there")
            return result
        parsed_here = gold.select(in_fold(len(gold), plan).nonzero()[0]) if self.folds else gold
        words, chosen, seconds = bank.n_words, "last", None
        if parser is not None:
            words, chosen = _record(parser, bank)
        elif self.train_missing:
            rest = bank.select((~in_fold(len(bank), plan)).nonzero()[0]) if self.folds else bank
            words = rest.n_words
            began = perf_counter()
            try:
                parser = self._trained(plan, one, rest)
            except Error as error:
                # The others can still be compared.
                self._remark(f"{source.name} {one.name} cannot be trained: {str(error).rstrip('.')}")
                return None
            seconds = perf_counter() - began
        else:
            return None
        self.report(f"{source.name} {one.name}: parsing {parsed_here.n_words:,} words")
        parsed = parser.parse(parsed_here, self.beam, self.threads)
        result = Result(
            plan, parser.sha256, words, chosen, seconds, parsed.heads.tolist(),
            np.asarray(parsed.deprel_ids).tolist(), list(parsed.deprel_table),
        )  # fmt: skip
        result.write(path)
        return result

    def _ready_made(self, source: Source, one: Contender, seed: int, trained_on: str) -> Parser | None:
        """A model in the folder of models, if it is what is asked for and this version can use it."""
        if self.models is None:
            return None
        path = self.models / f"{source.name}.{one.stem}.fp"
        if not path.exists():
            return None
        try:
            parser = fastparse.load(path)
        except ModelFormatError as error:
            self._remark(f"{path.name} cannot be used: {str(error).removeprefix(str(path)).strip(': .')}")
            return None
        asked = {
            "system": one.system, "encoding": one.encoding, "beam": self.beam,
            "iterations": self.iterations, "seed": seed, "treebank": trained_on,
            "learnt from": one.oracle_kind(self.oracle, self.beam), "labels": self.labels,
            "update": self.update, "margin": self.margin,
            **({"oracle": one.oracle} if one.oracle else {}),
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

    def _model_path(self, plan: Plan, one: Contender) -> Path:
        return self.work / "models" / f"{plan.file_name(one).removesuffix('.json')}.fp"

    def _trained(self, plan: Plan, one: Contender, bank: Treebank) -> Parser:
        training = Training(
            plan.beam, plan.iterations, plan.seed, plan.oracle, plan.labels, plan.update, plan.margin
        )  # fmt: skip
        name = f"{plan.treebank} {one.name} seed {plan.seed}"
        return learnt(bank, one, training, self._model_path(plan, one), name, self.report)


def _sampled(treebank: Treebank, words: int | None) -> Treebank:
    """The first sentences with at most so many words together, one at least."""
    if words is None or words >= treebank.n_words:
        return treebank
    return treebank[: max(1, int(np.searchsorted(treebank.offsets, words, side="right")) - 1)]


def _nonprojective(bank: Treebank) -> float:
    """Trees with a non-projective arc, in per cent."""
    arcs = nonprojective_arcs_treebank(bank.heads, bank.offsets)
    return 100 * float(np.mean(np.add.reduceat(arcs, bank.offsets[:-1]) > 0))


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
        "learnt from": contender(parser.system).oracle_kind(training.get("oracle", "dynamic"), parser.beam),
        "oracle": options.get("oracle"),
        "labels": training.get("labels", "arcs"),
        "update": training.get("update", "max-violation"),
        "margin": training.get("margin", 5),
    }


def _record(parser: Parser, bank: Treebank) -> tuple[int, str]:
    """Words the parser says it learnt from, and what its iteration was chosen by."""
    info = parser.info
    return info.get("treebank", {}).get("words", bank.n_words), "dev" if info.get("dev") else "last"


def _runs(
    source: Source, one: Contender, gold: Treebank, results: list[Result], folds: int, nonprojective: float
) -> Runs:
    size = max(1, folds)
    groups = [results[start : start + size] for start in range(0, len(results), size)]
    comparisons = [comparison_of(gold, group) for group in groups]
    return Runs(source.name, source.language, one.name, results, comparisons, nonprojective)


def with_predicted_tags(
    source: Source, bank: Treebank, gold: Treebank, work: Path, report: Callable[[str], object]
) -> tuple[Treebank, Treebank]:
    """Both treebanks with tags as a tagger says them that has not learnt from the sentence; lemmas are taken out.

    The treebank to learn from is tagged in TAG_FOLDS parts, the other one by a tagger of the whole first one. Both are
    kept as files in `work`, and read from there the next time.

    Args:
        source: names the treebank.
        bank: what parsers learn from.
        gold: what they parse; the same object in cross-validation.
    """
    asked = f"{fastparse.__version__} {fingerprint(bank)['sha256']} {TAG_FOLDS} {_TAGGER}"
    own = _kept(
        work / f"{source.name}.learnt.{_key(asked)}.conllu",
        lambda: _without_lemmas(with_own_tags(bank, TAG_FOLDS, _TAGGER, training=Steps(_told(source, report)))),
    )
    if gold is bank:
        return own, own

    def tagged() -> Treebank:
        tagger = learn_tagger(bank, _TAGGER, training=Steps(_told(source, report)))
        return _without_lemmas(gold.with_columns(**tagger.tag(gold)))

    return own, _kept(work / f"{source.name}.parsed.{_key(asked, fingerprint(gold)['sha256'])}.conllu", tagged)


def _kept(path: Path, make: Callable[[], Treebank]) -> Treebank:
    if not path.exists():
        write_output(path, make().to_bytes())
    return read_conllu(path)


def _key(*parts: str) -> str:
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:10]


def _without_lemmas(treebank: Treebank) -> Treebank:
    return treebank.with_columns(lemma=(np.full(treebank.n_words, -1, np.int32), []))


def _told(source: Source, report: Callable[[str], object]) -> Callable[[Any], object]:
    return lambda event: report(f"{source.name} {event}")
