"""The application: every address that is answered, what is said of errors, and listening until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import re
import sys
import time
import traceback
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import anyio
import h11
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

import fastparse
from fastparse.errors import Error
from fastparse.server.guard import Guard, Refused, log, said_of
from fastparse.server.page import Page
from fastparse.server.service import SAFE
from fastparse.server.streaming import Streaming
from fastparse.server.udpipe import UDPipe

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from fastparse.server.service import Service

__all__ = ["Listener", "application"]

_LARGEST_HEAD = 1 << 16  # bytes of the address and headers of a request
_MOST_LINES = 100  # of them; also line ends, and so chunks, that are read without a break
_LONGEST_PATH = 1 << 12
_PIECE = 1 << 16  # bytes that are read without a break
_TURN = 0.002  # seconds for the bytes of one client
_CONNECTIONS = 8  # for each request that may be worked on
_QUEUE = 1024  # connections that the system keeps until they are taken
_REST = 0.1  # seconds after which a connection without a request may be closed for another one
_OWN = 16  # descriptors of the event loop
_KEPT = 512  # descriptors for other things than connections, or a quarter of those there are
_SWITCH = 0.0005  # seconds that a thread works on while others wait for the interpreter; with 5 ms answers are late
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_FULL = b"the service has as many connections as it may: try again\n"


def application(service: Service, origins: Sequence[str] = (), **guarded: Any) -> Guard:
    """What answers requests.

    Args:
        service: with what.
        origins: of pages in browsers that may read the answers, besides the service's own; "*" for all.
        guarded: hosts, access and proxies, as for `Guard`.
    """
    state = State(service)
    routes = [*UDPipe(service).routes(), *Streaming(service).routes(), *Page(service).routes(), *state.routes()]
    cors = Middleware(CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST"], allow_headers=["*"])
    app = Starlette(
        routes=routes,
        middleware=[cors] if origins else [],
        exception_handlers={
            Refused: _refused, Error: _user_error, HTTPException: _no_such, MemoryError: _no_memory, Exception: _failed,
        },
    )  # fmt: skip
    paths = frozenset(route.path for route in routes)
    guard = Guard(app, service.limits, service.metrics, paths, _answer_for, **guarded)
    service.metrics.gauge("requests_running", "Requests that are worked on.", lambda: guard.running)
    service.metrics.gauge("held_bytes", "Bytes of bodies in memory.", lambda: guard.held)
    return guard


class State:
    """What those who watch a service ask for."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def routes(self) -> list[Route]:
        return [
            Route("/health", self.health), Route("/metrics", self.metrics), Route("/openapi.json", self.description),
        ]  # fmt: skip

    async def health(self, request: Request) -> Response:
        models, stopping = self._service.models, self._service.stopping
        said = {
            "status": "stopping" if stopping else "ok",
            "version": fastparse.__version__,
            "models": list(models.offers),
            "default_model": models.default.name,
        }
        return Response(json.dumps(said) + "\n", 503 if stopping else 200, headers=SAFE, media_type="application/json")

    async def description(self, request: Request) -> Response:
        return Response(_description(), headers=SAFE, media_type="application/json")

    async def metrics(self, request: Request) -> Response:
        return Response(
            self._service.metrics.text(), headers=SAFE, media_type="text/plain; version=0.0.4; charset=utf-8"
        )


@cache
def _description() -> str:
    said = json.loads((files("fastparse.server") / "openapi.json").read_text(encoding="utf-8"))
    said["info"]["version"] = fastparse.__version__
    return json.dumps(said, indent=1)


def _answer_for(refused: Refused) -> Response:
    return PlainTextResponse(said_of(refused) + "\n", refused.status, {**SAFE, **refused.headers})


async def _refused(request: Request, error: Any) -> Response:
    return _answer_for(error)


async def _user_error(request: Request, error: Exception) -> Response:
    return _answer_for(Refused(400, str(error)))


async def _no_such(request: Request, error: Any) -> Response:
    said = f"there is nothing at {request.url.path[:200]!r}" if error.status_code == 404 else error.detail
    if error.status_code == 405:
        said = f"{request.method:.20} is not for {request.url.path[:200]!r}"
    return _answer_for(Refused(error.status_code, said, dict(error.headers or {})))


async def _no_memory(request: Request, error: Exception) -> Response:
    return _answer_for(Refused(503, "there is not enough memory: send less at a time", {"Retry-After": "10"}))


async def _failed(request: Request, error: Exception) -> Response:
    log(f"failed: {type(error).__name__}", "".join(traceback.format_exception(error)))
    return _answer_for(Refused(500, "the service has failed, which is a fault of its own"))


# Listening


class _Flow(FlowControl):
    """Reading from a client; not while bytes of it wait for their turn."""

    held = False

    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()


