"""The systems by name: one row each. Everything that runs over "all systems" reads this table.

A row's module defines ``SYSTEM`` (or the row's attribute), or, if the system itself has options,
``make(**options) -> System``. Options of the oracle alone change which derivation is taken, not which moves are legal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error, UnknownNameError

if TYPE_CHECKING:
    from fastparse.machine.system import System

_PROJECTIVE = "fastparse.transition_systems.projective."
_PLANAR = "fastparse.transition_systems.planar.planar."
_NONPROJECTIVE = "fastparse.transition_systems.nonprojective."
_CONFIGURATIONS = "fastparse.configurations."


@dataclass(frozen=True)
class Row:
    """What the table says of one system.

    Attributes:
        module: where the system is defined.
        options: the system's options, each with its values, the default first; () admits any value, None by default.
        oracle_options: the same for options that only its oracle, or its class of configurations, reads.
        configuration: "module:Class" when configurations of this system are not made of cells. The class is called
            with the name of the system, n and the options.
        pipeline: whether the name stands for several systems that run one after the other.
        attribute: the system's name in its module, when it has no options.
    """

    module: str
    options: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    oracle_options: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    configuration: str = ""
    pipeline: bool = False
    attribute: str = "SYSTEM"

    @property
    def all_options(self) -> dict[str, tuple[Any, ...]]:
        return {**self.options, **self.oracle_options}


_ROOT = ("token", "absent")
_YES, _NO = (True, False), (False, True)

ROWS: dict[str, Row] = {
    "arc-standard": Row(_PROJECTIVE + "arc_standard"),
    "arc-standard/buffer": Row(_PROJECTIVE + "arc_standard_buffer"),
    "arc-eager": Row(_PROJECTIVE + "arc_eager"),
    "hybrid": Row(_PROJECTIVE + "hybrid"),
    "easy-first": Row(_PROJECTIVE + "easy_first", configuration=_CONFIGURATIONS + "easy_first:configuration"),
    "planar": Row(_PLANAR + "planar", {"root": _ROOT, "single_head": _YES, "acyclic": _YES, "covered_roots": _YES}),
    "planar/graph": Row(_PLANAR + "planar_graph", {"single_head": _NO, "acyclic": _NO, "covered_roots": _YES}),
    "2-planar": Row(_PLANAR + "two_planar", {"root": _ROOT}, {"oracle": ("greedy", "fewest")}),
    "dag/arc-standard": Row(_PLANAR + "dag_arc_standard", {"acyclic": _YES}),
    "dag/arc-eager": Row(_PLANAR + "dag_arc_eager", {"acyclic": _YES}),
    "attardi": Row(_NONPROJECTIVE + "attardi"),
    "swap": Row(_NONPROJECTIVE + "swap", {}, {"oracle": ("lazy", "eager")}),
    "covington": Row(_NONPROJECTIVE + "covington"),
    "two-registers": Row(_NONPROJECTIVE + "two_registers", {}, {"choices": ()}),
    "two-registers/printed": Row(_NONPROJECTIVE + "two_registers_printed", {}, {"choices": ()}),
    "three-step": Row(_NONPROJECTIVE + "three_step", pipeline=True),
    "three-step/left": Row(
        _NONPROJECTIVE + "three_step",
        oracle_options={"heads": (), "labels": ()},
        configuration=_CONFIGURATIONS + "three_step:configuration",
        attribute="LEFT",
    ),
    "three-step/right": Row(
        _NONPROJECTIVE + "three_step",
        oracle_options={"heads": (), "labels": ()},
        configuration=_CONFIGURATIONS + "three_step:configuration",
        attribute="RIGHT",
    ),
}


# Systems without options given, found without a look at the table.
_PLAIN: dict[str, System] = {}


def systems() -> list[str]:
    """The names of all systems, in a fixed order."""
    return list(ROWS)


def options(name: str) -> dict[str, Any]:
    """The options of a system with their defaults.

    Example:
        >>> options("2-planar")
        {'root': 'token', 'oracle': 'greedy'}
    """
    return {option: _default(values) for option, values in row_of(name).all_options.items()}


def row_of(name: str) -> Row:
    """The row of a system.

    Raises:
        UnknownNameError: if there is no such system.
    """
    if not isinstance(name, str):
        raise UnknownNameError(f"a system is a name or the result of compose(...), not {name!r}")
    row = ROWS.get(name)
    if row is None:
        raise UnknownNameError(f"no transition system is called {name!r}{_hint(name, systems())}")
    return row


def resolve(system: str | System, **options: Any) -> System:
    """The system of that name with these options; a system is returned as it is.

    Raises:
        UnknownNameError: if the name, an option or a value does not exist.
        Error: if the name stands for a pipeline of systems, or options are given with a composed system.
    """
    if not options and isinstance(system, str) and system in _PLAIN:
        return _PLAIN[system]
    from fastparse.machine.system import System

    if isinstance(system, System):
        unknown = {name: value for name, value in options.items() if system.options.get(name) != value}
        if unknown:
            raise UnknownNameError(f"{system!r} has its options already; found {sorted(unknown)} again")
        return system
    row = row_of(system)
    if row.pipeline:
        raise Error(
            f"{system!r} is a pipeline of systems, not one: a projective system, then 'three-step/left', then "
            f"'three-step/right'. Use one of these, or derive, train and parse, which run all three."
        )
    values = check_options(system, options)
    try:
        made = _make(system, tuple(values.items()))
    except TypeError:  # unhashable values
        return _make.__wrapped__(system, tuple(values.items()))
    if not options:
        _PLAIN[system] = made
    return made


def check_options(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """All options of a system, the given ones checked.

    Raises:
        UnknownNameError: if an option or a value does not exist.
    """
    known = row_of(name).all_options
    for option, value in given.items():
        if option not in known:
            raise UnknownNameError(f"{name!r} has no option {option!r}{_hint(option, list(known))}")
        if known[option] and not any(value is choice or value == choice for choice in known[option]):
            raise UnknownNameError(
                f"{name!r} has no {option}={value!r}; it is one of {', '.join(map(repr, known[option]))}"
            )
    return {option: given.get(option, _default(values)) for option, values in known.items()}


@lru_cache(maxsize=256)
def _make(name: str, values: tuple[tuple[str, Any], ...]) -> System:
    row = ROWS[name]
    module = import_module(row.module)
    in_force = dict(values)
    if row.options:
        system = module.make(**{option: in_force[option] for option in row.options})
    else:
        system = getattr(module, row.attribute)
    return system.with_options(in_force) if in_force else system


def _default(values: tuple[Any, ...]) -> Any:
    return values[0] if values else None


def _hint(wrong: str, known: list[str]) -> str:
    if not known:
        return "; it has none"
    near = get_close_matches(str(wrong), known, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else f"; there are {', '.join(map(repr, known))}"
