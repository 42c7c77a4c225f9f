"""The page at /, and what it asks for: trees as pictures, and derivations to step through."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route

from fastparse.annotate.components import TAGGER, TOKENIZER
from fastparse.corpus.jsonrows import row_of
from fastparse.corpus.reading import read_conllu
from fastparse.drawing import DERIVATIONS, FORMATS, Format
from fastparse.drawing.steps import resource
from fastparse.errors import Error, UnknownNameError
from fastparse.model.sections import PARSER
from fastparse.request import Request
from fastparse.server.batching import Task
from fastparse.server.forms import asked_of
from fastparse.server.guard import Refused
from fastparse.server.service import SAFE, Whole
from fastparse.theory.derive import derive
from fastparse.transition_systems.registry import bound_of, systems

if TYPE_CHECKING:
    from starlette.requests import Request as Received

    from fastparse.corpus.sentence import Sentence
    from fastparse.corpus.treebank import Treebank
    from fastparse.parser import Parser
    from fastparse.server.models import Offer
    from fastparse.server.service import Service
    from fastparse.theory.derive import Derivation

__all__ = ["Page"]

_SHOWN = 20  # sentences
_DRAWN = 120  # words of a sentence
_STEPPED = 80
_CHARACTERS = 1_000_000  # of a text
_CHARACTERS_STEPPED = 20_000  # of a sentence as CoNLL-U

# Nothing comes from elsewhere. Pictures and pages of derivations have their styles with them, these also a script.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_STEPS_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"
)
_KINDS = {"index.html": "text/html", "page.css": "text/css", "page.js": "text/javascript"}


class Page:
    """The answers to the page."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._files = {name: _file(name) for name in _KINDS}
        self._files["page.css"] += resource("dark.css")
        self._files["index.html"] = self._files["index.html"].replace("<!-- copy -->", _buttons())

    def routes(self) -> list[Route]:
        return [
            Route("/", self.file),
            *(Route(f"/{name}", self.file) for name in _KINDS),
            Route("/offers", self.offers),
            Route("/draw", self.draw, methods=["POST"]),
            Route("/steps", self.steps, methods=["POST"]),
        ]

    async def file(self, request: Received) -> Response:
        name = request.url.path.lstrip("/") or "index.html"
        headers = {**SAFE, "Content-Security-Policy": _POLICY, "Referrer-Policy": "no-referrer"}
        return Response(self._files[name], headers=headers, media_type=_KINDS[name])

    async def offers(self, request: Received) -> Response:
        """What may be chosen."""
        models = self._service.models
        able = [offer for offer in models.offers.values() if {PARSER, TOKENIZER} <= set(offer.components)]
        if not able:
            raise Refused(400, "no model of this service has a tokenizer and a parser, so there is nothing to draw")
        return _json(
            {
                "models": [{"name": one.name, "about": one.about, "system": one.system} for one in able],
                "default": (models.default if models.default in able else able[0]).name,
                "systems": [name for name in systems() if bound_of(name) is not None],
            }
        )

    async def draw(self, request: Received) -> Whole:
        """The trees of a text."""
        return Whole([await self._service.answered(request, self._trees)], "application/json")

    async def _trees(self, fields: dict[str, str]) -> bytes:
        service = self._service
        asked = asked_of("/draw", fields, ("data", "first"))
        offer = service.models.named(asked.model)
        for component in (TOKENIZER, PARSER):
            offer.need(component)
        text, first = _short(fields, "data", _CHARACTERS), fields.get("first") or "0"
        if not (first.isascii() and first.isdecimal()):
            raise Refused(400, f"first={first!r:.40}: expected the number of a sentence, from 0")
        treebank = await service.aside(len(text), service.models.parser(offer).tokenize, text)
        begin = min(int(first[:9]), len(treebank))
        some = treebank[begin : begin + _SHOWN]
        done = await service.batches.done(Task(offer, "fill", True, Request(beam=asked.beam)), some)
        return await service.aside(1 << 14, _drawn, offer, treebank, done)  # layout takes its time

    async def steps(self, request: Received) -> Whole:
        """A page that steps through how a system builds a tree."""
        page = await self._service.answered(request, self._derivation)
        return Whole([page.encode()], "text/html; charset=utf-8", {"Content-Security-Policy": _STEPS_POLICY})

    async def _derivation(self, fields: dict[str, str]) -> str:
        asked = asked_of("/steps", fields, ("data", "system"))
        offer = self._service.models.named(asked.model)
        data, system = _short(fields, "data", _CHARACTERS_STEPPED), fields.get("system") or offer.system
        return await self._service.aside(1 << 14, self._stepped, data, offer, system, asked.beam)

    def _stepped(self, data: str, offer: Offer, system: str, beam: int | None) -> str:
        """The way to the tree of a sentence: the model's own, if it is the one that finds this tree, or an oracle's."""
        treebank = read_conllu(data.encode("utf-8", "replace"), format="conllu")
        if len(treebank) != 1 or len(treebank[0]) > _STEPPED:
            raise Refused(400, f"one sentence of up to {_STEPPED} words can be stepped through at a time")
        sentence = treebank[0]
        if system == offer.system:
            derivation = _own_moves(self._service.models.parser(offer), sentence, beam)
            if derivation is not None:
                return DERIVATIONS["html"].draw(derivation, list(sentence.forms), f"{system}, the parser's own moves")
        try:
            derivation = derive(list(sentence.heads), system, list(sentence.deprels))
        except UnknownNameError as error:
            raise Refused(400, str(error)) from None
        return DERIVATIONS["html"].draw(derivation, list(sentence.forms), f"{system}, the moves of its oracle")


def _short(fields: dict[str, str], name: str, most: int) -> str:
    if name not in fields:
        raise Refused(400, f"the field {name!r} is missing")
    if len(fields[name]) > most:
        raise Refused(413, f"the page takes {most:,} characters at a time: send more to /process or /parse")
    return fields[name]


def _drawn(offer: Offer, treebank: Treebank, some: Treebank) -> bytes:
    said = {
        "model": offer.name,
        "sentences": len(treebank),
        "words": treebank.n_words,
        "shown": [_picture(some, n) for n in range(len(some))],
    }
    return json.dumps(said).encode("ascii")


def _picture(treebank: Treebank, number: int) -> dict[str, Any]:
    sentence: Sentence = treebank[number]
    row = row_of(sentence)
    row["conllu"] = treebank[number : number + 1].to_bytes().decode("utf-8", "replace")
    for one in _on_page():
        row[one.name] = one.draw(sentence, **one.page) if not one.slow or len(sentence) <= _DRAWN else None
    return row


def _on_page() -> list[Format]:
    """The formats that the page offers."""
    return [one for one in FORMATS.values() if one.title]


def _buttons() -> str:
    button = '<button type="button" class="copy" data-what="{}">Copy {}</button>'
    return "\n".join(button.format(one.name, one.title) for one in _on_page())


def _own_moves(parser: Parser, sentence: Sentence, beam: int | None) -> Derivation | None:
    """The moves by which a parser finds this very tree; None if it has none, or finds another tree."""
    try:
        derivation = parser.derivation(sentence, beam, retag=TAGGER in parser.components)
    except Error:
        return None
    return derivation if derivation.heads == list(sentence.heads) else None


def _json(content: Any) -> Response:
    return Response(json.dumps(content), headers=SAFE, media_type="application/json")


def _file(name: str) -> str:
    return (files("fastparse.server") / "page" / name).read_text(encoding="utf-8")
