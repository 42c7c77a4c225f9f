"""One part of a batch, forward and backward through all layers of a network; teachers, and exchanged words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fastparse.encoder.inputs import NOTHING, ROOT, UNKNOWN, Inputs
from fastparse.encoder.reals import product
from fastparse.learning.networks import layers
from fastparse.learning.networks.encoder import Arrays, Buffers, Encoder
from fastparse.learning.networks.network import Network, Rows, rows_of
from fastparse.learning.networks.plans import Plan
from fastparse.learning.networks.shapes import arrays_in

__all__ = ["Examples", "Exchange", "Gradients", "Outcome", "Teachers"]

Array = np.ndarray[Any, Any]


class Exchange:
    """Puts other forms in the place of some, each form of a tag as likely as any other, however rare.

    A tree still fits most sentences that are made so; what does not fit any more, teachers will tell.
    """

    def __init__(self, rows: Array, kinds: Array, columns: int) -> None:
        """Args:
        rows: of the treebank's words and roots; kinds: of its words, by number: what is alike has the same.
        columns: the first of each row, which say what follows from a form.
        """
        words = np.flatnonzero(rows[:, 0] != ROOT)
        self._kinds = np.full(len(rows), -1, np.int64)
        self._kinds[words] = kinds
        found = np.unique(np.concatenate([kinds[:, None], rows[words, :columns]], 1), axis=0)
        self._forms = np.ascontiguousarray(found[:, 1:])
        self._first = np.searchsorted(found[:, 0], np.arange(int(kinds.max(initial=-1)) + 2))

    def apply(self, ids: Array, rows: Array, rate: float, source: np.random.Generator) -> None:
        """Changes some ids. Args: rows: which of the treebank's they are; rate: share of the words to change."""
        kinds = self._kinds[rows]
        chosen = np.flatnonzero((source.random(len(ids)) < rate) & (kinds >= 0))
        kinds = kinds[chosen]
        first, n = self._first[kinds], self._first[kinds + 1] - self._first[kinds]
        ids[chosen, : self._forms.shape[1]] = self._forms[first + (source.random(len(chosen)) * n).astype(np.int64)]


class Teachers:
    """Networks that have learnt, over the same labels and classes and of the same inputs; scratch of one thread.

    What they say is the mean of their probabilities. They read sentences as these are, with nothing dropped.
    """

    def __init__(self, networks: Sequence[Network], inputs: Inputs) -> None:
        """Args: inputs: of the network that learns."""
        assert all(network.inputs == inputs for network in networks), "teachers read other inputs"
        self._networks = networks
        self._encoders = [Encoder(network.shape, network.inputs.columns()) for network in networks]
        self._buffers = [Buffers() for _ in networks]
        self.transitions: list[Any] = []
        for network in networks:
            if network.shape.moves:
                self.transitions.append(network.transitions())
                self.transitions[-1].bind(network.arrays)

    def read(self, ids: np.ndarray[Any, Any], part: Rows) -> None:
        """The sentences of a batch. Args: ids: of their rows."""
        self._states = []
        for network, encoder, buffers, transitions in zip(
            self._networks, self._encoders, self._buffers, self.transitions or [None] * len(self._networks), strict=True
        ):
            learnt, added = network.learnt(ids)
            state = encoder.forward(network.arrays, learnt, part.start, part.end, added=added)
            self._states.append(state)
            if transitions is not None:
                network.show(transitions, state, buffers)

    def classes(self, name: str) -> np.ndarray[Any, Any]:
        """Probabilities of an output's classes, per row of the batch."""
        return self._mean(
            (product(state, network.arrays[f"output.{name}.weight"].T), network.arrays[f"output.{name}.offset"])
            for network, state in zip(self._networks, self._states, strict=True)
        )

    def labels(self, heads: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Probabilities of the labels of each row's arc. Args: heads: its row, or negative."""
        return self._mean(self._label_scores(heads))

    def _label_scores(self, heads: np.ndarray[Any, Any]) -> Any:
        for network, transitions, buffers in zip(self._networks, self.transitions, self._buffers, strict=True):
            n, h = len(heads), network.shape.hidden
            hidden, which = buffers.get("hidden", n, h), buffers.get("which", n, h, np.uint8)
            transitions.label_hidden(heads, hidden, which, 0, 0.0)
            yield product(hidden, network.arrays["labels.weight"].T), network.arrays["labels.offset"]

    def _mean(self, scores: Any) -> np.ndarray[Any, Any]:
        found: Any = 0
        for each, offset in scores:
            layers.probabilities(each, offset, 1 / len(self._networks))
            found = found + each
        return np.asarray(found)


@dataclass
class Examples:
    """What is learnt: a treebank's rows, trees, derivations, and the classes of outputs per word (-1: not learnt).

    own_rows are the rows as the network will find them where no tags are given; None: without any. kinds: words that
    have the same may be exchanged for each other; None: nobody knows which.
    """

    rows: np.ndarray[Any, Any]
    offsets: np.ndarray[Any, Any]
    heads: np.ndarray[Any, Any]
    label_ids: np.ndarray[Any, Any]
    moves: np.ndarray[Any, Any]
    move_labels: np.ndarray[Any, Any]
    starts: np.ndarray[Any, Any]
    classes: Arrays = field(default_factory=dict)
    own_rows: np.ndarray[Any, Any] | None = None
    kinds: np.ndarray[Any, Any] | None = None


@dataclass
class Outcome:
    """Sums over the words of a batch: losses and right answers, by "moves", "labels" and outputs."""

    words: int = 0
    loss: dict[str, float] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    right: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, loss: float, asked: int, right: int) -> None:
        self.loss[name] = self.loss.get(name, 0.0) + loss
        self.asked[name] = self.asked.get(name, 0) + asked
        self.right[name] = self.right.get(name, 0) + right

    def include(self, other: Outcome) -> None:
        self.words += other.words
        for name in other.loss:
            self.add(name, other.loss[name], other.asked[name], other.right[name])


