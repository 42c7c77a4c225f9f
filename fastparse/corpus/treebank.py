"""Treebanks as columns: what the reader fills, what the parser reads and writes, what goes back to the file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, overload

import numpy as np

from fastparse.corpus import derived
from fastparse.corpus.columns import checked_sent_ids, column_of, counted_offsets, head_array
from fastparse.corpus.conllu.tokenization import Tokenization
from fastparse.corpus.exchange import Exchange
from fastparse.corpus.files.output import open_output
from fastparse.corpus.layout import Failures, Layout
from fastparse.corpus.problems import Problem, number_of, sent_id_in
from fastparse.corpus.sentence import Sentence
from fastparse.corpus.sheet import Sheet
from fastparse.corpus.strings.interning import StringTable
from fastparse.corpus.surface import RunningText, running_text
from fastparse.corpus.wordcolumns import COLUMNS, WordColumns
from fastparse.corpus.writing import pieces
from fastparse.display import Pictured
from fastparse.errors import ConlluError
from fastparse.trees.tree import DEFECTS, defects

__all__ = ["COLUMNS", "Sentence", "Treebank"]

_READ = ("form", "lemma", "upos", "xpos", "feats", "deprel")  # as `reader.Columns` numbers them


class Treebank(WordColumns, Exchange, Pictured):
    """Sentences in columns.

    Words of all sentences stand one after the other; `offsets[i]` is where sentence i begins. Strings are ids into one
    table per column. A treebank made by reading remembers its bytes, and writing puts the heads and labels of now into
    them. `WordColumns` has the columns.
    """

    __slots__ = ()

    @classmethod
    def _read(cls, found: dict[str, Any], layout: Layout, failures: Failures) -> Treebank:
        ids = dict(zip(_READ, found["ids"], strict=True))
        tables = dict(zip(_READ, found["tables"], strict=True))
        labels = list(tables.pop("deprel").strings)
        return cls(
            found["heads"], found["offsets"], ids.pop("deprel"), labels, ids, tables, source=layout, failures=failures
        )

    @classmethod
    def _tokenized(cls, tokens: Tokenization) -> Treebank:
        """The sentences of running text, with forms alone."""
        return cls._of_sheet(Sheet.of_tokens(tokens))  # type: ignore[no-any-return]

    @classmethod
    def from_columns(
        cls,
        forms: Sequence[Any],
        upos: Sequence[Any] | None = None,
        xpos: Sequence[Any] | None = None,
        feats: Sequence[Any] | None = None,
        lemmas: Sequence[Any] | None = None,
        heads: Sequence[Any] | None = None,
        deprels: Sequence[Any] | None = None,
        misc: Sequence[Any] | None = None,
        offsets: Sequence[int] | None = None,
        sent_ids: Sequence[str | None] | None = None,
    ) -> Treebank:
        """A treebank without source bytes; it is written as plain CoNLL-U.

        Args:
            forms: the words: of one sentence, of all sentences (then `offsets` says where each begins), or a list of
                sentences, each a list of words. The other columns have the same shape.
            upos, xpos, feats, lemmas, misc: strings; None, alone or as an item, is `_`.
            heads: integers, 0 for the root, -1 or None for none.
            deprels: strings; None or `_` for none.
            offsets: sentences + 1 integers, from 0 to the number of words.
            sent_ids: one per sentence; written as comments.

        Raises:
            Error: if columns differ in length, or a cell cannot stand in a CoNLL-U file.
        """
        others = (upos, xpos, feats, lemmas, heads, deprels, misc, offsets, sent_ids)
        if isinstance(forms, list) and forms and all(other is None for other in others):
            sheet = Sheet.of_words([forms] if isinstance(forms[0], str) else forms)
            if sheet is not None:
                return cls._of_sheet(sheet)  # type: ignore[no-any-return]
        flat, starts = counted_offsets(forms, offsets)
        n = len(flat)
        columns = {"lemma": lemmas, "upos": upos, "xpos": xpos, "feats": feats, "misc": misc, "deprel": deprels}
        nested = flat is not forms and offsets is None
        found = {"form": column_of("form", flat, n, starts, nested=False)}
        for name, values in columns.items():
            found[name] = column_of(name, values, n, starts, nested=nested)
        return cls._gathered(found, head_array(heads, n, nested=nested), starts,
                             checked_sent_ids(sent_ids, len(starts) - 1))  # fmt: skip

    @classmethod
    def _gathered(
        cls, columns: dict[str, tuple[np.ndarray[Any, Any], list[str]]], heads: np.ndarray[Any, Any],
        offsets: np.ndarray[Any, Any], sent_ids: list[str | None] | None,
    ) -> Treebank:  # fmt: skip
        """A treebank without source bytes. columns: ids per word and strings by id; `_` throughout where one lacks."""
        nothing = np.zeros(len(heads), np.int32)
        ids, tables = {}, {}
        for name in COLUMNS:
            ids[name], strings = columns.get(name, (nothing, ["_"]))
            tables[name] = StringTable.of(strings)
        labels = list(tables.pop("deprel").strings)
        return cls(heads, offsets, ids.pop("deprel"), labels, ids, tables, sent_ids=sent_ids)

    # What could not be read

    @property
    def skipped(self) -> int:
        """Sentences left out by on_error="skip"."""
        return self._failures.skipped

    @property
    def kept_unparsed(self) -> int:
        """Sentences that on_error="keep" only passes through: they are not among these, but `write` copies them."""
        return self._failures.kept

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why those could not be read, at most 1000 per batch; each has .file, .line, .sent_id and .message."""
        return self._failures.problems

    # Sentences

    def __len__(self) -> int:
        folded = self._folded
        return len(self._offsets) - 1 if folded is None else int(folded.n_sentences)

    def __repr__(self) -> str:
        return f"<Treebank of {number_of(len(self), 'sentence')}, {number_of(self.n_words, 'word')}>"

    def __eq__(self, other: object) -> bool:
        """Whether the same sentences are written, with the same heads and labels."""
        if not isinstance(other, Treebank):
            return NotImplemented
        return self is other or (len(self) == len(other) and self.to_bytes() == other.to_bytes())

    __hash__ = None  # type: ignore[assignment]  # heads can be written to

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Treebank: ...
    def __getitem__(self, index: int | slice) -> Sentence | Treebank:
        if isinstance(index, slice):
            return self.select(range(*index.indices(len(self))))
        n = len(self)
        if not -n <= index < n:
            raise IndexError(f"sentence {index} of a treebank with {n}")
        return Sentence(self, int(index) % n)

    def __iter__(self) -> Iterator[Sentence]:
        for index in range(len(self)):
            yield Sentence(self, index)

    def select(self, indices: Iterable[int] | np.ndarray[Any, Any]) -> Treebank:
        """A treebank of the given sentences, in that order; its heads and labels are copies.

        Written, it has the bytes of these sentences alone, each ended by a blank line.
        """
        return derived.selected(self, indices)

    def with_heads(
        self, heads: Any, deprel_ids: Any | None = None, deprel_table: Sequence[str] | None = None
    ) -> Treebank:
        """The same sentences with other heads (and labels); everything else is shared.

        Args:
            heads: one per word.
            deprel_ids: one per word, indices into `deprel_table`; None keeps the labels.
            deprel_table: the labels by id; None means this treebank's.
        """
        return derived.with_heads(self, heads, deprel_ids, deprel_table)

    def with_columns(self, **columns: tuple[Any, Sequence[str]]) -> Treebank:
        """The same sentences with other lemmas, tags, features or notes; everything else is shared, heads are copied.

        Args:
            columns: "lemma", "upos", "xpos", "feats" or "misc": an id per word and the strings by id. An id of -1
                stands for `_`.

        Raises:
            UnknownNameError: for another column.
            Error: if ids are not as many as words or not places in the strings, or a string cannot stand in a cell.

        Example:
            >>> treebank = Treebank.from_columns(forms=["She", "reads"])
            >>> treebank.with_columns(upos=([1, 0], ["VERB", "PRON"]))[0].upos
            ['PRON', 'VERB']
        """
        return derived.with_columns(self, columns)

    # Trees

    def trees(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which sentences are trees: every word has a head in range, and no heads form a cycle."""
        right: np.ndarray[Any, np.dtype[np.bool_]] = defects(self.heads, self.offsets)[0] == 0
        return right

    def require_trees(self) -> None:
        """Raise ConlluError unless every sentence is a tree, naming the first that is not and why."""
        codes, words = defects(self.heads, self.offsets)
        if not codes.any():
            return
        index = int(np.argmax(codes != 0))
        word = int(words[index])
        head = int(self.heads[self.offsets[index] + word - 1])
        what = {
            "headless word": f"word {word} has no head",
            "head out of range": f"word {word} has head {head}, which is not a word of the sentence",
            "cycle": f"word {word} is its own ancestor: the heads form a cycle",
        }[DEFECTS[codes[index]]]
        raise ConlluError(
            f"{self[index].where()}: a tree is needed, but {what} ({np.count_nonzero(codes):,} of {len(self):,} "
            f"sentences are no trees). Correct the heads, or leave such sentences out: "
            f"treebank.select(treebank.trees().nonzero()[0])."
        )

    # Running text

    def to_text(self) -> str:
        """The running text, byte for byte what was tokenized.

        What SpaceAfter=No, SpacesAfter, SpacesBefore and SpacesInToken say is kept to the letter. Where nothing is
        said, a space stands between tokens, an empty line before `# newpar` and `# newdoc`, a line end after the last.

        Example:
            >>> Treebank.from_columns(["Go", "!"], misc=["SpaceAfter=No", "_"]).to_text()
            'Go!\\n'
        """
        return self._running_text().text

    def _running_text(self) -> RunningText:
        if self._running is None:
            self._running = running_text(self)
        return self._running

    # Places

    def _comments(self, index: int) -> bytes:
        """The comment lines before the first word of a sentence."""
        layout = self._layout
        if layout is not None:
            return layout.comments(index)
        sent_id = self._sent_id(index)
        return b"" if sent_id is None else f"# sent_id = {sent_id}\n".encode()

    def _sent_id(self, index: int) -> str | None:
        layout = self._layout
        if layout is not None:
            return sent_id_in(layout.comments(index))
        return None if self._sent_ids is None else self._sent_ids[index]

    def _file_and_line(self, index: int) -> tuple[str, int | None]:
        layout = self._layout
        return ("<columns>", None) if layout is None else layout.place(index)

    # Writing

    def to_bytes(self, deps: str = "keep", first: int = 1) -> bytes:
        """The treebank as a file holds it: the bytes read, with HEAD and DEPREL as they are now.

        Args:
            deps: the column DEPS of CoNLL-U: "keep" leaves it as it is (enhanced graphs may then disagree with the
                tree), "copy" writes `head:deprel`, "blank" writes `_`.
            first: the number, as sent_id, of the first sentence, where they are those of running text; others keep
                what they have.

        Raises:
            Error: if a head or label cannot be written.
        """
        found = list(pieces(self, deps, first))
        return found[0] if len(found) == 1 else b"".join(found)

    def write(self, target: str | os.PathLike[str] | IO[bytes], deps: str = "keep") -> None:
        """Write to a path (its suffix chooses compression), "-" or a binary stream; see `to_bytes`.

        The file appears whole, by renaming a temporary one, or not at all.
        """
        with open_output(target) as stream:
            for piece in pieces(self, deps):
                stream.write(piece)
