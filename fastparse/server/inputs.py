"""What UDPipe's service reads: running text, and the formats that its `input` names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.server.failures import Refused

if TYPE_CHECKING:
    from fastparse.parser import Parser

__all__ = ["read_input", "read_text"]

_NO_BREAK_SPACE = "\u00a0"
_SPACES = re.compile(r"Spaces(?:Before|After|InToken)=[^|]*")


def read_text(parser: Parser, text: str, options: str) -> Treebank:
    """The sentences and words of a text.

    Args:
        options: as of UDPipe's tokenizers, separated by semicolons: "presegmented", "ranges", "normalized_spaces".
            Others say nothing, as there.
    """
    wanted = {option.partition("=")[0].strip() for option in options.split(";")}
    treebank = parser.tokenize(
        text, input="lines" if "presegmented" in wanted else "text", offsets="ranges" in wanted
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


def read_input(name: str, data: str, parser: Parser, *, heads: bool) -> Treebank:
    """The sentences of data in a format: "conllu", "horizontal", "vertical" or "generic_tokenizer", with options
    after "=" as UDPipe has them.

    Args:
        parser: whose tokenizer stands for the generic one.
        heads: whether the trees of CoNLL-U are wanted.

    Raises:
        Refused: for another format.
        ConlluError: for data that is not what it is said to be.
    """
    kind, _, options = name.partition("=")
    if kind == "conllu":
        return read_conllu(data.encode("utf-8", "surrogatepass"), format="conllu", heads=heads)[:]
    if kind == "generic_tokenizer":
        return read_text(parser, data, options)
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
