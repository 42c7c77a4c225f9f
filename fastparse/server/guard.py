"""Seeing that no client asks for too much: of bytes, of time, of requests at once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import anyio
from h11 import LocalProtocolError

from fastparse.server.failures import Gone, Refused
from fastparse.server.limits import Limits
from fastparse.server.metrics import Metrics

__all__ = ["Guard", "read_body", "throw_away"]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

_FREE = ("/health", "/metrics")  # whoever watches a service has to be answered when it is full
_THROWN_AWAY = 1 << 28  # bytes of a refused body, so that a client which sends all before it reads gets to its answer
_AGAIN = {"Retry-After": "1"}


class Guard:
    """An application that lets no more requests through than allowed, and waits for no client longer than that.

    Attributes:
        running: requests that are worked on.
        held: bytes of bodies that are in memory.
    """

    def __init__(self, app: App, limits: Limits, metrics: Metrics, paths: frozenset[str], refuse: Any) -> None:
        """
        Args:
            app: what answers.
            paths: that are counted by their names.
            refuse: gives the answer for a Refused.
        """
        self._app = app
        self._limits = limits
        self._metrics = metrics
        self._paths = paths
        self._refuse = refuse
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

        client = (scope.get("client") or ("",))[0]
        scope["fastparse.guard"] = self
        scope["fastparse.held"] = 0
        free = scope["path"] in _FREE
        try:
            full = None if free else self._full(client)
            if full is not None:
                await self._refuse(full)(scope, receive, patient_send)
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
                self.held -= scope["fastparse.held"]
        except Gone:
            status = 0
        finally:
            if status:
                path = scope["path"] if scope["path"] in self._paths else "other"
                self._metrics.answered(path, status, time.perf_counter() - begun)
            else:
                self._metrics.gone()

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

    async def next_piece(self, receive: Receive) -> tuple[bytes, bool]:
        """The next bytes of a body, and whether more may come.

        Raises:
            Refused: if they take too long.
            Gone: if the client has gone.
        """
        try:
            with anyio.fail_after(self._limits.patience):
                message = await receive()
        except TimeoutError:
            raise Refused(
                408, f"nothing of the body came for {self._limits.patience:g} seconds", {"Connection": "close"}
            ) from None
        if message["type"] != "http.request":
            raise Gone
        piece = message.get("body", b"")
        self._metrics.received(len(piece))
        return piece, message.get("more_body", False)

    def hold(self, scope: MutableMapping[str, Any], n_bytes: int) -> None:
        """Count bytes of a body that stay in memory until the request is done.

        Raises:
            Refused: if there are too many, of all requests.
        """
        if self.held + n_bytes > self._limits.all_bytes:
            raise Refused(503, "the service holds as many bytes as it may: try again", _AGAIN)
        self.held += n_bytes
        scope["fastparse.held"] += n_bytes


async def read_body(scope: MutableMapping[str, Any], receive: Receive, limits: Limits) -> bytes:
    """The body of a request.

    Raises:
        Refused: if it is too large, or does not come.
        Gone: if the client has gone.
    """
    guard: Guard = scope["fastparse.guard"]
    pieces: list[bytes] = []
    size, more = 0, True
    try:
        while more:
            piece, more = await guard.next_piece(receive)
            size += len(piece)
            if size > limits.bytes:
                raise Refused(
                    413,
                    f"the body has more than {limits.bytes:,} bytes: send less at a time, "
                    "or use /parse, which takes any length",
                )
            guard.hold(scope, len(piece))
            pieces.append(piece)
    except Refused:
        pieces.clear()
        if more:
            await throw_away(guard, receive)
        raise
    return b"".join(pieces)


async def throw_away(guard: Guard, receive: Receive) -> None:
    """Read what is left of a body that nobody wants, since many a client reads its answer only after it sent all."""
    size, more = 0, True
    while more and size <= _THROWN_AWAY:
        try:
            piece, more = await guard.next_piece(receive)
        except Refused:
            return
        size += len(piece)
