"""Learning an encoder: a network in floats, along states of derivations, which parses in bytes after each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from fastparse.errors import Error
from fastparse.learning.network_learner import NetworkLearner
from fastparse.learning.networks.presets import ENCODER_BEAM, plan_for, shape_for
from fastparse.learning.networks.task import Task
from fastparse.learning.networks.train import new_network
from fastparse.learning.preparation import Account, Derivations, Trees, derived, trees_of
from fastparse.learning.progress import Message
from fastparse.learning.quantising import with_temperature
from fastparse.learning.recipes.plain import named
from fastparse.model.description import EncoderDescription
from fastparse.search.confidence import fitted
from fastparse.search.decoder import Decoder
from fastparse.search.kinds import EncoderSearch, require_encodable
from fastparse.transition_systems.registry import has_dynamic_oracle

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.compiling import Rows
    from fastparse.learning.development import Development
    from fastparse.learning.networks.network import Network
    from fastparse.learning.networks.vectors import Vectors
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.recipes.recipe import Arrays, Report
    from fastparse.machine.system import System

__all__ = ["EncoderRecipe", "allowed_labels", "beam_of", "learnt_beam_of", "task_of"]

_TEMPERATURES = (1.0, 1.25, 1.5, 2.0, 2.5)
_LEARNT_BEAM = 4
_USUAL_TEMPERATURE = 1.5  # while learning, and without a development treebank


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
        own: Treebank | None = None, threads: int = 1, vectors: Vectors | None = None,
    ) -> None:  # fmt: skip
        """Make the treebank fit for learning.

        Args:
            own: the same sentences and trees, with the tags and features that a tagger says who has not learnt from
                them. A share of the sentences is read with these in each round, so that one parser serves text with
                tags and without.
            threads: to learn on; they change no byte.
            vectors: of words, from outside.

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
            self.trees.treebank.n_words, options.encoder, seed=options.seed, rounds=options.iterations,
            explore=options.explore, beam=learnt_beam_of(options, system.name), own=own is not None,
            taught=options.teachers > 0,
        )  # fmt: skip
        self.network, self.examples = new_network(
            self.task, self.trees.treebank, self.shape, self.plan, system, vectors
        )
        if own is not None:
            same, _ = derived(trees_of(own, options, Account()), system, options.outside, Account())
            if not np.array_equal(same.heads, self.trees.heads):
                raise Error("the treebank with a tagger's tags has other trees than the one to learn from")
            self.examples.own_rows = self.network.inputs.rows(same.treebank, own=True)
        self.kind = EncoderSearch(self._described())
        self._learner: NetworkLearner | None = None

    def learner(self, options: TrainingOptions) -> NetworkLearner:
        found = self.trees
        sample = found.treebank.with_heads(found.heads, found.label_ids, found.labels)
        self._learner = NetworkLearner(
            self.network, self.examples, self.plan, options, sample, self._threads, self.teachers
        )
        return self._learner

    def learnt(self) -> Network:
        """The network of the learner, for others to learn from."""
        assert self._learner is not None
        return self._learner.kept()

    def decoder(self, arrays: Arrays, temperature: float = _USUAL_TEMPERATURE) -> Decoder:
        return Decoder(self.kind, self.kind.weights(with_temperature(arrays, temperature)))

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        return np.asarray(treebank.heads)

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> NoReturn:
        raise Error("encoders of several runs have no mean: train one, with runs=1")

    def finish(self, arrays: Arrays, development: Development | None, report: Report) -> tuple[Decoder, dict[str, Any]]:
        """Chooses the temperature by which a beam divides scores before they become probabilities.

        A network that has learnt long is surer of itself than it is right. On trees that it has learnt it is right:
        so without others the temperature is one that does well in most trainings.
        """
        best = _USUAL_TEMPERATURE
        record = {} if development is None else self._rounding(development, report)
        if development is not None:
            size = beam_of(self.options)
            searching = development.searching(size)
            scores = {heat: searching.final(self.decoder(arrays, heat)) for heat in _TEMPERATURES}
            best = max(scores, key=lambda heat: (scores[heat].chosen_by, -abs(heat - _USUAL_TEMPERATURE)))
            record["beam"] = {"size": size, **scores[best].to_dict()}
            report(Message(f"beam of {size}, temperature {best}: dev {scores[best]}"))
        decoder = self.decoder(arrays, best)
        if development is not None:
            described = replace(self.kind.description, confidence=fitted(*development.logs(decoder)))
            decoder = Decoder(EncoderSearch(described), decoder.weights)
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
            single_root=found.single_root, beam=options.beam, encoding=options.pseudo_projective,
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
    return options.beam if options.beam > 1 else ENCODER_BEAM


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
