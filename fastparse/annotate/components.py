"""What a model is made of: components, each of which adds something to a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from fastparse.annotate.expectations import Expectations
from fastparse.corpus.derived import with_cells
from fastparse.corpus.treebank import Treebank
from fastparse.encoder.tagger import Tagger
from fastparse.errors import Error
from fastparse.lemmas.lemmatizer import Lemmatizer
from fastparse.model.description import description_from
from fastparse.model.sections import PARSER, Section
from fastparse.model.seen import seen_by
from fastparse.search.decoder import Decoder, assembled
from fastparse.text.tokenizer import Tokenizer

__all__ = ["COMPONENTS", "LEMMATIZER", "TAGGER", "TOKENIZER", "Components", "Prepared"]

TOKENIZER, TAGGER, LEMMATIZER = "tokenizer", "tagger", "lemmatizer"
COMPONENTS = (TOKENIZER, TAGGER, LEMMATIZER, PARSER)  # in the order in which they work


class Prepared(NamedTuple):
    """Sentences with what the components before the parser give them.

    Attributes:
        treebank: these sentences.
        own: bool per sentence: whether its UPOS (the first column there is of them) are the tagger's.
    """

    treebank: Treebank
    own: np.ndarray[Any, Any]


@dataclass(frozen=True)
class Components:
    """The components of a model; None for one that it lacks. They never change.

    Attributes:
        tokenizer: splits text.
        tagger: gives UPOS, XPOS and FEATS to words.
        lemmatizer: gives lemmas to tagged words.
        decoder: gives heads and labels.
        records: how each came about, by name.
    """

    tokenizer: Tokenizer | None = None
    tagger: Tagger | None = None
    lemmatizer: Lemmatizer | None = None
    decoder: Decoder | None = None
    records: Mapping[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Those that are there, in the order in which they work."""
        found = (self.tokenizer, self.tagger, self.lemmatizer, self.decoder)
        return tuple(name for name, one in zip(COMPONENTS, found, strict=True) if one is not None)

    @cached_property
    def expectations(self) -> Expectations:
        """Of the parser: what it has seen of the columns that it reads."""
        decoder = self.need_decoder()
        return Expectations(seen_by(decoder.kind.description, decoder.kind.columns, self.records.get(PARSER, {})))

    def missing(self, name: str, wanted: str) -> Error:
        """What to say when a component is asked for that is not there.

        Args:
            wanted: what it was asked for.
        """
        have = ", ".join(self.names) or "nothing"
        together = ",".join(known for known in COMPONENTS if known in (*self.names, name))
        return Error(
            f"{wanted} needs a {name}, and this model has none (it has: {have}). Train one from a treebank that has "
            f"the data: fastparse train TRAIN.conllu -o MODEL --components {together} "
            f"(fastparse.train(treebank, components=...) in Python)."
        )

    def need_tokenizer(self, wanted: str = "running text") -> Tokenizer:
        if self.tokenizer is None:
            raise self.missing(TOKENIZER, wanted)
        return self.tokenizer

    def need_tagger(self, wanted: str = "tagging") -> Tagger:
        if self.tagger is None:
            raise self.missing(TAGGER, wanted)
        return self.tagger

    def need_decoder(self, wanted: str = "parsing") -> Decoder:
        if self.decoder is None:
            raise self.missing(PARSER, wanted)
        return self.decoder

    # Sentences

    def prepared(self, treebank: Treebank, retag: bool = False, threads: int = 1) -> Prepared:
        """What the parser may read of sentences.

        A column of tags that is empty throughout a sentence is filled in, to agree with those that are not; then
        lemmas are, where a sentence has tags but none.

        Args:
            retag: replace the tags and lemmas that are there.
            threads: the result does not depend on it.
        """
        tagged = self._with_tags(treebank, retag, threads)
        return tagged._replace(treebank=self._with_lemmas(tagged.treebank, retag))

    def _with_tags(self, treebank: Treebank, retag: bool, threads: int) -> Prepared:
        own = np.zeros(len(treebank), np.bool_)
        if self.tagger is None or not treebank.n_words:
            return Prepared(treebank, own)
        names = list(self.tagger.columns)
        kept = np.zeros((treebank.n_words, len(names)), np.bool_)
        if not retag:
            for k, name in enumerate(names):
                kept[:, k] = _in_sentences(treebank, _filled(treebank, name))
        if kept.all():
            return Prepared(treebank, own)
        own[_sentences_of(treebank, ~kept[:, 0])] = True
        if not kept.any():
            return Prepared(treebank.with_columns(**self.tagger.tag(treebank, None, threads)), own)
        chosen = _sentences_of(treebank, np.logical_not(np.logical_and.reduce(kept, axis=1)))
        words = np.repeat(np.isin(np.arange(len(treebank)), chosen), np.diff(treebank.offsets))
        said = self.tagger.tag(treebank.select(chosen), kept[words], threads)
        cells = {}
        for k, (name, (found, strings)) in enumerate(said.items()):
            free = ~kept[words, k]
            if free.any():
                cells[name] = np.flatnonzero(words)[free], found[free], strings
        return Prepared(with_cells(treebank, cells), own)

    def _with_lemmas(self, treebank: Treebank, retag: bool) -> Treebank:
        if self.lemmatizer is None or not treebank.n_words:
            return treebank
        words = _tagged(treebank)
        if not retag:
            words &= ~_in_sentences(treebank, _filled(treebank, "lemma"))
        if not words.any():
            return treebank
        if words.all():
            return treebank.with_columns(lemma=self.lemmatizer.lemmatize(treebank))
        found, strings = self.lemmatizer.lemmatize(treebank.select(_sentences_of(treebank, words)))
        return with_cells(treebank, {"lemma": (words, found, strings)})

    # Files

    def sections(self) -> dict[str, Section]:
        """What a file holds of them."""
        found = {}
        if self.tokenizer is not None:
            found[TOKENIZER] = Section({"record": self.records.get(TOKENIZER, {})}, self.tokenizer.to_arrays())
        if self.tagger is not None:
            header = {**self.tagger.header(), "record": self.records.get(TAGGER, {})}
            found[TAGGER] = Section(header, self.tagger.arrays())
        if self.lemmatizer is not None:
            found[LEMMATIZER] = Section({"record": self.records.get(LEMMATIZER, {})}, self.lemmatizer.to_arrays())
        if self.decoder is not None:
            header = {"description": self.decoder.kind.description.to_dict(), "record": self.records.get(PARSER, {})}
            found[PARSER] = Section(header, self.decoder.arrays())
        return found

    @classmethod
    def from_sections(cls, sections: Mapping[str, Section]) -> Components:
        """The inverse of `sections`, for what comes from outside.

        Raises:
            Error: if a component is not known, or cannot be used.
        """
        unknown = sections.keys() - set(COMPONENTS)
        if unknown or not sections:
            names = ", ".join(map(repr, sections)) or "none"
            raise Error(f"its components are {names}, and this fastparse knows {', '.join(COMPONENTS)}")
        records: dict[str, dict[str, Any]] = {}
        for name, section in sections.items():
            record = section.header.get("record")
            if not isinstance(record, dict):
                raise Error(f"the record of the {name} is not an object")
            records[name] = record
        tokenizer, tagger, lemmatizer, parser = (sections.get(name) for name in COMPONENTS)
        found = cls(
            None if tokenizer is None else Tokenizer.from_arrays(tokenizer.arrays),
            None if tagger is None else Tagger.from_section(tagger.header, tagger.arrays),
            None if lemmatizer is None else Lemmatizer.from_arrays(lemmatizer.arrays),
            None if parser is None else _decoder(parser),
            records,
        )
        if parser is not None:
            _ = found.expectations  # what the record says of columns is checked now
        return found


def _decoder(section: Section) -> Decoder:
    return assembled(description_from(section.header.get("description")), section.arrays)


def _sentences_of(treebank: Treebank, words: np.ndarray[Any, np.dtype[np.bool_]]) -> np.ndarray[Any, Any]:
    """The sentences that have one of these words."""
    before = np.concatenate(([0], np.cumsum(words)))
    return np.flatnonzero(before[treebank.offsets[1:]] > before[treebank.offsets[:-1]])


def _filled(treebank: Treebank, column: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which words have something in a column."""
    ids, table = treebank.cells(column)
    words: np.ndarray[Any, np.dtype[np.bool_]] = table.filled[ids]
    return words


def _in_sentences(
    treebank: Treebank, words: np.ndarray[Any, np.dtype[np.bool_]]
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The words of the sentences that have one of these."""
    found = np.zeros(len(treebank), np.bool_)
    found[_sentences_of(treebank, words)] = True
    return np.repeat(found, np.diff(treebank.offsets))


def _tagged(treebank: Treebank) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The words of sentences that have tags."""
    return _in_sentences(treebank, _filled(treebank, "upos"))
