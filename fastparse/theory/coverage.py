"""What a system derives: whether it is sound and complete for a class of trees or graphs.

These are the terms of definition 5 of Gómez-Rodríguez and Nivre (2013): sound, if every structure that is derived is in
the class; complete, if every structure of the class is derived. Both are decided by following all derivations of a few
words; for systems of the shape that their lemmas 5 and 7 are about, completeness is proven as well.

A tree is derived where every word has got a head. Where the root is no word of the configuration, words without a head
are its children, and arcs from it cross nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastparse.errors import Error
from fastparse.theory.compose import ARC, B0, BUFFER, POP, PUSH, S0, SWITCH, has_head, not_switched
from fastparse.theory.elementary import empty
from fastparse.theory.exploration import Exploration
from fastparse.theory.properties import NO, SO_FAR, TESTS, UNKNOWN, YES, Arcs, Finding, graphs_with, heads_of, trees_in
from fastparse.theory.symbolic import evaluate, run
from fastparse.trees import classes, contains

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fastparse.machine.system import System
    from fastparse.theory.compose import Composition
    from fastparse.theory.elementary import Condition, Operation

WORDS = 4
LONGEST = 5
MOST_CONFIGURATIONS = 200_000
MOST_GRAPH_ARCS = 12  # that a graph may have: each more doubles their number
_GRAPH_PROPERTIES = ("single_head", "no_covered_roots", "acyclic", "planar")
# Classes and those that hold all of their trees.
_WIDER = {"projective": classes(), "planar": ["planar", "2-planar", "3-planar", "all"]}


@dataclass(frozen=True)
class Coverage:
    """What a system derives, compared with a class.

    Attributes:
        covers: the class, as `fastparse.trees.classes()` names it, or the properties of its graphs.
        up_to: the greatest number of words of which all derivations were followed.
        derived: how many trees or graphs are derived, per number of words from 1 on.
        members: how many are in the class.
        sound: whether every structure that is derived is in the class.
        complete: whether every structure of the class is derived.
    """

    covers: str
    up_to: int
    derived: tuple[int, ...]
    members: tuple[int, ...]
    sound: Finding
    complete: Finding


@dataclass(frozen=True)
class _Derived:
    """The structures of n words that are derived, and how."""

    n: int
    structures: frozenset[Arcs]
    exploration: Exploration
    root: bool

    def way_to(self, arcs: Arcs) -> list[str]:
        return self.exploration.way_to(arcs if self.root else [arc for arc in arcs if arc[0]])


def coverage_of(system: System, covers: str = "", up_to: int = WORDS, proven: Iterable[str] = ()) -> Coverage:
    """What a system derives, compared with a class.

    Args:
        system: any but a pass over trees that are there.
        covers: the class; by default the one the system claims, or else the one that fits best.
        up_to: words of the longest sentences that are tried, at most 5.
        proven: properties of the system that are proven, as `analyse` names them.
    Raises:
        Error: if there is no such class.
    """
    if not 0 <= up_to <= LONGEST:
        raise Error(f"derivations of up to {LONGEST} words can be followed, found up_to={up_to!r}")
    if covers and system.is_graph:
        raise Error(f"{system.name!r} builds graphs, which {covers!r}, a class of trees, says nothing of")
    derived = list(_derived(system, up_to))
    if system.is_graph:
        return _graphs(system, derived, set(proven))
    covers = covers or (system.covers if _is_class(system.covers) else _best_fit(system, derived))
    members = [trees_in(covers, each.n, system.has_root) for each in derived]
    return _compared(
        covers, f"tree that is {covers}" if covers != "all" else "tree", derived, members,
        _proof_of_soundness(system, covers, set(proven)), _proof_of_completeness(system.composition, covers),
    )  # fmt: skip


def require_covered(system: System) -> None:
    """Checks what a composed system claims to cover, on sentences of up to three words.

    Raises:
        Error: if a tree of the class cannot be derived, or there is no such class.
    """
    if system.covers and not system.is_graph:
        found = coverage_of(system, system.covers, up_to=3).complete
        if found.value == NO:
            raise Error(f"{system.name!r} does not cover {system.covers!r}: {found.reason}; leave out covers=")


def _is_class(name: str) -> bool:
    try:
        contains([0], name)
    except Error:
        return False
    return True


def _derived(system: System, up_to: int) -> Iterable[_Derived]:
    for n in range(1, up_to + 1):
        if system.is_graph and n * (n - 1 + system.has_root) > MOST_GRAPH_ARCS:
            return
        found = Exploration(system, n, ways=True, most=MOST_CONFIGURATIONS)
        if not found.whole:
            return
        root, arcs = system.has_root, found.final_arcs
        if system.is_graph:
            structures = frozenset(arcs)
        elif root:
            structures = frozenset(each for each in arcs if len(each) == n)
        else:
            structures = frozenset(_attached(each, n) for each in arcs)
        yield _Derived(n, structures, found, root or system.is_graph)


def _attached(arcs: Arcs, n: int) -> Arcs:
    return tuple(sorted((head, word) for word, head in enumerate(heads_of(arcs, n), 1)))


def _best_fit(system: System, derived: list[_Derived]) -> str:
    """The smallest class with just these trees; else the largest one that is covered, else the smallest around."""
    fits: list[tuple[bool, bool, int, str]] = [(False, False, 0, "all")]
    for name in classes():
        inside = [trees_in(name, each.n, system.has_root) for each in derived]
        complete = all(members <= each.structures for members, each in zip(inside, derived, strict=True))
        sound = all(each.structures <= members for members, each in zip(inside, derived, strict=True))
        size = sum(map(len, inside))
        if complete or sound:
            fits.append((complete and sound, complete, size if complete and not sound else -size, name))
    # What is neither, such as a system that draws cycles, is compared with all trees.
    return max(fits[1:] or fits, key=lambda fit: fit[:3])[3]


def _graphs(system: System, derived: list[_Derived], proven: set[str]) -> Coverage:
    """A system of graphs against all graphs with the properties that all of its own have."""
    common = [
        name
        for name in _GRAPH_PROPERTIES
        if name in proven or all(TESTS[name](arcs, each.n) for each in derived for arcs in each.structures)
    ]
    members = [frozenset(graphs_with(common, each.n, system.has_root)) for each in derived]
    covers = ", ".join(name.replace("_", " ") for name in common) or "all graphs"
    sound = Finding(YES, "each of these properties is proven") if proven >= set(common) else None
    complete = _proof_of_completeness(system.composition, tuple(common))
    return _compared(covers, f"graph ({covers})", derived, members, sound, complete)


def _compared(
    covers: str, what: str, derived: list[_Derived], members: list[frozenset[Arcs]], sound: Finding | None,
    complete: Finding | None,
) -> Coverage:  # fmt: skip
    up_to = derived[-1].n if derived else 0
    tried = Finding(SO_FAR, f"true of all sentences of up to {up_to} words")
    if not derived:
        tried = Finding(UNKNOWN, "no derivations were followed, or there are too many configurations")
    outside, missing = tried, tried
    for each, inside in zip(derived, members, strict=True):
        beyond, lacking = sorted(each.structures - inside), sorted(inside - each.structures)
        if beyond and outside is tried:
            moves = each.way_to(beyond[0])
            outside = Finding(NO, f"{' '.join(moves)} builds {_told(beyond[0])}, no {what}", beyond[0], tuple(moves))
        if lacking and missing is tried:
            missing = Finding(NO, f"no derivation builds {_told(lacking[0])}, a {what}", lacking[0])
    return Coverage(
        covers, up_to, tuple(len(each.structures) for each in derived), tuple(map(len, members)),
        outside if outside.value == NO else sound or outside, missing if missing.value == NO else complete or missing,
    )  # fmt: skip


def _told(arcs: Arcs) -> str:
    return "{" + ", ".join(f"{head} -> {dependent}" for head, dependent in arcs) + "}"


# ── proofs ──


def _proof_of_soundness(system: System, covers: str, proven: set[str]) -> Finding | None:
    if not {"acyclic", "single_head"} <= proven:
        return None
    if covers == "all":
        return Finding(YES, "arcs close no cycle and enter words without a head: they make trees")
    for name in ("projective", "planar"):
        if name in proven and covers in _WIDER[name]:
            return Finding(YES, f"it is proven to be {name}")
    stacks = system.composition.stacks if system.composition is not None else 0
    if stacks > 1 and covers == f"{stacks}-planar":
        return Finding(YES, "lemma 6: arcs that are drawn from one stack do not cross")
    return None


def _proof_of_completeness(composition: Composition | None, covers: str | tuple[str, ...]) -> Finding | None:
    """Lemma 5 for one stack, lemma 7 for several: each word is reached by popping what lies under its arcs.

    The moves of the proof have to be there with no restriction but those on heads and cycles, which every structure of
    the class meets. If only words with heads can be popped, structures without covered roots are derived.
    """
    if composition is None or evaluate(composition.final) != evaluate(empty(BUFFER)):
        return None
    pops_all = _has(composition, [POP])
    if not (
        _has(composition, [PUSH])
        and _has(composition, [ARC(B0, S0)])
        and _has(composition, [ARC(S0, B0)])
        and (pops_all or _has(composition, [POP], has_head(S0)))
    ):
        return None
    k = composition.stacks
    if k > 1:
        switches = all(
            _has(composition, [SWITCH(i)]) or _has(composition, [SWITCH(i)], not_switched()) for i in range(1, k)
        )
        if switches and pops_all and covers == f"{k}-planar":
            return Finding(YES, "lemma 7: below each word, every plane is popped down to its arcs")
        return None
    rootless = composition.root == "absent"
    if isinstance(covers, tuple):
        if "planar" not in covers or (not pops_all and "no_covered_roots" not in covers):
            return None
        if composition.acyclic and "acyclic" not in covers:
            return None
    elif covers != "projective" and (covers != "planar" or (rootless and not pops_all)):
        return None
    return Finding(YES, "lemma 5: the stack is popped down to the words each word has arcs with")


def _has(composition: Composition, steps: list[Operation], *restrictions: Condition) -> bool:
    """Whether there is a move of these steps with just these restrictions."""
    single, free = bool(composition.single_head), composition.acyclic
    graph = composition.single_head is False
    wanted = run(tuple(steps), restrictions, composition.stacks, single, free, graph).precondition
    moves: Mapping[str, tuple[Operation, ...]] = composition.moves
    runs = composition.runs()
    return any(tuple(made) == tuple(steps) and runs[name].precondition == wanted for name, made in moves.items())
