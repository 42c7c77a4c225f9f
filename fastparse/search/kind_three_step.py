"""Three-step search: a projective tree by plain search, then two passes over it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error, UnknownNameError
from fastparse.features.templates import TemplateSet, plan_of, without
from fastparse.search.kind_plain import Plain
from fastparse.search.systems import THREE_STEP, moves_of_steps
from fastparse.search.three_step import MirroredEngine, PassEngine, ThreeStepEngine
from fastparse.transition_systems.registry import ROWS, check_options, resolve
from fastparse.transition_systems.three_step import LEFT, RIGHT
from fastparse.weights.tables import Form

if TYPE_CHECKING:
    from fastparse.features.plan import Plan
    from fastparse.machine.system import System
    from fastparse.model.description import Description
    from fastparse.search.kind import Loop

__all__ = ["PASSES", "ThreeStep", "described_steps"]

PASSES = {"left": LEFT, "right": RIGHT}


def described_steps(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a three-step system as models hold them: the first step, and what is no default."""
    known = ROWS[THREE_STEP].options
    return {name: options[name] for name in known if name == "projective" or options[name] != known[name][0]}


class ThreeStep(Plain):
    """See `Kind`.

    Attributes:
        system: of the first step.
        engine_forms: the tables of the first step.
        forms: these, then those of the passes.
        mirrored: whether the first step goes through sentences from right to left.
        labelled: whether PUT chooses the label that a word waits under.
    """

    def __init__(self, description: Description) -> None:
        super().__init__(description)
        self.forms = (*self.engine_forms, *self.pass_forms("left"), *self.pass_forms("right"))

    @property
    def moves(self) -> tuple[str, ...]:
        """The transitions of the first step, then those of the passes."""
        return moves_of_steps(self.system)

    def pass_forms(self, side: str) -> tuple[Form, ...]:
        """The tables of the "left" or "right" pass: in favour of PUT, in favour of DIST, and of the labels of PUT."""
        labels = (Form(f"{side}.label", len(self.description.labels), False),) if self.labelled else ()
        return Form(f"{side}.put", 1, True), Form(f"{side}.dist", 1, True), *labels

    def loop(self, weights: Mapping[str, Any]) -> ThreeStepEngine:
        passes = [self.pass_engine(side, weights) for side in PASSES]
        return ThreeStepEngine(self.engine(weights), passes[0], passes[1], self.mirrored)

    def first_step(self, weights: Mapping[str, Any]) -> Loop:
        """What parses as far as the anchors."""
        engine = self.engine(weights)
        return MirroredEngine(engine) if self.mirrored else engine

    def pass_engine(self, side: str, tables: Mapping[str, Any]) -> PassEngine:
        """The "left" or "right" pass with weights."""
        put, dist = self._plans[4:]
        return PassEngine(side, put, dist, *(tables[form.name] for form in self.pass_forms(side)))

    def _resolved(self) -> System:
        described = self.description
        given = described.options
        try:
            if "projective" not in given or given.keys() - ROWS[THREE_STEP].options or described.recipe is not None:
                raise UnknownNameError("an option")
            steps = check_options(THREE_STEP, given)
        except UnknownNameError:
            raise Error(f"the options of {described.system!r} are {given!r}, which they cannot be") from None
        self.mirrored, self.labelled = steps["direction"] == "right-to-left", steps["put"] == "label"
        return resolve(steps["projective"])

    def _planned(self, templates: TemplateSet) -> list[Plan]:
        """The plans of the first step, then those of put and of dist."""
        own = super()._planned(templates)
        missing = set(self.description.missing)
        return own + [
            plan_of(without(lines, missing), self._layout, False) for lines in (templates.put, templates.dist)
        ]
