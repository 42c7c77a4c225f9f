"""Compressed files of several streams: read whole or refused, wherever they are damaged."""

import bz2
import gzip
import lzma
import random

import pytest

import fastparse
from fastparse import read_conllu

SENTENCE = b"1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
PACKERS = {"bz2": bz2.compress, "xz": lzma.compress, "gz": lambda data: gzip.compress(data, mtime=0)}


def parts():
    """Pieces that do not pack to nothing."""
    noise = random.Random(7)
    return [
        b"".join(b"# sent_id = %d\n" % noise.getrandbits(60) + SENTENCE for _ in range(30)) for _ in range(4)
    ]  # fmt: skip


@pytest.mark.parametrize("kind", PACKERS)
def test_streams_one_after_the_other_are_one_file(kind):
    data = b"".join(map(PACKERS[kind], parts()))
    assert read_conllu(data).to_bytes() == b"".join(parts())
    batches = list(fastparse.iter_conllu(data, 7))
    assert b"".join(batch.to_bytes() for batch in batches) == b"".join(parts())


@pytest.mark.parametrize("kind", PACKERS)
def test_a_bit_that_is_wrong_anywhere_is_noticed(kind):
    """The standard library takes a later stream that it cannot decode for the end: sentences were lost silently."""
    streams = list(map(PACKERS[kind], parts()))
    data, whole = b"".join(streams), b"".join(parts())
    begins = [sum(map(len, streams[:k])) for k in range(4)]
    bits = [8 * begin + bit for begin in begins for bit in (1, 9, 17, 30, 33, 50, 90, 8 * 40, 8 * 200)]
    for bit in bits:
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        try:
            found = read_conllu(bytes(damaged), on_error="skip")
        except fastparse.ConlluError as error:
            assert "compressed file is" in str(error) or ":1:" in str(error)  # noqa: PT017
        else:
            # Fields that say nothing of the content, and a file that is not recognised as compressed any more.
            assert found.to_bytes() == whole or bit < 48


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("rest", [b"x", b"rubbish" * 100, b"\0\0\0\1", b"BZh", b"\xfd7zXZ", b"\x1f\x8b"])
def test_what_is_no_stream_may_not_follow(kind, rest):
    with pytest.raises(fastparse.ConlluError, match="the compressed file is"):
        read_conllu(PACKERS[kind](SENTENCE) + rest)


@pytest.mark.parametrize("kind", ["xz", "gz"])
@pytest.mark.parametrize("size", [4, 8, 200_000])
def test_zeros_may_pad(kind, size):
    pack = PACKERS[kind]
    assert read_conllu(pack(SENTENCE) + bytes(size)).to_bytes() == SENTENCE
    assert read_conllu(pack(SENTENCE) + bytes(size) + pack(SENTENCE)).to_bytes() == 2 * SENTENCE


@pytest.mark.parametrize("kind", PACKERS)
def test_every_end_before_the_end_is_noticed(kind):
    data = PACKERS[kind](parts()[0]) + PACKERS[kind](parts()[1])
    first = len(PACKERS[kind](parts()[0]))
    for end in (*range(first + 1, first + 12), len(data) - 1):
        with pytest.raises(fastparse.ConlluError, match="the compressed file is"):
            read_conllu(data[:end], on_error="skip")
