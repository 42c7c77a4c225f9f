"""Requests that are refused: a status, and what to do about it."""

from __future__ import annotations

import re

from fastparse.corpus.problems import GO_ON, visible
from fastparse.errors import Error

__all__ = ["Gone", "Refused", "said_of"]

_LONGEST = 2000
_PLACE = re.compile(r"(?:<bytes>|the body):(?=\d)")


class Refused(Error):
    """A request that gets no answer but this message.

    Attributes:
        status: 4xx for what the client can mend, 503 for what time mends.
        headers: of the answer.
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


class Gone(BaseException):
    """The client is not there any more, or does not take its answer: nobody reads what would be said.

    It is no error, so what turns errors into answers lets it pass.
    """


def said_of(error: Error) -> str:
    """A message as clients read it: it speaks of lines of the body, gives no advice on Python, and is harmless."""
    text = _PLACE.sub("line ", str(error)).replace(f", {GO_ON}", "")
    return visible(text, longest=_LONGEST)