class _Connection(H11Protocol):
    """A connection that takes no more of the event loop than its turn, and no more of its time than allowed.

    It is closed if no request comes, or only a part of its headers. Of many connections those that have waited longest
    for a request make room for new ones; where all are at work, new ones are refused.
    """

    patience = 20.0
    most = 1 << 30  # connections

    def connection_made(self, transport: Any) -> None:
        full = len(self.connections) >= self.most
        super().connection_made(transport)
        self.flow = self._flow = _Flow(transport)
        self._coming = bytearray()
        self._later = False  # whether the event loop will come back to what is coming
        self._seen: object = None
        self._since = time.monotonic()  # when it had something to do last
        self.loop.call_later(self.patience, self._look)
        if full:
            self._make_room()

    @property
    def idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _make_room(self) -> None:
        log("connections", f"there are {self.most} connections, and no descriptors for more: those at rest are closed")
        others = (one for one in self.connections if isinstance(one, _Connection) and one is not self)
        before = self._since - _REST
        resting = (one for one in others if one.idle and one._since < before and not one.transport.is_closing())
        oldest = min(resting, key=lambda one: one._since, default=None)
        if oldest is not None:
            oldest.transport.abort()
            return
        self.transport.write(
            b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 1\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(_FULL), _FULL)
        )
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._coming.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._coming += data
        if not self._later:
            self._take()

    def _take(self) -> None:
        """Read what has come, until there is a whole request, or others have to have their turn."""
        self._later = False
        self._since = time.monotonic()
        end = time.perf_counter() + _TURN
        while self._coming and self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing():
            if time.perf_counter() > end:
                self._later = True
                self.loop.call_soon(self._take)
                break
            size = self._next_size()
            piece = bytes(self._coming[:size])
            del self._coming[:size]
            super().data_received(piece)
        self._flow.held = bool(self._coming)
        if self._coming:
            self.flow.pause_reading()
        elif self.cycle is None or len(self.cycle.body) <= HIGH_WATER_LIMIT:
            self.flow.resume_reading()

    def _next_size(self) -> int:
        """How many bytes are read without a break: few lines of a head, few chunks of a body."""
        size = min(len(self._coming), _PIECE)
        end = b"\n"
        if self.conn.their_state is h11.SEND_BODY and self.conn.our_state is not h11.DONE:
            if not any(name == b"transfer-encoding" for name, _ in self.headers):
                return size
            end = b"\r\n"
        if self._coming.count(end, 0, size) <= _MOST_LINES:
            return size
        at = 0
        for _ in range(_MOST_LINES):
            at = self._coming.index(end, at) + len(end)
        return at

    def handle_events(self) -> None:
        if self.conn.their_state is h11.IDLE and (fault := _fault_of_head(self.conn.trailing_data[0])):
            self.send_400_response(fault)
            return
        super().handle_events()

    def on_response_complete(self) -> None:
        self._since = time.monotonic()
        super().on_response_complete()
        if self._coming and not self._later:
            self._take()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, unless a part of an answer has been sent already."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.close()

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        if self.idle and self._seen is self.cycle:
            self.transport.close()
            return
        self._seen = self.cycle if self.idle else object()
        self.loop.call_later(self.patience, self._look)


def _fault_of_head(data: bytes) -> str:
    """Why the address and headers that data begins with are not read; nothing if they are, or have not come."""
    end = _END_OF_HEAD.search(data)
    head = data if end is None else data[: end.end()]
    path = head[: head.find(b"\n")].partition(b"?")[0]
    if len(head) > _LARGEST_HEAD or head.count(b"\n") > _MOST_LINES or len(path) > _LONGEST_PATH:
        return (
            f"The head of the request has more than {_LARGEST_HEAD:,} bytes or {_MOST_LINES} lines, "
            f"or the path more than {_LONGEST_PATH:,} bytes.\n"
        )
    return ""


class Listener(uvicorn.Server):
    """A server with an application.

    Args:
        app: what answers.
        service: with what.
        ready: called when it listens.
        stopping: called when it begins to stop.
    """

    def __init__(
        self, app: Guard, service: Service, ready: Callable[[], object], stopping: Callable[[], object] = lambda: None
    ) -> None:
        limits = service.limits
        most, backlog = _room(limits.requests * _CONNECTIONS)
        protocol = type("_Connection", (_Connection,), {"patience": limits.patience, "most": most})
        config = uvicorn.Config(
            app, http=protocol, ws="none", lifespan="off", log_config=None, log_level="critical", access_log=False,
            server_header=False, proxy_headers=False, h11_max_incomplete_event_size=_LARGEST_HEAD, backlog=backlog,
            timeout_keep_alive=int(limits.patience) or 1,
        )  # fmt: skip
        config.timeout_graceful_shutdown = limits.grace  # type: ignore[assignment]  # any number of seconds will do
        super().__init__(config)
        self._ready = ready
        self._stopping = stopping
        self._service = service

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(_loop_failed)
        with anyio.move_on_after(1.0):
            await asyncio.sleep(0)  # what this loads is not loaded for the first client
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_QUEUE)  # fewer are taken at once than may wait
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.stopping = True
        self._stopping()
        await super().shutdown(sockets)

    def listen(self, listening: socket.socket) -> None:
        """Answer until SIGINT or SIGTERM comes; requests that have begun are answered to the end."""
        usual = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH)
        gc.freeze()  # the collector, which runs in the event loop too, need not look through libraries and models
        try:
            asyncio.run(self.serve([listening]))
        finally:
            gc.unfreeze()
            sys.setswitchinterval(usual)


def _room(wanted: int) -> tuple[int, int]:
    """How many connections there may be, and how many are taken at once: descriptors are kept for other things."""
    try:
        import resource
    except ImportError:  # other systems count otherwise
        return wanted, 1024
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit == resource.RLIM_INFINITY:
        return wanted, 1024
    in_use = _OWN
    with contextlib.suppress(OSError):
        in_use += len(os.listdir("/dev/fd"))
    kept = min(_KEPT, limit // 4)
    return max(1, min(wanted, limit - kept - in_use)), max(1, kept // 4)  # some are taken while others are being closed


def _loop_failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    log(f"loop: {context.get('message')}", f"{context.get('message')}: {error!r}")
