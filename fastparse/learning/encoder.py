"""Learning an encoder: a network in floats, along states of derivations, which parses in bytes after each round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from fastparse.encoder.quantise import in_pieces
from fastparse.errors import Error
from fastparse.learning.course import ParserCourse, Shuffled, Tally, seed_of
from fastparse.learning.linear import named
from fastparse.learning.networks.examples import Task, new_network
from fastparse.learning.networks.export import encoder_of, with_temperature
from fastparse.learning.networks.learner import NetworkLearner
from fastparse.learning.networks.outside import Outside
from fastparse.learning.networks.plans import ENCODER_BEAM, TEACHER, plan_for, seed_of_teacher, shape_for
from fastparse.learning.preparation import Account, Derivations, Trees, derived, trees_of
from fastparse.learning.progress import Message, Place
from fastparse.learning.steps import keep_network, restored_network
from fastparse.learning.taggers import part_of_teacher
from fastparse.model.description import EncoderDescription
from fastparse.model.sections import PARSER
from fastparse.search.confidence import fitted, fitted_to_trees
from fastparse.search.decoder import Decoder
from fastparse.search.kinds import EncoderSearch, require_encodable
from fastparse.transition_systems.registry import has_dynamic_oracle

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.course import Arrays
    from fastparse.learning.development import Development
    from fastparse.learning.networks.gradients import Examples
    from fastparse.learning.networks.network import Network
    from fastparse.learning.networks.plans import Plan
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.steps import Report, Training
    from fastparse.learning.tables import Rows
    from fastparse.machine.system import System

__all__ = [
    "EncoderRecipe", "ParserNetwork", "allowed_labels", "beam_of", "learn_teachers", "learnt_beam_of", "task_of",
    "teachers_options",
]  # fmt: skip

_TEMPERATURES = (1.0, 1.25, 1.5, 2.0, 2.5)
_LEARNT_BEAM = 4
_USUAL_TEMPERATURE = 1.5  # while learning, and without a development treebank
_TREES, _STATES_FOR_TREES = 5, 40  # best trees of a sentence, whose probabilities are made true, and the beam


class EncoderRecipe:
    """See `Recipe`.

    Attributes:
        system: that is searched with.
        task: what the network learns.
        shape, plan: of the network, and of its training.
        network, examples: what learns, and what from.
        teachers: networks that have learnt the same, to learn from as well.
    """

    teachers: Sequence[Network] = ()

    def __init__(
        self, treebank: Treebank, system: System, options: TrainingOptions, account: Account,
        own: Treebank | None = None, threads: int = 1, outside: Outside = Outside(),  # noqa: B008
    ) -> None:  # fmt: skip
        """Make the treebank fit for learning.

        Args:
            own: the same sentences and trees, with the tags and features that a tagger says who has not learnt from
                them. A share of the sentences is read with these in each round, so that one parser serves text with
                tags and without.
            threads: to learn on; they change no byte.
            outside: what is known of words besides the treebank.

        Raises:
            Error: if no network learns with the system, or nothing is left to learn from.
            OracleError: with outside="stop", if there is a tree the system cannot build.
        """
        assert options.encoder is not None
        require_encodable(system.name)
        self.system, self.options, self._threads = system, options, threads
        self.shape = shape_for(options.encoder)
        self.trees, derivations = derived(trees_of(treebank, options, account), system, options.outside, account)
        self.task = task_of(self.trees, derivations)
        self.plan = plan_for(
            self.trees.treebank.n_words, options.encoder, seed=options.seed, rounds=options.rounds,
            explore=options.explore, beam=learnt_beam_of(options, system.name), own=own is not None,
            taught=options.teachers > 0,
        )  # fmt: skip
        self.network, self.examples = new_network(
            self.task, self.trees.treebank, self.shape, self.plan, system, outside
        )
        if own is not None:
            same, _ = derived(trees_of(own, options, Account()), system, options.outside, Account())
            if not np.array_equal(same.heads, self.trees.heads):
                raise Error("the treebank with a tagger's tags has other trees than the one to learn from")
            self.examples.own_rows = self.network.inputs.rows(same.treebank, own=True)
        self.kind = EncoderSearch(self._described(), outside.lexicon)
        self._learner: ParserNetwork | None = None

    def learner(self, options: TrainingOptions) -> ParserNetwork:
        found = self.trees
        sample = found.treebank.with_heads(found.heads, found.label_ids, found.labels)
        self._learner = ParserNetwork(
            self.network, self.examples, self.plan, options.seed, sample, self._threads, self.teachers
        )
        return self._learner

    def decoder(self, arrays: Arrays, temperature: float = _USUAL_TEMPERATURE) -> Decoder:
        return Decoder(self.kind, self.kind.weights(with_temperature(arrays, temperature)))

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        return np.asarray(treebank.heads)

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> NoReturn:
        raise Error("encoders of several runs have no mean: train one, with runs=1")

    def finish(
        self, arrays: Arrays, development: Development | None, training: Training
    ) -> tuple[Decoder, dict[str, Any]]:
        """Stores large tables in pieces, and chooses the temperature by which a beam divides scores before they become
        probabilities.

        A network that has learnt long is surer of itself than it is right. On trees that it has learnt it is right:
        so without others the temperature is one that does well in most trainings.
        """
        arrays = in_pieces(arrays, self.network.inputs.counts(self.examples.rows))
        best = _USUAL_TEMPERATURE
        record = {} if development is None else self._rounding(development, training.report)
        if development is not None:
            size = beam_of(self.options)
            searching = development.searching(size)
            scores = {heat: searching.final(self.decoder(arrays, heat)) for heat in _TEMPERATURES}
            best = max(scores, key=lambda heat: (scores[heat].chosen_by, -abs(heat - _USUAL_TEMPERATURE)))
            record["beam"] = {"size": size, **scores[best].to_dict()}
            training.report(Message(f"beam of {size}, temperature {best}: dev {scores[best]}"))
        decoder = self.decoder(arrays, best)
        if development is not None:
            described = replace(
                self.kind.description, confidence=fitted(*development.logs(decoder)),
                tree_confidence=fitted_to_trees(*development.trees(decoder, _TREES, _STATES_FOR_TREES)),
            )  # fmt: skip
            decoder = Decoder(EncoderSearch(described, self.kind.lexicon), decoder.weights)
        return decoder, {**record, "temperature": best, "learnt_beam": self.plan.beam}

    def _rounding(self, development: Development, report: Report) -> dict[str, Any]:
        """What the last round's network gives in floats and in bytes, greedily."""
        learner, bank = self._learner, development.treebank
        if learner is None or self.options.pseudo_projective:
            return {}
        floats = development.scored(*learner.parsed(bank))
        parsed = self.decoder(learner.arrays()).decode(bank, 1)
        in_bytes = development.scored(parsed.heads, parsed.labels)
        report(Message(f"rounded to bytes: dev LAS {in_bytes[1]:.2f}, in floats {floats[1]:.2f} (both greedy)"))
        return {"greedy": {"floats": floats[1], "bytes": in_bytes[1]}}

    def _described(self) -> EncoderDescription:
        found, options = self.trees, self.options
        root, inner = allowed_labels(found)
        assert options.encoder is not None
        return EncoderDescription(
            **named(self.system), labels=found.labels, root_labels=root, inner_labels=inner,
            single_root=found.single_root, beam=options.beam_size, encoding=options.pseudo_projective,
            encoder=options.encoder, inputs=self.network.inputs.to_dict(),
        )  # fmt: skip


