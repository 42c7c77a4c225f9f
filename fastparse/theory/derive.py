"""Derivations of single trees by the oracles of systems."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Literal, overload

from fastparse.errors import Error, OracleError
from fastparse.oracles.registry import oracle_of, variant_of
from fastparse.oracles.static_oracle import StaticOracle
from fastparse.theory.derivation import Derivation
from fastparse.theory.outside import explain
from fastparse.theory.single import NOT_A_TREE, OUTSIDE, TOO_MANY, derive_graph, derive_one
from fastparse.transition_systems.registry import check_options, resolve
from fastparse.trees.tree import check_tree

if TYPE_CHECKING:
    from fastparse.machine.system import System

_NO_LABEL = 0xFFFF


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
        heads: a head per word, 0 for the root; for graph systems a list of (head, dependent), or a tree whose arcs
            between words are meant.
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
    variant = variant_of(found, resolved.options.get("oracle") if oracle is None else oracle, resolved.name)
    names = sorted({label for label in labels if label is not None}) if labels is not None else []
    ids: dict[str | None, int] = {label: number for number, label in enumerate(names)}
    ids[None] = _NO_LABEL
    if resolved.is_graph and _are_pairs(heads):
        arcs, arc_labels = _graph(heads, labels)
        n = max((max(arc) for arc in arcs), default=0) if n is None else index(n)
        label_ids = None if arc_labels is None else [ids[label] for label in arc_labels]
        status, numbers, drawn = derive_graph(resolved, found, variant, n, arcs, label_ids)
        gold: Any = arcs
    else:
        if n is not None:
            raise Error(f"n is for graphs; a tree has as many words as heads, found n={n!r}")
        gold = _tree(heads, labels)
        n = len(gold)
        label_ids = None if labels is None else [ids[label] for label in labels]
        status, numbers, drawn = derive_one(resolved, found, variant, gold, label_ids, _numbers(**asked))
    if status == NOT_A_TREE:
        if not resolved.is_graph or not _are_pairs(heads):
            check_tree(gold)
        wrong = next(arc for arc in gold if min(arc) < 0 or max(arc) > n or arc[0] == arc[1])
        raise Error(f"not a graph over words 0..{n}: {wrong!r}")
    if status in (OUTSIDE, TOO_MANY):
        raise OracleError(explain(gold, resolved, status == TOO_MANY, **asked))
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
        pairs = [(index(head), index(dependent)) for head, dependent in arcs]
    except (TypeError, ValueError):
        raise Error(f"expected a list of (head, dependent), found {arcs!r}") from None
    if len(set(pairs)) != len(pairs):
        raise Error(f"an arc is given twice: {sorted({pair for pair in pairs if pairs.count(pair) > 1})}")
    if labels is not None and len(labels) != len(pairs):
        raise Error(f"{len(pairs)} arcs need as many labels, found {len(labels)}")
    order = sorted(range(len(pairs)), key=lambda k: pairs[k][::-1])
    return [pairs[k] for k in order], None if labels is None else [labels[k] for k in order]


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
