"""Compression on threads: the same bytes for any number of them, nothing lost, errors where they are read."""

import bz2
import gzip
import io
import lzma
import random
import threading
import time

import pytest

from fastparse import read_conllu
from fastparse.corpus.files import packing
from fastparse.corpus.files.output import open_output
from fastparse.corpus.files.packing import Ahead, Packer, gzip_member

UNPACK = {"gz": gzip.decompress, "xz": lzma.decompress, "bz2": bz2.decompress}
PIECE = packing._PIECE


def noise(size):
    """Bytes that pack well, and fast."""
    return (random.Random(size).randbytes(1 + size // 64) * 64)[:size]


@pytest.mark.parametrize("suffix", UNPACK)
@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1])
def test_what_is_packed_comes_back(tmp_path, suffix, size):
    path, data = tmp_path / f"out.{suffix}", noise(size)
    with open_output(path) as out:
        for start in range(0, len(data), 70_001):
            out.write(data[start : start + 70_001])
    assert UNPACK[suffix](path.read_bytes()) == data


def test_the_number_of_threads_changes_no_byte(monkeypatch):
    found, data = set(), noise(5 * PIECE)
    for threads in (1, 2, 7):
        monkeypatch.setattr(packing.os, "cpu_count", lambda threads=threads: threads)
        plain = io.BytesIO()
        with Packer(plain, gzip_member) as packer:
            packer.write(data)
            packer.finish()
        found.add(plain.getvalue())
    assert len(found) == 1


def test_an_error_while_packing_is_raised():
    with Packer(io.BytesIO(), lambda piece: 1 / 0) as packer:
        packer.write(b"a")
        with pytest.raises(ZeroDivisionError):
            packer.finish()


def test_no_thread_is_left_when_a_file_is_left_unread(tmp_path):
    path = tmp_path / "in.gz"
    path.write_bytes(gzip_member(noise(20 * PIECE)))
    before = threading.active_count()
    stream = Ahead(gzip.GzipFile(path))
    assert stream.read(5) == noise(20 * PIECE)[:5]
    stream.close()
    stream.close()
    assert threading.active_count() == before


def test_pieces_are_read_ahead_in_order_and_not_without_end():
    asked = []

    class Source(io.RawIOBase):
        def read(self, size=-1):
            asked.append(size)
            return bytes([len(asked)]) * 10 if len(asked) < 50 else b""

    stream = Ahead(Source())
    deadline = time.monotonic() + 5
    while len(asked) < packing._AHEAD and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.05)
    assert len(asked) <= packing._AHEAD + 1
    assert stream.read() == b"".join(bytes([i]) * 10 for i in range(1, 50))
    assert stream.read(5) == b""
    stream.close()


def test_errors_come_where_the_stream_is_read_and_come_again():
    pieces = [b"good"]

    class Source(io.RawIOBase):
        def read(self, size=-1):
            return pieces.pop() if pieces else 1 / 0

    stream = Ahead(Source())
    assert stream.read(4) == b"good"
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            stream.read(4)
    stream.close()


def test_a_treebank_of_many_pieces_is_read_back(tmp_path):
    data = b"".join(b"# sent_id = %d\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n" % i for i in range(60_000))
    path = tmp_path / "out.conllu.gz"
    with open_output(path) as out:
        out.write(data)
    assert read_conllu(path).to_bytes() == data
