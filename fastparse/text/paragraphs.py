"""Places in a file of text where a paragraph (a line, where these are sentences) begins for certain."""

from __future__ import annotations

import re
from typing import IO

__all__ = ["after_paragraph", "within_paragraph"]

_STEP = 1 << 20
_BEFORE = 8  # bytes before a place that are looked at
# The beginning of a character that is no white space, and one that ends with a byte.
_VISIBLE = (
    rb"(?:[!-~]|[\xc3-\xdf\xe0\xe4-\xee\xf0-\xf4]|\xe1[\x81-\x99\x9b-\xbf]|\xe2[\x82-\xbf]"
    rb"|\xe2\x80[\x90-\xa7]|\xe3[\x81-\xbf])"
)
_SEEN = rb"(?:[!-~]|[\xc3-\xdf][\x80-\xbf]|[\xe0\xe4-\xee][\x80-\xbf]{2}|\xe2\x80[\x90-\xa7]|\xe3\x80[\x81-\xbf])"
_PARAGRAPH = re.compile(rb"\n\r?\n(?=" + _VISIBLE + rb")")
_LINE = re.compile(rb"(?:\n|" + _SEEN + rb")\r?\n(?=" + _VISIBLE + rb")")


def after_paragraph(stream: IO[bytes], at: int, size: int, *, lines: bool) -> int:
    """The first place from `at` on that is found, or the size of the file.

    Args:
        stream: the file.
        lines: whether lines are sentences.
    """
    pattern = _LINE if lines else _PARAGRAPH
    begin = max(0, at - _BEFORE)
    stream.seek(begin)
    data = b""
    while piece := stream.read(_STEP):
        data += piece
        for match in pattern.finditer(data):
            if begin + match.end() >= at:
                return begin + match.end()
        begin += max(0, len(data) - 2 * _BEFORE)
        data = data[-2 * _BEFORE :]
    return size


def within_paragraph(stream: IO[bytes], at: int) -> bool:
    """Whether no empty line ends at a place of a file."""
    begin = max(0, at - _BEFORE)
    stream.seek(begin)
    return not stream.read(at - begin).endswith((b"\n\n", b"\n\r\n"))
