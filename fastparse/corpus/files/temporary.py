"""Temporary files that become another file, and those that dead processes have left behind.

A temporary file is locked for as long as its owner lives: the lock goes with the process, however that ends, and means
the same on every machine that shares the folder. So what can be locked by somebody else has no owner any more.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from fastparse.corpus.files.names import FULL
from fastparse.errors import Error

if sys.platform != "win32":
    import fcntl

__all__ = ["PATTERN", "replacing", "sweep", "temporary_file", "temporary_name"]

PATTERN = ".fastparse-*.tmp"
# What the system reports of a full disk.
_swept: set[Path] = set()


@contextlib.contextmanager
def replacing(path: Path, old: os.stat_result | None) -> Iterator[int]:
    """A descriptor of an empty file that takes the name `path` when the block is left, and vanishes on an exception.

    The new file has owner, group and permissions of the old one as far as they can be given; until it has, nobody else
    can read it.

    Args:
        path: without symbolic links in its last part.
        old: what stands there; None for nothing.

    Raises:
        Error: if what stands there must not be written to.
    """
    if old is not None and not (old.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise Error(f"{path}: the file is read-only. Make it writable, or give another name.")
    if path.parent not in _swept:
        _swept.add(path.parent)
        sweep(path.parent)
    lock = -1
    descriptor, temporary = temporary_file(path, 0o666 if old is None else 0o600)
    try:
        lock = os.dup(descriptor)  # held until the file has its name
        try:
            yield descriptor
            os.fsync(descriptor)
            if old is not None:
                _like(descriptor, temporary, old)
        finally:
            with contextlib.suppress(OSError):  # what was written has been flushed, or does not count
                os.close(descriptor)
        if os.name != "posix":  # where an open file cannot be renamed
            os.close(lock)
            lock = -1
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and (error.filename == str(temporary) or error.errno in FULL):
            error.filename, error.filename2 = str(path), None  # the name that is known outside
        raise
    finally:
        if lock >= 0:
            os.close(lock)
    _sync_folder(path.parent)


def sweep(folder: Path) -> list[str]:
    """Remove the temporary files in a folder whose owners are dead; returns their names."""
    removed: list[str] = []
    if sys.platform == "win32":
        return removed
    with contextlib.suppress(OSError):
        for path in folder.glob(PATTERN):
            with contextlib.suppress(OSError):
                # Not waiting: somebody may have put a pipe there under such a name.
                descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
                try:
                    if stat.S_ISREG(os.fstat(descriptor).st_mode):
                        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        os.unlink(path)
                        removed.append(path.name)
                finally:
                    os.close(descriptor)
    return removed


def temporary_name(target: Path) -> Path:
    """A name of a temporary file beside the target, which nobody else has; however long the target's is."""
    return target.with_name(f".fastparse-{os.getpid()}-{os.urandom(6).hex()}.tmp")


def temporary_file(target: Path, mode: int) -> tuple[int, Path]:
    """A new file, locked as long as its descriptor is open, beside the target.

    An exception that a signal raises, whenever it comes, leaves nothing behind: callers enter their `try` at once.
    """
    while True:
        path = temporary_name(target)
        try:
            descriptor = _locked(path, mode)
        except FileExistsError:
            continue
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.unlink(path)
            if isinstance(error, OSError):
                error.filename = str(target)
            raise
        if descriptor is not None:
            return descriptor, path


def _locked(path: Path, mode: int) -> int | None:
    """The descriptor of a new file; None if somebody has swept it before it was locked."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    if sys.platform == "win32":
        return descriptor
    kept = False
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            kept = os.fstat(descriptor).st_nlink > 0
        except BlockingIOError:  # somebody is sweeping it, between the two calls
            pass
        except OSError:  # a file system without locks: nobody sweeps there either
            kept = True
        return descriptor if kept else None
    finally:
        if not kept:
            os.close(descriptor)


def _like(descriptor: int, temporary: Path, old: os.stat_result) -> None:
    if os.name != "posix":
        os.chmod(temporary, old.st_mode & 0o777)
        return
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, old.st_mode & 0o7777)


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
