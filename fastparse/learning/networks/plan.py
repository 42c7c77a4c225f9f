"""What a training can be told."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Dropout", "Plan"]


@dataclass(frozen=True)
class Dropout:
    """How often what is dropped, while learning.

    Attributes:
        word: forms become unknown ones.
        affix, tag, feature: all affixes of a word, single tags, all features of a word.
        given: all tags and features of a sentence, as if it came without them, or with those of `Examples.own_rows`.
        layer: numbers between layers; hidden: units of states and labels.
        exchange: forms of words become others that have the same tags and features, see `Exchange`.
    """

    word: float = 0.25
    affix: float = 0.1
    tag: float = 0.1
    feature: float = 0.1
    given: float = 0.0
    layer: float = 0.2
    hidden: float = 0.2
    exchange: float = 0.0


@dataclass(frozen=True)
class Plan:
    """How a network is trained.

    Attributes:
        rounds: passes over the treebank.
        words: of a batch.
        rate: of learning, which rises over `warm_up` batches and falls to 0.
        keep_first, keep_second, decay: of Adam.
        clip: largest norm of a gradient.
        explore: how often the network's own moves are made, from round `explore_from` on.
        beam: states of the beams whose trees are learnt from, too, from round `beam_from` on; 0: none are.
        beam_weight: of a mistake in these.
        outputs: columns of the treebank to learn besides trees.
        output_weight: of their losses.
        heads_weight: of the loss of choosing heads among all words (see `Shape.heads`), learnt for what it teaches the
            layers.
        with_tags: whether tags and features are read.
        least: how often a string occurs that gets a row of its own; least_affix: an affix, if it is not 0.
        longest_affix, most_grams, own: see `Inputs`.
        mean: share of the running mean of all numbers that each step leaves; the mean is what is kept. 0: the numbers
            themselves.
        taught: share of the losses that is what teachers say, if there are any.
    """

    rounds: int = 20
    words: int = 1000
    rate: float = 2e-3
    warm_up: int = 100
    keep_first: float = 0.9
    keep_second: float = 0.95
    decay: float = 0.01
    clip: float = 5.0
    explore: float = 0.9
    explore_from: int = 3
    beam: int = 0
    beam_from: int = 6
    beam_weight: float = 8.0
    outputs: tuple[str, ...] = ()
    output_weight: float = 0.5
    heads_weight: float = 0.3
    with_tags: bool = True
    least: int = 2
    least_affix: int = 0
    longest_affix: int = 4
    most_grams: int = 0
    own: bool = False
    mean: float = 0.0
    taught: float = 0.7
    seed: int = 1
    dropout: Dropout = field(default_factory=Dropout)

    def exploring(self, number: int) -> float:
        """How often the network's own moves are made in a round."""
        return self.explore if number >= self.explore_from else 0.0

    def searching(self, number: int) -> int:
        """States of the beams that are learnt from in a round."""
        return self.beam if number >= self.beam_from else 0

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)
