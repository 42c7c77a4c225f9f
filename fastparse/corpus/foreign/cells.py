"""Cells as other libraries have them, and whether data of Arrow can be relied on."""

from __future__ import annotations

from typing import Any

from fastparse.errors import Error

__all__ = ["features_text", "head_number", "require_sound"]


def head_number(value: Any) -> int:
    """A head as libraries have it (integer, digits, None, `_`) as a number; -1 for none."""
    if value is None or value in ("", "_"):
        return -1
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Error(f"{value!r} is not a head: expected a number, 0 for the root") from None


def features_text(features: Any) -> str | None:
    """Features as text: they are kept as strings, dicts of strings, or dicts of sets of strings."""
    if features is None or isinstance(features, str):
        return features or None
    pairs = []
    for key in sorted(features, key=lambda key: (key.lower(), key)):
        value = features[key]
        if value is not None and not isinstance(value, str):
            value = ",".join(sorted(value, key=lambda part: (part.lower(), part)))
        pairs.append(key if value is None else f"{key}={value}")
    return "|".join(pairs) or None


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
