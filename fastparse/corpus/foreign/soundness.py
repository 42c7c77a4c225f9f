"""Whether data of Arrow can be relied on."""

from __future__ import annotations

from typing import Any

from fastparse.errors import Error

__all__ = ["require_sound"]

_REFUSED = (ValueError, TypeError, LookupError, NotImplementedError)  # what Arrow's exceptions are, too


def require_sound(data: Any, what: str) -> None:
    """Look at a table or batch of Arrow, which itself looks only when it is asked to, and then would leave its memory.

    Raises:
        Error: if places, ids or characters lie outside of its buffers, or something is not UTF-8.
    """
    try:
        data.validate(full=True)
    except _REFUSED as error:
        raise Error(f"{what} is no sound Arrow data: {error}. Write it again with what it comes from.") from None
