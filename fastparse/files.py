"""What a model does from file to file, or from pipe to pipe, in bounded memory."""

from __future__ import annotations

import os
from functools import partial
from typing import IO, Any

from fastparse.annotate.counted import words_of
from fastparse.annotate.expectations import Watch
from fastparse.annotate.stream import BATCH_WORDS, Batch, Report, Transform, stream, stream_text, texts_of
from fastparse.contract import Contract
from fastparse.corpus.files.kinds import hint_at_text, kind_of_source
from fastparse.corpus.files.sources import Meter
from fastparse.errors import Error
from fastparse.progress import Progress, reporter
from fastparse.search.decoder import Work, write_stats

__all__ = ["Files"]


class Files(Contract):
    """The part of a Parser that reads and writes files."""

    def tokenize_file(
        self,
        input: Any,
        output: str | os.PathLike[str] | IO[bytes],
        threads: int = 1,
        *,
        source: str = "auto",
        offsets: bool = False,
        on_error: str = "stop",
        progress: Progress = None,
        batch_words: int = BATCH_WORDS,
    ) -> Report:
        """Split running text from file to file, as `parse_file` does, without parsing it.

        Args:
            source: "text", "lines" or "words"; "auto" is "text" for everything whose suffix is not that of CoNLL-U.
            on_error: what becomes of sentences with bytes that are not UTF-8: "stop" raises an error for the first,
                "skip" leaves them out, "keep" keeps them with their bytes.
        """
        kind = kind_of_source(input, source, otherwise="text")
        if kind == "conllu":
            raise Error("the input is CoNLL-U, which has its tokens: only text, lines and words are split into them")
        meter = Meter(input)
        return stream_text(
            texts_of(input, meter), output, self._components.need_tokenizer(), None, input=kind, offsets=offsets,
            threads=threads, on_error=on_error, batch_words=batch_words, meter=meter,
            progress=reporter(progress, words_of),
        )  # fmt: skip

    def tag_file(
        self,
        input: Any,
        output: str | os.PathLike[str] | IO[bytes],
        threads: int = 1,
        on_error: str = "stop",
        *,
        source: str = "auto",
        retag: bool = False,
        offsets: bool = False,
        progress: Progress = None,
        format: str = "auto",
        batch_words: int = BATCH_WORDS,
    ) -> Report:
        """Give CoNLL-U or running text tags and lemmas from file to file, as `parse_file` does, without parsing it."""
        self._checked(None, threads, retag)
        self._components.need_tagger()
        return self._through(
            input, output, partial(self._tagged, retag=retag), source, on_error, format, offsets, threads=threads,
            batch_words=batch_words, progress=reporter(progress, words_of),
        )  # fmt: skip

    def parse_file(
        self,
        input: Any,
        output: str | os.PathLike[str] | IO[bytes],
        beam: int | None = None,
        threads: int = 1,
        on_error: str = "stop",
        *,
        source: str = "auto",
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
    ) -> Report:
        """Parse CoNLL-U or running text from file to file, or from pipe to pipe, in bounded memory.

        The output of CoNLL-U is the input byte for byte but for the columns HEAD and DEPREL, and for tags and lemmas
        where the model fills them in. It does not depend on `threads` and `batch_words`.

        Args:
            input: a path, a list of paths, "-", an open file or bytes; plain or compressed.
            output: a path (its suffix chooses compression; the file appears whole or not at all), "-" or a stream.
            beam, threads, threshold, scores: as for `parse`.
            on_error: "stop", "skip" or "keep" sentences that cannot be read.
            source: what the input is: "conllu"; "text"; "lines", a sentence each; "words", lines of tokens with spaces
                between them; "auto": by the suffix (.conllu, .conll, .conllx; .txt), else CoNLL-U.
            retag: as for `parse`.
            offsets: of text, write TokenRange, the place of every token in characters, into MISC.
            deps: what to write to DEPS: "keep" what is there, "copy" the basic tree, or "blank".
            stats: a file that gets the report as JSON, and under "rows" words, transitions, nanoseconds, beam and
                system of every sentence. The rows are kept in memory until the end: 16 bytes each.
            progress: called with the report so far after every batch; `print` will do. True shows a bar of tqdm, in
                terminals and notebooks, after two seconds.
            format: "auto", "conllu" or "conllx".
            strict: as for `parse`; the error comes before there is an output.

        Warns:
            FastparseWarning: at the end, about all that is not what the model has learnt to read.
        """
        size = self._checked(beam, threads, retag, threshold)
        decoder = self._components.need_decoder()
        if scores:
            decoder.require_scores()
        rows: list[Work] = []

        def keep(batch: Batch) -> None:
            if batch.work is not None:
                rows.append(batch.work)

        watch = Watch(strict)
        transform = partial(
            self._parsed, beam=size, retag=retag, timed=stats is not None, threshold=threshold, watch=watch,
            scores=scores,
        )  # fmt: skip
        report = self._through(
            input, output, transform, source, on_error, format, offsets, threads=threads, deps=deps,
            batch_words=batch_words, progress=reporter(progress, words_of), heads=False,
            written=None if stats is None else keep,
        )  # fmt: skip
        if stats is not None:
            write_stats(stats, report.to_dict(), decoder.kind.description.system, size, rows)
        watch.warn()
        return report

    def _through(
        self, input: Any, output: str | os.PathLike[str] | IO[bytes], transform: Transform, source: str, on_error: str,
        format: str, offsets: bool, heads: bool = True, **ways: Any,
    ) -> Report:  # fmt: skip
        """CoNLL-U, of which HEAD is read or not, or text through a function of sentences."""
        kind = kind_of_source(input, source)
        if kind != "conllu":
            tokenizer, meter = self._components.need_tokenizer(), Meter(input)
            return stream_text(
                texts_of(input, meter), output, tokenizer, transform, input=kind, offsets=offsets, on_error=on_error,
                meter=meter, **ways,
            )  # fmt: skip
        with hint_at_text(input, source):
            return stream(input, output, transform, on_error=on_error, format=format, heads=heads, **ways)
