"""Sentences as JSON, a line each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.corpus.sentence import Sentence

__all__ = ["LONGEST_LINE", "document_of", "line_of", "lines_of", "row_of"]

LONGEST_LINE = 1 << 28  # bytes
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


def lines_of(pieces: Iterable[bytes], longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of bytes that come in pieces, without their ends; a piece of no bytes is handed on.

    Raises:
        Error: for a line of more than `longest` bytes.
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
            raise Error(f"a line has more than {longest:,} bytes: send a document in several")
    yield b"".join(rest)


def document_of(line: bytes, where: str) -> tuple[Any, str | Treebank]:
    """What a line holds: its "id" or None, and its "text"; or a treebank of the one sentence of its "forms".

    Args:
        where: the line, for messages.

    Raises:
        Error: for a line that is neither.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Error(f"{where} is no JSON: every line is an object, with no line end in it") from None
    if not isinstance(found, dict) or ("forms" not in found and "text" not in found):
        raise Error(f'{where} is no object with "text" or "forms"')
    if "forms" not in found:
        if not isinstance(found["text"], str):
            raise Error(f'{where}: "text" is no string')
        return found.get("id"), found["text"].encode("utf-8", "replace").decode("utf-8")
    forms = found["forms"]
    columns = {column: found[column] for column in _COLUMNS if found.get(column) is not None}
    for column, cells in {"forms": forms, **columns}.items():
        if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
            raise Error(f'{where}: "{column}" is no list of strings')
    if not forms:
        raise Error(f'{where}: "forms" has no words')
    sent_id = found.get("sent_id")
    ids = [sent_id] if isinstance(sent_id, str) else None
    try:
        treebank = Treebank.from_columns(
            [forms], **{column: [cells] for column, cells in columns.items()}, sent_ids=ids
        )
    except Error as error:
        raise Error(f"{where}: {error}") from None
    return found.get("id"), treebank
