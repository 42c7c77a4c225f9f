"""The REST protocol of UDPipe: what its clients send to /models and /process, and what they get.

Options of `tokenizer`, `tagger` and `parser` that fastparse does not know say nothing, as there; of the parser's it
knows `beam_search`.
"""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route

from fastparse.annotate.components import TAGGER, TOKENIZER
from fastparse.model.sections import PARSER
from fastparse.server.failures import Refused
from fastparse.server.headers import SAFE
from fastparse.server.inputs import read_input, read_text
from fastparse.server.needs import beam_of, need
from fastparse.server.outputs import writer_of
from fastparse.server.tasks import Task

if TYPE_CHECKING:
    from starlette.requests import Request

    from fastparse.corpus.treebank import Treebank
    from fastparse.server.models import Offer
    from fastparse.server.service import Service

__all__ = ["UDPipe"]

_METHODS = ["GET", "POST"]
_NONE = "none"  # as tagger or parser: it is not wanted
_LISTED = (TOKENIZER, TAGGER, PARSER)


class UDPipe:
    """The answers of this protocol."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def routes(self) -> list[Route]:
        return [
            Route("/models", self.models, methods=_METHODS),
            Route("/process", self.process, methods=_METHODS),
        ]

    async def models(self, request: Request) -> Response:
        models = self._service.models
        return _json(
            {
                "models": {
                    name: [part for part in _LISTED if part in offer.components]
                    for name, offer in models.offers.items()
                },
                "default_model": models.default.name,
            }
        )

    async def process(self, request: Request) -> Response:
        service = self._service
        fields = await service.fields(request)
        if "data" not in fields:
            raise Refused(400, "the argument 'data' is missing: it is the text, or CoNLL-U")
        offer = service.models.named(fields.get("model"))
        task = _task(fields, offer)
        writer = writer_of(fields.get("output", "conllu"))
        size = len(fields["data"])

        async def answer() -> bytes:
            treebank = await service.aside(size, self._read, fields, task)
            done = await service.batches.done(task, treebank)
            return await service.aside(size, lambda: _body(offer, writer(done)))

        return Response(await service.while_there(request, answer()), headers=SAFE, media_type="application/json")

    def _read(self, fields: dict[str, str], task: Task) -> Treebank:
        parser = self._service.models.parser(task.offer)
        data = unicodedata.normalize("NFC", fields["data"])
        if "tokenizer" in fields:
            return read_text(parser, data, fields["tokenizer"])
        return read_input(fields.get("input", "conllu"), data, parser, heads=not task.parse)


def _task(fields: dict[str, str], offer: Offer) -> Task:
    """What is asked for.

    Raises:
        Refused: if the model cannot do it.
    """
    tag, parse = (name in fields and fields[name] != _NONE for name in ("tagger", "parser"))
    reads_text = "tokenizer" in fields or fields.get("input", "").startswith("generic_tokenizer")
    for name, wanted in ((TOKENIZER, reads_text), (TAGGER, tag), (PARSER, parse)):
        if wanted:
            need(offer, name)
    options = dict(option.strip().partition("=")[::2] for option in fields.get("parser", "").split(";"))
    return Task(offer, "replace" if tag else "keep", parse, beam_of(options, "beam_search") if parse else None)


def _body(offer: Offer, result: str) -> bytes:
    said = [text for text in (offer.about, offer.licence) if text]
    return _bytes({"model": offer.name, "acknowledgements": said, "result": result})


def _json(content: Any) -> Response:
    return Response(_bytes(content), headers=SAFE, media_type="application/json")


def _bytes(content: Any) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
