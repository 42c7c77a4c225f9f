"""What a model is made of besides its weights, and the engine both make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from fastparse.errors import Error
from fastparse.features.attributes import Values
from fastparse.features.plan import Plan
from fastparse.features.templates import Layout, plan_of, read_templates, without
from fastparse.machine.system import System
from fastparse.model.checking import table_fault
from fastparse.model.compiled import CompiledTable
from fastparse.search.engine import MAX_BEAM, Engine
from fastparse.search.systems import FIRST_STEPS, THREE_STEP, require_searchable
from fastparse.search.three_step import PassEngine, ThreeStepEngine
from fastparse.transition_systems.nonprojective.three_step import LEFT, RIGHT
from fastparse.transition_systems.registry import resolve
from fastparse.trees.pseudo_projective import LIFTED, ON_PATH, base, deprojectivize_treebank

__all__ = ["Description", "arrays_of", "is_beam"]

_MOST_LABELS = 65_000  # label ids are 16 bits wide, and some of them mean "none"


def is_beam(value: Any) -> bool:
    """Whether a value can be the size of a beam."""
    return type(value) is int and 1 <= value <= MAX_BEAM


def _strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _labels(value: Any) -> bool:
    return _strings(value) and not any(mark in label for label in value for mark in "\t\n\r")


def _ids(value: Any) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)


# What `Description.from_dict` accepts under each name.
_CHECKS: dict[str, Callable[[Any], bool]] = {
    "system": lambda value: isinstance(value, str),
    "options": lambda value: isinstance(value, dict),
    "templates": lambda value: isinstance(value, str),
    "missing": _strings,
    "tags_joined": lambda value: isinstance(value, bool),
    "labels": _labels,
    "root_labels": _ids,
    "inner_labels": _ids,
    "single_root": lambda value: isinstance(value, bool),
    "beam": is_beam,
    "recipe": lambda value: value is None or isinstance(value, dict),
    "encoding": lambda value: value in (None, "head", "path", "head+path"),
}


@dataclass(frozen=True)
class Description:
    """The choices a model was trained with that parsing must repeat.

    Attributes:
        system: the name of the transition system.
        options: its options; of the three-step system, {"projective": the name of the system of the first step}.
        templates: the text of the template file.
        missing: word attributes the training treebank does not have; templates leave them out.
        tags_joined: whether `tag` is UPOS and XPOS together.
        labels: dependency labels by id.
        root_labels: ids that an arc from the root may carry.
        inner_labels: ids that other arcs may carry.
        single_root: whether the root gets exactly one child.
        beam: of training, and of parsing unless another one is asked for.
        encoding: of pseudo-projective labels; None when labels are plain.
        recipe: of a composed system, which `system` is the name of; None for those with a row in the registry. Its
            moves are a list of pairs, since their order matters.
    """

    system: str
    options: dict[str, Any]
    templates: str
    missing: tuple[str, ...]
    tags_joined: bool
    labels: tuple[str, ...]
    root_labels: tuple[int, ...]
    inner_labels: tuple[int, ...]
    single_root: bool
    beam: int
    encoding: str | None = None
    recipe: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, found: Any) -> Description:
        """The inverse of `to_dict`, for values from outside.

        Raises:
            Error: saying which value is not what it must be.
        """
        if not isinstance(found, dict):
            raise Error("the description is not an object")
        names = [f.name for f in fields(cls)]
        for name in names:
            if name not in found or not _CHECKS[name](found[name]):
                raise Error(f"{name!r} is {found.get(name)!r:.80}, which it cannot be")
        n = len(found["labels"])
        if not 1 <= n <= _MOST_LABELS or len(set(found["labels"])) != n:
            raise Error(f"there are {n} labels, or some are there twice")
        for name in ("root_labels", "inner_labels"):
            if not all(0 <= i < n for i in found[name]):
                raise Error(f"{name!r} names a label that is not one of {n}")
        values: dict[str, Any] = {name: tuple(v) if isinstance(v := found[name], list) else v for name in names}
        return cls(**values)

    @property
    def has_passes(self) -> bool:
        """Whether two passes follow the system's search."""
        return self.system == THREE_STEP

    @cached_property
    def transition_system(self) -> System:
        """What search runs: of the three-step system, the system of the first step."""
        if self.has_passes:
            name = self.options.get("projective")
            if self.options.keys() != {"projective"} or name not in FIRST_STEPS or self.recipe is not None:
                raise Error(f"the options of {self.system!r} are {self.options!r}, which they cannot be")
            system = resolve(name)
        elif self.recipe is None:
            system = resolve(self.system, **self.options)
        else:
            from fastparse.composition.compose import from_recipe

            moves = self.recipe.get("moves")
            if not isinstance(moves, list) or not all(isinstance(m, list) and len(m) == 2 for m in moves):
                raise Error("the recipe has no list of moves")
            system = from_recipe({**self.recipe, "moves": dict(moves)})
            if system.name != self.system:
                raise Error(f"the recipe is of {system.name!r}, not of {self.system!r}")
        require_searchable(system)
        return system

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The transitions of parsing; those of the passes follow those of the first step."""
        own = tuple(self.transition_system.moves)
        if not self.has_passes:
            return own
        return own + tuple(f"{side}/{move}" for side, passing in PASSES.items() for move in passing.moves)

    @cached_property
    def output_labels(self) -> tuple[str, ...]:
        """The labels parsing gives, by id: with an encoding, labels without marks are added that have no id yet."""
        if self.encoding is None:
            return self.labels
        return tuple(dict.fromkeys([*self.labels, *map(base, self.labels)]))

    @cached_property
    def _plans(self) -> tuple[Layout, tuple[Plan, ...]]:
        """The layout of attributes, and the plans of moves and of labels, each grouped and flat, made in this order.

        With passes, then the plans of put and of dist.
        """
        layout = Layout()
        templates = read_templates(self.templates, "<templates of the model>")
        missing = set(self.missing)
        moves, labels = without(templates.moves, missing), without(templates.labels, missing)
        plans = [plan_of(lines, layout, share) for lines in (moves, labels) for share in (True, False)]
        if self.has_passes:
            plans += [plan_of(without(lines, missing), layout, False) for lines in (templates.put, templates.dist)]
        return layout, tuple(plans)

    def values(self, treebank: Any) -> Values:
        """What the templates read of each word."""
        layout = self._plans[0]
        return Values(treebank, layout.attributes, layout.counted, self.tags_joined)

    def restore(self, heads: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]) -> None:
        """Undo the encoding, in place: heads and label ids of sentences that have encoded labels."""
        if self.encoding is None:
            return
        marked = np.array([LIFTED in label or ON_PATH in label for label in self.labels])
        number = {label: i for i, label in enumerate(self.output_labels)}
        words = np.flatnonzero(marked[labels])
        for s in np.unique(np.searchsorted(offsets, words, side="right") - 1).tolist():
            part = slice(int(offsets[s]), int(offsets[s + 1]))
            strings = [self.labels[i] for i in labels[part].tolist()]
            bounds = [0, len(strings)]
            heads[part], strings = deprojectivize_treebank(heads[part], bounds, strings, self.encoding)
            labels[part] = [number[label] for label in strings]

    def engine(self, move_table: Any, label_table: Any) -> Engine:
        """A system with its plans and weights; of the three-step system, the first step.

        Args:
            move_table, label_table: LearningTables or CompiledTables.
        """
        masks = [np.zeros(len(self.labels), np.uint8) for _ in range(2)]
        for mask, allowed in zip(masks, (self.root_labels, self.inner_labels), strict=True):
            mask[list(allowed)] = 1
        parts: list[Any] = [*self._plans[1][:4], move_table, label_table, *masks, self.single_root]
        return Engine(self.transition_system, *parts)

    def pass_engine(self, side: str, put_table: Any, dist_table: Any) -> PassEngine:
        """The "left" or "right" pass of the three-step system, with weights."""
        put, dist = self._plans[1][4:]
        return PassEngine(side, put, dist, put_table, dist_table)

    def decoder(self, move_table: Any, label_table: Any, *passes: Any) -> Any:
        """What parses with these tables: the engine, or the loop of a system that has its own.

        Args:
            passes: of the three-step system, the tables of both passes in the order of `table_names`; without them
                the first step parses alone.
        """
        engine = self.engine(move_table, label_table)
        if passes:
            left, right = self.pass_engine("left", *passes[:2]), self.pass_engine("right", *passes[2:])
            return ThreeStepEngine(engine, left, right)
        if self.system == "easy-first":
            from fastparse.search.easy_first import EasyFirstEngine

            if self.beam != 1:
                raise Error("easy-first is greedy, it has no beam")
            return EasyFirstEngine(engine)
        return engine

    @property
    def table_names(self) -> tuple[str, ...]:
        """The tables of weights, in the order in which `decoder` takes them."""
        return TABLES if self.has_passes else TABLES[:2]

    def tables_from(
        self, arrays: dict[str, np.ndarray[Any, Any]], first_step: bool = False
    ) -> tuple[CompiledTable, ...]:
        """Compiled tables over arrays from outside.

        Args:
            first_step: leave out those of passes.

        Raises:
            Error: if a kernel could be led outside of them.
        """
        empty = np.zeros(0, np.uint8)
        widths = {"moves": len(self.transition_system.moves), "labels": len(self.labels)}
        tables = []
        for name in TABLES[:2] if first_step else self.table_names:
            width = widths.get(name, 1)
            slots, pool = arrays.get(f"{name}.slots", empty), arrays.get(f"{name}.pool", empty)
            if slots.dtype != np.uint8 or pool.dtype != np.uint8 or slots.ndim != 1 or pool.ndim != 1 or not len(slots):
                raise Error(f"the table of {name} is missing or not made of bytes")
            table = CompiledTable(width, name != "labels", slots, pool)
            fault = table_fault(table)
            if fault:
                raise Error(f"the table of {name} is damaged: {fault}")
            tables.append(table)
        return tuple(tables)


PASSES = {"left": LEFT, "right": RIGHT}

# The tables of a model; the last four are of the three-step system alone.
TABLES = ("moves", "labels", "left.put", "left.dist", "right.put", "right.dist")


def arrays_of(*tables: CompiledTable) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays `tables_from` makes the tables of again."""
    arrays = {f"{name}.slots": table.slots for name, table in zip(TABLES, tables, strict=False)}
    return arrays | {"labels.pool": tables[1].pool}
