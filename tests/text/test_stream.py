"""Work in order on several threads, when its consumer stops early."""

import gc
import io
import threading
import time

import pytest

import fastparse
from fastparse.annotate.stream import in_order, stream
from fastparse.request import Request

SENTENCE = "1\tGo\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"


def test_the_cycle_collector_waits_for_no_thread():
    free, begun = threading.Event(), threading.Event()
    caller = threading.current_thread()

    def work(n):
        if threading.current_thread() is caller:
            begun.wait(30)
        elif n:
            begun.set()
            free.wait(30)
        else:
            time.sleep(0.2)  # until more is waiting
        return n

    def leave():
        results = in_order(work, iter(range(100)), 2)
        assert next(results) == 0
        assert begun.wait(30)
        cycle = [results]
        cycle.append(cycle)

    leave()
    collecting = threading.Thread(target=gc.collect)
    collecting.start()
    collecting.join(5)
    ended = not collecting.is_alive()
    free.set()
    collecting.join(30)
    assert ended


def test_a_stream_that_fails_ends_its_threads_at_once():
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError("full")

    def mine():
        return {one for one in threading.enumerate() if one.name.startswith("fastparse_")}

    before = mine()
    parser = fastparse.load("en-fast")
    with pytest.raises(OSError, match="full") as found:
        stream(
            io.BytesIO(SENTENCE.encode() * 1000), Full(), lambda part: (parser.parse(part), None),
            Request(threads=3, batch_words=10, source="conllu"),
        )  # fmt: skip
    end = time.monotonic() + 10
    while mine() - before and time.monotonic() < end:
        time.sleep(0.01)
    assert not mine() - before
    assert found.value.__traceback__  # the frames are kept, and keep nothing running


def test_nothing_is_taken_before_what_comes_slowly():
    taken = []

    def work(item):
        time.sleep(0.02)
        return item

    for k, found in enumerate(in_order(work, (taken.append(k) or k for k in range(6)), 3, lambda item: True)):
        assert (found, taken[-1]) == (k, k)
