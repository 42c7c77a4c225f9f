"""Networks that are learnt first, with other seeds, for another one to learn from as well."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastparse.learning.course import Course
from fastparse.learning.networks.presets import ENCODER_BEAM
from fastparse.learning.progress import Interrupted, Message

if TYPE_CHECKING:
    from fastparse.learning.course import Path
    from fastparse.learning.networks.network import Network
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.recipes.encoder import EncoderRecipe

__all__ = ["TEACHER", "learn_teachers", "seed_of_teacher"]

TEACHER = "default"  # the size of teachers, whatever learns from them
_APART = 1000  # of seeds, so that none is a fold's


def seed_of_teacher(seed: int, number: int) -> int:
    """Of the teacher of that number, from 0."""
    return seed + _APART * (number + 1)


def learn_teachers(
    make: Callable[[TrainingOptions], EncoderRecipe], options: TrainingOptions, checkpoint: Path,
    identity: Callable[[EncoderRecipe, TrainingOptions], dict[str, Any]], report: Callable[[Any], object],
) -> list[Network]:  # fmt: skip
    """The teachers of a parser, as many as its options say. None of them looks at a development treebank.

    Args:
        make: a recipe by its options.
        checkpoint: the beginning of the names of files to go on from.
        identity: what a training by a recipe and its options must agree in to go on from there.

    Raises:
        KeyboardInterrupt: if one of them is interrupted: there is no parser yet.
    """

    def told(event: Any) -> None:
        if isinstance(event, Interrupted):
            raise KeyboardInterrupt
        report(event)

    networks = []
    for number in range(options.teachers):
        report(Message(f"teacher {number + 1} of {options.teachers}"))
        # Beams would make probabilities that search well of those that say what is likely.
        own = replace(
            options, encoder=TEACHER, seed=seed_of_teacher(options.seed, number), teachers=0, beam=ENCODER_BEAM,
            learnt_beam=0,
        )  # fmt: skip
        recipe = make(own)
        mine = None if checkpoint is None else f"{os.fspath(checkpoint)}.teacher{number + 1}"
        Course(recipe.learner(own), recipe.trees, own, None, told).run(mine, identity(recipe, own))
        networks.append(recipe.learnt())
    return networks
