"""Enhanced graphs as DEPS holds them: arcs of words and of empty nodes, and graphs of words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse.errors import ConlluError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastparse.corpus.sentence import Sentence
    from fastparse.corpus.treebank import Treebank

__all__ = ["Graphs", "arcs_in", "collapsed_graphs", "graph_of"]

Node = int | str  # a word, or an empty node such as "8.1"
_MOST_PATHS = 64  # of a word through empty nodes


class Graphs(NamedTuple):
    """The graphs of the sentences of a treebank, arcs by dependent, then head, then label.

    Attributes:
        offsets: where the arcs of each sentence begin, and the number of arcs, int64.
        heads, dependents: words of the sentence, int32; 0 is the root.
        labels: by id, int32.
        names: the labels.
    """

    offsets: np.ndarray[Any, Any]
    heads: np.ndarray[Any, Any]
    dependents: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]
    names: list[str]


def arcs_in(cell: str) -> list[tuple[Node, str]]:
    """Heads and labels of a cell of DEPS.

    Raises:
        ValueError: if it is no list of heads and labels.

    Example:
        >>> arcs_in("2:nsubj|8.1:conj:and")
        [(2, 'nsubj'), ('8.1', 'conj:and')]
    """
    if cell in ("_", ""):
        return []
    found: list[tuple[Node, str]] = []
    for part in cell.split("|"):
        head, colon, label = part.partition(":")
        whole, _, rest = head.partition(".")
        if not (colon and label and whole.isdecimal() and (rest.isdecimal() or "." not in head)):
            raise ValueError(f"{part!r} is no head with a label, such as 2:nsubj")
        found.append((head if rest else int(head), label))
    return found


def graph_of(sentence: Sentence) -> list[tuple[Node, Node, str]]:
    """See `Sentence.graph`."""
    found: list[tuple[Node, Node, str]] = [
        (head, word, label) for word, cell in enumerate(_cells(sentence), 1) for head, label in cell
    ]
    if _has_empty_nodes(sentence):
        found += [(head, node, label) for node, cell in _empty_nodes(sentence).items() for head, label in cell]
    return sorted(found, key=lambda arc: (_place(arc[0]), _place(arc[1]), arc[2]))


def collapsed_graphs(treebank: Treebank) -> Graphs:
    """The graphs of words alone: a word below an empty node hangs from what that hangs from, with both labels.

    "conj>nsubj" is the label of a word that is the nsubj of an empty node, which is a conj of the head.

    Raises:
        ConlluError: if DEPS holds what is no graph over the words of the sentence.
    """
    number: dict[str, int] = {}
    counts, rows = [], []
    known: dict[str, list[tuple[Node, str]]] = {}
    table, ids = treebank.table("deps"), treebank.ids("deps").tolist()
    bounds = treebank.offsets.tolist()
    for i in range(len(treebank)):
        begin, end = bounds[i], bounds[i + 1]
        arcs: set[tuple[int, int, str]] = set()
        through: list[tuple[int, str, str]] = []
        for word in range(1, end - begin + 1):
            text = table[ids[begin + word - 1]] if ids[begin + word - 1] >= 0 else "_"
            cell = known.get(text)
            if cell is None:
                cell = known[text] = _checked(text, treebank, i)
            for head, label in cell:
                if isinstance(head, int):
                    arcs.add((word, head, label))
                else:
                    through.append((word, head, label))
        if through:
            arcs |= set(_paths(through, treebank[i]))
        for word, head, _ in arcs:
            if head > end - begin or head == word:
                raise _wrong(treebank, i, f"word {word} has the head {head} in a sentence of {end - begin} words")
        rows += [(head, word, number.setdefault(label, len(number))) for word, head, label in sorted(arcs)]
        counts.append(len(arcs))
    found = np.array(rows, np.int32).reshape(-1, 3)
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return Graphs(offsets, found[:, 0].copy(), found[:, 1].copy(), found[:, 2].copy(), list(number))


def _paths(through: Iterable[tuple[int, str, str]], sentence: Sentence) -> list[tuple[int, int, str]]:
    """Arcs to words below empty nodes, from words above them; an empty node with no head has none to give."""
    above = _empty_nodes(sentence)
    found = []
    for word, node, label in through:
        waiting: list[tuple[str, str, tuple[str, ...]]] = [(node, label, (node,))]
        paths = 0
        while waiting and paths < _MOST_PATHS:
            at, names, passed = waiting.pop()
            for head, upper in above.get(at, ()):
                if not isinstance(head, int):
                    if head not in passed:
                        waiting.append((head, f"{upper}>{names}", (*passed, head)))
                elif head != word:
                    found.append((word, head, f"{upper}>{names}"))
                    paths += 1
    return found


def _has_empty_nodes(sentence: Sentence) -> bool:
    return any(line[:1].isdigit() and b"." in line.partition(b"\t")[0] for line in sentence.to_bytes().split(b"\n"))


def _empty_nodes(sentence: Sentence) -> dict[str, list[tuple[Node, str]]]:
    """Heads and labels of the empty nodes, by their ids."""
    found = {}
    for line in sentence.to_bytes().decode("utf-8").split("\n"):
        cells = line.rstrip("\r").split("\t")
        if cells[0][:1].isdigit() and "." in cells[0] and len(cells) >= 9:
            found[cells[0]] = _checked(cells[8], sentence.treebank, sentence.index)
    return found


def _cells(sentence: Sentence) -> list[list[tuple[Node, str]]]:
    return [_checked(cell, sentence.treebank, sentence.index) for cell in sentence.deps]


def _checked(cell: str, treebank: Treebank, index: int) -> list[tuple[Node, str]]:
    try:
        return arcs_in(cell)
    except ValueError as problem:
        raise _wrong(treebank, index, str(problem)) from None


def _wrong(treebank: Treebank, index: int, what: str) -> ConlluError:
    return ConlluError(f"{treebank[index].where()}: DEPS holds no graph: {what}")


def _place(node: Node) -> tuple[int, int]:
    if isinstance(node, int):
        return node, 0
    whole, _, rest = node.partition(".")
    return int(whole), int(rest)
