"""Seeing that no client asks for too much, of bytes, of time, of requests at once; and refusing those that do."""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import re
import select
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from datetime import datetime, timezone
from typing import Any

import anyio
from h11 import LocalProtocolError

from fastparse.corpus.files.names import of_files
from fastparse.corpus.problems import GO_ON, SAY_ENCODING, visible
from fastparse.errors import Error
from fastparse.server import Limits
from fastparse.server.metrics import Metrics

__all__ = ["AccessLog", "Body", "Gone", "Guard", "Refused", "log", "said_of"]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

_FREE = ("/health", "/metrics")  # whoever watches a service has to be answered when it is full
_THROWN_AWAY = 1 << 28  # bytes of a refused body, so that a client which sends all before it reads gets to its answer
_AGAIN = {"Retry-After": "1"}
_LONGEST_MESSAGE = 2000
_PLACE = re.compile(r"(?:<bytes>|the body):(?=\d)")
_LOGGED_AT_ONCE = 4096  # bytes that a pipe takes whole, or not at all
_LOGGED_EVERY = 60.0  # seconds
_LONGEST_NAME = 200  # characters of a path in the log


class Refused(Error):
    """A request that gets no answer but this message.

    Attributes:
        status: 4xx for what the client can mend, 503 for what time mends.
        headers: of the answer.
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


class Gone(BaseException):
    """The client is not there any more, or does not take its answer: nobody reads what would be said.

    It is no error, so what turns errors into answers lets it pass.
    """


def said_of(error: Error) -> str:
    """A message as clients read it: it speaks of lines of the body, gives no advice on Python, and is harmless."""
    text = _PLACE.sub("line ", str(error)[: 2 * _LONGEST_MESSAGE])
    for advice in (GO_ON, SAY_ENCODING):
        text = text.replace(f", {advice}", "")
    return visible(text, longest=_LONGEST_MESSAGE)


_logged: dict[str, float] = {}


def log(kind: str, text: str) -> None:
    """Write to standard error, of each kind once a minute. It never waits for a reader there: then the text is lost."""
    now = time.monotonic()
    if now - _logged.get(kind, -_LOGGED_EVERY) < _LOGGED_EVERY:
        return
    _logged[kind] = now
    with contextlib.suppress(OSError, ValueError):
        _written(sys.stderr.fileno(), f"fastparse: {text}\n".encode("utf-8", "backslashreplace"))


def _written(place: int, data: bytes) -> None:
    """Write as much as a descriptor takes without waiting for a reader."""
    for first in range(0, len(data), _LOGGED_AT_ONCE):
        if not select.select([], [place], [], 0)[1]:
            return
        os.write(place, data[first : first + _LOGGED_AT_ONCE])


class AccessLog:
    """A line of JSON per request, at the end of a file or on standard error. No line ever waits for a reader."""

    def __init__(self, path: str) -> None:
        """Args: path: of a file, to which lines are added; "-" for standard error."""
        self._stderr = path == "-"
        with of_files():
            self._place = -1 if self._stderr else os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640)

    def add(self, **said: Any) -> None:
        line = {"time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"), **said}
        with contextlib.suppress(OSError, ValueError):
            _written(sys.stderr.fileno() if self._stderr else self._place, f"{json.dumps(line)}\n".encode())

    def close(self) -> None:
        if self._place >= 0:
            os.close(self._place)
            self._place = -1


class Guard:
    """An application that lets no more requests through than allowed, and waits for no client longer than that.

    Attributes:
        running: requests that are worked on.
        held: bytes of bodies that are in memory.
    """

    def __init__(
        self, app: App, limits: Limits, metrics: Metrics, paths: frozenset[str], refuse: Any,
        hosts: frozenset[str] | None = None, access: AccessLog | None = None, proxies: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        """
        Args:
            app: what answers.
            paths: that are counted by their names.
            refuse: gives the answer for a Refused.
            hosts: names with dots that the service answers to, besides addresses of numbers; None for all. A page in a
                browser can have its own name lead to this machine, and is told by that name.
            access: is told of every request.
            proxies: addresses of proxies; what they say of a client's address (X-Forwarded-For) is believed.
        """
        self._app = app
        self._limits = limits
        self._metrics = metrics
        self._paths = paths
        self._refuse = refuse
        self._hosts = hosts
        self._access = access
        self._proxies = proxies
        self._clients: Counter[str] = Counter()
        self.running = 0
        self.held = 0

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 0

        async def patient_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            try:
                with anyio.fail_after(self._limits.patience):
                    await send(message)
            except (TimeoutError, OSError, LocalProtocolError):  # the last: what came was no HTTP, or ended early
                raise Gone from None

        client = self._client((scope.get("client") or ("",))[0], scope["headers"])
        body = scope["fastparse.body"] = Body(self, receive, self._limits, self._metrics)
        free = scope["path"] in _FREE
        try:
            refused = self._misled(scope["headers"]) or (None if free else self._full(client))
            if refused is not None:
                await self._refuse(refused)(scope, receive, patient_send)
                return
            self.running += not free
            self._clients[client] += not free
            try:
                await self._app(scope, receive, patient_send)
            finally:
                self.running -= not free
                self._clients[client] -= not free
                if not self._clients[client]:
                    del self._clients[client]
                self.held -= body.held
        except Gone:
            status = 0
        finally:
            if status:
                path = scope["path"] if scope["path"] in self._paths else "other"
                self._metrics.answered(path, status, time.perf_counter() - begun)
            else:
                self._metrics.gone()
            if self._access is not None:
                self._access.add(
                    client=client, method=scope["method"][:20], path=scope["path"][:_LONGEST_NAME], status=status,
                    bytes=body.received, seconds=round(time.perf_counter() - begun, 6),
                )  # fmt: skip

    def _client(self, peer: str, headers: list[tuple[bytes, bytes]]) -> str:
        """The address of a client: of the last in the chain of proxies that is not a known proxy itself."""
        if peer not in self._proxies:
            return peer
        said = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin-1")
        for address in reversed(said.split(",")):
            try:
                peer = str(ipaddress.ip_address(address.strip()))
            except ValueError:
                return peer
            if peer not in self._proxies:
                return peer
        return peer

    def _misled(self, headers: list[tuple[bytes, bytes]]) -> Refused | None:
        if self._hosts is None:
            return None
        given = next((value for name, value in headers if name == b"host"), b"").decode("latin-1").lower()
        name = re.sub(r":\d*\Z", "", given).rstrip(".")
        # A name without a dot is of this network or machine.
        if ("." not in name and ":" not in name) or name.endswith(".localhost") or name in self._hosts:
            return None
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return Refused(
                421, f"this service does not answer for {name[:200]!r}: start it with --allow-host and that name"
            )
        return None

    def _full(self, client: str) -> Refused | None:
        if self.running >= self._limits.requests:
            return Refused(
                503, f"{self.running} requests are being worked on, and no more are taken: try again", _AGAIN
            )
        if self._clients[client] >= self._limits.per_client:
            return Refused(
                429, f"{self._clients[client]} requests of your address are being worked on: wait for some", _AGAIN
            )
        return None


class Body:
    """The body of a request. It has to come without long pauses, and not too slowly as a whole.

    Attributes:
        held: bytes of it that stay in memory until the request is done.
        received: bytes of it that have come.
    """

    def __init__(self, guard: Guard, receive: Receive, limits: Limits, metrics: Metrics) -> None:
        self._guard = guard
        self._receive = receive
        self._limits = limits
        self._metrics = metrics
        self.received = 0
        self._waited = 0.0
        self.held = 0

    async def next_piece(self) -> tuple[bytes, bool]:
        """The next bytes, and whether more may come.

        Raises:
            Refused: if they take too long.
            Gone: if the client has gone.
        """
        patience, rate = self._limits.patience, self._limits.rate
        left = patience + self.received / rate - self._waited if rate else patience
        begun = time.monotonic()
        try:
            with anyio.fail_after(max(0.0, min(patience, left))):
                message = await self._receive()
        except TimeoutError:
            slow = f"it came with less than {rate:,} bytes a second"
            said = slow if left < patience else f"nothing of it came for {patience:g} seconds"
            raise Refused(408, f"the body did not come in time: {said}", {"Connection": "close"}) from None
        self._waited += time.monotonic() - begun
        if message["type"] != "http.request":
            raise Gone
        piece = message.get("body", b"")
        self.received += len(piece)
        self._metrics.received(len(piece))
        return piece, message.get("more_body", False)

    async def pieces(self) -> list[bytes]:
        """All of it, in the pieces in which it came.

        Raises:
            Refused: if it is too large, or does not come.
            Gone: if the client has gone.
        """
        found: list[bytes] = []
        more = True
        while more:
            piece, more = await self.next_piece()
            try:
                self._hold(len(piece))
            except Refused:
                found.clear()
                if more:
                    await self.throw_away()
                raise
            found.append(piece)
        return found

    def _hold(self, n_bytes: int) -> None:
        if self.received > self._limits.bytes:
            raise Refused(
                413,
                f"the body has more than {self._limits.bytes:,} bytes: send less at a time, "
                "or use /parse, which takes any length",
            )
        if self._guard.held + n_bytes > self._limits.all_bytes:
            raise Refused(503, "the service holds as many bytes as it may: try again", _AGAIN)
        self._guard.held += n_bytes
        self.held += n_bytes

    async def throw_away(self) -> None:
        """Read what is left, which nobody wants, since many a client reads its answer only after it sent all."""
        size, more = 0, True
        with anyio.move_on_after(self._limits.seconds):
            while more and size <= _THROWN_AWAY:
                try:
                    piece, more = await self.next_piece()
                except Refused:
                    return
                size += len(piece)
