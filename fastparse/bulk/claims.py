"""Who works on a shard: a file that only one runner can make.

Claims save work and nothing else: results are right without them. That of a process that is dead is given back by
whoever finds it on the same machine; of other machines only their users know.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from fastparse.bulk.records import is_count, read_record
from fastparse.corpus.files.temporary import temporary_file, temporary_name

_LATEST = 1e12  # seconds since the epoch

__all__ = ["Claim", "claimed", "give_back"]


@dataclass(frozen=True)
class Claim:
    """Who holds a shard, and since when.

    Attributes:
        machine: where process numbers mean something.
        pid, started: the process.
        since: seconds since the epoch.
        job: what it works for; None for itself.
    """

    machine: str
    pid: int
    started: str
    since: float
    job: str | None = None

    @classmethod
    def own(cls, job: str | None) -> Claim:
        return cls(_machine(), os.getpid(), _started(os.getpid()), time.time(), job)

    @classmethod
    def read(cls, path: Path) -> Claim | None:
        """The claim in a file; None if there is no file. One that cannot be read is of nobody known."""
        try:
            claim = cls(**read_record(path))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError):
            return cls("?", 0, "", 0.0)
        texts = isinstance(claim.machine, str) and claim.machine.split() and isinstance(claim.started, str)
        numbers = is_count(claim.pid) and type(claim.since) in (int, float) and 0 <= claim.since < _LATEST
        known = texts and numbers and (claim.job is None or isinstance(claim.job, str))
        return claim if known else cls("?", 0, "", 0.0)

    @property
    def dead(self) -> bool:
        """Whether the process is known to be gone: it was of this machine."""
        return self.machine == _machine() and _started(self.pid) != self.started

    def __str__(self) -> str:
        return f"process {self.pid} on {self.machine.split()[0]}"


def claimed(path: Path, job: str | None = None) -> bool:
    """Claim for this process; False if another one holds it, or this one.

    Args:
        job: work that never has two runners for a shard: what another one of it holds, it holds no longer.
    """
    descriptor, own = temporary_file(path, 0o666)
    try:
        with open(descriptor, "wb", closefd=False) as stream:
            stream.write(json.dumps(vars(Claim.own(job))).encode("utf-8"))
        if _linked(own, path):
            return True
        found = Claim.read(path)
        if found is not None and not found.dead and (job is None or found.job != job):
            return False
        if found is not None:
            give_back(path, found)
        return _linked(own, path)
    finally:
        own.unlink()
        os.close(descriptor)


def _linked(own: Path, path: Path) -> bool:
    """Give a file a second name, unless that is there: so it has its content at once."""
    try:
        os.link(own, path)
    except FileExistsError:
        return False
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links
        content = own.read_bytes()
        try:
            with open(path, "xb") as stream:
                stream.write(content)
        except FileExistsError:
            return False
    return True


def give_back(path: Path, found: Claim) -> bool:
    """Remove the claim that was found, unless it is another one by now."""
    aside = temporary_name(path)
    try:
        os.rename(path, aside)
        same = Claim.read(aside) == found
        if not same:  # somebody was faster, and holds it: theirs goes back
            with contextlib.suppress(FileNotFoundError):  # it has been swept
                _linked(aside, path)
    except FileNotFoundError:
        return False
    finally:  # of a signal, too
        aside.unlink(missing_ok=True)
    return same


def _machine() -> str:
    """Host, start of the system and space of process numbers: what makes these unique."""
    parts = [socket.gethostname()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip())
        parts.append(os.readlink("/proc/self/ns/pid"))
    return " ".join(parts)


def _started(pid: int) -> str:
    """When a process began, in the system's own count; empty if there is none, or it has ended."""
    with contextlib.suppress(OSError, IndexError):
        state, *rest = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
        return "" if state in "ZX" else rest[18]
    if os.path.isdir("/proc/self"):
        return ""
    try:  # without /proc numbers of processes may be those of others, which only makes a claim last longer
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except OSError:
        pass
    return "alive"
