"""Between the event loop, where bodies come and answers go, and a thread that reads and writes as of files."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TYPE_CHECKING, Any, TypeVar

from fastparse.server.guard import Gone

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from fastparse.server.guard import Body, Receive

__all__ = ["Bridge"]

_AHEAD = 4  # pieces that wait in each direction; then whoever is faster waits
_WRITTEN = 1 << 18  # bytes of a piece that is handed over
_PATIENCE = 0.01  # seconds without a piece after which a body counts as slow
_LONGEST_WAIT = 60.0  # seconds in which a client may send what nobody wants
_Found = TypeVar("_Found")


class Bridge:
    """A body and an answer, for one thread.

    The thread reads `pieces`, or `read`s, and `write`s. Little is read of the client before the thread wants it, and
    the thread waits until the client has taken what it wrote. When the client goes away, both raise Gone.
    """

    unpacked = True  # as a source of CoNLL-U: what it begins with says nothing about compression

    def __init__(self, body: Body, receive: Receive) -> None:
        self._body = body
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        self._in: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue(_AHEAD)
        self._out: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue(_AHEAD)
        self._gone = asyncio.Event()
        self._ended = asyncio.Event()  # the body, or the reading of it
        self._waits: set[Future[Any]] = set()  # what the thread, and those that help it, wait for
        self._unwanted = False
        self._all_read = False
        self._written: list[bytes] = []
        self.name = "the body"

    # In the event loop

    async def pump(self) -> None:
        """Take the body from the client until it ends; then see whether the client goes away."""
        more = True
        try:
            while more:
                piece, more = await self._body.next_piece()
                if piece and not self._unwanted:
                    await self._in.put(piece)
            self._ended.set()
            await self._in.put(None)
            while (await self._receive())["type"] != "http.disconnect":
                pass
            raise Gone
        except Gone as error:
            self._gone.set()
            await self._in.put(error)
        except Exception as error:
            self._ended.set()
            await self._in.put(error)

    async def throw_away(self) -> None:
        """Read what is left of a body that nobody wants: many a client reads its answer only after it sent all."""
        self._unwanted = True
        while not self._in.empty():
            self._in.get_nowait()
        leaving = asyncio.ensure_future(self._gone.wait())
        ending = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait((ending, leaving), timeout=_LONGEST_WAIT, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            ending.cancel()

    async def next_written(self) -> bytes | BaseException | None:
        """What the thread writes next; None at the end, an error if that was it.

        Raises:
            Gone: if the client goes away before.
        """
        getting = asyncio.ensure_future(self._out.get())
        leaving = asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait((getting, leaving), return_when=asyncio.FIRST_COMPLETED)
            if getting.done():
                return getting.result()
            raise Gone
        finally:
            getting.cancel()
            leaving.cancel()

    def leave(self) -> None:
        """Let the thread end: nobody takes what it writes, and nothing comes that it could read."""
        self._gone.set()
        for waiting in list(self._waits):
            waiting.cancel()

    # In the thread

    def run(self, work: Callable[[], object]) -> None:
        """Do work that reads and writes here, and say how it ended."""
        end: BaseException | None = None
        try:
            work()
            self.flush()
        except (Exception, Gone) as error:
            end = error
        with contextlib.suppress(Gone):
            self.wait(self._out.put(end))

    def wait(self, coroutine: Coroutine[Any, Any, _Found]) -> _Found:
        """What a coroutine of the event loop gives.

        Raises:
            Gone: if the client goes away before, or the service ends.
        """
        with self._awaited(coroutine) as found:
            return found.result()

    @contextlib.contextmanager
    def _awaited(self, coroutine: Coroutine[Any, Any, _Found]) -> Iterator[Future[_Found]]:
        """A coroutine of the event loop that ends when the client has gone, whatever it waits for."""
        if self._gone.is_set():
            coroutine.close()
            raise Gone
        coming = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        self._waits.add(coming)
        try:
            if self._gone.is_set():  # `leave` may have looked before
                coming.cancel()
            yield coming
        except CancelledError:
            raise Gone from None
        finally:
            self._waits.discard(coming)

    def pieces(self) -> Iterator[bytes]:
        """The body; a piece of no bytes says that the next one takes long."""
        while not self._all_read:
            with self._awaited(self._in.get()) as coming:
                try:
                    found = coming.result(_PATIENCE)
                except FutureTimeoutError:
                    yield b""
                    found = coming.result()
            if isinstance(found, BaseException):
                raise found
            if found is None:
                self._all_read = True
            else:
                yield found

    def read(self, size: int = -1) -> bytes:
        """The next piece of the body, whatever its size; no bytes at the end."""
        return next(filter(None, self.pieces()), b"")

    def write(self, data: bytes) -> int:
        self._written.append(data)
        return len(data)

    def flush(self) -> None:
        """Hand over what was written, and wait if the client has not yet taken what was written before."""
        data = b"".join(self._written)
        self._written = []
        if self._gone.is_set():
            raise Gone
        for first in range(0, len(data), _WRITTEN):
            self.wait(self._out.put(data[first : first + _WRITTEN]))
