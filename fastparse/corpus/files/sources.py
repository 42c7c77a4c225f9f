"""Where treebanks come from: paths, streams, bytes; plain or compressed."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import IO, Any

from fastparse.corpus.files.compression import MAGIC_SIZE, damaged, decompressed
from fastparse.errors import ConlluError, Error

__all__ = ["Input", "opened", "sources_of"]


class Input:
    """An open source: `read` as of binary files, and the name messages use."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self.name = name

    def read(self, size: int = -1) -> bytes:
        """The next `size` bytes (fewer only at the end), or all there are."""
        try:
            if size < 0:
                return self._stream.read()
            pieces = [self._stream.read(size)]
            while pieces[-1] and (missing := size - sum(map(len, pieces))) > 0:
                pieces.append(self._stream.read(missing))
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)
        except Exception as error:
            what = damaged(error)
            if what is None:
                raise
            raise ConlluError(
                f"{self.name}: {what}. Nothing of it can be trusted: fetch or compress the file again."
            ) from error


class _Raw(io.RawIOBase):
    """Anything with `read`, as the raw stream io.BufferedReader wants, `start` being read already; text is UTF-8."""

    def __init__(self, stream: Any, start: bytes = b"") -> None:
        self._stream = stream
        self._left = start

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._left or _bytes(self._stream.read(len(buffer)))
        taken = data[: len(buffer)]
        self._left = data[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)


def _bytes(data: Any) -> bytes:
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")  # what is no text is then reported with its place
    return data or b""


def sources_of(source: Any) -> list[Any]:
    """The single sources of what a user gives: a path, "-", a stream, bytes, or a list of those."""
    if isinstance(source, (list, tuple)):
        for item in source:
            if not isinstance(item, (str, os.PathLike, bytes, bytearray, memoryview)) and not hasattr(item, "read"):
                raise Error(f"cannot read {item!r:.80}: give paths, '-', open files or bytes")
        return list(source)
    if isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)) or hasattr(source, "read"):
        return [source]
    raise Error(f"cannot read {source!r:.80}: give a path, a list of paths, '-', an open file or bytes")


@contextlib.contextmanager
def opened(source: Any) -> Iterator[Input]:
    """An `Input` that is closed afterwards if it was opened here."""
    with contextlib.ExitStack() as stack:
        stream: Any
        if isinstance(source, (bytes, bytearray, memoryview)):
            data = bytes(source)
            stream, name, start = io.BytesIO(data), "<bytes>", data[:MAGIC_SIZE]
        else:
            if not isinstance(source, (str, os.PathLike)):
                stream, name = source, str(getattr(source, "name", "<stream>"))
            elif os.fspath(source) == "-":
                stream, name = getattr(sys.stdin, "buffer", sys.stdin), "<stdin>"
            else:
                # Unbuffered: reads are large, and a whole plain file then goes into one allocation of its size.
                name = str(os.fspath(source))
                stream = stack.enter_context(open(source, "rb", buffering=0))
            start = b""
            while len(start) < MAGIC_SIZE and (data := _bytes(stream.read(MAGIC_SIZE - len(start)))):
                start += data
            if isinstance(stream, io.FileIO) and stream.seekable():
                stream.seek(-len(start), os.SEEK_CUR)
            else:
                stream = io.BufferedReader(_Raw(stream, start), 1 << 16)
        unpacked = decompressed(stream, start)
        if unpacked is not stream:
            stack.enter_context(unpacked)
        yield Input(unpacked, name)
