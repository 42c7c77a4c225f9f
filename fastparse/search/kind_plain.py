"""Greedy search and beams over the transitions of a system, with linear scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastparse.features.attributes import Values
from fastparse.features.templates import (
    AttributeLayout,
    TemplateSet,
    attributes_of,
    plan_of,
    read_templates,
    without,
)  # fmt: skip
from fastparse.model.seen import columns_read
from fastparse.search.encoded_labels import EncodedLabels
from fastparse.search.engine import Engine
from fastparse.search.systems import described_system, label_masks, require_searchable
from fastparse.weights.tables import Form, arrays_of, tables_from

if TYPE_CHECKING:
    import numpy as np

    from fastparse.corpus.treebank import Treebank
    from fastparse.features.plan import Plan
    from fastparse.machine.system import System
    from fastparse.model.description import Description
    from fastparse.search.kind import Loop
    from fastparse.weights.compiled import CompiledTable

__all__ = ["Plain"]


class Plain:
    """See `Kind`. The other linear kinds begin with what this one has.

    Attributes:
        system: what search runs.
        engine_forms: the tables `engine` reads.
        forms: all tables of the kind.
    """

    def __init__(self, description: Description) -> None:
        """Raises Error if the description names no system that search can run, or its templates cannot be read."""
        self.description = description
        self.labels = EncodedLabels(description.labels, description.encoding)
        self.system = self._resolved()
        require_searchable(self.system)
        self._layout = AttributeLayout()
        templates = read_templates(description.templates, "<templates of the model>")
        self.columns = columns_read(attributes_of(templates), description.tags_joined)
        self._plans = self._planned(templates)
        self.engine_forms = (
            Form("moves", len(self.system.moves), True),
            Form("labels", len(description.labels), False),
        )
        self.forms: tuple[Form, ...] = self.engine_forms

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(self.system.moves)

    def values(self, treebank: Treebank, own: Any = False) -> Values:
        return Values(treebank, self._layout.attributes, self._layout.counted, self.description.tags_joined)

    def weights(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, CompiledTable]:
        return tables_from(arrays, self.forms)

    def arrays(self, weights: Mapping[str, CompiledTable]) -> dict[str, np.ndarray[Any, Any]]:
        return arrays_of(weights)

    def loop(self, weights: Mapping[str, Any]) -> Loop:
        return self.engine(weights)

    def engine(self, tables: Mapping[str, Any]) -> Engine:
        """The system with its plans and weights.

        Args:
            tables: of moves and of labels, LearningTables or CompiledTables.
        """
        description = self.description
        parts: list[Any] = [
            *self._plans[:4],
            tables["moves"],
            tables["labels"],
            *label_masks(description),
            description.single_root,
            description.chosen_by == "moves",
        ]
        return Engine(self.system, *parts)

    def _resolved(self) -> System:
        return described_system(self.description)

    def _planned(self, templates: TemplateSet) -> list[Plan]:
        """The plans of moves and of labels, each grouped and flat; attributes are laid out in this order."""
        missing = set(self.description.missing)
        moves, labels = without(templates.moves, missing), without(templates.labels, missing)
        return [plan_of(lines, self._layout, share) for lines in (moves, labels) for share in (True, False)]
