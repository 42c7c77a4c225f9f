"""What can be read and what can be written: a table of inputs, a table of outputs.

A row of `INPUTS` cuts sources into items, each a batch of sentences that a thread can take through a model on its own.
A row of `OUTPUTS` encodes what comes back and writes it in order. Any input goes to any output. A new format is a row
here, with its code in this module or one of its own.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Protocol

import numpy as np

from fastparse.corpus.conllu.tokenization import renumbered
from fastparse.corpus.derived import behind_each_other
from fastparse.corpus.files.sources import Meter, opened, sources_of
from fastparse.corpus.jsonrows import document_of, line_of, lines_of, row_of
from fastparse.corpus.layout import Failures
from fastparse.corpus.problems import Problem
from fastparse.corpus.reading import batches, missing_blank_line, read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import ConlluError, Error
from fastparse.extras import needed
from fastparse.request import ENHANCED, default_of
from fastparse.text.tokenizer import encoded

if TYPE_CHECKING:
    from fastparse.request import Request
    from fastparse.text.chunks import Chunk
    from fastparse.text.tokenizer import Tokenizer

__all__ = [
    "COMPRESSED", "INPUTS", "OUTPUTS", "Done", "Item", "Reading", "Transform", "Writer", "kind_by_suffix",
    "known_sources", "listed", "of_use", "target_of", "with_deps",
]  # fmt: skip

COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
_BYTES_PER_WORD = 6  # of running text, a guess
_TEXT_READ = 1 << 18
_LINES = 500  # of JSON at most that go through a model together

# From sentences to the same sentences with more in their columns, and what there is to know of the work.
Transform = Callable[[Treebank], tuple[Treebank, Any]]


@dataclass
class Done:
    """What became of an item.

    Attributes:
        sentences, words: of it.
        treebank: these; None if there are none to transform.
        restore: of an item of rows, makes them of the treebank.
        rows: a record batch, of an item of rows.
        documents: of JSON: the name of each line and the number of its sentences.
        work: what the transform says of its work.
        size: bytes of running text that it was; None for what numbers its sentences itself.
        first: the number that the first sentence of running text gets when it is encoded.
        failures: what could not be read.
        piece: as an output has encoded it.
    """

    sentences: int
    words: int
    treebank: Treebank | None = None
    restore: Callable[[Treebank], Any] | None = None
    rows: Any = None
    documents: Sequence[tuple[Any, int]] | None = None
    work: Any = None
    size: int | None = None
    first: int = 1
    failures: Failures = field(default_factory=Failures)
    piece: Any = None


class Item(Protocol):
    """A part of an input.

    Attributes:
        slow: whether the next one may take long to come.
    """

    @property
    def slow(self) -> bool: ...

    def load(self) -> Done:
        """Its sentences; several threads may load different items."""
        ...


@dataclass
class Reading:
    """What inputs are read with.

    Attributes:
        request: the source, format, encoding, offsets, batch_words and on_error asked for.
        tokenizer: gives what splits text.
        heads: whether the column HEAD of treebanks is read.
        meter: counts what is read.
        fills: the columns that the transform may fill.
    """

    request: Request
    tokenizer: Callable[[], Tokenizer]
    heads: bool = True
    meter: Meter | None = None
    fills: Sequence[str] = ()


# Treebanks


@dataclass(frozen=True)
class _Sentences:
    treebank: Treebank
    slow: bool

    def load(self) -> Done:
        treebank = self.treebank
        return Done(len(treebank._offsets) - 1, len(treebank._heads), treebank, failures=treebank._failures)


def _treebanks(source: Sequence[Any], reading: Reading) -> Iterator[Item]:
    asked = reading.request
    format = {"conllx": "conllx", "conllx/8": "conllx/8", "conllu/10": "conllu"}.get(asked.source, "auto")
    found = batches(
        source, asked.batch_words, format, asked.on_error, reading.meter, go_on=True, heads=reading.heads,
        encoding=asked.encoding,
    )  # fmt: skip
    return (_Sentences(treebank, slow) for treebank, slow in found)


# Running text


@dataclass(frozen=True)
class _Text:
    chunk: Chunk
    tokenizer: Tokenizer

    @property
    def slow(self) -> bool:
        return self.chunk.slow

    def load(self) -> Done:
        treebank, failures = self.tokenizer.sentences_of(self.chunk)
        return Done(len(treebank), treebank.n_words, treebank, size=self.chunk.size, failures=failures)


@dataclass(frozen=True)
class _Lost:
    """The rest of a damaged file."""

    problem: Problem
    slow: bool = False

    def load(self) -> Done:
        return Done(0, 0, size=0, failures=Failures(skipped=1, problems=(self.problem,)))


def _text(source: Sequence[Any], reading: Reading) -> Iterator[Item]:
    asked, tokenizer = reading.request, reading.tokenizer()
    size = max(1, min(asked.batch_words, 1 << 20) * _BYTES_PER_WORD)
    for item in source:
        with _opened_text(item, reading) as stream:
            try:
                for chunk in tokenizer.chunks(
                    _pieces(stream), input=asked.source, offsets=asked.offsets, size=size, name=stream.name,
                    on_error=asked.on_error,
                ):  # fmt: skip
                    yield _Text(chunk, tokenizer)
            except ConlluError as error:  # a damaged file
                if asked.on_error == "stop" or len(source) == 1:
                    raise
                yield _Lost(Problem(stream.name, 0, None, f"{error} The rest of it is left out."))


def _opened_text(item: Any, reading: Reading) -> contextlib.AbstractContextManager[Any]:
    """What gives the pieces of a text: an `Input`, or an object that has `pieces` of its own."""
    if hasattr(item, "pieces"):
        return contextlib.nullcontext(item)
    return opened(item, reading.meter, reading.request.encoding)


def _pieces(stream: Any) -> Iterator[bytes]:
    """The bytes of a stream; an empty piece says that a pipe has no more for now."""
    if hasattr(stream, "pieces"):
        yield from stream.pieces()
        return
    while data := stream.read_ready(_TEXT_READ):
        yield data
        if stream.dry:
            yield b""


# Lines of JSON


@dataclass(frozen=True)
class _Documents:
    lines: Sequence[tuple[int, bytes]]
    name: str
    tokenizer: Callable[[], Tokenizer]
    offsets: bool
    skip: bool
    slow: bool = False

    def load(self) -> Done:
        names, parts, problems = [], [], []
        for number, line in self.lines:
            try:
                name, found = document_of(line, f"{self.name}:{number}")
            except Error as error:
                if not self.skip:
                    raise
                problems.append(Problem(self.name, number, None, str(error)))
                continue
            if self.offsets and not isinstance(found, str):
                raise Error(f"{self.name}:{number}: offsets=True does nothing for words: {_WANTED['offsets']}")
            names.append(number if name is None else name)
            parts.append(found)
        texts = [encoded(part) for part in parts if isinstance(part, str)]
        if len(texts) == len(parts):
            whole, sizes = self.tokenizer().treebank_of_each(texts, offsets=self.offsets)
        else:
            treebanks = [
                self.tokenizer().treebank(part, offsets=self.offsets) if isinstance(part, str) else part
                for part in parts
            ]
            whole, sizes = behind_each_other(treebanks), [len(treebank) for treebank in treebanks]
        documents = list(zip(names, sizes, strict=True))
        failures = Failures(len(problems), 0, tuple(problems))
        return Done(len(whole), whole.n_words, whole, documents=documents, failures=failures)


def _json(source: Sequence[Any], reading: Reading) -> Iterator[Item]:
    asked = reading.request
    if asked.on_error == "keep":
        raise Error("on_error='keep' is for treebanks and text: lines of JSON that cannot be read stop or are skipped")
    size = asked.batch_words * _BYTES_PER_WORD
    for item in source:
        with _opened_text(item, reading) as stream:
            group: list[tuple[int, bytes]] = []
            held = number = 0

            def ended(slow: bool, group: list[tuple[int, bytes]], name: str = stream.name) -> Item:
                return _Documents(group, name, reading.tokenizer, asked.offsets, asked.on_error == "skip", slow)

            for line in lines_of(_pieces(stream)):
                number += bool(line)
                if line.strip():
                    group.append((number, line))
                    held += len(line)
                if group and (not line or held >= size or len(group) >= _LINES):
                    yield ended(not line, group)
                    group, held = [], 0
            if group:
                yield ended(False, group)


# Rows


@dataclass(frozen=True)
class _Rows:
    batch: Any
    reading: Reading
    slow: bool = False

    def load(self) -> Done:
        from fastparse.annotate.rows import counts, opened_rows

        if not self.reading.fills:  # it goes as it came
            words, sentences = counts(self.batch)
            return Done(sentences, words, rows=self.batch)
        treebank, restore = opened_rows(self.batch, self.reading)
        filled = treebank.offsets[1:] > treebank.offsets[:-1]
        return Done(int(filled.sum()), treebank.n_words, treebank, restore)


def _parquet(source: Sequence[Any], reading: Reading) -> Iterator[Item]:
    from fastparse.annotate.rows import batches_of_parquet

    for item in source:
        for batch in batches_of_parquet(item, reading.meter):
            yield _Rows(batch, reading)


@dataclass(frozen=True)
class _Input:
    """A kind of input.

    Attributes:
        about: what it is.
        suffixes: of files of it.
        items: reads sources.
        uses: the fields of a request, of those that depend on the input, that it can use.
        module: that reads it, and the extra that has it.
    """

    about: str
    suffixes: tuple[str, ...]
    items: Callable[[Sequence[Any], Reading], Iterator[Item]]
    uses: str
    module: tuple[str, str] | None = None


_OF_TREEBANKS, _OF_TEXT = "encoding on_error", "encoding on_error offsets"
INPUTS: dict[str, _Input] = {
    "conllu": _Input("CoNLL-U", (".conllu", ".conll"), _treebanks, _OF_TREEBANKS),
    "conllx": _Input("CoNLL-X, with 10 or 8 columns", (".conllx",), _treebanks, _OF_TREEBANKS),
    "conllx/8": _Input("CoNLL-X with 8 columns", (), _treebanks, _OF_TREEBANKS),
    "conllu/10": _Input("CoNLL-U with 10 columns", (), _treebanks, _OF_TREEBANKS),
    "text": _Input("running text", (".txt",), _text, _OF_TEXT),
    "lines": _Input("running text, a sentence each line", (), _text, _OF_TEXT),
    "words": _Input("lines of tokens with spaces between them", (), _text, _OF_TEXT),
    "ndjson": _Input('lines of JSON, each with "text" or "forms"', (".ndjson", ".jsonl"), _json, _OF_TEXT),
    "parquet": _Input(
        "Parquet, a row per sentence or document", (".parquet",), _parquet, "offsets", ("pyarrow.parquet", "arrow")
    ),
}


# What becomes of sentences


class Writer:
    """An output under way. Pieces come in order, on one thread; this one writes them as they are."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def write(self, done: Done, before: int) -> int:
        """Write an item that has been encoded; returns how many bytes. Args: before: sentences written before it."""
        self._stream.write(done.piece)
        return len(done.piece)

    def close(self) -> None:
        """Write what ends an output."""


