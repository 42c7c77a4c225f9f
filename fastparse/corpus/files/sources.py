"""Where treebanks come from: paths, streams, bytes; plain or compressed."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import select
import stat
import sys
from collections.abc import Iterator
from typing import IO, Any

from fastparse.corpus.files.compression import MAGIC_SIZE, damaged, decompressed
from fastparse.corpus.files.names import need_name, of_files
from fastparse.corpus.files.packing import Ahead
from fastparse.errors import ConlluError, Error

__all__ = ["Input", "Meter", "opened", "sources_of"]

_LARGEST_READ = 1 << 26  # bytes asked for at once: streams make room for what they are asked for, though little follows
_PATIENCE = 0.01  # seconds without a byte after which a pipe counts as slow
_LOOKED_AT = 1 << 12  # bytes that tell what an input is

# Byte order marks of the encodings that have one, the longest first; that of UTF-8 is left to who reads the bytes.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


class Input:
    """An open source: `read` as of binary files, and the name messages use.

    Attributes:
        dry: whether the last `read_ready` ended because nothing more was there yet.
    """

    def __init__(self, stream: IO[bytes], name: str, pipe: int | None = None, meter: Meter | None = None) -> None:
        """Users call `opened`.

        Args:
            pipe: the descriptor of a pipe, terminal or socket that `stream` reads through `read1`.
            meter: counts what is read.
        """
        self._stream = stream
        self._pipe = pipe
        self._meter = meter
        self._seen = b""  # looked at, and not yet read
        self.name = name
        self.dry = False

    def look(self) -> bytes:
        """The first bytes, some kB or what a pipe has of them now; `read` gives them again."""
        if not self._seen:
            self._seen = self.read_ready(_LOOKED_AT)
        return self._seen

    def read(self, size: int = -1) -> bytes:
        """The next `size` bytes (fewer only at the end), or all there are."""
        if size < 0:
            # A pipe gives what it has at the time: all of it has come when it gives nothing more.
            return b"".join(iter(lambda: self._read(size), b""))
        pieces = [self._read(size)]
        while pieces[-1] and (missing := size - sum(map(len, pieces))) > 0:
            pieces.append(self._read(missing))
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def read_ready(self, size: int) -> bytes:
        """As `read`, but of a pipe that has no more for now what there is: at least a byte, unless it has ended."""
        self.dry = False
        if self._pipe is None:
            return self.read(size)
        pieces = [self._read(size)]
        while pieces[-1] and (missing := size - sum(map(len, pieces))) > 0:
            if not _is_ready(self._pipe):
                self.dry = True
                break
            pieces.append(self._read(missing))
        return b"".join(pieces)

    def _read(self, size: int) -> bytes:
        if self._seen:
            data = self._seen if size < 0 else self._seen[:size]
            self._seen = self._seen[len(data) :]
            return data
        size = min(size, _LARGEST_READ)
        try:
            data = self._stream.read1(size) if self._pipe is not None else self._stream.read(size)  # type: ignore[attr-defined]
        except UnicodeError as error:
            raise ConlluError(
                f"{self.name}: the text cannot be decoded ({error}). Say how it is encoded: encoding='latin-1', for "
                f"example."
            ) from error
        except Exception as error:
            what = damaged(error)
            if what is None:
                raise
            raise ConlluError(
                f"{self.name}: {what}. Nothing of it can be trusted: fetch or compress the file again."
            ) from error
        if self._meter is not None:
            self._meter.count(len(data))
        return data


def _is_ready(descriptor: int) -> bool:
    """Whether a pipe has something to read within a moment, or has ended."""
    if hasattr(select, "poll"):  # takes descriptors of any number
        poll = select.poll()
        poll.register(descriptor, select.POLLIN | select.POLLHUP | select.POLLERR)
        return bool(poll.poll(_PATIENCE * 1000))
    return bool(select.select([descriptor], [], [], _PATIENCE)[0])


class Meter:
    """How much of its sources has been read."""

    def __init__(self, source: Any) -> None:
        """A meter for what `opened` opens one after the other: the items of `sources_of(source)`."""
        sizes = [_size_of(item) for item in sources_of(source)]
        self._total = 0 if None in sizes else sum(size for size in sizes if size)
        self._before = 0
        self._stream: Any = None
        self._start = 0
        self._read = (0, 0)  # bytes packed and unpacked, as they were at the same time
        self._said = (0, 0.0)  # of how many bytes which share was said

    def turn_to(self, stream: Any) -> None:
        """Count on with the next source; None after the last."""
        if not self._total:
            return
        if self._stream is not None:
            self._before += self._stream.tell() - self._start
        self._stream, self._start = stream, 0 if stream is None else stream.tell()

    def count(self, size: int) -> None:
        """So many bytes more are unpacked; on the thread that has read them."""
        packed = self._before + (0 if self._stream is None else self._stream.tell() - self._start)
        self._read = packed, self._read[1] + size

    def passed(self, size: int) -> None:
        """So many bytes of a source that is opened elsewhere have been used."""
        self._before += size
        self._read = self._before, self._before

    def share(self, used: int) -> float | None:
        """The part of the sources of which so many unpacked bytes are what they begin with; None if not known."""
        packed, unpacked = self._read
        if not self._total or not unpacked:
            return None
        share = min(1.0, packed / self._total * min(1.0, used / unpacked))
        if used >= self._said[0]:  # what is packed is read in blocks: more is done, and never seems less
            self._said = used, max(share, self._said[1])
            return self._said[1]
        return share


def _size_of(item: Any) -> int | None:
    """The bytes still to be read from a source, if that is known."""
    if isinstance(item, (bytes, bytearray, memoryview)):
        return len(item)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if isinstance(item, (str, os.PathLike)) and os.fspath(item) != "-":
            found = os.stat(item)
            return found.st_size if stat.S_ISREG(found.st_mode) else None
        stream = getattr(sys.stdin, "buffer", sys.stdin) if isinstance(item, (str, os.PathLike)) else item
        if isinstance(stream, io.TextIOBase):  # whose places are no numbers of bytes
            return None
        found = os.fstat(stream.fileno())
        return max(0, found.st_size - stream.tell()) if stat.S_ISREG(found.st_mode) else None
    return None


def _pipe_of(stream: Any) -> int | None:
    """The descriptor of a stream that may keep its reader waiting, where one can ask whether it has something."""
    if os.name != "posix" or not hasattr(stream, "read1"):
        return None
    with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):
        number: int = stream.fileno()
        mode = os.fstat(number).st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode):
            return number
    return None


class _Raw(io.RawIOBase):
    """Anything with `read`, as the raw stream io.BufferedReader wants, `start` being read already; text is UTF-8."""

    def __init__(self, stream: Any, start: bytes = b"") -> None:
        self._read = (
            stream.read if _pipe_of(stream) is None else stream.read1
        )  # what is there, without waiting for more
        self._left = start

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._left or _bytes(self._read(len(buffer)))
        taken = data[: len(buffer)]
        self._left = data[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)


def _bytes(data: Any) -> bytes:
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")  # what is no text is then reported with its place
    return data or b""


class _Recoded(io.RawIOBase):
    """Text in any encoding as UTF-8; a byte order mark is left out."""

    def __init__(self, stream: Any, encoding: str) -> None:
        self._stream, self._decoder = stream, codecs.getincrementaldecoder(encoding)()
        self._left, self._ended, self._begun = b"", False, False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left and not self._ended:
            data = _bytes(self._stream.read1(len(buffer)))
            self._ended = not data
            text = self._decoder.decode(data, self._ended)
            if text and not self._begun:
                self._begun, text = True, text.removeprefix("\ufeff")
            self._left = text.encode("utf-8", "surrogatepass")
        taken = self._left[: len(buffer)]
        self._left = self._left[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)


def _in_utf8(stream: Any, start: bytes, encoding: str) -> Any:
    """A stream of UTF-8: this one, or one that encodes it anew. Args: start: what it begins with."""
    marked = next((name for mark, name in _MARKS if start.startswith(mark)), None)
    if marked == "utf-8" or (marked is None and encoding in ("utf-8", "ascii")):
        return stream
    if not hasattr(stream, "read1"):
        stream = io.BufferedReader(stream, 1 << 16)
    return io.BufferedReader(_Recoded(stream, marked or encoding), 1 << 16)


def _is_stream(item: Any) -> bool:
    """Whether an object has `read`, or `pieces` that give its bytes."""
    return hasattr(item, "read") or hasattr(item, "pieces")


def sources_of(source: Any) -> list[Any]:
    """The single sources of what a user gives: a path, "-", a stream, bytes, or a list of those."""
    if isinstance(source, (list, tuple)):
        for item in source:
            if not isinstance(item, (str, os.PathLike, bytes, bytearray, memoryview)) and not _is_stream(item):
                raise Error(f"cannot read {item!r:.80}: give paths, '-', open files or bytes")
        items = list(source)
    elif isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)) or _is_stream(source):
        items = [source]
    else:
        raise Error(f"cannot read {source!r:.80}: give a path, a list of paths, '-', an open file or bytes")
    for item in items:
        if isinstance(item, (str, os.PathLike)):
            need_name(item)
    return items


@contextlib.contextmanager
def opened(source: Any, meter: Meter | None = None, encoding: str = "utf-8") -> Iterator[Input]:
    """An `Input` that is closed afterwards if it was opened here.

    A stream with a true attribute `unpacked` is taken as it is, whatever it begins with.

    Args:
        encoding: of the text, by Python's name in lower case; a byte order mark counts more. What is read is UTF-8.
    """
    if isinstance(source, Input):  # opened before, to look at what it is
        yield source
        return
    with contextlib.ExitStack() as stack:
        stream: Any
        if isinstance(source, (bytes, bytearray, memoryview)):
            stream, name = io.BytesIO(source), "<bytes>"
        elif not isinstance(source, (str, os.PathLike)):
            stream, name = source, str(getattr(source, "name", "<stream>"))
        elif os.fspath(source) == "-":
            if sys.stdin is None:
                raise Error("standard input is closed: give a file, or leave it open")
            stream, name = getattr(sys.stdin, "buffer", sys.stdin), "<stdin>"
        else:
            # Unbuffered: reads are large, and a whole plain file then goes into one allocation of its size.
            name = str(os.fspath(source))
            with of_files():
                stream = stack.enter_context(open(source, "rb", buffering=0))
        if meter is not None:
            meter.turn_to(stream)
            stack.callback(meter.turn_to, None)
        is_text = isinstance(stream, io.TextIOBase)  # which has been decoded
        pipe = _pipe_of(stream)
        start = b""
        while len(start) < MAGIC_SIZE and (data := _bytes(stream.read(MAGIC_SIZE - len(start)))):
            start += data
        if isinstance(stream, (io.FileIO, io.BytesIO)) and stream.seekable():
            stream.seek(-len(start), os.SEEK_CUR)
        else:
            stream = io.BufferedReader(_Raw(stream, start), 1 << 16)
        unpacked = stream if getattr(source, "unpacked", False) else decompressed(stream, start)
        if unpacked is not stream:
            pipe = None
            if isinstance(stream, io.FileIO) and stream.seekable():  # of a pipe one might wait for the end in vain
                unpacked, meter = Ahead(unpacked, None if meter is None else meter.count), None
            stack.enter_context(unpacked)
            unpacked = unpacked if hasattr(unpacked, "peek") else io.BufferedReader(unpacked, 1 << 16)
            start = b""
            with contextlib.suppress(Exception):  # what is damaged is said where it is read
                start = unpacked.peek(MAGIC_SIZE)[:MAGIC_SIZE]
        if not is_text and not getattr(source, "unpacked", False):
            unpacked = _in_utf8(unpacked, start, encoding)
        yield Input(unpacked, name, pipe, meter)
