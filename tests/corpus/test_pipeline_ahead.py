"""How far a stream reads ahead of the batch that is written next."""

import io
import threading
import time

from fastparse.annotate import stream as pipeline
from fastparse.request import Request

WORD = b"1\tw%d\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def test_no_more_is_read_ahead_than_was_said():
    """While the first batch is being worked on, two threads have six batches between them."""
    begun, ahead = [], []

    def transform(batch):
        begun.append(batch[0].forms[0])
        if batch[0].forms[0] == "w0":
            time.sleep(0.3)
            ahead.append(len(begun))
        return batch, None

    source, out = b"".join(WORD % i for i in range(60)), io.BytesIO()
    pipeline.stream(source, out, transform, Request(threads=2, batch_words=1))
    assert out.getvalue() == source
    assert len(begun) == 60
    assert ahead[0] <= 6


def test_the_calling_thread_is_one_of_the_threads():
    workers = []

    def transform(batch):
        workers.append(threading.get_ident())
        time.sleep(0.005)
        return batch, None

    source, out = b"".join(WORD % i for i in range(60)), io.BytesIO()
    pipeline.stream(source, out, transform, Request(threads=2, batch_words=1))
    assert out.getvalue() == source
    assert len(workers) == 60
    assert len(set(workers)) == 2
    assert threading.get_ident() in workers
