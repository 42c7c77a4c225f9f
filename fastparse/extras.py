"""Packages that come with extras: imported when they are needed, and how to install them."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, NamedTuple

from fastparse.errors import Error

__all__ = ["DISTRIBUTION", "EXTRAS", "OTHERS", "Extra", "how_to_install", "is_there", "needed"]

DISTRIBUTION = "fastparse-nlp"


class Extra(NamedTuple):
    """What an extra brings.

    Attributes:
        about: what one can do with it.
        modules: what is imported, all of them; names in a group behind `|` stand for each other.
    """

    about: str
    modules: tuple[str, ...]


EXTRAS = {
    "zstd": Extra("read and write .zst files", ("compression.zstd|backports.zstd",)),
    "arrow": Extra("Arrow, Parquet, record batches", ("pyarrow",)),
    "server": Extra("fastparse serve", ("h11", "starlette", "uvicorn")),
    "plot": Extra("plots of fastparse study", ("matplotlib",)),
    "dask": Extra("shards on Dask", ("distributed", "pyarrow")),
    "spark": Extra("Spark", ("pyspark", "pandas", "pyarrow")),
    "ray": Extra("Ray", ("ray", "pyarrow")),
}

# Packages that fastparse works with where they are, which no extra brings: what one can do with them.
OTHERS = {
    "spacy": "a component of spaCy pipelines",
    "pandas": "data frames in and out",
    "polars": "data frames in and out",
    "udapi": "documents of udapi in and out",
    "tqdm": "progress=True",
    "ufal.udpipe": "fastparse bench --compare",
}


def needed(module: str, extra: str) -> Any:
    """The module.

    Raises:
        Error: if it is not installed, naming the extra that brings it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise Error(
            f"this needs {module.split('.')[0]}, which cannot be imported ({error}): {how_to_install(extra)}"
        ) from None


def is_there(modules: str) -> bool:
    """Whether one of several modules, separated by `|`, is installed; imports their packages at most."""
    return any(_found(module) for module in modules.split("|"))


def _found(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def how_to_install(extra: str) -> str:
    """The command that installs an extra: from the clone that fastparse was installed from, if there is one."""
    clone = _clone()
    return f"pip install '{DISTRIBUTION if clone is None else clone}[{extra}]'"


def _clone() -> str | None:
    """The folder that fastparse was installed from; None if it came from elsewhere or is gone."""
    import json
    from importlib import metadata
    from urllib.parse import unquote, urlparse

    try:
        url = json.loads(metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or "{}").get("url", "")
    except (metadata.PackageNotFoundError, ValueError):
        return None
    parts = urlparse(url)
    folder = unquote(parts.path)
    return folder if parts.scheme == "file" and os.path.isfile(os.path.join(folder, "pyproject.toml")) else None
