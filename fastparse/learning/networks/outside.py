"""What networks learn of words from outside the treebank: vectors, and a lexicon, which is read from a text file."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.files.sources import opened
from fastparse.encoder.lexicon import Lexicon
from fastparse.errors import Error
from fastparse.learning.networks.vectors import lines_of

if TYPE_CHECKING:
    from fastparse.learning.networks.vectors import Vectors

__all__ = ["Outside", "read_lexicon"]

_NOTHING = (b"", b"_")
_MOST_VALUES = 65_535  # of a column
_MOST_COLUMNS = 64


@dataclass(frozen=True)
class Outside:
    """What is known of words besides the treebank, as far as there is something."""

    vectors: Vectors | None = None
    lexicon: Lexicon | None = None

    @property
    def record(self) -> dict[str, Any]:
        """What a model remembers of it."""
        found: dict[str, Any] = {} if self.vectors is None else {"vectors": self.vectors.record}
        if self.lexicon is not None:
            digest = hashlib.sha256(b"".join(array.tobytes() for array in self.lexicon.arrays().values()))
            found["lexicon"] = {
                "words": len(self.lexicon), "columns": self.lexicon.columns, "sha256": digest.hexdigest()
            }  # fmt: skip
        return found


def read_lexicon(path: str | os.PathLike[str]) -> Lexicon:
    """A lexicon from a text file.

    A line has a word and what is known of it, one or more columns, separated by tabs: the cluster that the word is in,
    the length of its frequency, anything that many words share. An empty column, or one of `_`, says nothing. Words
    are lower-cased; of several that become the same the first counts. Lines that begin with `# ` are skipped.

    Args:
        path: the file, plain or compressed.

    Raises:
        Error: if it is no such file, with the line.
    """
    rows: dict[str, list[int]] = {}
    numbers: list[dict[bytes, int]] = []
    with opened(path) as source:
        for number, line in enumerate(lines_of(source, str(path)), 1):
            if line.startswith(b"# ") or not line.strip():
                continue
            word, *values = line.rstrip(b"\r\n").split(b"\t")
            numbers = numbers or [{} for _ in values]
            if len(values) != len(numbers) or not 1 <= len(values) <= _MOST_COLUMNS:
                raise Error(
                    f"{path}: line {number}: expected a word and {len(numbers) or 'some'} columns (at most "
                    f"{_MOST_COLUMNS}), separated by tabs: a lexicon"
                )
            low = word.decode("utf-8", "replace").lower()
            if low not in rows:
                known = zip(numbers, values, strict=True)
                rows[low] = [0 if v in _NOTHING else codes.setdefault(v, len(codes) + 1) for codes, v in known]
    if not rows:
        raise Error(f"{path}: no words of a lexicon")
    for column, codes in enumerate(numbers, 1):
        if len(codes) > _MOST_VALUES:
            raise Error(f"{path}: column {column} has {len(codes):,} different values, more than {_MOST_VALUES:,}")
    try:
        return Lexicon.of(list(rows), np.array(list(rows.values())))
    except ValueError as error:
        raise Error(f"{path}: {error}: leave out columns, or let more words share their values") from None
