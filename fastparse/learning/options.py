"""What a training can be told, as it is kept in the model."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from fastparse.errors import Error, UnknownNameError
from fastparse.learning.networks.beams import LARGEST_BEAM
from fastparse.search.engine import MAX_BEAM
from fastparse.search.kinds import is_beam

__all__ = ["FOLDS", "MAX_BYTES", "TrainingOptions"]

FOLDS = 4
MAX_BYTES = 10_000_000  # beyond that most weights matter little

_CHOICES: dict[str, tuple[Any, ...]] = {
    "outside": ("lift", "skip", "stop"),
    "single_root": ("auto", True, False),
    "pseudo_projective": (None, "head", "path", "head+path"),
    "tags": ("gold", "predicted"),
    "update": ("max-violation", "early"),
    "oracle": ("dynamic", "static"),
    "labels": ("arcs", "moves"),
}
_LEAST = {
    "iterations": 1, "runs": 1, "seed": 0, "minibatch": 1, "margin": 0, "least_weight": 1, "folds": 2,
    "teachers": 0,
}  # fmt: skip
_OF_FEATURES = (
    "runs", "templates", "update", "oracle", "labels", "minibatch", "held_out", "margin", "scale", "least_weight",
    "max_bytes",
)  # fmt: skip


@dataclass(frozen=True)
class TrainingOptions:
    """Everything the bytes of a model depend on besides the treebanks.

    Attributes:
        system: name as given; "auto" is resolved in the model's description.
        beam: 1 trains a greedy parser.
        iterations: passes over the treebank.
        seed: of the order of sentences and of exploration.
        runs: trainings, with this seed and the next ones, whose weights are averaged; each takes the full time.
        outside: what becomes of trees the system cannot build: "lift" them into its class, "skip" them, or "stop".
        single_root: give every sentence exactly one root; "auto": if at least 99% of the training trees have one.
        pseudo_projective: encoding of lifted arcs in labels.
        templates: name or path of the template file; None is the set of the system's family.
        update: of beam training: where the beam is furthest ahead of the right derivation, or where it has lost it.
        oracle: greedy training: "dynamic" learns from every move that costs nothing, also after mistakes, where the
            system has such an oracle; "static" from the moves of one derivation, as every beam does.
        labels: what labels are chosen by: "arcs", once the arc is drawn, or "moves", as parts of them: every label of
            an arc competes with all other moves.
        minibatch: of beam training: sentences that are searched with the same weights, on several threads if there
            are; None: 4 where there are 10,000 trees or more, else 1.
        held_out: of beam training without a development treebank: the part of the trees that the threshold of the beam
            is found on instead of learning from them, if they have 2,000 words; 0 learns from all of them and keeps the
            whole beam.
        explore: greedy training: how often a wrong label is followed, and, of systems with a dynamic oracle, a wrong
            move; 0 follows none, 1 all of them. In the first iteration none is followed.
        margin: by how much the right move has to win, the right label, and the right derivation per wrong arc.
        scale: steps of a weight of 1 when weights are rounded for parsing.
        least_weight: rounded weights below this are dropped.
        encoder: the size of an encoder to learn instead of weights of features, None or a name of
            `fastparse.learning.networks.presets.SIZES`; templates, update, oracle, labels, minibatch, held_out, margin,
            scale, least_weight, max_bytes and runs are for weights of features alone.
        tags: what the parser learns from: "gold", the treebank's tags, or "predicted", what a tagger says of sentences
            that it has not learnt from.
        folds: parts of the treebank, each tagged by a tagger that has learnt from the others.
        teachers: networks of the default size that are learnt first, with other seeds, each in the time of a training;
            the tagger and the encoder learn what they hold probable as well.
        learnt_beam: states of the beams whose trees an encoder learns from besides single states, whatever it parses
            with; 0: it learns from none; None: what `fastparse.learning.recipes.encoder.learnt_beam_of` says.
        max_bytes: weights are dropped, those that matter least first, until the tables fit; None keeps them all.
    """

    system: str = "two-registers"
    beam: int = 32
    iterations: int = 10
    seed: int = 1
    runs: int = 1
    outside: str = "lift"
    single_root: bool | str = "auto"
    pseudo_projective: str | None = None
    templates: str | None = None
    update: str = "max-violation"
    oracle: str = "dynamic"
    labels: str = "arcs"
    minibatch: int | None = None
    held_out: float = 0.05
    explore: float = 0.9
    margin: int = 5
    scale: float = 4.0
    least_weight: int = 1
    max_bytes: int | None = MAX_BYTES
    encoder: str | None = None
    tags: str = "gold"
    folds: int = FOLDS
    teachers: int = 0
    learnt_beam: int | None = None

    def __post_init__(self) -> None:
        """Raises UnknownNameError or Error for impossible values."""
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
                raise UnknownNameError(f"{name}={value!r} is unknown: expected {' or '.join(map(repr, choices))}")
        if not is_beam(self.beam):
            raise Error(f"beam={self.beam!r}: expected a number from 1 (greedy) to {MAX_BEAM}")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if name == "minibatch" and value is None:
                continue
            if type(value) is not int or value < least:
                raise Error(f"{name}={value!r}: expected a number from {least}")
        if not 0 <= self.explore <= 1:
            raise Error(f"explore={self.explore!r}: expected a probability")
        if not 0 <= self.held_out <= 0.5:
            raise Error(f"held_out={self.held_out!r}: expected a part from 0 to 0.5")
        if not 0 < self.scale <= 1024:
            raise Error(f"scale={self.scale!r}: expected a number above 0 and up to 1024")
        if self.max_bytes is not None and (type(self.max_bytes) is not int or self.max_bytes < 1024):
            raise Error(f"max_bytes={self.max_bytes!r}: expected a number from 1024, or None")
        if self.learnt_beam is not None:
            if type(self.learnt_beam) is not int or self.learnt_beam not in (0, *range(2, LARGEST_BEAM + 1)):
                raise Error(f"learnt_beam={self.learnt_beam!r}: expected 0 or a number from 2 to {LARGEST_BEAM}")
            if self.encoder is None:
                raise Error(f"learnt_beam={self.learnt_beam!r} is of encoders: say encoder='default' or 'small'")
        if self.teachers and self.encoder is None:
            raise Error(f"teachers={self.teachers!r} are of encoders: say encoder='default' or 'small'")
        for f in fields(self) if self.encoder is not None else ():
            value = getattr(self, f.name)
            if f.name in _OF_FEATURES and value != f.default:
                raise Error(
                    f"{f.name}={value!r} is for weights of features: leave it out with encoder={self.encoder!r}"
                )

    def to_dict(self) -> dict[str, Any]:
        """For JSON; without what there is no use for."""
        left_out: tuple[str, ...] = _OF_FEATURES if self.encoder is not None else ("encoder",)
        if self.tags == "gold":
            left_out = (*left_out, "tags", "folds")
        if not self.teachers:
            left_out = (*left_out, "teachers")
        if self.learnt_beam is None:
            left_out = (*left_out, "learnt_beam")
        if self.oracle == "dynamic" or self.beam > 1:
            left_out = (*left_out, "oracle")
        if self.labels == "arcs":
            left_out = (*left_out, "labels")
        return {name: value for name, value in asdict(self).items() if name not in left_out}
