"""Word vectors from outside: read from a text file, brought to a network's size, added to what it learns of forms."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.files.sources import opened
from fastparse.encoder.inputs import FIRST, UNKNOWN
from fastparse.encoder.reals import axes_of, product
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.encoder.inputs import Inputs

__all__ = ["MOST_WORDS", "FixedRows", "Vectors", "lines_of", "read_vectors"]

MOST_WORDS = 50_000  # of a file, besides those of the treebank
_SCALE = 0.3  # of the numbers that forms start from, see `networks.shapes`
_LONGEST_HEADER = 2  # fields of a first line that gives the numbers of words and of dimensions
_PIECE = 1 << 20
_LONGEST_LINE = 1 << 20

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Vectors:
    """Words, lower-cased, and a row of numbers for each.

    Attributes:
        words: in the order of the file, each once.
        rows: float32 [words, dimensions].
    """

    words: tuple[str, ...]
    rows: Array

    def fitted(self, size: int) -> Array:
        """The rows in `size` numbers each: their largest principal components, or all and zeros after them."""
        rows = self.rows - self.rows.mean(0, np.float64).astype(np.float32)
        values, axes = axes_of(product(rows.T, rows))
        axes = axes[:, np.argsort(-values, kind="stable")[:size]]
        largest = axes[np.abs(axes).argmax(0), np.arange(axes.shape[1])]
        axes *= np.where(largest < 0, -1.0, 1.0)  # an axis has no direction of its own
        found = product(rows, axes.astype(np.float32)).astype(np.float64)
        found *= _SCALE / max(1e-12, float(np.sqrt(np.mean(found * found))))
        return np.pad(found, ((0, 0), (0, size - found.shape[1]))).astype(np.float32)

    @cached_property
    def record(self) -> dict[str, Any]:
        """What a model remembers of them."""
        digest = hashlib.sha256("\n".join(self.words).encode() + self.rows.tobytes()).hexdigest()
        return {"words": len(self.words), "dimensions": self.rows.shape[1], "sha256": digest}


@dataclass(frozen=True)
class FixedRows:
    """What is added to the embeddings of forms and never learnt.

    Forms of the treebank have a row that is learnt besides; all others share the one of unknown forms.

    Attributes:
        rows: float32, by row of a form in `Inputs`; zeros where nothing is known.
        n_learnt: rows that the treebank's forms have.
    """

    rows: Array
    n_learnt: int

    @classmethod
    def of(cls, vectors: Vectors, inputs: Inputs, n_learnt: int, size: int) -> FixedRows:
        """Args: inputs: whose forms from `n_learnt` on are the vectors'; size: of the embeddings."""
        number = {word: i for i, word in enumerate(vectors.words)}
        fitted = vectors.fitted(size)
        rows = np.zeros((len(inputs.form) + FIRST, size), np.float32)
        for i, form in enumerate(inputs.form):
            if form in number:
                rows[i + FIRST] = fitted[number[form]]
        return cls(rows, n_learnt)

    def learnt(self, forms: Array) -> Array:
        """The rows that are learnt of these forms."""
        return np.where(forms < self.n_learnt, forms, UNKNOWN)

    def whole(self, table: Array) -> Array:
        """The embeddings of all forms, from the rows that were learnt."""
        return table[self.learnt(np.arange(len(self.rows)))] + self.rows


def read_vectors(path: str | os.PathLike[str], forms: Iterable[str] = (), most: int = MOST_WORDS) -> Vectors:
    """The first `most` words of a file in the text format of word2vec or GloVe, and all that are among `forms`.

    A line has a word and its numbers, separated by spaces; a first line of two numbers is skipped. Words are
    lower-cased; of several that become the same, the one counts that is written so, else the first.

    Args:
        path: the file, plain or compressed.

    Raises:
        Error: if it is no such file, with the line.
    """
    wanted = {form.lower() for form in forms}
    found: dict[str, Array] = {}
    exact: set[str] = set()
    size = n_words = 0
    with opened(path) as source:
        for number, line in enumerate(lines_of(source, str(path)), 1):
            fields = line.rstrip().split(b" ")
            if number == 1 and len(fields) <= _LONGEST_HEADER:
                continue
            size = size or len(fields) - 1
            if len(fields) <= size or not size:
                raise Error(
                    f"{path}: line {number}: expected a word and {size or 'some'} numbers, separated by spaces: "
                    "a file of word vectors in the text format of word2vec or GloVe"
                )
            word = b" ".join(fields[:-size]).decode("utf-8", "replace")
            low, n_words = word.lower(), n_words + 1
            if (n_words > most and low not in wanted) or low in exact or (low in found and word != low):
                continue
            if word == low:
                exact.add(low)
            found[low] = _numbers(fields[-size:], f"{path}: line {number}")
    if not found:
        raise Error(f"{path}: no word vectors")
    return Vectors(tuple(found), np.stack(list(found.values())))


def lines_of(source: IO[bytes] | Any, name: str) -> Iterable[bytes]:
    """The lines of a text file, without what ends them. Args: name: for messages."""
    rest = b""
    while piece := source.read(_PIECE):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > _LONGEST_LINE:
            raise Error(f"{name}: a line of more than {_LONGEST_LINE:,} bytes: not a text file of words")
    if rest.strip():
        yield rest


def _numbers(fields: list[bytes], where: str) -> Array:
    try:
        numbers = np.array(fields).astype(np.float32)
    except ValueError:
        raise Error(f"{where}: some of the {len(fields)} fields after the word are no numbers") from None
    if not np.isfinite(numbers).all():
        raise Error(f"{where}: a number that is not finite")
    return numbers