class _Conllu(Writer):
    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(stream)
        self._tail = b""  # what rows ended with: files that run into one another are kept apart

    def write(self, done: Done, before: int) -> int:
        data: bytes = done.piece
        if done.size is not None and done.first != before + 1:  # it was not known what comes before
            data = renumbered(data, before + 1 - done.first)
        if done.rows is not None and data:
            data, self._tail = missing_blank_line(self._tail) + data, data[data.rfind(b"\n", 0, len(data) - 1) + 1 :]
        self._stream.write(data)
        return len(data)


def _conllu_of(done: Done, request: Request) -> bytes:
    if done.rows is not None:
        from fastparse.corpus.foreign.sentences import conllu_of

        data: bytes = conllu_of(done.rows)
        return data
    return b"" if done.treebank is None else done.treebank.to_bytes(request.written_deps, done.first)


def _conllx_of(done: Done, request: Request) -> bytes:
    if done.rows is None and done.treebank is not None and request.source.startswith("conllx"):
        return done.treebank.to_bytes()
    treebank = _treebank_of(done, request)
    return b"" if treebank is None else _without_surroundings(treebank).to_bytes()


def _treebank_of(done: Done, request: Request) -> Treebank | None:
    """The sentences, of rows too."""
    return done.treebank if done.rows is None else read_conllu(_conllu_of(done, request), format="conllu")


