"""Commands in processes of their own, which start quickly.

A process has real streams, signals and an exit status. It is forked from one that has imported the package, so it
starts in a few milliseconds; a new interpreter needs 0.3 s for that. Tests of what is imported, of environments and of
closed streams start interpreters.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from functools import lru_cache
from subprocess import PIPE, CompletedProcess
from typing import IO, Any

FORKS = hasattr(os, "fork") and hasattr(socket, "send_fds")
_SIZE = struct.Struct("=q")
_LOADED = ("fastparse.annotate.stream", "fastparse.cli.files", "fastparse.cli.main", "fastparse.parser")


def run(*words: Any, data: bytes | None = None, cwd: Any = None, stdin: Any = None) -> CompletedProcess[bytes]:
    """Run `fastparse WORDS` to its end. Args: data: what standard input holds."""
    with start(*words, stdin=PIPE if data is not None else stdin, stdout=PIPE, stderr=PIPE, cwd=cwd) as process:
        out, errors = process.communicate(data)
    return CompletedProcess([*map(str, words)], process.returncode, out, errors)


def start(*words: Any, stdin: Any = None, stdout: Any = None, stderr: Any = None, cwd: Any = None) -> Any:
    """Start `fastparse WORDS`; what comes back is used as a `subprocess.Popen`."""
    given = [os.fsdecode(word) if isinstance(word, os.PathLike) else str(word) for word in words]
    if FORKS:
        return _Forked(given, (stdin, stdout, stderr), cwd)
    return subprocess.Popen(
        [sys.executable, "-m", "fastparse", *given], stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd,
        env={**os.environ, "PYTHONPATH": _path()},
    )  # fmt: skip


def _path() -> str:
    return os.pathsep.join(os.path.abspath(place) for place in sys.path)


class _Forked:
    """A child of the process that forks. Its streams are None, PIPE, DEVNULL, a number or a file."""

    def __init__(self, words: list[str], streams: tuple[Any, Any, Any], cwd: Any) -> None:
        self.returncode: int | None = None
        self._ended = threading.Lock()
        theirs: list[int] = []
        ours: list[IO[bytes] | None] = []
        for number, given in enumerate(streams):
            if given == PIPE:
                reads, writes = os.pipe()
                mine, other = (writes, reads) if number == 0 else (reads, writes)
                ours.append(open(mine, "wb" if number == 0 else "rb"))  # noqa: SIM115, closed by communicate or who asked
            else:
                ours.append(None)
                if given == subprocess.DEVNULL:
                    other = os.open(os.devnull, os.O_RDWR)
                else:
                    other = os.dup(number if given is None else given if isinstance(given, int) else given.fileno())
            theirs.append(other)
        self.stdin, self.stdout, self.stderr = ours
        self._answers, answers = socket.socketpair()
        request = json.dumps(
            {"words": words, "cwd": os.fspath(cwd or os.getcwd()), "environment": dict(os.environ)}
        ).encode()
        channel, lock = _forking()
        with lock:
            socket.send_fds(channel, [_SIZE.pack(len(request))], [*theirs, answers.fileno()])
            channel.sendall(request)
        answers.close()
        for descriptor in theirs:
            os.close(descriptor)
        (self.pid,) = _SIZE.unpack(self._answers.recv(_SIZE.size))

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0.001)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        with self._ended:
            if self.returncode is None:
                self._answers.settimeout(timeout)
                try:
                    said = self._answers.recv(_SIZE.size)
                except TimeoutError:
                    raise subprocess.TimeoutExpired("fastparse", timeout or 0) from None
                self.returncode = os.waitstatus_to_exitcode(_SIZE.unpack(said)[0])
                self._answers.close()
        return self.returncode

    def communicate(self, data: bytes | None = None, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Write data, read all that is said, and wait for the end."""
        found: dict[str, bytes] = {}

        def read(name: str, stream: IO[bytes]) -> None:
            found[name] = stream.read()

        readers = [
            threading.Thread(target=read, args=(name, stream))
            for name, stream in (("out", self.stdout), ("errors", self.stderr))
            if stream is not None and not stream.closed
        ]
        for reader in readers:
            reader.start()
        if self.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.stdin.write(data or b"")
            with contextlib.suppress(BrokenPipeError):
                self.stdin.close()
        self.wait(timeout)
        for reader in readers:
            reader.join()
        self._close()
        return found.get("out", b""), found.get("errors", b"")

    def _close(self) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def __enter__(self) -> _Forked:
        return self

    def __exit__(self, *error: Any) -> None:
        self._close()
        if error[0] is not None:
            self.kill()
        self.wait()


@lru_cache(maxsize=1)
def _forking() -> tuple[socket.socket, threading.Lock]:
    """The process that forks: a way to it, and a lock for whoever writes."""
    channel, theirs = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, "-c", f"from tests.commands import fork; fork({theirs.fileno()})"],
        pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": _path()},
    )  # fmt: skip
    theirs.close()

    def end() -> None:
        channel.close()
        process.wait()

    atexit.register(end)
    return channel, threading.Lock()


def fork(number: int) -> None:
    """Fork a child for every request that comes from a socket; the children run their commands.

    A child of the first generation waits for one of the second, and says how it has ended.
    """
    for name in _LOADED:
        __import__(name)
    channel = socket.socket(fileno=number)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored in the background of a shell
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the first generation
    while True:
        size, descriptors, _, _ = socket.recv_fds(channel, _SIZE.size, 4)
        if not size:
            sys.exit()
        left = _SIZE.unpack(size)[0]
        request = b""
        while left > len(request):
            request += channel.recv(left - len(request))
        if os.fork() == 0:
            break
        for descriptor in descriptors:
            os.close(descriptor)
    channel.close()
    *streams, answers = descriptors
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child:
        for descriptor in streams:
            os.close(descriptor)
        os.write(answers, _SIZE.pack(child))
        os.write(answers, _SIZE.pack(os.waitpid(child, 0)[1]))
        os._exit(0)
    os.close(answers)
    _become(json.loads(request), streams)


def _become(request: dict[str, Any], streams: list[int]) -> None:
    """Run a command as a new interpreter would."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", 1 if os.isatty(1) else -1, "utf-8")
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace")
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["fastparse", *request["words"]]
    from fastparse.cli.main import main

    main()
