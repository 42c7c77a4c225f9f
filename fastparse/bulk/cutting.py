"""Where inputs are cut into shards: behind a sentence of CoNLL-U, behind a paragraph of text.

A compressed file cannot be read from its middle, but from wherever a compressed stream in it begins; parallel
compressors, and fastparse, write many of them (members of gzip, frames of zstd). No sentence need end where one does:
a shard of such a file has whole streams, and leaves out of them what is of the shards before and after it.
"""

from __future__ import annotations

import io
import os
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import IO, NamedTuple

from fastparse.corpus.files.compression import MAGIC_SIZE, damaged, is_compressed, streams_of
from fastparse.corpus.files.names import open_regular
from fastparse.errors import Error
from fastparse.text.chunks import after_paragraph, within_paragraph

__all__ = ["BOM", "Cut", "cuts_of", "open_input"]

BOM = b"\xef\xbb\xbf"
_STEP = 1 << 16
_BEFORE, _BEHIND = 8, 16  # bytes before and behind a place that tell whether it is one
_WINDOW, _LARGEST_WINDOW = 1 << 8, 1 << 25  # unpacked bytes in which a place is looked for, at first and at last
_LARGEST_STREAM = 16  # shards; a larger one is most of the file, as a rule


class Cut(NamedTuple):
    """A part of a file that becomes a shard.

    Attributes:
        begin, end: its bytes in the file.
        packed: whether these are compressed.
        skip: how many unpacked bytes are of the shard before.
        size: how many unpacked bytes behind those are its own; None for all.
        continues: whether it begins within a paragraph of text.
    """

    begin: int
    end: int
    packed: bool = False
    skip: int = 0
    size: int | None = None
    continues: bool = False


def open_input(path: str) -> io.BufferedReader:
    """A file of which shards are parts; raises Error for what has no parts to come back to."""
    file = open_regular(path)
    if file is None:
        raise Error(f"{path}: this is a device or a pipe, and shards are parts of files. Write it to a file first.")
    return io.BufferedReader(file)


def cuts_of(path: str, shard_bytes: int, kind: str, *, first: bool) -> Iterator[Cut]:
    """The parts of a file, in order.

    Args:
        shard_bytes: how large a part should be, unpacked.
        kind: what the file is.
        first: whether it is the first input; a byte order mark at the start of another one is left out.
    """
    with open(path, "rb") as stream:
        start = stream.read(MAGIC_SIZE)
    if is_compressed(start):
        return _of_packed(path, start, shard_bytes, kind)
    marked = not first and kind == "conllu" and start.startswith(BOM)
    return _of_plain(path, shard_bytes, kind, len(BOM) if marked else 0)


def _of_plain(path: str, shard_bytes: int, kind: str, begin: int) -> Iterator[Cut]:
    size = os.path.getsize(path)
    with open(path, "rb") as stream:
        bounds = [begin]
        while bounds[-1] + shard_bytes < size:
            bounds.append(_after(stream, bounds[-1] + shard_bytes, size, kind))
        if bounds[-1] < size or len(bounds) == 1:
            bounds.append(size)
        for at, end in pairwise(bounds):
            yield Cut(at, end, continues=at > 0 and kind != "conllu" and within_paragraph(stream, at))


def _of_packed(path: str, start: bytes, shard_bytes: int, kind: str) -> Iterator[Cut]:
    """One part, unless the file has streams that are not much larger than a shard should be."""
    size = os.path.getsize(path)
    with open(path, "rb", buffering=0) as stream:
        found = _Places(kind, shard_bytes)
        found.look(stream, start)
    bounds = [(0, False), *found.places]
    for (at, continues), (end, _) in pairwise(bounds):
        begin, skip = found.stream_of(at)
        yield Cut(begin, found.stream_behind(end, size), True, skip, end - at, continues)
    at, continues = bounds[-1]
    begin, skip = found.stream_of(at)
    yield Cut(begin, size, True, skip, None if found.size is None else found.size - at, continues)


