"""Sentences as JSON, a line each, in and out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.server.failures import Refused

if TYPE_CHECKING:
    from fastparse.corpus.sentence import Sentence
    from fastparse.parser import Parser

__all__ = ["line_of", "lines_of_pieces", "row_of", "treebank_of_line"]

_COLUMNS = ("upos", "xpos", "feats", "lemmas", "misc")


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


def treebank_of_line(line: bytes, number: int, parser: Parser) -> tuple[Any, Treebank]:
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
        return name, parser.tokenize(found["text"].encode("utf-8", "replace").decode("utf-8"))
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
