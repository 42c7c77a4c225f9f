"""Reading CoNLL-U and CoNLL-X: whole, or in batches of bounded memory."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from fastparse.corpus.conllu.reader import line_feeds, read_block
from fastparse.corpus.files.sources import Input, Meter, opened, sources_of
from fastparse.corpus.layout import Failures, Layout
from fastparse.corpus.problems import Problem, describe
from fastparse.corpus.treebank import Treebank
from fastparse.errors import ConlluError, Error, UnknownNameError

__all__ = ["LARGEST_REST", "batches", "iter_conllu", "missing_blank_line", "read_conllu"]

_FORMATS = {"auto": 0, "conllu": 10, "conllx": 0, "conllx/8": 8}
_ON_ERROR = ("stop", "skip", "keep")
_BOM = b"\xef\xbb\xbf"
_ALL = 1 << 62  # more words than there can be
_SMALLEST_READ = 1 << 20
LARGEST_REST = 1 << 24
_BYTES_PER_WORD = 80  # a guess for the size of the first read
_LARGEST_BATCH = 1 << 23  # bytes after which a batch ends though it has few words, but three times what is expected
_BYTES_PER_TAB = 256  # of a sentence: words have some tabs each, so this bounds what is not words


def read_conllu(
    source: Any, format: str = "auto", on_error: str = "stop", *, heads: bool = True, encoding: str = "utf-8"
) -> Treebank:
    """Read a treebank into columns.

    Args:
        source: a path, a list of paths, "-" (standard input), an open file, or bytes; plain or compressed with gzip,
            xz, bz2 or zstd, which is seen from the content. Several files become one treebank; a blank line is added
            between them where one is missing, and byte order marks are dropped after the first file.
        format: "conllu" (10 columns), "conllx" (8 or 10; UPOS is CPOSTAG, XPOS is POSTAG; "conllx/8" has 8), or "auto":
            as many columns as the first word has.
        on_error: what becomes of a sentence that cannot be read: "stop" raises, "skip" leaves it out, "keep" leaves it
            out too but copies its bytes when the treebank is written. The treebank counts them.
        heads: whether the column HEAD is read; if not, it may hold anything, and no word has a head: for sentences
            that are to be parsed anew.
        encoding: of the source, by Python's name; a byte order mark counts more. The treebank is UTF-8.

    Raises:
        ConlluError: naming file, line, sent_id, the offending text and what to do.
        UnknownNameError: for another `format` or `on_error`.

    Example:
        >>> treebank = read_conllu(b"1\\tGo\\tgo\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
        >>> len(treebank), treebank.heads.tolist(), treebank.deprels
        (1, [0], ['root'])
    """
    n_columns = _checked(format, on_error)
    pieces: list[bytes] = []
    parts: list[tuple[int, str, int]] = []
    at = lines = 0
    items = sources_of(source)
    for i, item in enumerate(items):
        with opened(item, None, encoding) as stream:
            data = stream.read()
            if i and data.startswith(_BOM):
                data = data[len(_BOM) :]
            parts.append((at, stream.name, lines))
            pieces.append(data)
            if i + 1 < len(items):
                pieces.append(missing_blank_line(data))
                lines += data.count(b"\n") + len(pieces[-1])
            at += len(data) + len(pieces[-1]) * (i + 1 < len(items))
    whole = pieces[0] if len(pieces) == 1 else b"".join(pieces)
    pieces.clear()
    data = b""
    treebank, _ = _block(
        whole, 0, len(whole), parts, n_columns, on_error, final=True, max_words=_ALL, lines=0, heads=heads
    )  # fmt: skip
    return treebank


def iter_conllu(
    source: Any, batch_words: int = 50_000, format: str = "auto", on_error: str = "stop", *, heads: bool = True,
    largest_rest: int = LARGEST_REST, encoding: str = "utf-8",
) -> Iterator[Treebank]:  # fmt: skip
    """Read a treebank in batches, in memory that depends on the words of a batch and of a sentence alone.

    A batch ends with the sentence that brings it to `batch_words` words, or with its file, or when it has 8 MB and
    three times the bytes such a batch has as a rule: where many sentences cannot be read. The batches written one after
    the other give the bytes of the input, so a last batch may hold no sentence but the comments at the end.

    Args:
        source, format, on_error, heads, encoding: as for `read_conllu`.
        batch_words: words per batch, at least 1.
        largest_rest: bytes a sentence may have besides those of its words: comments, above all. A file that goes on
            without sentences for longer, such as a few kilobytes that unpack to gigabytes, is an error in every mode.
    """
    found = batches(source, batch_words, format, on_error, heads=heads, largest_rest=largest_rest, encoding=encoding)
    return (treebank for treebank, _ in found)


def batches(
    source: Any,
    batch_words: int,
    format: str,
    on_error: str,
    meter: Meter | None = None,
    go_on: bool = False,
    heads: bool = True,
    largest_rest: int = LARGEST_REST,
    encoding: str = "utf-8",
) -> Iterator[tuple[Treebank, bool]]:
    """What `iter_conllu` gives, and whether a pipe is slow: then it is what has come, and the next may take long.

    Args:
        meter: counts what is read of the source.
        go_on: whether a damaged file among others stops only what stops at errors; otherwise it always raises.
        heads: whether HEAD is read.
    """
    n_columns = _checked(format, on_error)
    if not hasattr(batch_words, "__index__") or batch_words < 1:
        raise UnknownNameError(f"batch_words={batch_words!r}: give a number of words, at least 1")
    if type(largest_rest) is not int or largest_rest < 1:
        raise Error(f"largest_rest={largest_rest!r}: give a number of bytes, at least 1")
    items, batch_words = sources_of(source), min(batch_words, _ALL)
    among_others = go_on and len(items) > 1
    return _batches(items, batch_words, n_columns, on_error, meter, among_others, heads, largest_rest, encoding)


def _checked(format: str, on_error: str) -> int:
    if format not in _FORMATS:
        raise UnknownNameError(f"format={format!r} is unknown: write 'auto', 'conllu' or 'conllx'")
    if on_error not in _ON_ERROR:
        raise UnknownNameError(f"on_error={on_error!r} is unknown: write 'stop', 'skip' or 'keep'")
    return _FORMATS[format]


def missing_blank_line(data: bytes) -> bytes:
    """What must follow a file so that its last sentence does not run into the next file's first."""
    if not data:
        return b""
    last = data[data.rfind(b"\n", 0, len(data) - 1) + 1 :]
    if not data.endswith(b"\n"):
        return b"\n\n" if last.strip(b" \t\r") else b"\n"
    return b"\n" if last.strip(b" \t\r\n") else b""


def _batches(
    items: list[Any],
    batch_words: int,
    n_columns: int,
    on_error: str,
    meter: Meter | None,
    among_others: bool,
    heads: bool,
    largest_rest: int,
    encoding: str,
) -> Iterator[tuple[Treebank, bool]]:
    for i, item in enumerate(items):
        with opened(item, meter, encoding) as stream:
            try:
                last = i + 1 == len(items)
                n_columns = yield from _batches_of(
                    stream, i == 0, last, batch_words, n_columns, on_error, heads, largest_rest
                )
            except ConlluError as error:  # a damaged file
                if on_error == "stop" or not among_others:
                    raise
                problem = Problem(stream.name, 0, None, f"{error} The rest of it is left out.")
                yield _nothing(stream.name, problem), False


def _batches_of(
    stream: Input,
    first: bool,
    last: bool,
    batch_words: int,
    n_columns: int,
    on_error: str,
    heads: bool,
    largest_rest: int,
) -> Generator[tuple[Treebank, bool], None, int]:
    """The batches of one file; returns its number of columns."""
    batch_bytes = min(batch_words, 1 << 24) * _BYTES_PER_WORD
    enough = max(_LARGEST_BATCH, 3 * batch_bytes)
    source = stream.read_ready(max(_SMALLEST_READ, batch_bytes + batch_bytes // 4))
    final = not source
    if not first and source.startswith(_BOM):
        source = source[len(_BOM) :]
    begin = lines = 0
    n_lines = line_feeds(source)
    while True:
        parts = [(0, stream.name, -lines)]
        # No batch has more words than lines: counting those is much cheaper than reading in vain.
        crowded = len(source) - begin >= enough
        if final or stream.dry or crowded or n_lines >= batch_words:
            treebank, found = _block(
                source, begin, len(source), parts, n_columns, on_error, final=final, max_words=batch_words,
                lines=lines, heads=heads,
            )  # fmt: skip
            stays = found["consumed"] == begin
            if final or treebank.n_words >= batch_words or ((stream.dry or crowded) and not stays):
                n_columns = found["n_columns"]
                lines += found["n_lines"]
                n_lines -= found["n_lines"]
                if found["consumed"] > begin:
                    batch_bytes = (
                        max(batch_bytes, found["consumed"] - begin) if stream.dry else found["consumed"] - begin
                    )
                    begin = found["consumed"]
                    yield treebank, stream.dry
                del treebank, found
                if final and begin == len(source):
                    return n_columns
                continue
            del treebank, found
            if crowded:
                _require_words(source, begin, stream.name, lines, largest_rest)
        # The batch goes on beyond what is in memory. Growing by halves keeps the work linear for sentences of any size.
        rest = source[begin:]
        del source
        more = stream.read_ready(max(_SMALLEST_READ, batch_bytes + batch_bytes // 4 - len(rest), len(rest) // 2))
        final = not more
        if final and not last:
            more = missing_blank_line(rest)
        n_lines += line_feeds(more)
        source = b"".join((rest, more))
        del rest, more
        begin = 0


def _require_words(source: bytes, begin: int, name: str, lines: int, largest_rest: int) -> None:
    """Raise ConlluError if a sentence that has not ended yet is too long for the words it can have."""
    size = len(source) - begin
    if size > largest_rest + _BYTES_PER_TAB * source.count(b"\t", begin):
        raise ConlluError(
            f"{name}:{lines + 1}: here begins a sentence that does not end within {size:,} bytes, and few of them are "
            f"words: this is no treebank, or a file made to fill memory. Where it is right, raise largest_rest of "
            f"iter_conllu, or read the file whole with read_conllu."
        )


def _block(
    source: bytes, begin: int, end: int, parts: list[tuple[int, str, int]], n_columns: int, on_error: str,
    *, final: bool, max_words: int, lines: int, heads: bool,
) -> tuple[Treebank, dict[str, Any]]:  # fmt: skip
    """The treebank of source[begin:end], and what the reader says of its progress."""
    first = begin
    if lines == 0 and begin == 0 and source.startswith(_BOM):
        first = len(_BOM)
    found, faults = read_block(
        source, first, end, final=final, max_words=max_words, n_columns=n_columns, go_on=on_error != "stop",
        heads=heads,
    )  # fmt: skip
    problems = tuple(_problem(source, fault, parts, found["n_columns"]) for fault in faults)
    if problems and on_error == "stop":
        raise ConlluError(problems[0].message)
    failures = Failures(
        skipped=found["n_problems"] if on_error == "skip" else 0,
        kept=found["n_problems"] if on_error == "keep" else 0,
        problems=problems,
    )
    cuts = found["left_out"] if on_error == "skip" else np.zeros(0, np.int64)
    spans = np.concatenate([np.array([begin], np.int64), cuts, np.array([found["consumed"]], np.int64)])
    layout = Layout(source, found["head_at"], found["begins"], found["ends"], found["lines"], spans,
                    found["n_columns"] or 10, tuple(parts))  # fmt: skip
    return Treebank._read(found, layout, failures), found


def _nothing(name: str, problem: Problem) -> Treebank:
    """No sentences, because of a problem."""
    found, _ = read_block(b"", 0, 0, final=True, max_words=1, n_columns=0, go_on=False)
    layout = Layout(b"", found["head_at"], found["begins"], found["ends"], found["lines"], np.zeros(0, np.int64), 10,
                    ((0, name, 0),))  # fmt: skip
    return Treebank._read(found, layout, Failures(skipped=1, problems=(problem,)))


def _problem(source: bytes, fault: tuple[str, int, int, int, int, int, int], parts: list[tuple[int, str, int]],
             n_columns: int) -> Problem:  # fmt: skip
    name, line, begin, end, detail, sentence_begin, sentence_end = fault
    _, file, lines_before = [part for part in parts if part[0] <= sentence_begin][-1]
    return describe(name, file, line - lines_before, source[begin:end], detail,
                    source[sentence_begin:sentence_end], n_columns)  # fmt: skip