class Gradients:
    """The layers of a network with their gradients; scratch of one thread.

    Attributes:
        gradient: of all numbers, after `learn`.
    """

    def __init__(self, network: Network, examples: Examples, plan: Plan, teachers: Sequence[Network] = ()) -> None:
        """Args: teachers: networks to learn from beside the examples."""
        self.network, self.examples, self.plan, self.dropout = network, examples, plan, plan.dropout
        self.share = plan.taught if teachers else 0.0
        self.teachers = Teachers(teachers, network.inputs) if teachers else None
        self.exchange = None
        if plan.dropout.exchange and examples.kinds is not None:
            self.exchange = Exchange(examples.rows, examples.kinds, network.inputs.columns()["tag"][0])
        self.output_weight, self.heads_weight = plan.output_weight, plan.heads_weight
        self.gradient = np.zeros_like(network.numbers)
        self.values = network.arrays

        self.gradients = arrays_in(network.shape, self.gradient)
        self.encoder = Encoder(network.shape, network.inputs.columns())
        self.buffers = Buffers()
        self.transitions: Any = None
        if network.shape.moves:
            self.transitions = network.transitions()
            self.transitions.bind(self.values, self.gradients)
            if self.teachers is not None:
                self.transitions.learn_from(self.teachers.transitions, self.share)

    def learn(self, sentences: np.ndarray[Any, Any], words: int, number: int, seed: int) -> Outcome:
        """Losses and gradients of some sentences.

        Args:
            words: of the whole batch: losses are means over them.
            number: of the round.
        """
        layers.clear(self.gradient)
        part = rows_of(self.examples.offsets, sentences)
        outcome = Outcome(len(part.at))
        weight = 1.0 / max(1, words)
        source = np.random.Generator(np.random.PCG64(seed))
        ids = self.examples.rows[part.rows]
        hidden_tags = self._hide(ids, part, sentences, source)
        if self.exchange is not None:
            self.exchange.apply(ids, part.rows, self.dropout.exchange, source)
        if self.teachers is not None:
            self.teachers.read(ids, part)
        ids, added = self.network.learnt(ids)
        self._thin(ids, source)
        state = self.encoder.forward(self.values, ids, part.start, part.end, _seed(seed, 1), self.dropout.layer, added)
        d_state = self.buffers.get("d_state", len(state), state.shape[1])
        layers.clear(d_state.reshape(-1))
        for name in self.network.shape.outputs:
            self._learn_output(name, part, state, d_state, weight * self.output_weight, hidden_tags, outcome)
        if self.transitions is not None:
            self._learn_parser(part, sentences, state, d_state, weight, number, seed, outcome)
        self.encoder.backward(self.values, self.gradients, d_state)
        return outcome

    def _hide(self, ids: np.ndarray[Any, Any], part: Any, sentences: Any, source: Any) -> np.ndarray[Any, Any]:
        """Drops the tags of some sentences; returns which rows lost them."""
        own, where = self.examples.own_rows, self.network.inputs.columns()
        without = source.random(len(sentences)) < self.dropout.given
        rows: np.ndarray[Any, Any] = np.repeat(without, part.end[part.bases] - part.start[part.bases])
        rows &= ids[:, 0] != ROOT
        tags = slice(where["tag"][0], where["feature"][1])
        ids[rows, tags] = NOTHING if own is None else own[part.rows][rows, tags]
        return rows

    def _thin(self, ids: np.ndarray[Any, Any], source: Any) -> None:
        """Drops some of the rows' ids."""
        drop, where = self.dropout, self.network.inputs.columns()
        words = ids[:, 0] != ROOT
        n = len(ids)

        def chosen(rate: float, width: int = 1) -> np.ndarray[Any, Any]:
            found: np.ndarray[Any, Any] = (source.random((n, width), np.float32) < rate) & words[:, None]
            return found

        ids[chosen(drop.word)[:, 0], 0] = UNKNOWN
        for group, rate in (("affix", drop.affix), ("tag", drop.tag), ("feature", drop.feature)):
            first, last = where[group]
            ids[:, first:last][np.broadcast_to(chosen(rate, 2 if group == "tag" else 1), (n, last - first))] = NOTHING

    def _said(self, of: Callable[[Teachers], Any]) -> tuple[Any, float]:
        """What teachers hold probable, if there are any, and its share of what is aimed at."""
        return (None, 0.0) if self.teachers is None else (of(self.teachers), self.share)

    def _learn_output(
        self, name: str, part: Any, state: Any, d_state: Any, weight: float, hidden_tags: Any, outcome: Outcome
    ) -> None:
        get, n = self.buffers.get, len(state)
        matrix = self.values[f"output.{name}.weight"]
        gold = np.full(n, -1, np.int32)
        gold[part.words] = self.examples.classes[name][part.at]
        if self.dropout.given:
            gold[~hidden_tags] = -1  # what is given need not be found
        scores, d_scores = get(f"scores.{name}", n, len(matrix)), get(f"d_scores.{name}", n, len(matrix))
        product(state, matrix.T, scores)
        best = np.zeros(n, np.int32)
        loss, right = layers.softmax_loss(
            scores, self.values[f"output.{name}.offset"], gold, weight, d_scores,
            self.gradients[f"output.{name}.offset"], best, *self._said(lambda teachers: teachers.classes(name)),
        )  # fmt: skip
        product(d_scores.T, state, self.gradients[f"output.{name}.weight"])
        product(d_scores, matrix, d_state, add=True)
        outcome.add(name, loss, int((gold >= 0).sum()), right)

    def _learn_parser(
        self, part: Any, sentences: Any, state: Any, d_state: Any, weight: float, number: int, seed: int,
        outcome: Outcome,
    ) -> None:  # fmt: skip
        shape, get, n, examples = self.network.shape, self.buffers.get, len(state), self.examples
        values, gradients = self.values, self.gradients
        width = len(values["slots.weight"])
        slots, d_slots = get("slots", n, width), get("d_slots", n, width)
        product(state, values["slots.weight"].T, slots)
        layers.clear(d_slots.reshape(-1))
        arcs = d_arcs = get("arcs", n, 2 * shape.rank)
        if shape.rank:
            product(state, values["arcs.weight"].T, arcs)
            d_arcs = get("d_arcs", n, 2 * shape.rank)
            layers.clear(d_arcs.reshape(-1))
        self.transitions.use_rows(slots, arcs, d_slots, d_arcs)
        heads, gold = np.full((2, n), -1, np.int32)
        heads[part.words] = examples.heads[part.at] + part.start[part.words]
        gold[part.words] = examples.label_ids[part.at]
        own = self._learn_labels(heads, gold, weight, seed, outcome)
        loss, asked, right = self.transitions.learn(
            sentences, part.bases, examples.offsets, examples.heads, gold, own, examples.moves,
            examples.move_labels, examples.starts, weight, self.plan.exploring(number), _seed(seed, 3),
            self.dropout.hidden,
        )  # fmt: skip
        outcome.add("moves", loss, asked, right)
        if beam := self.plan.searching(number):
            sizes = part.end[part.bases] - part.bases.astype(np.int32) - 1
            weight_of_mistake = weight * self.plan.beam_weight
            mistakes, best = self.transitions.learn_from_beams(part.bases, sizes, heads, gold, beam, weight_of_mistake)
            outcome.add("beams", mistakes, len(part.words), len(part.words) - int(best))
        if shape.heads:
            self._learn_heads(part, heads - part.start, state, d_state, weight * self.heads_weight, outcome)
        product(d_slots.T, state, gradients["slots.weight"])
        product(d_slots, values["slots.weight"], d_state, add=True)
        if shape.rank:
            product(d_arcs.T, state, gradients["arcs.weight"])
            product(d_arcs, values["arcs.weight"], d_state, add=True)

    def _learn_heads(
        self, part: Any, heads: np.ndarray[Any, Any], state: Any, d_state: Any, weight: float, outcome: Outcome
    ) -> None:
        """The head of each word among all words of its sentence, by the product of a vector of each.

        Args:
            heads: by row, from 0, the root.
        """
        matrix, offset = self.values["heads.weight"], self.values["heads.bias"]
        n, k = len(state), self.network.shape.heads
        get = self.buffers.get
        both, d_both = get("heads", n, 2 * k), get("d_heads", n, 2 * k)
        product(state, matrix.T, both)
        both += offset
        layers.clear(d_both.reshape(-1))
        found, right = 0.0, 0
        for root in part.bases.tolist():
            end = int(part.end[root])
            words, m = slice(root + 1, end), end - root
            scores = product(both[words, :k], both[root:end, k:].T)
            d_scores, none, best = np.empty_like(scores), np.zeros((2, m), np.float32), np.empty(m, np.int32)
            loss, n_right = layers.softmax_loss(scores, none[0], heads[words], weight, d_scores, none[1], best)
            d_both[words, :k] = product(d_scores, both[root:end, k:])
            d_both[root:end, k:] = product(d_scores.T, both[words, :k])
            found, right = found + loss, right + n_right
        product(d_both.T, state, self.gradients["heads.weight"])
        self.gradients["heads.bias"] += d_both.sum(0)
        product(d_both, matrix, d_state, add=True)
        outcome.add("heads", found, len(part.words), right)

    def _learn_labels(self, heads: Any, gold: Any, weight: float, seed: int, outcome: Outcome) -> np.ndarray[Any, Any]:
        """Labels of the trees' arcs; returns the network's own."""
        get, n, h = self.buffers.get, len(heads), self.network.shape.hidden
        matrix = self.values["labels.weight"]
        hidden, d_hidden = get("hidden", n, h), get("d_hidden", n, h)
        which = get("which", n, h, np.uint8)
        self.transitions.label_hidden(heads, hidden, which, _seed(seed, 2), self.dropout.hidden)
        scores, d_scores = get("scores", n, len(matrix)), get("d_scores", n, len(matrix))
        product(hidden, matrix.T, scores)
        own = np.zeros(n, np.int32)
        loss, right = layers.softmax_loss(
            scores, self.values["labels.offset"], gold, weight, d_scores, self.gradients["labels.offset"], own,
            *self._said(lambda teachers: teachers.labels(heads)),
        )  # fmt: skip
        product(d_scores.T, hidden, self.gradients["labels.weight"])
        product(d_scores, matrix, d_hidden)
        self.transitions.label_hidden_backward(heads, d_hidden, which, self.dropout.hidden)
        outcome.add("labels", loss, int((gold >= 0).sum()), right)
        return own


def _seed(seed: int, number: int) -> int:
    return (seed * 0x9E3779B97F4A7C15 + number * 0xD1B54A32D192ED03) & 0xFFFFFFFFFFFFFFFF
