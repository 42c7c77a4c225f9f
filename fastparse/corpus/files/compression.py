"""Decompression by content: what a file is called does not matter, its first bytes do."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Any

from fastparse.errors import Error

__all__ = ["damaged", "decompressed", "is_compressed", "zstd_module"]

MAGIC_SIZE = 6


def zstd_module() -> Any:
    """The standard library's zstd (Python 3.14) or its backport."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise Error("zstd files need a module that is not installed: pip install 'fastparse-nlp[zstd]', or use gzip or xz")


# Whoever gets the stream closes it.
_OPENERS: list[tuple[bytes, Callable[[Any], Any]]] = [
    (b"\x1f\x8b", lambda raw: gzip.GzipFile(fileobj=raw, mode="rb")),
    (b"\xfd7zXZ\x00", lambda raw: lzma.LZMAFile(raw, "rb")),  # noqa: SIM115
    (b"BZh", lambda raw: bz2.BZ2File(raw, "rb")),
    (b"\x28\xb5\x2f\xfd", lambda raw: zstd_module().ZstdFile(raw, "rb")),
]


def is_compressed(start: bytes) -> bool:
    """Whether a file that begins so is compressed."""
    return any(start.startswith(magic) for magic, _ in _OPENERS)


def decompressed(raw: IO[bytes], start: bytes) -> IO[bytes]:
    """`raw`, or the stream it unpacks to; `start` is what it begins with, still to be read from it."""
    for magic, opener in _OPENERS:
        if start.startswith(magic):
            return opener(raw)
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
