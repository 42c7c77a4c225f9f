"""The fields of a request: those of its address, those of a form in its body, and the values they have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any
from urllib.parse import parse_qsl

from fastparse.model.description import LARGEST_THRESHOLD
from fastparse.search.engine import MAX_BEAM
from fastparse.server.guard import Refused

__all__ = ["OPTIONS", "asked_of", "fields_of_body", "fields_of_query", "number", "one_of", "only_with", "parameters"]

MOST_FIELDS = 100
_LONGEST_HEADER = 4096  # bytes, of a Content-Type, or of all headers of a part of a form
_PLAIN = ("", "7bit", "8bit", "binary")
_CHARSETS = ("utf-8", "utf8", "us-ascii", "ascii")
_YES = ("", "1", "true", "yes")
_NO = ("0", "false", "no")

# No two parts that repeat can share a character, so a match takes linear time.
_VALUE = re.compile(r"[ \t]*([^;\s]*)[ \t]*")
_PARAMETER = re.compile(r';[ \t]*(?:([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)(?=[ \t;]|\Z)))?[ \t]*')


def fields_of_query(query: bytes) -> dict[str, str]:
    """Names and values of the address; of a name that stands there twice the last value.

    Raises:
        Refused: if they are not UTF-8, or too many.
    """
    return _encoded(query, "the query of the address")


def fields_of_body(content_type: str, body: bytes) -> dict[str, str]:
    """Names and values of a form.

    Raises:
        Refused: for another kind of body, or one that is not what it says it is.
    """
    kind, said = parameters(content_type)
    if kind == "application/x-www-form-urlencoded":
        return _encoded(body, "the form")
    if kind == "multipart/form-data":
        boundary = said.get("boundary", "")
        if not 0 < len(boundary) <= 200 or not boundary.isascii():
            raise Refused(400, "the Content-Type of the form names no boundary: write multipart/form-data; boundary=..")
        return _parts(body, boundary.encode("ascii"))
    raise Refused(
        415,
        f"the body is {content_type[:200] or 'of no Content-Type'!r}: "
        "send a form, multipart/form-data or application/x-www-form-urlencoded",
    )


def parameters(header: str) -> tuple[str, dict[str, str]]:
    """The value of a header such as `form-data; name="a"`, in small letters, and its parameters.

    Raises:
        Refused: if it is too long. What is no parameter ends them.
    """
    if len(header) > _LONGEST_HEADER:
        raise Refused(400, f"a header of the body has more than {_LONGEST_HEADER:,} bytes")
    start = _VALUE.match(header)
    assert start is not None  # it matches nothing at all
    found: dict[str, str] = {}
    place = start.end()
    while part := _PARAMETER.match(header, place):
        place = part.end()
        name, quoted, plain = part.groups()
        if name:
            found.setdefault(name.lower(), plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
    return start[1].lower(), found


def _encoded(data: bytes, what: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(
            data.decode("utf-8"), keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=MOST_FIELDS
        )
    except UnicodeDecodeError:
        raise Refused(400, f"{what} is not UTF-8: encode it as UTF-8, with % before what is not a letter") from None
    except ValueError:
        raise Refused(400, f"{what} has more than {MOST_FIELDS} fields") from None
    return dict(pairs)


def _parts(body: bytes, boundary: bytes) -> dict[str, str]:
    """The fields of a multipart form. They are as they were sent: ends of lines are not changed."""
    # A boundary belongs to the end of the line before it; before the first one there may be no line.
    pieces = (b"\r\n" + body).split(b"\r\n--" + boundary, MOST_FIELDS + 2)
    if len(pieces) > MOST_FIELDS + 2:
        raise Refused(400, f"the form has more than {MOST_FIELDS} fields")
    if len(pieces) < 2 or not pieces[-1].startswith(b"--"):
        raise Refused(400, "the form does not end with its boundary and --: it is cut off, or has another boundary")
    fields = {}
    for piece in pieces[1:-1]:
        end = piece.find(b"\r\n\r\n", 0, _LONGEST_HEADER)
        rest, _, lines = piece[: max(0, end)].partition(b"\r\n")
        if end < 0 or rest.strip(b" \t"):
            raise Refused(
                400,
                "a part of the form has no empty line between its headers and its value, "
                f"or more than {_LONGEST_HEADER:,} bytes of headers",
            )
        name, text = _field(lines.decode("utf-8", "replace"), piece[end + 4 :])
        fields[name] = text
    return fields


def _field(lines: str, value: bytes) -> tuple[str, str]:
    pairs = (line.partition(":") for line in re.sub(r"\r\n[ \t]+", " ", lines).split("\r\n"))
    headers = {name.strip().lower(): said for name, _, said in pairs}
    name = parameters(headers.get("content-disposition", ""))[1].get("name")
    encoding = headers.get("content-transfer-encoding", "").strip().lower()
    charset = parameters(headers.get("content-type", ""))[1].get("charset", "utf-8").lower()
    if not name:
        raise Refused(400, 'a part of the form has no name: write Content-Disposition: form-data; name=".."')
    if encoding not in _PLAIN or charset not in _CHARSETS:
        raise Refused(
            415, f"the field {name[:200]!r} is encoded ({(encoding or charset)[:200]}): send it as UTF-8, 8bit"
        )
    try:
        return name, value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(
            400, f"the field {name[:200]!r} is not UTF-8: byte {error.start + 1} of it begins no character"
        ) from None


# Values

Reader = Callable[[str, str], Any]  # of a name and what it is given; raises Refused


def number(first: int, last: int, said: str = "") -> Reader:
    """Reads a number from first to last; nothing is None."""

    def read(name: str, text: str) -> int | None:
        if not text:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) < 12 and first <= int(text) <= last):
            raise Refused(400, f"{name}={text[:200]!r} is no number from {first}{said} to {last}")
        return int(text)

    return read


def one_of(*known: str) -> Reader:
    def read(name: str, text: str) -> str:
        if text not in known:
            raise Refused(400, f"{name}={text[:200]!r} is unknown: write {', '.join(filter(None, known))}")
        return text

    return read


def _flag(name: str, text: str) -> bool:
    return bool(one_of(*_YES, *_NO)(name, text.lower()) in _YES)


# What may be asked of parsers, as in Python.
OPTIONS: dict[str, Reader] = {
    "beam": number(1, MAX_BEAM, " (greedy)"), "threshold": number(0, LARGEST_THRESHOLD), "retag": _flag,
    "strict": _flag, "scores": _flag, "offsets": _flag, "deps": one_of("keep", "copy", "blank"),
    "on_error": one_of("stop", "skip", "keep"),
}  # fmt: skip


_USUAL = {"deps": "keep", "on_error": "stop"}  # which changes nothing anywhere


def asked_of(fields: Mapping[str, str], readers: Mapping[str, Reader | None]) -> dict[str, Any]:
    """The values of the fields that are there.

    Args:
        readers: of every field that may be there; None leaves the text.

    Raises:
        Refused: for another field, or a value that cannot be.
    """
    for name in fields:
        if name not in readers:
            close = get_close_matches(name[:50], readers, 1)
            meant = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(readers)}"
            raise Refused(400, f"there is no field {name[:200]!r}: {meant}")
    found = {}
    for name, text in fields.items():
        reader = readers[name]
        found[name] = text if reader is None else reader(name, text)
    return found


def only_with(asked: Mapping[str, Any], names: tuple[str, ...], there: bool, partner: str) -> None:
    """Raises Refused for options that change nothing where their partner is not there."""
    for name in names:
        value = asked.get(name)
        if not there and value is not None and value is not False and value != _USUAL.get(name):
            raise Refused(400, f"{name} goes with {partner}, which this request does not ask for")
