"""Files that appear whole or not at all."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from fastparse.corpus.files.compression import zstd_module

__all__ = ["open_output"]


@contextlib.contextmanager
def open_output(target: str | os.PathLike[str] | IO[bytes]) -> Iterator[IO[bytes]]:
    """A binary stream to write to; the file takes its name only when everything is written.

    The bytes go to a temporary file in the same folder, which is flushed to the disk and then renamed. When the block
    is left by an exception, the temporary file is removed and what stood under the name before is untouched. Devices,
    pipes and `-` (standard output) are written to directly.

    Args:
        target: a path whose suffix chooses compression (.gz, .xz, .bz2, .zst), "-", or an open binary stream.
    """
    if not isinstance(target, (str, os.PathLike)):
        yield target
        return
    if os.fspath(target) == "-":
        stream = getattr(sys.stdout, "buffer", sys.stdout)
        yield cast("IO[bytes]", stream)
        stream.flush()
        return
    path = Path(os.path.realpath(os.fspath(target)))
    mode = _mode_of(path)
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as plain, _compressed(plain, path.suffix) as stream:
            yield stream
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    # Opened with the mode any new file gets, which the umask then narrows.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(descriptor, "wb") as plain:
            with _compressed(plain, path.suffix) as stream:
                yield stream
            plain.flush()
            os.fsync(plain.fileno())
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(path.parent)


def _mode_of(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where folders can be opened at all."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _compressed(plain: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """A compressing stream on top of a plain one; the same input gives the same bytes (no time stamps, no names)."""
    stream: Any
    if suffix == ".gz":
        stream = gzip.GzipFile(filename="", mode="wb", fileobj=plain, compresslevel=6, mtime=0)
    elif suffix == ".xz":
        stream = lzma.LZMAFile(plain, "wb")  # noqa: SIM115, closed below
    elif suffix == ".bz2":
        stream = bz2.BZ2File(plain, "wb")
    elif suffix == ".zst":
        zstd = zstd_module()
        stream = zstd.ZstdFile(plain, "wb", options={zstd.CompressionParameter.checksum_flag: 1})
    else:
        yield plain
        return
    with stream, io.BufferedWriter(stream, 1 << 16) as buffered:
        yield buffered
