"""Requests that are refused: a status, and what to do about it."""

from __future__ import annotations

from fastparse.errors import Error

__all__ = ["Gone", "Refused"]


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


class Gone(Exception):
    """The client is not there any more, or does not take its answer: nobody reads what would be said."""
