"""Parquet files: in, out, and to and from CoNLL-U, in bounded memory.

A file is read and written a batch of rows at a time, each a row group of the output. Strings stay ids into dictionaries
all the way.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import IO, Any

import fastparse
from fastparse.annotate.stream import Report, in_order
from fastparse.bulk.arrow import Step, from_conllu, schema
from fastparse.bulk.extras import needed
from fastparse.bulk.sentences import conllu_of
from fastparse.corpus.files.output import open_output
from fastparse.corpus.reading import missing_blank_line
from fastparse.errors import Error
from fastparse.parser import Parser

__all__ = ["convert", "is_parquet", "parse_file", "read_parquet", "write_parquet"]

ROWS = 8192  # read and written at once: some 150,000 words
_SUFFIX = ".parquet"
_WORDS = 100_000  # of CoNLL-U that become a row group
_BUFFER = 1 << 20
_FORMAT = 1
_MARK = b"fastparse"

Path = str | os.PathLike[str]


def is_parquet(name: Any) -> bool:
    """Whether a path says that it is of a Parquet file."""
    return isinstance(name, (str, os.PathLike)) and os.fspath(name).lower().endswith(_SUFFIX)


def parse_file(
    parser: Parser, inputs: Sequence[Path] | Path, output: Path, beam: int | None = None, threads: int = 1, *,
    retag: bool = False, progress: Callable[[Report], object] | None = None,
) -> Report:  # fmt: skip
    """Parse Parquet or CoNLL-U to Parquet or CoNLL-U; see `fastparse.bulk.arrow.parse_batch` for what becomes of rows.

    Args:
        inputs: files of one kind; they become one output.
        output: a path; its suffix says which kind. The file appears whole or not at all.
        threads: the output does not depend on it.
        progress: called with the report so far after every batch.
    """
    step = Step(parser, beam, retag, dictionary=True)
    return _transfer(_listed(inputs), output, step, threads, progress)


def convert(
    inputs: Sequence[Path] | Path, output: Path, *, progress: Callable[[Report], object] | None = None
) -> Report:
    """CoNLL-U to Parquet, or Parquet to CoNLL-U. There and back, every byte of CoNLL-U is as it was.

    Args:
        inputs: files of one kind; they become one output.
        output: a path; its suffix says which kind. The file appears whole or not at all.
        progress: called with the report so far after every batch.
    """
    return _transfer(_listed(inputs), output, None, 1, progress)


def read_parquet(path: Path, *, rows: int = ROWS) -> Iterator[Any]:
    """The record batches of a file, strings of words as dictionaries.

    Raises:
        Error: if it is no Parquet file, or a damaged one.
    """
    for batch, _ in _read(path, rows):
        yield batch


def write_parquet(batches: Iterable[Any], output: Path | IO[bytes], wanted: Any = None) -> None:
    """Write record batches, each as a row group.

    Args:
        output: a path, which appears whole or not at all; or a binary stream.
        wanted: the schema of a file without batches; `fastparse.bulk.arrow.schema` by default.
    """
    with open_output(output) as stream, _Writer(stream, wanted) as writer:
        for batch in batches:
            writer.write(batch)


class _Writer:
    """A Parquet file on a stream. Each row group has the dictionaries of its batch."""

    def __init__(self, stream: IO[bytes], wanted: Any = None) -> None:
        self._stream = stream
        self._wanted = wanted
        self._writer: Any = None

    def __enter__(self) -> _Writer:
        return self

    def write(self, batch: Any) -> None:
        pa = needed("pyarrow", "arrow")
        if self._writer is None:
            self._open(batch.schema)
        if len(batch):
            self._writer.write_table(pa.Table.from_batches([batch]).cast(self._wanted), row_group_size=len(batch))

    def _open(self, wanted: Any) -> None:
        pq = needed("pyarrow.parquet", "arrow")
        mark = json.dumps({"format": _FORMAT, "fastparse": fastparse.__version__}).encode()
        self._wanted = wanted.with_metadata({**(wanted.metadata or {}), _MARK: mark})
        # Without the Arrow schema a column of dictionaries is one of strings to whoever reads it.
        self._writer = pq.ParquetWriter(
            self._stream, self._wanted, compression="zstd", store_schema=False, write_statistics=["sent_id"]
        )

    def __exit__(self, kind: Any, *_: object) -> None:
        if kind is None and self._writer is None:
            self._open(schema() if self._wanted is None else self._wanted)
        if self._writer is not None:
            self._writer.close()


def _listed(inputs: Sequence[Path] | Path) -> list[Path]:
    found: list[Path] = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
    if len({is_parquet(name) for name in found}) > 1:
        raise Error("some inputs are Parquet and some are not, which do not go into one output: give those of one kind")
    return found


def _transfer(
    inputs: list[Path], output: Path, step: Step | None, threads: int, progress: Callable[[Report], object] | None
) -> Report:
    if os.fspath(output) == "-" and is_parquet(inputs[0]):
        raise Error("Parquet is not written to a pipe: name an output with -o, one that ends in .parquet or .conllu")
    report, begun = Report(), perf_counter()
    size = sum(map(os.path.getsize, inputs)) if is_parquet(inputs[0]) else 0

    def counted() -> Iterator[Any]:
        for batch, n_bytes in _batches(inputs):
            report.bytes_read += n_bytes
            report.share = min(1.0, report.bytes_read / size) if size else None
            yield batch

    with open_output(output) as stream:
        batches = counted() if step is None else map(step, counted())
        if step is not None and threads > 1:
            batches = in_order(step, counted(), threads)
        if is_parquet(output):
            _drain(batches, _Writer(stream), report, begun, progress)
        else:
            _drain(batches, _Conllu(stream), report, begun, progress)
    report.seconds = perf_counter() - begun
    return report


class _Conllu:
    """CoNLL-U on a stream. Files that run into one another are kept apart."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._tail = b""

    def __enter__(self) -> _Conllu:
        return self

    def write(self, batch: Any) -> None:
        data = conllu_of(batch)
        if data:
            self._stream.write(missing_blank_line(self._tail))
            self._stream.write(data)
            self._tail = data[data.rfind(b"\n", 0, len(data) - 1) + 1 :]

    def __exit__(self, *_: object) -> None:
        pass


