"""What can be read, through a model and out again: in batches, in order, in bounded memory, on several threads."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from operator import attrgetter
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar

from fastparse.annotate.annotator import Call
from fastparse.annotate.formats import (
    INPUTS,
    OUTPUTS,
    Done,
    Item,
    Reading,
    Transform,
    known_sources,
    of_use,
    target_of,
)
from fastparse.corpus.files.output import open_output
from fastparse.corpus.problems import Problem, number_of
from fastparse.errors import Error
from fastparse.progress import reporter, words_of
from fastparse.request import BATCH_WORDS, Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastparse.text.tokenizer import Tokenizer

__all__ = ["ALL_INPUTS", "OF_TEXT", "Done", "Report", "Transform", "in_order", "ordered", "stream"]

ALL_INPUTS = tuple(INPUTS)
OF_TEXT = ("text", "lines", "words", "ndjson")
_ROW_GROUP_WORDS = 100_000  # of a batch that becomes a row group of Parquet
_BATCHES_AHEAD = 3  # per thread, read or finished but not yet written
_MOST_PROBLEMS = 1000


@dataclass
class Report:
    """What became of an input.

    Attributes:
        sentences: annotated.
        words: in these.
        skipped: sentences that could not be read and are not in the output (on_error="skip").
        kept: the same, copied as they are (on_error="keep").
        seconds: from opening the input to closing the output.
        bytes_written: before compression.
        bytes_read: of running text; of other inputs as many as were written.
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

    def add(self, done: Done, n_bytes: int, seconds: float) -> None:
        """Count an item that has been written with so many bytes, so many seconds after the beginning."""
        self.sentences += done.sentences
        self.words += done.words
        self.skipped += done.failures.skipped
        self.kept += done.failures.kept
        self.bytes_written += n_bytes
        self.bytes_read += n_bytes if done.size is None else done.size
        self.problems += done.failures.problems[: _MOST_PROBLEMS - len(self.problems)]
        self.seconds = seconds

    def __str__(self) -> str:
        lost = "".join(f", {n:,} {what}" for n, what in ((self.skipped, "skipped"), (self.kept, "kept unparsed")) if n)
        rate = f" ({self.words_per_second:,.0f} words per second)" if self.words else ""
        counts = f"{number_of(self.sentences, 'sentence')}, {number_of(self.words, 'word')}"
        return f"{counts}{lost} in {self.seconds:.1f} s{rate}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("sentences", "words", "skipped", "kept", "seconds", "words_per_second", "bytes_written")
        return {**{name: getattr(self, name) for name in names}, "problems": [str(p) for p in self.problems]}


_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def stream(
    source: Any,
    target: str | os.PathLike[str] | IO[bytes],
    transform: Call | Transform | None,
    request: Request | None = None,
    tokenizer: Callable[[], Tokenizer] | None = None,
    *,
    allowed: Sequence[str] = ALL_INPUTS,
    otherwise: str = "conllu",
    heads: bool = True,
    written: Callable[[Done], object] | None = None,
) -> Report:
    """Read an input, transform it batch by batch, and write it in the same order.

    Args:
        source: a path, "-", a stream, bytes, or a list of these.
        target: a path, written whole or not at all; "-" or a stream, written batch by batch.
        transform: gives the same sentences with more in their columns, and what is to be known of its work, if
            anything. Several threads call it at once; the output does not depend on their number. A `Call` says itself
            what it fills and what splits running text; one that fills nothing, and None, only read.
        request: formats, encoding, DEPS, threads, progress and so on.
        tokenizer: gives what splits running text.
        allowed, otherwise: see `known_sources`.
        heads: whether HEAD of treebanks is read, unless the transform fills it.
        written: called with every item, in order, when it has been written.
    """
    fills: Sequence[str] = ()
    if isinstance(transform, Call):
        fills, tokenizer = transform.fills, transform.tokenizer
        heads, transform = "deprel" not in fills, transform if fills else None
    asked = Request() if request is None else request
    kind = target_of(target, asked.target)
    of_use(asked, OUTPUTS[kind])
    output, progress = OUTPUTS[kind], reporter(asked.progress, words_of)
    report, begun = Report(), perf_counter()
    with contextlib.ExitStack() as stack:
        found, items, meter = stack.enter_context(known_sources(source, asked, allowed, otherwise))
        if kind == "parquet" and asked.batch_words == BATCH_WORDS:
            asked = replace(asked, batch_words=_ROW_GROUP_WORDS)
        asked = replace(asked, source=found, target=kind)
        reading = Reading(asked, tokenizer or _no_tokenizer, heads, meter, fills)

        def through(item: Item) -> Done:
            done = item.load()
            if transform is not None and done.treebank is not None and (done.sentences or done.restore):
                done.treebank, done.work = transform(done.treebank)
            if done.restore is not None and done.treebank is not None:
                done.rows, done.restore = done.restore(done.treebank), None
            if asked.threads == 1 and not done.failures.problems:  # what comes before has been written
                done.first = report.sentences + report.kept + 1
            done.piece = output.encode(done, asked)
            done.treebank = None  # it has been encoded
            return done

        waiting = INPUTS[found].items(items, reading)
        finished = stack.enter_context(ordered(through, waiting, asked.threads, attrgetter("slow")))
        out = stack.enter_context(open_output(target))
        writer = output.writer(out)
        direct = getattr(out, "flush", None) if not isinstance(target, (str, os.PathLike)) or target == "-" else None
        for done in finished:
            n_bytes = writer.write(done, report.sentences + report.kept)
            if direct:
                direct()
            report.add(done, n_bytes, perf_counter() - begun)
            if written:
                written(done)
            if progress:
                report.share = meter.share(report.bytes_read)
                progress(report)
        writer.close()
    report.seconds = perf_counter() - begun
    return report


def _no_tokenizer() -> Tokenizer:
    raise Error("running text needs a model with a tokenizer: give one")


@dataclass
class _Task(Generic[_Item, _Result]):
    item: _Item
    future: Future[_Result]
    result: _Result | None = None


@contextlib.contextmanager
def ordered(
    work: Callable[[_Item], _Result],
    items: Iterator[_Item],
    threads: int,
    slow: Callable[[_Item], bool] = lambda item: False,
) -> Iterator[Iterator[_Result]]:
    """What `in_order` gives, closed when the block is left; on one thread nothing is done ahead."""
    if threads == 1:
        yield map(work, items)
        return
    with contextlib.closing(in_order(work, items, threads, slow)) as found:
        yield found


def in_order(
    work: Callable[[_Item], _Result],
    items: Iterator[_Item],
    threads: int,
    slow: Callable[[_Item], bool] = lambda item: False,
) -> Generator[_Result, None, None]:
    """What becomes of the items, never None, in their order; only so many are alive at a time, none before a slow one.

    The calling thread reads; when enough is waiting it works too, so that there are as many threads as were asked for.
    Close it where it may be left before its end.
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
        # Also when the consumer stops early: what has not begun is dropped. What has begun ends by itself: a generator
        # that the cycle collector closes, on whatever thread, must not wait for threads.
        pool.shutdown(wait=False, cancel_futures=True)
