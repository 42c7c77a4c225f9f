"""Derivations of trees by the oracles of systems, and how many transitions those of a treebank take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from fastparse.display import Pictured
from fastparse.errors import Error, OracleError
from fastparse.theory.configuration import Configuration
from fastparse.theory.oracles import (
    IS_NO_TREE,
    IS_OUTSIDE,
    IS_TOO_HARD,
    derive_graph,
    derive_one,
    lengths_of,
    oracle_of,
    variant_of,
)
from fastparse.theory.outside import explain
from fastparse.transition_systems.oracle import StaticOracle
from fastparse.transition_systems.registry import check_options, resolve
from fastparse.trees.tree import check_tree

if TYPE_CHECKING:
    from fastparse.machine.system import System

__all__ = ["Derivation", "count_transitions", "derive", "heads_of"]

_NO_LABEL = 0xFFFF


class Derivation(Pictured):
    """A sequence of moves from the initial configuration of a system to a final one.

    Attributes:
        system: the system's name.
        n: words of the sentence.
        moves: as ``Configuration.apply`` takes them, labels included.
    """

    def __init__(self, system: str | System, n: int, moves: list[str], **options: Any) -> None:
        self.system = system if isinstance(system, str) else system.name
        self.n = n
        self.moves = moves
        self._system = system
        self._options = options

    def start(self) -> Any:
        """The initial configuration."""
        return Configuration(self._system, self.n, **self._options)

    def end(self) -> Any:
        """The final configuration."""
        configuration = self.start()
        for move in self.moves:
            configuration.apply(move)
        return configuration

    def configurations(self) -> list[Any]:
        """All configurations, from the initial one to the final one: one more than there are moves."""
        configuration = self.start()
        found = [configuration.copy()]
        for move in self.moves:
            configuration.apply(move)
            found.append(configuration.copy())
        return found

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The arcs at the end, as sorted pairs (head, dependent)."""
        return list(self.end().arcs)

    @property
    def heads(self) -> list[int]:
        """The heads at the end."""
        return list(self.end().heads)

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Any:
        return iter(self.moves)

    def __repr__(self) -> str:
        return f"<derivation of {self.n} words by {self.system!r} in {len(self.moves)} moves>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Derivation):
            return NotImplemented
        mine, yours = ((d._system, d.n, d.moves, d._options) for d in (self, other))
        return mine == yours

    def __hash__(self) -> int:
        return hash((self.system, self.n, tuple(self.moves)))

    def header(self) -> list[str]:
        """The names of the columns of `table`."""
        return ["move", *[""] * len(self.start().show()), "arc"]

    def table(self) -> list[list[str]]:
        """A row per configuration: the move that led to it, what it consists of, and the arc that was drawn."""
        configuration = self.start()
        rows = [["", *configuration.show(), ""]]
        arcs = set(configuration.labelled_arcs)
        for move in self.moves:
            configuration.apply(move)
            now = set(configuration.labelled_arcs)
            drawn = ", ".join(f"{head} -> {dependent}" for head, dependent, _ in now - arcs)
            rows.append([move, *configuration.show(), drawn])
            arcs = now
        return rows

    def __str__(self) -> str:
        """The table."""
        rows = self.table()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True) if width).rstrip()
            for row in rows
        )


