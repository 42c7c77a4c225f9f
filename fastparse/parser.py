"""Parser: from sentences, text or files to trees, and to a model file; `load` opens one."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any, overload

from fastparse.annotate.annotator import Annotator, Call
from fastparse.annotate.components import PARSER, TAGGER, Passage
from fastparse.annotate.counted import Counted
from fastparse.annotate.documents import LONG_TEXT, each, no_text
from fastparse.annotate.formats import with_deps
from fastparse.annotate.stream import OF_TEXT, Done, Report, ordered, stream
from fastparse.corpus.derived import joined as joined_treebank
from fastparse.corpus.foreign.objects import Objects, annotated, batches_of, columns_of
from fastparse.corpus.sentence import Sentence
from fastparse.corpus.treebank import Treebank
from fastparse.encoder.encoder import kernel
from fastparse.errors import Error, FastparseWarning, ModelFormatError
from fastparse.model.finding import AUTO, BUNDLED, find
from fastparse.model.sections import Section, joined, sections_of
from fastparse.model.storage import content_of, read_container, sha256_of, write_container
from fastparse.progress import Progress
from fastparse.request import BATCH_WORDS, Request
from fastparse.search.decoder import Work, write_stats

if TYPE_CHECKING:
    import numpy as np

    from fastparse.model.description import SearchDescription
    from fastparse.search.decoder import Decoder
    from fastparse.text.chunks import Chunk
    from fastparse.theory.derive import Derivation

__all__ = ["Parser", "Report", "load", "of_format", "opened_once", "shared"]

PARSES, TAGS, TOKENIZES = "parse", "tag", "tokenize"
_LONGEST_NAME = 260  # characters of a text that may be the name of a file

Target = str | os.PathLike[str] | IO[bytes]


class Parser:
    """A trained model. What it works with never changes, so any number of threads may use one.

    It remembers the file it is in, the last one it was saved to, and is pickled as path and hash of that.

    Attributes:
        system: the name of its transition system.
        labels: the dependency labels it gives; label ids are places in this list.
        beam: the size of the beam it was trained with.
        info: everything the model file says of itself: options, labels, training, treebank, scores, licence.
    """

    def __init__(self, annotator: Annotator, origin: tuple[str, str] | None = None) -> None:
        """Users call `train` or `load`.

        Args:
            annotator: the components.
            origin: path and SHA-256 of the file the model is in.
        """
        self._annotator = annotator
        self._origin = origin

    @property
    def _decoder(self) -> Decoder:
        return self._annotator.need_decoder()

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
        return self._annotator.names

    @property
    def info(self) -> dict[str, Any]:
        records = json.loads(json.dumps({part.name: part.record for part in self._annotator.parts}))
        said = records.pop(PARSER, {})
        parser = self._annotator.get(PARSER)
        if parser is not None:
            for kept in ("columns", "text"):
                said.pop(kept, None)
            said |= self._description.summary()
            said["reads"] = parser.expectations.to_dict()
            said["bytes"] = sum(array.nbytes for array in self._decoder.arrays().values())
        return {**said, **records, "components": list(self.components)}

    def __repr__(self) -> str:
        where = f" from {self._origin[0]}" if self._origin else ""
        others = ", ".join(name for name in self.components if name != PARSER)
        if self._annotator.get(PARSER) is None:
            return f"<Parser{where}: {others}>"
        with_others = f", with {others}" if others else ""
        return f"<Parser{where}: {self.system}, beam {self.beam}, {len(self.labels)} labels{with_others}>"

    # The file of the model

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all. The same training gives the same bytes.

        From now on the parser is in this file: `path` says so, and a pickle names it.
        """
        sha256 = self.write(path)
        self._origin = os.path.abspath(os.fspath(path)), sha256

    def write(self, path: str | os.PathLike[str]) -> str:
        """Write the model to a file, whole or not at all, and return its SHA-256; the parser stays where it is."""
        return write_container(path, *self._content())

    def _content(self) -> Section:
        return joined(self._annotator.sections())

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
        return (name.removesuffix(".fp") if folder == str(BUNDLED) else path), sha256

    # Sentences

    @overload
    def parse(
        self, sentences: Treebank, beam: int | None = None, threads: int = 1, *, retag: bool = False,
        threshold: int | None = None, strict: bool = False, scores: bool = False, k: int = 1, deps: str = "keep",
        progress: Progress = None,
    ) -> Treebank: ...  # fmt: skip
    @overload
    def parse(
        self, sentences: Objects, beam: int | None = None, threads: int = 1, *, retag: bool = False,
        threshold: int | None = None, strict: bool = False, scores: bool = False, k: int = 1, deps: str = "keep",
        progress: Progress = None,
    ) -> Iterator[Any]: ...  # fmt: skip
    def parse(
        self, sentences: Any, beam: int | None = None, threads: int = 1, *, retag: bool = False,
        threshold: int | None = None, strict: bool = False, scores: bool = False, k: int = 1, deps: str = "keep",
        progress: Progress = None,
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
            k: find so many of the best trees of each sentence, and how probable it is that all heads and
                labels of a tree are right: `sentence.alternatives`. They are written into MISC, as `Trees` and
                `TreeProbs`. With several the whole beam is kept, and is eight times as large as there are trees, if
                neither beam nor threshold is said. Only parsers with an encoder can tell.
            deps: what the column DEPS gets, of a Treebank and of what comes back as Sentences: "keep" what it has,
                "copy" of the tree, "blank", or the "enhanced" graph, which models draw that were trained with
                targets="enhanced".
            progress: called now and then with a `Report` of what is done so far. True shows a bar of tqdm, in
                terminals and notebooks, after two seconds.

        Returns:
            For a Treebank, a new Treebank. Otherwise an iterator over the same objects, annotated, in their order; it
            takes and parses some hundred at a time, so it works on endless input.

        Raises:
            Error: if beam or threads is not a possible number; with `strict` for sentences as said there; with `scores`
                or `k` if the parser cannot tell how sure it is.

        Warns:
            FastparseWarning: about such sentences, once, with counts; of an iterable for those taken so far.

        Example:
            >>> parser = fastparse.load()                                           # doctest: +SKIP
            >>> [sentence.heads for sentence in parser.parse([["She", "reads"]])]   # doctest: +SKIP
            [[2, 0]]
        """
        request = Request.of(
            "parse", beam=beam, threads=threads, retag=retag, threshold=threshold, strict=strict, scores=scores,
            k=k, deps=deps, progress=progress,
        )  # fmt: skip
        self._annotator.need_decoder()
        call = Call(self._annotator, request)
        if isinstance(sentences, Treebank):
            found = Counted(progress, partial(self._annotated, call, request)).whole(sentences)
            call.warn()
            return found
        notes = [f"{name}={value!r}" for name, value in request.changed().items() if name in ("scores", "k", "deps")]
        return annotated(
            sentences, call.alone, through=partial(_ahead, threads), between=_told(call, progress), notes=notes
        )

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
        request = Request.of("tag", threads=threads, retag=retag, progress=progress)
        counted = Counted(progress, partial(self._annotated, Call(self.able_to(TAGS), request), request))
        if isinstance(sentences, Treebank):
            return counted.whole(sentences)
        batches = batches_of(sentences)
        return (sentence for batch in batches for sentence in counted(columns_of(batch)))

    @staticmethod
    def _annotated(call: Call, request: Request, treebank: Treebank) -> Treebank:
        return with_deps(call(treebank, request.threads)[0], request.deps)

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
        retag: bool = False,
        threshold: int | None = None,
        strict: bool = False,
        scores: bool = False,
    ) -> tuple[np.ndarray[Any, Any], ...]:
        """Parse columns.

        Args:
            forms: the words of all sentences, one after the other; or a Treebank, whose columns are meant.
            upos, xpos, feats, lemmas, misc: as many strings each; None for a column there is none of.
            offsets: where each sentence begins, and the number of words at the end; by default all is one sentence.
            beam, threads, retag, threshold, strict: as for `parse`.
            scores: also give how sure the parser is.

        Returns:
            Heads (int32: 0 is the root, words of a sentence count from 1) and label ids (int32, places in `labels`);
            with `scores` the probabilities (float64 [words, 2]) that heads are right, and that heads and labels are.
        """
        request = Request.of(
            "parse_arrays", beam=beam, threads=threads, retag=retag, threshold=threshold, strict=strict, scores=scores
        )
        part = self._annotator.need(PARSER, "parsing")
        treebank = forms
        if not isinstance(forms, Treebank):
            treebank = Treebank.from_columns(forms, upos, xpos, feats, lemmas, misc=misc, offsets=offsets)
        call, passage = Call(self._annotator, request), Passage(treebank, threads)
        call(treebank, until=PARSER, passage=passage)
        visible = part.visible(passage.treebank, call.watch)
        call.warn()
        found = part.decoder.decode(
            visible, part.beam_of(request), threads, own=passage.own, threshold=threshold, scores=scores
        )
        return (found.heads, found.labels, *([part.decoder.confidence(found)] if scores else ()))

    def measure(
        self, treebank: Treebank, beam: int | None = None, threads: int = 1, *, retag: bool = False,
        threshold: int | None = None, strict: bool = False, scores: bool = False,
    ) -> tuple[Treebank, Work]:  # fmt: skip
        """Parse as `parse` does, and say what each sentence took: transitions of each kind, and time."""
        request = Request.of(
            "measure", beam=beam, threads=threads, retag=retag, threshold=threshold, strict=strict, scores=scores
        )
        self._annotator.need_decoder()
        call = Call(self._annotator, request, timed=True, by_move=True)
        parsed, work = call(treebank, threads)
        call.warn()
        assert work is not None
        return parsed, work

    def derivation(
        self, sentence: Any, beam: int | None = None, *, retag: bool = False, threshold: int | None = None
    ) -> Derivation:
        """The moves by which the parser itself finds the tree of a sentence, to step through.

        They lead to the tree of `parse`, but for words that no move gives a head: these get theirs at the end.
        `fastparse.derive` says instead how an oracle would build a tree.

        Args:
            sentence: a Sentence, a Treebank of one, or one of what `parse` takes many of, such as a list of forms.
            beam, retag, threshold: as for `parse`.

        Raises:
            Error: if it is not one sentence; if the parser's system has no moves from configuration to configuration
                (easy-first) or several passes (three-step).

        Example:
            >>> print(fastparse.load().derivation(["She", "reads"]))   # doctest: +SKIP
        """
        from fastparse.theory.derive import Derivation  # nobody who parses needs it

        request = Request.of("derivation", beam=beam, retag=retag, threshold=threshold)
        part = self._annotator.need(PARSER, "parsing")
        if isinstance(sentence, Sentence):
            sentence = sentence.treebank[sentence.index : sentence.index + 1]
        treebank = sentence if isinstance(sentence, Treebank) else columns_of([sentence], annotations=False)
        if len(treebank) != 1:
            raise Error(f"a derivation is of one sentence, found {len(treebank)}: take one, as in treebank[0]")
        call, passage = Call(self._annotator, request), Passage(treebank)
        call(treebank, until=PARSER, passage=passage)
        visible = part.visible(passage.treebank, call.watch)
        system, moves = part.decoder.steps(visible, part.beam_of(request), own=passage.own, threshold=threshold)
        return Derivation(system, treebank.n_words, moves)

    # Running text

    def __call__(self, text: Any, **asked: Any) -> Any:
        """The same as `parse_text`."""
        return self.parse_text(text, **asked)

    @overload  # a string is an iterable of strings as well, but comes first
    def parse_text(  # type: ignore[overload-overlap]
        self, text: str, threads: int = 1, *, beam: int | None = None, threshold: int | None = None,
        strict: bool = False, scores: bool = False, k: int = 1, offsets: bool = False, deps: str = "keep",
        progress: Progress = None,
    ) -> Treebank: ...  # fmt: skip
    @overload
    def parse_text(
        self, text: Iterable[str], threads: int = 1, *, beam: int | None = None, threshold: int | None = None,
        strict: bool = False, scores: bool = False, k: int = 1, offsets: bool = False, deps: str = "keep",
        progress: Progress = None,
    ) -> Iterator[Treebank]: ...  # fmt: skip
    def parse_text(
        self, text: Any, threads: int = 1, *, beam: int | None = None, threshold: int | None = None,
        strict: bool = False, scores: bool = False, k: int = 1, offsets: bool = False, deps: str = "keep",
        progress: Progress = None,
    ) -> Any:  # fmt: skip
        """Parse running text: the sentences, tokens and trees that the model finds in it.

        Args:
            text: a string; or an iterable of strings, each a document.
            offsets: whether to write TokenRange, the place of every token in characters, into MISC.
            threads, beam, threshold, strict, scores, k, deps, progress: as for `parse`; of documents, each is told of
                when it is done.

        Returns:
            A treebank, whose `to_text` is the text; for an iterable an iterator of treebanks, one per document.

        Raises:
            Error: if the model has no tokenizer or no parser.
        """
        request = Request.of(
            "parse_text", beam=beam, threads=threads, threshold=threshold, strict=strict, scores=scores, k=k,
            offsets=offsets, deps=deps, progress=progress,
        )  # fmt: skip
        tokenizer = self._annotator.need_tokenizer()
        self._annotator.need_decoder()
        call = Call(self._annotator, request)
        if isinstance(text, str):
            if len(text) < _LONGEST_NAME:
                _warn_of_name(text)
            found = self._of_text(text, call, request)
            call.warn()
            return found
        if not isinstance(text, Iterable) or isinstance(text, bytes):
            raise no_text(text)
        counted = Counted(progress, lambda found: with_deps(found, request.deps))
        return map(counted, each(text, tokenizer, call, request))

    def _of_text(self, text: str, call: Call, request: Request) -> Treebank:
        """A text, in parts that several threads may work on where it is long."""
        tokenizer = self._annotator.need_tokenizer()
        if len(text) <= LONG_TEXT:
            found = call(tokenizer.treebank(text, offsets=request.offsets))[0]
            if request.progress is not None:
                Counted(request.progress).tell(found)
            return with_deps(found, request.deps)
        counted = Counted(request.progress)
        data = text.encode("utf-8", "surrogatepass")
        chunks = tokenizer.chunks([data], offsets=request.offsets, size=LONG_TEXT, name="the text")
        parts, done = [], 0

        def through(chunk: Chunk) -> tuple[Treebank, int]:
            return call(tokenizer.sentences_of(chunk).treebank)[0], chunk.size

        with ordered(through, chunks, request.threads) as each:
            for part, size in each:
                parts.append(part)
                done += size
                counted.tell(part, done / len(data))
        return with_deps(joined_treebank(parts), request.deps)

    def tokenize(
        self, text: str, threads: int = 1, *, input: str = "text", source: str | None = None, offsets: bool = False
    ) -> Treebank:
        """The sentences, tokens and words of a text, with forms alone.

        Args:
            input: "text"; "lines", where every line is a sentence; "words", where besides tokens stand between spaces.
            source: another name for `input`.
            threads: the result does not depend on it.
            offsets: whether to write TokenRange, the place of every token in characters, into MISC.
        """
        request = Request.of("tokenize", offsets=offsets, threads=threads)
        if not isinstance(text, str):
            raise no_text(text)
        kind = input if source is None else source
        return self._annotator.need_tokenizer().treebank(text, input=kind, offsets=request.offsets)

    # From file to file

    def parse_file(
        self,
        input: Any,
        output: Target,
        beam: int | None = None,
        threads: int = 1,
        on_error: str = "stop",
        *,
        source: str = "auto",
        target: str = "auto",
        encoding: str = "utf-8",
        retag: bool = False,
        offsets: bool = False,
        deps: str = "keep",
        stats: str | os.PathLike[str] | None = None,
        progress: Progress = None,
        format: str = "auto",
        batch_words: int = BATCH_WORDS,
        threshold: int | None = None,
        strict: bool = False,
        scores: bool = False,
        k: int = 1,
    ) -> Report:
        """Parse treebanks, running text or rows from file to file, or from pipe to pipe, in bounded memory.

        The output of CoNLL-U is the input byte for byte but for the columns HEAD and DEPREL, and for tags and lemmas
        where the model fills them in. It does not depend on `threads` and `batch_words`.

        Args:
            input: a path, a list of paths, "-", an open file or bytes; plain or compressed.
            output: a path (its suffix chooses format and compression; the file appears whole or not at all), "-" or a
                stream.
            beam, threads, retag, threshold, scores, k: as for `parse`.
            on_error: "stop", "skip" or "keep" sentences that cannot be read.
            source: what the input is: "conllu"; "conllx"; "text"; "lines", a sentence each; "words", lines of tokens
                with spaces between them; "ndjson"; "parquet"; "auto": by the suffix, or else by the first line.
            target: what the output is: "conllu", "conllx", "ndjson", "parquet"; "auto": by the suffix, or else CoNLL-U.
            encoding: of text and treebanks that are read, by Python's name; a byte order mark counts more.
            offsets: of text, write TokenRange, the place of every token in characters, into MISC.
            deps: what to write to DEPS: "keep" what is there, "copy" the basic tree, or "blank".
            stats: a file that gets the report as JSON, and under "rows" words, transitions, nanoseconds, beam and
                system of every sentence. The rows are kept in memory until the end: 16 bytes each.
            progress: called with the report so far after every batch; `print` will do. True shows a bar of tqdm, in
                terminals and notebooks, after two seconds.
            format: "auto", "conllu" or "conllx": of treebanks; `source` says the same.
            strict: as for `parse`; the error comes before there is an output.

        Warns:
            FastparseWarning: at the end, about all that is not what the model has learnt to read.
        """
        request = Request.of(
            "parse_file", beam=beam, threads=threads, on_error=on_error, source=of_format(source, format),
            target=target, encoding=encoding, retag=retag, offsets=offsets, deps=deps, stats=stats, progress=progress,
            batch_words=batch_words, threshold=threshold, strict=strict, scores=scores, k=k,
        )  # fmt: skip
        return self.through(request, input, output)

    def through(self, request: Request, input: Any, output: Target, what: str = PARSES) -> Report:
        """What `parse_file`, `tag_file` and `tokenize_file` do, for a request that has been checked.

        Args:
            what: "parse", "tag" or "tokenize".
        """
        annotator = self.able_to(what)
        call = Call(annotator, request, timed=request.stats is not None)
        rows: list[Work] = []

        def keep(done: Done) -> None:
            if done.work is not None:
                rows.append(done.work)

        text_alone: dict[str, Any] = {"allowed": OF_TEXT, "otherwise": "text"} if what == TOKENIZES else {}
        report = stream(input, output, call, request, written=keep if request.stats is not None else None, **text_alone)
        call.warn()
        if request.stats is not None:
            size = annotator.need(PARSER, "stats").beam_of(request)
            write_stats(request.stats, report.to_dict(), self.system, size, rows)
        return report

    def able_to(self, what: str) -> Annotator:
        """The components that parse, tag or tokenize; raises Error where the one that counts is missing."""
        if what == TOKENIZES:
            self._annotator.need_tokenizer()
            return self._annotator.before(TAGGER)
        if what == TAGS:
            self._annotator.need(TAGGER, "tagging")
            return self._annotator.before(PARSER)
        self._annotator.need_decoder()
        return self._annotator

    def tag_file(
        self,
        input: Any,
        output: Target,
        threads: int = 1,
        on_error: str = "stop",
        *,
        source: str = "auto",
        target: str = "auto",
        encoding: str = "utf-8",
        retag: bool = False,
        offsets: bool = False,
        progress: Progress = None,
        format: str = "auto",
        batch_words: int = BATCH_WORDS,
    ) -> Report:
        """Give treebanks or running text tags and lemmas from file to file, as `parse_file` does, without parsing."""
        request = Request.of(
            "tag_file", threads=threads, on_error=on_error, source=of_format(source, format), target=target,
            encoding=encoding, retag=retag, offsets=offsets, progress=progress, batch_words=batch_words,
        )  # fmt: skip
        return self.through(request, input, output, TAGS)

    def tokenize_file(
        self,
        input: Any,
        output: Target,
        threads: int = 1,
        *,
        source: str = "auto",
        target: str = "auto",
        encoding: str = "utf-8",
        offsets: bool = False,
        on_error: str = "stop",
        progress: Progress = None,
        batch_words: int = BATCH_WORDS,
    ) -> Report:
        """Split running text from file to file, as `parse_file` does, without parsing it.

        Args:
            source: "text", "lines", "words" or "ndjson"; "auto" is "text" for everything that does not say otherwise.
            on_error: what becomes of sentences with bytes that are not UTF-8: "stop" raises an error for the first,
                "skip" leaves them out, "keep" keeps them with their bytes.
        """
        request = Request.of(
            "tokenize_file", threads=threads, on_error=on_error, source=source, target=target, encoding=encoding,
            offsets=offsets, progress=progress, batch_words=batch_words,
        )  # fmt: skip
        return self.through(request, input, output, TOKENIZES)


def of_format(source: str, format: str) -> str:
    """The kind of an input, of which `format` tells how many columns treebanks have."""
    if format == "auto":
        return source
    found = {"conllu": "conllu/10", "conllx": "conllx", "conllx/8": "conllx/8"}.get(format)
    if found is None:
        raise Error(f"format={format!r} is unknown: write 'auto', 'conllu' or 'conllx'")
    if source not in ("auto", "conllu", "conllx"):
        return source
    return found


def _ahead(threads: int, work: Callable[[Treebank], Treebank], items: Iterator[Treebank]) -> Iterator[Treebank]:
    """What becomes of the items, in their order; several threads work ahead of whoever asks."""
    with ordered(work, items, threads) as found:
        yield from found


def _told(call: Call, progress: Progress) -> Callable[[Treebank], None]:
    """What is to be done when a part of the sentences has been annotated."""
    counted = None if progress is None else Counted(progress)

    def told(part: Treebank) -> None:
        if counted is not None:
            counted.tell(part)
        call.warn()

    return told


def _warn_of_name(text: str) -> None:
    """Warn of a text that is the name of a file: it is parsed as it is."""
    if " " not in text and "." in text[-9:] and "\n" not in text and os.path.isfile(text):
        import warnings

        warnings.warn(
            f"parse_text parses the text {text!r} itself, which is the name of a file: parse_file parses what is in it",
            FastparseWarning, stacklevel=3,
        )  # fmt: skip


def load(name_or_path: str | os.PathLike[str] | None = None, *, verify: bool = False) -> Parser:
    """Open a model.

    It opens in milliseconds. All of it is read and checked before use, so that a damaged or malicious file is refused,
    and a file that is changed or removed afterwards does not matter.

    Args:
        name_or_path: the path of a model file; or the name of a model: "en", the English one that comes with fastparse
            (also None), "en-fast", the one for greedy parsing, or one that is installed as a package
            (`fastparse models` lists them); "auto" chooses for each document the installed model of its language, and
            gives a `fastparse.choosing.Auto`.
        verify: compute the SHA-256 of the file as well as its fast checksum.

    Raises:
        ModelFormatError: if it is no usable model file.
        UnknownNameError: if there is no such file, or FASTPARSE_KERNEL asks for vector instructions that this machine
            lacks.
    """
    if name_or_path == AUTO:
        from fastparse.choosing import Auto

        return Auto(opened_once)  # type: ignore[return-value]
    path = find(name_or_path)
    container = read_container(path, verify=verify)
    kernel()  # a wrong FASTPARSE_KERNEL is no fault of the model
    try:
        found = Annotator.from_sections(sections_of(container.header, container.arrays))
        return Parser(found, (os.path.abspath(path), container.sha256))
    except ModelFormatError:
        raise
    except RecursionError:
        raise ModelFormatError(
            f"{os.fspath(path)}: the model cannot be used: its header is nested too deeply"
        ) from None
    except (ValueError, TypeError, OverflowError) as error:
        raise ModelFormatError(
            f"{os.fspath(path)}: the model cannot be used: {error}. Copy it again, or train it with this version."
        ) from error


# Parsers that are open in this process, by the address of their model, and by the file each was opened from.
_OPEN: dict[tuple[str, str], Parser] = {}
_UNCHANGED: dict[tuple[str | int, ...], Parser] = {}
_OPENING = threading.Lock()


def shared(path: str, sha256: str) -> Parser:
    """The parser in that file, opened once per process however often it is asked for.

    Raises:
        ModelFormatError: if the file holds another model.
    """
    with _OPENING:
        parser = _OPEN.get((path, sha256))
        if parser is None:
            parser = load(path)
            if parser.sha256 != sha256:
                raise ModelFormatError(
                    f"{path}: this is another model (SHA-256 {parser.sha256[:12]}..) than "
                    f"expected ({sha256[:12]}..). Put the same file there again."
                )
            _OPEN[path, sha256] = parser
        return parser


def opened_once(model: Any) -> Parser:
    """A parser: the one given; or that of a name or path as for `load`, opened once per process unless it changes."""
    if isinstance(model, Parser):
        return model
    path = os.path.abspath(find(model))
    try:
        of = os.stat(path)
    except OSError:
        return load(path)  # which says what is wrong
    # The time of the last change of anything, content or dates, cannot be set back.
    key = (path, of.st_dev, of.st_ino, of.st_size, of.st_mtime_ns, of.st_ctime_ns)
    parser = _UNCHANGED.get(key)
    if parser is None:
        opened = load(path)
        with _OPENING:
            parser = _UNCHANGED.setdefault(key, _OPEN.setdefault(opened.address, opened))
    return parser