def _drain(
    batches: Iterable[Any], to: _Writer | _Conllu, report: Report, begun: float,
    progress: Callable[[Report], object] | None,
) -> None:  # fmt: skip
    with to as out:
        for batch in batches:
            out.write(batch)
            words, sentences = _counts(batch)
            report.words += words
            report.sentences += sentences
            report.seconds = perf_counter() - begun
            if progress:
                progress(report)


def _counts(batch: Any) -> tuple[int, int]:
    """Words and sentences of a batch that has `head` or `form`."""
    pc = needed("pyarrow.compute", "arrow")
    name = "head" if "head" in batch.schema.names else "form"
    sizes = pc.list_value_length(batch.column(batch.schema.get_field_index(name)))
    return pc.sum(sizes).as_py() or 0, pc.sum(pc.greater(sizes, 0)).as_py() or 0


def _batches(inputs: list[Path]) -> Iterator[tuple[Any, int]]:
    """Batches, and how many bytes of the input each is of; none are known of CoNLL-U."""
    if not is_parquet(inputs[0]):
        for batch in from_conllu(inputs, batch_words=_WORDS, dictionary=True):
            yield batch, 0
        return
    for name in inputs:
        yield from _read(name, ROWS)


def _read(path: Path, rows: int) -> Iterator[tuple[Any, int]]:
    pa, pq = needed("pyarrow", "arrow"), needed("pyarrow.parquet", "arrow")
    size = os.path.getsize(path)
    try:
        # Through a small buffer, not a row group at once: those of others may be large.
        with pq.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False) as plain:
            leaves = [plain.schema.column(i) for i in range(len(plain.schema))]
            strings = [leaf.path for leaf in leaves if leaf.max_repetition_level and leaf.physical_type == "BYTE_ARRAY"]
            with pq.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False, read_dictionary=strings) as encoded:
                for group in range(plain.metadata.num_row_groups):
                    for batch in _group(encoded, plain, group, rows, pa):
                        yield batch, size * len(batch) // plain.metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise Error(f"{os.fspath(path)}: this is no Parquet file, or a damaged one ({error})") from None


def _group(encoded: Any, plain: Any, group: int, rows: int, pa: Any) -> Iterator[Any]:
    """The batches of a row group: as dictionaries, unless a column has several, which Arrow does not join."""
    done = 0
    try:
        for batch in encoded.iter_batches(rows, [group], use_threads=False):
            yield batch
            done += len(batch)
    except pa.ArrowNotImplementedError:
        for batch in plain.iter_batches(rows, [group], use_threads=False):
            if len(batch) > done:
                yield batch.slice(done)
            done = max(0, done - len(batch))
