"""Small files of JSON beside the results: plans, marks and claims, which anybody may have written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastparse.corpus.files.names import open_regular
from fastparse.corpus.files.output import open_output

__all__ = ["is_count", "read_record", "write_record"]


def read_record(path: Path) -> dict[str, Any]:
    """The object in a file; devices and pipes are not waited for.

    Raises:
        FileNotFoundError: if there is no file.
        ValueError: if it holds no JSON object.
        OSError: if it cannot be read.
    """
    stream = open_regular(path)
    if stream is None:
        raise ValueError("it is a device or a pipe")
    with stream:
        text = stream.read()
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")
    return found


def write_record(path: Path, value: dict[str, Any]) -> None:
    """Write a file, whole or not at all."""
    with open_output(path) as out:
        out.write((json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode("utf-8"))


def is_count(value: Any) -> bool:
    """Whether a value from outside is a whole number from 0 to what a file can have of anything."""
    return type(value) is int and 0 <= value < 1 << 62