def _without_surroundings(treebank: Treebank) -> Treebank:
    """The words alone, in the columns that CoNLL-X has: without comments, ranges, empty nodes, DEPS and MISC."""
    columns = {name: (treebank.ids(name), treebank.table(name)) for name in ("form", "lemma", "upos", "xpos", "feats")}
    columns["deprel"] = (treebank.deprel_ids, treebank.deprel_table)
    return Treebank._gathered(columns, treebank.heads, treebank.offsets, None)


def _json_of(done: Done, request: Request) -> Any:
    """Lines; those of running text in a list and without `sent_id`, which is not known yet."""
    treebank = _treebank_of(done, request)
    if treebank is None:
        return b""
    if done.documents is not None:
        lines, at = [], 0
        for name, n in done.documents:
            lines.append(line_of({"id": name, "sentences": [row_of(treebank[i]) for i in range(at, at + n)]}))
            at += n
        return b"".join(lines)
    if done.size is None:
        return b"".join(line_of(row_of(sentence)) for sentence in treebank)
    rows = map(row_of, treebank)
    return [line_of({name: value for name, value in row.items() if name != "sent_id"}) for row in rows]


class _Json(Writer):
    def write(self, done: Done, before: int) -> int:
        if isinstance(done.piece, list):
            lines = enumerate(done.piece, before + 1)
            done.piece = b"".join(b'{"sent_id":"%d",%b' % (number, line[1:]) for number, line in lines)
        return super().write(done, before)


