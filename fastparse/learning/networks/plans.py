"""How a network is trained: what a training can be told, and how a treebank of some size is best learnt."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from fastparse.errors import UnknownNameError
from fastparse.learning.networks.shapes import Shape

__all__ = [
    "ENCODER_BEAM", "SIZES", "TEACHER", "Dropout", "Plan", "plan_for", "seed_of_teacher", "shape_for", "tagger_plan",
    "tagger_shape",
]  # fmt: skip


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


SIZES: dict[str, Shape] = {
    "default": Shape(hidden=64, rank=32, heads=96),
    "small": Shape(width=64, pieces=2, distances=(1, 2, 4), form=128, affix=96, hidden=32, rank=32),
}
TEACHER = "default"  # the size of teachers, whatever learns from them
_APART = 1000  # of seeds of teachers, so that none is a fold's
ENCODER_BEAM = 4  # of parsing, unless another one is asked for: the words are read once for all its states
_GIVEN, _GIVEN_SMALL = 0.3, 0.4  # share of the sentences that are read with a tagger's tags, if there are such
_EXCHANGED = 0.15  # share of the words, where there are teachers
_MISTAKE, _MISTAKE_OF_FEW = 4.0, 8.0  # weights of mistakes of beams, in large and in small treebanks
_LONGER = 1.5
_SMALL_TREEBANK = 80_000  # words
_BATCHES = 16  # at least, of a round
_WORDS_TO_READ = 7_000_000  # in all rounds
_LEAST_ROUNDS, _MOST_ROUNDS = 12, 50
_TAGGER_WORDS = 1_000_000  # the same, of small treebanks
_MOST_TAGGER_ROUNDS = 40


def shape_for(size: str) -> Shape:
    """Raises UnknownNameError for sizes that are not in SIZES."""
    if size not in SIZES:
        raise UnknownNameError(f"no network has the size {size!r}: expected {' or '.join(map(repr, SIZES))}")
    return SIZES[size]


def seed_of_teacher(seed: int, number: int) -> int:
    """Of the teacher of that number, from 0."""
    return seed + _APART * (number + 1)


def plan_for(n_words: int, size: str = "default", taught: bool = False, **changes: Any) -> Plan:
    """A plan for a training treebank of so many words: small ones are read more often and dropped more of.

    With own=True some sentences are read with the tags of a tagger, if the plan says nothing else of dropout.

    Args:
        taught: whether there are teachers, who can tell what is right in sentences that nobody wrote.
    """
    if n_words < _SMALL_TREEBANK:
        dropout = Dropout(word=0.4, layer=0.33 if size == "default" else 0.2, hidden=0.5 if size == "default" else 0.3)
        plan: dict[str, Any] = {
            "words": 400, "mean": 0.995, "dropout": dropout, "beam_weight": _MISTAKE_OF_FEW
        }  # fmt: skip
    else:
        dropout = Dropout()
        # What is small enough to be still learning at the end loses by a mean of ten rounds.
        mean = 0.9995 if size == "default" else 0.998
        plan = {"words": 1000, "mean": mean, "dropout": dropout, "beam_weight": _MISTAKE}
    plan["rounds"] = min(_MOST_ROUNDS, max(_LEAST_ROUNDS, round(_WORDS_TO_READ / max(1, n_words))))
    if taught and size != "default":
        plan["rounds"] = round(_LONGER * plan["rounds"])  # what is small has much to learn of larger ones
    # Treebanks of some hundred words need steps more than batches that are large.
    plan["words"] = min(plan["words"], max(20, n_words // _BATCHES))
    if changes.get("own"):
        plan["dropout"] = replace(dropout, given=_GIVEN if size == "default" else _GIVEN_SMALL)
    if taught:
        plan["dropout"] = replace(plan["dropout"], exchange=_EXCHANGED)
    return _warmed(Plan(**{**plan, **changes}), n_words)


def tagger_shape(size: str = "default") -> Shape:
    """Of a network that says tags before a parser reads them.

    What the embeddings and the input layer make of a form is computed once, however often it occurs: their size costs
    little time.
    """
    small = shape_for(size) is not SIZES["default"]
    return Shape(
        width=64 if small else 128, pieces=2 if small else 3, distances=(1, 2, 4), form=128, affix=192, tag=0,
        feature=0,
    )  # fmt: skip


def tagger_plan(n_words: int, size: str = "default", taught: bool = False, **changes: Any) -> Plan:
    """A plan for such a network, of a training treebank of so many words. Args: taught: as of `plan_for`."""
    few = n_words < _SMALL_TREEBANK
    layer = 0.3 if few else 0.12 if size == "default" else 0.06
    dropout = Dropout(word=0.3, affix=0.05, layer=layer) if few else Dropout(word=0.05, affix=0.02, layer=layer)
    plan: dict[str, Any] = {
        "rounds": min(_MOST_TAGGER_ROUNDS, max(20, _TAGGER_WORDS // max(1, n_words))) if few else 10,
        "words": min(300 if few else 600, max(20, n_words // _BATCHES)),
        "mean": 0.995 if few else 0.999, "dropout": dropout, "outputs": ("upos", "xpos", "feats"),
        "output_weight": 1.0, "longest_affix": 5, "most_grams": 12, "least_affix": 2 if few else 4,
    }  # fmt: skip
    if taught:
        plan["dropout"] = replace(plan["dropout"], exchange=_EXCHANGED)
    return _warmed(Plan(**{**plan, **changes}), n_words)


def _warmed(plan: Plan, n_words: int) -> Plan:
    """The rate has risen after a fifth of the training at the latest."""
    return replace(plan, warm_up=min(plan.warm_up, plan.rounds * max(1, n_words // plan.words) // 5 + 1))
