"""Decompression by content: what a file is called does not matter, its first bytes do."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Any

from fastparse.errors import Error

__all__ = ["damaged", "decompressed", "is_compressed", "zstd_module"]

MAGIC_SIZE = 6
_STEP = 1 << 13


def zstd_module() -> Any:
    """The standard library's zstd (Python 3.14) or its backport."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise Error("zstd files need a module that is not installed: pip install 'fastparse-nlp[zstd]', or use gzip or xz")


class _Streams(io.RawIOBase):
    """Compressed streams one after the other, as parallel compressors write them.

    Whatever follows one must be another, or zeros that pad it: the standard library's readers take what they cannot
    decode there for the end of the file, and so would lose what stands in a damaged stream and after it.
    """

    def __init__(self, raw: IO[bytes], new: Callable[[], Any], padded: bool) -> None:
        self._raw, self._new, self._padded = raw, new, padded
        self._decoder: Any = None
        self._waiting = b""  # read, and not yet in the decoder
        self._begun = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while len(buffer):
            if self._decoder is None:
                data = self._waiting or self._raw.read(_STEP)
                self._waiting = b""
                if not data:
                    return 0
                if self._padded and self._begun and not (data := data.lstrip(b"\0")):
                    continue
                self._decoder, self._waiting, self._begun = self._new(), data, True
            if self._decoder.needs_input and not self._waiting:
                self._waiting = self._raw.read(_STEP)
                if not self._waiting:
                    raise EOFError
            given, self._waiting = (self._waiting, b"") if self._decoder.needs_input else (b"", self._waiting)
            data = self._decoder.decompress(given, len(buffer))
            if self._decoder.eof:
                self._waiting = self._decoder.unused_data + self._waiting
                self._decoder = None
            if data:
                buffer[: len(data)] = data
                return len(data)
        return 0


def _xz() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ)


# Whoever gets the stream closes it.
_OPENERS: list[tuple[bytes, Callable[[Any], Any]]] = [
    (b"\x1f\x8b", lambda raw: gzip.GzipFile(fileobj=raw, mode="rb")),
    (b"\xfd7zXZ\x00", lambda raw: io.BufferedReader(_Streams(raw, _xz, padded=True), 1 << 16)),
    (b"BZh", lambda raw: io.BufferedReader(_Streams(raw, bz2.BZ2Decompressor, padded=False), 1 << 16)),
    (b"\x28\xb5\x2f\xfd", lambda raw: zstd_module().ZstdFile(raw, "rb")),
]


def is_compressed(start: bytes) -> bool:
    """Whether a file that begins so is compressed."""
    return any(start.startswith(magic) for magic, _ in _OPENERS)


def decompressed(raw: IO[bytes], start: bytes) -> IO[bytes]:
    """`raw`, or the stream it unpacks to; `start` is what it begins with, still to be read from it."""
    for magic, opener in _OPENERS:
        if start.startswith(magic):
            unpacked: IO[bytes] = opener(raw)
            return unpacked
    return raw


def damaged(error: BaseException) -> str | None:
    """What a decompressor's exception means, or None when it is about something else."""
    if isinstance(error, EOFError):
        return "the compressed file is truncated: it ends before its end mark"
    if isinstance(error, (gzip.BadGzipFile, zlib.error, lzma.LZMAError)):
        return f"the compressed file is damaged ({error})"
    if type(error).__name__ == "ZstdError" or (isinstance(error, OSError) and error.errno is None):
        return f"the compressed file is damaged ({error})"
    return None
