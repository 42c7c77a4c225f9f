"""Treebanks and texts through a function and out again: in batches, in order, in bounded memory, on several threads."""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from numbers import Integral
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar

from fastparse.corpus.conllu.tokenization import renumbered
from fastparse.corpus.files.output import open_output
from fastparse.corpus.files.sources import Input, Meter, opened, sources_of
from fastparse.corpus.layout import Failures
from fastparse.corpus.problems import Problem, number_of
from fastparse.corpus.reading import batches
from fastparse.corpus.treebank import Treebank
from fastparse.errors import ConlluError, Error
from fastparse.text.chunks import Chunk

if TYPE_CHECKING:
    from fastparse.text.tokenizer import Tokenizer

__all__ = [
    "BATCH_WORDS", "MOST_THREADS", "Batch", "Report", "Transform", "in_order", "stream", "stream_text", "texts_of",
]  # fmt: skip

BATCH_WORDS = 20_000  # what a batch costs besides its words is a twentieth of the time of the fastest parsers
MOST_THREADS = 1024
_BYTES_PER_WORD = 6  # of running text, a guess
_TEXT_READ = 1 << 18
_BATCHES_AHEAD = 3  # per thread, read or finished but not yet written
_MOST_PROBLEMS = 1000


@dataclass
class Report:
    """What became of an input.

    Attributes:
        sentences: parsed.
        words: in these.
        skipped: sentences that could not be read and are not in the output (on_error="skip").
        kept: the same, copied as they are (on_error="keep").
        seconds: from opening the input to closing the output.
        bytes_written: before compression.
        bytes_read: of running text; of CoNLL-U as many as were written.
        problems: why sentences were skipped or kept, the first thousand.
        share: the part of the input that is done, from 0 to 1, while it is read; None if its size is not known.
    """

    sentences: int = 0
    words: int = 0
    skipped: int = 0
    kept: int = 0
    seconds: float = 0.0
    bytes_written: int = 0
    bytes_read: int = 0
    problems: list[Problem] = field(default_factory=list)
    share: float | None = None

    @property
    def words_per_second(self) -> float:
        return self.words / self.seconds if self.seconds else 0.0

    def add(self, batch: Batch, n_bytes: int, seconds: float) -> None:
        """Count a batch that has been written with so many bytes, so many seconds after the beginning."""
        self.sentences += batch.sentences
        self.words += batch.words
        self.skipped += batch.failures.skipped
        self.kept += batch.failures.kept
        self.bytes_written += n_bytes
        self.bytes_read += n_bytes if batch.size is None else batch.size
        self.problems += batch.failures.problems[: _MOST_PROBLEMS - len(self.problems)]
        self.seconds = seconds

    def __str__(self) -> str:
        lost = "".join(f", {n:,} {what}" for n, what in ((self.skipped, "skipped"), (self.kept, "kept unparsed")) if n)
        return (
            f"{number_of(self.sentences, 'sentence')}, {number_of(self.words, 'word')}{lost} in {self.seconds:.1f} s "
            f"({self.words_per_second:,.0f} words per second)"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("sentences", "words", "skipped", "kept", "seconds", "words_per_second", "bytes_written")
        return {**{name: getattr(self, name) for name in names}, "problems": [str(p) for p in self.problems]}


@dataclass(frozen=True)
class Batch:
    """Sentences on their way through.

    Attributes:
        data: as it is written.
        sentences: of it.
        words: in these.
        work: what `transform` says of its work; None for no sentences.
        size: bytes of running text it was; None for CoNLL-U.
        failures: what could not be read.
        first: the number of the first sentence in `data`.
        treebank: the sentences of running text.
    """

    data: bytes
    sentences: int
    words: int
    work: Any
    size: int | None = None
    failures: Failures = field(default_factory=Failures)
    first: int = 1
    treebank: Treebank | None = None


Transform = Callable[[Treebank], tuple[Treebank, Any]]
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def stream(
    source: Any,
    target: str | os.PathLike[str] | IO[bytes],
    transform: Transform,
    *,
    threads: int = 1,
    on_error: str = "stop",
    format: str = "auto",
    deps: str = "keep",
    heads: bool = True,
    batch_words: int = BATCH_WORDS,
    progress: Callable[[Report], object] | None = None,
    written: Callable[[Batch], object] | None = None,
) -> Report:
    """Read a treebank, transform it batch by batch, and write it in the same order.

    Args:
        source: as for `iter_conllu`.
        target: a path, written whole or not at all; "-" or a stream, written batch by batch.
        transform: gives the same sentences with other heads and labels, and what is to be known of its work, if
            anything. It is called from several threads at once, so it has to be safe for that; the output does not
            depend on their number.
        on_error, format, heads, deps: as for reading and writing.
        progress: called after every batch with the report so far.
        written: called with every batch, in order, when it has been written.
    """

    def through(item: tuple[Treebank, bool]) -> Batch:
        treebank, _slow = item
        made, work = transform(treebank) if len(treebank) else (treebank, None)
        failures = Failures(treebank.skipped, treebank.kept_unparsed, treebank.problems)
        return Batch(made.to_bytes(deps), len(treebank), treebank.n_words, work, failures=failures)

    meter = Meter(source)
    treebanks = batches(source, batch_words, format, on_error, meter, go_on=True, heads=heads)
    return _stream(treebanks, through, _is_slow, target, threads, meter, progress, written, Report())


def _is_slow(item: tuple[Treebank, bool]) -> bool:
    return item[1]


def texts_of(source: Any, meter: Meter | None = None) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Name and bytes, in pieces, of every text: paths, "-", streams or bytes, one or a list; also compressed.

    An empty piece says that a pipe has no more for now.
    """
    for item in sources_of(source):
        with opened(item, meter) as stream:
            yield stream.name, _pieces(stream)


def _pieces(stream: Input) -> Iterator[bytes]:
    while data := stream.read_ready(_TEXT_READ):
        yield data
        if stream.dry:
            yield b""


def stream_text(
    texts: Iterable[tuple[str, Iterable[bytes]]],
    target: str | os.PathLike[str] | IO[bytes] | None,
    tokenizer: Tokenizer,
    transform: Transform | None,
    *,
    input: str = "text",
    offsets: bool = False,
    threads: int = 1,
    on_error: str = "stop",
    deps: str = "keep",
    batch_words: int = BATCH_WORDS,
    meter: Meter | None = None,
    progress: Callable[[Report], object] | None = None,
    written: Callable[[Batch], object] | None = None,
) -> Report:
    """Tokenize running text, transform it batch by batch, and write it in the same order.

    Sentences are numbered through all the texts, whatever is between them.

    Args:
        texts: each with a name, for messages, and bytes in pieces; an empty piece says that the next may take long.
        transform: as for `stream`; None writes what the tokenizer gives.
        input, offsets: as for `Tokenizer.tokenize`.
        on_error: what becomes of sentences with bytes that are not UTF-8: "stop" raises an error for the first, "skip"
            leaves them out, "keep" keeps them with their bytes, and does not transform them.
        meter: counts what is read of the texts.
        target: as for `stream`; None writes nothing: `written` gets the batches with their treebanks.
        threads, deps, batch_words, progress, written: as for `stream`.

    Raises:
        Error: for text that is not UTF-8, naming the byte, if `on_error` is "stop".
    """

    def through(chunk: Chunk | Batch) -> Batch:
        if isinstance(chunk, Batch):
            return chunk
        treebank, failures = tokenizer.sentences_of(chunk)
        made, work = (treebank, None) if transform is None or not len(treebank) else transform(treebank)
        before = report.sentences + report.kept if threads == 1 and not failures.problems else 0
        data = b"" if target is None else made.to_bytes(deps, before + 1)
        return Batch(data, len(treebank), treebank.n_words, work, chunk.size, failures, before + 1, made)

    def chunks() -> Iterator[Chunk | Batch]:
        size = max(1, min(batch_words, 1 << 20) * _BYTES_PER_WORD)
        for name, pieces in texts:
            try:
                yield from tokenizer.chunks(
                    pieces, input=input, offsets=offsets, size=size, name=name, on_error=on_error
                )  # fmt: skip
            except ConlluError as error:  # a damaged file
                if on_error == "stop" or meter is None or meter.n_sources == 1:
                    raise
                problem = Problem(name, 0, None, f"{error} The rest of it is left out.")
                yield Batch(b"", 0, 0, None, 0, Failures(skipped=1, problems=(problem,)))

    def slow(item: Chunk | Batch) -> bool:
        return isinstance(item, Chunk) and item.slow

    report = Report()
    return _stream(chunks(), through, slow, target, threads, meter, progress, written, report)


def _stream(
    items: Iterator[_Item],
    through: Callable[[_Item], Batch],
    slow: Callable[[_Item], bool],
    target: str | os.PathLike[str] | IO[bytes] | None,
    threads: int,
    meter: Meter | None,
    progress: Callable[[Report], object] | None,
    written: Callable[[Batch], object] | None,
    report: Report,
) -> Report:
    """Write what becomes of the items, in their order, and count them in the report, which is returned.

    Args:
        slow: whether the item after this one may take long to come.
    """
    if isinstance(threads, bool) or not isinstance(threads, Integral) or not 1 <= int(threads) <= MOST_THREADS:
        raise Error(f"threads={threads!r}: expected a number from 1 to {MOST_THREADS}")
    begun = perf_counter()
    batches = map(through, items) if threads == 1 else in_order(through, items, threads, slow)
    with open_output(io.BytesIO() if target is None else target) as out:
        direct = getattr(out, "flush", None) if not isinstance(target, (str, os.PathLike)) or target == "-" else None
        for batch in batches:
            data = batch.data
            before = report.sentences + report.kept + 1 - batch.first
            if batch.size is not None and before:
                # Each part of a text counts its sentences from 1, unless it was known what comes before.
                data = renumbered(data, before)
            out.write(data)
            if direct:
                direct()
            report.add(batch, len(data), perf_counter() - begun)
            if written:
                written(batch)
            if progress:
                report.share = None if meter is None else meter.share(report.bytes_read)
                progress(report)
    report.seconds = perf_counter() - begun
    return report


@dataclass
class _Task(Generic[_Item, _Result]):
    item: _Item
    future: Future[_Result]
    result: _Result | None = None


def in_order(
    work: Callable[[_Item], _Result],
    items: Iterator[_Item],
    threads: int,
    slow: Callable[[_Item], bool] = lambda item: False,
) -> Iterator[_Result]:
    """What becomes of the items, never None, in their order; only so many are alive at a time, none before a slow one.

    The calling thread reads; when enough is waiting it works too, so that there are as many threads as were asked for.
    """
    waiting: deque[_Task[_Item, _Result]] = deque()

    def oldest() -> _Result:
        """The first result, after work on what nobody has begun, if it is not there yet."""
        while not waiting[0].future.done():
            # What is cancelled already says so again: it is done here once.
            task = next((task for task in waiting if task.result is None and task.future.cancel()), None)
            if task is None:
                break
            task.result = work(task.item)
        task = waiting.popleft()
        return task.future.result() if task.result is None else task.result

    pool = ThreadPoolExecutor(threads - 1, thread_name_prefix="fastparse")
    try:
        for item in items:
            waiting.append(_Task(item, pool.submit(work, item)))
            ahead = 1 if slow(item) else threads * _BATCHES_AHEAD
            del item
            while waiting and (len(waiting) >= ahead or waiting[0].future.done()):
                yield oldest()
        while waiting:
            yield oldest()
    finally:
        # Also when the consumer stops early: what has not begun is dropped, what has begun is waited for.
        pool.shutdown(wait=True, cancel_futures=True)
