"""A treebank as rows, one per sentence, that give its bytes back: what stands around words, what only bytes say.

A row has comments, the lines that hold no word (multiword tokens, empty nodes, later comments), and its bytes where
all that and the columns would give other ones: line ends of another kind, numbers with zeros in front, a blank line
that is missing. Bytes between sentences, and sentences that could not be read, are rows without words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from fastparse.corpus.conllu.writer import assemble
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.strings.interning import StringTable
from fastparse.corpus.treebank import Treebank
from fastparse.errors import ConlluError, Error

__all__ = ["NUMBERS", "Around", "Cells", "Rows", "conllu_of_rows"]

Cells = tuple[np.ndarray[Any, Any], StringTable]  # ids (int32 per word), and the strings they stand for
Line = tuple[int, str]  # the words before a line, and the line

NUMBERS = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deprel": 7, "deps": 8, "misc": 9}
_SENT_ID, _TEXT = "# sent_id", "# text"  # among comments they stand for the line that is kept apart
_IS = " = "


class Around:
    """What stands around the words of one sentence after the other.

    Attributes:
        sent_ids, texts: what these comments say; None where there is none.
        comments: the comments before the first word; `# sent_id` and `# text` stand for those above.
        lines: those that hold no word, without the comments before the first word.
        sources: bytes; None for a row that its columns give.
    """

    def __init__(self) -> None:
        self.sent_ids: list[str | None] = []
        self.texts: list[str | None] = []
        self.comments: list[list[str]] = []
        self.lines: list[list[Line]] = []
        self.sources: list[bytes | None] = []

    def add(self, header: bytes, lines: list[Line], source: bytes | None = None) -> None:
        """Args: header: the comment lines before the first word."""
        found: dict[str, str] = {}
        comments = [line.rstrip("\r") for line in header.decode("utf-8").split("\n")[:-1]]
        for i, line in enumerate(comments):
            mark, is_, value = line.partition(_IS)
            if is_ and mark in (_SENT_ID, _TEXT) and mark not in found:
                found[mark] = value
                comments[i] = mark
        self.sent_ids.append(found.get(_SENT_ID))
        self.texts.append(found.get(_TEXT))
        self.comments.append(comments)
        self.lines.append(lines)
        self.sources.append(source)

    def header(self, row: int) -> bytes | None:
        """The comment lines; those of values that no comment stands for come first."""
        lines = list(self.comments[row])
        for mark, value in ((_TEXT, self.texts[row]), (_SENT_ID, self.sent_ids[row])):
            if value is None:
                continue
            if "\n" in value or "\r" in value:
                raise Error(f"row {row}: {mark[2:]} is {value!r:.80}, which is no text of one line: change it")
            if mark in lines:
                lines[lines.index(mark)] = f"{mark}{_IS}{value}"
            else:
                lines.insert(0, f"{mark}{_IS}{value}")
        for line in lines:
            if not line.startswith("#") or "\n" in line or "\r" in line:
                raise Error(f"row {row}: the comment {line!r:.80} cannot be written: it is one line and begins with #")
        return "".join(f"{line}\n" for line in lines).encode("utf-8") if lines else None


class Rows:
    """The rows of a treebank as it was read.

    Attributes:
        around: what stands around the words.
        offsets: where the words of each row begin, and their number (int64).
        cells: ids and strings of the columns but `head`, by name.
    """

    def __init__(self, treebank: Treebank) -> None:
        """Raises Error if bytes of the treebank are left out: sentences that were skipped, or a selection."""
        self._treebank = treebank
        self.around = Around()
        self.cells: dict[str, Cells] = {name: treebank.cells(name) for name in NUMBERS}
        sizes: list[int] = []
        layout = treebank._layout
        if layout is None:
            for i, n in enumerate(np.diff(treebank.offsets).tolist()):
                self.around.add(treebank._comments(i), [])
                sizes.append(n)
        else:
            if layout.spans is None or len(layout.spans) > 2:
                raise Error("some sentences are left out here: read all of a file with on_error='keep'")
            at = int(layout.spans[0])
            counts = np.diff(treebank.offsets).tolist()
            for i, (begin, end) in enumerate(zip(layout.begins.tolist(), layout.ends.tolist(), strict=True)):
                self._gap(layout.source[at:begin], sizes)
                header = layout.comments(i)
                data = layout.source[begin + len(header) : end]
                plain = data.count(b"\n") == counts[i] + 1
                self.around.add(header, [] if plain else list(_wordless(data)))
                sizes.append(counts[i])
                at = end
            self._gap(layout.source[at : int(layout.spans[-1])], sizes)
        self.offsets = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=self.offsets[1:])
        if layout is not None:
            self._keep_sources(layout.source, layout.begins.tolist(), layout.ends.tolist())

    def _gap(self, data: bytes, sizes: list[int]) -> None:
        if data:
            self.around.add(b"", [], data)
            sizes.append(0)

    def _keep_sources(self, source: bytes, begins: list[int], ends: list[int]) -> None:
        """The bytes of sentences of which the columns give other ones."""
        made, bounds = _assembled(self.around, self.offsets, self._treebank.heads, self.cells)
        if not begins or made == source[begins[0] : ends[-1]]:
            return
        sentences = zip(begins, ends, strict=True)
        for row, (begin, end) in enumerate(pairwise([0, *bounds.tolist()])):
            if self.around.sources[row] is None:
                data = source[slice(*next(sentences))]
                if made[begin:end] != data:
                    self.around.sources[row] = data


def _wordless(data: bytes) -> Iterator[Line]:
    """The lines of a sentence behind its first comments that hold no word."""
    n = 0
    for line in data.split(b"\n"):
        if line.partition(b"\t")[0].isdigit():
            n += 1
        elif line.strip(b" \t\r"):
            yield n, line.rstrip(b"\r").decode("utf-8")


def conllu_of_rows(
    around: Around, offsets: np.ndarray[Any, Any], heads: np.ndarray[Any, Any], cells: Mapping[str, Cells]
) -> bytes:
    """CoNLL-U of rows. Where there are bytes of a sentence, they are written with what the columns have now.

    Raises:
        Error: if a cell or comment cannot stand in CoNLL-U, or bytes are of other words.
    """
    sizes = np.diff(offsets)
    if len(heads) and (heads.min() < -1 or (heads > np.repeat(sizes, sizes)).any()):
        row = int(np.searchsorted(offsets, np.argmax((heads < -1) | (heads > np.repeat(sizes, sizes))), "right")) - 1
        raise Error(f"row {row}: a head is none of -1 (none), 0 (root) and the words 1 to {sizes[row]}")
    for name, (_, table) in cells.items():
        if b"\t" in table.source or b"\n" in table.source or b"\r" in table.source:
            for string in table.strings:
                if "\t" in string or "\n" in string or (name == "misc" and string.endswith("\r")):
                    raise Error(f"{name} {string!r:.80} holds a tab or a line end, which CoNLL-U cannot: replace it")
    made, ends = _assembled(around, offsets, heads, cells)
    wordless = (sizes == 0).tolist()
    if not any(wordless) and not any(source is not None for source in around.sources):
        return made
    pieces = []
    for row, (begin, end) in enumerate(pairwise([0, *ends.tolist()])):
        source = around.sources[row]
        if source is None:
            pieces.append(b"" if wordless[row] else made[begin:end])
        elif wordless[row]:
            pieces.append(source)
        else:
            words = slice(int(offsets[row]), int(offsets[row + 1]))
            pieces.append(_renewed(row, source, heads[words], {k: (i[words], t) for k, (i, t) in cells.items()}))
    return b"".join(pieces)


def _renewed(row: int, source: bytes, heads: np.ndarray[Any, Any], cells: Mapping[str, Cells]) -> bytes:
    """The bytes of a sentence with the cells of now; DEPS stays as it is."""
    try:
        treebank = read_conllu(source)
    except ConlluError as error:
        raise Error(f"row {row}: its bytes in `source` are no CoNLL-U: {error}") from None
    if treebank.n_words != len(heads):
        raise Error(f"row {row}: its bytes in `source` have {treebank.n_words} words, its columns {len(heads)}")
    now = {name: [table.strings[i] if i >= 0 else "_" for i in ids.tolist()] for name, (ids, table) in cells.items()}
    changed = {name: strings for name, strings in now.items() if name not in ("form", "deps", "deprel")
               and strings != [treebank.table(name)[i] for i in treebank.ids(name).tolist()]}  # fmt: skip
    if changed:
        treebank = treebank.with_columns(**{k: (np.arange(len(v)), v) for k, v in changed.items()})
    labels = now.get("deprel", treebank.deprels)
    if not changed and labels == treebank.deprels and np.array_equal(heads, treebank.heads):
        return source
    ids = np.array([-1 if label == "_" else i for i, label in enumerate(labels)], np.int32)
    return treebank.with_heads(heads, ids, labels).to_bytes()


def _assembled(
    around: Around, offsets: np.ndarray[Any, Any], heads: np.ndarray[Any, Any], cells: Mapping[str, Cells]
) -> tuple[bytes, np.ndarray[Any, Any]]:
    """What the columns give, and where each row ends."""
    lines = [(row, at, line.encode("utf-8")) for row, some in enumerate(around.lines) for at, line in some]
    return assemble(
        offsets, np.ascontiguousarray(heads, np.int32), {NUMBERS[name]: cells[name] for name in cells},
        [around.header(row) for row in range(len(around.comments))], [line for _, _, line in lines],
        np.array([row for row, _, _ in lines], np.int64), np.array([at for _, at, _ in lines], np.int32),
        copy_deps=False,
    )  # fmt: skip
