"""What a model is made of: components, each of which adds something to a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.lemmas.lemmatizer import Lemmatizer
from fastparse.model.description import description_from
from fastparse.model.sections import PARSER, Section
from fastparse.search.assembly import assembled
from fastparse.search.decoding import Decoder
from fastparse.text.tokenizer import Tokenizer

__all__ = ["COMPONENTS", "LEMMATIZER", "TOKENIZER", "Components"]

TOKENIZER, LEMMATIZER = "tokenizer", "lemmatizer"
COMPONENTS = (TOKENIZER, LEMMATIZER, PARSER)  # in the order in which they work


@dataclass(frozen=True)
class Components:
    """The components of a model; None for one that it lacks. They never change.

    Attributes:
        tokenizer: splits text.
        lemmatizer: gives lemmas to tagged words.
        decoder: gives heads and labels.
        records: how each came about, by name.
    """

    tokenizer: Tokenizer | None = None
    lemmatizer: Lemmatizer | None = None
    decoder: Decoder | None = None
    records: Mapping[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Those that are there, in the order in which they work."""
        found = (self.tokenizer, self.lemmatizer, self.decoder)
        return tuple(name for name, one in zip(COMPONENTS, found, strict=True) if one is not None)

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

    def need_decoder(self, wanted: str = "parsing") -> Decoder:
        if self.decoder is None:
            raise self.missing(PARSER, wanted)
        return self.decoder

    # Sentences

    def prepared(self, treebank: Treebank, retag: bool = False) -> Treebank:
        """The sentences with what the parser may read of them: lemmas are filled in where a sentence has tags but none.

        Args:
            retag: replace the lemmas that are there.
        """
        if self.lemmatizer is None or not treebank.n_words:
            return treebank
        words = _tagged(treebank)
        if not retag:
            words &= ~_in_sentences(treebank, _filled(treebank, "lemma"))
        if not words.any():
            return treebank
        if words.all():
            return treebank.with_columns(lemma=self.lemmatizer.lemmatize(treebank))
        chosen = [
            i for i, (begin, end) in enumerate(pairwise(treebank.offsets.tolist())) if begin < end and words[begin]
        ]
        found, strings = self.lemmatizer.lemmatize(treebank.select(chosen))
        table = treebank.table("lemma")
        ids = np.array(treebank.ids("lemma"), np.int32)
        ids[words] = np.asarray(found) + np.int32(len(table))
        return treebank.with_columns(lemma=(ids, [string or "_" for string in table] + list(strings)))

    # Files

    def sections(self) -> dict[str, Section]:
        """What a file holds of them."""
        found = {}
        if self.tokenizer is not None:
            found[TOKENIZER] = Section({"record": self.records.get(TOKENIZER, {})}, self.tokenizer.to_arrays())
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
        tokenizer, lemmatizer, parser = (sections.get(name) for name in COMPONENTS)
        return cls(
            None if tokenizer is None else Tokenizer.from_arrays(tokenizer.arrays),
            None if lemmatizer is None else Lemmatizer.from_arrays(lemmatizer.arrays),
            None if parser is None else _decoder(parser),
            records,
        )


def _decoder(section: Section) -> Decoder:
    return assembled(description_from(section.header.get("description")), section.arrays)


def _filled(treebank: Treebank, column: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which words have something in a column."""
    filled = np.array([string not in ("_", "") for string in treebank.table(column)], np.bool_)
    words: np.ndarray[Any, np.dtype[np.bool_]] = filled[treebank.ids(column)]
    return words


def _in_sentences(
    treebank: Treebank, words: np.ndarray[Any, np.dtype[np.bool_]]
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The words of the sentences that have one of these."""
    before = np.concatenate(([0], np.cumsum(words)))
    found = before[treebank.offsets[1:]] > before[treebank.offsets[:-1]]
    return np.repeat(found, np.diff(treebank.offsets))


def _tagged(treebank: Treebank) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The words of sentences that have tags."""
    return _in_sentences(treebank, _filled(treebank, "upos"))
