"""Parser: from sentences or text to trees, and to a file."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

import fastparse
from fastparse.annotate.components import LEMMATIZER, TAGGER, Components
from fastparse.annotate.counted import Counted
from fastparse.annotate.expectations import Watch
from fastparse.annotate.stream import MOST_THREADS, Report
from fastparse.corpus.foreign.objects import Objects, annotated, batches_of, columns_of
from fastparse.corpus.treebank import Treebank
from fastparse.derivations import Derivations
from fastparse.errors import Error, ModelFormatError
from fastparse.files import Files
from fastparse.model.description import LARGEST_THRESHOLD
from fastparse.model.sections import PARSER, Section, joined
from fastparse.model.storage import content_of, sha256_of, write_container
from fastparse.progress import Progress
from fastparse.search.decoder import Decoder, Work
from fastparse.search.engine import MAX_BEAM
from fastparse.search.kinds import is_beam, is_count
from fastparse.texts import Texts

if TYPE_CHECKING:
    import numpy as np

    from fastparse.corpus.sentence import Sentence
    from fastparse.model.description import SearchDescription

__all__ = ["Parser", "Report", "kept", "shared"]

_BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "model")


class Parser(Texts, Files, Derivations):
    """A trained parser. What it parses with never changes, so any number of threads may use one.

    It remembers the file it is in, the last one it was saved to, and is pickled as path and hash of that.

    Attributes:
        system: the name of its transition system.
        labels: the dependency labels it gives; label ids are places in this list.
        beam: the size of the beam it was trained with.
        info: everything the model file says of itself: options, labels, training, treebank, scores, licence.
    """

    def __init__(
        self, decoder: Decoder | None, record: dict[str, Any] | None = None, *,
        others: Components | None = None, origin: tuple[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Users call `train` or `load`.

        Args:
            decoder: what parses; None for a model that does not.
            record: what else `info` says.
            others: the other components.
            origin: path and SHA-256 of the file the model is in.
        """
        given = others or Components()
        if decoder is not None:
            given = replace(given, decoder=decoder, records={**given.records, PARSER: record or {}})
        self._components = given
        self._origin = origin

    @property
    def _decoder(self) -> Decoder:
        return self._components.need_decoder()

    @property
    def _description(self) -> SearchDescription:
        return self._decoder.kind.description

    @property
    def system(self) -> str:
        return self._description.system

    @property
    def labels(self) -> list[str]:
        return list(self._decoder.labels)

    @property
    def moves(self) -> list[str]:
        """The transitions of its system, in the order of the system's table."""
        return list(self._decoder.kind.moves)

    @property
    def beam(self) -> int:
        return self._description.beam

    @property
    def components(self) -> tuple[str, ...]:
        """What the model can do, in the order in which it is done."""
        return self._components.names

    @property
    def info(self) -> dict[str, Any]:
        parts = self._components
        records = json.loads(json.dumps({name: parts.records.get(name, {}) for name in parts.names}))
        said = records.pop(PARSER, {})
        if parts.decoder is not None:
            said.pop("columns", None)
            said |= self._description.summary()
            said["reads"] = parts.expectations.to_dict()
            said["bytes"] = sum(array.nbytes for array in parts.decoder.arrays().values())
        return {**said, **records, "components": list(parts.names)}

    def __repr__(self) -> str:
        where = f" from {self._origin[0]}" if self._origin else ""
        others = ", ".join(name for name in self.components if name != PARSER)
        if self._components.decoder is None:
            return f"<Parser{where}: {others}>"
        with_others = f", with {others}" if others else ""
        return f"<Parser{where}: {self.system}, beam {self.beam}, {len(self.labels)} labels{with_others}>"

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all. The same training gives the same bytes.

        From now on the parser is in this file: `path` says so, and a pickle names it.
        """
        sha256 = write_container(path, *self._content())
        self._origin = os.path.abspath(os.fspath(path)), sha256

    def _content(self) -> Section:
        return joined(self._components.sections())

    @property
    def path(self) -> str | None:
        """The file the model is in; None if it has not been saved."""
        return None if self._origin is None else self._origin[0]

    @property
    def sha256(self) -> str:
        """The identity of the model: the SHA-256 its file carries."""
        if self._origin is None:
            return sha256_of(content_of(*self._content()))
        return self._origin[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return shared, self.address

    @property
    def address(self) -> tuple[str, str]:
        """How other processes open the same model: path and SHA-256, as `shared` takes them.

        A model that comes with fastparse has its name for a path, since other machines may have it elsewhere.

        Raises:
            Error: if the parser is in no file yet.
        """
        if self._origin is None:
            raise Error("other processes open the file of a parser, and this one has none yet: save it first")
        path, sha256 = self._origin
        folder, name = os.path.split(path)
        return (name.removesuffix(".fp") if folder == _BUNDLED else path), sha256

    # Tags

    @overload
    def tag(
        self, sentences: Treebank, threads: int = 1, *, retag: bool = False, progress: Progress = None
    ) -> Treebank: ...
    @overload
    def tag(
        self, sentences: Objects, threads: int = 1, *, retag: bool = False, progress: Progress = None
    ) -> Iterator[Sentence]: ...
    def tag(self, sentences: Any, threads: int = 1, *, retag: bool = False, progress: Progress = None) -> Any:
        """Give sentences tags and lemmas, as `parse` does before it parses.

        Args:
            sentences, threads, retag, progress: as for `parse`.

        Returns:
            For a Treebank, a new Treebank. Otherwise an iterator of a Sentence for each: it takes some hundred at a
            time, so it works on endless input.

        Raises:
            Error: if the model has no tagger.
        """
        self._checked(None, threads, retag)
        self._components.need_tagger()
        counted = Counted(lambda batch: self._tagged(batch, threads, retag=retag)[0], progress)
        if isinstance(sentences, Treebank):
            return counted.whole(sentences)
        batches = batches_of(sentences)
        return (sentence for batch in batches for sentence in counted(columns_of(batch)))

    def _tagged(self, treebank: Treebank, threads: int = 1, *, retag: bool = False) -> tuple[Treebank, None]:
        """All that the components before the parser give sentences."""
        return self._components.prepared(treebank, retag, threads).treebank, None

    # Parsing

    def _parsed(
        self, treebank: Treebank, beam: int, threads: int = 1, *, retag: bool = False, timed: bool = False,
        by_move: bool = False, threshold: int | None = None, watch: Watch | None = None, scores: bool = False,
    ) -> tuple[Treebank, Work | None]:  # fmt: skip
        """All that the components give sentences."""
        decoder = self._components.need_decoder()
        ready, own = self._components.prepared(treebank, retag, threads)
        if watch is not None:
            watch.look(self._components.expectations, ready)
        visible = self._components.expectations.visible(ready)
        parsed, work = decoder.parsed(
            visible, beam, threads, timed=timed, by_move=by_move, own=own, threshold=threshold, scores=scores
        )
        if visible is not ready:
            notes = {"misc": (parsed.ids("misc"), parsed.table("misc"))} if scores else {}
            parsed = ready.with_heads(parsed.heads, parsed.deprel_ids, parsed.deprel_table)
            parsed = parsed.with_columns(**notes) if notes else parsed
        return parsed, work

    @overload
    def parse(
        self, sentences: Treebank, beam: int | None = None, threads: int = 1, *, retag: bool = False,
        threshold: int | None = None, strict: bool = False, scores: bool = False, progress: Progress = None,
    ) -> Treebank: ...  # fmt: skip
    @overload
    def parse(
        self, sentences: Objects, beam: int | None = None, threads: int = 1, *, retag: bool = False,
        threshold: int | None = None, strict: bool = False, scores: bool = False, progress: Progress = None,
    ) -> Iterator[Any]: ...  # fmt: skip
    def parse(
        self, sentences: Any, beam: int | None = None, threads: int = 1, *, retag: bool = False,
        threshold: int | None = None, strict: bool = False, scores: bool = False, progress: Progress = None,
    ) -> Any:  # fmt: skip
        """Parse sentences; heads and labels that are there already are not read.

        A model with a tagger fills in each column of tags that is empty throughout a sentence, and one with a
        lemmatizer then the lemmas of sentences that have none.

        Args:
            sentences: a Treebank; or an iterable of pyconll or conllu sentences, spaCy Docs, dicts of lists, pairs
                (forms, upos[, xpos]); or a table (pandas, Arrow). See `fastparse.corpus.foreign.objects`.
            beam: 1 is greedy; None is what the model was trained with, which is the best choice: weights learnt with
                one beam know the mistakes that beam makes. Another value is allowed.
            threads: the result does not depend on it.
            retag: replace what the model's components can give, even if it is there: tags and lemmas.
            threshold: states of a beam that score less than the best one by more than this are left out. None is what
                training has found to cost no accuracy, 0 keeps the whole beam.
            strict: raise an error, instead of a warning, for sentences that are not what the model has learnt to
                read: columns it needs are empty, or hold tags it has never seen. `info` says what it has seen.
            scores: write into MISC of each word how sure the parser is: `ArcProb`, the probability that its head is
                right, and `LabelProb`, that head and label are. Only parsers with an encoder can tell.
            progress: called now and then with a `Report` of what is done so far. True shows a bar of tqdm, in
                terminals and notebooks, after two seconds.

        Returns:
            For a Treebank, a new Treebank. Otherwise an iterator over the same objects, annotated, in their order; it
            takes and parses some hundred at a time, so it works on endless input.

        Raises:
            Error: if beam or threads is not a possible number; with `strict` for sentences as said there; with `scores`
                if the parser cannot tell how sure it is.

        Warns:
            FastparseWarning: about such sentences, once, with counts; of an iterable for those taken so far.

        Example:
            >>> parser = fastparse.load()                                           # doctest: +SKIP
            >>> [sentence.heads for sentence in parser.parse([["She", "reads"]])]   # doctest: +SKIP
            [[2, 0]]
        """
        size = self._checked(beam, threads, retag, threshold)
        if scores:
            self._decoder.require_scores()
        watch = Watch(strict)

        def parsed(batch: Treebank) -> Treebank:
            return self._parsed(
                batch, size, threads, retag=retag, threshold=threshold, watch=watch, scores=scores
            )[0]  # fmt: skip

        counted = Counted(parsed, progress)
        if isinstance(sentences, Treebank):
            found = counted.whole(sentences)
            watch.warn()
            return found
        return annotated(sentences, counted, between=watch.warn)

    def parse_arrays(
        self,
        forms: Any,
        upos: Any = None,
        xpos: Any = None,
        feats: Any = None,
        lemmas: Any = None,
        misc: Any = None,
        offsets: Sequence[int] | None = None,
        *,
        beam: int | None = None,
        threads: int = 1,
        threshold: int | None = None,
        strict: bool = False,
        scores: bool = False,
    ) -> tuple[np.ndarray[Any, Any], ...]:
        """Parse columns.

        Args:
            forms: the words of all sentences, one after the other; or a Treebank, whose columns are meant.
            upos, xpos, feats, lemmas, misc: as many strings each; None for a column there is none of.
            offsets: where each sentence begins, and the number of words at the end; by default all is one sentence.
            beam, threads, threshold, strict: as for `parse`.
            scores: also give how sure the parser is.

        Returns:
            Heads (int32: 0 is the root, words of a sentence count from 1) and label ids (int32, places in `labels`);
            with `scores` the probabilities (float64 [words, 2]) that heads are right, and that heads and labels are.
        """
        size = self._checked(beam, threads, threshold=threshold)
        treebank = forms
        if not isinstance(forms, Treebank):
            treebank = Treebank.from_columns(forms, upos, xpos, feats, lemmas, misc=misc, offsets=offsets)
        ready, own = self._components.prepared(treebank, threads=threads)
        watch = Watch(strict)
        watch.look(self._components.expectations, ready)
        watch.warn()
        visible = self._components.expectations.visible(ready)
        found = self._decoder.decode(visible, size, threads, own=own, threshold=threshold, scores=scores)
        return (found.heads, found.labels, *([self._decoder.confidence(found)] if scores else ()))

    def measure(self, treebank: Treebank, beam: int | None = None, threads: int = 1) -> tuple[Treebank, Work]:
        """Parse as `parse` does, and say what each sentence took: transitions of each kind, and time."""
        parsed, work = self._parsed(treebank, self._checked(beam, threads), threads, timed=True, by_move=True)
        assert work is not None
        return parsed, work

    def _checked(self, beam: int | None, threads: int, retag: bool = False, threshold: int | None = None) -> int:
        """The size of the beam that is asked for; raises Error for what cannot be."""
        if beam is not None and not is_beam(beam):
            raise Error(f"beam={beam!r}: expected a number from 1 (greedy) to {MAX_BEAM}, or None for the model's own")
        if not is_count(threads) or threads > MOST_THREADS:
            raise Error(f"threads={threads!r}: expected a number from 1 to {MOST_THREADS}")
        if threshold is not None and not (type(threshold) is int and 0 <= threshold <= LARGEST_THRESHOLD):
            raise Error(
                f"threshold={threshold!r}: expected a number from 0 (the full beam), or None for the model's own"
            )
        if retag and not {TAGGER, LEMMATIZER} & set(self.components):
            raise self._components.missing(TAGGER, "retag=True")
        if beam is not None or self._components.decoder is None:
            return int(beam or 1)
        return self.beam


_OPEN: dict[tuple[str, str], Parser] = {}
_OPENING = threading.Lock()


def shared(path: str, sha256: str) -> Parser:
    """The parser in that file, opened once per process however often it is asked for.

    Raises:
        ModelFormatError: if the file holds another model.
    """
    with _OPENING:
        parser = _OPEN.get((path, sha256))
        if parser is None:
            parser = fastparse.load(path)
            if parser.sha256 != sha256:
                raise ModelFormatError(
                    f"{path}: this is another model (SHA-256 {parser.sha256[:12]}..) than "
                    f"expected ({sha256[:12]}..). Put the same file there again."
                )
            _OPEN[path, sha256] = parser
        return parser


def kept(parser: Parser) -> Parser:
    """The parser that `shared` gives for the same file in this process: this one if there is none yet."""
    with _OPENING:
        return _OPEN.setdefault(parser.address, parser)
