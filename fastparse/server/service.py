"""What the answers of a service have in common: its models, its work, its limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from fastparse.server.batching import Batches
from fastparse.server.failures import Gone, Refused
from fastparse.server.forms import fields_of_body, fields_of_query
from fastparse.server.guard import read_body
from fastparse.server.limits import Limits
from fastparse.server.metrics import Metrics
from fastparse.server.models import Models

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["Service"]

_AT_ONCE = 1 << 13  # bytes that are dealt with where they are; more, in another thread
_Found = TypeVar("_Found")


@dataclass
class Service:
    """What answers requests with.

    Attributes:
        models: that may be asked for.
        limits: of requests.
        threads: that models work in.
        metrics: of what was done.
        batches: the work on models.
        stopping: whether it answers what has begun, and then ends.
    """

    models: Models
    limits: Limits
    threads: int
    metrics: Metrics = field(default_factory=Metrics)
    stopping: bool = False

    def __post_init__(self) -> None:
        self.batches = Batches(self.models, self.threads, self.metrics.worked)
        self.metrics.gauge("waiting_jobs", "Jobs that no model works on yet.", lambda: self.batches.waiting)
        self.metrics.gauge("models_open", "Models in memory.", lambda: self.models.n_open)
        self.metrics.gauge("models_open_bytes", "Bytes of their files.", lambda: self.models.open_bytes)

    async def fields(self, request: Request) -> dict[str, str]:
        """The fields of a request; those of the body come before those of the address.

        Raises:
            Refused: if they cannot be read.
        """
        found = fields_of_query(request.scope["query_string"])
        if request.method == "POST":
            body = await read_body(request.scope, request.receive, self.limits)
            kind = request.headers.get("content-type", "")
            if body or kind:
                found |= await self.aside(len(body), fields_of_body, kind, body)
        return found

    async def aside(self, n_bytes: int, work: Callable[..., _Found], *args: Any) -> _Found:
        """What work of Python gives, done in another thread if it is on so many bytes that others would wait."""
        if n_bytes <= _AT_ONCE:
            return work(*args)
        return await asyncio.to_thread(work, *args)

    async def while_there(self, request: Request, work: Coroutine[Any, Any, _Found]) -> _Found:
        """What work gives, unless the client goes away before, or it takes too long. The body has been read.

        Raises:
            Refused: for work that takes too long.
            Gone: if the client has gone.
        """
        task = asyncio.ensure_future(work)
        leaving = asyncio.ensure_future(_left(request.receive))
        try:
            await asyncio.wait((task, leaving), timeout=self.limits.seconds, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            if leaving.done():
                raise Gone
            raise Refused(
                503, f"this took more than {self.limits.seconds:g} seconds: send less at a time, or use /parse",
            )  # fmt: skip
        finally:
            task.cancel()
            leaving.cancel()


async def _left(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        await asyncio.sleep(0)
