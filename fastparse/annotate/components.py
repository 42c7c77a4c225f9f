"""The components of a model: what each adds to sentences, and what a file holds of it.

A new component is a class here or in a module of its own, with the methods of `Component`, and a row in `COMPONENTS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from fastparse.annotate.expectations import Expectations, Vocabulary, Watch
from fastparse.corpus.derived import filled_in, sentences_of, with_cells, words_of
from fastparse.encoder.tagger import Tagger
from fastparse.errors import Error
from fastparse.graphs.enhancer import Enhancer
from fastparse.lemmas.lemmatizer import Lemmatizer
from fastparse.model.description import description_from
from fastparse.model.sections import PARSER, Section
from fastparse.model.seen import seen_by, usual_forms
from fastparse.request import ENHANCED, MAX_BEAM
from fastparse.search.decoder import assembled
from fastparse.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.request import Request
    from fastparse.search.decoder import Decoder, Work

_STATES_A_TREE = 8  # of a beam that is asked for several trees

__all__ = [
    "COMPONENTS", "ENHANCER", "LEMMATIZER", "PARSER", "TAGGER", "TOKENIZER", "Component", "EnhancerPart",
    "LemmatizerPart", "ParserPart", "Passage", "TaggerPart", "TokenizerPart",
]  # fmt: skip

TOKENIZER, TAGGER, LEMMATIZER, ENHANCER = "tokenizer", "tagger", "lemmatizer", "enhancer"


@dataclass
class Passage:
    """Sentences on their way through the components of a model.

    Attributes:
        treebank: the sentences, with what the components so far have given them.
        threads: for each component; what it gives does not depend on it.
        own: whether the tags (the first column of them) are the tagger's, of all sentences or of each.
        timed, by_move: whether the parser counts its time and its transitions of each kind.
        work: these.
    """

    treebank: Treebank
    threads: int = 1
    own: bool | np.ndarray[Any, Any] = False
    timed: bool = False
    by_move: bool = False
    work: Work | None = None


class Component(Protocol):
    """A part of a model. It never changes, and any number of threads may use it.

    Attributes:
        name: as files and users write it.
        fills: the columns that it may fill.
        record: how it came about.
    """

    name: ClassVar[str]
    fills: ClassVar[tuple[str, ...]]
    record: dict[str, Any]

    def annotate(self, passage: Passage, request: Request, watch: Watch) -> None:
        """Give sentences what the component knows, as far as they lack it.

        Args:
            watch: is told of sentences that are not what the component has learnt to read.
        """
        ...

    def section(self) -> Section:
        """What a file holds of it, besides its record."""
        ...

    @classmethod
    def from_section(cls, section: Section, record: dict[str, Any]) -> Component:
        """The inverse; raises Error for what cannot be used."""
        ...


class TokenizerPart:
    """Splits running text. Sentences that reach the other components have been split."""

    name: ClassVar[str] = TOKENIZER
    fills: ClassVar[tuple[str, ...]] = ()

    def __init__(self, tokenizer: Tokenizer, record: dict[str, Any]) -> None:
        self.tokenizer, self.record = tokenizer, record

    def annotate(self, passage: Passage, request: Request, watch: Watch) -> None:
        pass

    def section(self) -> Section:
        return Section({}, self.tokenizer.to_arrays())

    @classmethod
    def from_section(cls, section: Section, record: dict[str, Any]) -> TokenizerPart:
        return cls(Tokenizer.from_arrays(section.arrays), record)


class TaggerPart:
    """Gives UPOS, XPOS and FEATS: each column that is empty throughout a sentence, to agree with those that are not."""

    name: ClassVar[str] = TAGGER
    fills: ClassVar[tuple[str, ...]] = ("upos", "xpos", "feats")

    def __init__(self, tagger: Tagger, record: dict[str, Any]) -> None:
        self.tagger, self.record = tagger, record

    def annotate(self, passage: Passage, request: Request, watch: Watch) -> None:
        treebank = passage.treebank
        sheet, names = treebank._sheet(), list(self.tagger.columns)
        whole = request.retag or all(map(sheet.blank, names))
        kept = None if whole else filled_in(treebank, names)
        if kept is not None and kept.all():
            return
        if kept is None or not kept.any():
            passage.own = True
            passage.treebank = type(treebank)._of_sheet(self.tagger.tagged(sheet, passage.threads))
            return
        passage.own = np.zeros(len(treebank), np.bool_)
        passage.own[sentences_of(treebank, np.logical_not(kept[:, 0]))] = True
        chosen = sentences_of(treebank, np.logical_not(np.logical_and.reduce(kept, axis=1)))
        words = words_of(treebank, chosen)
        given = self.tagger.tag(treebank.select(chosen), kept[words], passage.threads)
        cells = {}
        for k, (name, (found, strings)) in enumerate(given.items()):
            free = ~kept[words, k]
            if free.any():
                cells[name] = np.flatnonzero(words)[free], found[free], strings
        passage.treebank = with_cells(treebank, cells)

    def section(self) -> Section:
        return Section(self.tagger.header(), self.tagger.arrays())

    @classmethod
    def from_section(cls, section: Section, record: dict[str, Any]) -> TaggerPart:
        return cls(Tagger.from_section(section.header, section.arrays), record)


class LemmatizerPart:
    """Gives lemmas to tagged sentences that have none."""

    name: ClassVar[str] = LEMMATIZER
    fills: ClassVar[tuple[str, ...]] = ("lemma",)

    def __init__(self, lemmatizer: Lemmatizer, record: dict[str, Any]) -> None:
        self.lemmatizer, self.record = lemmatizer, record

    def annotate(self, passage: Passage, request: Request, watch: Watch) -> None:
        treebank = passage.treebank
        sheet = treebank._sheet()
        if sheet.full("upos") and (request.retag or sheet.blank("lemma")):
            passage.treebank = type(treebank)._of_sheet(self.lemmatizer.lemmatized(sheet))
            return
        state = filled_in(treebank, ["upos"] if request.retag else ["upos", "lemma"])
        words = state[:, 0] if request.retag else state[:, 0] & ~state[:, 1]
        if words.all():
            passage.treebank = type(treebank)._of_sheet(self.lemmatizer.lemmatized(sheet))
        elif words.any():
            found, strings = self.lemmatizer.lemmatize(treebank.select(sentences_of(treebank, words)))
            passage.treebank = with_cells(treebank, {"lemma": (words, found, strings)})

    def section(self) -> Section:
        return Section({}, self.lemmatizer.to_arrays())

    @classmethod
    def from_section(cls, section: Section, record: dict[str, Any]) -> LemmatizerPart:
        return cls(Lemmatizer.from_arrays(section.arrays), record)


class ParserPart:
    """Gives heads and labels."""

    name: ClassVar[str] = PARSER
    fills: ClassVar[tuple[str, ...]] = ("deprel",)

    def __init__(self, decoder: Decoder, record: dict[str, Any]) -> None:
        self.decoder, self.record = decoder, record
        # What the record says of columns is checked now.
        description, forms = decoder.kind.description, usual_forms(decoder.kind.description, record)
        vocabulary = None if forms is None else Vocabulary(*forms, record.get("about") or "")
        self.expectations = Expectations(seen_by(description, decoder.kind.columns, record), vocabulary)

    def annotate(self, passage: Passage, request: Request, watch: Watch) -> None:
        ready = passage.treebank
        threshold = 0 if request.k > 1 and request.threshold is None else request.threshold
        found = self.decoder.decode(
            self.visible(ready, watch), self.beam_of(request), passage.threads, own=passage.own, k=request.k,
            threshold=threshold, timed=passage.timed, by_move=passage.by_move, scores=request.scores,
        )  # fmt: skip
        passage.treebank, passage.work = self.decoder.put_into(ready, found)

    def visible(self, treebank: Treebank, watch: Watch) -> Treebank:
        """The sentences without what the parser has not learnt to read; the watch is told of what they lack."""
        watch.look(self.expectations, treebank)
        return self.expectations.visible(treebank)

    def beam_of(self, request: Request) -> int:
        """The size of the beam: as asked for, or the model's own, but eight states a tree if there are several."""
        if request.k > 1 and request.beam is not None and request.beam < request.k:
            raise Error(f"k={request.k} trees need a beam as large, not beam={request.beam}")
        if request.beam is not None:
            return request.beam
        own = self.decoder.kind.description.beam
        return own if request.k == 1 else min(MAX_BEAM, max(own, _STATES_A_TREE * request.k))

    def section(self) -> Section:
        return Section({"description": self.decoder.kind.description.to_dict()}, self.decoder.arrays())

    @classmethod
    def from_section(cls, section: Section, record: dict[str, Any]) -> ParserPart:
        return cls(assembled(description_from(section.header.get("description")), section.arrays), record)


