"""The REST protocol of UDPipe: what its clients send to /models and /process, and what they get.

Options of `tokenizer`, `tagger` and `parser` that fastparse does not know say nothing, as there; of the parser's it
knows `beam_search`. Text stays as it was sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route

from fastparse.annotate.components import TAGGER, TOKENIZER
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.model.sections import PARSER
from fastparse.request import Request, default_of
from fastparse.server.batching import Task
from fastparse.server.forms import asked_of
from fastparse.server.guard import Refused
from fastparse.server.service import SAFE, Whole

if TYPE_CHECKING:
    from starlette.requests import Request as Received

    from fastparse.corpus.sentence import Sentence
    from fastparse.parser import Parser
    from fastparse.server.models import Offer
    from fastparse.server.service import Service

__all__ = ["UDPipe", "read_text"]

_METHODS = ["GET", "POST"]
_NONE = "none"  # as tagger or parser: it is not wanted
_LISTED = (TOKENIZER, TAGGER, PARSER)
_FIELDS = ("data", "tokenizer", "input", "tagger", "parser", "output")
_WRITTEN = 50  # bytes for each word that the time of writing is reckoned as
_ENCODED = 1 << 16  # characters of a result that become JSON at a time, so that other threads have their turn
_NO_BREAK_SPACE = "\u00a0"
_SPACES = re.compile(r"Spaces(?:Before|After|InToken)=[^|]*")


class UDPipe:
    """The answers of this protocol."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def routes(self) -> list[Route]:
        return [
            Route("/models", self.models, methods=_METHODS),
            Route("/process", self.process, methods=_METHODS),
        ]

    async def models(self, request: Received) -> Response:
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

    async def process(self, request: Received) -> Whole:
        return Whole(await self._service.answered(request, self._processed), "application/json")

    async def _processed(self, fields: dict[str, str]) -> list[bytes]:
        service = self._service
        asked = asked_of("/process", fields, _FIELDS)
        if "data" not in fields:
            raise Refused(400, "the argument 'data' is missing: it is the text, or CoNLL-U")
        offer = service.models.named(asked.model)
        task = _task(asked, fields, offer)
        writer = writer_of(fields.get("output", "conllu"), asked.written_deps)
        treebank = await service.aside(len(fields["data"]), self._read, asked, fields, task)
        done = await service.batches.done(task, treebank)
        return await service.aside(_WRITTEN * done.n_words, lambda: _body(offer, writer(done)))

    def _read(self, asked: Request, fields: dict[str, str], task: Task) -> Treebank:
        parser = self._service.models.parser(task.offer)
        if "tokenizer" in fields:
            return read_text(parser, fields["data"], fields["tokenizer"], asked.offsets)
        return read_input(fields.get("input", "conllu"), fields["data"], parser, asked, heads=not task.parse)


def _task(asked: Request, fields: dict[str, str], offer: Offer) -> Task:
    """What is asked for.

    Raises:
        Refused: if the model cannot do it, or there is nothing that an option could change.
    """
    tag, parse = (name in fields and fields[name] != _NONE for name in ("tagger", "parser"))
    reads_text = "tokenizer" in fields or fields.get("input", "").startswith("generic_tokenizer")
    for name, wanted in ((TOKENIZER, reads_text), (TAGGER, tag), (PARSER, parse)):
        if wanted:
            offer.need(name)
    reads_conllu = not reads_text and fields.get("input", "conllu").startswith("conllu")
    _only_with(asked, ("beam", "threshold", "strict", "scores"), parse, "parser")
    _only_with(asked, ("retag",), tag, "tagger")
    _only_with(asked, ("offsets",), reads_text, "tokenizer")
    _only_with(asked, ("on_error",), reads_conllu, "input=conllu")
    _only_with(asked, ("deps",), fields.get("output", "conllu").startswith("conllu"), "output=conllu")
    options = dict(option.strip().partition("=")[::2] for option in fields.get("parser", "").split(";"))
    beam = asked.beam
    if parse and beam is None and options.get("beam_search"):
        beam = asked_of("/process", {"beam": options["beam_search"]}, ()).beam
    retag = tag and (asked.retag or "retag" not in fields)
    search = Request(beam=beam, threshold=asked.threshold, retag=retag, strict=asked.strict, scores=asked.scores)
    return Task(offer, "replace" if retag else "fill" if tag else "keep", parse, search)


def _only_with(asked: Request, names: tuple[str, ...], there: bool, partner: str) -> None:
    """Raises Refused for options that change nothing where their partner is not there."""
    for name in names:
        if not there and getattr(asked, name) != default_of(name):
            raise Refused(400, f"{name} goes with {partner}, which this request does not ask for")