def _rows_of(done: Done, request: Request) -> Any:
    if done.rows is not None or done.treebank is None:
        return done.rows
    from fastparse.corpus.foreign.sentences import batch_of

    treebank = done.treebank
    if done.failures.skipped:  # what was left out stays out
        treebank = treebank.select(range(len(treebank)))
    return batch_of(with_deps(treebank, request.deps), dictionary=True)


def _parquet_writer(stream: IO[bytes]) -> Writer:
    from fastparse.annotate.rows import ParquetWriter

    return ParquetWriter(stream)


@dataclass(frozen=True)
class _Output:
    """A kind of output.

    Attributes:
        about: what it is.
        suffixes: of files of it.
        encode: makes what is written of an item, on any thread.
        writer: writes on a stream.
        uses: the fields of a request, of those that depend on the output, that it can use.
        packed: whether it is compressed itself.
        module: that writes it, and the extra that has it.
    """

    about: str
    suffixes: tuple[str, ...]
    encode: Callable[[Done, Request], Any]
    writer: Callable[[IO[bytes]], Writer]
    uses: str = ""
    packed: bool = False
    module: tuple[str, str] | None = None


OUTPUTS: dict[str, _Output] = {
    "conllu": _Output("CoNLL-U", (".conllu", ".conll"), _conllu_of, _Conllu, "deps"),
    "conllx": _Output("CoNLL-X: words alone, without comments", (".conllx",), _conllx_of, Writer),
    "ndjson": _Output("lines of JSON, a sentence each", (".ndjson", ".jsonl"), _json_of, _Json),
    "parquet": _Output(
        "Parquet, a row per sentence", (".parquet",), _rows_of, _parquet_writer, "deps", packed=True,
        module=("pyarrow.parquet", "arrow"),
    ),
}  # fmt: skip

# The fields of a request that not every format can use, and what they need.
_WANTED = {
    "encoding": "text has an encoding, and this is always read in the same one",
    "on_error": "it can be read as a whole, or not at all",
    "offsets": "only running text has places of tokens",
    "deps": "only CoNLL-U and Parquet have the column DEPS",
}


def of_use(request: Request, row: _Input | _Output) -> None:
    """Check what a request asks of an input or an output.

    Raises:
        Error: for a field that would change nothing; for a format whose module is not installed.
    """
    for name, wanted in _WANTED.items():
        value, reads = getattr(request, name), isinstance(row, _Input)
        if name not in row.uses.split() and reads == (name != "deps") and value != default_of(name):
            raise Error(f"{name}={value!r} does nothing for {row.about}: {wanted}")
    if row.module is not None:
        needed(*row.module)