class _Places:
    """Places in what a compressed file unpacks to where a shard may begin.

    Attributes:
        places: these, and whether each is within a paragraph of text.
        size: how much there is; None if the rest was not looked at: it is one stream that is too large for this to be
            worth while, or damaged, which whoever parses it says.
    """

    def __init__(self, kind: str, shard_bytes: int) -> None:
        self.places: list[tuple[int, bool]] = []
        self.size: int | None = None
        self._kind, self._shard_bytes = kind, shard_bytes
        self._packed, self._unpacked = array("Q"), array("Q")  # where streams begin, in the file and in what it holds
        self._done = 0

    def look(self, file: IO[bytes], start: bytes) -> None:
        """Unpack a file, which begins so, and find them."""
        try:
            self.size = self._looked(streams_of(file, start, self._begun))
        except Exception as error:
            if damaged(error) is None:
                raise

    def stream_of(self, at: int) -> tuple[int, int]:
        """Where in the file the stream begins that has an unpacked byte, and how far the byte is in it."""
        number = bisect_left(self._unpacked, at)  # of several that begin there all but the last are empty
        if number == len(self._unpacked) or self._unpacked[number] > at:
            number -= 1
        return (self._packed[number], at - self._unpacked[number]) if number >= 0 else (0, at)

    def stream_behind(self, end: int, otherwise: int) -> int:
        """Where in the file the first stream begins that has no byte before an unpacked one."""
        number = bisect_left(self._unpacked, end)
        return self._packed[number] if number < len(self._packed) else otherwise

    def _begun(self, place: int) -> None:
        self._packed.append(place)
        self._unpacked.append(self._done)

    def _looked(self, unpacked: io.RawIOBase) -> int | None:
        last, before, window = 0, b"", None
        while piece := unpacked.read(_STEP):
            begun = self._unpacked[-1]
            if self._done - begun > _LARGEST_STREAM * self._shard_bytes:
                return None
            if window is None and begun == self._done and begun >= last + self._shard_bytes:
                window = _Window(self._kind, before, begun)
            self._done += len(piece)
            before = (before + piece)[-_BEFORE:]
            if window is not None and window.grown(piece):
                last = self._taken(window, last)
                window = None
        if window is not None:
            window.look(whole=True)
            self._taken(window, last)
        return self._done

    def _taken(self, window: _Window, last: int) -> int:
        """Keep the place of a window that is done with, if it has one; where the last window with a place begins.

        Shards are measured from there, not from the place, which lies a bit behind: streams as large as a shard are
        then one each.
        """
        if window.place is None:
            return last
        self.places.append((window.place, window.continues))
        return window.begin


class _Window:
    """Unpacked bytes from the beginning of a stream on, until there is a place in them.

    Attributes:
        begin: of the stream, in all that is unpacked.
        place: also there; None if there is none yet.
        continues: whether it is within a paragraph of text.
    """

    def __init__(self, kind: str, before: bytes, begin: int) -> None:
        """Args: before: the bytes before those."""
        self.begin = begin
        self.place: int | None = None
        self.continues = False
        self._kind, self._before = kind, len(before)
        self._data = bytearray(before)
        self._next = _WINDOW

    def grown(self, piece: bytes) -> bool:
        """Add what follows; whether no more of it is wanted: there is a place, or the search is given up."""
        self._data += piece
        if len(self._data) >= self._next:
            self._next = 2 * len(self._data)
            self.look()
        return self.place is not None or len(self._data) > _LARGEST_WINDOW

    def look(self, *, whole: bool = False) -> None:
        """Args: whole: whether nothing follows."""
        data = io.BytesIO(self._data)
        found = _after(data, self._before, len(self._data), self._kind)
        if found + (1 if whole else _BEHIND) <= len(self._data):
            self.place = self.begin - self._before + found
            self.continues = self._kind != "conllu" and within_paragraph(data, found)


def _after(stream: IO[bytes], at: int, size: int, kind: str) -> int:
    """The first place from `at` on where a shard can begin, or the size."""
    if kind == "conllu":
        return _after_blank_line(stream, at, size)
    return after_paragraph(stream, at, size, lines=kind != "text")


def _after_blank_line(stream: IO[bytes], at: int, size: int) -> int:
    """The first place of CoNLL-U from `at` on where a sentence can begin: behind a blank line.

    No shard begins with what would be a byte order mark at the start of a file, and is none in its middle.
    """
    stream.seek(at)
    stream.readline()
    at = stream.tell()
    blank = False
    while line := stream.readline():
        if blank and not line.startswith(BOM):
            return at
        blank = not line.strip(b" \t\r\n")
        at = stream.tell()
    return size
