"""The components of a model at work: sentences in, the same sentences with tags, lemmas and trees out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from fastparse.annotate.components import (
    COMPONENTS,
    ENHANCER,
    LEMMATIZER,
    PARSER,
    TAGGER,
    TOKENIZER,
    Component,
    Passage,
    record_of,
)
from fastparse.annotate.expectations import Watch
from fastparse.errors import Error
from fastparse.request import ENHANCED

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.encoder.tagger import Tagger
    from fastparse.lemmas.lemmatizer import Lemmatizer
    from fastparse.model.sections import Section
    from fastparse.request import Request
    from fastparse.search.decoder import Decoder, Work
    from fastparse.text.tokenizer import Tokenizer

__all__ = ["Annotator", "Call"]


class Annotator:
    """An ordered list of components. It never changes, and any number of threads may use it.

    Attributes:
        parts: the components, in the order in which they work.
        names: of these.
        fills: the columns of strings that they may fill.
    """

    def __init__(self, parts: Iterable[Component] = ()) -> None:
        places = list(COMPONENTS)
        known = sorted(parts, key=lambda part: places.index(part.name))
        self.parts: tuple[Component, ...] = tuple(known)
        self.names = tuple(part.name for part in self.parts)
        self._by_name = dict(zip(self.names, self.parts, strict=True))
        self.fills = tuple(column for part in self.parts for column in part.fills)

    def with_part(self, part: Component) -> Annotator:
        """The same components and another one, in place of that of its name."""
        return Annotator([*(other for other in self.parts if other.name != part.name), part])

    def before(self, name: str) -> Annotator:
        """The components that work before the one of this name."""
        order = list(COMPONENTS)
        return Annotator(part for part in self.parts if order.index(part.name) < order.index(name))

    # Components by name

    def get(self, name: str) -> Any | None:
        """The component of this name; None if the model lacks it."""
        return self._by_name.get(name)

    def need(self, name: str, wanted: str) -> Any:
        """The component of this name.

        Args:
            wanted: what it is needed for.

        Raises:
            Error: if the model lacks it, saying what it has and how to train one.
        """
        found = self._by_name.get(name)
        if found is not None:
            return found
        have = ", ".join(self.names) or "nothing"
        if name == ENHANCER:
            raise Error(
                f"{wanted} needs an {name}, which draws enhanced graphs, and this model has none (it has: {have}). "
                "Train one from a treebank with enhanced graphs in DEPS: fastparse train TRAIN.conllu -o MODEL "
                "--targets enhanced (fastparse.train(treebank, targets='enhanced') in Python)."
            )
        together = ",".join(known for known in COMPONENTS if known in (*self.names, name))
        raise Error(
            f"{wanted} needs a {name}, and this model has none (it has: {have}). Train one from a treebank that has "
            f"the data: fastparse train TRAIN.conllu -o MODEL --components {together} "
            f"(fastparse.train(treebank, components=...) in Python)."
        )

    def need_tokenizer(self, wanted: str = "running text") -> Tokenizer:
        found: Tokenizer = self.need(TOKENIZER, wanted).tokenizer
        return found

    def need_decoder(self, wanted: str = "parsing") -> Decoder:
        found: Decoder = self.need(PARSER, wanted).decoder
        return found

    @property
    def tagger(self) -> Tagger | None:
        found = self.get(TAGGER)
        return None if found is None else found.tagger

    @property
    def lemmatizer(self) -> Lemmatizer | None:
        found = self.get(LEMMATIZER)
        return None if found is None else found.lemmatizer

    def check(self, request: Request) -> None:
        """Raise Error for what a request asks for and these components cannot do."""
        if request.retag and not any(part.fills for part in self.parts if part.name != PARSER):
            self.need(TAGGER, "retag=True")
        if request.deps == ENHANCED:
            self.need(ENHANCER, f"deps={ENHANCED!r}")
        if request.scores or request.k > 1:
            self.need_decoder().require_scores()

    # Work

    def annotate(self, treebank: Treebank, request: Request) -> tuple[Treebank, Work | None]:
        """What all components give sentences, and what the parser says of its work; warnings are given once."""
        call = Call(self, request)
        found = call(treebank)
        call.warn()
        return found

    # Files

    def sections(self) -> dict[str, Section]:
        """What a file holds of them."""
        found = {}
        for part in self.parts:
            section = part.section()
            found[part.name] = section._replace(header={**section.header, "record": part.record})
        return found

    @classmethod
    def from_sections(cls, sections: Mapping[str, Section]) -> Annotator:
        """The inverse of `sections`, for what comes from outside.

        Raises:
            Error: if a component is not known, or cannot be used.
        """
        if not sections or sections.keys() - COMPONENTS.keys():
            names = ", ".join(map(repr, sections)) or "none"
            raise Error(f"its components are {names}, and this fastparse knows {', '.join(COMPONENTS)}")
        records = {name: record_of(name, section.header) for name, section in sections.items()}
        return cls(
            kind.from_section(sections[name], records[name]) for name, kind in COMPONENTS.items() if name in sections
        )


class Call:
    """A request under way. Several threads may hand it sentences.

    Attributes:
        watch: what the call says of its input.
        fills: the columns that it may fill.
        tokenizer: gives what splits running text.
    """

    def __init__(self, annotator: Annotator, request: Request, *, timed: bool = False, by_move: bool = False) -> None:
        annotator.check(request)
        self._parts, self._request = annotator.parts, request
        self.fills, self.tokenizer = annotator.fills, annotator.need_tokenizer
        self._timed, self._by_move = timed, by_move
        self.watch = Watch(request.strict)

    def __call__(
        self, treebank: Treebank, threads: int = 1, *, until: str | None = None, passage: Passage | None = None
    ) -> tuple[Treebank, Work | None]:
        """What the components give sentences, and what the parser says of its work.

        Args:
            until: the name of a component; what comes before it works.
            passage: gets all that is known of the sentences.
        """
        if passage is None:
            passage = Passage(treebank, threads, False, self._timed, self._by_move)
        empty = not treebank.n_words
        for part in self._parts:
            if part.name == until:
                break
            if not empty or part.name == PARSER:  # which counts sentences, with words or without
                part.annotate(passage, self._request, self.watch)
        return passage.treebank, passage.work

    def alone(self, treebank: Treebank) -> Treebank:
        """What the components give sentences, on one thread."""
        return self(treebank)[0]

    def warn(self) -> None:
        """Give the warnings that the sentences so far have earned, each once."""
        self.watch.warn()
