"""Learning three-step search: plain search for projective trees with anchors, then both passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastparse.features.attributes import mirrored_values
from fastparse.features.templates import TemplateSet, load_templates, with_passes
from fastparse.learning.compiling import Rows
from fastparse.learning.learner import TableLearner, mean_arrays
from fastparse.learning.preparation import Derivations, derived
from fastparse.learning.progress import Interrupted, Message
from fastparse.learning.recipes.anchors import anchored, with_anchors
from fastparse.learning.recipes.passes import PassesLearner, share_of_pass
from fastparse.learning.recipes.plain import PlainRecipe
from fastparse.learning.systems import family_templates
from fastparse.search.decoder import Decoder
from fastparse.search.kinds import THREE_STEP, ThreeStep, described_steps
from fastparse.trees.mirroring import backwards, mirrored_heads
from fastparse.weights.arrays import tables_from

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.development import Development
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.preparation import Account, Trees
    from fastparse.learning.recipes.recipe import Arrays, Report
    from fastparse.machine.system import System

__all__ = ["ThreeStepRecipe"]


class ThreeStepRecipe(PlainRecipe):
    """See `Recipe`. Course and scores are those of the first step.

    Attributes:
        trees, derivations, values: of the first step: with anchors, and mirrored if it goes from right to left.
        anchored_trees, gold_trees: with anchors, and without.
    """

    search: ClassVar = ThreeStep
    kind: ThreeStep

    def __init__(
        self, treebank: Treebank, system: System, options: TrainingOptions, account: Account, threads: int = 1,
        *, steps: Mapping[str, Any],
    ) -> None:  # fmt: skip
        """Args: steps, the options of the three-step system."""
        self.steps = steps
        super().__init__(treebank, system, options, account, threads)
        self._values_of_passes = self.values
        if self.kind.mirrored:
            self.values = mirrored_values(self.values, self.trees.offsets)

    def learner(self, options: TrainingOptions) -> TableLearner:
        return super().learner(_first_step(options))

    def decoder(self, arrays: Arrays) -> Decoder:
        weights = tables_from(arrays, self.kind.engine_forms)
        return Decoder(self.kind, weights, self.kind.first_step(weights))

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        return anchored(treebank, self.steps["anchors"])

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> Arrays:
        return mean_arrays(parts, self.kind.engine_forms, _first_step(self.options))

    def finish(self, arrays: Arrays, development: Development | None, report: Report) -> tuple[Decoder, dict[str, Any]]:
        passes = PassesLearner(self.kind, self._values_of_passes, self.anchored_trees, self.gold_trees)
        found = passes.arrays(self.options)
        if passes.interrupted:
            report(Interrupted(f"Interrupted in {passes.interrupted}; what has been learnt by then is kept."))
        record: dict[str, Any] = {"passes": passes.rows}
        decoder = Decoder(self.kind, self.kind.weights(arrays | found))
        if development is not None:
            scores = development.final(decoder)
            record["steps"] = scores.to_dict()
            report(Message(f"all three steps: dev {scores}"))
        return decoder, record

    def _prepared(self, found: Trees, account: Account) -> tuple[Trees, Derivations]:
        steps = self.steps
        self.gold_trees, self.anchored_trees = with_anchors(
            found, self.options.outside, account, steps["anchors"], steps["put"] == "label"
        )
        first = self.anchored_trees
        if steps["direction"] == "right-to-left":
            offsets, ids = first.offsets, first.label_ids
            first = replace(first, heads=mirrored_heads(first.heads, offsets), label_ids=ids[backwards(offsets)])
        # Trees with anchors are projective: none is left out.
        return derived(first, self.system, self.options.outside, account)

    def _templates(self) -> TemplateSet:
        return with_passes(load_templates(self.options.templates or family_templates(THREE_STEP)))

    def _named(self) -> dict[str, Any]:
        return {"system": THREE_STEP, "options": described_steps(self.steps), "recipe": None}


def _first_step(options: TrainingOptions) -> TrainingOptions:
    """The options of the first step: the size of a model is shared with the passes."""
    if options.max_bytes is None:
        return options
    return replace(options, max_bytes=max(1024, options.max_bytes - 2 * share_of_pass(options.max_bytes)))
