"""Compressing and decompressing beside the work: pieces on threads, the same bytes for any number of them."""

from __future__ import annotations

import io
import os
import queue
import struct
import threading
import zlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any

__all__ = ["Ahead", "Packer", "gzip_member"]

_PIECE = 1 << 20  # bytes that are compressed on their own
_MOST_THREADS = 4
_AHEAD = 4  # pieces that are decompressed and not yet asked for
_LEVEL = 6
# Deflated, no name, no time, of no operating system.
_GZIP_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"


def gzip_member(data: bytes) -> bytes:
    """A whole gzip file of these bytes; several of them, one after the other, are a gzip file, too."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = packer.compress(data) + packer.flush()
    return _GZIP_HEADER + body + struct.pack("<II", zlib.crc32(data), len(data))


class Packer(io.RawIOBase):
    """Compresses what is written to it, a piece of a fixed size at a time, and writes the results in order."""

    def __init__(self, plain: IO[bytes], compress: Callable[[bytes], bytes]) -> None:
        """Args: compress: makes a piece into something that may stand behind another one; leaves the lock of Python."""
        self._plain, self._compress = plain, compress
        self._piece = bytearray()
        self._threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
        self._pool = ThreadPoolExecutor(self._threads, "fastparse-pack")
        self._waiting: deque[Future[bytes]] = deque()
        self._written = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        at = 0
        while at < len(view):
            taken = view[at : at + _PIECE - len(self._piece)]
            self._piece += taken
            at += len(taken)
            if len(self._piece) == _PIECE:
                self._send()
        return len(view)

    def _send(self) -> None:
        self._waiting.append(self._pool.submit(self._compress, bytes(self._piece)))
        self._piece.clear()
        self._written = True
        self._take(2 * self._threads)

    def _take(self, most: int) -> None:
        """Write results until at most so many are waited for."""
        while len(self._waiting) > most:
            self._plain.write(self._waiting.popleft().result())

    def finish(self) -> None:
        """Write what is left; an empty file is one empty piece."""
        if self._piece or not self._written:
            self._send()
        self._take(0)

    def close(self) -> None:
        """Stop the threads; what has not been finished is lost."""
        if not self.closed:
            self._pool.shutdown(cancel_futures=True)
            super().close()


class Ahead(io.RawIOBase):
    """A stream that a thread of its own reads ahead, some pieces at most."""

    def __init__(self, stream: IO[bytes], count: Callable[[int], object] | None = None) -> None:
        """Args: stream: is closed with this one; count: is told how many bytes have been read, on the thread."""
        self._stream, self._count = stream, count
        self._pieces: queue.Queue[bytes | BaseException] = queue.Queue(_AHEAD)
        self._left = memoryview(b"")
        self._failed: BaseException | None = None
        self._stopped = threading.Event()
        # Nobody waits at the end of a program for bytes that nobody has asked for.
        self._thread = threading.Thread(target=self._run, name="fastparse-unpack", daemon=True)
        self._thread.start()

    def readable(self) -> bool:
        return True

    def _run(self) -> None:
        piece: bytes | BaseException = b"-"
        while piece and not isinstance(piece, BaseException):
            try:
                piece = self._stream.read(_PIECE)
                if self._count is not None:
                    self._count(len(piece))
            except BaseException as error:  # raised where the stream is read
                piece = error
            while not self._stopped.is_set():
                try:
                    self._pieces.put(piece, timeout=0.1)
                    break
                except queue.Full:
                    continue
            if self._stopped.is_set():
                return

    def readinto(self, buffer: Any) -> int:
        if self._failed is not None:
            raise self._failed
        if not self._left:
            piece = self._pieces.get()
            if isinstance(piece, BaseException):
                self._failed = piece
                raise piece
            if not piece:
                self._pieces.put(b"")  # and so for ever
                return 0
            self._left = memoryview(piece)
        taken = self._left[: len(buffer)]
        buffer[: len(taken)] = taken
        self._left = self._left[len(taken) :]
        return len(taken)

    def close(self) -> None:
        """Stops the thread when it has read its piece, and closes the stream."""
        if not self.closed:
            self._stopped.set()
            self._thread.join()
            self._stream.close()
            super().close()