@overload
def derive(
    heads: Sequence[int],
    system: Literal["three-step"],
    labels: Sequence[str | None] | None = None,
    oracle: str | None = None,
    **options: Any,
) -> Any: ...
@overload
def derive(
    heads: Sequence[int] | Sequence[tuple[int, int]],
    system: str | System,
    labels: Sequence[str | None] | None = None,
    oracle: str | None = None,
    **options: Any,
) -> Derivation: ...
def derive(
    heads: Sequence[int] | Sequence[tuple[int, int]],
    system: str | System,
    labels: Sequence[str | None] | None = None,
    oracle: str | None = None,
    **options: Any,
) -> Any:
    """The derivation of a tree by the system's static oracle.

    Args:
        heads: a head per word, 0 for the root; for graph systems a list of (head, dependent) or (head, dependent,
            label), as `Sentence.graph` has it, or a tree whose arcs between words are meant.
        system: a name or a composed system.
        labels: a label per word (or arc), or None for none, carried by the moves that draw the arcs.
        oracle: a variant of the oracle, such as "eager" for swap.
        options: the system's options; for graph systems also n, by default the last word with an arc.
    Raises:
        OracleError: if the tree is outside the class of the system.
        UnknownNameError: if the system, an option or the oracle does not exist.
        Error: if heads are not a tree.
    Example:
        >>> derive([2, 0, 2], "arc-eager", labels=["nsubj", "root", "obj"]).moves
        ['SHIFT', 'LEFT-ARC:nsubj', 'RIGHT-ARC:root', 'RIGHT-ARC:obj']
    """
    if oracle is not None:
        options["oracle"] = oracle
    found = oracle_of(system)
    if not isinstance(found, StaticOracle):
        if isinstance(system, str):
            check_options(system, options)
        return found.derive(system, heads, labels, **options)
    n = options.pop("n", None)
    asked = {name: options[name] for name in ("choices", "planes") if options.get(name) is not None}
    resolved = resolve(system, **options)
    if resolved.is_graph:
        found = oracle_of(resolved)
    variant = variant_of(resolved, found, oracle)
    arcs: list[tuple[int, int]] = []
    if resolved.is_graph and _are_pairs(heads):
        arcs, labels = _graph(heads, labels)
    names = sorted({label for label in labels if label is not None}) if labels is not None else []
    ids: dict[str | None, int] = {label: number for number, label in enumerate(names)}
    ids[None] = _NO_LABEL
    if resolved.is_graph and _are_pairs(heads):
        n = max((max(arc) for arc in arcs), default=0) if n is None else index(n)
        label_ids = None if labels is None else [ids[label] for label in labels]
        status, numbers, drawn = derive_graph(resolved, found, variant, n, arcs, label_ids)
        gold: Any = arcs
    else:
        if n is not None:
            raise Error(f"n is for graphs; a tree has as many words as heads, found n={n!r}")
        gold = _tree(heads, labels)
        n = len(gold)
        label_ids = None if labels is None else [ids[label] for label in labels]
        status, numbers, drawn = derive_one(resolved, found, variant, gold, label_ids, _numbers(**asked))
    if status == IS_NO_TREE:
        if not resolved.is_graph or not _are_pairs(heads):
            check_tree(gold)
        wrong = next(arc for arc in gold if min(arc) < 0 or max(arc) > n or arc[0] == arc[1])
        raise Error(f"not a graph over words 0..{n}: {wrong!r}")
    if status in (IS_OUTSIDE, IS_TOO_HARD):
        raise OracleError(explain(gold, resolved, status == IS_TOO_HARD, **asked))
    moves = [
        resolved.moves[move] + (f":{names[label]}" if label >= 0 else "")
        for move, label in zip(numbers, drawn, strict=True)
    ]
    return Derivation(system, n, moves, **options)


def _tree(heads: Any, labels: Sequence[str | None] | None) -> list[int]:
    try:
        tree = [index(head) for head in heads]
    except TypeError:
        raise Error(f"expected a list with a head per word, found {heads!r}") from None
    if labels is not None and len(labels) != len(tree):
        raise Error(f"{len(tree)} words need as many labels, found {len(labels)}")
    return tree


def _are_pairs(heads: Any) -> bool:
    """Whether arcs are given; a tree given to a graph system stands for its arcs between words."""
    return not len(heads) or hasattr(heads[0], "__len__")


