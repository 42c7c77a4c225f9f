"""From a treebank to a network that has learnt nothing yet, and to what it is to learn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.inputs import Inputs
from fastparse.learning.networks.learner import Examples
from fastparse.learning.networks.network import Network
from fastparse.learning.networks.places import distances_for, places_for
from fastparse.learning.networks.plan import Plan
from fastparse.learning.networks.shapes import Shape, first_numbers
from fastparse.learning.networks.targets import TAGS, class_numbers, class_strings, columns_with_tags
from fastparse.learning.networks.vectors import FixedRows

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.networks.task import Task
    from fastparse.learning.networks.vectors import Vectors

__all__ = ["new_network"]


def new_network(
    prepared: Task | None, treebank: Treebank, shape: Shape, plan: Plan, system: Any = None,
    vectors: Vectors | None = None,
) -> tuple[Network, Examples]:  # fmt: skip
    """A network with its first numbers, and what it is to learn.

    Args:
        prepared: for a parser.
        shape: its sizes; what follows from the treebank and the system is filled in.
        vectors: whose words are read besides those of the treebank.
    """
    inputs = Inputs.learn(
        treebank, plan.least, plan.with_tags, plan.longest_affix, plan.most_grams, plan.own, plan.least_affix
    )
    rows, fixed = inputs.sizes(), None
    if vectors is not None:
        known = set(inputs.form)
        inputs = replace(inputs, form=(*inputs.form, *(word for word in vectors.words if word not in known)))
        fixed = FixedRows.of(vectors, inputs, rows["form"], shape.form)
    outputs = {name: class_strings(treebank, name) for name in plan.outputs}
    sizes: dict[str, Any] = {
        "rows": {group: n for group, n in rows.items() if shape.embedding(group)},
        "outputs": {name: len(classes) for name, classes in outputs.items()},
    }
    described: dict[str, Any] = {}
    if prepared is not None:
        sizes |= {"moves": len(system.moves), "labels": len(prepared.labels)}
        sizes |= {"places": places_for(system), "pairs": distances_for(system)}
        described = {
            "system": system.name, "system_options": dict(system.options), "labels": tuple(prepared.labels),
            "root_labels": tuple(prepared.root_labels), "inner_labels": tuple(prepared.inner_labels),
            "single_root": prepared.single_root,
        }  # fmt: skip
    shape = Shape(**{**{k: getattr(shape, k) for k in Shape.__dataclass_fields__}, **sizes})
    network = Network(shape, inputs, first_numbers(shape, plan.seed), **described, outputs=outputs, fixed=fixed)
    network.built = system
    bank = treebank if prepared is None else prepared.treebank
    classes = {name: class_numbers(bank, name, strings) for name, strings in outputs.items()}
    nothing = np.zeros(1, np.uint16)
    derived = (nothing.astype(np.uint8), nothing, np.zeros(len(bank) + 1, np.int64))
    if prepared is not None:
        labels = np.where(prepared.move_labels == 0xFFFF, 0, prepared.move_labels).astype(np.uint16)
        derived = (np.ascontiguousarray(prepared.moves, np.uint8), labels, np.asarray(prepared.starts, np.int64))
    examples = Examples(
        inputs.rows(bank), np.ascontiguousarray(bank.offsets, np.int64),
        np.ascontiguousarray(bank.heads if prepared is None else prepared.heads, np.int32),
        np.zeros(bank.n_words, np.int32) if prepared is None else np.ascontiguousarray(prepared.label_ids, np.int32),
        *derived, classes,
        kinds=class_numbers(bank, TAGS, class_strings(bank, TAGS)) if columns_with_tags(bank) else None,
    )  # fmt: skip
    return network, examples
