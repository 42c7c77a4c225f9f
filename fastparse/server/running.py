"""Listening: the service on an address, until it is told to stop."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import uvicorn
from h11 import LocalProtocolError
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from fastparse.server.guard import Guard
    from fastparse.server.service import Service

__all__ = ["Listener"]

_LARGEST_HEAD = 1 << 16  # bytes of the address and headers of a request
_LONGEST_STOP = 30  # seconds in which requests may end that have begun
_CONNECTIONS = 8  # for each request that may be worked on
_SWITCH = 0.0005  # seconds that a thread works on while others wait for the interpreter; with 5 ms answers are late


class _Impatient(H11Protocol):
    """A connection that is closed if no request comes, or only a part of its headers."""

    patience = 20.0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._seen: object = None
        self.loop.call_later(self.patience, self._look)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, unless a part of an answer has been sent already."""
        try:
            super().send_400_response(msg)
        except LocalProtocolError:
            self.transport.close()

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._seen is self.cycle:
            self.transport.close()
            return
        self._seen = self.cycle if idle else object()
        self.loop.call_later(self.patience, self._look)


class Listener(uvicorn.Server):
    """A server with an application.

    Args:
        app: what answers.
        service: with what.
        ready: called when it listens.
    """

    def __init__(self, app: Guard, service: Service, ready: Callable[[], object]) -> None:
        limits = service.limits
        protocol = type("_Connection", (_Impatient,), {"patience": limits.patience})
        config = uvicorn.Config(
            app, http=protocol, ws="none", lifespan="off", log_config=None, log_level="critical", access_log=False,
            server_header=False, proxy_headers=False, h11_max_incomplete_event_size=_LARGEST_HEAD, backlog=1024,
            limit_concurrency=limits.requests * _CONNECTIONS, timeout_keep_alive=int(limits.patience) or 1,
            timeout_graceful_shutdown=_LONGEST_STOP,
        )  # fmt: skip
        super().__init__(config)
        self._ready = ready
        self._service = service

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.stopping = True
        await super().shutdown(sockets)

    def listen(self, listening: socket.socket) -> None:
        """Answer until SIGINT or SIGTERM comes; requests that have begun are answered to the end."""
        usual = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH)
        try:
            asyncio.run(self.serve([listening]))
        finally:
            sys.setswitchinterval(usual)
