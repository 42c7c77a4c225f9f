"""Sentences of several clients through a model: some at once, as to hand one to a thread costs as much as it does."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from fastparse.corpus.arrays import part_bounds
from fastparse.corpus.reading import read_conllu
from fastparse.errors import Error
from fastparse.request import Request

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.parser import Parser
    from fastparse.server.models import Models, Offer

__all__ = ["BATCH_WORDS", "Batches", "Task", "joined"]

BATCH_WORDS = 2_000  # some 20 ms of work: what others wait for at least


class Task(NamedTuple):
    """What becomes of sentences: the same for all that a model works on together.

    Attributes:
        offer: the model.
        tags: "keep" leaves tags and lemmas as they are, "fill" gives them where there are none, as `Parser.parse`
            does, "replace" anew.
        parse: whether they get trees.
        search: what else is asked of the parser; of a task that replaces tags, also that.
    """

    offer: Offer
    tags: str
    parse: bool
    search: Request = Request()

    def done(self, parser: Parser, treebank: Treebank) -> Treebank:
        """The sentences with what was asked for. What becomes of one does not depend on the others."""
        if not self.parse:
            return treebank if self.tags == "keep" else parser.tag(treebank, retag=self.search.retag)
        parsed: Treebank = parser.parse(treebank, **self.search.changed())
        if self.tags != "keep":
            return parsed
        found = treebank.with_heads(parsed.heads, parsed.deprel_ids, parsed.deprel_table)
        return found.with_columns(misc=(parsed.ids("misc"), parsed.table("misc"))) if self.search.scores else found


@dataclass
class _Job:
    """Sentences of one client that wait for a model.

    Attributes:
        treebank: they, or what they are a part of.
        part: which; None for all.
        words: in them.
        done: gets them back.
    """

    treebank: Treebank
    part: slice | None
    words: int
    done: asyncio.Future[Treebank]


class Batches:
    """Work of all clients on the models. Its methods are for one event loop; models work in threads of its own.

    Jobs are taken in the order in which they come, those of one task together, up to BATCH_WORDS; tasks take turns.
    A client has few jobs waiting at a time, so that a large one does not keep others from theirs.

    Args:
        models: to work with.
        threads: batches that are worked on at a time.
        watched: called with the number of jobs and of words of every batch.
    """

    def __init__(self, models: Models, threads: int, watched: Callable[[int, int], object]) -> None:
        self._models = models
        self._free = self.threads = threads
        self._watched = watched
        self._waiting: OrderedDict[Task, deque[_Job]] = OrderedDict()
        self._working: set[asyncio.Task[None]] = set()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="fastparse-batch")

    @property
    def waiting(self) -> int:
        """Jobs that nobody works on yet."""
        return sum(map(len, self._waiting.values()))

    async def done(self, task: Task, treebank: Treebank, part_words: int = BATCH_WORDS) -> Treebank:
        """Sentences with what was asked for, however many, in parts of so many words."""
        if task.tags == "keep" and not task.parse:
            return treebank
        if treebank.n_words <= part_words or treebank.kept_unparsed:  # these have their places between sentences
            return await self._part_done(task, treebank, None, treebank.n_words)
        bounds = list(pairwise(part_bounds(treebank.offsets, part_words)))
        found: list[Treebank] = []
        waiting: deque[asyncio.Task[Treebank]] = deque()
        try:
            for first, last in bounds:
                if len(waiting) > self.threads:
                    found.append(await waiting.popleft())
                words = int(treebank.offsets[last] - treebank.offsets[first])
                waiting.append(asyncio.ensure_future(self._part_done(task, treebank, slice(first, last), words)))
            while waiting:
                found.append(await waiting.popleft())
        finally:
            for left in waiting:
                left.cancel()
        return await asyncio.to_thread(joined, found)

    async def _part_done(self, task: Task, treebank: Treebank, part: slice | None, words: int) -> Treebank:
        """The same for a few sentences, in one batch."""
        job = _Job(treebank, part, words, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(task, deque()).append(job)
        self._start()
        return await job.done

    def _start(self) -> None:
        while self._free and self._waiting:
            task, jobs = self._waiting.popitem(last=False)
            taken: list[_Job] = []
            words = 0
            # Whether a text is good enough for a strict task is not to depend on others.
            while jobs and (not taken or (not task.search.strict and words + jobs[0].words <= BATCH_WORDS)):
                job = jobs.popleft()
                if not job.done.done():  # a client that has gone leaves its job cancelled
                    taken.append(job)
                    words += job.words
            if jobs:
                self._waiting[task] = jobs  # behind the other tasks
            if taken:
                self._free -= 1
                working = asyncio.ensure_future(self._work(task, taken, words))
                self._working.add(working)
                working.add_done_callback(self._working.discard)

    async def _work(self, task: Task, jobs: Sequence[_Job], words: int) -> None:
        self._watched(len(jobs), words)
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._pool, self._jobs_done, task, jobs)
        finally:
            self._free += 1
            self._start()
        for job, result in zip(jobs, found, strict=True):
            if job.done.done():
                continue
            if isinstance(result, Exception):
                job.done.set_exception(result)
            else:
                job.done.set_result(result)

    def _jobs_done(self, task: Task, jobs: Sequence[_Job]) -> list[Treebank | Exception]:
        return self._all_done(task, [job.treebank if job.part is None else job.treebank[job.part] for job in jobs])

    def _all_done(self, task: Task, treebanks: list[Treebank]) -> list[Treebank | Exception]:
        """What becomes of each; of one that fails the failure, and the others do not suffer from it."""
        found: list[Treebank | Exception] = []
        for treebank in treebanks:  # a call costs what its words cost: to join them would take longer
            try:
                done = task.done(self._models.parser(task.offer), treebank)
                # An empty line ends every sentence of a part, whatever it came with.
                found.append(done if treebank.kept_unparsed else done[:])
            except Exception as error:
                found.append(error)
        return found

    def close(self) -> None:
        """Begin no more work. What has begun ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def joined(treebanks: Sequence[Treebank]) -> Treebank:
    """The sentences of several treebanks, as one that is read from their bytes."""
    if len(treebanks) == 1:
        return treebanks[0]
    if any(treebank.kept_unparsed for treebank in treebanks):
        raise Error("sentences that could not be read are not joined with others")
    whole = b"".join(treebank[:].to_bytes() for treebank in treebanks)
    return read_conllu(whole, format="conllu")