def _body(offer: Offer, result: str) -> list[bytes]:
    said = [text for text in (offer.about, offer.licence) if text]
    before, after = _bytes({"model": offer.name, "acknowledgements": said, "result": ""}).rsplit(b'""', 1)
    parts = (result[first : first + _ENCODED] for first in range(0, len(result), _ENCODED))
    coded = [json.dumps(part, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass") for part in parts]
    return [before + b'"', *coded, b'"' + after]


def _json(content: Any) -> Response:
    return Response(_bytes(content), headers=SAFE, media_type="application/json")


def _bytes(content: Any) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


# What comes


def read_text(parser: Parser, text: str, options: str, offsets: bool = False) -> Treebank:
    """The sentences and words of a text.

    Args:
        options: as of UDPipe's tokenizers, separated by semicolons: "presegmented", "ranges", "normalized_spaces".
            Others say nothing, as there.
        offsets: the same as "ranges".
    """
    wanted = {option.partition("=")[0].strip() for option in options.split(";")}
    treebank = parser.tokenize(
        text, input="lines" if "presegmented" in wanted else "text", offsets=offsets or "ranges" in wanted
    )  # fmt: skip
    return _with_plain_spaces(treebank) if "normalized_spaces" in wanted else treebank


def _with_plain_spaces(treebank: Treebank) -> Treebank:
    """Without what says more of spaces than SpaceAfter=No does."""

    def plain(line: bytes) -> bytes:
        if b"\tSpaces" not in line and b"|Spaces" not in line:
            return line
        *cells, misc = line.decode("utf-8").split("\t")
        kept = "|".join(part for part in misc.split("|") if not _SPACES.fullmatch(part))
        return "\t".join([*cells, kept or "_"]).encode("utf-8")

    data = b"\n".join(plain(line) for line in treebank.to_bytes().split(b"\n"))
    return read_conllu(data, format="conllu")


def read_input(name: str, data: str, parser: Parser, asked: Request, *, heads: bool) -> Treebank:
    """The sentences of data in a format: "conllu", "horizontal", "vertical" or "generic_tokenizer", with options
    after "=" as UDPipe has them.

    Args:
        parser: whose tokenizer stands for the generic one.
        asked: whether tokens of a text get their places, and what becomes of CoNLL-U that cannot be read.
        heads: whether the trees of CoNLL-U are wanted.

    Raises:
        Refused: for another format.
        ConlluError: for data that is not what it is said to be.
    """
    kind, _, options = name.partition("=")
    if kind == "conllu":
        treebank = read_conllu(
            data.encode("utf-8", "surrogatepass"), format="conllu", heads=heads, on_error=asked.on_error
        )
        return treebank if treebank.kept_unparsed else treebank[:]
    if kind == "generic_tokenizer":
        return read_text(parser, data, options, asked.offsets)
    if kind == "horizontal":
        lines = (re.split(r"[ \t\r\f\v]+", line.strip(" \t\r\f\v")) for line in data.split("\n"))
        rows = [[form.replace(_NO_BREAK_SPACE, " ") for form in line] for line in lines if line != [""]]
    elif kind == "vertical":
        paragraphs = re.split(r"\n(?:[ \t]*\n)+", data.replace("\r", ""))
        found = ([line.split("\t")[0] for line in paragraph.split("\n")] for paragraph in paragraphs)
        rows = [row for words in found if (row := [word for word in words if word.strip()])]
    else:
        raise Refused(
            400, f"unknown input format {name!r:.200}: there are conllu, horizontal, vertical, generic_tokenizer"
        )
    return Treebank.from_columns(rows)


# What goes


def writer_of(name: str, deps: str = "keep") -> Callable[[Treebank], str]:
    """What writes treebanks in a format, with options after "=" as UDPipe has them; deps as for `to_bytes`.

    Raises:
        Refused: for another format.
    """
    kind, _, options = name.partition("=")
    wanted = {option.strip() for option in options.split(";")}
    writers: dict[str, Callable[[Treebank], str]] = {
        "conllu": lambda treebank: (_old if "v1" in wanted else str)(_conllu(treebank, deps)),
        "horizontal": lambda treebank: _lines(treebank, " ", "\n", "paragraphs" in wanted),
        "vertical": lambda treebank: _lines(treebank, "\n", "\n\n", "paragraphs" in wanted),
        "plaintext": _sentence_a_line if "normalized_spaces" in wanted else lambda treebank: treebank.to_text(),
        "matxin": _matxin,
        "epe": _epe,
    }
    if kind not in writers:
        raise Refused(400, f"unknown output format {name!r:.200}: there are {', '.join(writers)}")
    return writers[kind]


def _conllu(treebank: Treebank, deps: str) -> str:
    return treebank.to_bytes(deps).decode("utf-8", "replace")


def _old(conllu: str) -> str:
    """The first version of the format: no empty nodes, no spaces in forms and lemmas."""
    lines = []
    for line in conllu.split("\n"):
        number, tab, rest = line.partition("\t")
        if not tab or line.startswith("#"):
            lines.append(line)
        elif "." not in number:
            form, lemma, others = rest.split("\t", 2)
            lines.append("\t".join((number, form.replace(" ", "_"), lemma.replace(" ", "_"), others)))
    return "\n".join(lines)


def _begins_paragraph(sentence: Sentence) -> bool:
    return any(comment.startswith(("newpar", "newdoc")) for comment in _comments(sentence))


def _comments(sentence: Sentence) -> list[str]:
    return [comment.lstrip("# ") for comment in sentence.comments]


def _lines(treebank: Treebank, between: str, after: str, paragraphs: bool) -> str:
    """Words, with something between them and after sentences."""
    pieces = []
    for n, sentence in enumerate(treebank):
        if paragraphs and n and _begins_paragraph(sentence):
            pieces.append("\n")
        forms = sentence.forms if between == "\n" else [form.replace(" ", _NO_BREAK_SPACE) for form in sentence.forms]
        pieces.append(between.join(forms) + after)
    return "".join(pieces)


def _sentence_a_line(treebank: Treebank) -> str:
    pieces = []
    for n, sentence in enumerate(treebank):
        if n and _begins_paragraph(sentence):
            pieces.append("\n")
        pieces.append(f"{' '.join(sentence.text.split())}\n")
    return "".join(pieces)


def _children(sentence: Sentence) -> list[list[int]]:
    """The dependents of the root and of every word, in their order."""
    found: list[list[int]] = [[] for _ in range(len(sentence) + 1)]
    for word, head in enumerate(sentence.heads, 1):
        if 0 <= head < len(found):
            found[head].append(word)
    return found


def _matxin(treebank: Treebank) -> str:
    pieces = ["<corpus>"]
    for n, sentence in enumerate(treebank, 1):
        pieces.append(f'\n<SENTENCE ord="{n}" alloc="0">\n')
        pieces += _nodes(sentence)
        pieces.append("</SENTENCE>\n")
    return "".join([*pieces, "</corpus>\n"])


def _nodes(sentence: Sentence) -> list[str]:
    """The words as elements, each around those of its dependents, without recursion: trees may be deep."""
    children = _children(sentence)
    columns = list(zip(sentence.forms, sentence.lemmas, sentence.feats, sentence.deprels, strict=True))
    lines: list[str] = []
    waiting = [(word, 1) for word in reversed(children[0])]  # 0 stands for the end of an element
    while waiting:
        word, depth = waiting.pop()
        pad = " " * depth
        if not word:
            lines.append(f"{pad}</NODE>\n")
            continue
        cells = zip(("form", "lem", "mi", "si"), columns[word - 1], strict=True)
        said = "".join(f' {name}="{escape("" if cell == "_" else cell)}"' for name, cell in cells)
        lines.append(f'{pad}<NODE ord="{word}" alloc="0"{said}{">" if children[word] else "/>"}\n')
        if children[word]:
            waiting.append((0, depth))
            waiting += [(child, depth + 1) for child in reversed(children[word])]
    return lines


def _epe(treebank: Treebank) -> str:
    """A JSON object per sentence, a line each: nodes with their properties and edges."""
    lines = []
    for n, sentence in enumerate(treebank, 1):
        children = _children(sentence)
        nodes = []
        for word, row in enumerate(sentence, 1):
            node: dict[str, Any] = {"id": word, "form": row.form}
            if row.head == 0:
                node["top"] = True
            properties = {"lemma": row.lemma, "upos": row.upos, "xpos": row.xpos}
            properties |= dict(feat.split("=", 1) for feat in row.feats.split("|") if "=" in feat)
            node["properties"] = {name: "" if value == "_" else value for name, value in properties.items()}
            if children[word]:
                node["edges"] = [{"label": sentence.deprels[child - 1], "target": child} for child in children[word]]
            nodes.append(node)
        lines.append(json.dumps({"id": n, "nodes": nodes}, ensure_ascii=False) + "\n")
    return "".join(lines)
