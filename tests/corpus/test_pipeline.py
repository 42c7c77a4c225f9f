"""What a stream of batches reports."""

from __future__ import annotations

import io

import pytest

from fastparse.annotate import stream as pipeline
from fastparse.request import Request

BAD = b"1\tGo\t_\tX\t_\t_\tx\troot\t_\t_\n\n"
GOOD = b"1\tGo\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize(("on_error", "threads"), [("skip", 1), ("keep", 1), ("skip", 3)])
def test_problems_are_kept_up_to_a_thousand_and_counted_beyond(on_error, threads):
    out = io.BytesIO()
    report = pipeline.stream(
        (BAD * 300 + GOOD) * 6,
        out,
        lambda batch: (batch, None),
        Request(on_error=on_error, batch_words=1, threads=threads),
    )
    assert len(report.problems) == 1000
    assert (report.skipped, report.kept) == ((1800, 0) if on_error == "skip" else (0, 1800))
    assert (report.sentences, report.words) == (6, 6)
    assert out.getvalue() == (GOOD * 6 if on_error == "skip" else (BAD * 300 + GOOD) * 6)
    assert report.bytes_written == len(out.getvalue())


def test_progress_counts_up():
    seen: list[tuple[int, int]] = []
    pipeline.stream(
        GOOD * 5,
        io.BytesIO(),
        lambda batch: (batch, None),
        Request(batch_words=2, progress=lambda r: seen.append((r.sentences, r.words))),
    )
    assert seen == [(2, 2), (4, 4), (5, 5)]
