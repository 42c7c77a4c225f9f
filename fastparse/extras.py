"""Packages that come with extras: imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fastparse.errors import Error

__all__ = ["needed"]


def needed(module: str, extra: str) -> Any:
    """The module.

    Raises:
        Error: if it is not installed, naming the extra that brings it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise Error(
            f"this needs {module.split('.')[0]}, which cannot be imported ({error}): "
            f"pip install 'fastparse-nlp[{extra}]'"
        ) from None
