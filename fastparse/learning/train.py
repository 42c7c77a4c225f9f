"""train: from a treebank to a Parser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import fastparse
from fastparse.annotate.annotator import Call
from fastparse.annotate.components import TAGGER, ParserPart
from fastparse.corpus.foreign.objects import columns_of
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.learning.components import chosen_components, learnt_components
from fastparse.learning.development import Development
from fastparse.learning.fingerprint import fingerprint
from fastparse.learning.networks.presets import ENCODER_BEAM, plan_for, shape_for
from fastparse.learning.networks.vectors import MOST_WORDS, read_vectors
from fastparse.learning.options import FOLDS, TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.learning.progress import Message
from fastparse.learning.recipes.easy_first import EasyFirstRecipe
from fastparse.learning.recipes.plain import PlainRecipe
from fastparse.learning.recipes.three_step import ThreeStepRecipe
from fastparse.learning.runs import learn
from fastparse.learning.systems import system_to_train
from fastparse.learning.taggers import has_tags, with_own_tags
from fastparse.learning.teachers import TEACHER, learn_teachers
from fastparse.learning.threshold import calibrated, parted
from fastparse.learning.warning import warn_of
from fastparse.model.sections import PARSER
from fastparse.model.seen import record_of
from fastparse.progress import reporter
from fastparse.request import Request
from fastparse.search.kinds import THREE_STEP, require_encodable
from fastparse.transition_systems.registry import check_options

if TYPE_CHECKING:
    from fastparse.annotate.annotator import Annotator
    from fastparse.learning.networks.vectors import Vectors
    from fastparse.parser import Parser

__all__ = ["train"]

# The systems that are not learnt as the others are.
_RECIPES: dict[str, type[PlainRecipe]] = {"easy-first": EasyFirstRecipe, THREE_STEP: ThreeStepRecipe}
# Options that the description holds in the form they took.
_DESCRIBED = ("system", "beam", "single_root", "pseudo_projective")


def train(
    treebank: Any,
    system: Any = "two-registers",
    dev: Any = None,
    beam: int | None = None,
    iterations: int | None = None,
    seed: int = 1,
    outside: str = "lift",
    single_root: bool | str = "auto",
    pseudo_projective: str | None = None,
    templates: str | os.PathLike[str] | None = None,
    threads: int = 1,
    progress: bool | Callable[[Any], object] | None = None,
    *,
    components: Sequence[str] | None = None,
    system_options: dict[str, Any] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    licence: str | None = None,
    about: str | None = None,
    encoder: str | None = None,
    tags: str | None = None,
    folds: int = FOLDS,
    vectors: str | os.PathLike[str] | None = None,
    vector_words: int | None = None,
    teachers: int = 0,
    **tuning: Any,
) -> Parser:
    """Learn a model from a treebank: a parser, and what comes before it in running text.

    Args:
        treebank: a Treebank, a path or a list of paths, or sentences as for `Parser.parse`.
        system: a name, a composed system, or "auto": two-registers if it covers at least 95% of the trees, else the
            system that covers most.
        dev: a treebank to choose the best iteration by (its labelled attachment score over every word with full
            labels; if it learns from predicted tags, the mean of that with given and with predicted ones); without one
            the last iteration is taken.
        beam: the states kept while learning, and by default while parsing; 1 learns a greedy parser. None is 32; with
            an encoder it is that of parsing alone, by default 4; `learnt_beam` tells that of learning.
        iterations: passes over the treebank; None is 10, with an encoder 12 to 50: more for small treebanks, and half
            as many again for the small size with teachers.
        seed: of the order of sentences. The same seed gives the same model, byte for byte.
        outside: what becomes of trees the system cannot build: "lift" their arcs until it can, "skip" or "stop".
        single_root: give each sentence one root; "auto": if at least 99% of the training trees have one.
        pseudo_projective: encode lifted arcs in labels: "head", "path" or "head+path".
        templates: the name of a set of feature templates or the path of a file; None: the set for the system.
        threads: for parsing `dev` and for learning: with a beam, several runs, or an encoder (two of them). They change
            no byte.
        progress: called with each report; `print` will do. True shows a bar of tqdm after two seconds.
        components: what to learn: "tokenizer", "tagger", "lemmatizer", "parser"; None is all the treebank has data
            for: a tokenizer if it tells where there are no spaces (SpaceAfter=No), a tagger if it has tags and 1,000
            words, a lemmatizer if it has lemmas, a parser. Most of the other options are about the parser.
        system_options: options of the system, such as {"oracle": "eager"} for swap.
        checkpoint: a file that is brought up to date after each iteration; a training that finds it goes on from there.
        licence: kept in the model: what may be done with it, and whom to name.
        about: the same: what it is a model of, such as "English, UD English EWT 2.16".
        encoder: learn a neural encoder of this size, "default" or "small", instead of weights of features: more
            accurate, and slower to learn. Easy-first and three-step have none. The tagger, always an encoder, is of
            this size too; without one it is small.
        tags: what the parser learns from: "gold", the tags of the treebank; "predicted", those that a tagger says
            which has not learnt from the sentence (an encoder learns from both). None is "predicted" if a tagger is
            learnt, else "gold".
        folds: parts of the treebank, each tagged for the parser by a tagger that has learnt from the others.
        vectors: a file of word vectors in the text format of word2vec or GloVe, plain or compressed, which an encoder
            and its tagger read besides what they learn of forms. They become a part of the model, about 230 bytes
            a word.
        vector_words: how many words of the file to take, from its beginning, besides those of the treebank; None is
            50,000.
        teachers: with an encoder: so many networks of the default size are learnt first, with other seeds, and the
            tagger and the parser learn what they hold probable besides what the treebank says: more accurate, and as
            many times longer to learn, at the same speed afterwards.
        tuning: runs, update, oracle, labels, minibatch, held_out, explore, learnt_beam, margin, scale, least_weight,
            max_bytes; see `TrainingOptions`.

    Returns:
        The best parser. Interrupted (Ctrl-C) after the first iteration, the best so far.

    Raises:
        Error: if an option is impossible or there is nothing to learn from.

    Warns:
        FastparseWarning: of treebanks that are hardly meant: `dev` is what is learnt from, or has no sentences; there
            are no tags; columns are filled in one of the two only.
    """
    name = system if isinstance(system, str) else system.name
    bank, dev_bank = _treebank(treebank), None if dev is None else _treebank(dev)
    warn_of(bank, dev_bank)
    if encoder is not None:
        shape_for(encoder)  # an unknown one is refused before anything is read
    given = _vectors(bank, vectors, vector_words, encoder)
    wanted = chosen_components(components, bank)
    if encoder is not None and PARSER in wanted:
        require_encodable(name)
    beam = beam if beam is not None else 32 if encoder is None else ENCODER_BEAM
    rounds_of_teachers = iterations or plan_for(bank.n_words, TEACHER).rounds
    if iterations is None:
        iterations = 10 if encoder is None else plan_for(bank.n_words, encoder, bool(teachers)).rounds
    options = TrainingOptions(
        system=name, beam=beam, iterations=iterations, seed=seed, outside=outside, single_root=single_root,
        pseudo_projective=pseudo_projective, templates=None if templates is None else os.fspath(templates),
        encoder=encoder, tags=tags if tags is not None else "predicted" if TAGGER in wanted else "gold", folds=folds,
        teachers=teachers, **tuning,
    )  # fmt: skip
    report = reporter(progress) or (lambda event: None)
    others = learnt_components(
        wanted, bank, dev_bank, licence, seed, report, encoder, threads, about, given, options.teachers
    )
    if PARSER not in wanted:
        return fastparse.Parser(others)
    chosen, why = system_to_train(system, system_options or {}, bank, options)
    account = Account(list(why))
    own = _with_said_tags(bank, others, options, threads, report, given)
    learnt_from, held_out = bank if own is None else own, None
    if dev_bank is None and encoder is None and beam > 1:
        learnt_from, held_out = parted(learnt_from, options.held_out, account)
    with_tables = _RECIPES.get(name if name == THREE_STEP else chosen.name, PlainRecipe)
    kind: Callable[..., Any] = partial(with_tables, threads=threads)
    if name == THREE_STEP:
        kind = partial(kind, steps=check_options(name, system_options or {}))
    if encoder is not None:
        from fastparse.learning.recipes.encoder import EncoderRecipe, beam_of

        kind, learnt_from = partial(EncoderRecipe, threads=threads, own=own, vectors=given), bank  # it learns from both
    recipe = kind(learnt_from, chosen, options, account)
    for note in account.notes:
        report(Message(note))
    record: dict[str, Any] = {
        "fastparse": fastparse.__version__,
        "training": _kept(options),
        "treebank": {**fingerprint(bank), **account.counts},
        "columns": record_of(learnt_from),
        "dev": None if dev_bank is None else fingerprint(dev_bank),
        "licence": licence,
        **({} if about is None else {"about": about}),
        **({} if given is None else {"vectors": given.record}),
    }
    development = None
    if dev_bank is not None:
        said = own is not None and others.tagger is not None
        dev_own = Call(others, Request(retag=True)).passage(dev_bank, threads).treebank if said else None
        development = Development(dev_bank, recipe, beam, threads, dev_own)

    def identity(recipe: Any, options: TrainingOptions) -> dict[str, Any]:
        return {**record, "training": _kept(options), "description": recipe.kind.description.to_dict()}

    if options.teachers:
        recipe.teachers = learn_teachers(
            lambda own: kind(learnt_from, chosen, own, Account()),
            replace(options, iterations=rounds_of_teachers),
            checkpoint,
            identity,
            report,
        )
    arrays, learnt = learn(recipe, options, development, checkpoint, identity(recipe, options), report, threads)
    decoder, finished = recipe.finish(arrays, development, report)
    unseen = development if held_out is None else Development(held_out, recipe, beam, threads)
    searched = beam if encoder is None else beam_of(options)
    if searched > 1 and unseen is not None:
        decoder = calibrated(decoder, unseen.searching(searched), report)
    return fastparse.Parser(others.with_part(ParserPart(decoder, {**record, **learnt, **finished})))


def _kept(options: TrainingOptions) -> dict[str, Any]:
    return {key: value for key, value in options.to_dict().items() if key not in _DESCRIBED}


def _with_said_tags(
    bank: Treebank, others: Annotator, options: TrainingOptions, threads: int, report: Callable[[Any], object],
    vectors: Vectors | None,
) -> Treebank | None:  # fmt: skip
    """The treebank with the tags of taggers that have not seen the sentence, if the parser learns from these."""
    if options.tags == "gold":
        return None
    if not has_tags(bank):
        raise Error("tags='predicted': the treebank has no tags for a tagger to learn: leave it out")
    # What has had teachers tags about as well as the larger one that has not, and never sees all of a treebank.
    size = TEACHER if options.teachers else options.encoder or "small"
    said = with_own_tags(bank, options.folds, size, options.seed, threads, report, vectors)
    if others.lemmatizer is not None:
        said = said.with_columns(lemma=others.lemmatizer.lemmatize(said))
    return said


def _vectors(bank: Treebank, path: Any, most: int | None, encoder: str | None) -> Vectors | None:
    """Those of a file, for this treebank."""
    if path is None:
        if most is not None:
            raise Error(f"vector_words={most!r} is of vectors: name their file")
        return None
    if encoder is None:
        raise Error("vectors are read by encoders alone: say encoder='default' or 'small'")
    if most is not None and (type(most) is not int or most < 0):
        raise Error(f"vector_words={most!r}: expected a number from 0")
    return read_vectors(path, bank.table("form"), MOST_WORDS if most is None else most)


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
