"""What the answers of a service have in common: its models, its work, its limits."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from fastparse.server import Limits
from fastparse.server.batching import Batches
from fastparse.server.forms import fields_of_body, fields_of_query
from fastparse.server.guard import Gone, Refused
from fastparse.server.metrics import Metrics
from fastparse.server.models import Models

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["SAFE", "Service", "Whole"]

# Nobody keeps an answer, or takes it for something else than it says.
SAFE = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}

_AT_ONCE = 1 << 10  # bytes that are dealt with in the event loop; more, in another thread
_LARGE = 1 << 17  # bytes of requests that do not take the threads of others
_SENT = 1 << 16  # bytes of an answer that are written at a time
_Found = TypeVar("_Found")


class Whole:
    """An answer that is there as a whole, sent a piece at a time, as fast as the client takes it.

    Args:
        pieces: its bytes, in pieces of any size.
        kind: its Content-Type.
        headers: others, besides the safe ones.
    """

    def __init__(self, pieces: Iterable[bytes], kind: str, headers: dict[str, str] | None = None) -> None:
        self._pieces = deque(pieces)
        self._headers = {"content-type": kind, **SAFE, **(headers or {})}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {**self._headers, "content-length": str(sum(map(len, self._pieces)))}
        coded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": coded})
        while self._pieces:
            piece = self._pieces.popleft()
            for first in range(0, len(piece), _SENT):
                part = piece[first : first + _SENT]
                await send({"type": "http.response.body", "body": part, "more_body": True})
                await asyncio.sleep(0)  # to a client that takes all at once, `send` does not let others have their turn
        await send({"type": "http.response.body", "body": b"", "more_body": False})


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
        self._small, self._large = (ThreadPoolExecutor(2, thread_name_prefix="fastparse-aside") for _ in range(2))
        self.metrics.gauge("waiting_jobs", "Jobs that no model works on yet.", lambda: self.batches.waiting)
        self.metrics.gauge("models_open", "Models in memory.", lambda: self.models.n_open)
        self.metrics.gauge("models_open_bytes", "Bytes of their files.", lambda: self.models.open_bytes)

    async def answered(self, request: Request, work: Callable[[dict[str, str]], Coroutine[Any, Any, _Found]]) -> _Found:
        """What work makes of the fields of a request; those of the body come before those of the address.

        Raises:
            Refused: if they cannot be read, or reading and work take too long.
            Gone: if the client goes away.
        """
        query = request.scope["query_string"]
        kind = request.headers.get("content-type", "")
        body = await request.scope["fastparse.body"].pieces() if request.method == "POST" else []
        size = len(query) + sum(map(len, body))

        def fields() -> dict[str, str]:
            found = fields_of_query(query)
            data = b"".join(body)
            body.clear()
            return found | fields_of_body(kind, data) if data or (kind and request.method == "POST") else found

        async def all_of_it() -> _Found:
            return await work(await self.aside(size, fields))

        return await self._while_there(request, all_of_it())

    async def aside(self, n_bytes: int, work: Callable[..., _Found], *args: Any) -> _Found:
        """What work of Python gives, done in another thread if it is on so many bytes that others would wait."""
        if n_bytes <= _AT_ONCE:
            return work(*args)
        pool = self._small if n_bytes <= _LARGE else self._large
        return await asyncio.get_running_loop().run_in_executor(pool, work, *args)

    async def _while_there(self, request: Request, work: Coroutine[Any, Any, _Found]) -> _Found:
        """What work gives, unless the client goes away before, or it takes too long. The body has been read."""
        task = asyncio.ensure_future(work)
        leaving = asyncio.ensure_future(_left(request))
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

    def close(self) -> None:
        """Take no more work. What has begun ends by itself."""
        for pool in (self._small, self._large):
            pool.shutdown(wait=False, cancel_futures=True)
        self.batches.close()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        await asyncio.sleep(0)