# Suffixes of formats of data that are not written. Other names are free: what has none of these is CoNLL-U.
_OTHER_DATA = frozenset([
    ".json", ".csv", ".tsv", ".arrow", ".feather", ".ipc", ".orc", ".avro", ".xml", ".html", ".htm", ".yaml", ".yml",
    ".xlsx", ".xls", ".db", ".sqlite", ".pkl", ".pickle", ".npy", ".npz", ".h5", ".hdf5", ".pdf", ".doc", ".docx",
    ".zip", ".tar", ".7z", ".lz4", ".br", ".zstd", ".gzip",
])  # fmt: skip
_BY_SUFFIX = {suffix: name for name, kind in INPUTS.items() for suffix in kind.suffixes}
_BY_OUTPUT = {suffix: name for name, kind in OUTPUTS.items() for suffix in kind.suffixes}


def _suffixes(name: str) -> tuple[str, str]:
    """The suffix that tells what a file is, and that of its compression, in lower case."""
    stem, suffix = os.path.splitext(name.lower())
    return (os.path.splitext(stem)[1], suffix) if suffix in COMPRESSED else (suffix, "")


def kind_by_suffix(item: Any) -> str | None:
    """What an input is, as its name says: a name in `INPUTS`, or None."""
    if not isinstance(item, (str, os.PathLike)):
        return None
    return _BY_SUFFIX.get(_suffixes(os.fsdecode(item))[0])


def _has_suffix(item: Any) -> bool:
    return isinstance(item, (str, os.PathLike)) and bool(_suffixes(os.fsdecode(item))[0])


def target_of(target: Any, asked: str) -> str:
    """What an output is: a name in `OUTPUTS`.

    Args:
        target: a path, "-" or a stream.
        asked: such a name, or "auto", which goes by the suffix.

    Raises:
        Error: for a suffix of a format that is not written.
    """
    suffix, packed = _suffixes(os.fsdecode(target)) if isinstance(target, (str, os.PathLike)) else ("", "")
    found = _BY_OUTPUT.get(suffix)
    if asked == "auto" and found is None and suffix in _OTHER_DATA:
        known = ", ".join(f"{name} ({', '.join(kind.suffixes)})" for name, kind in OUTPUTS.items())
        raise Error(
            f"{os.fsdecode(target)}: {suffix} is not written. Name an output of another suffix, or say what it is with "
            f"target='conllu': {known}; all but Parquet also compressed ({', '.join(COMPRESSED)})."
        )
    kind = asked if asked != "auto" else found or "conllu"
    if packed and OUTPUTS[kind].packed:
        raise Error(f"{os.fsdecode(target)}: {kind} is compressed itself: leave out {packed}")
    return kind


_COMMENT_OR_BLANK = re.compile(rb"(?:[ \t\r]*\n|#[^\n]*\n)+")
_WORD_LINE = re.compile(rb"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){6}")
_FIRST_LINE = re.compile(r"[^\n]*?:1(?: \(|:)")  # of a message: the place of an error in a first line
_SPACED_LINE = re.compile(rb"\d+(?:[-.]\d+)? +(?:[^ \n]+ +){6,}[^ \n]+ *\r?\n")


def _kind_of_start(start: bytes, strict: bool) -> str | None:
    """What an input is that begins so; None if that cannot be told.

    Args:
        strict: whether only a line of a word makes it a treebank, and a tab alone does not.
    """
    start = start.removeprefix(b"\xef\xbb\xbf")
    if start.startswith(b"PAR1"):
        return "parquet"
    around = _COMMENT_OR_BLANK.match(start)
    at = around.end() if around else 0
    line = start[at:].partition(b"\n")[0]
    if _WORD_LINE.match(line) or (not strict and b"\t" in line) or _SPACED_LINE.match(start, at):
        return "conllu"
    if line.lstrip().startswith(b'{"'):
        return "ndjson"
    if not line.strip():
        return "conllu" if b"#" in start[:at] else None
    return None if not strict and line.startswith(b"#") else "text"


