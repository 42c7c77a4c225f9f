"""Work of several clients at once."""

import asyncio

import pytest

import fastparse

pytest.importorskip("starlette")

from fastparse.server.batching import BATCH_WORDS, Batches, Task
from fastparse.server.models import Models


@pytest.fixture(scope="module")
def models():
    return Models(["en-fast"])


def batches_of(models, watched=lambda jobs, words: None):
    return Batches(models, 1, watched)


def treebank(*sentences):
    return fastparse.Treebank.from_columns([sentence.split() for sentence in sentences])


def test_one_gets_the_same_alone_and_among_others(models):
    task = Task(models.default, "fill", True)
    asked = [treebank("She reads"), treebank(), treebank("Go home !", "No"), treebank("old books")] * 5
    seen = []

    async def all_of_them():
        batches = batches_of(models, lambda jobs, words: seen.append((jobs, words)))
        try:
            together = await asyncio.gather(*(batches.done(task, one) for one in asked))
            alone = [await batches.done(task, one) for one in asked]
        finally:
            batches.close()
        return together, alone

    together, alone = asyncio.run(all_of_them())
    assert [one.to_bytes() for one in together] == [one.to_bytes() for one in alone]
    assert seen[:2] == [(1, 2), (19, 38)] or max(seen) == (19, 38)


def test_sentences_that_cannot_be_read_keep_their_places(models):
    word = b"1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    given = fastparse.read_conllu(word * 3 + b"1\tbad\n\n" + word * 3, on_error="keep")

    async def done():
        batches = batches_of(models)
        try:
            return await batches.done(Task(models.default, "fill", True), given, part_words=2)
        finally:
            batches.close()

    assert asyncio.run(done()).to_bytes() == models.parser(models.default).parse(given).to_bytes()


def test_many_sentences_go_in_parts(models):
    parser = models.parser(models.default)
    sentences = ["She reads old books ."] * (BATCH_WORDS // 4) + ["Go"]
    seen = []

    async def done():
        batches = batches_of(models, lambda jobs, words: seen.append(words))
        try:
            return await batches.done(Task(models.default, "fill", True), treebank(*sentences))
        finally:
            batches.close()

    assert asyncio.run(done()) == parser.parse(treebank(*sentences))
    assert sum(seen) == 5 * (len(sentences) - 1) + 1
    assert max(seen) <= BATCH_WORDS


def test_what_fails_spoils_nothing_else(models, monkeypatch):
    parse = Task.done

    def fails(self, parser, treebank):
        if "bad" in treebank.table("form"):
            raise MemoryError("bad")
        return parse(self, parser, treebank)

    monkeypatch.setattr(Task, "done", fails)

    async def all_of_them():
        batches = batches_of(models)
        try:
            return await asyncio.gather(
                *(batches.done(Task(models.default, "fill", True), treebank(text)) for text in ("a", "b", "bad", "c")),
                return_exceptions=True,
            )
        finally:
            batches.close()

    *good, bad, last = asyncio.run(all_of_them())
    assert [len(one) for one in (*good, last)] == [1, 1, 1]
    assert isinstance(bad, MemoryError)


def test_nobody_works_for_clients_that_have_gone(models):
    seen = []

    async def gone():
        batches = batches_of(models, lambda jobs, words: seen.append(jobs))
        task = Task(models.default, "fill", True)
        asked = [asyncio.ensure_future(batches.done(task, treebank("She reads"))) for _ in range(5)]
        await asyncio.sleep(0)
        for one in asked[1:4]:
            one.cancel()
        try:
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            batches.close()

    found = asyncio.run(gone())
    assert [isinstance(one, asyncio.CancelledError) for one in found] == [False, True, True, True, False]
    assert sum(seen) == 2
