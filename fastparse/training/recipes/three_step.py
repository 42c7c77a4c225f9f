"""Learning three-step search: plain search for projective trees with anchors, then both passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastparse.errors import OracleError
from fastparse.features.templates import TemplateSet, load_templates, with_passes
from fastparse.model.tables import tables_from
from fastparse.oracles.derivations.derivation import derive
from fastparse.search.decoding import Decoder
from fastparse.search.kinds.three_step import ThreeStep
from fastparse.search.systems import THREE_STEP
from fastparse.training.compiling import Rows
from fastparse.training.learner import TableLearner, mean_arrays
from fastparse.training.preparation import Derivations, derived
from fastparse.training.progress import Interrupted, Message
from fastparse.training.recipes.passes import PassesLearner, anchored, share_of_pass
from fastparse.training.recipes.plain import PlainRecipe
from fastparse.training.systems import family_templates

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.training.development import Development
    from fastparse.training.options import TrainingOptions
    from fastparse.training.preparation import Account, Trees
    from fastparse.training.recipes.recipe import Arrays, Report

__all__ = ["ThreeStepRecipe"]


class ThreeStepRecipe(PlainRecipe):
    """See `Recipe`. Course and scores are those of the first step.

    Attributes:
        trees: with anchors.
        gold_heads: of the same sentences, without.
    """

    search: ClassVar = ThreeStep
    kind: ThreeStep

    def learner(self, options: TrainingOptions) -> TableLearner:
        return super().learner(_first_step(options))

    def decoder(self, arrays: Arrays) -> Decoder:
        weights = tables_from(arrays, self.kind.engine_forms)
        return Decoder(self.kind, weights, self.kind.engine(weights))

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        return anchored(treebank.heads, treebank.offsets)

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> Arrays:
        return mean_arrays(parts, self.kind.engine_forms, _first_step(self.options))

    def finish(self, arrays: Arrays, development: Development | None, report: Report) -> tuple[Decoder, dict[str, Any]]:
        passes = PassesLearner(self.kind, self.values, self.trees, self.gold_heads)
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
        found, heads = _with_anchors(found, self.options.outside, account)
        projective = found.with_heads(heads)
        trees, derivations = derived(projective, self.system, self.options.outside, account)
        self.gold_heads = found.heads if trees is projective else trees.heads
        return trees, derivations

    def _templates(self) -> TemplateSet:
        return with_passes(load_templates(self.options.templates or family_templates(THREE_STEP)))

    def _named(self) -> dict[str, Any]:
        return {"system": THREE_STEP, "options": {"projective": self.system.name}, "recipe": None}


def _first_step(options: TrainingOptions) -> TrainingOptions:
    """The options of the first step: the size of a model is shared with the passes."""
    if options.max_bytes is None:
        return options
    return replace(options, max_bytes=max(1024, options.max_bytes - 2 * share_of_pass(options.max_bytes)))


def _with_anchors(found: Trees, outside: str, account: Account) -> tuple[Trees, np.ndarray[Any, Any]]:
    """The trees, without those outside the class if need be, and their heads with anchors.

    Where two arcs of a direction and a label cross, the passes find one of them, and the other keeps its anchor.
    """
    projective = anchored(found.heads, found.offsets)
    moved = np.flatnonzero(projective != found.heads)
    account.counts["anchors"] = len(moved)
    account.notes.append(f"{len(moved):,} arcs are not projective; the first step learns their anchors instead.")
    sentences = np.unique(np.searchsorted(found.offsets, moved, side="right") - 1)
    beyond = [s for s in sentences.tolist() if not _derivable(*_tree(found, s))]
    if not beyond:
        return found, projective
    account.counts["outside"] = len(beyond)
    if outside == "stop":
        heads, ids = _tree(found, beyond[0])
        try:
            derive(heads, THREE_STEP, [found.labels[i] for i in ids])
        except OracleError as error:
            raise OracleError(f"{found.treebank[beyond[0]].where()}: {error}") from None
    if outside != "skip":
        account.notes.append(f"{len(beyond):,} trees are outside the class of {THREE_STEP}; some anchors will stay.")
        return found, projective
    account.counts["skipped"] = len(beyond)
    account.notes.append(f"{len(beyond):,} trees that {THREE_STEP} cannot build are left out.")
    inside = np.ones(len(found.treebank), bool)
    inside[beyond] = False
    words = np.repeat(inside, np.diff(found.offsets))
    return found.only(inside, f"tree can be built by {THREE_STEP}", account), projective[words]


def _tree(found: Trees, sentence: int) -> tuple[list[int], list[int]]:
    part = slice(int(found.offsets[sentence]), int(found.offsets[sentence + 1]))
    return found.heads[part].tolist(), found.label_ids[part].tolist()


def _derivable(heads: list[int], ids: list[int]) -> bool:
    try:
        derive(heads, f"{THREE_STEP}/left", list(map(str, ids)))
        derive(heads, f"{THREE_STEP}/right", list(map(str, ids)))
    except OracleError:
        return False
    return True
