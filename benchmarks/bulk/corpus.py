"""Corpora of any size for the campaigns of this folder: a treebank again and again, never twice the same.

In each copy the identifiers of sentences and all proper nouns carry its number, so that no shard is like another one,
and new words come as in a real corpus.

    python benchmarks/bulk/corpus.py OUTPUT --words 20e6
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness import add_treebanks, treebank_path

__all__ = ["Corpus", "add_corpus", "corpus_of"]

_PLACES = re.compile(rb"(?m)^# sent_id = |^\d+\t[^\t\n]+(?=\t[^\t\n]*\tPROPN\t)")
_WORD = re.compile(rb"(?m)^\d+\t")


class Corpus(io.RawIOBase):
    """Copies of a treebank, until there are so many words, as a binary stream.

    Attributes:
        words: that are left to be read when a copy is finished.
    """

    def __init__(self, treebank: Path, words: float) -> None:
        data = treebank.read_bytes()
        self.name = f"{words:,.0f} words of {treebank}"
        ends = [0, *(place.end() for place in _PLACES.finditer(data)), len(data)]
        self._pieces = [data[begin:end] for begin, end in pairwise(ends)]
        self._words_of_copy = len(_WORD.findall(data))
        self.words = int(words)
        self._copies = self._made()
        self._left = memoryview(b"")

    def _made(self) -> Iterator[bytes]:
        number = 0
        while self.words > 0:
            copy = (b"%d" % number).join(self._pieces)
            if self.words < self._words_of_copy:
                copy = _beginning(copy, self.words)
            self.words -= self._words_of_copy
            number += 1
            yield copy

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            self._left = memoryview(next(self._copies, b""))
        taken = self._left[: len(buffer)]
        buffer[: len(taken)] = taken
        self._left = self._left[len(taken) :]
        return len(taken)


def _beginning(data: bytes, words: int) -> bytes:
    """The first sentences, as many as have so many words together."""
    place = next((found.start() for n, found in enumerate(_WORD.finditer(data)) if n == words), len(data))
    return data[: data.find(b"\n\n", place) + 2]


def add_corpus(parser: argparse.ArgumentParser, words: float) -> None:
    """The options of how large a corpus is, and of which treebank."""
    add_treebanks(parser)
    parser.add_argument("--words", type=float, default=words, help="default: %(default).0f")
    parser.add_argument("-m", "--model", default="en-fast", help="default: %(default)s")
    folder = Path(tempfile.gettempdir()) / "fastparse-bulk"
    parser.add_argument("--folder", type=Path, default=folder, help="of what is made for the run")


def corpus_of(args: argparse.Namespace) -> Path:
    """The file of the corpus that the options describe; made, unless it is there."""
    args.folder.mkdir(parents=True, exist_ok=True)
    path: Path = args.folder / f"corpus-{args.words:.0f}.conllu"
    if not path.exists():
        write(treebank_path(args.treebanks, "train"), args.words, path)
    return path


def write(treebank: Path, words: float, path: Path) -> None:
    aside = path.with_name(path.name + ".part")
    with Corpus(treebank, words) as corpus, open(aside, "wb") as out:
        while piece := corpus.read(1 << 20):
            out.write(piece)
    os.rename(aside, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_treebanks(parser)
    parser.add_argument("output", type=Path)
    parser.add_argument("--words", type=float, required=True)
    args = parser.parse_args()
    write(treebank_path(args.treebanks, "train"), args.words, args.output)


if __name__ == "__main__":
    main()
