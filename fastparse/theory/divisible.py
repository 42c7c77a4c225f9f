"""The divisible systems of the literature, composed of elementary transitions.

Each is equal, step by step, to the hand-written system of the same name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error
from fastparse.theory.compose import (
    ARC,
    B0,
    BUFFER,
    POP,
    PUSH,
    S0,
    STACK,
    SWITCH,
    UNSHIFT,
    compose,
    empty,
    has_arc,
    has_head,
    no_head,
    not_switched,
    single,
)
from fastparse.transition_systems.registry import check_options

if TYPE_CHECKING:
    from fastparse.machine.system import System

_NIVRE_2003 = "Nivre 2003"
_GOMEZ_NIVRE = "Gómez-Rodríguez and Nivre 2013"
_SAGAE_TSUJII = "Sagae and Tsujii 2008"


def composed(name: str, **options: Any) -> System:
    """The system of that name, composed of elementary transitions.

    Args:
        name: one of ``divisible_names()``.
        options: the system's options.
    Raises:
        Error: if the system is not divisible.
    Example:
        >>> composed("arc-eager").name
        'arc-eager/composed'
    """
    if name not in _MAKERS:
        raise Error(f"{name!r} is not composed of elementary transitions; these are: {', '.join(_MAKERS)}")
    if name == "easy-first":
        return _MAKERS[name](**options)
    values = check_options(name, options)
    for of_others in ("oracle", "planes", "doubles"):  # a composed system draws no arc twice, whatever its label
        values.pop(of_others, None)
    return _MAKERS[name](**values)


def twin_of(name: str, **options: Any) -> System | None:
    """The same, or None if the system is not divisible: under these options, for k-planar.

    A SWITCH that cycles through more than two stacks counts how often it has been made, which no restriction does.
    """
    if name == "k-planar":
        values = check_options(name, options)
        choosing = values["switch"] == "choose" or values["k"] == 2
        return k_planar(values["k"], values["root"]) if choosing else None
    return composed(name, **options) if name in _MAKERS else None


def divisible_names() -> list[str]:
    """The names of the hand-written systems that are divisible under all options."""
    return list(_MAKERS)


def _arc_standard() -> System:
    return compose(
        "arc-standard/composed",
        SHIFT=[PUSH],
        LEFT_ARC=[UNSHIFT, ARC(B0, S0), POP, PUSH],
        RIGHT_ARC=[UNSHIFT, ARC(S0, B0), PUSH, POP],
        final=empty(BUFFER) & single(STACK),
        covers="projective",
        source="Nivre 2004",
    )


def _arc_standard_buffer() -> System:
    return compose(
        "arc-standard-buffer/composed",
        SHIFT=[PUSH],
        LEFT_ARC=[ARC(B0, S0), POP],
        RIGHT_ARC=[ARC(S0, B0), PUSH, POP, UNSHIFT],
        covers="projective",
        source=_NIVRE_2003,
    )


def _arc_eager() -> System:
    return compose(
        "arc-eager/composed",
        SHIFT=[PUSH],
        REDUCE=[POP],
        LEFT_ARC=[ARC(B0, S0), POP],
        RIGHT_ARC=[ARC(S0, B0), PUSH],
        only_if={"REDUCE": has_head(S0), "LEFT_ARC": no_head(S0)},
        covers="projective",
        source=_NIVRE_2003,
    )


def _hybrid() -> System:
    return compose(
        "hybrid/composed",
        SHIFT=[PUSH],
        LEFT_ARC=[ARC(B0, S0), POP],
        RIGHT_ARC=[UNSHIFT, ARC(S0, B0), PUSH, POP],
        final=empty(BUFFER) & single(STACK),
        covers="projective",
        source="Kuhlmann, Gómez-Rodríguez and Satta 2011",
    )


def _easy_first(n: int = 7) -> System:
    """For sentences of up to n words (at most 7): the system has two moves per place."""
    places = range(1, n + 1)
    return compose(
        "easy-first/composed",
        {
            **{f"ATTACH-LEFT({i})": [PUSH] * i + [ARC(S0, B0), PUSH, POP] + [UNSHIFT] * i for i in places},
            **{f"ATTACH-RIGHT({i})": [PUSH] * i + [ARC(B0, S0), POP] + [UNSHIFT] * (i - 1) for i in places},
        },
        root="buffer",
        final=empty(STACK) & single(BUFFER),
        covers="projective",
        source="Goldberg and Elhadad 2010",
    )


def _planar(
    root: str = "token",
    single_head: bool = True,
    acyclic: bool = True,
    covered_roots: bool = True,
    name: str = "planar/composed",
) -> System:
    return compose(
        name,
        SHIFT=[PUSH],
        REDUCE=[POP],
        LEFT_ARC=[ARC(B0, S0)],
        RIGHT_ARC=[ARC(S0, B0)],
        only_if={} if covered_roots else {"REDUCE": has_head(S0)},
        root="buffer" if root == "token" else "absent",
        single_head=single_head,
        acyclic=acyclic,
        source=_GOMEZ_NIVRE,
    )


def _planar_graph(
    single_head: bool = False, acyclic: bool = False, covered_roots: bool = True, root: str = "absent"
) -> System:
    return _planar(root, single_head, acyclic, covered_roots, "planar-graph/composed")


def _two_planar(root: str = "token") -> System:
    return k_planar(2, root)


def _two_planar_graph(single_head: bool = False, acyclic: bool = False, root: str = "absent") -> System:
    return k_planar(2, root, single_head, acyclic, "2-planar-graph/composed")


def k_planar(k: int, root: str = "token", single_head: bool = True, acyclic: bool = True, name: str = "") -> System:
    """The k-planar system for k = 2, 3, 4: a stack per plane."""
    switches = {"SWITCH": [SWITCH]} if k == 2 else {f"SWITCH({i})": [SWITCH(i)] for i in range(1, k)}
    return compose(
        name or f"{k}-planar/composed",
        {
            "SHIFT": [PUSH],
            "REDUCE": [POP],
            "LEFT-ARC": [ARC(B0, S0)],
            "RIGHT-ARC": [ARC(S0, B0)],
            **switches,
        },
        only_if=dict.fromkeys(switches, not_switched()),
        root="buffer" if root == "token" else "absent",
        stacks=k,
        single_head=single_head,
        acyclic=acyclic,
        covers=f"{k}-planar" if single_head and acyclic else "",
        source=_GOMEZ_NIVRE,
    )


def _dag_arc_standard(acyclic: bool = True, root: str = "absent") -> System:
    return compose(
        "dag-arc-standard/composed",
        SHIFT=[PUSH],
        LEFT_REDUCE=[ARC(B0, S0), POP],
        RIGHT_REDUCE=[ARC(S0, B0), PUSH, POP, UNSHIFT],
        LEFT_ATTACH=[ARC(B0, S0)],
        RIGHT_ATTACH=[ARC(S0, B0), UNSHIFT],
        only_if={"LEFT_ATTACH": ~has_arc(S0, B0), "RIGHT_ATTACH": ~has_arc(B0, S0)},
        root="buffer" if root == "token" else "absent",
        single_head=False,
        acyclic=acyclic,
        source=_SAGAE_TSUJII,
    )


def _dag_arc_eager(acyclic: bool = True, root: str = "absent") -> System:
    return compose(
        "dag-arc-eager/composed",
        SHIFT=[PUSH],
        REDUCE=[POP],
        LEFT_ARC=[ARC(B0, S0)],
        RIGHT_ARC=[ARC(S0, B0)],
        only_if={"REDUCE": has_head(S0), "LEFT_ARC": ~has_arc(S0, B0), "RIGHT_ARC": ~has_arc(B0, S0)},
        root="buffer" if root == "token" else "absent",
        single_head=False,
        acyclic=acyclic,
        source=_SAGAE_TSUJII,
    )


_MAKERS: dict[str, Callable[..., System]] = {
    "arc-standard": _arc_standard,
    "arc-standard/buffer": _arc_standard_buffer,
    "arc-eager": _arc_eager,
    "hybrid": _hybrid,
    "easy-first": _easy_first,
    "planar": _planar,
    "planar/graph": _planar_graph,
    "2-planar": _two_planar,
    "2-planar/graph": _two_planar_graph,
    "dag/arc-standard": _dag_arc_standard,
    "dag/arc-eager": _dag_arc_eager,
}
