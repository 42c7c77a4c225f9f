"""Learning what comes before the parser: the tokenizer, the tagger and the lemmatizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import fastparse
from fastparse.annotate.annotator import Annotator
from fastparse.annotate.components import COMPONENTS, ENHANCER, LEMMATIZER, TAGGER, TOKENIZER
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.surface import surface
from fastparse.corpus.treebank import Treebank
from fastparse.encoder.tagger import Tagger
from fastparse.errors import Error, UnknownNameError
from fastparse.learning.course import Course
from fastparse.learning.networks.outside import Outside
from fastparse.learning.networks.plans import TEACHER
from fastparse.learning.preparation import fingerprint
from fastparse.learning.progress import ComponentDone, Message
from fastparse.learning.taggers import has_tags, learn_tagger, shares_of_right_tags
from fastparse.lemmas.lemmatizer import Lemmatizer
from fastparse.model.sections import PARSER, Section
from fastparse.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.steps import Training

__all__ = [
    "LEMMATIZER_ROUNDS", "TOKENIZER_ROUNDS", "chosen_components", "learnt_components", "size_of_tagger",
    "teachers_of_tagger",
]  # fmt: skip

T = TypeVar("T")

TOKENIZER_ROUNDS, LEMMATIZER_ROUNDS = 10, 8
_ENOUGH_FOR_TAGGER = 1000  # words; what is learnt from fewer is right by chance


def chosen_components(wanted: Sequence[str] | None, treebank: Treebank) -> tuple[str, ...]:
    """The components to learn, in the order in which they work.

    Args:
        wanted: names; None for all the treebank has data for.

    Raises:
        Error: if there are none.
        UnknownNameError: for a name that is no component's.
    """
    if wanted is None:
        has = {
            TOKENIZER: _has_spacing(treebank),
            TAGGER: treebank.n_words >= _ENOUGH_FOR_TAGGER and has_tags(treebank),
            LEMMATIZER: _has_lemmas(treebank),
            PARSER: True,
        }
        return tuple(name for name in COMPONENTS if has.get(name))
    if isinstance(wanted, str):
        raise Error(f"components={wanted!r}: expected a tuple of names, for example ({wanted!r},)")
    unknown = [name for name in wanted if name not in COMPONENTS]
    if unknown:
        raise UnknownNameError(f"components: {unknown[0]!r} is unknown: expected {', '.join(map(repr, COMPONENTS))}")
    if ENHANCER in wanted:
        raise Error(f"components: an {ENHANCER} is learnt besides these with targets='enhanced'")
    if not wanted:
        raise Error(f"components={wanted!r}: there is nothing to learn. Name one of {', '.join(COMPONENTS)}.")
    return tuple(name for name in COMPONENTS if name in wanted)


def learnt_components(
    wanted: Sequence[str], treebank: Treebank, dev: Treebank | None, options: TrainingOptions, training: Training,
    outside: Outside = Outside(),  # noqa: B008 -- it never changes
) -> Annotator:  # fmt: skip
    """Those of the wanted components that are no parser.

    Raises:
        Error: if a tagger is wanted of a treebank without tags.
    """
    if TAGGER in wanted and not has_tags(treebank):
        raise Error("components: a tagger learns UPOS, XPOS and FEATS, and the treebank has none of them: leave it out")
    report, seed = training.report, options.seed
    record = {
        "fastparse": fastparse.__version__,
        "seed": seed,
        "treebank": fingerprint(treebank),
        "dev": None if dev is None else fingerprint(dev),
        "licence": options.licence,
        **({} if options.about is None else {"about": options.about}),
        **({} if options.language is None else {"language": options.language}),
        **outside.record,
    }
    found: dict[str, Section] = {}

    def learn(
        name: str, learnt: Callable[[], T], section: Callable[[T], Section],
        scored: Callable[[T, Treebank], dict[str, float]], **more: Any,
    ) -> None:  # fmt: skip
        if (kept := training.checkpoint.get(name)) is not None and "record" in kept.header:
            found[name] = Section(*kept)
            report(Message(f"{name}: whole in the checkpoint"))
            return
        begun = perf_counter()
        component = learnt()
        seconds = perf_counter() - begun
        scores = {} if dev is None else scored(component, dev)
        header, arrays = section(component)
        found[name] = Section({**header, "record": {**record, **more, "scores": scores}}, arrays)
        training.checkpoint.put(name, *found[name], instead_of=name)
        report(ComponentDone(name, seconds, scores))

    def learn_tokenizer() -> Tokenizer:
        from fastparse.text.learning import EngineLearner

        place = training.begin(TOKENIZER)
        if not _has_spacing(treebank):
            report(Message("no token of the treebank has SpaceAfter=No: the tokenizer learns to split at spaces alone"))
        learner = EngineLearner(list(surface(treebank.to_bytes())), TOKENIZER_ROUNDS, seed)
        Course(learner, TOKENIZER_ROUNDS, training, place).run()
        return Tokenizer(learner.engine())

    def learn_lemmatizer() -> Lemmatizer:
        from fastparse.lemmas.training import LemmaLearner

        place = training.begin(LEMMATIZER)
        learner = LemmaLearner(treebank, seed)
        Course(learner, LEMMATIZER_ROUNDS, training, place).run()
        return learner.lemmatizer()

    if TOKENIZER in wanted:
        learn(TOKENIZER, learn_tokenizer, lambda made: Section({}, made.to_arrays()), _tokenizer_scores)
    if TAGGER in wanted:
        size, helpers = size_of_tagger(options), teachers_of_tagger(options)
        learn(
            TAGGER,
            lambda: learn_tagger(
                treebank, size, seed, options.threads, training, outside=outside, teachers=helpers
            ),
            lambda made: Section(made.header(), made.arrays()), _tagger_scores, encoder=size,
            **({"teachers": helpers} if helpers else {}),
        )  # fmt: skip
    if LEMMATIZER in wanted:
        learn(LEMMATIZER, learn_lemmatizer, lambda made: Section({}, made.to_arrays()), _lemmatizer_scores)
    if not found:
        return Annotator()
    with training.checkpoint.usable():
        return Annotator.from_sections(found)


def size_of_tagger(options: TrainingOptions) -> str:
    """The size of the encoder that says tags."""
    return options.encoder or "small"


def teachers_of_tagger(options: TrainingOptions) -> int:
    """How many it has: smaller ones gain nothing by them."""
    return options.teachers if size_of_tagger(options) == TEACHER else 0


def _tokenizer_scores(tokenizer: Tokenizer, dev: Treebank) -> dict[str, float]:
    """F1 on the running text of a treebank."""
    found = fastparse.evaluate(dev, read_conllu(tokenizer.tokenize(dev.to_text()), format="conllu"))
    return {"tokens": found.tokens, "sentences": found.sentences, "words": found.word_f1}


def _tagger_scores(tagger: Tagger, dev: Treebank) -> dict[str, float]:
    """The share of words whose tags are right, by column and in all columns."""
    return shares_of_right_tags(dev, tagger.tag(dev))


def _lemmatizer_scores(lemmatizer: Lemmatizer, dev: Treebank) -> dict[str, float]:
    """The share of right lemmas, given the tags of a treebank; empty if it has no lemmas."""
    if not _has_lemmas(dev):
        return {}
    return {"lemmas": fastparse.evaluate(dev, dev.with_columns(lemma=lemmatizer.lemmatize(dev))).lemmas}


def _has_spacing(treebank: Treebank) -> bool:
    return b"SpaceAfter=No" in treebank.to_bytes()


def _has_lemmas(treebank: Treebank) -> bool:
    table = treebank.table("lemma")
    return any(table[i] not in ("_", "") for i in set(treebank.ids("lemma").tolist()))