@contextlib.contextmanager
def known_sources(
    source: Any, request: Request, allowed: Sequence[str], otherwise: str
) -> Iterator[tuple[str, list[Any], Meter]]:
    """What an input is, its sources, and what counts how much of them is read.

    A suffix tells. Where a name has none, or there is no name, the first line does: a pipe is opened for that, and read
    on from there.

    Args:
        allowed: the names of `INPUTS` that can be read here.
        otherwise: what an input is that tells nothing, such as an empty one.

    Raises:
        Error: if inputs are of several kinds, or of one that is not allowed or cannot use what is asked for. What the
            block raises of the first line of an input whose kind was not told names the way to tell it.
    """
    items = sources_of(source)
    meter = Meter(items)
    told = request.source != "auto" or all(map(kind_by_suffix, items))
    with contextlib.ExitStack() as stack:
        kind = request.source
        if kind == "auto":
            strict = "conllu" not in allowed
            kinds = {}
            for i, item in enumerate(items):
                found = kind_by_suffix(item)
                if found is None and _has_suffix(item):  # of something else: what it holds is not guessed at
                    found = otherwise
                if found is None:
                    found, items[i] = _looked_at(item, request, stack, meter if len(items) == 1 else None, strict)
                kinds[found or otherwise] = item
            if len(kinds) > 1:
                names = ", ".join(f"{_name_of(item)} is {kind}" for kind, item in kinds.items())
                raise Error(
                    f"the inputs are of several kinds, which do not go into one output: {names}. Give them one "
                    f"after the other, or say with source= what all of them are."
                )
            kind = next(iter(kinds), otherwise)
        if kind.partition("/")[0] not in allowed:
            raise Error(
                f"{_name_of(items[0]) if items else 'the input'}: this is {INPUTS[kind].about}, and what is read here "
                f"is {', '.join(allowed)}. Where it is one of these, say so with source=."
            )
        of_use(request, INPUTS[kind])
        try:
            yield kind, items, meter
        except ConlluError as error:
            if told or not _FIRST_LINE.match(str(error)):
                raise
            raise ConlluError(
                f"{error} If the input is running text, say so: source='text', or lines or words."
            ) from None


def _name_of(item: Any) -> str:
    if isinstance(item, (bytes, bytearray, memoryview)):
        return "<bytes>"
    return os.fsdecode(item) if isinstance(item, (str, os.PathLike)) else str(getattr(item, "name", "<stream>"))


def _looked_at(
    item: Any, request: Request, stack: contextlib.ExitStack, meter: Meter | None, strict: bool
) -> tuple[str | None, Any]:
    """What a source without a suffix is, and what it is read from."""
    again = isinstance(item, (bytes, bytearray, memoryview)) or (
        isinstance(item, (str, os.PathLike)) and os.fspath(item) != "-" and os.path.isfile(item)
    )
    if again:
        with opened(item, None, request.encoding) as stream:
            return _kind_of_start(stream.look(), strict), item
    held = stack.enter_context(opened(item, meter, request.encoding))
    return _kind_of_start(held.look(), strict), held


def with_deps(treebank: Treebank, deps: str) -> Treebank:
    """The sentences with their DEPS as asked for: "keep", "copy" of the tree, "blank", or "enhanced", as it is."""
    if deps in ("keep", ENHANCED):
        return treebank
    if deps == "blank":
        return treebank.with_columns(deps=(np.zeros(treebank.n_words, np.int32), ["_"]))
    labels = [*treebank.deprel_table, "_"]
    pairs = np.stack([treebank.heads.astype(np.int64), treebank.deprel_ids.astype(np.int64)], axis=1)
    found, ids = np.unique(pairs, axis=0, return_inverse=True)
    strings = ["_" if head < 0 else f"{head}:{labels[label]}" for head, label in found.tolist()]
    return treebank.with_columns(deps=(ids.reshape(-1).astype(np.int32), strings))


def listed(inputs: Iterable[str]) -> str:
    """Kinds of input with their suffixes, for messages."""
    return ", ".join(f"{name} ({', '.join(INPUTS[name].suffixes)})" for name in inputs if INPUTS[name].suffixes)
