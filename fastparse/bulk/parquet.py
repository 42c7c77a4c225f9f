"""Parquet files: in, out, and to and from CoNLL-U, in bounded memory. Needs the extra `arrow`.

A file is read and written a batch of rows at a time, each a row group of the output.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

from fastparse.annotate.annotator import Annotator, Call
from fastparse.annotate.formats import kind_by_suffix
from fastparse.annotate.rows import ROWS, ParquetWriter, batches_of_parquet
from fastparse.annotate.stream import Report, stream
from fastparse.corpus.files.output import open_output
from fastparse.parser import Parser
from fastparse.request import Request

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from fastparse.request import Asked

__all__ = ["convert", "parse_file", "read_parquet", "write_parquet"]

_OF_ROWS = ("parquet", "ndjson")  # which have nothing that could be kept as it is

Path = str | os.PathLike[str]


def parse_file(parser: Parser, inputs: Sequence[Path] | Path, output: Path, **asked: Unpack[Asked]) -> Report:
    """Parse from file to file: the same as `parser.parse_file`, which reads and writes Parquet, too."""
    return parser.parse_file(_listed(inputs), output, **asked)


def convert(inputs: Sequence[Path] | Path, output: Path, **asked: Unpack[Asked]) -> Report:
    """Any treebank or rows to any other format. From CoNLL-U to Parquet and back every byte is as it was.

    Args:
        inputs: files of one kind; they become one output.
        output: a path; its suffix says which kind. The file appears whole or not at all.
        asked: source, target, encoding, on_error and progress, as for `Parser.parse_file`. By default sentences that
            cannot be read are kept as they are.
    """
    given = _listed(inputs)
    rows = asked.get("source") in _OF_ROWS or any(kind_by_suffix(name) in _OF_ROWS for name in given)
    more: Any = {**({} if rows else {"on_error": "keep"}), **asked}
    request = Request.of("fastparse convert", **more)
    return stream(given, output, Call(Annotator(), request), request)


def _listed(inputs: Sequence[Path] | Path) -> list[Path]:
    return [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)


def read_parquet(path: Path, *, rows: int = ROWS) -> Iterator[Any]:
    """The record batches of a file, strings of words as dictionaries.

    Raises:
        Error: if it is no Parquet file, or a damaged one.
    """
    return batches_of_parquet(path, rows=rows)


def write_parquet(batches: Iterable[Any], output: Path | IO[bytes], wanted: Any = None) -> None:
    """Write record batches, each as a row group.

    Args:
        output: a path, which appears whole or not at all; or a binary stream.
        wanted: the schema of a file without batches; `fastparse.bulk.arrow.schema` by default.
    """
    with open_output(output) as stream:
        writer = ParquetWriter(stream, wanted)
        for batch in batches:
            writer.add(batch)
        writer.close()
