"""/parse: any length of text, CoNLL-U or lines of JSON in, CoNLL-U or lines of JSON out, while it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from fastparse.annotate.components import LEMMATIZER, TAGGER, TOKENIZER
from fastparse.annotate.formats import INPUTS, OUTPUTS, of_use
from fastparse.annotate.stream import stream
from fastparse.corpus.jsonrows import line_of
from fastparse.errors import Error
from fastparse.model.sections import PARSER
from fastparse.request import Request
from fastparse.server.batching import BATCH_WORDS, Task
from fastparse.server.bridge import Bridge
from fastparse.server.forms import asked_of, fields_of_query, parameters
from fastparse.server.guard import Gone, Refused, said_of
from fastparse.server.service import SAFE

if TYPE_CHECKING:
    from starlette.requests import Request as Received

    from fastparse.corpus.treebank import Treebank
    from fastparse.server.service import Service

__all__ = ["Streaming"]

_KINDS = {
    "text/plain": "text", "text/x-conllu": "conllu", "application/conllu": "conllu", "application/x-conllu": "conllu",
    "application/x-ndjson": "ndjson", "application/jsonl": "ndjson", "application/json": "json", "": "text",
    "application/octet-stream": "text", "application/x-www-form-urlencoded": "text",  # as curl calls whatever it sends
}  # fmt: skip
_SOURCES = ("text", "lines", "words", "conllu", "ndjson", "json")
_TEXTS = ("text", "lines", "words")
_TARGETS = {"conllu": "text/plain; charset=utf-8", "ndjson": "application/x-ndjson"}
_PART_WORDS = 3 * BATCH_WORDS  # what a part costs besides its words is paid less often than in answers that are short


@dataclass(frozen=True)
class _Asked:
    """What a request asks for.

    Attributes:
        task: for the model.
        stream: of reading and writing.
        source, target: what comes, and what goes.
        kind: the Content-Type of the answer.
    """

    task: Task
    stream: Request
    source: str
    target: str
    kind: str


class Streaming:
    """The answers of /parse."""

    def __init__(self, service: Service) -> None:
        self._service = service
        # A thread per stream reads and writes; it works on no model, and mostly waits.
        self._threads = ThreadPoolExecutor(service.limits.requests, thread_name_prefix="fastparse-stream")

    def routes(self) -> list[Route]:
        return [Route("/parse", self.parse, methods=["POST"])]

    async def parse(self, request: Received) -> _Answer:
        body, query = request.scope["fastparse.body"], request.scope["query_string"]
        try:
            fields = await self._service.aside(len(query), fields_of_query, query)
            asked = _asked(fields, request, self._service)
        except Error:
            await body.throw_away()
            raise
        bridge = Bridge(body, request.receive)
        pumping = asyncio.ensure_future(bridge.pump())
        try:
            asyncio.get_running_loop().run_in_executor(
                self._threads, bridge.run, lambda: _Stream(self._service, asked, bridge).run()
            )
            first = await bridge.next_written()
            if isinstance(first, Error):
                await bridge.throw_away()
            if isinstance(first, BaseException):
                raise first
        except BaseException:
            bridge.leave()
            pumping.cancel()
            raise
        return _Answer(bridge, pumping, first, asked)

    def close(self) -> None:
        """Begin no more streams."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Answer:
    """The answer of a stream that has begun: what its thread writes."""

    def __init__(self, bridge: Bridge, pumping: asyncio.Future[None], first: bytes | None, asked: _Asked) -> None:
        self._bridge = bridge
        self._pumping = pumping
        self._first = first
        self._asked = asked

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {"content-type": self._asked.kind, **SAFE}
        coded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        data: bytes | BaseException | None = self._first
        try:
            await send({"type": "http.response.start", "status": 200, "headers": coded})
            while isinstance(data, bytes):
                await send({"type": "http.response.body", "body": data, "more_body": True})
                data = await self._bridge.next_written()
            if isinstance(data, Gone):
                raise data
            if data is not None:
                # The status has been sent: the message ends what there is, and the answer is left without its end.
                await send({"type": "http.response.body", "body": self._last(data), "more_body": True})
                raise Gone
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._bridge.leave()
            self._pumping.cancel()

    def _last(self, error: BaseException) -> bytes:
        said = said_of(error) if isinstance(error, Error) else "the service has failed"
        return line_of({"error": said}) if self._asked.target == "ndjson" else f"# error = {said}\n".encode()


