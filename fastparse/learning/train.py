"""train: from a treebank to a Parser."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import fastparse
from fastparse.annotate.annotator import Call
from fastparse.annotate.components import ENHANCER, LEMMATIZER, TAGGER, TOKENIZER, EnhancerPart, ParserPart
from fastparse.corpus.foreign.objects import columns_of
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.learning.checkpoint import Checkpoint
from fastparse.learning.components import (
    LEMMATIZER_ROUNDS,
    TOKENIZER_ROUNDS,
    chosen_components,
    learnt_components,
    size_of_tagger,
    teachers_of_tagger,
)
from fastparse.learning.development import Development, calibrated, parted
from fastparse.learning.graphs import ENHANCED_ROUNDS, GRAPH_SYSTEM, graph_system, has_graphs, learnt_enhancer
from fastparse.learning.linear import EasyFirstRecipe, PlainRecipe
from fastparse.learning.networks.outside import Outside, read_lexicon
from fastparse.learning.networks.plans import TEACHER, plan_for, tagger_plan
from fastparse.learning.networks.vectors import MOST_WORDS, read_vectors
from fastparse.learning.options import TrainingOptions, documented, with_defaults
from fastparse.learning.preparation import Account, fingerprint, warn_of
from fastparse.learning.progress import Message
from fastparse.learning.runs import learn, part_of_run
from fastparse.learning.steps import Cost, Interrupts, Training
from fastparse.learning.systems import system_to_train
from fastparse.learning.taggers import FOLDS_STEP, has_tags, part_of_fold, part_of_teacher, with_own_tags
from fastparse.learning.three_step import ThreeStepRecipe, part_of_pass
from fastparse.model.sections import PARSER
from fastparse.model.seen import record_of, record_of_text
from fastparse.progress import reporter
from fastparse.request import Request
from fastparse.search.kinds import PASSES, THREE_STEP, require_encodable
from fastparse.transition_systems.registry import ROWS, check_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from fastparse.annotate.annotator import Annotator
    from fastparse.learning.options import TrainingKeywords
    from fastparse.machine.system import System
    from fastparse.parser import Parser

__all__ = ["train"]

# The systems that are not learnt as the others are.
_RECIPES: dict[str, type[PlainRecipe]] = {"easy-first": EasyFirstRecipe, THREE_STEP: ThreeStepRecipe}


def train(
    treebank: Any,
    system: Any = TrainingOptions.system,
    dev: Any = TrainingOptions.dev,
    beam: int | None = TrainingOptions.beam,
    iterations: int | None = TrainingOptions.iterations,
    seed: int = TrainingOptions.seed,
    outside: str = TrainingOptions.outside,
    single_root: bool | str = TrainingOptions.single_root,
    pseudo_projective: str | None = TrainingOptions.pseudo_projective,
    templates: str | os.PathLike[str] | None = TrainingOptions.templates,
    threads: int = TrainingOptions.threads,
    progress: bool | Callable[[Any], object] | None = TrainingOptions.progress,
    **options: Unpack[TrainingKeywords],
) -> Parser:
    asked = with_defaults(
        {
            "system": system, "dev": dev, "beam": beam, "iterations": iterations, "seed": seed, "outside": outside,
            "single_root": single_root, "pseudo_projective": pseudo_projective,
            "templates": None if templates is None else os.fspath(templates), "threads": threads, "progress": progress,
            **options,
        }
    )  # fmt: skip
    report = reporter(progress) or (lambda event: None)
    with Interrupts() as interrupts:
        training = Training(report, interrupts=interrupts)
        try:
            return _Trained(treebank, asked, training).parser()
        except KeyboardInterrupt:
            report(training.interrupted())
            raise


train.__doc__ = f"""Learn a model from a treebank: a parser, and what comes before it in running text.

    Args:
        treebank: a Treebank, a path or a list of paths, or sentences as for `Parser.parse`.
{documented()}

    Returns:
        The best parser. Interrupted (Ctrl-C) while the parser is learnt, after its first round, the best so far.

    Raises:
        Error: if an option does not exist or is impossible, or there is nothing to learn from.
        KeyboardInterrupt: interrupted earlier; what there is by then is in the checkpoint alone.

    Warns:
        FastparseWarning: of treebanks that are hardly meant: `dev` is what is learnt from, or has no sentences; there
            are no tags; columns are filled in one of the two only.
    """


class _Trained:
    """One training, from what was asked for to a parser."""

    def __init__(self, treebank: Any, asked: TrainingOptions, training: Training) -> None:
        """Read the treebanks, settle what follows from them, and open the checkpoint."""
        self.training, self.threads = training, asked.threads
        asked, self.graphs = _apart(asked)
        name = asked.system if isinstance(asked.system, str) else asked.system.name
        self.bank = bank = _treebank(treebank)
        self.dev = None if asked.dev is None else _treebank(asked.dev)
        warn_of(bank, self.dev)
        self.outside = _outside(bank, asked)
        self.wanted = wanted = chosen_components(asked.components, bank)
        if self.graphs is not None:
            if PARSER not in wanted:
                raise Error("targets='enhanced': graphs are drawn beside trees, so components= needs the parser")
            if not has_graphs(bank):
                raise Error("targets='enhanced': the column DEPS of the treebank is empty: it has no graphs to learn")
        if asked.encoder is not None and PARSER in wanted:
            require_encodable(name)
        greedy = name in ROWS and not ROWS[name].beam and not ROWS[name].pipeline
        rounds = asked.rounds if asked.encoder is None else plan_for(
            bank.n_words, asked.encoder, bool(asked.teachers)
        ).rounds  # fmt: skip
        self.rounds_of_teachers = asked.iterations or plan_for(bank.n_words, TEACHER).rounds
        self.options = options = replace(
            asked, system=name, beam=1 if asked.beam is None and greedy else asked.beam_size,
            iterations=asked.iterations or rounds,
            tags=asked.tags if asked.tags is not None else "predicted" if TAGGER in wanted else "gold",
        )  # fmt: skip
        if PARSER in wanted:  # what cannot be trained is refused before anything is learnt
            self.chosen, self.why = system_to_train(asked.system, dict(options.system_options or {}), bank, options)
        self.record: dict[str, Any] = {
            "fastparse": fastparse.__version__,
            "training": options.to_dict(),
            "treebank": fingerprint(bank),
            "dev": None if self.dev is None else fingerprint(self.dev),
            "licence": options.licence,
            **({} if options.about is None else {"about": options.about}),
            **({} if options.language is None else {"language": options.language}),
            **self.outside.record,
        }
        described = ("system", "beam", "single_root", "pseudo_projective")
        asked_for: dict[str, Any] = {option: getattr(options, option) for option in described}
        asked_for |= {"components": list(wanted), "system_options": dict(options.system_options or {})}
        kept = {key: value for key, value in options.to_dict().items() if key != "iterations"}
        training.checkpoint = Checkpoint(options.checkpoint, {**self.record, "training": {**kept, **asked_for}})
        training.expect(self._costs())

    def parser(self) -> Parser:
        """Learn all of it."""
        others = learnt_components(self.wanted, self.bank, self.dev, self.options, self.training, self.outside)
        if PARSER not in self.wanted:
            return fastparse.Parser(others)
        return fastparse.Parser(self._with_graphs(self._with_parser(others)))

    def _with_graphs(self, parts: Annotator) -> Annotator:
        """The components and, if that is asked for, one that draws graphs."""
        if self.graphs is None:
            return parts
        enhancer, learnt = learnt_enhancer(self.bank, self.graphs, self.options, self.training)
        record = {"fastparse": fastparse.__version__, "treebank": fingerprint(self.bank), **learnt}
        if self.dev is not None and has_graphs(self.dev):
            found = self.dev.with_columns(deps=enhancer.deps(self.dev, self.threads))
            scores = fastparse.evaluate(self.dev, found)
            record["scores"] = {"elas": scores.elas, "eulas": scores.eulas}
            self.training.report(
                Message(f"graphs beside the trees of dev: ELAS {scores.elas:.2f} EULAS {scores.eulas:.2f}")
            )
        return parts.with_part(EnhancerPart(enhancer, record))

    def _with_parser(self, others: Annotator) -> Annotator:
        """The components before the parser, and the parser."""
        bank, options, training = self.bank, self.options, self.training
        chosen, account = self.chosen, Account(list(self.why))
        own = self._with_said_tags(others)
        learnt_from, held_out = bank if own is None else own, None
        if self.dev is None and options.encoder is None and options.beam_size > 1:
            learnt_from, held_out = parted(learnt_from, options.held_out, account)
        make, learnt_from = self._recipe(chosen, own, learnt_from)
        recipe = make(learnt_from, chosen, options, account)
        for note in account.notes:
            training.report(Message(note))
        development = None
        if self.dev is not None:
            said = own is not None and others.tagger is not None
            dev_own = Call(others, Request(retag=True))(self.dev, self.threads)[0] if said else None
            development = Development(self.dev, recipe, options.beam_size, self.threads, dev_own)
        if options.teachers:
            from fastparse.learning.encoder import learn_teachers

            own_options = replace(options, iterations=self.rounds_of_teachers)
            recipe.teachers = learn_teachers(
                lambda own: make(learnt_from, chosen, own, Account()), own_options, training
            )  # fmt: skip
        arrays, learnt = learn(recipe, options, development, training, self.threads)
        decoder, finished = recipe.finish(arrays, development, training)
        unseen = development if held_out is None else Development(held_out, recipe, options.beam_size, self.threads)
        searched = options.beam_size
        if options.encoder is not None:
            from fastparse.learning.encoder import beam_of

            searched = beam_of(options)
        if searched > 1 and unseen is not None:
            decoder = calibrated(decoder, unseen.searching(searched), training.report)
        record = {**self.record, "columns": record_of(learnt_from), "text": record_of_text(bank)}
        record["treebank"] = {**record["treebank"], **account.counts}
        if training.cut_short is not None:
            finished["cut_short"] = training.cut_short
        return others.with_part(ParserPart(decoder, {**record, **learnt, **finished}))

    def _recipe(
        self, chosen: System, own: Treebank | None, learnt_from: Treebank
    ) -> tuple[Callable[..., Any], Treebank]:
        """What makes the recipe, and the treebank that it is made of."""
        options, name = self.options, self.options.system
        if options.encoder is not None:
            from fastparse.learning.encoder import EncoderRecipe  # what weights of features do without

            make = partial(EncoderRecipe, threads=self.threads, own=own, outside=self.outside)
            return make, self.bank  # it learns from both
        kind = partial(_RECIPES.get(name if name == THREE_STEP else chosen.name, PlainRecipe), threads=self.threads)
        if name == THREE_STEP:
            return partial(kind, steps=check_options(name, dict(options.system_options or {}))), learnt_from
        return kind, learnt_from

    def _with_said_tags(self, others: Annotator) -> Treebank | None:
        """The treebank with the tags of taggers that have not seen the sentence, if the parser learns from these."""
        options, bank = self.options, self.bank
        if options.tags == "gold":
            return None
        if not has_tags(bank):
            raise Error("tags='predicted': the treebank has no tags for a tagger to learn: leave it out")
        said = with_own_tags(
            bank, options.folds, _size_of_folds(options), options.seed, self.threads, self.training, self.outside
        )
        if others.lemmatizer is not None:
            said = said.with_columns(lemma=others.lemmatizer.lemmatize(said))
        return said

    def _costs(self) -> list[Cost]:
        """What there is to learn, and how long it takes on one machine, which tells how long on another."""
        options, n = self.options, self.bank.n_words
        size, helpers, costs = size_of_tagger(options), teachers_of_tagger(options), []

        def tagger(words: int, size: str, taught: bool = False) -> float:
            return words * tagger_plan(words, size, taught).rounds * _SECONDS[f"tagger {size}"]

        if TOKENIZER in self.wanted:
            costs.append(Cost(TOKENIZER, "", n * TOKENIZER_ROUNDS * _SECONDS[TOKENIZER]))
        if TAGGER in self.wanted:
            costs += [Cost(TAGGER, part_of_teacher(k, helpers), tagger(n, TEACHER)) for k in range(helpers)]
            costs.append(Cost(TAGGER, "", tagger(n, size, bool(helpers)) * (1 + helpers)))
        if LEMMATIZER in self.wanted:
            costs.append(Cost(LEMMATIZER, "", n * LEMMATIZER_ROUNDS * _SECONDS[LEMMATIZER]))
        if PARSER not in self.wanted:
            return costs
        if options.tags == "predicted":
            rest = n - n // options.folds
            each = tagger(rest, _size_of_folds(options))
            costs += [Cost(FOLDS_STEP, part_of_fold(fold, options.folds), each) for fold in range(options.folds)]
        teacher = n * self.rounds_of_teachers * _SECONDS[f"parser {TEACHER}"]
        costs += [Cost(PARSER, part_of_teacher(k, options.teachers), teacher) for k in range(options.teachers)]
        if options.encoder is None:
            parser = n * options.rounds * options.beam_size * _SECONDS["parser linear"]
        else:
            parser = n * options.rounds * _SECONDS[f"parser {options.encoder}"] * (1 + options.teachers)
        runs = [part_of_run(run, options.runs) for run in range(options.runs)] if options.runs > 1 else [""]
        costs += [Cost(PARSER, run, parser) for run in runs]
        if self.graphs is not None:
            costs.append(Cost(ENHANCER, "", n * ENHANCED_ROUNDS * _SECONDS[ENHANCER]))
        if options.system == THREE_STEP:
            passes = [part_of_pass(side, run, options) for side in PASSES for run in range(options.runs)]
            costs += [Cost(*part, n * options.rounds * _SECONDS["parser linear"]) for part in passes]
        return costs


# A word and a round; sizes that are not here cost what "default" does.
_SECONDS = defaultdict(
    lambda: 1e-4,
    {
        TOKENIZER: 6e-6, LEMMATIZER: 1e-6, "tagger small": 3e-5, "tagger default": 6e-5, "parser small": 4e-5,
        "parser default": 1.1e-4, "parser linear": 3e-6, ENHANCER: 1.5e-4,
    },
)  # fmt: skip


def _apart(asked: TrainingOptions) -> tuple[TrainingOptions, System | None]:
    """The options of what draws trees, and the system that draws graphs; None if none are asked for.

    Raises:
        Error: for systems that do not train, and systems of graphs without targets="enhanced".
    """
    name = asked.system if isinstance(asked.system, str) else asked.system.name
    if name not in ROWS or not ROWS[name].graphs:
        return asked, None if asked.targets == "tree" else graph_system(GRAPH_SYSTEM, {})
    if asked.targets == "tree":
        raise Error(f"{name!r} builds graphs, which are learnt besides trees: say targets='enhanced'")
    system = graph_system(name, dict(asked.system_options or {}))
    return replace(asked, system=TrainingOptions.system, system_options=None), system


def _size_of_folds(options: TrainingOptions) -> str:
    """Of the taggers that say what the parser learns from.

    What has had teachers tags about as well as the larger one that has not, and never sees all of a treebank.
    """
    return TEACHER if options.teachers else size_of_tagger(options)


def _outside(bank: Treebank, asked: TrainingOptions) -> Outside:
    """What files say of words, for this treebank."""
    most, vectors = asked.vector_words, None
    if asked.vectors is not None:
        vectors = read_vectors(asked.vectors, bank.table("form"), MOST_WORDS if most is None else most)
    elif most is not None:
        raise Error(f"vector_words={most!r} is of vectors: name their file")
    return Outside(vectors, None if asked.lexicon is None else read_lexicon(asked.lexicon))


def _treebank(given: Any) -> Treebank:
    if isinstance(given, Treebank):
        return given
    if isinstance(given, (str, os.PathLike, bytes)) or (
        isinstance(given, (list, tuple)) and given and all(isinstance(item, (str, os.PathLike)) for item in given)
    ):
        return read_conllu(given)
    if isinstance(given, Iterable):
        return columns_of(given)
    raise Error(f"expected a treebank, a path or sentences, found {given!r:.80}")
