"""The systems by name: one row each. Everything that runs over "all systems" reads this table.

A row's module defines ``SYSTEM`` or, if the system itself has options, ``make(**options) -> System``; besides
``ORACLE``, its static oracle, and perhaps ``DYNAMIC``, its dynamic one. Options of the oracle alone change which
derivation is taken, not which moves are legal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from fastparse.errors import Error, UnknownNameError

if TYPE_CHECKING:
    from types import ModuleType

    from fastparse.machine.system import System

_SYSTEMS = "fastparse.transition_systems."
_THEORY = "fastparse.theory."


class Bound(NamedTuple):
    """At most this many transitions for n words, as text and as a function of a number or an array."""

    text: str
    of: Callable[[Any], Any]

    @classmethod
    def times(cls, factor: int) -> Bound:
        """Linear, without a constant."""
        return cls(f"{factor}n", lambda n: factor * n)


N = Bound("n", lambda n: n)


@dataclass(frozen=True)
class Row:
    """What the table says of one system.

    Attributes:
        module: where the system is defined.
        oracles: where its oracles are, if not there: a module beside it, or of theory for derivations that the common
            driver cannot run.
        bound: the longest derivation of a tree; None for systems that build graphs, and for pipelines.
        options: the system's options, each with its values, the default first; () admits any value, None by default.
        oracle_options: the same for options that only its oracle, or its class of configurations, reads.
        configuration: "module:Class" when configurations of this system are not made of cells. The class is called
            with the name of the system, n and the options.
        pipeline: whether the name stands for several systems that run one after the other.
        attribute: the name of the system, or of what makes it, if not ``SYSTEM`` or ``make``.
        no_models: why it does not train, for those that do not.
        templates: the set of templates it is trained with; "" for the one of its name, or else of its family.
        beam: whether it can be searched with a beam.
        preference: "auto" takes the system of the highest preference if it covers enough trees, and the higher
            preference among those that cover equally many.
        graphs: whether it builds graphs, and is trained for these (`targets="enhanced"`).
    """

    module: str
    bound: Bound | None = None
    options: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    oracle_options: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    configuration: str = ""
    oracles: str = ""
    pipeline: bool = False
    attribute: str = ""
    no_models: str = ""
    templates: str = ""
    beam: bool = True
    preference: int = 0
    graphs: bool = False

    @property
    def first_steps(self) -> tuple[str, ...]:
        """The systems a pipeline may begin with, the default first."""
        return self.options.get("projective", ())

    @property
    def all_options(self) -> dict[str, tuple[Any, ...]]:
        return {**self.options, **self.oracle_options}


_ROOT = ("token", "absent")
_YES, _NO = (True, False), (False, True)
_REGISTERS = Bound("5(n + 1)", lambda n: 5 * (n + 1))
_OF_GRAPHS = {"root": ("absent", "token"), "doubles": _YES}
_PASS = "it is a pass over trees that are there already; train 'three-step'"

ROWS: dict[str, Row] = {
    "arc-standard": Row(_SYSTEMS + "arc_standard", Bound.times(2)),
    "arc-standard/buffer": Row(_SYSTEMS + "arc_standard_buffer", Bound.times(2)),
    "arc-eager": Row(_SYSTEMS + "arc_eager", Bound.times(2)),
    "arc-eager/unshift": Row(_SYSTEMS + "arc_eager_unshift", Bound.times(4), templates="arc-eager"),
    "hybrid": Row(_SYSTEMS + "hybrid", Bound.times(2)),
    "easy-first": Row(
        _SYSTEMS + "easy_first",
        N,
        configuration=_THEORY + "easy_first:configuration",
        oracles=_THEORY + "easy_first_oracle",
        beam=False,
    ),
    "planar": Row(
        _SYSTEMS + "planar",
        Bound("3n + 1", lambda n: 3 * n + 1),  # here and below the root is among the n + 1 words of the buffer
        {"root": _ROOT, "single_head": _YES, "acyclic": _YES, "covered_roots": _YES},
    ),
    "planar/graph": Row(
        _SYSTEMS + "planar_graph",
        options={"single_head": _NO, "acyclic": _NO, "covered_roots": _YES, **_OF_GRAPHS},
        graphs=True,
    ),
    "2-planar/graph": Row(
        _SYSTEMS + "planar_graph",
        options={"single_head": _NO, "acyclic": _NO, **_OF_GRAPHS},
        oracle_options={"oracle": ("greedy", "fewest")},
        attribute="make_two",
        graphs=True,
    ),
    "2-planar": Row(
        _SYSTEMS + "two_planar",
        Bound("8n + 2", lambda n: 8 * n + 2),
        {"root": _ROOT},
        {"oracle": ("greedy", "fewest"), "planes": ()},
    ),
    "k-planar": Row(
        _SYSTEMS + "k_planar",
        Bound("24(n + 1)", lambda n: 24 * (n + 1)),  # of four planes
        {"k": (2, 3, 4), "switch": ("cycle", "choose"), "root": _ROOT},
        {"planes": ()},
        templates="2-planar",
    ),
    "dag/arc-standard": Row(
        _SYSTEMS + "dag_arc_standard",
        options={"acyclic": _YES, **_OF_GRAPHS},
        no_models="it derives graphs that 'dag/arc-eager' derives too; train that, with targets='enhanced'",
    ),
    "dag/arc-eager": Row(
        _SYSTEMS + "planar_graph",
        options={"acyclic": _YES, **_OF_GRAPHS},
        attribute="make_dag",
        graphs=True,
    ),
    "attardi": Row(_SYSTEMS + "attardi", Bound.times(2), {"degree": (2, 3)}),
    "swap": Row(
        _SYSTEMS + "swap",
        Bound("n + n²", lambda n: n + n * n),
        {},
        {"oracle": ("lazy", "eager", "fewest")},
        oracles=_SYSTEMS + "swap_oracle",
        templates="arc-standard",
        preference=1,
    ),
    "covington": Row(_SYSTEMS + "covington", Bound("n + n(n+1)/2", lambda n: n + n * (n + 1) // 2)),
    "two-registers": Row(
        _SYSTEMS + "two_registers",
        _REGISTERS,
        {},
        {"choices": ()},
        oracles=_SYSTEMS + "two_registers_oracle",
        preference=2,
    ),
    "two-registers/printed": Row(
        _SYSTEMS + "two_registers_printed",
        _REGISTERS,
        {},
        {"choices": ()},
        no_models="it is there to show what the rules do as they were printed; train 'two-registers'",
    ),
    "three-registers": Row(
        _SYSTEMS + "three_registers",
        _REGISTERS,
        oracles=_SYSTEMS + "three_registers_oracle",
    ),
    "three-step": Row(
        _SYSTEMS + "three_step",
        options={
            "projective": ("arc-eager", "arc-standard", "arc-standard/buffer", "hybrid"),
            "direction": ("left-to-right", "right-to-left"),
            "put": ("anchor", "label"),
        },
        oracle_options={"anchors": ()},
        oracles=_THEORY + "three_step_oracle",
        pipeline=True,
    ),
    "three-step/left": Row(
        _SYSTEMS + "three_step",
        Bound.times(2),
        oracle_options={"heads": (), "labels": ()},
        configuration=_THEORY + "three_step:configuration",
        oracles=_THEORY + "three_step_oracle",
        attribute="LEFT",
        no_models=_PASS,
    ),
    "three-step/right": Row(
        _SYSTEMS + "three_step",
        Bound.times(2),
        oracle_options={"heads": (), "labels": ()},
        configuration=_THEORY + "three_step:configuration",
        oracles=_THEORY + "three_step_oracle",
        attribute="RIGHT",
        no_models=_PASS,
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
        {'root': 'token', 'oracle': 'greedy', 'planes': None}
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


def bound_of(name: str) -> Bound | None:
    """The longest derivation of a tree, as far as the table knows; None for composed systems too."""
    return ROWS[name].bound if name in ROWS else None


def oracles_of(name: str) -> ModuleType | None:
    """The module with ``ORACLE`` and perhaps ``DYNAMIC`` of a system; None where the table has no such system."""
    row = ROWS.get(name)
    return import_module(row.oracles or row.module) if row is not None else None


def has_dynamic_oracle(name: str) -> bool:
    """Whether the system of that name has a dynamic oracle."""
    return hasattr(oracles_of(name), "DYNAMIC")


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
    system = getattr(module, row.attribute or ("make" if row.options else "SYSTEM"))
    if row.options:
        system = system(**{option: in_force[option] for option in row.options})
    made: System = system.with_options(in_force) if in_force else system
    return made


def _default(values: tuple[Any, ...]) -> Any:
    return values[0] if values else None


def _hint(wrong: str, known: list[str]) -> str:
    if not known:
        return "; it has none"
    near = get_close_matches(str(wrong), known, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else f"; there are {', '.join(map(repr, known))}"
