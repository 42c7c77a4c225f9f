"""The fields of a request: those of its address, those of a form in its body, and the values they have."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import parse_qsl

from fastparse.errors import did_you_mean
from fastparse.request import Request, default_of, fields_of, limits_of
from fastparse.server.guard import Refused

__all__ = ["asked_of", "fields_of_body", "fields_of_query", "parameters"]

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


def asked_of(way: str, fields: Mapping[str, str], own: Collection[str]) -> Request:
    """What the fields of a request ask of a model.

    Args:
        way: the way in.
        own: names of fields that say something else.

    Raises:
        Refused: for a field that is not known.
        Error: for a value that cannot be, or one that this way in does not honour.
    """
    values, known = {}, Request().__dict__
    for name, text in fields.items():
        if name in known and name not in own:
            values[name] = _value(name, text)
        elif name not in own:
            names = [*own, *(other for other in fields_of(way) if other not in own)]
            said = did_you_mean(name[:50], names) or f": there are {', '.join(names)}"
            raise Refused(400, f"there is no field {name[:200]!r}{said}")
    return Request.of(way, **values)


def _value(name: str, text: str) -> Any:
    """What a text stands for; what it cannot be is left to the request to refuse."""
    if limits_of(name) is not None:
        if not text:
            return None
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else text[:200]
    if isinstance(default_of(name), bool):
        flag = text.lower()
        return True if flag in _YES else False if flag in _NO else text[:200]
    return text[:200]
