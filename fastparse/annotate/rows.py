"""Record batches of Arrow through a model, and Parquet files a batch at a time. Needs the extra `arrow`.

A batch has a row per sentence, with lists of words and what is known of them, or a row per document with its text.
docs/arrow.md has the columns. Strings stay ids into dictionaries from file to file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any

import fastparse
from fastparse.annotate.formats import Done, Writer, with_deps
from fastparse.corpus.files.sources import Input, Meter
from fastparse.corpus.foreign.arrow import checked, list_array, string_array, treebank_of
from fastparse.corpus.foreign.sentences import batch_of, schema
from fastparse.errors import Error
from fastparse.extras import needed
from fastparse.text.tokenizer import encoded

if TYPE_CHECKING:
    from fastparse.annotate.formats import Reading, Transform
    from fastparse.corpus.treebank import Treebank

__all__ = ["ROWS", "ParquetWriter", "annotated_rows", "batches_of_parquet", "counts", "opened_rows"]

ROWS = 8192  # read and written at once: some 150,000 words
_BUFFER = 1 << 20
_FORMAT = 1
_MARK = b"fastparse"
_FORMS = ("form", "forms", "tokens", "words")
_TEXT = "text"


def opened_rows(batch: Any, reading: Reading, *, dictionary: bool = True) -> tuple[Treebank, Callable[[Treebank], Any]]:
    """The sentences of a record batch, and what makes a batch of them when they have been annotated.

    Rows of sentences keep their columns, and get `head`, `deprel` and what else was filled in. Documents become
    sentences, a row each, with the columns of `schema` and the other columns of their document.

    Args:
        reading: what documents are split with; its request tells the DEPS and the scores asked for.
        dictionary: whether strings are ids into dictionaries.
    """
    forms = _forms_of(checked(batch).schema)
    if forms is None:
        treebank, parents = _split(batch, reading)
        return treebank, lambda after: _documents(batch, parents, after, reading, dictionary)
    if reading.request.offsets:
        raise Error("offsets=True does nothing for rows of words: only running text, a column 'text', has places")
    return treebank_of(batch, forms), lambda after: _sentences(batch, after, reading, dictionary)


def annotated_rows(batch: Any, transform: Transform, reading: Reading, *, dictionary: bool) -> Any:
    """A record batch with what a transform gives its sentences or documents."""
    treebank, restore = opened_rows(batch, reading, dictionary=dictionary)
    return restore(transform(treebank)[0])


def _sentences(batch: Any, after: Treebank, reading: Reading, dictionary: bool) -> Any:
    pa = needed("pyarrow", "arrow")
    asked = reading.request
    after = with_deps(after, asked.deps)
    changed = {}
    if "deprel" in reading.fills:
        changed["head"] = list_array(after.offsets, pa.array(after.heads))
    more = [*(["misc"] if asked.scores or asked.k > 1 else []), *(["deps"] if asked.deps != "keep" else [])]
    for name in (*reading.fills, *more):
        values = string_array(after.ids(name), after.table(name), dictionary=dictionary)
        changed[name] = list_array(after.offsets, values)
    return _replaced(batch, changed, pa)


def _split(batch: Any, reading: Reading) -> tuple[Treebank, list[int]]:
    """The sentences of documents, and the row of each."""
    tokenizer = reading.tokenizer()
    texts: list[bytes] = []
    rows: list[int] = []
    for row, text in enumerate(batch.column(batch.schema.get_field_index(_TEXT)).to_pylist()):
        if not isinstance(text, str):
            if text is None:
                continue
            raise Error(f"row {row}: column 'text' holds {type(text).__name__}: expected strings")
        texts.append(encoded(text))
        rows.append(row)
    # Each document numbers its sentences from 1.
    treebank, sizes = tokenizer.treebank_of_each(texts, offsets=reading.request.offsets)
    return treebank, [row for row, n in zip(rows, sizes, strict=True) for _ in range(n)]


def _documents(batch: Any, parents: list[int], treebank: Treebank, reading: Reading, dictionary: bool) -> Any:
    pa = needed("pyarrow", "arrow")
    made = batch_of(with_deps(treebank, reading.request.deps), dictionary=dictionary)
    if len(made) != len(parents):
        raise Error(f"{len(parents)} sentences became {len(made)} rows: this is a mistake in fastparse, report it")
    rows = pa.array(parents, pa.int64())
    others = [field for field in batch.schema if field.name not in made.schema.names]
    columns = [batch.column(batch.schema.get_field_index(field.name)).take(rows) for field in others]
    return pa.record_batch(
        [*made.columns, *columns], schema=pa.schema([*made.schema, *others], metadata=batch.schema.metadata)
    )


def _forms_of(given: Any) -> str | None:
    """The column of words; None for documents."""
    found = [name for name in _FORMS if name in given.names]
    if not found and _TEXT not in given.names:
        raise Error(
            f"there are neither words (a column {', '.join(map(repr, _FORMS[:-1]))} or {_FORMS[-1]!r}) nor documents "
            f"(a column 'text'): the columns are {', '.join(given.names)}"
        )
    return found[0] if found else None


def _replaced(batch: Any, columns: dict[str, Any], pa: Any) -> Any:
    """A batch with other columns: those that are there in their places, new ones behind."""
    arrays, fields = list(batch.columns), list(batch.schema)
    for name, array in columns.items():
        at = batch.schema.get_field_index(name)
        if at < 0:
            arrays.append(array)
            fields.append(pa.field(name, array.type))
        else:
            arrays[at] = array
            fields[at] = pa.field(name, array.type, metadata=batch.schema.field(at).metadata)
    return pa.record_batch(arrays, schema=pa.schema(fields, metadata=batch.schema.metadata))


def counts(batch: Any) -> tuple[int, int]:
    """Words and sentences of a batch that has `head` or `form`."""
    pc = needed("pyarrow.compute", "arrow")
    name = next((name for name in ("head", *_FORMS) if name in batch.schema.names), None)
    if name is None:
        return 0, len(batch)
    sizes = pc.list_value_length(batch.column(batch.schema.get_field_index(name)))
    return pc.sum(sizes).as_py() or 0, pc.sum(pc.greater(sizes, 0)).as_py() or 0


# Parquet


class ParquetWriter(Writer):
    """A Parquet file on a stream, a row group each item, with the dictionaries of its batch."""

    def __init__(self, stream: IO[bytes], wanted: Any = None) -> None:
        """Args: wanted: the schema of a file without batches; that of sentences by default."""
        super().__init__(_Told(stream))  # type: ignore[arg-type]
        self._wanted = wanted
        self._writer: Any = None

    def write(self, done: Done, before: int) -> int:
        return 0 if done.piece is None else self.add(_numbered(done, before))

    def add(self, batch: Any) -> int:
        """Write a record batch; returns how many bytes that is in memory."""
        pa = needed("pyarrow", "arrow")
        if self._writer is None:
            self._open(batch.schema)
        if len(batch):
            self._writer.write_table(pa.Table.from_batches([batch]).cast(self._wanted), row_group_size=len(batch))
        return int(batch.nbytes)

    def _open(self, wanted: Any) -> None:
        pq = needed("pyarrow.parquet", "arrow")
        mark = json.dumps({"format": _FORMAT, "fastparse": fastparse.__version__}).encode()
        self._wanted = wanted.with_metadata({**(wanted.metadata or {}), _MARK: mark})
        # Without the Arrow schema a column of dictionaries is one of strings to whoever reads it.
        self._writer = pq.ParquetWriter(
            self._stream, self._wanted, compression="zstd", store_schema=False, write_statistics=["sent_id"]
        )

    def close(self) -> None:
        if self._writer is None:
            self._open(schema() if self._wanted is None else self._wanted)
        self._writer.close()


def _numbered(done: Done, before: int) -> Any:
    """The rows of an item of running text, whose sentences are counted from 1, numbered through the whole text."""
    batch = done.piece
    if done.size is None or not before:
        return batch
    pa = needed("pyarrow", "arrow")
    ids = pa.array([str(number) for number in range(before + 1, before + 1 + len(batch))], pa.string())
    return batch.set_column(batch.schema.get_field_index("sent_id"), "sent_id", ids)


class _Told:
    """A stream that is only written to, and knows how far it is: pipes do not."""

    closed = False

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._at = stream, 0

    def write(self, data: Any) -> int:
        self._stream.write(data)
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        flush = getattr(self._stream, "flush", None)
        if flush is not None:
            flush()

    def close(self) -> None:
        pass

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False


def batches_of_parquet(source: Any, meter: Meter | None = None, rows: int = ROWS) -> Iterator[Any]:
    """The record batches of a file, strings of words as dictionaries.

    Args:
        source: a path; or what `opened` opens, which is then read whole, as a file is read from its end.
        meter: counts what is read.

    Raises:
        Error: if it is no Parquet file, or a damaged one.
    """
    from fastparse.corpus.files.sources import opened

    pa = needed("pyarrow", "arrow")
    path = isinstance(source, (str, os.PathLike)) and os.path.isfile(source)
    name = os.fsdecode(source) if path else "<stream>"
    place = source
    if not path:
        with opened(source, meter) as stream:
            assert isinstance(stream, Input)
            name, place = stream.name, pa.BufferReader(stream.read())
    size = os.path.getsize(source) if path else 0
    try:
        for batch, share in _read(place, rows, pa):
            if meter is not None and path:
                meter.passed(int(size * share))
            yield batch
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise Error(f"{name}: this is no Parquet file, or a damaged one ({error})") from None


def _read(place: Any, rows: int, pa: Any) -> Iterator[tuple[Any, float]]:
    """Batches, and which part of the file each is."""
    pq = needed("pyarrow.parquet", "arrow")
    # Through a small buffer, not a row group at once: those of others may be large.
    with pq.ParquetFile(place, buffer_size=_BUFFER, pre_buffer=False) as plain:
        leaves = [plain.schema.column(i) for i in range(len(plain.schema))]
        strings = [leaf.path for leaf in leaves if leaf.max_repetition_level and leaf.physical_type == "BYTE_ARRAY"]
        with pq.ParquetFile(place, buffer_size=_BUFFER, pre_buffer=False, read_dictionary=strings) as encoded:
            for group in range(plain.metadata.num_row_groups):
                for batch in _group(encoded, plain, group, rows, pa):
                    yield batch, len(batch) / max(1, plain.metadata.num_rows)


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
