"""Three-step search: a projective tree by plain search, then two passes over it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error
from fastparse.features.templates import TemplateSet, plan_of, without
from fastparse.model.tables import Form
from fastparse.search.kinds.plain import Plain
from fastparse.search.strategies.three_step import PassEngine, ThreeStepEngine
from fastparse.search.systems import FIRST_STEPS, moves_of_steps
from fastparse.transition_systems.nonprojective.three_step import LEFT, RIGHT
from fastparse.transition_systems.registry import resolve

if TYPE_CHECKING:
    from fastparse.features.plan import Plan
    from fastparse.machine.system import System
    from fastparse.model.description import Description

__all__ = ["PASSES", "ThreeStep", "pass_forms"]

PASSES = {"left": LEFT, "right": RIGHT}


def pass_forms(side: str) -> tuple[Form, Form]:
    """The tables of the "left" or "right" pass: in favour of PUT, in favour of DIST."""
    return Form(f"{side}.put", 1, True), Form(f"{side}.dist", 1, True)


class ThreeStep(Plain):
    """See `Kind`.

    Attributes:
        system: of the first step.
        engine_forms: the tables of the first step.
        forms: these, then those of the passes.
    """

    def __init__(self, description: Description) -> None:
        super().__init__(description)
        self.forms = (*self.engine_forms, *pass_forms("left"), *pass_forms("right"))

    @property
    def moves(self) -> tuple[str, ...]:
        """The transitions of the first step, then those of the passes."""
        return moves_of_steps(self.system)

    def loop(self, weights: Mapping[str, Any]) -> ThreeStepEngine:
        return ThreeStepEngine(
            self.engine(weights), self.pass_engine("left", weights), self.pass_engine("right", weights)
        )

    def pass_engine(self, side: str, tables: Mapping[str, Any]) -> PassEngine:
        """The "left" or "right" pass with weights."""
        put, dist = self._plans[4:]
        return PassEngine(side, put, dist, *(tables[form.name] for form in pass_forms(side)))

    def _resolved(self) -> System:
        described = self.description
        name = described.options.get("projective")
        if described.options.keys() != {"projective"} or name not in FIRST_STEPS or described.recipe is not None:
            raise Error(f"the options of {described.system!r} are {described.options!r}, which they cannot be")
        return resolve(name)

    def _planned(self, templates: TemplateSet) -> list[Plan]:
        """The plans of the first step, then those of put and of dist."""
        own = super()._planned(templates)
        missing = set(self.description.missing)
        return own + [
            plan_of(without(lines, missing), self._layout, False) for lines in (templates.put, templates.dist)
        ]
