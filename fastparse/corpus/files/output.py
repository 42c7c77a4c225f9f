"""Outputs: files that appear whole or not at all, and what is written to directly."""

from __future__ import annotations

import bz2
import contextlib
import io
import lzma
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

from fastparse.corpus.files.compression import zstd_module
from fastparse.corpus.files.names import need_name, of_files
from fastparse.corpus.files.packing import Packer, gzip_member
from fastparse.corpus.files.temporary import replacing
from fastparse.errors import Error

__all__ = ["open_output", "write_output"]

_DESCRIPTORS = re.compile(r"/dev/fd|/proc/(?:self|(\d+))(?:/task/\d+)?/fd")
_MOST_LINKS = 40


@contextlib.contextmanager
def open_output(target: str | os.PathLike[str] | IO[bytes]) -> Iterator[IO[bytes]]:
    """A binary stream to write to; the file takes its name only when everything is written.

    The bytes go to a temporary file in the same folder, which is flushed to the disk and then renamed. When the block
    is left by an exception, the temporary file is removed and what stood under the name before is untouched. Devices,
    pipes, open descriptors (`/dev/stdout`, `/dev/fd/3`) and `-` (standard output) are written to directly, from where
    they stand. docs/robustness.md has a table of all cases.

    Args:
        target: a path whose suffix chooses compression (.gz, .xz, .bz2, .zst), "-", or an open binary stream.

    Raises:
        Error: if standard output is closed, or the target is a folder, a socket or a read-only file.
        FileError: if it cannot be written.
    """
    if not isinstance(target, (str, os.PathLike)):
        if not hasattr(target, "write"):
            raise Error(f"cannot write to {target!r:.80}: give a path, '-' or a binary stream")
        yield target
        return
    need_name(target)
    name = os.fsdecode(target)
    if name == "-":
        if sys.stdout is None:
            raise Error("standard output is closed: give a file with -o, or leave it open")
        stream: Any = getattr(sys.stdout, "buffer", sys.stdout)
        with of_files("standard output"):
            yield stream
            stream.flush()
        return
    with of_files(name), _opened(name) as stream:
        yield stream


@contextlib.contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    """What `open_output` says, for a path."""
    suffix = Path(name).suffix
    number = _descriptor_of(name)
    if number is not None:
        if sys.stdout is not None:
            sys.stdout.flush()  # what was printed before stands before
        with open(os.dup(number), "wb") as plain, _compressed(plain, suffix) as packed:
            yield packed
        return
    found = _found(name)
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise Error(f"{name}: this is a folder. Give the name of a file.")
    if found is not None and stat.S_ISSOCK(found.st_mode):
        raise Error(f"{name}: this is a socket, which cannot be written to as a file")
    if found is not None and not stat.S_ISREG(found.st_mode):
        with open(name, "wb") as plain, _compressed(plain, suffix) as packed:
            yield packed
        return
    path = Path(os.path.realpath(name))
    with replacing(path, found) as descriptor, open(descriptor, "wb", closefd=False) as plain:
        with _compressed(plain, suffix) as packed:
            yield packed
        plain.flush()


def write_output(target: str | os.PathLike[str] | IO[bytes], content: str | bytes) -> None:
    """Write a whole output at once; text in UTF-8."""
    with open_output(target) as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)


def _descriptor_of(name: str) -> int | None:
    """The number of the descriptor of this process that a path means: /dev/stdout, /dev/fd/3 and links to them."""
    for _ in range(_MOST_LINKS):
        folder, last = os.path.split(os.path.abspath(name))
        match = _DESCRIPTORS.fullmatch(os.path.realpath(folder)) if last.isdecimal() else None
        if match and match[1] in (None, str(os.getpid())):
            return int(last)
        try:
            name = os.path.join(folder, os.readlink(name))
        except OSError:
            return None
    return None


def _found(name: str) -> os.stat_result | None:
    try:
        return os.stat(name)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def _compressed(plain: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """A compressing stream on top of a plain one; the same input gives the same bytes (no time stamps, no names)."""
    compress = _COMPRESSORS.get(suffix)
    if compress is None:
        yield plain
        return
    with Packer(plain, compress()) as packer, io.BufferedWriter(packer, 1 << 16) as buffered:
        yield buffered
        buffered.flush()
        packer.finish()


def _zstd() -> Callable[[bytes], bytes]:
    zstd = zstd_module()
    return partial(zstd.compress, options={zstd.CompressionParameter.checksum_flag: 1})


# What compresses a piece, by suffix; all of these may stand one behind the other.
_COMPRESSORS: dict[str, Callable[[], Callable[[bytes], bytes]]] = {
    ".gz": lambda: gzip_member,
    ".xz": lambda: lzma.compress,
    ".bz2": lambda: bz2.compress,
    ".zst": _zstd,
}
