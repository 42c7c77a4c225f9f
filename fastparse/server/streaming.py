"""/parse: any length of text, CoNLL-U or lines of JSON in, CoNLL-U or lines of JSON out, while it comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from fastparse.annotate.components import LEMMATIZER, TAGGER, TOKENIZER
from fastparse.annotate.stream import in_order, stream
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.model.sections import PARSER
from fastparse.request import Request as Options
from fastparse.server.batching import BATCH_WORDS, Task, joined, parted
from fastparse.server.bridge import Bridge
from fastparse.server.forms import OPTIONS, asked_of, fields_of_query, one_of, only_with, parameters
from fastparse.server.guard import Gone, Refused, said_of
from fastparse.server.service import SAFE

if TYPE_CHECKING:
    from starlette.requests import Request

    from fastparse.corpus.sentence import Sentence
    from fastparse.parser import Parser
    from fastparse.server.service import Service

__all__ = ["Streaming", "row_of"]

_KINDS = {
    "text/plain": "text", "text/x-conllu": "conllu", "application/conllu": "conllu", "application/x-conllu": "conllu",
    "application/x-ndjson": "ndjson", "application/jsonl": "ndjson", "application/json": "json", "": "text",
    "application/octet-stream": "text", "application/x-www-form-urlencoded": "text",  # as curl calls whatever it sends
}  # fmt: skip
_SOURCES = ("text", "lines", "words", "conllu", "ndjson", "json")
_TEXTS = ("text", "lines", "words")
_TARGETS = {"conllu": "text/plain; charset=utf-8", "ndjson": "application/x-ndjson"}
_FIELDS = {"model": None, "from": one_of(*_SOURCES), "to": one_of(*_TARGETS), **OPTIONS}
_PART_WORDS = 3 * BATCH_WORDS  # what a part costs besides its words is paid less often than in answers that are short
_COLUMNS = ("upos", "xpos", "feats", "lemmas", "misc")


@dataclass(frozen=True)
class _Asked:
    """What a request asks for.

    Attributes:
        task: for the model.
        source, target: what comes, and what goes.
        kind: the Content-Type of the answer.
        offsets: whether tokens have their places.
        deps, on_error: as for `Parser.parse_file`.
    """

    task: Task
    source: str
    target: str
    kind: str
    offsets: bool
    deps: str
    on_error: str


class Streaming:
    """The answers of /parse."""

    def __init__(self, service: Service) -> None:
        self._service = service
        # A thread per stream reads and writes; it works on no model, and mostly waits.
        self._threads = ThreadPoolExecutor(service.limits.requests, thread_name_prefix="fastparse-stream")

    def routes(self) -> list[Route]:
        return [Route("/parse", self.parse, methods=["POST"])]

    async def parse(self, request: Request) -> _Answer:
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
        # As many parts under way as are worked on at a time, and one that is read or written.
        self._threads = service.threads + 1

    def run(self) -> None:
        asked, bridge = self._asked, self._bridge
        target: Any = _Rows(bridge) if asked.target == "ndjson" else bridge
        if asked.source in ("ndjson", "json"):
            self._lines()
        elif asked.source == "conllu":
            options = Options(
                source="conllu/10", threads=self._threads, batch_words=_PART_WORDS, deps=asked.deps,
                on_error=asked.on_error,
            )  # fmt: skip
            stream(bridge, target, self._done, options, heads=False)
        else:
            tokenizer = self._service.models.parser(asked.task.offer)._annotator.need_tokenizer
            options = Options(
                source=asked.source, offsets=asked.offsets, threads=self._threads, batch_words=_PART_WORDS,
                deps=asked.deps, on_error=asked.on_error,
            )  # fmt: skip
            stream(bridge, target, self._done, options, tokenizer)

    def _done(self, treebank: Treebank) -> tuple[Treebank, None]:
        return self._bridge.wait(self._service.batches.done(self._asked.task, treebank, _PART_WORDS)), None

    # Lines of JSON

    def _lines(self) -> None:
        with closing(in_order(self._lines_done, self._groups(), self._threads, lambda group: group[1])) as answers:
            for data in answers:
                self._bridge.write(data)
                self._bridge.flush()

    def _groups(self) -> Iterator[tuple[list[tuple[Any, Treebank]], bool]]:
        """Lines that go through the model together, and whether the next ones may take long to come."""
        parser = self._service.models.parser(self._asked.task.offer)
        group: list[tuple[Any, Treebank]] = []
        words, number = 0, 0
        pieces = self._bridge.pieces()
        if self._asked.source == "json":
            pieces = (piece.replace(b"\n", b" ") for piece in pieces)  # so the object is in one line
        for line in lines_of_pieces(pieces, self._service.limits.bytes):
            if not line:
                if group:
                    yield group, True
                    group, words = [], 0
                continue
            number += 1
            if not line.strip():
                continue
            group.append(treebank_of_line(line, number, parser, self._asked.offsets))
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
                pieces.append(mine.to_bytes(self._asked.deps))
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


def _asked(fields: dict[str, str], request: Request, service: Service) -> _Asked:
    """What a request asks for.

    Raises:
        Refused: if that cannot be.
    """
    asked = asked_of(fields, _FIELDS)
    offer = service.models.named(asked.get("model"))
    kind = parameters(request.headers.get("content-type", ""))[0]
    source = asked.get("from") or _KINDS.get(kind) or ("text" if kind.startswith("text/") else None)
    if source is None:
        raise Refused(
            415, f"the body is {kind[:200]!r}: send text/plain, text/x-conllu, application/x-ndjson or application/json"
        )
    accepted = request.headers.get("accept", "")
    wants_lines = source == "json" or "application/x-ndjson" in accepted or "application/json" in accepted
    target = asked.get("to") or ("ndjson" if wants_lines else "conllu")
    offer.need(PARSER)
    if source in _TEXTS:
        offer.need(TOKENIZER)
    only_with(asked, ("offsets",), source != "conllu", "text")
    only_with(asked, ("deps",), target == "conllu", "to=conllu")
    only_with(asked, ("on_error",), source in (*_TEXTS, "conllu"), "text or CoNLL-U")
    retag = asked.get("retag", False)
    if retag and not {TAGGER, LEMMATIZER} & set(offer.components):
        offer.need(TAGGER)
    task = Task(
        offer, "replace" if retag else "fill", True, asked.get("beam"), asked.get("threshold"),
        asked.get("strict", False), asked.get("scores", False),
    )  # fmt: skip
    answered = "application/json" if source == "json" and target == "ndjson" else _TARGETS[target]
    return _Asked(
        task, source, target, answered, asked.get("offsets", False), asked.get("deps", "keep"),
        asked.get("on_error", "stop"),
    )  # fmt: skip


# Lines of JSON


def row_of(sentence: Sentence) -> dict[str, Any]:
    """A sentence as JSON has it: its text, and a list per column."""
    return {
        "sent_id": sentence.sent_id,
        "text": sentence.text,
        "forms": sentence.forms,
        "lemmas": sentence.lemmas,
        "upos": sentence.upos,
        "xpos": sentence.xpos,
        "feats": sentence.feats,
        "heads": sentence.heads,
        "deprels": sentence.deprels,
        "misc": sentence.misc,
    }


def line_of(row: Any) -> bytes:
    """A value of JSON as a line."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def lines_of_pieces(pieces: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """The lines of bytes that come in pieces, without their ends; a piece of no bytes is handed on.

    Raises:
        Refused: for a line of more than `longest` bytes.
    """
    rest: list[bytes] = []
    size = 0
    for piece in pieces:
        if not piece:
            yield b""
            continue
        *ended, last = piece.split(b"\n")
        for line in ended:
            yield b"".join([*rest, line]) or b" "
            rest, size = [], 0
        rest.append(last)
        size += len(last)
        if size > longest:
            raise Refused(413, f"a line has more than {longest:,} bytes: send a document in several")
    yield b"".join(rest)


def treebank_of_line(line: bytes, number: int, parser: Parser, offsets: bool = False) -> tuple[Any, Treebank]:
    """What a line asks for: its "id", and the sentences of its "text", or the one of its "forms" and other columns.

    Raises:
        Refused: for a line that is neither.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Refused(400, f"line {number} is no JSON: every line is an object, with no line end in it") from None
    if not isinstance(found, dict) or ("text" in found) == ("forms" in found):
        raise Refused(400, f'line {number} is no object with "text" or "forms"')
    name = found.get("id", number)
    if "text" in found:
        if not isinstance(found["text"], str):
            raise Refused(400, f'line {number}: "text" is no string')
        return name, parser.tokenize(found["text"].encode("utf-8", "replace").decode("utf-8"), offsets=offsets)
    forms = found["forms"]
    columns = {column: found[column] for column in _COLUMNS if found.get(column) is not None}
    for column, cells in {"forms": forms, **columns}.items():
        if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
            raise Refused(400, f'line {number}: "{column}" is no list of strings')
    if not forms:
        raise Refused(400, f'line {number}: "forms" has no words')
    try:
        return name, Treebank.from_columns([forms], **{column: [cells] for column, cells in columns.items()})
    except Error as error:
        raise Refused(400, f"line {number}: {error}") from None
