"""/parse: any length of text, CoNLL-U or lines of JSON in, CoNLL-U or lines of JSON out, while it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from fastparse.annotate.components import LEMMATIZER, TAGGER, TOKENIZER
from fastparse.annotate.stream import in_order, stream
from fastparse.corpus.conllu.reading import read_conllu
from fastparse.errors import Error
from fastparse.model.sections import PARSER
from fastparse.request import Request as Asked
from fastparse.server.batching import BATCH_WORDS, joined, parted
from fastparse.server.bridge import Bridge
from fastparse.server.failures import Gone, Refused, said_of
from fastparse.server.forms import fields_of_query
from fastparse.server.guard import throw_away
from fastparse.server.headers import SAFE
from fastparse.server.needs import beam_of, need
from fastparse.server.rows import line_of, lines_of_pieces, row_of, treebank_of_line
from fastparse.server.tasks import Task

if TYPE_CHECKING:
    from starlette.requests import Request

    from fastparse.corpus.treebank import Treebank
    from fastparse.server.service import Service

__all__ = ["Streaming"]

_KINDS = {
    "text/plain": "text", "text/x-conllu": "conllu", "application/conllu": "conllu", "application/x-conllu": "conllu",
    "application/x-ndjson": "ndjson", "application/jsonl": "ndjson",
}  # fmt: skip
_SOURCES = ("text", "lines", "words", "conllu", "ndjson")
_TARGETS = {"conllu": "text/plain; charset=utf-8", "ndjson": "application/x-ndjson"}
_PART_WORDS = 3 * BATCH_WORDS  # what a part costs besides its words is paid less often than in answers that are short
_YES = ("", "1", "true", "yes")
_NO = ("0", "false", "no")


@dataclass(frozen=True)
class _Asked:
    """What a request asks for.

    Attributes:
        task: for the model.
        source, target: what comes, and what goes.
        offsets: whether tokens have their places.
    """

    task: Task
    source: str
    target: str
    offsets: bool


class Streaming:
    """The answers of /parse."""

    def __init__(self, service: Service) -> None:
        self._service = service
        # A thread per stream reads and writes; it works on no model, and mostly waits.
        self._threads = ThreadPoolExecutor(service.limits.requests, thread_name_prefix="fastparse-stream")

    def routes(self) -> list[Route]:
        return [Route("/parse", self.parse, methods=["POST"])]

    async def parse(self, request: Request) -> _Answer:
        guard = request.scope["fastparse.guard"]
        try:
            asked = _asked(request, self._service)
        except Error:
            await throw_away(guard, request.receive)
            raise
        bridge = Bridge(request, guard)
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
        return _Answer(bridge, pumping, first, asked.target)


class _Answer:
    """The answer of a stream that has begun: what its thread writes."""

    def __init__(self, bridge: Bridge, pumping: asyncio.Future[None], first: bytes | None, target: str) -> None:
        self._bridge = bridge
        self._pumping = pumping
        self._first = first
        self._target = target

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {"content-type": _TARGETS[self._target], **SAFE}
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
        return line_of({"error": said}) if self._target == "ndjson" else f"# error = {said}\n".encode()


class _Stream:
    """The work of the thread of a stream."""

    def __init__(self, service: Service, asked: _Asked, bridge: Bridge) -> None:
        self._service = service
        self._asked = asked
        self._bridge = bridge
        # As many parts under way as are worked on at a time, and one that is read or written.
        self._threads = service.threads + 1

    def run(self) -> None:
        asked, bridge = self._asked, self._bridge
        target: Any = _Rows(bridge) if asked.target == "ndjson" else bridge
        if asked.source == "ndjson":
            self._lines()
        elif asked.source == "conllu":
            request = Asked(source="conllu/10", threads=self._threads, batch_words=_PART_WORDS)
            stream(bridge, target, self._done, request, heads=False)
        else:
            tokenizer = self._service.models.parser(asked.task.offer)._annotator.need_tokenizer
            request = Asked(source=asked.source, offsets=asked.offsets, threads=self._threads, batch_words=_PART_WORDS)
            stream(bridge, target, self._done, request, tokenizer)

    def _done(self, treebank: Treebank) -> tuple[Treebank, None]:
        return self._bridge.wait(self._service.batches.done(self._asked.task, treebank, _PART_WORDS)), None

    # Lines of JSON

    def _lines(self) -> None:
        for data in in_order(self._lines_done, self._groups(), self._threads, lambda group: group[1]):
            self._bridge.write(data)
            self._bridge.flush()

    def _groups(self) -> Iterator[tuple[list[tuple[Any, Treebank]], bool]]:
        """Lines that go through the model together, and whether the next ones may take long to come."""
        parser = self._service.models.parser(self._asked.task.offer)
        group: list[tuple[Any, Treebank]] = []
        words, number = 0, 0
        for line in lines_of_pieces(self._bridge.pieces(), self._service.limits.bytes):
            if not line:
                if group:
                    yield group, True
                    group, words = [], 0
                continue
            number += 1
            if not line.strip():
                continue
            group.append(treebank_of_line(line, number, parser))
            words += group[-1][1].n_words
            if words >= _PART_WORDS:
                yield group, False
                group, words = [], 0
        if group:
            yield group, False

    def _lines_done(self, item: tuple[list[tuple[Any, Treebank]], bool]) -> bytes:
        """An object for every line: its id, and its sentences."""
        names, treebanks = zip(*item[0], strict=True)
        whole, _ = self._done(joined(treebanks))
        pieces = []
        for name, mine in zip(names, parted(whole, treebanks), strict=True):
            if self._asked.target == "conllu":
                pieces.append(mine.to_bytes())
            else:
                pieces.append(line_of({"id": name, "sentences": [row_of(sentence) for sentence in mine]}))
        return b"".join(pieces)


class _Rows:
    """A target of CoNLL-U, whole sentences at a time, that writes lines of JSON."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    def write(self, data: bytes) -> int:
        for sentence in read_conllu(data, format="conllu") if data.strip() else ():
            self._bridge.write(line_of(row_of(sentence)))
        return len(data)

    def flush(self) -> None:
        self._bridge.flush()


def _asked(request: Request, service: Service) -> _Asked:
    """What a request asks for.

    Raises:
        Refused: if that cannot be.
    """
    fields = fields_of_query(request.scope["query_string"])
    unknown = fields.keys() - {"model", "from", "to", "beam", "retag", "offsets"}
    if unknown:
        raise Refused(
            400, f"there is no field {min(unknown)!r:.200}: write model, from, to, beam, retag, offsets in the address"
        )
    offer = service.models.named(fields.get("model"))
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    source = fields.get("from") or _KINDS.get(kind, "text")
    accepted = request.headers.get("accept", "")
    target = fields.get("to") or ("ndjson" if "application/x-ndjson" in accepted else "conllu")
    _one_of("from", source, _SOURCES)
    _one_of("to", target, tuple(_TARGETS))
    need(offer, PARSER)
    if source in ("text", "lines", "words"):
        need(offer, TOKENIZER)
    retag = _flag(fields, "retag")
    if retag and not {TAGGER, LEMMATIZER} & set(offer.components):
        need(offer, TAGGER)
    return _Asked(
        Task(offer, "replace" if retag else "fill", True, beam_of(fields)), source, target, _flag(fields, "offsets")
    )


def _one_of(name: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise Refused(400, f"{name}={value!r:.200} is unknown: write {', '.join(known)}")


def _flag(fields: dict[str, str], name: str) -> bool:
    value = fields.get(name, "0").lower()
    _one_of(name, value, (*_YES, *_NO))
    return value in _YES
