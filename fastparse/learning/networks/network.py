"""A network: its numbers and all that is needed to read them, and how it parses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.inputs import Inputs
from fastparse.encoder.reals import product
from fastparse.learning.networks.beams import Beams
from fastparse.learning.networks.encoder import Arrays, Buffers, Encoder
from fastparse.learning.networks.shapes import Shape, arrays_in
from fastparse.transition_systems.registry import resolve

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.networks.vectors import FixedRows

__all__ = ["Network", "Rows", "rows_of"]

_WORDS_AT_A_TIME = 2000


@dataclass
class Network:
    """Float32 numbers and their description.

    Attributes:
        shape: sizes; `arrays` are views of `numbers`.
        system, system_options: the transition system of the parser, "" if there is none.
        labels: by id; root_labels, inner_labels: ids that arcs from the root, and others, may carry.
        outputs: strings of each further output's classes: "upos", "xpos", "feats".
        fixed: what is added to the embeddings of forms, if anything is.
    """

    shape: Shape
    inputs: Inputs
    numbers: np.ndarray[Any, Any]
    system: str = ""
    system_options: dict[str, Any] | None = None
    labels: tuple[str, ...] = ()
    root_labels: tuple[int, ...] = ()
    inner_labels: tuple[int, ...] = ()
    single_root: bool = False
    outputs: dict[str, tuple[str, ...]] | None = None
    fixed: FixedRows | None = None

    def __post_init__(self) -> None:
        self.arrays = arrays_in(self.shape, self.numbers)
        self.built: Any = None  # the system itself, where its name does not tell how to make it

    def transitions(self) -> Beams:
        """The layers over states, bound to no numbers yet."""
        found = self.built or resolve(self.system, **(self.system_options or {}))
        allowed = np.zeros((2, len(self.labels)), np.uint8)
        allowed[0, list(self.root_labels)] = allowed[1, list(self.inner_labels)] = 1
        shape, (root, inner) = self.shape, allowed
        return Beams(found, shape.places, shape.pairs, shape.hidden, shape.rank, root, inner, self.single_root)

    def learnt(self, ids: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any] | None]:
        """Ids with those rows of forms that are learnt, and what is added to these."""
        if self.fixed is None:
            return ids, None
        added = self.fixed.rows[ids[:, 0]]
        ids = ids.copy()
        ids[:, 0] = self.fixed.learnt(ids[:, 0])
        return ids, added

    def show(self, transitions: Beams, state: np.ndarray[Any, Any], buffers: Buffers) -> None:
        """Lets transitions read the rows that follow from the words' states."""
        matrices = {
            name: self.arrays[f"{name}.weight"] for name in ("slots", "arcs") if f"{name}.weight" in self.arrays
        }
        found = {name: buffers.get(name, len(state), len(matrix)) for name, matrix in matrices.items()}
        for name, matrix in matrices.items():
            product(state, matrix.T, found[name])
        transitions.use_rows(found["slots"], found.get("arcs"))

    def annotate(
        self, treebank: Treebank, rows: np.ndarray[Any, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], Arrays]:
        """Heads and labels of all words, greedily (zeros without a parser), and the classes of each output.

        Args:
            rows: the treebank's, if they are made already.
        """
        rows = self.inputs.rows(treebank) if rows is None else rows
        offsets = np.asarray(treebank.offsets, np.int64)
        heads, labels = np.zeros((2, len(treebank.heads)), np.int32)
        classes = {name: np.zeros(len(heads), np.int32) for name in self.shape.outputs}
        encoder, buffers = Encoder(self.shape, self.inputs.columns()), Buffers()
        transitions = self.transitions() if self.shape.moves else None
        if transitions is not None:
            transitions.bind(self.arrays)
        first = 0
        while first < len(offsets) - 1:
            last = int(np.searchsorted(offsets, offsets[first] + _WORDS_AT_A_TIME, side="right")) - 1
            last = min(max(last, first + 1), len(offsets) - 1)
            part = rows_of(offsets, np.arange(first, last))
            words = slice(int(offsets[first]), int(offsets[last]))
            ids, added = self.learnt(rows[part.rows])
            state = encoder.forward(self.arrays, ids, part.start, part.end, added=added)
            for name, found in classes.items():
                scores = product(state[part.words], self.arrays[f"output.{name}.weight"].T)
                found[words] = (scores + self.arrays[f"output.{name}.offset"]).argmax(1)
            if transitions is not None:
                self.show(transitions, state, buffers)
                local = offsets[first : last + 1] - offsets[first]
                transitions.parse(local, part.bases, heads[words], labels[words])
            first = last
        return heads, labels, classes


@dataclass
class Rows:
    """Where the sentences of a batch are.

    Attributes:
        rows: of the treebank, one for the root of each sentence and one per word.
        words: which rows of the batch are words.
        bases: the root's row in the batch, per sentence.
        start, end: the sentence's rows in the batch, per row.
        at: place of each word in the treebank's columns, per word.
    """

    rows: np.ndarray[Any, Any]
    words: np.ndarray[Any, Any]
    bases: np.ndarray[Any, Any]
    start: np.ndarray[Any, Any]
    end: np.ndarray[Any, Any]
    at: np.ndarray[Any, Any]


def rows_of(offsets: np.ndarray[Any, Any], sentences: np.ndarray[Any, Any]) -> Rows:
    """The rows of some sentences, one after the other."""
    sizes = (offsets[sentences + 1] - offsets[sentences]) + 1
    ends = np.cumsum(sizes)
    bases = ends - sizes
    start = np.repeat(bases, sizes)
    inside = np.arange(len(start)) - start
    at = np.repeat(offsets[sentences], sizes) + inside - 1
    words = inside > 0
    rows = at + 1 + np.repeat(sentences, sizes)
    return Rows(
        rows, np.flatnonzero(words), bases.astype(np.int64), start.astype(np.int32),
        np.repeat(ends, sizes).astype(np.int32), at[words],
    )  # fmt: skip
