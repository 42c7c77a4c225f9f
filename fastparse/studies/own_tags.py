"""Treebanks with a tagger's tags for the annotators': what is learnt from and parsed where tags are not given."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

import fastparse
from fastparse.corpus.conllu.reading import read_conllu
from fastparse.corpus.files.output import write_output
from fastparse.corpus.treebank import Treebank
from fastparse.learning.preparation import fingerprint
from fastparse.learning.steps import Training
from fastparse.learning.taggers import learn_tagger, with_own_tags
from fastparse.studies.treebanks import Source

__all__ = ["TAG_FOLDS", "with_predicted_tags"]

TAG_FOLDS = 2
_SIZE = "small"


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
    asked = f"{fastparse.__version__} {fingerprint(bank)['sha256']} {TAG_FOLDS} {_SIZE}"
    learnt = _kept(
        work / f"{source.name}.learnt.{_key(asked)}.conllu",
        lambda: _without_lemmas(with_own_tags(bank, TAG_FOLDS, _SIZE, training=_told(source, report))),
    )
    if gold is bank:
        return learnt, learnt

    def tagged() -> Treebank:
        tagger = learn_tagger(bank, _SIZE, training=_told(source, report))
        return _without_lemmas(gold.with_columns(**tagger.tag(gold)))

    return learnt, _kept(work / f"{source.name}.parsed.{_key(asked, fingerprint(gold)['sha256'])}.conllu", tagged)


def _kept(path: Path, make: Callable[[], Treebank]) -> Treebank:
    if not path.exists():
        write_output(path, make().to_bytes())
    return read_conllu(path)


def _key(*parts: str) -> str:
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:10]


def _without_lemmas(treebank: Treebank) -> Treebank:
    return treebank.with_columns(lemma=(np.full(treebank.n_words, -1, np.int32), []))


def _told(source: Source, report: Callable[[str], object]) -> Training:
    return Training(lambda event: report(f"{source.name} {event}"))
