"""Treebanks through a function and out again: in batches, in order, in bounded memory, on any number of threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter
from typing import IO, Any

from fastparse.corpus.files.output import open_output
from fastparse.corpus.problems import Problem
from fastparse.corpus.reading.conllu import iter_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error

__all__ = ["BATCH_WORDS", "Batch", "Report", "stream"]

BATCH_WORDS = 10_000
_BATCHES_AHEAD = 2  # per thread, read or finished but not yet written
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
        problems: why sentences were skipped or kept, the first thousand.
    """

    sentences: int = 0
    words: int = 0
    skipped: int = 0
    kept: int = 0
    seconds: float = 0.0
    bytes_written: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def words_per_second(self) -> float:
        return self.words / self.seconds if self.seconds else 0.0

    def add(self, batch: Batch, seconds: float) -> None:
        """Count a batch that has been written, so many seconds after the beginning."""
        treebank = batch.treebank
        self.sentences += len(treebank)
        self.words += treebank.n_words
        self.skipped += treebank.skipped
        self.kept += treebank.kept_unparsed
        self.bytes_written += len(batch.data)
        self.problems += treebank.problems[: _MOST_PROBLEMS - len(self.problems)]
        self.seconds = seconds

    def __str__(self) -> str:
        lost = "".join(f", {n:,} {what}" for n, what in ((self.skipped, "skipped"), (self.kept, "kept unparsed")) if n)
        return (
            f"{self.sentences:,} sentences, {self.words:,} words{lost} in {self.seconds:.1f} s "
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
        treebank: as it was read.
        data: as it is written.
        work: what `transform` says of its work; None for no sentences.
    """

    treebank: Treebank
    data: bytes
    work: Any


def stream(
    source: Any,
    target: str | os.PathLike[str] | IO[bytes],
    transform: Callable[[Treebank], tuple[Treebank, Any]],
    *,
    threads: int = 1,
    on_error: str = "stop",
    format: str = "auto",
    deps: str = "keep",
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
        on_error, format, deps: as for reading and writing.
        progress: called after every batch with the report so far.
        written: called with every batch, in order, when it has been written.
    """
    if threads < 1:
        raise Error(f"threads={threads!r}: expected a number from 1")
    report = Report()
    begun = perf_counter()

    def through(treebank: Treebank) -> Batch:
        made, work = transform(treebank) if len(treebank) else (treebank, None)
        return Batch(treebank, made.to_bytes(deps), work)

    treebanks = iter_conllu(source, batch_words, format, on_error)
    batches = map(through, treebanks) if threads == 1 else _in_order(through, treebanks, threads)
    with open_output(target) as out:
        direct = getattr(out, "flush", None) if not isinstance(target, (str, os.PathLike)) or target == "-" else None
        for batch in batches:
            out.write(batch.data)
            if direct:
                direct()
            report.add(batch, perf_counter() - begun)
            if written:
                written(batch)
            if progress:
                progress(report)
    report.seconds = perf_counter() - begun
    return report


@dataclass
class _Task:
    treebank: Treebank
    future: Future[Batch]
    result: Batch | None = None


def _in_order(work: Callable[[Treebank], Batch], treebanks: Iterator[Treebank], threads: int) -> Iterator[Batch]:
    """Batches in the order of the treebanks, of which only so many are alive at a time.

    The calling thread reads; when enough is waiting it works too, so that there are as many threads as were asked for.
    """
    waiting: deque[_Task] = deque()

    def oldest() -> Batch:
        """The first result, after work on what nobody has begun, if it is not there yet."""
        while not waiting[0].future.done():
            # What is cancelled already says so again: it is done here once.
            task = next((task for task in waiting if task.result is None and task.future.cancel()), None)
            if task is None:
                break
            task.result = work(task.treebank)
        task = waiting.popleft()
        return task.future.result() if task.result is None else task.result

    pool = ThreadPoolExecutor(threads - 1, thread_name_prefix="fastparse")
    try:
        for treebank in treebanks:
            waiting.append(_Task(treebank, pool.submit(work, treebank)))
            del treebank
            while waiting and (len(waiting) >= threads * _BATCHES_AHEAD or waiting[0].future.done()):
                yield oldest()
        while waiting:
            yield oldest()
    finally:
        # Also when the consumer stops early: what has not begun is dropped, what has begun is waited for.
        pool.shutdown(wait=True, cancel_futures=True)
