"""Memory of batches where there is little to read: comments, bad sentences, bytes without lines, bombs."""

import gzip
import io
import resource
import subprocess
import sys

import pytest

import fastparse
from fastparse.corpus.reading import LARGEST_REST

GOOD = b"1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
MEGABYTES = 64  # above the start
PROGRAM = """
import io, resource, sys
import fastparse

class Endless(io.RawIOBase):
    def __init__(self, piece, size):
        self.piece, self.left = piece * (1 + (1 << 20) // len(piece)), size
    def readable(self): return True
    def read(self, size=-1):
        size = min(size - size % {unit}, self.left, len(self.piece))
        self.left -= size
        return self.piece[:size]

list(fastparse.iter_conllu({good!r}))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = 0
try:
    for batch in fastparse.iter_conllu(Endless({piece!r}, {size}), on_error="skip"):
        found += batch.skipped
except fastparse.ConlluError as error:
    print("refused", str(error)[:80])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, found)
"""


@pytest.mark.skipif(not hasattr(resource, "getrusage") or sys.platform == "darwin", reason="peak memory in kilobytes")
@pytest.mark.parametrize(
    ("piece", "size", "outcome"),
    [(b"1\tGo\n\n", 30_000_000, "skipped"), (b"# nothing but comments\n", 100_000_000, "refused"),
     (b"\0", 100_000_000, "refused"), (b"\n", 30_000_000, "taken")],
)  # fmt: skip
def test_memory_does_not_follow_the_file(piece, size, outcome):
    size -= size % len(piece)
    unit = len(piece)
    program = PROGRAM.format(piece=piece, size=size, good=GOOD, unit=unit)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    grown, found = map(int, done.stdout.split("\n")[-2].split())
    assert grown < MEGABYTES * 1024
    assert ("refused" in done.stdout) == (outcome == "refused")
    if outcome == "skipped":
        assert found == size // unit


def test_a_bomb_is_refused_in_every_mode():
    bomb = gzip.compress(bytes(LARGEST_REST + (1 << 23)), 1)
    for on_error in ("stop", "skip", "keep"):
        with pytest.raises(fastparse.ConlluError, match=r"<bytes>:1: here begins a sentence that does not end within"):
            list(fastparse.iter_conllu(bomb, on_error=on_error))


def test_the_limit_can_be_raised_and_long_sentences_have_none():
    comments = b"# a comment\n" * 1_500_000
    assert b"".join(b.to_bytes() for b in fastparse.iter_conllu(comments + GOOD, 10)) == comments + GOOD
    comments += comments[: len(comments) // 2]
    with pytest.raises(fastparse.ConlluError, match="raise largest_rest"):
        list(fastparse.iter_conllu(comments + GOOD, 10))
    found = list(fastparse.iter_conllu(comments + GOOD, 10, largest_rest=1 << 26))
    assert [len(batch) for batch in found] == [1]
    with pytest.raises(fastparse.Error, match="largest_rest=0: give a number of bytes"):
        fastparse.iter_conllu(GOOD, largest_rest=0)


def test_batches_of_few_words_are_the_whole():
    data = (b"1\tGo\n\n" * 1000 + GOOD) * 2000
    whole = fastparse.read_conllu(data, on_error="keep")
    batches = list(fastparse.iter_conllu(io.BytesIO(data), 3000, on_error="keep"))
    assert len(batches) > 1
    assert b"".join(batch.to_bytes() for batch in batches) == data
    assert sum(map(len, batches)) == len(whole) == 2000
    assert sum(batch.kept_unparsed for batch in batches) == whole.kept_unparsed == 2_000_000


def test_a_batch_may_be_as_large_as_anything():
    assert [len(batch) for batch in fastparse.iter_conllu(GOOD * 3, 10**30)] == [3]


class Asked(io.BytesIO):
    """Remembers how much it was asked for at once."""

    most = 0

    def read(self, size=-1):
        self.most = max(self.most, -1 if size is None else size)
        return super().read(size)


def test_no_more_is_asked_for_at_once_than_there_may_be_room_for():
    """A batch of a thousand million words had 1.6 GB set aside for it before a byte was read."""
    source = Asked(GOOD * 10)
    (batch,) = fastparse.iter_conllu(source, 10**9)
    assert len(batch) == 10
    assert 0 < source.most <= 1 << 26


@pytest.mark.parametrize("batch_words", [0, -1, 2.9, float("nan"), float("inf"), "3", None])
def test_batches_have_whole_numbers_of_words(batch_words):
    """Not a number ended in a ValueError of Python's, and what is none in a TypeError."""
    with pytest.raises(fastparse.Error, match="give a number of words, at least 1"):
        list(fastparse.iter_conllu(GOOD, batch_words))
