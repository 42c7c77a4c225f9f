"""One sentence of a treebank, read from its columns when asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from fastparse.corpus.columns import labels_by_id
from fastparse.corpus.graphs import graph_of
from fastparse.corpus.problems import place
from fastparse.display import Pictured

if TYPE_CHECKING:
    from fastparse.corpus.alternatives import Alternative
    from fastparse.corpus.surface import Token
    from fastparse.corpus.treebank import Treebank

__all__ = ["Sentence", "TreeWord", "Word"]

_SHOWN = 12  # words
_OF_SHEETS = ("form", "lemma", "upos", "xpos", "feats")


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


class TreeWord:
    """A word and its place in the tree: a copy, which does not change with its treebank.

    Attributes:
        id: from 1.
        form, lemma, upos, xpos, feats, deprel, deps, misc: as they are written, `_` for nothing.
        head: the word it depends on; None for the root and for a word without a head.
        children: the words that depend on it, in the order of the sentence.
        sentence: the Sentence it is in.
    """

    __slots__ = (
        "children", "deprel", "deps", "feats", "form", "head", "id", "lemma", "misc", "sentence", "upos", "xpos"
    )  # fmt: skip

    head: TreeWord | None

    def __init__(self, sentence: Sentence, row: Word) -> None:
        self.sentence = sentence
        self.id, self.form, self.lemma, self.upos, self.xpos, self.feats, _, self.deprel, self.deps, self.misc = row
        self.head = None
        self.children: list[TreeWord] = []

    @property
    def subtree(self) -> list[TreeWord]:
        """The word and all words below it, in the order of the sentence."""
        found, left = {self.id: self}, [self]
        while left:
            below = [child for child in left.pop().children if child.id not in found]  # heads may go round in a circle
            found.update((child.id, child) for child in below)
            left += below
        return [found[i] for i in sorted(found)]

    def __repr__(self) -> str:
        above = f" of {self.head.form}" if self.head is not None else ""
        return f"<TreeWord {self.id} {self.form}/{self.upos} {self.deprel}{above}>"

    def __str__(self) -> str:
        return self.form

    def __eq__(self, other: object) -> bool:
        """Whether both are the same word of the same sentence."""
        if not isinstance(other, TreeWord):
            return NotImplemented
        return self._place() == other._place()

    def __hash__(self) -> int:
        return hash(self._place())

    def _place(self) -> tuple[int, int, int]:
        return id(self.sentence.treebank), self.sentence.index, self.id


class Sentence(Pictured):
    """A view of one sentence; it copies nothing until a property is read.

    It is a sequence of rows: iterate over it, take `sentence[0]` or `sentence[-3:]`. `words` are the same words as a
    tree, with `.head` and `.children`. `tokens` are those of the running text, which may be several words each.
    `print(sentence)` shows a small tree.

    Example:
        >>> from fastparse import Treebank
        >>> treebank = Treebank.from_columns(forms=["She", "reads"], heads=[2, 0], deprels=["nsubj", "root"])
        >>> treebank[0].forms, treebank[0].heads
        (['She', 'reads'], [2, 0])
        >>> [(word.form, word.deprel, word.head) for word in treebank[0].words]
        [('She', 'nsubj', <TreeWord 2 reads/_ root>), ('reads', 'root', None)]
    """

    __slots__ = ("_begin", "_end", "index", "treebank")

    def __init__(self, treebank: Treebank, index: int) -> None:
        self.treebank = treebank
        self.index = index
        folded = treebank._folded
        if folded is None:
            self._begin = int(treebank._offsets[index])
            self._end = int(treebank._offsets[index + 1])
        else:  # it stays as it is until somebody looks at words
            self._begin, self._end = folded.words_before(index), folded.words_before(index + 1)

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

    def __str__(self) -> str:
        """A drawing of the tree, as wide as a terminal; the words alone where there is none to draw."""
        return self._drawn_text() or repr(self)

    def __eq__(self, other: object) -> bool:
        """Whether the same words have the same columns, and the sentences the same sent_id."""
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.sent_id == other.sent_id and len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it changes with its treebank

    def _column(self, name: str) -> list[str]:
        folded = self.treebank._folded
        if folded is not None and name in _OF_SHEETS:
            found: list[str] = folded.strings(name, self._begin, self._end)
            return found
        strings = self.treebank.table(name)
        return [strings[i] for i in self.treebank.ids(name)[self._begin : self._end].tolist()]

    @property
    def words(self) -> list[TreeWord]:
        """The words as a tree: each knows its head, its children and its subtree.

        Example:
            >>> [child.form for child in sentence.words[1].children]    # doctest: +SKIP
        """
        heads = self.heads
        found = [TreeWord(self, row) for row in self]
        for word, head in zip(found, heads, strict=True):
            if head > 0:
                word.head = found[head - 1]
                word.head.children.append(word)
        return found

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
    def graph(self) -> list[tuple[int | str, int | str, str]]:
        """The enhanced graph, in DEPS: sorted (head, dependent, label). Words are numbers, empty nodes such as "8.1"
        strings.

        Raises:
            ConlluError: if a cell of DEPS is no list of heads and labels.
        """
        return graph_of(self)

    @property
    def misc(self) -> list[str]:
        return self._column("misc")

    @property
    def heads(self) -> list[int]:
        """The head of each word: 0 is the root, -1 none."""
        folded = self.treebank._folded
        heads: list[int] = (
            self.treebank.heads[self._begin : self._end].tolist() if folded is None
            else folded.heads_between(self._begin, self._end)
        )  # fmt: skip
        return heads

    @property
    def deprels(self) -> list[str]:
        folded = self.treebank._folded
        found: list[str] | None = None if folded is None else folded.labels_between(self._begin, self._end)
        if found is not None:
            return found
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
    def alternatives(self) -> list[Alternative]:
        """The best trees, as (heads, deprels, probability), best first: what `parse` with k found; else none."""
        from fastparse.corpus.alternatives import read_trees

        return read_trees(self.misc)

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

    def to_conllu(self) -> str:
        """The sentence as CoNLL-U, with its comments and the empty line at its end."""
        return self.treebank.select([self.index]).to_bytes().decode("utf-8")

    def to_dict(self) -> dict[str, Any]:
        """The sentence as lists and dicts, for JSON: sent_id, text, and a dict per word with all columns."""
        return {"sent_id": self.sent_id, "text": self.text, "words": [row._asdict() for row in self]}

    def to_pandas(self) -> Any:
        """A DataFrame of pandas with a row per word: see `Treebank.to_pandas`."""
        return self.treebank.select([self.index]).to_pandas()

    def to_pyconll(self) -> Any:
        """The sentence as the installed pyconll reads it, with all its lines."""
        return self.treebank.select([self.index]).to_pyconll()[0]
