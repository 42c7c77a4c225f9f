"""Decompression by content: what a file is called does not matter, its first bytes do."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from fastparse.errors import Error
from fastparse.extras import EXTRAS, how_to_install

__all__ = ["SUFFIXES", "damaged", "decompressed", "is_compressed", "streams_of", "suffix_for", "zstd_module"]

MAGIC_SIZE = 6
SUFFIXES = ("", ".gz", ".zst")  # of outputs that their users have not named
_STEP = 1 << 13
# Of an input from which on its output is large. CoNLL-U has ten times the bytes of its text, and more.
_LARGE = {"conllu": 1 << 30, "text": 100 << 20}


def zstd_module() -> Any:
    """The standard library's zstd (Python 3.14) or its backport."""
    for name in EXTRAS["zstd"].modules[0].split("|"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise Error(f"zstd files need a module that is not installed: {how_to_install('zstd')}, or use gzip or xz")


class _Streams(io.RawIOBase):
    """Compressed streams one after the other, as parallel compressors write them.

    Whatever follows one must be another, or zeros that pad it: the standard library's readers take what they cannot
    decode there for the end of the file, and so would lose what stands in a damaged stream and after it.
    """

    def __init__(
        self, raw: IO[bytes], new: Callable[[], Any], padded: bool, begun: Callable[[int], object] | None = None
    ) -> None:
        """Args: begun: is told where in `raw` each of the streams begins, before its bytes are given."""
        self._raw, self._new, self._padded, self._tell_begun = raw, new, padded, begun
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
                if self._tell_begun is not None:
                    self._tell_begun(self._raw.tell() - len(data))
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


class _Gzip:
    """A decoder of one gzip stream, with the attributes of the others."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._full = False  # more may come of what was given

    @property
    def needs_input(self) -> bool:
        return not self._full

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def decompress(self, data: bytes, most: int) -> bytes:
        found = self._decoder.decompress(self._decoder.unconsumed_tail + data, most)
        self._full = len(found) == most
        return found


def _xz() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ)


def _zstd() -> Any:
    return zstd_module().ZstdDecompressor()


@dataclass(frozen=True)
class _Kind:
    """A kind of compression.

    Attributes:
        magics: what a file of it begins with.
        open: from a raw stream to an unpacked one, which whoever gets it closes.
        new: a decoder of one stream.
        padded: whether zeros may follow a stream.
    """

    magics: tuple[bytes, ...]
    open: Callable[[Any], Any]
    new: Callable[[], Any]
    padded: bool = False


def _buffered(raw: io.RawIOBase) -> IO[bytes]:
    return io.BufferedReader(raw, 1 << 16)


# Frames of zstd that decoders leave out: the parallel pzstd begins with one.
_SKIPPED = tuple(bytes([first]) + b"\x2a\x4d\x18" for first in range(0x50, 0x60))
_KINDS = (
    _Kind((b"\x1f\x8b",), lambda raw: gzip.GzipFile(fileobj=raw, mode="rb"), _Gzip, padded=True),
    _Kind((b"\xfd7zXZ\x00",), lambda raw: _buffered(_Streams(raw, _xz, padded=True)), _xz, padded=True),
    _Kind((b"BZh",), lambda raw: _buffered(_Streams(raw, bz2.BZ2Decompressor, padded=False)), bz2.BZ2Decompressor),
    _Kind((b"\x28\xb5\x2f\xfd", *_SKIPPED), lambda raw: zstd_module().ZstdFile(raw, "rb"), _zstd),
)  # fmt: skip


def _kind_of(start: bytes) -> _Kind | None:
    return next((kind for kind in _KINDS if start.startswith(kind.magics)), None)


def is_compressed(start: bytes) -> bool:
    """Whether a file that begins so is compressed."""
    return _kind_of(start) is not None


def decompressed(raw: IO[bytes], start: bytes) -> IO[bytes]:
    """`raw`, or the stream it unpacks to; `start` is what it begins with, still to be read from it."""
    kind = _kind_of(start)
    if kind is None:
        return raw
    unpacked: IO[bytes] = kind.open(raw)
    return unpacked


def streams_of(raw: IO[bytes], start: bytes, begun: Callable[[int], object]) -> io.RawIOBase:
    """What the compressed streams of a file, one after the other, unpack to; each `read` gives bytes of one of them.

    Args:
        start: what `raw` begins with, still to be read from it: of a compressed file.
        begun: is told where in `raw` each of the streams begins, before its bytes are given.
    """
    kind = _kind_of(start)
    assert kind is not None, "not compressed"
    return _Streams(raw, kind.new, kind.padded, begun)


def suffix_for(compress: str, size: int, kind: str, given: str = "") -> str:
    """The suffix of compression for an output that its user has not named.

    Args:
        compress: "zst", "gz", "none"; or "auto": as the input is, and that of zstd for a large output, if zstd can be
            imported.
        size: of the input, in bytes as it lies there.
        kind: of it: "conllu", or one of text.
        given: the suffix of the input, if it is compressed.

    Raises:
        Error: if zstd is asked for and cannot be imported.
    """
    if compress == "zst":
        zstd_module()
    if compress != "auto":
        return "" if compress == "none" else f".{compress}"
    if given or size < _LARGE.get(kind, _LARGE["text"]):
        return given
    try:
        zstd_module()
    except Error:
        return ""
    return ".zst"


def damaged(error: BaseException) -> str | None:
    """What a decompressor's exception means, or None when it is about something else."""
    if isinstance(error, EOFError):
        return "the compressed file is truncated: it ends before its end mark"
    if isinstance(error, (gzip.BadGzipFile, zlib.error, lzma.LZMAError)):
        return f"the compressed file is damaged ({error})"
    if type(error).__name__ == "ZstdError" or (isinstance(error, OSError) and error.errno is None):
        return f"the compressed file is damaged ({error})"
    return None