def _graph(arcs: Any, labels: Sequence[str | None] | None) -> tuple[list[tuple[int, int]], list[str | None] | None]:
    try:
        if len(arcs) and all(len(arc) == 3 for arc in arcs):
            if labels is not None:
                raise Error("the arcs have labels already: leave out labels=")
            labels = [label for _, _, label in arcs]
            arcs = [arc[:2] for arc in arcs]
        pairs = [(index(head), index(dependent)) for head, dependent in arcs]
    except (TypeError, ValueError) as problem:
        if isinstance(problem, Error):
            raise
        raise Error(f"expected a list of (head, dependent), or of (head, dependent, label), found {arcs!r}") from None
    if labels is not None and len(labels) != len(pairs):
        raise Error(f"{len(pairs)} arcs need as many labels, found {len(labels)}")
    names = [None] * len(pairs) if labels is None else list(labels)
    twice = [arc for arc, times in Counter(zip(pairs, names, strict=True)).items() if times > 1]
    if twice:
        shown = ", ".join(f"{pair}" if label is None else f"{(*pair, label)}" for pair, label in twice[:4])
        raise Error(f"an arc is given twice: {shown}")
    # Arcs without a label are drawn last: none comes after them between the same words.
    order = sorted(range(len(pairs)), key=lambda k: (*pairs[k][::-1], names[k] is None, names[k] or ""))
    return [pairs[k] for k in order], None if labels is None else [names[k] for k in order]


def _numbers(choices: Any = None, planes: Any = None) -> list[int] | None:
    """What an oracle was asked to choose, as it reads it."""
    if choices is not None:
        try:
            return [word for a, b in choices for word in sorted((index(a), index(b)))]
        except (TypeError, ValueError):
            raise Error(f"choices: expected a pair of words per crossing interval, found {choices!r}") from None
    if planes is None:
        return None
    try:
        return [index(plane) for plane in planes]
    except TypeError:
        raise Error(f"planes: expected a plane for the arc to each word, 0 or above, found {planes!r}") from None


def count_transitions(
    treebank: Any,
    system: str | System,
    oracle: str | None = None,
    by_move: bool = False,
    threads: int = 1,
    **options: Any,
) -> np.ndarray:
    """Transitions of each tree's derivation by the system's static oracle.

    Args:
        treebank: a Treebank, or a sequence of lists of heads.
        system: a name or a composed system.
        oracle: a variant of the oracle, such as "eager" for swap.
        by_move: a column per move, in the order of the system's table, instead of the sum.
        threads: threads to count with; the result does not depend on it.
        options: the system's options.
    Returns:
        int32 per sentence (or sentence and move), -1 where the tree is outside the system's class.
    Raises:
        UnknownNameError: if the system, an option or the oracle does not exist.
        Error: if threads is no positive number, or heads are not numbers.
    Example:
        >>> count_transitions([[2, 0, 2], [0, 0, 1, 2]], "arc-eager").tolist()
        [4, -1]
    """
    if index(threads) < 1:
        raise Error(f"threads must be at least 1, found {threads!r}")
    if oracle is not None:
        options["oracle"] = oracle
    heads, offsets = heads_of(treebank)
    found = oracle_of(system)
    if not isinstance(found, StaticOracle):
        if isinstance(system, str):
            options = check_options(system, options)
        return np.asarray(found.lengths(system, heads, offsets, by_move, **options))
    return np.asarray(lengths_of(resolve(system, **options), heads, offsets, oracle, by_move, threads))


def heads_of(treebank: Any) -> tuple[np.ndarray, np.ndarray]:
    """The columns heads and offsets of a treebank or of lists of heads."""
    if hasattr(treebank, "heads") and hasattr(treebank, "offsets"):
        return np.asarray(treebank.heads), np.asarray(treebank.offsets)
    trees = [np.asarray(getattr(tree, "heads", tree)) for tree in treebank]
    for number, tree in enumerate(trees):
        if tree.ndim != 1 or (len(tree) and tree.dtype.kind not in "iu"):
            raise Error(f"tree {number}: expected a list of heads, found {treebank[number]!r}")
    offsets = np.zeros(len(trees) + 1, dtype=np.int64)
    np.cumsum([len(tree) for tree in trees], out=offsets[1:])
    heads = np.concatenate([np.zeros(0, np.int32), *trees]).astype(np.int32) if trees else np.zeros(0, np.int32)
    return heads, offsets