class EnhancerPart:
    """Gives enhanced graphs, the column DEPS, to sentences with trees, where they are asked for."""

    name: ClassVar[str] = ENHANCER
    fills: ClassVar[tuple[str, ...]] = ()

    def __init__(self, enhancer: Enhancer, record: dict[str, Any]) -> None:
        self.enhancer, self.record = enhancer, record

    def annotate(self, passage: Passage, request: Request, watch: Watch) -> None:
        if request.deps == ENHANCED:
            passage.treebank = passage.treebank.with_columns(deps=self.enhancer.deps(passage.treebank, passage.threads))

    def section(self) -> Section:
        return Section(self.enhancer.to_dict(), self.enhancer.arrays())

    @classmethod
    def from_section(cls, section: Section, record: dict[str, Any]) -> EnhancerPart:
        return cls(Enhancer.from_dict(section.header, section.arrays), record)


# In the order in which they work.
COMPONENTS: dict[str, type[Component]] = {
    part.name: part for part in (TokenizerPart, TaggerPart, LemmatizerPart, ParserPart, EnhancerPart)
}


def record_of(name: str, header: Mapping[str, Any]) -> dict[str, Any]:
    """The record in the header of a section from outside."""
    record = header.get("record")
    if not isinstance(record, dict):
        raise Error(f"the record of the {name} is not an object")
    return record