def learnt_beam_of(options: TrainingOptions, system: str) -> int:
    """States of the beams that an encoder learns from.

    Where a dynamic oracle can show what to do after mistakes nothing is gained by them (docs/encoder.md).
    """
    if options.learnt_beam is not None:
        return options.learnt_beam
    return 0 if has_dynamic_oracle(system) else _LEARNT_BEAM


def beam_of(options: TrainingOptions) -> int:
    """The beam that an encoder is made fit for: one that parses greedily may be asked for the usual one."""
    return options.beam_size if options.beam_size > 1 else ENCODER_BEAM


def allowed_labels(found: Trees) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Ids of labels of arcs from the root, and of others."""
    root, inner = (tuple(np.unique(found.label_ids[of]).tolist()) for of in (found.heads == 0, found.heads > 0))
    return root, inner or root


def task_of(found: Trees, derivations: Derivations) -> Task:
    """Trees with their derivations, as networks learn them."""
    moves, labels, starts = derivations
    return Task(
        found.treebank, found.heads, found.label_ids, found.labels, *allowed_labels(found), found.single_root, moves,
        labels, starts,
    )  # fmt: skip


class ParserNetwork(NetworkLearner):
    """See `ParserLearner`. Time is counted in words."""

    def __init__(
        self, network: Network, examples: Examples, plan: Plan, seed: int, sample: Treebank, threads: int,
        teachers: Sequence[Network] = (),
    ) -> None:  # fmt: skip
        """Args:
        sample: with the trees that are learnt, to choose the scales of bytes on.
        threads: change no byte.
        teachers: networks to learn from as well.
        """
        super().__init__(network, examples, plan, threads, teachers)
        self._seed, self._sample = seed, sample
        self._order = Shuffled(range(len(self.sizes)), seed)
        self._words = plan.rounds * int(examples.offsets[-1])
        self.clock = 0
        self._before = 0  # steps of a training that was interrupted

    def pieces(self, number: int) -> Sequence[np.ndarray[Any, Any]]:
        return self._order.pieces(number)

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        seed = seed_of(self._seed, iteration, at)
        for number, batch in enumerate(self.divided(order)):
            self.learn_batch(batch, iteration, seed + (number << 16), 1 - self.clock / self._words)
            self.clock += int(self.sizes[batch].sum())

    def tally(self) -> Tally:
        return Tally(self.steps - self._before, len(self.network.numbers), self.clock)

    def arrays(self) -> Arrays:
        with self.as_kept():
            return encoder_of(self.network, self._sample).arrays

    def unlimited(self) -> Arrays | None:
        return None  # its size does not depend on what it has learnt from

    def parsed(self, treebank: Treebank) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Heads and label ids as the floats of now give them, greedily."""
        with self.as_kept():
            return self.network.annotate(treebank)[:2]

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        super().restore(state)
        self._before = self.steps


def teachers_options(options: TrainingOptions, number: int) -> TrainingOptions:
    """Of a parser's teacher, from 0."""
    # Beams would make probabilities that search well of those that say what is likely.
    return replace(
        options, encoder=TEACHER, seed=seed_of_teacher(options.seed, number), teachers=0, beam=ENCODER_BEAM,
        learnt_beam=0,
    )  # fmt: skip


def learn_teachers(
    make: Callable[[TrainingOptions], EncoderRecipe], options: TrainingOptions, training: Training
) -> list[Network]:
    """The teachers of a parser, as many as its options say. None of them looks at a development treebank.

    Args:
        make: a recipe by its options.
    """
    networks = []
    for number in range(options.teachers):
        own, step = teachers_options(options, number), (PARSER, part_of_teacher(number, options.teachers))
        recipe, name = make(own), Place(*step).name
        learner = recipe.learner(own)
        if not restored_network(learner.network, training.checkpoint, name):
            ParserCourse(learner, own, training, training.begin(*step)).run(recipe.kind.description.to_dict())
            learner.network = learner.kept()
            keep_network(learner.network, training.checkpoint, name)
        networks.append(learner.network)
    return networks
