"""Parts of files as streams of their own."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastparse.bulk.cutting import BOM
from fastparse.bulk.plans import Shard
from fastparse.corpus.files.sources import opened

__all__ = ["Range", "unpacked"]

_STEP = 1 << 20


class Range(io.RawIOBase):
    """Part of a file. It is what it begins with: a shard of plain text is not unpacked, whatever its first bytes are.

    Attributes:
        unpacked: whether readers take it as it is.
    """

    def __init__(self, stream: Any, begin: int, end: int) -> None:
        self.name = stream.name if begin == 0 else f"{stream.name} (from byte {begin:,})"
        self.unpacked = True
        self._stream = stream
        self._left = end - begin
        self._digest = hashlib.sha256()
        stream.seek(begin)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        data: bytes = self._stream.read(wanted)
        self._left -= len(data)
        self._digest.update(data)
        return data

    def sha256(self) -> str:
        """Of all its bytes, those that are not read yet included."""
        while self.read(_STEP):
            pass
        return self._digest.hexdigest()


class _Unpacked:
    """A part of a decompressed input as a stream, without the byte order mark that one run over all inputs drops."""

    unpacked = True

    def __init__(self, stream: Any, name: str, shard: Shard, mark: bytes) -> None:
        self.name = name
        self._stream = stream
        left = shard.skip
        while left and (data := stream.read(min(left, _STEP))):
            left -= len(data)
        self._left = shard.size
        start = b"" if shard.begin or shard.skip else self._taken(len(mark))
        self._start = b"" if start == mark else start

    def read(self, size: int = -1) -> bytes:
        if self._start:
            begin, self._start = self._start, b""
            return begin + self._taken(-1) if size < 0 else begin
        return self._taken(size)

    def _taken(self, size: int) -> bytes:
        if self._left is None:
            data: bytes = self._stream.read(size)
            return data
        data = self._stream.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


@contextmanager
def unpacked(part: Range, shard: Shard, kind: str) -> Iterator[Any]:
    """What a shard holds, decompressed, as a stream.

    Args:
        kind: what it is.
    """
    if not shard.packed:
        yield part
        return
    part.unpacked = False
    with opened(part) as stream:
        yield _Unpacked(stream, part.name, shard, BOM if shard.input and kind == "conllu" else b"")
