"""One sentence of a treebank, read from its columns when asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from fastparse.corpus.columns import labels_by_id
from fastparse.corpus.problems import place
from fastparse.display import Pictured

if TYPE_CHECKING:
    from fastparse.corpus.surface import Token
    from fastparse.corpus.treebank import Treebank

__all__ = ["Sentence", "Word"]

_SHOWN = 12  # words


class Word(NamedTuple):
    """A word as CoNLL-U has it: a copy, which does not change with its treebank.

    Attributes:
        id: from 1.
        head: 0 is the root, -1 none.
        form, lemma, upos, xpos, feats, deprel, deps, misc: as they are written, `_` for nothing.
    """

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str
    deps: str
    misc: str


class Sentence(Pictured):
    """A view of one sentence; it copies nothing until a property is read.

    It is a sequence of its words: iterate over it, take `sentence[0]` or `sentence[-3:]`. `tokens` are those of the
    running text, which may be several words each.

    Example:
        >>> from fastparse import Treebank
        >>> treebank = Treebank.from_columns(forms=["She", "reads"], heads=[2, 0], deprels=["nsubj", "root"])
        >>> treebank[0].forms, treebank[0].heads
        (['She', 'reads'], [2, 0])
    """

    __slots__ = ("_begin", "_end", "index", "treebank")

    def __init__(self, treebank: Treebank, index: int) -> None:
        self.treebank = treebank
        self.index = index
        self._begin = int(treebank._offsets[index])
        self._end = int(treebank._offsets[index + 1])

    def __len__(self) -> int:
        return self._end - self._begin

    def __iter__(self) -> Iterator[Word]:
        columns = (self._column(name) for name in ("form", "lemma", "upos", "xpos", "feats"))
        rest = (self.heads, self.deprels, self.deps, self.misc)
        return map(Word._make, zip(range(1, len(self) + 1), *columns, *rest, strict=True))

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> list[Word]: ...
    def __getitem__(self, index: int | slice) -> Word | list[Word]:
        """A word, or some: places count from 0, as in every sequence; `Word.id` from 1."""
        return list(self)[index]

    def __repr__(self) -> str:
        words = zip(self.forms, self.heads, self.deprels, strict=True)
        shown = [form if head < 0 else f"{form}/{head}:{label}" for form, head, label in islice(words, _SHOWN)]
        return f"<Sentence {self.where()}: {' '.join(shown)}{' ...' if len(self) > _SHOWN else ''}>"

    def __eq__(self, other: object) -> bool:
        """Whether the same words have the same columns, and the sentences the same sent_id."""
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.sent_id == other.sent_id and len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it changes with its treebank

    def _column(self, name: str) -> list[str]:
        strings = self.treebank.table(name)
        return [strings[i] for i in self.treebank.ids(name)[self._begin : self._end].tolist()]

    @property
    def forms(self) -> list[str]:
        return self._column("form")

    @property
    def lemmas(self) -> list[str]:
        return self._column("lemma")

    @property
    def upos(self) -> list[str]:
        return self._column("upos")

    @property
    def xpos(self) -> list[str]:
        return self._column("xpos")

    @property
    def feats(self) -> list[str]:
        """The features as they are written, `_` where there are none."""
        return self._column("feats")

    @property
    def deps(self) -> list[str]:
        """The column DEPS as it was read, not as `write` may set it."""
        return self._column("deps")

    @property
    def misc(self) -> list[str]:
        return self._column("misc")

    @property
    def heads(self) -> list[int]:
        """The head of each word: 0 is the root, -1 none."""
        heads: list[int] = self.treebank.heads[self._begin : self._end].tolist()
        return heads

    @property
    def deprels(self) -> list[str]:
        return labels_by_id(self.treebank.deprel_table, self.treebank.deprel_ids[self._begin : self._end])

    @property
    def tokens(self) -> list[Token]:
        """The tokens of running text, with .form, .start, .end (characters of the text) and .words (numbers from 1)."""
        return list(self.treebank._running_text().tokens[self.index])

    @property
    def text(self) -> str:
        """The sentence as it stands in `Treebank.to_text`."""
        found = self.treebank._running_text()
        begin, end = found.spans[self.index]
        return found.text[begin:end]

    @property
    def comments(self) -> list[str]:
        """The comment lines before the first word, verbatim."""
        return self.treebank._comments(self.index).decode("utf-8").split("\n")[:-1]

    @property
    def sent_id(self) -> str | None:
        return self.treebank._sent_id(self.index)

    @property
    def file(self) -> str:
        """The file the sentence comes from, as messages name it."""
        return self.treebank._file_and_line(self.index)[0]

    @property
    def line(self) -> int | None:
        """The line of the file the sentence begins at, its comments included; None without a source."""
        return self.treebank._file_and_line(self.index)[1]

    def where(self) -> str:
        """For messages: `dev.conllu:1841 (sent_id weblog-17)`."""
        file, line = self.treebank._file_and_line(self.index)
        return place(file if line is not None else f"{file}, sentence {self.index + 1}", line, self.sent_id)

    def to_bytes(self) -> bytes:
        """The sentence in the format it was read from."""
        return self.treebank.select([self.index]).to_bytes()

    def to_pandas(self) -> Any:
        """A DataFrame of pandas with a row per word: see `Treebank.to_pandas`."""
        return self.treebank.select([self.index]).to_pandas()

    def to_pyconll(self) -> Any:
        """The sentence as the installed pyconll reads it, with all its lines."""
        return self.treebank.select([self.index]).to_pyconll()[0]
