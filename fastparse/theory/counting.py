"""How many transitions the derivations of a treebank take."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error
from fastparse.oracles.registry import oracle_of
from fastparse.oracles.static_oracle import StaticOracle
from fastparse.theory.sequences import lengths_of
from fastparse.transition_systems.registry import check_options, resolve

if TYPE_CHECKING:
    from fastparse.machine.system import System


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
