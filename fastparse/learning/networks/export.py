"""A network as byte arithmetic reads it: its arrays renamed and reshaped, and rounded on sentences that it parses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.floats import Sample, States
from fastparse.encoder.inputs import GROUPS, NOTHING
from fastparse.encoder.quantise import Places, Quantised, quantised
from fastparse.learning.networks.encoder import Buffers, Encoder
from fastparse.learning.networks.network import Network, rows_of
from fastparse.learning.networks.places import FIELDS, position_and_relation
from fastparse.learning.networks.states import buckets_of

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.networks.network import Network

__all__ = ["encoder_of", "exported", "read_of_states", "visited", "with_temperature"]

Arrays = dict[str, np.ndarray[Any, Any]]


def exported(network: Network) -> Arrays:
    """Copies of the arrays, named by layer: matrices have an axis for pieces, then outputs, then inputs.

    Rows of labels begin with that of no label. Arrays of what the network does not have are left out.
    """
    shape, given = network.shape, network.arrays
    w, h, k = shape.width, shape.hidden, len(shape.places)
    found: Arrays = {f"embeddings.{i}": given[group] for i, group in enumerate(g for g in GROUPS if g in shape.rows)}
    if network.fixed is not None:
        found["embeddings.0"] = network.fixed.whole(given["form"])
    for name, new, inputs in (
        ("input", "input", (shape.input,)),
        *((f"layer{i}", f"layers.{i}", (3, w)) for i in range(len(shape.distances))),
    ):
        found[f"{new}.weights"] = given[f"{name}.weight"].reshape(shape.pieces, w, *inputs)
        found[f"{new}.bias"] = given[f"{name}.bias"].reshape(shape.pieces, w)
        found[f"{new}.gain"], found[f"{new}.offset"] = given[f"{name}.gain"], given[f"{name}.shift"]
    if shape.moves:
        slots, absent = given["slots.weight"].reshape(k + 2, 2, h, w), given["moves.absent"].reshape(k + 2, 2, h)
        for name, mine in (("moves", slice(0, k)), ("labels", slice(k, k + 2))):
            found[f"{name}.slots"], found[f"{name}.none"] = slots[mine], absent[mine]
            found[f"{name}.bias"] = given[f"{name}.bias"].reshape(2, h)
            found[f"{name}.weights"], found[f"{name}.output_bias"] = given[f"{name}.weight"], given[f"{name}.offset"]
        labelled = [i for i, place in enumerate(shape.places) if "." in place]
        rows = np.roll(given["moves.labels"][labelled], 1, axis=1)
        found["moves.labels"] = rows.reshape(len(labelled), shape.labels + 1, 2, h)
        found["moves.distances"] = given["moves.distances"].reshape(len(shape.pairs), -1, 2, h)
        found["labels.distances"] = given["labels.distances"].reshape(1, -1, 2, h)
        found["labels.labels"] = np.zeros((0, shape.labels + 1, 2, h), np.float32)
        if shape.rank:
            found["arcs.head"], found["arcs.dependent"] = np.split(given["arcs.weight"], 2)
            found["arcs.head_bias"] = found["arcs.dependent_bias"] = np.zeros(shape.rank, np.float32)
    for name in shape.outputs:
        found[f"tags.{name}.weights"] = given[f"output.{name}.weight"]
        found[f"tags.{name}.bias"] = given[f"output.{name}.offset"]
    return {name: np.ascontiguousarray(array, np.float32) for name, array in found.items()}


def read_of_states(network: Network) -> dict[str, list[tuple[Any, ...]]]:
    """What the rows of `moves.slots`, `moves.labels` and `moves.distances` stand for.

    Returns:
        "slots": position, field and the distance 0 to a neighbour; "labels": position and field; "distances": pairs of
        positions. Fields: 0 the word itself, 1 its head, 2 and 3 its children on the left, the outermost first, 4 and
        5 those on the right. The label of field 1 is the word's own.
    """
    split = [position_and_relation(place) for place in network.shape.places]
    return {
        "slots": [(position, FIELDS[relation], 0) for position, relation in split],
        "labels": [(position, FIELDS[relation]) for position, relation in split if relation],
        "distances": list(network.shape.pairs),
    }


def visited(
    network: Network, treebank: Treebank, most_words: int = 20_000, states_per_word: int = 2
) -> dict[str, np.ndarray[Any, Any]]:
    """What the network reads while it parses the first sentences of a treebank: for calibrating byte arithmetic.

    Returns:
        "ids": rows of ids per word (and one per root), columns as in `Inputs.columns`; "lengths": rows per sentence;
        "words": rows by place, -1 for none; "labels": from 1 on, 0 for none; "buckets": of distances.
    """
    offsets = np.asarray(treebank.offsets, np.int64)
    last = max(1, int(np.searchsorted(offsets, most_words, side="right")) - 1)
    bank = treebank[:last]
    rows, offsets = network.inputs.rows(bank), offsets[: last + 1]
    part, read = rows_of(offsets, np.arange(last)), read_of_states(network)
    ids, added = network.learnt(rows)
    encoder = Encoder(network.shape, network.inputs.columns())
    state = encoder.forward(network.arrays, ids, part.start, part.end, added=added)
    room = states_per_word * len(rows)
    record = [np.zeros((room, max(1, len(read[name]))), np.int32) for name in ("slots", "labels", "distances")]
    transitions = network.transitions()
    transitions.bind(network.arrays)
    network.show(transitions, state, Buffers())
    heads, labels = np.zeros((2, int(offsets[-1])), np.int32)
    n = transitions.parse(offsets, part.bases, heads, labels, record)
    sizes = {"words": "slots", "labels": "labels", "buckets": "distances"}
    found = {name: array[:n, : len(read[given])] for array, (name, given) in zip(record, sizes.items(), strict=True)}
    return {"ids": rows, "lengths": np.diff(offsets) + 1, **found}


_SCALE = "moves.scale"  # steps of a score per nat
_WORDS = 2500
_STATES = 4000


def encoder_of(network: Network, treebank: Treebank) -> Quantised:
    """Args: treebank: with trees; its first sentences are the sample."""
    found = visited(network, treebank, _WORDS)
    ids, lengths = found["ids"], found["lengths"]
    columns = [bounds for group, bounds in network.inputs.columns().items() if group in network.shape.rows]
    there = ids != NOTHING
    ends = np.cumsum(np.stack([there[:, slice(*bounds)].sum(1) for bounds in columns], 1)).reshape(len(ids), -1)
    arcs = _arcs(treebank, lengths)
    read, read_of_labels = read_of_states(network), [("H", 0, 0), ("D", 0, 0)]
    places = {
        "moves": Places(read["slots"], read["labels"], read["distances"]),
        "labels": Places(read_of_labels, [], [("H", "D")]),
    }
    nothing = np.zeros((len(arcs), 0), np.int32)
    part = slice(0, None, max(1, len(found["words"]) // _STATES))  # states of all sentences alike
    states = {
        "moves": States(found["words"][part], found["labels"][part], found["buckets"][part]),
        "labels": States(arcs, nothing, buckets_of(arcs[:, 1] - arcs[:, 0])[:, None]),
    }
    sample = Sample(ids[there], ends, lengths, states, arcs)
    return quantised(exported(network), network.shape.distances, places, sample)


def with_temperature(arrays: dict[str, np.ndarray[Any, Any]], temperature: float) -> dict[str, np.ndarray[Any, Any]]:
    """An encoder's arrays, with scores of moves that are divided by this before they become probabilities."""
    scale = arrays[_SCALE].view(np.float32) * np.float32(temperature)
    return {**arrays, _SCALE: scale.view(np.uint32)}


def _arcs(treebank: Treebank, lengths: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Rows of heads and dependents of the sample's trees; rows of each sentence begin with its root."""
    bases = np.repeat(np.cumsum(lengths) - lengths, lengths - 1)
    heads = np.asarray(treebank.heads)[: len(bases)]
    inside = np.arange(len(bases)) - np.repeat(np.cumsum(lengths - 1) - (lengths - 1), lengths - 1)
    return np.stack([bases + heads, bases + inside + 1], 1).astype(np.int32)