class _Stream:
    """The work of the thread of a stream."""

    def __init__(self, service: Service, asked: _Asked, bridge: Bridge) -> None:
        self._service = service
        self._asked = asked
        self._bridge = bridge

    def run(self) -> None:
        """Read, annotate and write all of it."""
        tokenizer = self._service.models.parser(self._asked.task.offer)._annotator.need_tokenizer
        target: Any = self._bridge
        stream(self._source(), target, self._done, self._asked.stream, tokenizer, heads=False)

    def _source(self) -> Any:
        kind, bridge = self._asked.source, self._bridge
        if kind == "json":
            return _Lines(bridge, self._service.limits.bytes, whole=True)
        return _Lines(bridge, self._service.limits.bytes) if kind == "ndjson" else bridge

    def _done(self, treebank: Treebank) -> tuple[Treebank, None]:
        return self._bridge.wait(self._service.batches.done(self._asked.task, treebank, _PART_WORDS)), None


class _Lines:
    """A body of lines of JSON, none of which is longer than a body may be.

    Args:
        whole: whether the body is one object, whatever line ends it has; then it becomes one line.
    """

    def __init__(self, bridge: Bridge, longest: int, whole: bool = False) -> None:
        self.name = bridge.name
        self._bridge = bridge
        self._longest = longest
        self._whole = whole

    def pieces(self) -> Iterator[bytes]:
        size = 0  # of the line that has not ended
        for piece in self._bridge.pieces():
            last = -1 if self._whole else piece.rfind(b"\n")
            size = len(piece) + (size if last < 0 else -last - 1)
            if size > self._longest:
                raise Refused(413, f"a line has more than {self._longest:,} bytes: send a document in several")
            yield piece.replace(b"\n", b" ") if self._whole else piece


def _asked(fields: dict[str, str], request: Received, service: Service) -> _Asked:
    """What a request asks for.

    Raises:
        Refused: if that cannot be.
    """
    asked = asked_of("/parse", fields, ("from", "to"))
    offer = service.models.named(asked.model)
    kind = parameters(request.headers.get("content-type", ""))[0]
    usual = _KINDS.get(kind, "text" if kind.startswith("text/") else "")
    source = fields.get("from") or _said(asked.source) or usual
    if not source:
        raise Refused(
            415, f"the body is {kind[:200]!r}: send text/plain, text/x-conllu, application/x-ndjson or application/json"
        )
    accepted = request.headers.get("accept", "")
    wants_lines = source == "json" or "application/x-ndjson" in accepted or "application/json" in accepted
    target = fields.get("to") or _said(asked.target) or ("ndjson" if wants_lines else "conllu")
    for name, value, known in (("from", source, _SOURCES), ("to", target, _TARGETS)):
        if value not in known:
            raise Refused(400, f"{name}={value[:200]!r} is unknown: write {', '.join(known)}")
    offer.need(PARSER)
    if source in _TEXTS:
        offer.need(TOKENIZER)
    if asked.retag and not {TAGGER, LEMMATIZER} & set(offer.components):
        offer.need(TAGGER)
    search = Request(
        beam=asked.beam, threshold=asked.threshold, retag=asked.retag, strict=asked.strict, scores=asked.scores
    )
    answered = "application/json" if source == "json" and target == "ndjson" else _TARGETS[target]
    read = {"conllu": "conllu/10", "json": "ndjson"}.get(source, source)
    # As many parts under way as are worked on at a time, and one that is read or written.
    moved = Request(
        source=read, target=target, offsets=asked.offsets, deps=asked.deps, on_error=asked.on_error,
        threads=service.threads + 1, batch_words=_PART_WORDS,
    )  # fmt: skip
    of_use(moved, INPUTS[read])
    of_use(moved, OUTPUTS[target])
    return _Asked(Task(offer, "replace" if asked.retag else "fill", True, search), moved, source, target, answered)


def _said(kind: str) -> str:
    return "" if kind == "auto" else kind
