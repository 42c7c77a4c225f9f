"""The fields of a request: those of its address, and those of a form in its body."""

from __future__ import annotations

from email.message import Message
from email.parser import BytesHeaderParser
from urllib.parse import parse_qsl

from fastparse.server.failures import Refused

__all__ = ["fields_of_body", "fields_of_query"]

MOST_FIELDS = 100
_PLAIN = ("", "7bit", "8bit", "binary")
_CHARSETS = ("utf-8", "utf8", "us-ascii", "ascii")


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
    header = Message()
    header["content-type"] = content_type
    kind = header.get_content_type() if content_type else ""
    if kind == "application/x-www-form-urlencoded":
        return _encoded(body, "the form")
    if kind == "multipart/form-data":
        boundary = header.get_param("boundary")
        if not isinstance(boundary, str) or not 0 < len(boundary) <= 200 or not boundary.isascii():
            raise Refused(400, "the Content-Type of the form names no boundary: write multipart/form-data; boundary=..")
        return _parts(body, boundary.encode("ascii"))
    raise Refused(
        415,
        f"the body is {content_type or 'of no Content-Type'!r}: "
        "send a form, multipart/form-data or application/x-www-form-urlencoded",
    )


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
        head, between, value = piece.partition(b"\r\n\r\n")
        rest, _, lines = head.partition(b"\r\n")
        if not between or rest.strip(b" \t"):
            raise Refused(400, "a part of the form has no empty line between its headers and its value")
        name, text = _field(lines, value)
        fields[name] = text
    return fields


def _field(lines: bytes, value: bytes) -> tuple[str, str]:
    try:
        headers = BytesHeaderParser().parsebytes(lines + b"\r\n\r\n")
        name = headers.get_param("name", header="content-disposition")
        encoding = str(headers.get("content-transfer-encoding", "")).strip().lower()
        charset = str(headers.get_param("charset", "utf-8")).lower()
    except Exception:  # the library's parser of headers promises nothing about what is none
        raise Refused(400, "the headers of a part of the form cannot be read") from None
    if not isinstance(name, str) or not name:
        raise Refused(400, 'a part of the form has no name: write Content-Disposition: form-data; name=".."')
    if encoding not in _PLAIN or charset not in _CHARSETS:
        raise Refused(415, f"the field {name!r} is encoded ({encoding or charset}): send it as UTF-8, 8bit")
    try:
        return name, value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(
            400, f"the field {name!r} is not UTF-8: byte {error.start + 1} of it begins no character"
        ) from None
