"""The application: every address that is answered, and what is said of errors."""

from __future__ import annotations

import json
import sys
import traceback
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

import fastparse
from fastparse.errors import Error
from fastparse.server.failures import Refused, said_of
from fastparse.server.guard import Guard
from fastparse.server.headers import SAFE
from fastparse.server.page import Page
from fastparse.server.protocol import UDPipe
from fastparse.server.streaming import Streaming

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

    from fastparse.server.service import Service

__all__ = ["application"]


def application(service: Service, origins: Sequence[str] = ()) -> Guard:
    """What answers requests.

    Args:
        service: with what.
        origins: of pages in browsers that may read the answers, besides the service's own; "*" for all.
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
    guard = Guard(app, service.limits, service.metrics, frozenset(route.path for route in routes), _answer_for)
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
    said = f"there is nothing at {request.url.path!r:.200}" if error.status_code == 404 else error.detail
    if error.status_code == 405:
        said = f"{request.method:.20} is not for {request.url.path!r:.200}"
    return _answer_for(Refused(error.status_code, said, dict(error.headers or {})))


async def _no_memory(request: Request, error: Exception) -> Response:
    return _answer_for(Refused(503, "there is not enough memory: send less at a time", {"Retry-After": "10"}))


async def _failed(request: Request, error: Exception) -> Response:
    traceback.print_exception(error, file=sys.stderr)
    return _answer_for(Refused(500, "the service has failed, which is a fault of its own"))
