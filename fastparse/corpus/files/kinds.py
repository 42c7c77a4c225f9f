"""What an input is: CoNLL-U, or running text in one of its forms."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from typing import Any

from fastparse.corpus.files.sources import sources_of
from fastparse.errors import ConlluError, Error, UnknownNameError

__all__ = ["COMPRESSED", "SOURCES", "hint_at_text", "kind_by_suffix", "kind_of_source"]

SOURCES = ("auto", "conllu", "text", "lines", "words")
_SUFFIXES = {".conllu": "conllu", ".conll": "conllu", ".conllx": "conllu", ".txt": "text", ".parquet": "parquet"}
COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
_FIRST_LINE = re.compile(r"[^\n]*?:1(?: \(|:)")


def kind_of_source(source: Any, said: str, otherwise: str = "conllu") -> str:
    """One of SOURCES but "auto".

    Args:
        source: as for reading: a path, "-", a stream or bytes, or a list of these.
        said: one of SOURCES; "auto" looks at the suffix.
        otherwise: what an input is whose suffix says nothing.

    Raises:
        UnknownNameError: if there is no such kind.
        Error: if inputs are of several kinds.
    """
    if said not in SOURCES:
        raise UnknownNameError(f"source={said!r} is unknown: expected {', '.join(map(repr, SOURCES))}")
    if said != "auto":
        return said
    kinds = {kind_by_suffix(item) or otherwise for item in sources_of(source)}
    if "parquet" in kinds:
        raise Error("Parquet is parsed by fastparse.bulk.parquet.parse_file, and converted by convert there")
    if len(kinds) > 1:
        raise Error(
            "some inputs are text and some CoNLL-U, which do not go into one output: give them one after the other, or "
            "say with source= what all of them are"
        )
    return kinds.pop() if kinds else otherwise


def kind_by_suffix(item: Any) -> str | None:
    """What a file is, as its name says: "conllu", "text", "parquet" or None."""
    if not isinstance(item, (str, os.PathLike)):
        return None
    name = str(os.fspath(item)).lower()
    stem, suffix = os.path.splitext(name)
    return _SUFFIXES.get(os.path.splitext(stem)[1] if suffix in COMPRESSED else suffix)


@contextlib.contextmanager
def hint_at_text(source: Any, said: str) -> Iterator[None]:
    """Name the way to say what the input is where suffix and `said` do not, and its first line is no CoNLL-U."""
    try:
        yield
    except ConlluError as error:
        told = said != "auto" or all(kind_by_suffix(item) for item in sources_of(source))
        if told or not _FIRST_LINE.match(str(error)):
            raise
        raise ConlluError(f"{error} If the input is running text, say so: source='text', or lines or words.") from None
