"""Learning what comes before the parser: the tokenizer, the tagger and the lemmatizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import fastparse
from fastparse.annotate.annotator import Annotator
from fastparse.annotate.components import COMPONENTS, LEMMATIZER, TAGGER, TOKENIZER
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.encoder.tagger import Tagger
from fastparse.errors import Error, UnknownNameError
from fastparse.learning.fingerprint import fingerprint
from fastparse.learning.progress import ComponentDone, Message
from fastparse.learning.taggers import has_tags, learn_tagger, shares_of_right_tags
from fastparse.learning.teachers import TEACHER
from fastparse.lemmas import training as lemma_training
from fastparse.lemmas.lemmatizer import Lemmatizer
from fastparse.model.sections import PARSER
from fastparse.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from fastparse.learning.networks.vectors import Vectors

__all__ = ["chosen_components", "learnt_components"]

T = TypeVar("T")

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
        return tuple(name for name in COMPONENTS if has[name])
    if isinstance(wanted, str):
        raise Error(f"components={wanted!r}: expected a tuple of names, for example ({wanted!r},)")
    unknown = [name for name in wanted if name not in COMPONENTS]
    if unknown:
        raise UnknownNameError(f"components: {unknown[0]!r} is unknown: expected {', '.join(map(repr, COMPONENTS))}")
    if not wanted:
        raise Error(f"components={wanted!r}: there is nothing to learn. Name one of {', '.join(COMPONENTS)}.")
    return tuple(name for name in COMPONENTS if name in wanted)


def learnt_components(
    wanted: Sequence[str], treebank: Treebank, dev: Treebank | None, licence: str | None, seed: int,
    report: Callable[[Any], object], encoder: str | None = None, threads: int = 1, about: str | None = None,
    vectors: Vectors | None = None, teachers: int = 0,
) -> Annotator:  # fmt: skip
    """Those of the wanted components that are no parser.

    Args:
        encoder: the size of the tagger; None: the small one.
        threads: they change no byte.
        about: what the model is of, if that is said.
        vectors: of words, that the tagger reads besides.
        teachers: of the tagger.

    Raises:
        Error: if a tagger is wanted of a treebank without tags.
    """
    record = {
        "fastparse": fastparse.__version__,
        "seed": seed,
        "treebank": fingerprint(treebank),
        "dev": None if dev is None else fingerprint(dev),
        "licence": licence,
        **({} if about is None else {"about": about}),
        **({} if vectors is None else {"vectors": vectors.record}),
    }
    records: dict[str, dict[str, Any]] = {}

    def learnt(name: str, learn: Callable[[], T], scored: Callable[[T, Treebank], dict[str, float]], **more: Any) -> T:
        begun = perf_counter()
        component = learn()
        seconds = perf_counter() - begun
        scores = {} if dev is None else scored(component, dev)
        records[name] = {**record, **more, "scores": scores}
        report(ComponentDone(name, seconds, scores))
        return component

    tokenizer, tagger, lemmatizer = None, None, None
    if TAGGER in wanted and not has_tags(treebank):
        raise Error("components: a tagger learns UPOS, XPOS and FEATS, and the treebank has none of them: leave it out")
    if TOKENIZER in wanted:
        if not _has_spacing(treebank):
            report(Message("no token of the treebank has SpaceAfter=No: the tokenizer learns to split at spaces alone"))
        tokenizer = learnt(TOKENIZER, lambda: Tokenizer.train(treebank, seed=seed), _tokenizer_scores)
    if TAGGER in wanted:
        size = encoder or "small"
        helpers = teachers if size == TEACHER else 0  # smaller taggers gain nothing by them
        tagger = learnt(
            TAGGER, lambda: learn_tagger(treebank, size, seed, threads, report, vectors=vectors, teachers=helpers),
            _tagger_scores, encoder=size, **({"teachers": helpers} if helpers else {}),
        )  # fmt: skip
    if LEMMATIZER in wanted:
        lemmatizer = learnt(LEMMATIZER, lambda: lemma_training.train(treebank, seed=seed), _lemmatizer_scores)
    return Annotator.of(tokenizer, tagger, lemmatizer, None, records)


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
